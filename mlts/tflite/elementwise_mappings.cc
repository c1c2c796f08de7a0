// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "mlts/tflite/operator_mappings.h"
#include "mlts/tflite/tensor_values.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::FusedActivationFunc;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using tflite::BuiltinOperator;

// A function of one tensor.
template <OperationType kType>
void MapUnary(OperatorMapper& mapper) {
  mapper.Emit(kType, {mapper.Input(0)}, InReals::kIfNeeded);
}

// A function of two tensors.
template <OperationType kType>
void MapBinary(OperatorMapper& mapper) {
  const uint32_t first = mapper.Input(0);
  mapper.Emit(kType, {first, mapper.Input(1)}, InReals::kIfNeeded);
}

// A function of two tensors with a fused activation.
template <OperationType kType, class Options>
void MapArithmetic(OperatorMapper& mapper) {
  const uint32_t first = mapper.Input(0);
  const uint32_t second = mapper.Input(1);
  mapper.Emit(kType, {first, second, mapper.ActivationOf<Options>()}, InReals::kIfNeeded);
}

uint32_t NoActivation(OperatorMapper& mapper) {
  return mapper.Int32(static_cast<int32_t>(FusedActivationFunc::NONE));
}

void MapAddN(OperatorMapper& mapper) {
  mapper.Demand(mapper.inputs() >= 1, "it has no inputs");
  // Sums of quantized tensors have scales that the file does not say.
  uint32_t sum = mapper.Dequantized(mapper.Input(0));
  for (size_t i = 1; i < mapper.inputs() && mapper.status().ok(); ++i) {
    sum = mapper.Apply(OperationType::ADD,
                       {sum, mapper.Dequantized(mapper.Input(i)), NoActivation(mapper)},
                       mapper.SpecOf(sum));
  }
  if (mapper.inputs() == 1) {
    // One tensor, and nothing to add.
    sum = mapper.Apply(OperationType::CAST, {sum}, mapper.SpecOf(sum));
  }
  mapper.Deliver(sum);
}

void MapSquare(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  mapper.Emit(OperationType::MUL, {input, input, NoActivation(mapper)}, InReals::kIfNeeded);
}

void MapSquaredDifference(OperatorMapper& mapper) {
  const uint32_t first = mapper.Dequantized(mapper.Input(0));
  const uint32_t second = mapper.Dequantized(mapper.Input(1));
  const uint32_t difference =
      mapper.Apply(OperationType::SUB, {first, second, NoActivation(mapper)}, mapper.SpecOf(first));
  mapper.Deliver(mapper.Apply(OperationType::MUL, {difference, difference, NoActivation(mapper)},
                              mapper.SpecOf(difference)));
}

void MapCeil(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  const OperandSpec spec = mapper.SpecOf(input);
  const uint32_t negative = mapper.Apply(OperationType::NEG, {input}, spec);
  const uint32_t floor = mapper.Apply(OperationType::FLOOR, {negative}, spec);
  mapper.Deliver(mapper.Apply(OperationType::NEG, {floor}, spec));
}

// x * RELU6(x + 3) / 6, which is an operation of its own since HAL 1.3; on the real numbers, so
// that nothing is rounded on the way.
void MapHardSwish(OperatorMapper& mapper) {
  const uint32_t input = mapper.Dequantized(mapper.Input(0));
  const OperandSpec spec = mapper.SpecOf(input);
  const auto number = [&mapper, &spec](double value) {
    return mapper.Constant({spec.type, {1}}, BytesOf(spec.type, {value}));
  };
  const uint32_t gate = mapper.Apply(
      OperationType::ADD,
      {input, number(3), mapper.Int32(static_cast<int32_t>(FusedActivationFunc::RELU6))}, spec);
  const uint32_t gated =
      mapper.Apply(OperationType::MUL, {input, gate, NoActivation(mapper)}, spec);
  mapper.Deliver(
      mapper.Apply(OperationType::MUL, {gated, number(1.0 / 6), NoActivation(mapper)}, spec));
}

