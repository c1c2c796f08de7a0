// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/fast_elementwise.h"

#include "reference/hot/levels.h"
#include "reference/ops/packed_weights.h"

namespace nncert {
namespace {

// Elements that make a piece of work for a thread.
constexpr size_t kElementsAtATime = size_t{1} << 16;

// Calls combine(row) for pieces of the rows of the output.
template <class Context, class Combine>
void ForRows(Context& context, const Shape& a, const Shape& b, const Shape& output,
             Combine combine) {
  ForEachBroadcastRow(a, b, output, [&](const BroadcastRow& row) {
    if (row.count <= kElementsAtATime) return combine(row);
    context.ParallelFor(row.count, kElementsAtATime, [&](size_t begin, size_t end) {
      combine({row.first + begin, end - begin, row.a + begin * row.a_step, row.a_step,
               row.b + begin * row.b_step, row.b_step});
    });
  });
}

}  // namespace

absl::Status CombineFloats(hot::BinaryOperation operation, FusedActivationFunc activation,
                           KernelContext<FloatArithmetic>& context) {
  const auto a = context.Input(0);
  const auto b = context.Input(1);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ActivationLimits limits = LimitsOf(activation);
  ForRows(context, a.dimensions, b.dimensions, output->dimensions, [&](const BroadcastRow& row) {
    hot::BestKernels().real_binary({.operation = operation,
                                    .count = row.count,
                                    .a = a.data + row.a,
                                    .a_step = row.a_step,
                                    .b = b.data + row.b,
                                    .b_step = row.b_step,
                                    .lowest = static_cast<float>(limits.lowest),
                                    .highest = static_cast<float>(limits.highest),
                                    .result = output->data + row.first});
  });
  return absl::OkStatus();
}

absl::Status CombineIntegers(hot::BinaryOperation operation, FusedActivationFunc activation,
                             IntegerContext& context) {
  const OperandInfo& a_info = context->Input(0);
  const OperandInfo& b_info = context->Input(1);
  const OperandInfo& output_info = context->Output(0);
  if (a_info.type != OperandType::TENSOR_QUANT8_ASYMM) return Declined();
  hot::IntegerBinary whole;
  const double a_scale = a_info.scale;
  const double b_scale = b_info.scale;
  switch (operation) {
    case hot::BinaryOperation::kAdd:
      whole.a_multiplier = a_scale / output_info.scale;
      whole.b_multiplier = b_scale / output_info.scale;
      break;
    case hot::BinaryOperation::kSubtract:
      whole.a_multiplier = a_scale / output_info.scale;
      whole.b_multiplier = -b_scale / output_info.scale;
      break;
    case hot::BinaryOperation::kMultiply:
      whole.is_product = true;
      whole.a_multiplier = a_scale * b_scale / output_info.scale;
      break;
    case hot::BinaryOperation::kDivide:
      return Declined();
  }
  const auto a = context.Input<uint8_t>(0);
  const auto b = context.Input<uint8_t>(1);
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  whole.a_zero_point = a_info.zeroPoint;
  whole.b_zero_point = b_info.zeroPoint;
  whole.requantization = OutputLimits(output_info, activation);
  ForRows(context, a.dimensions, b.dimensions, output->dimensions, [&](const BroadcastRow& row) {
    hot::IntegerBinary binary = whole;
    binary.count = row.count;
    binary.a = a.data + row.a;
    binary.a_step = row.a_step;
    binary.b = b.data + row.b;
    binary.b_step = row.b_step;
    binary.result = output->data + row.first;
    hot::BestKernels().integer_binary(binary);
  });
  return absl::OkStatus();
}

absl::Status MapFloats(void (*function)(size_t count, const float* x, float* result),
                       KernelContext<FloatArithmetic>& context) {
  const auto input = context.Input(0);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  context.ParallelFor(input.size, kElementsAtATime, [&](size_t begin, size_t end) {
    function(end - begin, input.data + begin, output->data + begin);
  });
  return absl::OkStatus();
}

}  // namespace nncert
