// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Comparisons of two broadcast tensors, element by element: a table, an entry an operation.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

enum : int { kA, kB };

// Whether the integers of the operands may be compared in place of what they stand for.
bool HaveTheSameMeaning(const OperandInfo& a, const OperandInfo& b) {
  return !IsQuantized(a.type) || (a.scale == b.scale && a.zeroPoint == b.zeroPoint);
}

// The definition of a comparison; `function` is [](const auto& arithmetic, const auto& a, const
// auto& b) -> Truth.
template <class F>
OperationDefinition Comparison(std::string_view summary, std::string_view source, F) {
  return {
      .summary = summary,
      .description =
          "Dimensions are aligned at the innermost; in each pair both are equal, or one is 1 and "
          "its tensor is repeated along it. Quantized elements are compared as the real numbers "
          "they stand for, booleans with false below true. A comparison with NaN is that of IEEE "
          "754.",
      .signature =
          {.inputs = {Tensor("a")
                          .Types({OperandType::TENSOR_BOOL8, OperandType::TENSOR_FLOAT16,
                                  OperandType::TENSOR_FLOAT32, OperandType::TENSOR_INT32,
                                  OperandType::TENSOR_QUANT8_ASYMM})
                          .Describe("The first operand."),
                      Tensor("b").TypeLike(kA).Describe(
                          "The second operand; a quantized one may have another scale and "
                          "zeroPoint than the first.")},
           .outputs = {Tensor("output")
                           .Types({OperandType::TENSOR_BOOL8})
                           .Describe(
                               "The answers, of the dimensions that both inputs broadcast to.")}},
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        // Integers of one meaning compare exactly, where products with the scale are rounded.
        const bool as_integers = HaveTheSameMeaning(context->Input(kA), context->Input(kB));
        const auto a = as_integers ? context.IntegerInput(kA) : context.Input(kA);
        const auto b = as_integers ? context.IntegerInput(kB) : context.Input(kB);
        const auto yes = arithmetic.Constant(1);
        const auto no = arithmetic.Constant(0);
        return MapBroadcast(arithmetic, context, a, b,
                            [&](const auto&, const auto& x, const auto& y) {
                              return arithmetic.Select(F{}(arithmetic, x, y), yes, no);
                            });
      }),
      .choose = ChooseBroadcast,
      .error_bound =
          "none; quantized operands of different scale or zeroPoint are compared after one "
          "rounding each, so that either answer is right where they nearly agree",
      .source = source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(EQUAL) {
  return Comparison(
      "output = a == b, element by element, broadcast", "types.hal 1.2, OperationType::EQUAL",
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Equal(a, b); });
}

NNCERT_OPERATION_DEFINITION(GREATER) {
  return Comparison(
      "output = a > b, element by element, broadcast", "types.hal 1.2, OperationType::GREATER",
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Less(b, a); });
}

NNCERT_OPERATION_DEFINITION(GREATER_EQUAL) {
  return Comparison("output = a >= b, element by element, broadcast",
                    "types.hal 1.2, OperationType::GREATER_EQUAL",
                    [](const auto& arithmetic, const auto& a, const auto& b) {
                      return arithmetic.LessOrEqual(b, a);
                    });
}

NNCERT_OPERATION_DEFINITION(LESS) {
  return Comparison(
      "output = a < b, element by element, broadcast", "types.hal 1.2, OperationType::LESS",
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Less(a, b); });
}

NNCERT_OPERATION_DEFINITION(LESS_EQUAL) {
  return Comparison("output = a <= b, element by element, broadcast",
                    "types.hal 1.2, OperationType::LESS_EQUAL",
                    [](const auto& arithmetic, const auto& a, const auto& b) {
                      return arithmetic.LessOrEqual(a, b);
                    });
}

NNCERT_OPERATION_DEFINITION(NOT_EQUAL) {
  return Comparison("output = a != b, element by element, broadcast",
                    "types.hal 1.2, OperationType::NOT_EQUAL",
                    [](const auto& arithmetic, const auto& a, const auto& b) {
                      return Not(arithmetic.Equal(a, b));
                    });
}

}  // namespace nncert