void MapLeakyRelu(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::LeakyReluOptions>();
  if (options == nullptr) return;
  const float alpha = options->alpha();
  mapper.Demand(std::isfinite(alpha), "its alpha is not a finite number");
  const uint32_t input = mapper.Dequantized(mapper.Input(0));
  const OperandType type = mapper.TypeOf(input);
  const uint32_t slope = mapper.Constant({type, {1}}, BytesOf(type, {alpha}));
  mapper.Deliver(mapper.Apply(OperationType::PRELU, {input, slope}, mapper.SpecOf(input)));
}

void MapPrelu(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  mapper.Emit(OperationType::PRELU, {input, mapper.Weights(1, input)}, InReals::kIfNeeded);
}

void MapSelect(OperatorMapper& mapper) {
  const uint32_t condition = mapper.Input(0);
  const uint32_t if_true = mapper.Input(1);
  mapper.Emit(OperationType::SELECT, {condition, if_true, mapper.Input(2)});
}

void MapSoftmax(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::SoftmaxOptions>();
  if (options == nullptr) return;
  std::vector<uint32_t> inputs = {mapper.Input(0), mapper.Float32(options->beta())};
  // Before HAL 1.2 tensors have rank 2 or 4, and no axis.
  const size_t rank = mapper.RankOf(inputs[0]);
  if (rank != 2 && rank != 4) inputs.push_back(mapper.Int32(-1));
  mapper.Emit(OperationType::SOFTMAX, inputs);
}

void MapLogSoftmax(OperatorMapper& mapper) {
  mapper.Emit(OperationType::LOG_SOFTMAX, {mapper.Input(0), mapper.Float32(1), mapper.Int32(-1)},
              InReals::kIfNeeded);
}

void MapL2Normalization(OperatorMapper& mapper) {
  const auto* options = mapper.OptionsOrNull<tflite::L2NormOptions>();
  mapper.Demand(options == nullptr ||
                    options->fused_activation_function() == tflite::ActivationFunctionType::NONE,
                "it has a fused activation");
  mapper.Emit(OperationType::L2_NORMALIZATION, {mapper.Input(0)});
}

void MapLocalResponseNormalization(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::LocalResponseNormalizationOptions>();
  if (options == nullptr) return;
  mapper.Emit(OperationType::LOCAL_RESPONSE_NORMALIZATION,
              {mapper.Input(0), mapper.Int32(options->radius()), mapper.Float32(options->bias()),
               mapper.Float32(options->alpha()), mapper.Float32(options->beta())});
}

void MapCast(OperatorMapper& mapper) {
  // To cast is to take the integers of a quantized tensor as they are, and those of INT8 are others
  // in the HAL.
  mapper.Demand(mapper.InputTensor(0).type != tflite::TensorType::INT8 &&
                    mapper.OutputTensor().type != tflite::TensorType::INT8,
                "it takes the integers of INT8 as they are, which the HAL has not");
  mapper.Emit(OperationType::CAST, {mapper.Input(0)});
}

void MapDequantize(OperatorMapper& mapper) {
  const TfliteTensor& tensor = mapper.InputTensor(0);
  if (!mapper.status().ok()) return;
  if (!tensor.is_constant) {
    const uint32_t input = mapper.Input(0);
    const bool is_half = mapper.TypeOf(input) == OperandType::TENSOR_FLOAT16;
    mapper.Emit(is_half ? OperationType::CAST : OperationType::DEQUANTIZE, {input});
    return;
  }
  // Weights that the file keeps small. Computed here, they are constants of the operations that
  // take them.
  const absl::StatusOr<std::vector<float>> numbers = RealNumbersOf(tensor);
  const absl::StatusOr<std::vector<uint32_t>> dimensions = DimensionsOf(tensor);
  if (!numbers.ok()) return mapper.Refuse(numbers.status());
  if (!dimensions.ok()) return mapper.Refuse(dimensions.status());
  mapper.Deliver(mapper.Constant(
      {OperandType::TENSOR_FLOAT32, *dimensions},
      BytesOf(OperandType::TENSOR_FLOAT32, std::vector<double>(numbers->begin(), numbers->end()))));
}

// Of floats, or from one quantization to another, which may well be the same one: of INT8 and
// UINT8.
void MapQuantize(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  if (IsQuantized(mapper.TypeOf(input))) return mapper.Deliver(input);
  mapper.Emit(OperationType::QUANTIZE, {input});
}

