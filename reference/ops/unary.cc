// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operations that apply one function to each element of a tensor: a table, an entry an operation.

#include <utility>
#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

// How scale and zeroPoint of a quantized output are given.
struct OutputQuantization {
  enum class Kind { kNone, kLikeInput, kFixed } kind = Kind::kNone;
  float scale = 0;
  int32_t zeroPoint = 0;
};
constexpr OutputQuantization kLikeInput = {OutputQuantization::Kind::kLikeInput};
constexpr OutputQuantization Fixed(float scale, int32_t zeroPoint) {
  return {OutputQuantization::Kind::kFixed, scale, zeroPoint};
}

// What tells one unary operation from another, but for its function.
struct UnaryOperation {
  std::string_view summary;
  std::string_view description = {};
  // The types of the input by version; the output has the same type.
  std::vector<TypeAlternative> types;
  // Rules for a quantized output; kNone where the operation has no quantized type.
  OutputQuantization quantization = {};
  // Ranks 1 to 4; any rank from 1 otherwise.
  bool is_limited_to_rank_four = false;
  bool accepts_empty_tensors = false;
  // Values on which the function is worth comparing.
  ValueHint values;
  std::string_view error_bound;
  std::string_view source;
};

// 32-bit floats and 8-bit quantized from the start, 16-bit floats since HAL 1.2.
std::vector<TypeAlternative> ActivationTypes() {
  return {{HalVersion::V1_0, OperandType::TENSOR_FLOAT32},
          {HalVersion::V1_0, OperandType::TENSOR_QUANT8_ASYMM},
          {HalVersion::V1_2, OperandType::TENSOR_FLOAT16}};
}

constexpr std::string_view kFunctionBound = "5 units in the last place";
constexpr std::string_view kBoundedFunctionBound =
    "of a function bounded by one: 5 units in the last place, relative and absolute";
constexpr std::string_view kNoBound = "none: a number is passed on, negated or not";

// Floats of 16 and 32 bits, since HAL 1.2.
std::vector<TypeAlternative> FloatTypes() {
  return {{HalVersion::V1_2, OperandType::TENSOR_FLOAT16},
          {HalVersion::V1_2, OperandType::TENSOR_FLOAT32}};
}

