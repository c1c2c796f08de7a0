// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// RECURRENCE of com.example.sequences: linear recurrences of the second order.

#include <cmath>
#include <cstring>

#include "drivers/example_extension/sequences.h"
#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"

namespace nncert {
namespace {

enum Slot { kSeeds, kRule, kLength };

constexpr uint32_t kSeedsOfSequence = 2;

RecurrenceRule RuleOf(const OperationContext& context) {
  RecurrenceRule rule;
  std::memcpy(&rule, context.State(kRule).value, sizeof(rule));
  return rule;
}

}  // namespace

NNCERT_EXTENSION_OPERATION_DEFINITION(kSequences, SEQUENCES_RECURRENCE, RECURRENCE) {
  const OperandType fixed = CatalogueOperandType(kSequences, SEQUENCES_TENSOR_FIXED16);
  const OperandType rule = CatalogueOperandType(kSequences, SEQUENCES_RECURRENCE_RULE);
  return {
      .summary =
          "y[0] = seeds[0], y[1] = seeds[1], y[n] = previous * y[n - 1] + earlier * y[n - 2]",
      .description =
          "Each pair of seeds along the last dimension begins a sequence of its own. With the rule "
          "{1, 1} and the seeds 0 and 1 these are the numbers of Fibonacci, with {2, -1} an "
          "arithmetic progression, and with {2 cos a, -1} samples of a sine. In fixed point the "
          "terms are rounded when the sequence is done, not on the way.",
      .signature =
          {.inputs = {Tensor("seeds")
                          .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT32, fixed})
                          .Ranks({1, 2, 3, 4})
                          .Describe("The first two terms of each sequence, along the last "
                                    "dimension."),
                      OperandRule("rule", /*is_tensor=*/false)
                          .Types(HalVersion::V1_2, {rule})
                          .Describe("The weights of the two terms before: a RecurrenceRule."),
                      Int32Scalar("length")
                          .Values(Uniform(1, 32))
                          .Describe("The number of terms of each sequence.")},
           .outputs = {Tensor("sequences")
                           .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT32, fixed})
                           .Ranks({1, 2, 3, 4})
                           .Describe("The terms, along the last dimension; of whichever type, and "
                                     "with fraction bits of its own.")}},
      .constraints = {Constraint("the last dimension of seeds is 2", {.shapes = {kSeeds}},
                                 [](const OperationContext& context) {
                                   const Shape& dimensions = context.Input(kSeeds).dimensions;
                                   return !dimensions.empty() &&
                                          dimensions.back() == kSeedsOfSequence;
                                 }),
                      Constraint("the weights of the rule are finite", {.values = {kRule}},
                                 [](const OperationContext& context) {
                                   const RecurrenceRule weights = RuleOf(context);
                                   return std::isfinite(weights.previous) &&
                                          std::isfinite(weights.earlier);
                                 }),
                      Constraint("length is at least 1", {.values = {kLength}},
                                 [](const OperationContext& context) {
                                   return context.Int32(kLength) >= 1;
                                 })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = context.Input(kSeeds).dimensions;
        outputs[0].back() = static_cast<uint32_t>(context.Int32(kLength));
        return absl::OkStatus();
      },
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            const auto seeds = context.Input(kSeeds);
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            const RecurrenceRule weights = RuleOf(context.operation());
            const auto previous = arithmetic.Constant(weights.previous);
            const auto earlier = arithmetic.Constant(weights.earlier);
            const auto length = static_cast<size_t>(context->Int32(kLength));
            const size_t sequences = seeds.size / kSeedsOfSequence;
            for (size_t i = 0; i < sequences; ++i) {
              auto* terms = output->data + i * length;
              for (size_t n = 0; n < length; ++n) {
                terms[n] = n < kSeedsOfSequence
                               ? seeds[i * kSeedsOfSequence + n]
                               : arithmetic.Add(arithmetic.Multiply(previous, terms[n - 1]),
                                                arithmetic.Multiply(earlier, terms[n - 2]));
              }
            }
            return absl::OkStatus();
          }),
      .choose =
          [](OperandChooser& choose) {
            Shape dimensions = choose.Dimensions(kSeeds);
            dimensions.back() = kSeedsOfSequence;
            choose.SetDimensions(kSeeds, dimensions);
          },
      .error_bound =
          "of two products and a sum for each term, on terms that have the errors of those "
          "before",
      .source = "this definition",
  };
}

}  // namespace nncert
