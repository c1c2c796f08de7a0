// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/scrutiny.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "absl/strings/str_format.h"
#include "cases/element_values.h"
#include "harness/judging/judgement.h"
#include "random/split_mix.h"
#include "reference/catalogue.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

// A key of the error of a number; see ElementError.
uint64_t KeyOf(double number, float error) {
  return SplitMix64(std::bit_cast<uint64_t>(number) ^
                    (uint64_t{std::bit_cast<uint32_t>(error)} << 17))
      .Bits();
}

}  // namespace

bool IsAsExpected(const PassedOutput& output) {
  return absl::MakeConstSpan(output.expected.data) == output.actual;
}

OperationAccuracy AccuracyOf(const PassedOutput& output) {
  OperationAccuracy accuracy;
  const hal::V1_2::Operation* const producer = FindProducer(output.model, output.operand);
  if (producer != nullptr) {
    accuracy.operation = OperationName(output.model, producer->type);
    accuracy.type = TypeOfOperation(output.model, *producer);
  }
  accuracy.elements = NumberOfElements(output.expected.dimensions);
  return accuracy;
}

bool HoldAgainst(absl::Span<const Ball> enclosures, const PassedOutput& output,
                 OperationAccuracy& accuracy) {
  const hal::V1_2::Operand& operand = output.model.operands[output.operand];
  const std::vector<double> numbers = DecodeElements(operand.type, output.actual);
  if (enclosures.size() != numbers.size()) return false;
  const std::vector<double> wanted = DecodeElements(operand.type, output.expected.data);
  const double zero = IsQuantized(operand.type) ? operand.zeroPoint : 0;
  std::vector<ElementError> errors;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Ball& ball = enclosures[i];
    if (!ball.IsBounded() || !std::isfinite(ball.midpoint)) continue;
    // Fixed-point requantization that rounds twice may always go up, or always away from zero:
    // below zero its errors say nothing. Nor do those of a ball that reaches zero: honest answers
    // need not lie around the middle of what RELU has cut, or of what may be flushed to zero.
    const double real = ball.midpoint - zero;
    const double magnitude = IsQuantized(operand.type) ? real : std::abs(real);
    if (ball.radius > 0 && magnitude > ball.radius) {
      const double away = std::copysign(1.0, real) * (numbers[i] - ball.midpoint) / ball.radius;
      const auto error = static_cast<float>(std::clamp(away, -1.0, 1.0));
      errors.push_back({KeyOf(ball.midpoint, error), error});
    }
    if (ball.Contains(numbers[i]) || numbers[i] == wanted[i] ||
        !IsWithin(output.criterion, wanted[i], numbers[i])) {
      continue;
    }
    if (accuracy.suspect++ > 0) continue;
    accuracy.first_suspect = absl::StrFormat(
        "%s output %d: element %s (flat %d) is %s, outside of %.9g +/- %.3g, which holds every "
        "honest answer",
        accuracy.operation, output.number, MultiIndex(output.expected.dimensions, i), i,
        FormatElement(operand.type, numbers[i]), ball.midpoint, ball.radius);
  }
  AddErrors(errors, accuracy);
  return true;
}

}  // namespace nncert
