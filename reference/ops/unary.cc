// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operations that apply one function to each element of a tensor: a table, an entry an operation.

#include <utility>
#include <vector>

#include "reference/catalogue.h"
#include "reference/ops/elementwise.h"

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
      .error_bound = operation.error_bound,
      .accepts_empty_tensors = operation.accepts_empty_tensors,
      .source = operation.source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(LOGISTIC) {
  return Unary(
      {
          .summary = "output = 1 / (1 + exp(-input)), element by element",
          .description =
              "The logistic sigmoid. A quantized output has scale 1/256 and zeroPoint 0, so it "
              "reaches from 0 to 255/256.",
          .types = ActivationTypes(),
          .quantization = Fixed(1.F / 256, 0),
          .is_limited_to_rank_four = true,
          .accepts_empty_tensors = true,
          .values = Uniform(-8, 8),
          .error_bound = "of a function bounded by one: 5 units in the last place, relative and "
                         "absolute",
          .source = "types.hal 1.2, OperationType::LOGISTIC",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Logistic(x); });
}

NNCERT_OPERATION_DEFINITION(RELU6) {
  return Unary(
      {
          .summary = "output = min(6, max(0, input)), element by element",
          .description =
              "The linear rectifier, limited to 6. A quantized output has the input's scale and "
              "zeroPoint.",
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

}  // namespace nncert
