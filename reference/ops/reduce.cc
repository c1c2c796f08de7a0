// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The REDUCE operations: a table, an entry an operation.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/product.h"
#include "reference/ops/common/reduction.h"

namespace nncert {
namespace {

// What tells one reduction from another, but for its function.
struct ReduceOperation {
  std::string_view summary;
  std::string_view result;
  std::vector<OperandType> types;
  ValueHint values;
  ChoiceFunction choose;
  std::string_view error_bound;
  std::string_view source;
};

// The definition of a reduction; the function is [](const auto& arithmetic, const auto* elements,
// absl::Span<const size_t> members): what elements[member] come to, for one member or more. Those
// of quantized tensors are their integers.
template <class F>
OperationDefinition Reduce(const ReduceOperation& operation, F) {
  return {
      .summary = operation.summary,
      .description =
          "An axis that is named twice, or by a negative and a positive number, is reduced over "
          "once; without axes the output is the input. If every axis is reduced over and keepDims "
          "is false, the output has the dimensions [1].",
      .signature = {.inputs = {Tensor("input")
                                   .Types(operation.types)
                                   .Ranks({1, 2, 3, 4})
                                   .Values(operation.values)
                                   .Describe("The elements."),
                               ReductionAxes(),
                               BoolScalar("keepDims")
                                   .Describe(
                                       "If true, the axes stay, with dimension 1; else they go.")},
                    .outputs = {Tensor("output")
                                    .TypeLike(kReductionInput)
                                    .Ranks({1, 2, 3, 4})
                                    .QuantizedLike(kReductionInput)
                                    .Describe(operation.result)}},
      .constraints = {ReductionAxesConstraint()},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = ReducedShape(context, context.Bool(kReductionKeepDims));
        return absl::OkStatus();
      },
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            const auto input = context.IntegerInput(kReductionInput);
            auto output = context.Output(0, context->Output(0).dimensions, LoadAs::kInteger);
            if (!output.ok()) return output.status();
            const auto [groups, members] =
                ReductionGroupsOf(input.dimensions, ReducedAxes(context.operation()));
            for (size_t i = 0; i < groups.size(); ++i) {
              (*output)[i] = F{}(arithmetic, input.data + groups[i], absl::MakeConstSpan(members));
            }
            return absl::OkStatus();
          }),
      .choose = operation.choose,
      .error_bound = operation.error_bound,
      .source = operation.source,
  };
}

// The elements at `members`, folded by `combine`, which is associative and rounds nothing.
template <class Number, class F>
Number Fold(const Number* elements, absl::Span<const size_t> members, F combine) {
  Number folded = elements[members[0]];
  for (const size_t member : members.subspan(1)) folded = combine(folded, elements[member]);
  return folded;
}

constexpr auto kGreatest = [](const auto& arithmetic, const auto* elements,
                              absl::Span<const size_t> members) {
  return Fold(elements, members,
              [&](const auto& x, const auto& y) { return arithmetic.Max(x, y); });
};

constexpr auto kLeast = [](const auto& arithmetic, const auto* elements,
                           absl::Span<const size_t> members) {
  return Fold(elements, members,
              [&](const auto& x, const auto& y) { return arithmetic.Min(x, y); });
};

// The recipe of a reduction to one of the elements.
void ChooseElement(OperandChooser& choose) { ChooseReduction(choose); }

void ChooseSum(OperandChooser& choose) {
  const uint64_t terms = ChooseReduction(choose);
  choose.SetOutputRange(0, RangeOfSum(choose.SettledRange(kReductionInput), terms));
}

void ChooseProduct(OperandChooser& choose) {
  const auto factors = static_cast<double>(ChooseReduction(choose));
  // Of many factors only such near to 1 make a product that is neither zero nor infinite.
  if (factors > 16) {
    const double spread = 2 / std::sqrt(factors);
    choose.SetRange(kReductionInput, {1 - spread, 1 + spread});
  }
  // Three times the root of the mean square, which is the product of those of the factors.
  const ValueRange range = choose.SettledRange(kReductionInput);
  const double square =
      (range.lowest * range.lowest + range.lowest * range.highest + range.highest * range.highest) /
      3;
  const double most =
      std::min(3 * std::pow(square, factors / 2), std::pow(range.Magnitude(), factors));
  choose.SetOutputRange(0, {range.lowest < 0 ? -most : 0, most});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(REDUCE_ALL) {
  return Reduce(
      {
          .summary = "output = whether every input element along axes is true",
          .result = "The conjunctions.",
          .types = {OperandType::TENSOR_BOOL8},
          .values = Uniform(0, 1),
          .choose = ChooseElement,
          .error_bound = "none",
          .source = "types.hal 1.2, OperationType::REDUCE_ALL",
      },
      kLeast);
}

NNCERT_OPERATION_DEFINITION(REDUCE_ANY) {
  return Reduce(
      {
          .summary = "output = whether some input element along axes is true",
          .result = "The disjunctions.",
          .types = {OperandType::TENSOR_BOOL8},
          .values = Uniform(0, 1),
          .choose = ChooseElement,
          .error_bound = "none",
          .source = "types.hal 1.2, OperationType::REDUCE_ANY",
      },
      kGreatest);
}

NNCERT_OPERATION_DEFINITION(REDUCE_MAX) {
  return Reduce(
      {
          .summary = "output = the greatest input element along axes",
          .result = "The greatest elements.",
          .types = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                    OperandType::TENSOR_QUANT8_ASYMM},
          .values = ScalableUniform(-2, 2),
          .choose = ChooseElement,
          .error_bound = "none: an element is passed on",
          .source = "types.hal 1.2, OperationType::REDUCE_MAX; the output's quantization is that "
                    "of Android's CPU implementation",
      },
      kGreatest);
}

NNCERT_OPERATION_DEFINITION(REDUCE_MIN) {
  return Reduce(
      {
          .summary = "output = the least input element along axes",
          .result = "The least elements.",
          .types = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                    OperandType::TENSOR_QUANT8_ASYMM},
          .values = ScalableUniform(-2, 2),
          .choose = ChooseElement,
          .error_bound = "none: an element is passed on",
          .source = "types.hal 1.2, OperationType::REDUCE_MIN; the output's quantization is that "
                    "of Android's CPU implementation",
      },
      kLeast);
}

NNCERT_OPERATION_DEFINITION(REDUCE_PROD) {
  return Reduce(
      {
          .summary = "output = the product of the input elements along axes",
          .result = "The products.",
          .types = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16},
          .values = Uniform(-2, 2),
          .choose = ChooseProduct,
          .error_bound = "of a multiplication for each element but one, in any order",
          .source = "types.hal 1.2, OperationType::REDUCE_PROD",
      },
      []<class A, class Number>(const A& arithmetic, const Number* elements,
                                absl::Span<const size_t> members) {
        Product<A> product;
        for (const size_t member : members) product.Multiply(elements[member]);
        return product.Finish(arithmetic);
      });
}

NNCERT_OPERATION_DEFINITION(REDUCE_SUM) {
  return Reduce(
      {
          .summary = "output = the sum of the input elements along axes",
          .result = "The sums.",
          .types = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16},
          .values = ScalableUniform(-2, 2),
          .choose = ChooseSum,
          .error_bound = "of a sum over the axes in any order",
          .source = "types.hal 1.2, OperationType::REDUCE_SUM",
      },
      []<class A, class Number>(const A& arithmetic, const Number* elements,
                                absl::Span<const size_t> members) {
        typename A::Accumulator sum;
        for (const size_t member : members) sum.Add(elements[member]);
        return arithmetic.Finish(sum);
      });
}

}  // namespace nncert
