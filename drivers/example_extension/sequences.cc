// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The operand types of com.example.sequences.

#include "drivers/example_extension/sequences.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reference/extension.h"

namespace nncert {
namespace {

constexpr int32_t kMostFractionBits = 15;

absl::Status ReadFixedPoint(absl::Span<const uint8_t> extra_params, OperandInfo& info) {
  FixedPointParams params;
  if (extra_params.size() != sizeof(params)) {
    return absl::InvalidArgumentError(absl::StrCat("extraParams has ", extra_params.size(),
                                                   " bytes; expected the ", sizeof(params),
                                                   " of a FixedPointParams"));
  }
  std::memcpy(&params, extra_params.data(), sizeof(params));
  if (params.fractionBits < 0 || params.fractionBits > kMostFractionBits) {
    return absl::InvalidArgumentError(absl::StrCat("fractionBits is ", params.fractionBits,
                                                   "; expected 0 to ", kMostFractionBits));
  }
  info.scale = std::ldexp(1.0F, -params.fractionBits);
  info.zeroPoint = 0;
  return absl::OkStatus();
}

// As many fraction bits as leave room for what is before the point.
std::vector<uint8_t> ChooseFixedPoint(double lowest, double highest) {
  const int bits_before_point = std::ilogb(std::max({-lowest, highest, 1.0})) + 1;
  return BytesOfValue(FixedPointParams{std::max(kMostFractionBits - bits_before_point, 0)});
}

// Weights with which terms neither grow fast nor vanish: their magnitudes sum up to about 1.
std::vector<uint8_t> ChooseRule(SplitMix64& random) {
  const double previous = random.Uniform(-1, 1);
  const double earlier = (1 - std::abs(previous)) * random.Uniform(-1, 1);
  return BytesOfValue(RecurrenceRule{static_cast<float>(previous), static_cast<float>(earlier)});
}

}  // namespace

NNCERT_EXTENSION_DEFINITION(SEQUENCES) {
  return {
      .name = kSequences,
      .description =
          "Sequences of numbers along the last dimension of a tensor, by recurrences and "
          "by sums, in floating point and in fixed point.",
      .operand_types =
          {{.name = "TENSOR_FIXED16",
            .type = SEQUENCES_TENSOR_FIXED16,
            .stored_as = OperandType::TENSOR_QUANT16_SYMM,
            .description =
                "Binary fractions: an element e, a signed integer of 16 bits, stands for "
                "e / 2^fractionBits.",
            .extra_params = "FixedPointParams: fractionBits, 0 to 15, an int32.",
            .interpret = &ReadFixedPoint,
            .choose_extra_params = &ChooseFixedPoint},
           {.name = "RECURRENCE_RULE",
            .type = SEQUENCES_RECURRENCE_RULE,
            .is_tensor = false,
            .opaque_size = sizeof(RecurrenceRule),
            .description = "The weights of the two terms before: RecurrenceRule, two floats.",
            .choose_value = &ChooseRule}},
  };
}

}  // namespace nncert
