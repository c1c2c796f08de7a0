// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/fast_elementwise.h"

#include <algorithm>

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

// The elements of an operand that are repeated over and over along the output, as a bias is along
// images, are short rows. Repeated a few times beforehand, they make rows of this length.
constexpr size_t kRepeatedElements = 2048;

// Whether the elements of a tensor follow each other over and over in an output of `dimensions`.
bool IsRepeatedWhole(const Shape& shape, const Shape& dimensions) {
  size_t first = 0;
  while (first < shape.size() && shape[first] == 1) ++first;
  const size_t rank = shape.size() - first;
  return rank > 0 && rank <= dimensions.size() &&
         std::equal(shape.begin() + first, shape.end(), dimensions.end() - rank);
}

// Calls combine(row, a, b) for rows of the output, with the elements that the row counts in. There
// is room for kRepeatedElements in `repeated`.
template <class Context, class T, class Combine>
void ForBroadcastElements(Context& context, const TensorView<const T>& a,
                          const TensorView<const T>& b, const TensorView<T>& output, T* repeated,
                          Combine combine) {
  const auto is_repeated = [&](const TensorView<const T>& some, const TensorView<const T>& other) {
    return some.size > 1 && some.size <= kRepeatedElements / 2 && other.size == output.size &&
           output.size > kRepeatedElements && IsRepeatedWhole(some.dimensions, output.dimensions);
  };
  const bool is_a_repeated = is_repeated(a, b);
  if (!is_a_repeated && !is_repeated(b, a)) {
    ForRows(context, a.dimensions, b.dimensions, output.dimensions,
            [&](const BroadcastRow& row) { combine(row, a.data, b.data); });
    return;
  }
  const TensorView<const T>& few = is_a_repeated ? a : b;
  const size_t length = kRepeatedElements / few.size * few.size;
  for (size_t i = 0; i < length; i += few.size) {
    std::copy_n(few.data, few.size, repeated + i);
  }
  const size_t rows = (output.size + length - 1) / length;
  context.ParallelFor(rows, kElementsAtATime / kRepeatedElements, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t first = i * length;
      const size_t count = std::min(length, output.size - first);
      if (is_a_repeated) {
        combine({first, count, 0, 1, first, 1}, repeated, b.data);
      } else {
        combine({first, count, first, 1, 0, 1}, a.data, repeated);
      }
    }
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
  float* repeated = context.UninitializedScratch(kRepeatedElements);
  ForBroadcastElements(
      context, a, b, *output, repeated,
      [&](const BroadcastRow& row, const float* from_a, const float* from_b) {
        hot::BestKernels().real_binary({.operation = operation,
                                        .count = row.count,
                                        .a = from_a + row.a,
                                        .a_step = row.a_step,
                                        .b = from_b + row.b,
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
  auto* repeated = context.UninitializedScratch<uint8_t>(kRepeatedElements);
  ForBroadcastElements(context, a, b, *output, repeated,
                       [&](const BroadcastRow& row, const uint8_t* from_a, const uint8_t* from_b) {
                         hot::IntegerBinary binary = whole;
                         binary.count = row.count;
                         binary.a = from_a + row.a;
                         binary.a_step = row.a_step;
                         binary.b = from_b + row.b;
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
