// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Element-wise arithmetic on two broadcast tensors with a fused activation: a table, an entry an
// operation.

#include "reference/ops/arithmetic.h"

#include <utility>
#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

using enum arithmetic::Slot;

// What tells one operation of arithmetic from another, but for what it computes.
struct ArithmeticOperation {
  std::string_view summary;
  // The rule of the first operand by its types; all tensors have the same type.
  OperandRule a;
  // Constraints beyond that of the activation.
  std::vector<Constraint> constraints = {};
  // Values of the second operand that are worth computing with.
  ValueHint values = ScalableUniform(-2, 2);
  std::string_view error_bound;
  std::string_view source;
};

// The definition of an operation of arithmetic; `function` is [](const auto& arithmetic, const
// auto& a, const auto& b).
template <class F>
OperationDefinition Arithmetic(const ArithmeticOperation& operation, F) {
  OperandRule a = operation.a;
  a.Ranks({1, 2, 3, 4}).Describe("The first operand.");
  std::vector<Constraint> constraints = {ActivationConstraint<kActivation>()};
  constraints.insert(constraints.end(), operation.constraints.begin(), operation.constraints.end());
  return {
      .summary = operation.summary,
      .description =
          "Dimensions are aligned at the innermost; in each pair both are equal, or one is 1 and "
          "its tensor is repeated along it. The output has the greater of each pair, or 0 where "
          "one is 0.",
      .signature =
          {.inputs = {std::move(a),
                      Tensor("b")
                          .TypeLike(kA)
                          .Ranks({1, 2, 3, 4})
                          .Values(operation.values)
                          .Describe("The second operand; a quantized one may have another scale "
                                    "and zeroPoint than the first."),
                      ActivationScalar()},
           .outputs = {Tensor("output")
                           .TypeLike(kA)
                           .Ranks({1, 2, 3, 4})
                           .Describe(
                               "The result, of the dimensions that both inputs broadcast to.")}},
      .constraints = std::move(constraints),
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
        return MapBroadcast(arithmetic, context, [&](const auto&, const auto& x, const auto& y) {
          return Activate(arithmetic, activation, F{}(arithmetic, x, y));
        });
      }),
      .choose =
          [](OperandChooser& choose) {
            ChooseMappedBroadcast<F, /*kIsActivated=*/true>(choose);
            // MUL asks for it.
            choose.SetLeastOutputScale(0, choose.Info(kA).scale * choose.Info(kB).scale);
          },
      .error_bound = operation.error_bound,
      .accepts_empty_tensors = true,
      .source = operation.source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(ADD) {
  return Arithmetic(
      {
          .summary = "output = activation(a + b), element by element, broadcast",
          .a = FloatOrQuantizedTensor("a"),
          .error_bound = "one rounding",
          .source = "types.hal 1.2, OperationType::ADD",
      },
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Add(a, b); });
}

NNCERT_OPERATION_DEFINITION(DIV) {
  return Arithmetic(
      {
          .summary = "output = activation(a / b), element by element, broadcast",
          .a = FloatTensor("a"),
          .values = LogUniform(0.25, 4),
          .error_bound = "2.5 units in the last place, for a reciprocal and a product; a quotient "
                         "by zero, or by what may be flushed to zero, may be anything",
          .source = "types.hal 1.2, OperationType::DIV",
      },
      [](const auto& arithmetic, const auto& a, const auto& b) { return arithmetic.Divide(a, b); });
}

NNCERT_OPERATION_DEFINITION(MUL) {
  return Arithmetic(
      {
          .summary = "output = activation(a * b), element by element, broadcast",
          .a = FloatOrQuantizedTensor("a"),
          .constraints = {Constraint(
              "the scale of a quantized output is greater than scale of a * scale of b",
              {.others = {kA, kB, OutputOperand(0)}},
              [](const OperationContext& context) {
                return context.Output(0).type != OperandType::TENSOR_QUANT8_ASYMM ||
                       context.Output(0).scale > context.Input(kA).scale * context.Input(kB).scale;
              })},
          .error_bound = "one rounding",
          .source = "types.hal 1.2, OperationType::MUL",
      },
      [](const auto& arithmetic, const auto& a, const auto& b) {
        return arithmetic.Multiply(a, b);
      });
}

NNCERT_OPERATION_DEFINITION(SUB) {
  return Arithmetic(
      {
          .summary = "output = activation(a - b), element by element, broadcast",
          .a = FloatTensor("a").Types(HalVersion::V1_2, {OperandType::TENSOR_QUANT8_ASYMM}),
          .error_bound = "one rounding",
          .source = "types.hal 1.2, OperationType::SUB",
      },
      [](const auto& arithmetic, const auto& a, const auto& b) {
        return arithmetic.Subtract(a, b);
      });
}

}  // namespace nncert