// The definition of a unary operation; `function` is [](const auto& arithmetic, const auto& x).
template <class F>
OperationDefinition Unary(const UnaryOperation& operation, F) {
  OperandRule input = Tensor("input");
  for (const TypeAlternative& type : operation.types) input.Types(type.since, {type.type});
  input.Values(operation.values).Describe("The argument.");
  OperandRule output =
      Tensor("output").TypeLike(0).Describe("The result, of the input's dimensions.");
  switch (operation.quantization.kind) {
    case OutputQuantization::Kind::kNone:
      break;
    case OutputQuantization::Kind::kLikeInput:
      output.QuantizedLike(0);
      break;
    case OutputQuantization::Kind::kFixed:
      output.Quantized(operation.quantization.scale, operation.quantization.zeroPoint);
      break;
  }
  if (operation.is_limited_to_rank_four) {
    input.Ranks({1, 2, 3, 4});
    output.Ranks({1, 2, 3, 4});
  }
  return {
      .summary = operation.summary,
      .description = operation.description,
      .signature = {.inputs = {std::move(input)}, .outputs = {std::move(output)}},
      .shape = SameShapeAsFirstInput,
      .kernel = Compute([](const auto& arithmetic, auto& context) {
        return MapElements(arithmetic, context, F{});
      }),
      .choose = ChooseMapped<F>,
      .error_bound = operation.error_bound,
      .accepts_empty_tensors = operation.accepts_empty_tensors,
      .source = operation.source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(ABS) {
  return Unary(
      {
          .summary = "output = |input|, element by element",
          .description = "The distance from zero.",
          .types = FloatTypes(),
          .values = ScalableUniform(-2, 2),
          .error_bound = kNoBound,
          .source = "types.hal 1.2, OperationType::ABS",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Abs(x); });
}

NNCERT_OPERATION_DEFINITION(EXP) {
  return Unary(
      {
          .summary = "output = exp(input), element by element",
          .description = "The number e to the power of the input.",
          .types = FloatTypes(),
          .values = Uniform(-4, 4),
          .error_bound = kFunctionBound,
          .source = "types.hal 1.2, OperationType::EXP",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Exp(x); });
}

NNCERT_OPERATION_DEFINITION(FLOOR) {
  return Unary(
      {
          .summary = "output = floor(input), element by element",
          .description = "The greatest integer that is not above the input.",
          .types = {{HalVersion::V1_0, OperandType::TENSOR_FLOAT32},
                    {HalVersion::V1_2, OperandType::TENSOR_FLOAT16}},
          .is_limited_to_rank_four = true,
          .values = ScalableUniform(-8, 8),
          .error_bound = "none; an argument that is only known to lie around an integer has either "
                         "of the integers there",
          .source = "types.hal 1.2, OperationType::FLOOR",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Floor(x); });
}

NNCERT_OPERATION_DEFINITION(LOG) {
  return Unary(
      {
          .summary = "output = log(input), element by element",
          .description =
              "The natural logarithm. Of a negative number it is NaN, of zero minus infinity.",
          .types = FloatTypes(),
          .values = LogUniform(0.01, 100),
          .error_bound = "5 units in the last place, relative and absolute: implementations lose "
                         "relative accuracy near one",
          .source = "types.hal 1.2, OperationType::LOG",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Log(x); });
}

NNCERT_OPERATION_DEFINITION(LOGICAL_NOT) {
  return Unary(
      {
          .summary = "output = not input, element by element",
          .description = "True where the input is false. Every byte but zero is true.",
          .types = {{HalVersion::V1_2, OperandType::TENSOR_BOOL8}},
          .values = Uniform(0, 1),
          .error_bound = "none",
          .source = "types.hal 1.2, OperationType::LOGICAL_NOT",
      },
      [](const auto& arithmetic, const auto& x) {
        return arithmetic.Select(arithmetic.Equal(x, arithmetic.Constant(0)),
                                 arithmetic.Constant(1), arithmetic.Constant(0));
      });
}

NNCERT_OPERATION_DEFINITION(LOGISTIC) {
  return Unary(
      {
          .summary = "output = 1 / (1 + exp(-input)), element by element",
          .description = "The logistic sigmoid. A quantized output has scale 1/256 and zeroPoint "
                         "0, so it reaches from 0 to 255/256.",
          .types = ActivationTypes(),
          .quantization = Fixed(1.F / 256, 0),
          .is_limited_to_rank_four = true,
          .accepts_empty_tensors = true,
          .values = Uniform(-8, 8),
          .error_bound = kBoundedFunctionBound,
          .source = "types.hal 1.2, OperationType::LOGISTIC",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Logistic(x); });
}

NNCERT_OPERATION_DEFINITION(NEG) {
  return Unary(
      {
          .summary = "output = -input, element by element",
          .description = "The number of the other sign. The least integer has none: what becomes "
                         "of it is up to the implementation.",
          .types = {{HalVersion::V1_2, OperandType::TENSOR_FLOAT16},
                    {HalVersion::V1_2, OperandType::TENSOR_FLOAT32},
                    {HalVersion::V1_2, OperandType::TENSOR_INT32}},
          .values = ScalableUniform(-2, 2),
          .error_bound = kNoBound,
          .source = "types.hal 1.2, OperationType::NEG",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Negate(x); });
}

NNCERT_OPERATION_DEFINITION(RELU) {
  return Unary(
      {
          .summary = "output = max(0, input), element by element",
          .description =
              "The linear rectifier. A quantized output has the input's scale and zeroPoint.",
          .types = ActivationTypes(),
          .quantization = kLikeInput,
          .is_limited_to_rank_four = true,
          .accepts_empty_tensors = true,
          .values = ScalableUniform(-2, 2),
          .error_bound = "none: a number is passed on, or is 0",
          .source = "types.hal 1.2, OperationType::RELU; the output's quantization is that of "
                    "Android's CPU implementation",
      },
      [](const auto& arithmetic, const auto& x) {
        return arithmetic.Max(x, arithmetic.Constant(0));
      });
}

NNCERT_OPERATION_DEFINITION(RELU1) {
  return Unary(
      {
          .summary = "output = min(1, max(-1, input)), element by element",
          .description = "The input, limited to [-1, 1]. A quantized output has the input's scale "
                         "and zeroPoint.",
          .types = ActivationTypes(),
          .quantization = kLikeInput,
          .is_limited_to_rank_four = true,
          .accepts_empty_tensors = true,
          .values = Uniform(-2, 2),
          .error_bound = "none: a number is passed on, or is -1 or 1",
          .source = "types.hal 1.2, OperationType::RELU1; the output's quantization is that of "
                    "Android's CPU implementation",
      },
      [](const auto& arithmetic, const auto& x) { return Clamp(arithmetic, x, -1, 1); });
}

NNCERT_OPERATION_DEFINITION(RELU6) {
  return Unary(
      {
          .summary = "output = min(6, max(0, input)), element by element",
          .description = "The linear rectifier, limited to 6. A quantized output has the input's "
                         "scale and zeroPoint.",
          .types = ActivationTypes(),
          .quantization = kLikeInput,
          .is_limited_to_rank_four = true,
          .accepts_empty_tensors = true,
          .values = Uniform(-3, 9),
          .error_bound = "none: a number is passed on, or is 0 or 6",
          .source = "types.hal 1.2, OperationType::RELU6; the output's quantization is that of "
                    "Android's CPU implementation",
      },
      [](const auto& arithmetic, const auto& x) { return Clamp(arithmetic, x, 0, 6); });
}

NNCERT_OPERATION_DEFINITION(RSQRT) {
  return Unary(
      {
          .summary = "output = 1 / sqrt(input), element by element",
          .description = "The reciprocal of the square root. Of a negative number it is NaN, of "
                         "zero infinite.",
          .types = FloatTypes(),
          .values = LogUniform(0.01, 100),
          .error_bound = "5.5 units in the last place: 3 of the root and 2.5 of the quotient",
          .source = "types.hal 1.2, OperationType::RSQRT",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Rsqrt(x); });
}

NNCERT_OPERATION_DEFINITION(SIN) {
  return Unary(
      {
          .summary = "output = sin(input), element by element",
          .description = "The sine of an angle in radians. Of an infinity it is NaN.",
          .types = FloatTypes(),
          .values = Uniform(-8, 8),
          .error_bound = "of a function bounded by one: 5 units in the last place, relative and "
                         "absolute; and two roundings of an argument beyond pi / 4, from which a "
                         "multiple of pi / 2 has to be taken",
          .source = "types.hal 1.2, OperationType::SIN",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Sin(x); });
}

NNCERT_OPERATION_DEFINITION(SQRT) {
  return Unary(
      {
          .summary = "output = sqrt(input), element by element",
          .description = "The square root. Of a negative number it is NaN.",
          .types = FloatTypes(),
          .values = Uniform(0, 8),
          .error_bound = "3 units in the last place",
          .source = "types.hal 1.2, OperationType::SQRT",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Sqrt(x); });
}

NNCERT_OPERATION_DEFINITION(TANH) {
  return Unary(
      {
          .summary = "output = tanh(input), element by element",
          .description = "The hyperbolic tangent. A quantized output has scale 1/128 and zeroPoint "
                         "128, so it reaches from -1 to 127/128.",
          .types = {{HalVersion::V1_0, OperandType::TENSOR_FLOAT32},
                    {HalVersion::V1_2, OperandType::TENSOR_FLOAT16},
                    {HalVersion::V1_2, OperandType::TENSOR_QUANT8_ASYMM}},
          .quantization = Fixed(1.F / 128, 128),
          .is_limited_to_rank_four = true,
          .accepts_empty_tensors = true,
          .values = Uniform(-3, 3),
          .error_bound = kBoundedFunctionBound,
          .source = "types.hal 1.2, OperationType::TANH",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Tanh(x); });
}

}  // namespace nncert
