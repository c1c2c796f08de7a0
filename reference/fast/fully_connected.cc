// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// FULLY_CONNECTED by the hot kernels: on real numbers, on balls and on the integers of quantized
// operands.

#include "reference/ops/fully_connected.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/fast/ball_products.h"
#include "reference/fast/matmul.h"
#include "reference/fast/packed_weights.h"
#include "reference/fast_kernel.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum fully_connected::Slot;

// Runs work(first, count) for all batches, some at a time: few enough for their inputs to stay in a
// cache, for each time all weights are read.
template <class Context, class Work>
void ForBatches(Context& context, size_t batches, size_t depth, Work work) {
  constexpr size_t kNumbers = size_t{1} << 16;
  context.ParallelFor(batches, std::clamp<size_t>(kNumbers / depth, 32, 1024),
                      [&](size_t begin, size_t end) { work(begin, end - begin); });
}

// Batches from which on it pays to pack the weights.
constexpr size_t kFewBatches = 4;

// result = left * transpose(weights), of few batches. The weights are read but once, so those of
// doubles are read as the floats that they come from, where they still are.
template <class T>
void MultiplyByWeights(FastContext<RealArithmetic<T>>& context, const MatrixProductSizes& sizes,
                       const T* left, T* result) {
  if constexpr (std::is_same_v<T, double>) {
    if (const float* weights = context.Floats(kWeights)) {
      return MatMul(sizes, left, weights, result);
    }
  }
  MatMul(sizes, left, context.Input(kWeights).data, result);
}

