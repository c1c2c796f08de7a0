// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// POW: one tensor to the power of another, element by element.

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

constexpr int kBase = 0;
constexpr int kExponent = 1;

struct Raise {
  template <class A>
  typename A::Number operator()(const A& arithmetic, const typename A::Number& base,
                                const typename A::Number& exponent) const {
    return arithmetic.Power(base, exponent);
  }
};

// Exponents that bases of either sign have powers with.
constexpr int64_t kLeastInteger = 1;
constexpr int64_t kGreatestInteger = 3;

// The elements that such bases are in.
constexpr ValueRange kEitherSign = {-4, 4};

// One time in three, integers for exponents and bases of both signs: what is no exp(y * log(x)). A
// base that was there before is in its range roughly alone, and its powers would be anywhere.
void ChooseBaseAndExponent(OperandChooser& choose) {
  if (choose.IsGiven(kBase) || choose.IsGiven(kExponent) || !choose.OneIn(3)) {
    return ChooseMappedBroadcast<Raise>(choose);
  }
  ChooseBroadcast(choose);
  std::vector<double> exponents(NumberOfElements(choose.Dimensions(kExponent)));
  for (double& exponent : exponents) {
    exponent = static_cast<double>(choose.Between(kLeastInteger, kGreatestInteger));
  }
  choose.SetValues(kExponent, std::move(exponents));
  choose.SetRange(kBase, kEitherSign);
  const double most = std::pow(choose.SettledRange(kBase).Magnitude(), kGreatestInteger);
  choose.SetOutputRange(0, {-most, most});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(POW) {
  return {
      .summary = "output = base ^ exponent, element by element, broadcast",
      .description =
          "Dimensions are aligned at the innermost; in each pair both are equal, or one is 1 and "
          "its tensor is repeated along it. A negative base has powers with integer exponents, and "
          "NaN otherwise; zero has powers with positive exponents.",
      .signature = {.inputs = {FloatTensor("base")
                                   .Values(LogUniform(0.1, 4))
                                   .Describe("What is raised to a power."),
                               Tensor("exponent")
                                   .TypeLike(0)
                                   .Values(Uniform(-3, 3))
                                   .Describe("The power to raise it to.")},
                    .outputs = {Tensor("output").TypeLike(0).Describe(
                        "The result, of the dimensions that both inputs broadcast to.")}},
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        return MapBroadcast(arithmetic, context, Raise());
      }),
      .choose = ChooseBaseAndExponent,
      .error_bound =
          "that of exp(exponent * log(base)): 5 units in the last place of the exponential and of "
          "the logarithm, and one rounding of the product",
      .source = "types.hal 1.2, OperationType::POW",
  };
}

}  // namespace nncert
