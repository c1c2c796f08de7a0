// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// PRELU: a rectifier that multiplies negative elements by another tensor's.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

enum : int { kInput, kAlpha };

struct Rectify {
  template <class A>
  typename A::Number operator()(const A& arithmetic, const typename A::Number& x,
                                const typename A::Number& alpha) const {
    const auto zero = arithmetic.Constant(0);
    const Truth is_negative = arithmetic.Less(x, zero);
    if (is_negative != Truth::kUndecided) {
      return arithmetic.Select(is_negative, arithmetic.Multiply(x, alpha), x);
    }
    // Each side of zero by itself is tighter than both definitions on all that x may be.
    return arithmetic.Select(is_negative, arithmetic.Multiply(arithmetic.Min(x, zero), alpha),
                             arithmetic.Max(x, zero));
  }
};

}  // namespace

NNCERT_OPERATION_DEFINITION(PRELU) {
  return {
      .summary = "output = input < 0 ? alpha * input : input, element by element, broadcast",
      .description =
          "The parametric rectified linear unit. Dimensions are aligned at the innermost; in each "
          "pair both are equal, or one is 1 and its tensor is repeated along it. Quantized "
          "elements stand for real numbers, whatever the scales of the three tensors.",
      .signature = {.inputs = {FloatOrQuantizedTensor("input").Describe("The argument."),
                               Tensor("alpha").TypeLike(kInput).Describe(
                                   "The factor for negative elements; a quantized one may have "
                                   "another scale and zeroPoint than the input.")},
                    .outputs = {Tensor("output").TypeLike(kInput).Describe(
                        "The result, of the dimensions that both inputs broadcast to; a quantized "
                        "one may have a scale and zeroPoint of its own.")}},
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        return MapBroadcast(arithmetic, context, Rectify());
      }),
      .choose = ChooseMappedBroadcast<Rectify>,
      .error_bound = "one rounding of a negative element's product",
      .source = "types.hal 1.2, OperationType::PRELU",
  };
}

}  // namespace nncert
