// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// FULLY_CONNECTED: each output is a weighted sum of all inputs of its row.

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"
#include "reference/ops/ball_products.h"
#include "reference/ops/packed_weights.h"
#include "reference/ops/weights.h"

namespace nncert {
namespace {

enum : int { kInput, kWeights, kBias, kActivation };

template <class A>
absl::Status Connect(const A& arithmetic, KernelContext<A>& context) {
  const auto input = context.Input(kInput);
  const auto weights = context.Input(kWeights);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const size_t batches = output->dimensions[0];
  const size_t units = output->dimensions[1];
  const auto* bias = LoadBias(arithmetic, context, kInput, kWeights, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  arithmetic.MatrixProduct({batches, units, weights.dimensions[1]}, input.data, weights.data,
                           output->data);
  for (size_t batch = 0; batch < batches; ++batch) {
    auto* row = output->data + batch * units;
    AddBiasAndActivate(arithmetic, activation, units, weights.dimensions[1], row, bias, row, 1);
  }
  return absl::OkStatus();
}

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
void MultiplyByWeights(KernelContext<RealArithmetic<T>>& context, const MatMulSizes& sizes,
                       const T* left, T* result) {
  if constexpr (std::is_same_v<T, double>) {
    if (const float* weights = context.Floats(kWeights)) {
      return MatMul(sizes, left, weights, result);
    }
  }
  MatMul(sizes, left, context.Input(kWeights).data, result);
}

// Connect on numbers of type T, float or double, by the hot kernels.
template <class T>
absl::Status ConnectReals(KernelContext<RealArithmetic<T>>& context) {
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const size_t batches = output->dimensions[0];
  const size_t units = output->dimensions[1];
  const size_t depth = context->Input(kWeights).dimensions[1];
  const T* bias = LoadBias(RealArithmetic<T>(), context, kInput, kWeights, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const ActivationLimits limits = LimitsOf(activation);
  if (batches <= kFewBatches) {
    MultiplyByWeights(context, {batches, units, depth}, input.data, output->data);
    for (size_t batch = 0; batch < batches; ++batch) {
      T* row = output->data + batch * units;
      AddBiasAndActivate(RealArithmetic<T>(), activation, units, depth, row, bias, row, 1);
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

// Connect on balls by the hot kernels. Unless there are few batches, declines inputs that are not
// finite or of extreme sizes, and weights that are not exact.
absl::Status ConnectBalls(const BallArithmetic& arithmetic,
                          KernelContext<BallArithmetic>& context) {
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

// Connect on the elements of quantized operands: sums are exact, and the output is rounded once.
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

NNCERT_OPERATION_DEFINITION(FULLY_CONNECTED) {
  return {
      .summary = "output[b, u] = activation(bias[u] + sum_k weights[u, k] * input[b, k])",
      .description =
          "The input is read as [batches, inputSize], whatever its rank: its elements in order, "
          "inputSize of them, the second dimension of the weights, for each batch.",
      .signature =
          {.inputs = {FeatureTensor("input").Ranks({2, 3, 4}).Describe(
                          "The input, of batches * inputSize elements."),
                      Tensor("weights")
                          .TypeLike(kInput)
                          .Ranks({2})
                          .Values(Uniform(-1, 1))
                          .Describe("[units, inputSize]; a quantized one may have another scale "
                                    "and zeroPoint than the input."),
                      BiasTensor(kInput, kWeights), ActivationScalar()},
           .outputs = {Tensor("output").TypeLike(kInput).Ranks({2}).Describe("[batches, units].")}},
      .constraints = {{"C1",
                       "units and inputSize are above 0",
                       {kWeights},
                       {},
                       [](const OperationContext& context) {
                         return NumberOfElements(context.Input(kWeights).dimensions) > 0;
                       }},
                      {"C2",
                       "the number of input elements is a multiple of inputSize, and below HAL "
                       "1.2 above 0",
                       {kInput, kWeights},
                       {},
                       [](const OperationContext& context) {
                         const uint64_t count = NumberOfElements(context.Input(kInput).dimensions);
                         const uint64_t size = context.Input(kWeights).dimensions[1];
                         return (size == 0 || count % size == 0) &&
                                (count > 0 || context.version() >= HalVersion::V1_2);
                       }},
                      {"C3",
                       "the bias has one element for each unit",
                       {kWeights, kBias},
                       {},
                       [](const OperationContext& context) {
                         return context.Input(kBias).dimensions[0] ==
                                context.Input(kWeights).dimensions[0];
                       }},
                      OutputScaleConstraint<kInput, kWeights>("C4"),
                      ActivationConstraint<kActivation>("C5")},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const Shape& weights = context.Input(kWeights).dimensions;
        const uint64_t batches = NumberOfElements(context.Input(kInput).dimensions) / weights[1];
        if (batches > std::numeric_limits<uint32_t>::max()) {
          return context.Error(absl::StrCat("the output would have ", batches,
                                            " batches; expected ", "at most ",
                                            std::numeric_limits<uint32_t>::max()));
        }
        outputs[0] = {static_cast<uint32_t>(batches), weights[0]};
        return absl::OkStatus();
      },
      .steps =
          [](const OperationContext& context) {
            return ElementCount(context.Input(kInput)) * context.Input(kWeights).dimensions[0];
          },
      .kernel = Compute(
          []<class A>(const A& arithmetic, KernelContext<A>& context) {
            if constexpr (std::is_same_v<A, BallArithmetic>) {
              const absl::Status status = ConnectBalls(arithmetic, context);
              return IsDeclined(status) ? Connect(arithmetic, context) : status;
            } else {
              return ConnectReals(context);
            }
          },
          ConnectIntegers),
      .error_bound = "of a sum of inputSize products in any order, and of the addition of the bias",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.0 and 1.2, OperationType::FULLY_CONNECTED",
  };
}

}  // namespace nncert
