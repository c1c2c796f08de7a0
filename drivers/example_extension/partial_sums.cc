// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// PARTIAL_SUMS of com.example.sequences: a sequence of the sums of another's first terms.

#include "drivers/example_extension/sequences.h"
#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"

namespace nncert {
namespace {

enum Slot { kTerms, kIsExclusive };

}  // namespace

NNCERT_EXTENSION_OPERATION_DEFINITION(kSequences, SEQUENCES_PARTIAL_SUMS, PARTIAL_SUMS) {
  const OperandType fixed = CatalogueOperandType(kSequences, SEQUENCES_TENSOR_FIXED16);
  return {
      .summary = "y[n] = sum of x[i] over i <= n; over i < n if exclusive",
      .description =
          "The sums run along the last dimension. With exclusive, y[0] is 0. In fixed "
          "point a sum that is too large becomes the largest number there is.",
      .signature =
          {.inputs = {Tensor("terms")
                          .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT32, fixed})
                          .Ranks({1, 2, 3, 4})
                          .Describe("What is summed."),
                      BoolScalar("exclusive")
                          .Trailing()
                          .Describe(
                              "Whether a sum leaves out the term at its own place; false when "
                              "it is not given.")},
           .outputs = {Tensor("sums")
                           .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT32, fixed})
                           .Ranks({1, 2, 3, 4})
                           .Describe("The sums, of the dimensions of terms; of whichever type, and "
                                     "with fraction bits of its own.")}},
      .shape = SameShapeAsFirstInput,
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            const auto terms = context.Input(kTerms);
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            const bool is_exclusive = context->Bool(kIsExclusive);
            const size_t length = terms.dimensions.back();
            for (size_t begin = 0; begin < terms.size; begin += length) {
              typename A::Accumulator sum;
              for (size_t i = begin; i < begin + length; ++i) {
                if (!is_exclusive) sum.Add(terms[i]);
                (*output)[i] =
                    is_exclusive && i == begin ? arithmetic.Constant(0) : arithmetic.Finish(sum);
                if (is_exclusive) sum.Add(terms[i]);
              }
            }
            return absl::OkStatus();
          }),
      .choose =
          [](OperandChooser& choose) {
            ChooseAlike(choose);
            choose.SetOutputRange(0, choose.Range(kTerms).Times(choose.Dimensions(kTerms).back()));
          },
      .error_bound = "of a sum of as many terms, in any order",
      .source = "this definition",
  };
}

}  // namespace nncert
