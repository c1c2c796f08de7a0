// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/operator_mapper.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "mlts/tflite/tensor_values.h"
#include "reference/extension.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::FusedActivationFunc;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using hal::V1_2::SymmPerChannelQuantParams;

// How far the scale that a file gives a bias may be from the product that the HAL demands, as a
// part of it. TensorFlow Lite computes with the product, whatever the file says.
constexpr double kBiasScaleTolerance = 0.02;
// How far scales may be apart that are to be the same, as a part of one: some files have been
// through text.
constexpr double kSameScaleTolerance = 1e-6;

const TfliteTensor& NoTensor() {
  static const TfliteTensor* const tensor = new TfliteTensor();
  return *tensor;
}

bool IsNear(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * b; }

std::vector<uint8_t> BytesOfReals(const std::vector<float>& numbers) {
  return BytesOf(OperandType::TENSOR_FLOAT32, std::vector<double>(numbers.begin(), numbers.end()));
}

}  // namespace

void OperatorMapper::Refuse(std::string_view reason) {
  Refuse(absl::InvalidArgumentError(std::string(reason)));
}

void OperatorMapper::Refuse(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

void OperatorMapper::Demand(bool condition, std::string_view otherwise) {
  if (!condition) Refuse(otherwise);
}

absl::Status OperatorMapper::About(std::string_view what, size_t i, int32_t tensor,
                                   const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(std::string(what), " ", i, ", ",
                                   DescribeTensor(draft_.file(), tensor), ": ", status.message()));
}

bool OperatorMapper::HasInput(size_t i) const {
  return i < op_.inputs.size() && op_.inputs[i] != TfliteFile::kOmitted;
}

const TfliteTensor& OperatorMapper::InputTensor(size_t i) {
  if (HasInput(i)) return draft_.file().tensors()[op_.inputs[i]];
  Refuse(absl::StrCat("input ", i, " is missing"));
  return NoTensor();
}

const TfliteTensor& OperatorMapper::OutputTensor(size_t i) {
  if (i < op_.outputs.size()) return draft_.file().tensors()[op_.outputs[i]];
  Refuse(absl::StrCat("output ", i, " is missing"));
  return NoTensor();
}

std::vector<int32_t> OperatorMapper::Integers(size_t i, std::optional<size_t> count) {
  std::vector<int32_t> failed(count.value_or(0));
  const TfliteTensor& tensor = InputTensor(i);
  if (!ok()) return failed;
  absl::StatusOr<std::vector<int32_t>> integers = IntegersOf(tensor);
  if (integers.ok() && count.has_value() && integers->size() != *count) {
    integers = absl::InvalidArgumentError(
        absl::StrCat("it has ", integers->size(), " elements; expected ", *count));
  }
  if (integers.ok()) return *std::move(integers);
  Refuse(About("input", i, op_.inputs[i], integers.status()));
  return failed;
}

uint32_t OperatorMapper::Input(size_t i) {
  InputTensor(i);
  if (!ok()) return 0;
  const absl::StatusOr<uint32_t> operand = draft_.OperandOf(op_.inputs[i]);
  if (operand.ok()) return *operand;
  Refuse(absl::Status(operand.status().code(),
                      absl::StrCat("input ", i, ", ", operand.status().message())));
  return 0;
}

uint32_t OperatorMapper::InputOrOmitted(size_t i, OperandType type) {
  return HasInput(i) ? Input(i) : Omitted(type);
}

uint32_t OperatorMapper::Weights(size_t i, uint32_t input) {
  const TfliteTensor& tensor = InputTensor(i);
  if (!ok()) return 0;
  if (!tensor.is_constant || tensor.type == tflite::TensorType::FLOAT32 ||
      TypeOf(input) != OperandType::TENSOR_FLOAT32) {
    return Input(i);
  }
  const absl::StatusOr<std::vector<float>> numbers = RealNumbersOf(tensor);
  if (!numbers.ok()) {
    Refuse(About("input", i, op_.inputs[i], numbers.status()));
    return 0;
  }
  const absl::StatusOr<std::vector<uint32_t>> dimensions = DimensionsOf(tensor);
  if (!dimensions.ok()) {
    Refuse(About("input", i, op_.inputs[i], dimensions.status()));
    return 0;
  }
  return Constant({OperandType::TENSOR_FLOAT32, *dimensions}, BytesOfReals(*numbers));
}

uint32_t OperatorMapper::WeightsOrOmitted(size_t i, uint32_t input) {
  return HasInput(i) ? Weights(i, input) : Omitted(TypeOf(input));
}

