// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// LOGICAL_AND and LOGICAL_OR of two broadcast tensors of booleans. (LOGICAL_NOT is in unary.cc.)

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

// The definition of either; `function` is [](const auto& arithmetic, const auto& a, const auto& b)
// on zeros and ones.
template <class F>
OperationDefinition Connective(std::string_view summary, std::string_view source, F) {
  return {
      .summary = summary,
      .description =
          "Dimensions are aligned at the innermost; in each pair both are equal, or one is 1 and "
          "its tensor is repeated along it. Every byte but zero is true.",
      .signature =
          {.inputs =
               {Tensor("a")
                    .Types({OperandType::TENSOR_BOOL8})
                    .Values(Uniform(0, 1))
                    .Describe("The first operand."),
                Tensor("b").TypeLike(0).Values(Uniform(0, 1)).Describe("The second operand.")},
           .outputs = {Tensor("output").TypeLike(0).Describe(
               "The answers, of the dimensions that both inputs broadcast to.")}},
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        return MapBroadcast(arithmetic, context, F{});
      }),
      .choose = ChooseBroadcast,
      .error_bound = "none",
      .source = source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(LOGICAL_AND) {
  return Connective(
      "output = a and b, element by element, broadcast",
      "types.hal 1.2, OperationType::LOGICAL_AND",
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Min(a, b); });
}

NNCERT_OPERATION_DEFINITION(LOGICAL_OR) {
  return Connective(
      "output = a or b, element by element, broadcast", "types.hal 1.2, OperationType::LOGICAL_OR",
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Max(a, b); });
}

}  // namespace nncert