constexpr OperatorMapping kMappings[] = {
    {BuiltinOperator::ABS, &MapUnary<OperationType::ABS>},
    {BuiltinOperator::EXP, &MapUnary<OperationType::EXP>},
    {BuiltinOperator::FLOOR, &MapUnary<OperationType::FLOOR>},
    {BuiltinOperator::LOG, &MapUnary<OperationType::LOG>},
    {BuiltinOperator::LOGICAL_NOT, &MapUnary<OperationType::LOGICAL_NOT>},
    {BuiltinOperator::LOGISTIC, &MapUnary<OperationType::LOGISTIC>},
    {BuiltinOperator::NEG, &MapUnary<OperationType::NEG>},
    {BuiltinOperator::RELU, &MapUnary<OperationType::RELU>},
    {BuiltinOperator::RELU_N1_TO_1, &MapUnary<OperationType::RELU1>},
    {BuiltinOperator::RELU6, &MapUnary<OperationType::RELU6>},
    {BuiltinOperator::RSQRT, &MapUnary<OperationType::RSQRT>},
    {BuiltinOperator::SIN, &MapUnary<OperationType::SIN>},
    {BuiltinOperator::SQRT, &MapUnary<OperationType::SQRT>},
    {BuiltinOperator::TANH, &MapUnary<OperationType::TANH>},
    {BuiltinOperator::EQUAL, &MapBinary<OperationType::EQUAL>},
    {BuiltinOperator::GREATER, &MapBinary<OperationType::GREATER>},
    {BuiltinOperator::GREATER_EQUAL, &MapBinary<OperationType::GREATER_EQUAL>},
    {BuiltinOperator::LESS, &MapBinary<OperationType::LESS>},
    {BuiltinOperator::LESS_EQUAL, &MapBinary<OperationType::LESS_EQUAL>},
    {BuiltinOperator::LOGICAL_AND, &MapBinary<OperationType::LOGICAL_AND>},
    {BuiltinOperator::LOGICAL_OR, &MapBinary<OperationType::LOGICAL_OR>},
    {BuiltinOperator::MAXIMUM, &MapBinary<OperationType::MAXIMUM>},
    {BuiltinOperator::MINIMUM, &MapBinary<OperationType::MINIMUM>},
    {BuiltinOperator::NOT_EQUAL, &MapBinary<OperationType::NOT_EQUAL>},
    {BuiltinOperator::POW, &MapBinary<OperationType::POW>},
    {BuiltinOperator::ADD, &MapArithmetic<OperationType::ADD, tflite::AddOptions>},
    {BuiltinOperator::DIV, &MapArithmetic<OperationType::DIV, tflite::DivOptions>},
    {BuiltinOperator::MUL, &MapArithmetic<OperationType::MUL, tflite::MulOptions>},
    {BuiltinOperator::SUB, &MapArithmetic<OperationType::SUB, tflite::SubOptions>},
    {BuiltinOperator::ADD_N, &MapAddN},
    {BuiltinOperator::CAST, &MapCast},
    {BuiltinOperator::CEIL, &MapCeil},
    {BuiltinOperator::DEQUANTIZE, &MapDequantize},
    {BuiltinOperator::HARD_SWISH, &MapHardSwish},
    {BuiltinOperator::L2_NORMALIZATION, &MapL2Normalization},
    {BuiltinOperator::LEAKY_RELU, &MapLeakyRelu},
    {BuiltinOperator::LOCAL_RESPONSE_NORMALIZATION, &MapLocalResponseNormalization},
    {BuiltinOperator::LOG_SOFTMAX, &MapLogSoftmax},
    {BuiltinOperator::PRELU, &MapPrelu},
    {BuiltinOperator::QUANTIZE, &MapQuantize},
    {BuiltinOperator::SELECT, &MapSelect},
    {BuiltinOperator::SELECT_V2, &MapSelect},
    {BuiltinOperator::SOFTMAX, &MapSoftmax},
    {BuiltinOperator::SQUARE, &MapSquare},
    {BuiltinOperator::SQUARED_DIFFERENCE, &MapSquaredDifference},
};

}  // namespace

absl::Span<const OperatorMapping> ElementwiseMappings() { return kMappings; }

}  // namespace nncert