uint32_t OperatorMapper::QuantizedBias(size_t i, uint32_t input, uint32_t weights) {
  const TfliteTensor& tensor = InputTensor(i);
  const absl::StatusOr<std::vector<int32_t>> integers = IntegersOf(tensor);
  if (!integers.ok() || tensor.type != tflite::TensorType::INT32) {
    Refuse(About(
        "input", i, op_.inputs[i],
        integers.ok() ? absl::InvalidArgumentError("a bias must be of INT32") : integers.status()));
    return 0;
  }
  const Operand& filter = draft_.model().operand(weights);
  const double input_scale = draft_.model().operand(input).scale;
  std::vector<float> scales = {filter.scale};
  if (const auto* channels = std::get_if<SymmPerChannelQuantParams>(&filter.extraParams)) {
    scales = channels->scales;
  }
  const std::vector<float>& stated = tensor.quantization.scales;
  for (size_t k = 0; k < stated.size() && stated.size() == scales.size(); ++k) {
    const double product = input_scale * scales[k];
    if (IsNear(stated[k], product, kBiasScaleTolerance)) continue;
    Refuse(About("input", i, op_.inputs[i],
                 absl::InvalidArgumentError(
                     absl::StrCat("the scale of the bias is ", stated[k], "; expected ", product,
                                  ", the scale of the input times that of the weights"))));
    return 0;
  }
  OperandSpec spec = {OperandType::TENSOR_INT32, {static_cast<uint32_t>(integers->size())}};
  // 0 where the weights have many scales, as is the operand's own.
  spec.scale = static_cast<float>(input_scale * filter.scale);
  return Constant(spec, BytesOf(OperandType::TENSOR_INT32,
                                std::vector<double>(integers->begin(), integers->end())));
}

uint32_t OperatorMapper::Bias(size_t i, uint32_t input, uint32_t weights, uint32_t units) {
  if (!ok()) return 0;
  const bool is_quantized = IsQuantized(TypeOf(input));
  if (HasInput(i)) return is_quantized ? QuantizedBias(i, input, weights) : Weights(i, input);
  OperandSpec spec = {is_quantized ? OperandType::TENSOR_INT32 : TypeOf(input), {units}};
  if (is_quantized) {
    spec.scale = static_cast<float>(static_cast<double>(draft_.model().operand(input).scale) *
                                    draft_.model().operand(weights).scale);
  }
  return Zeros(spec);
}

uint32_t OperatorMapper::IntegerVector(size_t i) {
  const TfliteTensor& tensor = InputTensor(i);
  if (!ok()) return 0;
  return tensor.is_constant ? Int32Vector(Integers(i)) : Input(i);
}

uint32_t OperatorMapper::Int32(int32_t value) { return ok() ? draft_.model().Int32(value) : 0; }

uint32_t OperatorMapper::Float32(float value) { return ok() ? draft_.model().Float32(value) : 0; }

uint32_t OperatorMapper::Bool(bool value) { return ok() ? draft_.model().Bool(value) : 0; }

uint32_t OperatorMapper::Int32Vector(const std::vector<int32_t>& values) {
  return Constant(
      {OperandType::TENSOR_INT32, {static_cast<uint32_t>(values.size())}},
      BytesOf(OperandType::TENSOR_INT32, std::vector<double>(values.begin(), values.end())));
}

uint32_t OperatorMapper::Omitted(OperandType type) {
  return ok() ? draft_.model().Omitted(type) : 0;
}

uint32_t OperatorMapper::Zeros(const OperandSpec& spec) {
  return ok() ? Take(draft_.model().Zeros(spec)) : 0;
}

uint32_t OperatorMapper::Constant(const OperandSpec& spec, std::vector<uint8_t> bytes) {
  return ok() ? Take(draft_.model().Constant(spec, std::move(bytes))) : 0;
}

uint32_t OperatorMapper::ReshapedConstant(size_t i, const std::vector<uint32_t>& dimensions) {
  const TfliteTensor& tensor = InputTensor(i);
  if (!ok()) return 0;
  absl::StatusOr<OperandSpec> spec = nncert::SpecOf(tensor);
  absl::StatusOr<std::vector<uint8_t>> bytes = ElementsOf(tensor);
  if (!spec.ok() || !bytes.ok()) {
    Refuse(About("input", i, op_.inputs[i], spec.ok() ? bytes.status() : spec.status()));
    return 0;
  }
  spec->dimensions = dimensions;
  return Constant(*spec, *std::move(bytes));
}

