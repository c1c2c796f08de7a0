// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/rules.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"

namespace nncert::xnnpack {
namespace {

using hal::V1_2::FusedActivationFunc;

// The step that stands for a real number, or the nearest end of the range.
uint8_t StepOf(double value, const hal::V1_2::Operand& operand) {
  const double step = std::round(value / operand.scale) + operand.zeroPoint;
  return static_cast<uint8_t>(std::clamp(step, 0.0, 255.0));
}

}  // namespace

absl::Status Refuse(absl::string_view why) { return absl::UnimplementedError(why); }

absl::StatusOr<Range> RangeOf(int32_t activation, const hal::V1_2::Operand& output) {
  Range range;
  switch (static_cast<FusedActivationFunc>(activation)) {
    case FusedActivationFunc::NONE:
      break;
    case FusedActivationFunc::RELU:
      range.low = 0;
      break;
    case FusedActivationFunc::RELU1:
      range.low = -1;
      range.high = 1;
      break;
    case FusedActivationFunc::RELU6:
      range.low = 0;
      range.high = 6;
      break;
    default:
      return Refuse(absl::StrCat("there is no activation ", activation));
  }
  if (IsQuantized(output)) {
    if (!IsNormalScale(output.scale)) return Refuse("the scale of the output is subnormal");
    if (std::isfinite(range.low)) range.quantized_low = StepOf(range.low, output);
    if (std::isfinite(range.high)) range.quantized_high = StepOf(range.high, output);
    if (range.quantized_low >= range.quantized_high) {
      return Refuse("the activation leaves a single step of the output");
    }
  }
  return range;
}

bool IsNormalScale(float scale) { return scale > 0 && std::isnormal(scale); }

bool IsRatioWithin(float input, float output, float least) {
  if (!IsNormalScale(input) || !IsNormalScale(output)) return false;
  const float ratio = input / output;
  return ratio >= least && ratio < 256;
}

bool AreAlike(const hal::V1_2::Operand& a, const hal::V1_2::Operand& b) {
  return a.type == b.type && a.scale == b.scale && a.zeroPoint == b.zeroPoint;
}

absl::Status CheckOutput(const OperationView& op, OperandType type) {
  if (op.output().type == type) return absl::OkStatus();
  return Refuse("the type of the output does not fit");
}

bool IsQuantized(const hal::V1_2::Operand& operand) {
  return operand.type == OperandType::TENSOR_QUANT8_ASYMM;
}

size_t ElementSize(const hal::V1_2::Operand& operand) {
  return hal::nonExtensionElementSize(operand.type);
}

void AddCopy(Assembly& assembly, size_t element, size_t rows, size_t bytes, const uint8_t* from,
             size_t from_stride, uint8_t* to, size_t to_stride) {
  if (element == 1) {
    assembly.Add(
        "copy_nc_x8",
        [&](xnn_operator_t* made) {
          return xnn_create_copy_nc_x8(bytes, from_stride, to_stride, 0, made);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_copy_nc_x8(made, rows, from, to, kThisThreadAlone);
        });
    return;
  }
  assembly.Add(
      "copy_nc_x32",
      [&](xnn_operator_t* made) {
        return xnn_create_copy_nc_x32(bytes / 4, from_stride / 4, to_stride / 4, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_copy_nc_x32(made, rows, from, to, kThisThreadAlone);
      });
}

absl::StatusOr<size_t> AxisOf(int32_t axis, const Dimensions& dimensions) {
  const auto rank = static_cast<int64_t>(dimensions.size());
  const int64_t counted = axis < 0 ? axis + rank : axis;
  if (counted < 0 || counted >= rank) {
    return Refuse(absl::StrCat("axis ", axis, " is none of the ", rank, " axes"));
  }
  return static_cast<size_t>(counted);
}

}  // namespace nncert::xnnpack
