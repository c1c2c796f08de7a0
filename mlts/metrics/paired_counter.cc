// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/paired_counter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "mlts/metrics/classes.h"
#include "mlts/metrics/differences.h"

namespace nncert {

PairedCounter::PairedCounter(std::string baseline, std::vector<TensorFormat> formats,
                             Evaluator evaluator)
    : formats_(std::move(formats)), evaluator_(evaluator) {
  result_.baseline = std::move(baseline);
  if (std::any_of(formats_.begin(), formats_.end(),
                  [](const TensorFormat& format) { return hal::isQuantized(format.type); })) {
    result_.maximum_steps = 0;
  }
}

absl::Status PairedCounter::Add(const Sequence& sequence, const SequenceOutputs& driver,
                                const SequenceOutputs& baseline) {
  const std::string baselines_name = absl::StrCat("the outputs of ", result_.baseline);
  const absl::StatusOr<DecodedOutputs> of_driver =
      DecodeOutputs(sequence, "the outputs of the driver", driver, formats_);
  if (!of_driver.ok()) return of_driver.status();
  const absl::StatusOr<DecodedOutputs> of_baseline =
      DecodeOutputs(sequence, baselines_name, baseline, formats_);
  if (!of_baseline.ok()) return of_baseline.status();
  if (absl::Status status = CheckSameSizes(sequence, "the outputs of the driver", *of_driver,
                                           baselines_name, *of_baseline);
      !status.ok()) {
    return status;
  }
  ++result_.sequences;
  if (!formats_.empty() && !of_driver->empty()) CountClasses(sequence, *of_driver, *of_baseline);
  CountDifferences(*of_driver, *of_baseline);
  return absl::OkStatus();
}

void PairedCounter::CountClasses(const Sequence& sequence, const DecodedOutputs& driver,
                                 const DecodedOutputs& baseline) {
  const bool are_classes = evaluator_ == Evaluator::TOP_K ||
                           evaluator_ == Evaluator::PHONE_ERROR_RATE || sequence.label.has_value();
  if (!are_classes) return;
  // Steps of quantization are in the order of what they stand for.
  const std::optional<size_t> drivers = TopClass(driver.back()[0]);
  const std::optional<size_t> baselines = TopClass(baseline.back()[0]);
  if (drivers != baselines) ++result_.changed;
  if (!sequence.label) return;
  const std::optional<size_t> label = *sequence.label;
  if (drivers == label) {
    ++(baselines == label ? right_.both : right_.first_alone);
  } else {
    ++(baselines == label ? right_.second_alone : right_.neither);
  }
}

void PairedCounter::CountDifferences(const DecodedOutputs& driver, const DecodedOutputs& baseline) {
  for (size_t inference = 0; inference < driver.size(); ++inference) {
    for (size_t i = 0; i < formats_.size(); ++i) {
      const bool is_quantized = hal::isQuantized(formats_[i].type);
      for (size_t element = 0; element < driver[inference][i].size(); ++element) {
        const double one = driver[inference][i][element];
        const double other = baseline[inference][i][element];
        const double difference =
            std::abs(DifferenceOf(RealValue(formats_[i], one), RealValue(formats_[i], other)));
        result_.maximum_absolute_difference =
            std::max(result_.maximum_absolute_difference, difference);
        if (is_quantized) {
          result_.maximum_steps = std::max(*result_.maximum_steps, std::abs(one - other));
        }
      }
    }
  }
}

PairedComparison PairedCounter::Result() const {
  PairedComparison result = result_;
  result.driver_alone_right = right_.first_alone;
  result.baseline_alone_right = right_.second_alone;
  result.mcnemar_p = McNemarProbability(right_.first_alone, right_.second_alone);
  if (right_.both + right_.first_alone + right_.second_alone + right_.neither > 0) {
    result.top_1_difference = DifferenceOfShares(right_);
  }
  return result;
}

}  // namespace nncert