OperandType OperatorMapper::TypeOf(uint32_t operand) const {
  return ok() ? draft_.model().operand(operand).type : OperandType::TENSOR_FLOAT32;
}

OperandSpec OperatorMapper::SpecOf(uint32_t operand) const {
  return ok() ? draft_.model().SpecOf(operand) : OperandSpec{OperandType::TENSOR_FLOAT32};
}

size_t OperatorMapper::RankOf(uint32_t operand) const {
  return ok() ? draft_.model().operand(operand).dimensions.size() : 0;
}

uint32_t OperatorMapper::DimensionOf(uint32_t operand, int i) const {
  const auto rank = static_cast<int>(RankOf(operand));
  const int index = i < 0 ? i + rank : i;
  return index < 0 || index >= rank ? 0 : draft_.model().operand(operand).dimensions[index];
}

int32_t OperatorMapper::Axis(int32_t axis, size_t rank) {
  const auto signed_rank = static_cast<int32_t>(rank);
  if (axis >= -signed_rank && axis < signed_rank) return axis < 0 ? axis + signed_rank : axis;
  Refuse(absl::StrCat("the axis is ", axis, "; expected ", -signed_rank, " to ", signed_rank - 1));
  return 0;
}

uint32_t OperatorMapper::Activation(tflite::ActivationFunctionType function) {
  switch (function) {
    case tflite::ActivationFunctionType::NONE:
      return Int32(static_cast<int32_t>(FusedActivationFunc::NONE));
    case tflite::ActivationFunctionType::RELU:
      return Int32(static_cast<int32_t>(FusedActivationFunc::RELU));
    case tflite::ActivationFunctionType::RELU_N1_TO_1:
      return Int32(static_cast<int32_t>(FusedActivationFunc::RELU1));
    case tflite::ActivationFunctionType::RELU6:
      return Int32(static_cast<int32_t>(FusedActivationFunc::RELU6));
    default:
      break;
  }
  const char* const name = tflite::EnumNameActivationFunctionType(function);
  Refuse(absl::StrCat("its fused activation is ",
                      *name == '\0' ? absl::StrCat(static_cast<int>(function)) : name,
                      ", which the HAL does not fuse with it"));
  return 0;
}

uint32_t OperatorMapper::PaddingScheme(tflite::Padding padding) {
  // Of NNAPI: ANEURALNETWORKS_PADDING_SAME and ANEURALNETWORKS_PADDING_VALID.
  constexpr int32_t kSame = 1;
  constexpr int32_t kValid = 2;
  if (padding == tflite::Padding::SAME) return Int32(kSame);
  Demand(padding == tflite::Padding::VALID, "its padding is neither SAME nor VALID");
  return Int32(kValid);
}

uint32_t OperatorMapper::Apply(OperationType type, const std::vector<uint32_t>& inputs,
                               const OperandSpec& output) {
  return ApplyAll(type, inputs, {output}).front();
}

std::vector<uint32_t> OperatorMapper::ApplyAll(OperationType type,
                                               const std::vector<uint32_t>& inputs,
                                               const std::vector<OperandSpec>& outputs) {
  if (ok()) {
    absl::StatusOr<std::vector<uint32_t>> added = draft_.model().Operation(type, inputs, outputs);
    if (added.ok()) return *std::move(added);
    Refuse(added.status());
  }
  return std::vector<uint32_t>(outputs.size());
}

OperandSpec OperatorMapper::OutputSpec(size_t i) {
  const TfliteTensor& tensor = OutputTensor(i);
  if (!ok()) return {OperandType::TENSOR_FLOAT32};
  absl::StatusOr<OperandSpec> spec = nncert::SpecOf(tensor);
  if (spec.ok() && spec->type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
    spec = absl::InvalidArgumentError("it has many scales, which the HAL has of weights only");
  }
  if (spec.ok()) return *std::move(spec);
  Refuse(About("output", i, op_.outputs[i], spec.status()));
  return {OperandType::TENSOR_FLOAT32};
}

