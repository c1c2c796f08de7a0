// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Element-wise arithmetic on two broadcast tensors with a fused activation: ADD and MUL.

#include "reference/catalogue.h"
#include "reference/ops/elementwise.h"

namespace nncert {
namespace {

enum : int { kA, kB, kActivation };

constexpr std::string_view kBroadcasting =
    "Dimensions are aligned at the innermost; in each pair both are equal, or one is 1 and its "
    "tensor is repeated "
    "along it. The output has the greater of each pair. ";

// The signature that ADD and MUL share.
Signature ArithmeticSignature() {
  return {
      .inputs = {Tensor("a")
                     .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM})
                     .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16})
                     .Ranks({1, 2, 3, 4})
                     .Describe("The first operand."),
                 Tensor("b")
                     .TypeLike(kA)
                     .Ranks({1, 2, 3, 4})
                     .Describe("The second operand; a quantized one may have another scale and "
                               "zeroPoint than the first."),
                 ActivationScalar()},
      .outputs = {Tensor("output")
                      .TypeLike(kA)
                      .Ranks({1, 2, 3, 4})
                      .Describe("The result, of the dimensions that both inputs broadcast to.")},
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(ADD) {
  return {
      .summary = "output = activation(a + b), element by element, broadcast",
      .description = kBroadcasting,
      .signature = ArithmeticSignature(),
      .constraints = {ActivationConstraint<kActivation>("C1")},
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
        return MapBroadcast(arithmetic, context,
                            [activation](const auto& number, const auto& a, const auto& b) {
                              return Activate(number, activation, number.Add(a, b));
                            });
      }),
      .error_bound = "one rounding",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::ADD",
  };
}

NNCERT_OPERATION_DEFINITION(MUL) {
  return {
      .summary = "output = activation(a * b), element by element, broadcast",
      .description = kBroadcasting,
      .signature = ArithmeticSignature(),
      .constraints = {ActivationConstraint<kActivation>("C1"),
                      {"C2",
                       "the scale of a quantized output is greater than scale of a * scale of b",
                       {},
                       {},
                       [](const OperationContext& context) {
                         return context.Output(0).type != OperandType::TENSOR_QUANT8_ASYMM ||
                                context.Output(0).scale >
                                    context.Input(kA).scale * context.Input(kB).scale;
                       },
                       {kA, kB, OutputOperand(0)}}},
      .shape = BroadcastOfFirstTwoInputs,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
        return MapBroadcast(arithmetic, context,
                            [activation](const auto& number, const auto& a, const auto& b) {
                              return Activate(number, activation, number.Multiply(a, b));
                            });
      }),
      .error_bound = "one rounding",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::MUL",
  };
}

}  // namespace nncert
