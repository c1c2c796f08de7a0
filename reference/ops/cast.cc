// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// CAST: converts elements to another type.

#include <tuple>
#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"

namespace nncert {
namespace {

enum : int { kInput };

std::vector<OperandType> Types() {
  return {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_INT32,
          OperandType::TENSOR_QUANT8_ASYMM};
}

// Quantized elements are integers here, whatever reals they stand for elsewhere.
void ChooseCast(OperandChooser& choose) {
  ChooseAlike(choose);
  constexpr ValueRange kBytes = {0, 255};
  if (!IsQuantized(choose.OutputType(0))) {
    choose.SetOutputRange(0, IsQuantized(choose.Type(kInput)) ? kBytes : choose.Range(kInput));
    return;
  }
  OperandInfo output;
  output.type = choose.OutputType(0);
  std::tie(output.scale, output.zeroPoint) = QuantizationOf(output.type, choose.Range(kInput));
  choose.SetOutputQuantization(0, output.scale, output.zeroPoint);
  choose.SetOutputRange(0, RangeOfQuantized(output));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(CAST) {
  return {
      .summary = "output = input in the type of the output, element by element",
      .description =
          "Scale and zeroPoint of quantized operands are ignored: their elements are the integers "
          "0 to 255. A number becomes an integer by truncation toward zero. Numbers outside 0 to "
          "255 saturate in a quantized output; what a number outside the range of INT32 becomes "
          "there is not defined, and neither is what NaN becomes as an integer.",
      .signature = {.inputs = {Tensor("input")
                                   .Types(Types())
                                   .Values(Uniform(-10, 300))
                                   .Describe("The elements to be converted.")},
                    .outputs = {Tensor("output").Types(Types()).Describe(
                        "The converted elements, of the input's dimensions.")}},
      .shape = SameShapeAsFirstInput,
      .kernel = Compute([](const auto& arithmetic, auto& context) -> absl::Status {
        const auto input = context.IntegerInput(kInput);
        const Shape& dimensions = context->Output(0).dimensions;
        auto output = context.Output(0, dimensions, LoadAs::kInteger);
        if (!output.ok()) return output.status();
        const OperandType from = context->Input(kInput).type;
        const OperandType to = context->Output(0).type;
        if (!IsFloatingPoint(to)) {
          for (size_t i = 0; i < input.size; ++i) (*output)[i] = arithmetic.Truncate(input[i]);
        } else if (from == OperandType::TENSOR_INT32 && to == OperandType::TENSOR_FLOAT32) {
          // A float does not hold every INT32. What a half does not hold is seen to when it is
          // stored.
          for (size_t i = 0; i < input.size; ++i) (*output)[i] = arithmetic.Round(input[i]);
        } else {
          for (size_t i = 0; i < input.size; ++i) (*output)[i] = input[i];
        }
        return absl::OkStatus();
      }),
      .choose = ChooseCast,
      .error_bound = "one rounding of what the output's type does not hold; none in integers",
      .source =
          "types.hal 1.2, OperationType::CAST; truncation and saturation as in Android's CPU "
          "implementation",
  };
}

}  // namespace nncert