void OperatorMapper::Emit(OperationType type, const std::vector<uint32_t>& inputs,
                          InReals in_reals) {
  std::vector<OperandSpec> specs;
  for (size_t i = 0; i < op_.outputs.size(); ++i) specs.push_back(OutputSpec(i));
  Demand(!specs.empty(), "it has no outputs");
  if (!ok()) return;
  absl::StatusOr<std::vector<uint32_t>> results = draft_.model().Operation(type, inputs, specs);
  if (!results.ok() && in_reals == InReals::kIfNeeded &&
      std::any_of(inputs.begin(), inputs.end(),
                  [this](uint32_t input) { return IsQuantized(TypeOf(input)); })) {
    std::vector<uint32_t> reals;
    for (const uint32_t input : inputs) reals.push_back(Dequantized(input));
    for (OperandSpec& spec : specs) {
      if (IsQuantized(spec.type)) spec = {OperandType::TENSOR_FLOAT32, spec.dimensions};
    }
    if (ok()) results = draft_.model().Operation(type, reals, specs);
  }
  if (!results.ok()) return Refuse(results.status());
  for (size_t i = 0; i < results->size(); ++i) Deliver((*results)[i], i);
}

uint32_t OperatorMapper::Dequantized(uint32_t operand) {
  if (!IsQuantized(TypeOf(operand))) return operand;
  return Apply(OperationType::DEQUANTIZE, {operand}, {OperandType::TENSOR_FLOAT32});
}

uint32_t OperatorMapper::Reshaped(uint32_t operand, const std::vector<uint32_t>& dimensions) {
  if (SpecOf(operand).dimensions == dimensions) return operand;
  const uint32_t shape = Int32Vector({dimensions.begin(), dimensions.end()});
  return Apply(OperationType::RESHAPE, {operand, shape}, SpecOf(operand));
}

void OperatorMapper::Deliver(uint32_t operand, size_t i) {
  const OperandSpec wanted = OutputSpec(i);
  const OperandSpec given = SpecOf(operand);
  if (!ok()) return;
  // Dimensions that the operation gives differ in how elements are grouped, if at all: the batches
  // of FULLY_CONNECTED may be of several dimensions in the file, reductions of everything of none.
  if (!wanted.dimensions.empty() && wanted.dimensions != given.dimensions) {
    if (NumberOfElements(wanted.dimensions) != NumberOfElements(given.dimensions)) {
      return Refuse(
          About("output", i, op_.outputs[i],
                absl::InvalidArgumentError(absl::StrCat(
                    "it has the dimensions ", ShapeToString(wanted.dimensions),
                    " in the file; the operation gives ", ShapeToString(given.dimensions)))));
    }
    operand = Reshaped(operand, wanted.dimensions);
  }
  const bool is_other_type = wanted.type != given.type;
  if (is_other_type && !(IsFloatingPoint(given.type) && IsQuantized(wanted.type))) {
    return Refuse(About("output", i, op_.outputs[i],
                        absl::InvalidArgumentError(absl::StrCat(
                            "it is of ", NameOf(wanted.type), " in the file; the operation gives ",
                            NameOf(given.type)))));
  }
  if (IsQuantized(wanted.type) && (is_other_type || wanted.zeroPoint != given.zeroPoint ||
                                   !IsNear(wanted.scale, given.scale, kSameScaleTolerance))) {
    operand = Apply(OperationType::QUANTIZE, {Dequantized(operand)}, wanted);
  }
  if (ok()) Refuse(draft_.SetOperand(op_.outputs[i], operand));
}

bool OperatorMapper::IsVariable(size_t i) const {
  return ok() && HasInput(i) && draft_.IsVariable(op_.inputs[i]);
}

uint32_t OperatorMapper::State(size_t i) {
  InputTensor(i);
  if (!ok()) return 0;
  const absl::StatusOr<uint32_t> operand = draft_.StateOf(op_.inputs[i]);
  if (operand.ok()) return *operand;
  Refuse(absl::Status(operand.status().code(),
                      absl::StrCat("input ", i, ", ", operand.status().message())));
  return 0;
}

void OperatorMapper::SetState(size_t i, uint32_t operand) {
  if (ok()) draft_.SetState(op_.inputs[i], operand);
}

uint32_t OperatorMapper::InitialState(size_t i) {
  const TfliteTensor& tensor = InputTensor(i);
  if (!ok()) return 0;
  if (!draft_.IsVariable(op_.inputs[i])) return Input(i);
  const absl::StatusOr<OperandSpec> spec = nncert::SpecOf(tensor);
  if (spec.ok()) return Zeros(*spec);
  Refuse(About("input", i, op_.inputs[i], spec.status()));
  return 0;
}

void OperatorMapper::AddUnused(uint32_t operand, std::string_view name) {
  if (ok()) draft_.AddUnused(operand, name);
}

}  // namespace nncert