// On numbers of type T, float or double, by the hot kernels.
template <class T>
absl::Status ConnectReals(const RealArithmetic<T>& arithmetic,
                          FastContext<RealArithmetic<T>>& context) {
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const size_t batches = output->dimensions[0];
  const size_t units = output->dimensions[1];
  const size_t depth = context->Input(kWeights).dimensions[1];
  const T* bias = LoadBias(arithmetic, context, kInput, kWeights, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const ActivationLimits limits = LimitsOf(activation);
  if (batches <= kFewBatches) {
    MultiplyByWeights(context, {batches, units, depth}, input.data, output->data);
    for (size_t batch = 0; batch < batches; ++batch) {
      T* row = output->data + batch * units;
      AddBiasAndActivate(arithmetic, activation, units, depth, row, bias, row, 1);
    }
    return absl::OkStatus();
  }
  const auto& packed = context.template FromConstants<PackedReals<T>>(
      {kWeights}, [&]() { return PackedReals<T>(units, depth, context.Input(kWeights).data); });
  hot::RealProduct<T> whole;
  whole.columns = units;
  whole.depth = depth;
  whole.packed = packed.numbers();
  whole.bias = bias;
  whole.lowest = static_cast<T>(limits.lowest);
  whole.highest = static_cast<T>(limits.highest);
  whole.stride = units;
  ForBatches(context, batches, depth, [&](size_t first, size_t count) {
    hot::RealProduct<T> product = whole;
    std::vector<const T*> rows(count);
    for (size_t i = 0; i < count; ++i) rows[i] = input.data + (first + i) * depth;
    product.rows = count;
    product.left = rows.data();
    product.result = output->data + first * units;
    HotKernels<T>().multiply(product);
  });
  return absl::OkStatus();
}

// On balls by the hot kernels. Unless there are few batches, declines inputs that are not
// finite or of extreme sizes, and weights that are not exact.
absl::Status ConnectBalls(const BallArithmetic& arithmetic, FastContext<BallArithmetic>& context) {
  const auto input = context.Input(kInput);
  const Shape& weights = context->Input(kWeights).dimensions;
  const size_t units = weights[0];
  const size_t depth = weights[1];
  const Ball* bias = LoadBias(arithmetic, context, kInput, kWeights, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const size_t batches = context->Output(0).dimensions[0];
  const float* floats = batches <= kFewBatches ? context.Floats(kWeights) : nullptr;
  if (floats != nullptr) {
    auto output = context.Output(0);
    if (!output.ok()) return output.status();
    MatMul({batches, units, depth}, arithmetic.precision(), input.data, floats, output->data);
    // The definition may know more of what is not finite.
    if (!std::all_of(output->data, output->data + output->size,
                     [](const Ball& ball) { return ball.IsBounded(); })) {
      return Declined();
    }
    for (size_t batch = 0; batch < batches; ++batch) {
      Ball* row = output->data + batch * units;
      AddBiasAndActivate(arithmetic, activation, units, depth, row, bias, row, 1);
    }
    return absl::OkStatus();
  }
  const auto& packed = context.FromConstants<PackedBalls>(
      {kWeights}, [&]() { return PackedBalls(units, depth, context.Input(kWeights).data); });
  if (!packed.is_fast) return Declined();
  hot::BallSums whole;
  if (!PrepareBallSums(arithmetic.precision(), activation, units, depth, bias, whole)) {
    return Declined();
  }
  const BallParts parts(input.size, input.data, /*needs_exact=*/false);
  if (!parts.is_fast) return Declined();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  ForBatches(context, output->dimensions[0], depth, [&](size_t first, size_t count) {
    std::vector<size_t> rows(count);
    for (size_t i = 0; i < count; ++i) rows[i] = (first + i) * depth;
    hot::BallSums sums = whole;
    sums.result = reinterpret_cast<double*>(output->data + first * units);
    MultiplyBalls(parts, packed, {count, 1, depth, rows.data()}, sums);
  });
  return absl::OkStatus();
}

// What is made of quantized weights.
struct IntegerWeights {
  PackedIntegers packed;
  OutputRequantization requantization;
};

// On the elements of quantized operands, of which it declines those of other types than
// TENSOR_QUANT8_ASYMM and rows of more than hot::kLargestIntegerDepth: sums are exact, and the
// output is rounded once.
absl::Status ConnectIntegers(IntegerContext& context) {
  const OperandInfo& input_info = context->Input(kInput);
  const OperandInfo& info = context->Input(kWeights);
  if (input_info.type != OperandType::TENSOR_QUANT8_ASYMM) return Declined();
  const size_t depth = info.dimensions[1];
  if (depth > hot::kLargestIntegerDepth) return Declined();
  const auto input = context.Input<uint8_t>(kInput);
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const size_t batches = output->dimensions[0];
  const size_t units = output->dimensions[1];
  const auto& weights = context.FromConstants<IntegerWeights>(
      {kWeights, kBias, kActivation}, [&]() -> IntegerWeights {
        std::vector<double> sums(units);
        PackedIntegers packed(
            info, units, 1, depth, context.Input<uint8_t>(kWeights).data,
            [&](size_t first, size_t last) {
              context.LetGo(kWeights, first * depth, last * depth);
            },
            sums.data());
        OutputRequantization requantization(input_info, info, context->Output(0),
                                            ActivationOf(context.operation(), kActivation), units,
                                            depth, sums.data(), context.Input<int32_t>(kBias).data);
        context.LetGo(kBias, 0, units);
        return {std::move(packed), std::move(requantization)};
      });
  const hot::IntegerProducts& kernels = hot::BestKernels().integers;
  const size_t stored_size = kernels.PaddedDepth(depth) * kernels.left_size;
  auto* stored = context.UninitializedScratch<std::byte>(batches * stored_size);
  kernels.store_left(batches, depth, input.data, stored);
  hot::IntegerProduct whole;
  whole.columns = units;
  whole.depth = depth;
  whole.packed = weights.packed.bytes.data();
  whole.right_offset = weights.packed.right_offset;
  whole.requantization = weights.requantization.Get();
  whole.stride = units;
  ForBatches(context, batches, depth, [&](size_t first, size_t count) {
    hot::IntegerProduct product = whole;
    std::vector<const void*> rows(count);
    for (size_t i = 0; i < count; ++i) rows[i] = stored + (first + i) * stored_size;
    product.rows = count;
    product.left = rows.data();
    product.result = output->data + first * units;
    kernels.multiply(product);
  });
  return absl::OkStatus();
}

}  // namespace

NNCERT_FAST_KERNEL(FULLY_CONNECTED, {.with_float = ConnectReals<float>,
                                     .with_double = ConnectReals<double>,
                                     .with_ball = ConnectBalls,
                                     .with_integers = ConnectIntegers});

}  // namespace nncert
