// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the rules of several families have in common.

#ifndef NNCERT_DRIVERS_XNNPACK_RULES_H_
#define NNCERT_DRIVERS_XNNPACK_RULES_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "drivers/xnnpack/assembly.h"
#include "drivers/xnnpack/operation_view.h"

namespace nncert::xnnpack {

/// Unimplemented, with the reason.
absl::Status Refuse(absl::string_view why);

/// The least and the greatest output of an operation, in real numbers and, for quantized outputs,
/// in steps.
struct Range {
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  uint8_t quantized_low = 0;
  uint8_t quantized_high = 255;
};

/// The range that a fused activation (the HAL's FusedActivationFunc) leaves of an output. Refuses
/// unknown activations, and those that leave a single step: XNNPACK does not take them.
absl::StatusOr<Range> RangeOf(int32_t activation, const hal::V1_2::Operand& output);

/// Whether a scale is one that XNNPACK takes: positive, and neither infinite nor subnormal.
bool IsNormalScale(float scale);

/// Whether the scales of an input and the output have a ratio in [least, 256).
bool IsRatioWithin(float input, float output, float least);

/// Whether two operands have the same type and quantization.
bool AreAlike(const hal::V1_2::Operand& a, const hal::V1_2::Operand& b);

/// OK when the output is of the given type.
absl::Status CheckOutput(const OperationView& op, OperandType type);

/// Whether an operand is TENSOR_QUANT8_ASYMM.
bool IsQuantized(const hal::V1_2::Operand& operand);

/// The zero point of a TENSOR_QUANT8_ASYMM operand.
inline uint8_t ZeroPoint(const hal::V1_2::Operand& operand) {
  return static_cast<uint8_t>(operand.zeroPoint);
}

/// The bytes of an element that is only moved, 1 or 4.
size_t ElementSize(const hal::V1_2::Operand& operand);

/// Adds a copy of `rows` rows of `bytes` bytes that lie `from_stride` and `to_stride` bytes apart.
/// All counts of bytes are multiples of `element` (1 or 4).
void AddCopy(Assembly& assembly, size_t element, size_t rows, size_t bytes, const uint8_t* from,
             size_t from_stride, uint8_t* to, size_t to_stride);

/// The axis that `axis` means in a tensor of this rank, counted from the end if negative. Refuses
/// axes beyond it.
absl::StatusOr<size_t> AxisOf(int32_t axis, const Dimensions& dimensions);

}  // namespace nncert::xnnpack

#endif  // NNCERT_DRIVERS_XNNPACK_RULES_H_
