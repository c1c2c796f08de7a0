// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// MAXIMUM and MINIMUM: the greater and the lesser of two broadcast tensors, element by element.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

// The definition of either; `function` is [](const auto& arithmetic, const auto& a, const auto& b).
template <class F>
OperationDefinition Extremum(std::string_view summary, std::string_view source, F) {
  return {
      .summary = summary,
      .description =
          "Dimensions are aligned at the innermost; in each pair both are equal, or one is 1 and "
          "its tensor is repeated along it. Quantized elements are compared as the real numbers "
          "they stand for, and stored in the nearest step of the output. With NaN the result may "
          "be either operand.",
      .signature = {.inputs = {NumberTensor("a").Describe("The first operand."),
                               Tensor("b").TypeLike(0).Describe(
                                   "The second operand; a quantized one may have another scale and "
                                   "zeroPoint than the first.")},
                    .outputs = {Tensor("output").TypeLike(0).Describe(
                        "The result, of the dimensions that both inputs broadcast to; a quantized "
                        "one may have a scale and zeroPoint of its own.")}},
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        return MapBroadcast(arithmetic, context, F{});
      }),
      .choose = ChooseMappedBroadcast<F>,
      .error_bound = "none; quantized elements may be off by one rounding before they are stored",
      .source = source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(MAXIMUM) {
  return Extremum(
      "output = max(a, b), element by element, broadcast", "types.hal 1.2, OperationType::MAXIMUM",
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Max(a, b); });
}

NNCERT_OPERATION_DEFINITION(MINIMUM) {
  return Extremum(
      "output = min(a, b), element by element, broadcast", "types.hal 1.2, OperationType::MINIMUM",
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Min(a, b); });
}

}  // namespace nncert
