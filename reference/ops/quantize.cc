// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// QUANTIZE and DEQUANTIZE: between real numbers and the integers that stand for them.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

// Loading an operand makes its elements real numbers, and storing rounds real numbers to elements:
// the operations are all conversion, and their kernel is the identity.
Kernel Identity() {
  return Compute([](const auto& arithmetic, auto& context) {
    return MapElements(arithmetic, context, [](const auto&, const auto& x) { return x; });
  });
}

}  // namespace

NNCERT_OPERATION_DEFINITION(QUANTIZE) {
  return {
      .summary = "output = max(0, min(255, round(input / scale) + zeroPoint)), element by element",
      .description =
          "scale and zeroPoint are the output's. Ties are rounded away from zero; the range of the "
          "integers saturates.",
      .signature =
          {.inputs = {FloatTensor("input").Values(Uniform(-4, 4)).Describe("The real numbers.")},
           .outputs =
               {Tensor("output")
                    .Types({OperandType::TENSOR_QUANT8_ASYMM})
                    .Describe(
                        "The integers, of the input's dimensions; any scale and zeroPoint.")}},
      .shape = SameShapeAsFirstInput,
      .kernel = Identity(),
      .error_bound =
          "one rounding of the quotient before it is rounded to the nearest integer, ties either "
          "way",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::QUANTIZE",
  };
}

NNCERT_OPERATION_DEFINITION(DEQUANTIZE) {
  return {
      .summary = "output = (input - zeroPoint) * scale, element by element",
      .description =
          "scale and zeroPoint are the input's. An input with a scale for each channel takes that "
          "of the element's index on the channel dimension.",
      .signature = {.inputs = {Tensor("input")
                                   .Types({OperandType::TENSOR_QUANT8_ASYMM})
                                   .Types(HalVersion::V1_2,
                                          {OperandType::TENSOR_QUANT8_SYMM,
                                           OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL})
                                   .Ranks({1, 2, 3, 4})
                                   .Describe("The integers.")},
                    .outputs = {FloatTensor("output")
                                    .Ranks({1, 2, 3, 4})
                                    .Describe("The real numbers, of the input's dimensions.")}},
      .shape = SameShapeAsFirstInput,
      .kernel = Identity(),
      .choose =
          [](OperandChooser& choose) {
            const size_t rank = choose.Dimensions(0).size();
            choose.SetChannelDimension(0, static_cast<uint32_t>(choose.random().Below(rank)));
          },
      .error_bound = "one rounding",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.0 and 1.2, OperationType::DEQUANTIZE",
  };
}

}  // namespace nncert
