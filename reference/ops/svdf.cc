// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SVDF: a densely connected layer over the last frames of a sequence, whose weights are of low
// rank.

#include <algorithm>
#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"
#include "reference/ops/common/recurrent.h"

namespace nncert {
namespace {

enum : int { kInput, kWeightsFeature, kWeightsTime, kBias, kStateIn, kRank, kActivation };
enum : int { kStateOut, kOutput };

// Sizes by which the operands are tied. Only to be asked for when the dimensions are known.
uint32_t NumFilters(const OperationContext& context) {
  return context.Input(kWeightsFeature).dimensions[0];
}
uint32_t MemorySize(const OperationContext& context) {
  return context.Input(kWeightsTime).dimensions[1];
}

template <class A>
absl::Status Filter(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const auto input = context.Input(kInput);
  const auto weights_time = context.Input(kWeightsTime);
  const auto state_in = context.Input(kStateIn);
  auto state_out = context.Output(kStateOut);
  if (!state_out.ok()) return state_out.status();
  auto output = context.Output(kOutput);
  if (!output.ok()) return output.status();
  const Number* bias = context->Has(kBias) ? context.Input(kBias).data : nullptr;
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);

  const size_t batches = input.dimensions[0];
  const size_t filters = NumFilters(context.operation());
  const size_t memory = MemorySize(context.operation());
  const size_t rank = static_cast<size_t>(context->Int32(kRank));
  const size_t units = filters / rank;
  // What is kept of a filter: all of the memory but the newest entry, and in the wider of the two
  // layouts one number more.
  const size_t kept = state_in.dimensions[1] / filters;

