// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "diagnosis/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nncert {
namespace {

// How near a wrong element has to be to the prediction, measured by its distance from the honest
// answer.
constexpr double kNearness = 0.25;

bool IsIdentical(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool IsAsPredicted(const Criterion& criterion, double driver, double honest, double predicted) {
  if (IsIdentical(driver, predicted)) return true;
  if (!IsWithin(criterion, predicted, driver)) return false;
  const double distance = std::abs(driver - honest);
  return !std::isfinite(distance) || std::abs(driver - predicted) <= kNearness * distance;
}

// An output whose dimensions the driver has wrong.
Agreement CompareMisshapen(const Criterion& criterion, const AnsweredOutput& driver,
                           const AnsweredOutput& predicted) {
  Agreement agreement;
  agreement.of = std::max<uint64_t>(1, driver.values.size());
  if (!driver.HasSameShape(predicted)) return agreement;
  if (driver.values.empty()) agreement.explained = agreement.identical = 1;
  for (size_t i = 0; i < std::min(driver.values.size(), predicted.values.size()); ++i) {
    agreement.explained += IsIdentical(driver.values[i], predicted.values[i]) ||
                           IsWithin(criterion, predicted.values[i], driver.values[i]);
    agreement.identical += IsIdentical(driver.values[i], predicted.values[i]);
  }
  return agreement;
}

Agreement CompareOutput(const Criterion& criterion, const AnsweredOutput& driver,
                        const AnsweredOutput& honest, const AnsweredOutput& predicted) {
  if (!driver.HasSameShape(honest)) return CompareMisshapen(criterion, driver, predicted);
  Agreement agreement;
  const bool is_of_shape = predicted.HasSameShape(driver);
  for (size_t i = 0; i < std::min(driver.values.size(), honest.values.size()); ++i) {
    const double actual = driver.values[i];
    const double right = honest.values[i];
    const bool is_wrong = !IsIdentical(actual, right) && !IsWithin(criterion, right, actual);
    agreement.of += is_wrong;
    if (!is_of_shape || i >= predicted.values.size()) {
      agreement.contradicted += !is_wrong;
      continue;
    }
    const double claimed = predicted.values[i];
    agreement.identical += IsIdentical(actual, claimed);
    if (is_wrong) {
      agreement.explained += IsAsPredicted(criterion, actual, right, claimed);
    } else {
      agreement.contradicted +=
          !IsIdentical(actual, claimed) && !IsWithin(criterion, claimed, actual);
    }
  }
  return agreement;
}

uint64_t ElementsOf(const AnsweredExecution& execution) {
  uint64_t elements = 0;
  for (const AnsweredOutput& output : execution.outputs) {
    elements += std::max<uint64_t>(1, output.values.size());
  }
  return elements;
}

Agreement CompareExecution(const std::vector<Criterion>& criteria, const AnsweredExecution& driver,
                           const AnsweredExecution& honest, const AnsweredExecution& predicted) {
  Agreement agreement;
  if (driver.outputs.size() != honest.outputs.size()) {
    agreement.of = ElementsOf(honest);
    if (predicted.status == driver.status) agreement.explained = agreement.identical = agreement.of;
    return agreement;
  }
  if (predicted.outputs.size() != driver.outputs.size()) {
    agreement.contradicted = ElementsOf(driver);
    return agreement;
  }
  for (size_t i = 0; i < driver.outputs.size(); ++i) {
    agreement.Add(
        CompareOutput(criteria[i], driver.outputs[i], honest.outputs[i], predicted.outputs[i]));
  }
  return agreement;
}

}  // namespace

void Agreement::Add(const Agreement& other) {
  of += other.of;
  explained += other.explained;
  contradicted += other.contradicted;
  identical += other.identical;
}

double Agreement::Share() const {
  const uint64_t all = of + contradicted;
  return all == 0 ? 0 : static_cast<double>(explained) / static_cast<double>(all);
}

Agreement Compare(const std::vector<Criterion>& criteria, const Answer& driver,
                  const Answer& honest, const Answer& predicted) {
  Agreement agreement;
  const size_t ways = std::max(driver.ways, predicted.ways);
  const size_t examples = driver.executions.size() / driver.ways;
  for (size_t example = 0; example < examples; ++example) {
    for (size_t way = 0; way < ways; ++way) {
      agreement.Add(CompareExecution(criteria, driver.Of(example, way), honest.Of(example, way),
                                     predicted.Of(example, way)));
    }
  }
  return agreement;
}

}  // namespace nncert
