// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// FULLY_CONNECTED: each output is a weighted sum of all inputs of its row.

#include "reference/ops/fully_connected.h"

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum fully_connected::Slot;

template <class A>
absl::Status Connect(const A& arithmetic, KernelContext<A>& context) {
  const auto input = context.Input(kInput);
  const auto weights = context.Input(kWeights);
  const auto* bias = LoadBias(arithmetic, context, kInput, kWeights, kBias);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const size_t units = weights.dimensions[0];
  const size_t depth = weights.dimensions[1];
  for (size_t i = 0; i < output->size; ++i) {
    const size_t batch = i / units;
    const size_t unit = i % units;
    typename A::Accumulator sum;
    for (size_t k = 0; k < depth; ++k) {
      sum.MultiplyAdd(weights[unit * depth + k], input[batch * depth + k]);
    }
    const auto total = arithmetic.AddToSum(arithmetic.Finish(sum), bias[unit], depth);
    (*output)[i] = Activate(arithmetic, activation, total);
  }
  return absl::OkStatus();
}

void ChooseConnections(OperandChooser& choose) {
  if (choose.IsGiven(kWeights)) {
    const uint32_t depth = choose.Dimensions(kWeights)[1];
    const uint32_t elements = depth * choose.Size(MostTimes(choose, depth));
    const size_t rank = choose.random().Below(3) + 2;
    choose.SetDimensions(kInput, DimensionsOfElements(choose, elements, rank));
  } else {
    const Shape& input = choose.Dimensions(kInput);
    const auto elements = static_cast<uint32_t>(NumberOfElements(input));
    // Rows are those of the last dimension, or any others.
    const uint32_t depth = choose.OneIn(2) ? input.back() : elements / choose.DivisorOf(elements);
    const uint32_t units = choose.IsGiven(kBias)
                               ? choose.Dimensions(kBias)[0]
                               : choose.Size(std::max(MostTimes(choose, depth), 4U));
    choose.SetDimensions(kWeights, {units, depth});
  }
  const Shape& weights = choose.Dimensions(kWeights);
  choose.SetDimensions(kBias, {weights[0]});
  SetRangeOfProducts(choose, kInput, kWeights, kBias, kActivation, weights[1]);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(FULLY_CONNECTED) {
  return {
      .summary = "output[b, u] = activation(bias[u] + sum_k weights[u, k] * input[b, k])",
      .description =
          "The input is read as [batches, inputSize], whatever its rank: its elements in order, "
          "inputSize of them, the second dimension of the weights, for each batch.",
      .signature = {.inputs = {FloatOrQuantizedTensor("input").Ranks({2, 3, 4}).Describe(
                                   "The input, of batches * inputSize elements."),
                               Tensor("weights")
                                   .TypeLike(kInput)
                                   .Ranks({2})
                                   .Values(Uniform(-1, 1))
                                   .Describe("[units, inputSize]; a quantized one may have another "
                                             "scale and zeroPoint than the input."),
                               BiasTensor(kInput, kWeights), ActivationScalar()},
                    .outputs = {Tensor("output").TypeLike(kInput).Ranks({2}).Describe(
                        "[batches, units].")}},
      .constraints =
          {Constraint("units and inputSize are above 0", {.shapes = {kWeights}},
                      [](const OperationContext& context) {
                        return NumberOfElements(context.Input(kWeights).dimensions) > 0;
                      }),
           Constraint(
               "the number of input elements is a multiple of inputSize, and below HAL 1.2 above 0",
               {.shapes = {kInput, kWeights}},
               [](const OperationContext& context) {
                 const uint64_t count = NumberOfElements(context.Input(kInput).dimensions);
                 const uint64_t size = context.Input(kWeights).dimensions[1];
                 return (size == 0 || count % size == 0) &&
                        (count > 0 || context.version() >= HalVersion::V1_2);
               }),
           BiasSizeConstraint<kWeights, kBias, 0>("the bias has one element for each unit"),
           OutputScaleConstraint<kInput, kWeights>(), ActivationConstraint<kActivation>()},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const Shape& weights = context.Input(kWeights).dimensions;
        const uint64_t batches = NumberOfElements(context.Input(kInput).dimensions) / weights[1];
        return SetComputedShape(context, {batches, weights[0]}, outputs[0]);
      },
      .steps =
          [](const OperationContext& context) {
            return ElementCount(context.Input(kInput)) * context.Input(kWeights).dimensions[0];
          },
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return Connect(arithmetic, context); }),
      .choose = ChooseConnections,
      .error_bound = "of a sum of inputSize products in any order, and of the addition of the bias",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.0 and 1.2, OperationType::FULLY_CONNECTED",
  };
}

}  // namespace nncert