  Number* newest = context.Scratch(batches * filters);
  arithmetic.MatrixProduct({batches, filters, input.dimensions[1]}, input.data,
                           context.Input(kWeightsFeature).data, newest);
  for (size_t batch = 0; batch < batches; ++batch) {
    for (size_t unit = 0; unit < units; ++unit) {
      typename A::Accumulator sum;
      for (size_t filter = unit * rank; filter < (unit + 1) * rank; ++filter) {
        const Number* weights = weights_time.data + filter * memory;
        const Number* old = state_in.data + (batch * filters + filter) * kept;
        const Number& added = newest[batch * filters + filter];
        for (size_t i = 0; i + 1 < memory; ++i) sum.MultiplyAdd(weights[i], old[i]);
        sum.MultiplyAdd(weights[memory - 1], added);
        // The oldest entry drops out.
        Number* pushed = state_out->data + (batch * filters + filter) * kept;
        if (memory > 1) {
          std::copy_n(old + 1, memory - 2, pushed);
          pushed[memory - 2] = added;
        }
        if (kept == memory) pushed[memory - 1] = arithmetic.Constant(0);
      }
      Number& element = (*output)[batch * units + unit];
      element = arithmetic.Finish(sum);
      if (bias != nullptr) element = arithmetic.AddToSum(element, bias[unit], rank * memory);
      element = Activate(arithmetic, activation, element);
    }
  }
  return absl::OkStatus();
}

std::vector<Constraint> Constraints() {
  return {
      Constraint("rank is above 0 and divides the number of filters, the first dimension of "
                 "weights_feature",
                 {.shapes = {kWeightsFeature}, .values = {kRank}},
                 [](const OperationContext& context) {
                   const int32_t rank = context.Int32(kRank);
                   return rank > 0 && NumFilters(context) % static_cast<uint32_t>(rank) == 0;
                 }),
      Constraint("weights_feature are of dimensions [num_filters, input_size]",
                 {.shapes = {kInput, kWeightsFeature}},
                 [](const OperationContext& context) {
                   return context.Input(kWeightsFeature).dimensions[1] ==
                          context.Input(kInput).dimensions[1];
                 }),
      Constraint("weights_time are of dimensions [num_filters, memory_size]",
                 {.shapes = {kWeightsFeature, kWeightsTime}},
                 [](const OperationContext& context) {
                   return context.Input(kWeightsTime).dimensions[0] == NumFilters(context);
                 }),
      Constraint("the bias is of dimensions [num_filters / rank]",
                 {.shapes = {kWeightsFeature, kBias}, .values = {kRank}},
                 [](const OperationContext& context) {
                   // Without a rank above 0 there is no such number, and C1 says so.
                   const int32_t rank = context.Int32(kRank);
                   return rank <= 0 ||
                          HaveDimensions(context, {kBias},
                                         {NumFilters(context) / static_cast<uint32_t>(rank)});
                 }),
      Constraint("state_in is of dimensions [batch_size, memory_size * num_filters] or "
                 "[batch_size, (memory_size - 1) * num_filters]",
                 {.shapes = {kInput, kWeightsFeature, kWeightsTime, kStateIn}},
                 [](const OperationContext& context) {
                   const Shape& state = context.Input(kStateIn).dimensions;
                   const uint64_t filters = NumFilters(context);
                   const uint64_t memory = MemorySize(context);
                   return state[0] == context.Input(kInput).dimensions[0] &&
                          (state[1] == memory * filters || state[1] == (memory - 1) * filters);
                 }),
      ActivationConstraint<kActivation>(),
  };
}

void ChooseOperands(OperandChooser& choose) {
  constexpr uint32_t kGreatestRank = 3;
  SequenceSizes frame;
  uint32_t filters = 0;
  uint32_t units = 0;
  uint32_t memory = 0;
  uint32_t state = 0;
  const std::vector<SharedSizes> operands = {{kInput, {&frame.batches, &frame.input_size}},
                                             {kWeightsFeature, {&filters, &frame.input_size}},
                                             {kWeightsTime, {&filters, &memory}},
                                             {kBias, {&units}},
                                             {kStateIn, {&frame.batches, &state}}};
  TakeGivenSizes(choose, operands);
  frame.Choose(choose);
  // The entries of a filter in the state, which are those of the memory or one less.
  uint32_t kept = 0;
  if (state != 0) {
    kept = choose.DivisorOf(state);
    filters = state / kept;
    memory = kept + static_cast<uint32_t>(choose.Between(0, 1));
  } else {
    if (memory == 0) memory = choose.Size();
    kept = memory > 1 && choose.OneIn(2) ? memory - 1 : memory;
  }
  if (filters != 0) {
    units = filters / choose.DivisorOf(filters);
  } else {
    if (units == 0) ChooseUnits(choose, frame.input_size, units);
    filters = units * static_cast<uint32_t>(choose.Between(1, kGreatestRank));
  }
  state = filters * kept;
  SetSharedSizes(choose, operands);
  const uint32_t rank = filters / units;
  choose.SetInt32(kRank, rank);

  const ChosenActivation activation = ChooseActivationOfSums(choose, kActivation);
  const double beyond_feature =
      SetWeightRange(choose, kWeightsFeature, 2, frame.input_size, choose.Range(kInput));
  const double beyond_time =
      SetWeightRange(choose, kWeightsTime, activation.reach, rank * memory, choose.Range(kStateIn));
  const double remembered = std::max(choose.Range(kStateIn).Magnitude(), 2.0 * beyond_feature);
  choose.SetOutputRange(kStateOut, {-remembered, remembered});
  choose.SetOutputRange(kOutput, activation.range.Times(beyond_feature * beyond_time));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(SVDF) {
  return {
      .summary =
          "memory = push(weights_feature input); output[u] = activation(bias[u] + sum of "
          "weights_time * memory over the rank filters of unit u)",
      .description =
          "A filter of the input gives one number for each frame, and the last memory_size of them "
          "are its memory, the newest at the end. The memory is weighted by weights_time and added "
          "up; the sums of rank filters in a row make one unit. The state holds the memory without "
          "the newest entry, filter after filter. It is laid out in memory_size - 1 entries for "
          "each filter, as types.hal says, or in memory_size of them, as in Android's "
          "implementation and specs: the last one is then not looked at, and is 0 afterwards.",
      .signature =
          {.inputs =
               {RecurrentInput(2, "A frame: [batch_size, input_size]."),
                MatrixOperand("weights_feature",
                              "The filters of the input, those of a unit in a row: [num_filters, "
                              "input_size]. num_filters is num_units * rank."),
                MatrixOperand(
                    "weights_time",
                    "The weights of the memory, oldest entry first: [num_filters, memory_size]."),
                VectorOperand("bias", "[num_units].").Omittable(),
                MatrixOperand("state_in",
                              "The memory before the frame: [batch_size, memory_size * "
                              "num_filters], or memory_size - 1 in place of memory_size."),
                Int32Scalar("rank").Values(Uniform(1, 3)).Describe("How many filters make a unit."),
                ActivationScalar().Omittable()},
           .outputs = {MatrixOperand("state_out", "The memory after the frame: as state_in."),
                       MatrixOperand("output", "[batch_size, num_units].")}},
      .constraints = Constraints(),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[kStateOut] = context.Input(kStateIn).dimensions;
        outputs[kOutput] = {context.Input(kInput).dimensions[0],
                            NumFilters(context) / static_cast<uint32_t>(context.Int32(kRank))};
        return absl::OkStatus();
      },
      .steps = RecurrentSteps,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Filter(arithmetic, context);
      }),
      .choose = ChooseOperands,
      .error_bound =
          "of a sum of input_size products for each filter, and of one of rank * memory_size "
          "products and the bias, each in any order",
      .source =
          "types.hal 1.0 and 1.2, OperationType::SVDF; the order of the memory and the wider state "
          "are those of Android's implementation",
  };
}

}  // namespace nncert
