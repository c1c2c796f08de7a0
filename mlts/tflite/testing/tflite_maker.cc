// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/testing/tflite_maker.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace nncert {

using tflite::ActivationFunctionType;
using tflite::BuiltinOperator;
using tflite::TensorType;

TfliteMaker::TfliteMaker() {
  // Tensors without a value are in the first buffer.
  buffers_.push_back(tflite::CreateBuffer(builder_));
}

int32_t TfliteMaker::AddTensor(const TensorToMake& tensor, uint32_t buffer) {
  flatbuffers::Offset<tflite::QuantizationParameters> quantization;
  if (!tensor.scales.empty()) {
    quantization = tflite::CreateQuantizationParametersDirect(builder_, nullptr, nullptr,
                                                              &tensor.scales, &tensor.zero_points,
                                                              0, tensor.dimension_of_scales);
  }
  const std::string name = absl::StrCat("t", tensors_.size());
  tensors_.push_back(tflite::CreateTensorDirect(
      builder_, tensor.dimensions.empty() ? nullptr : &tensor.dimensions, tensor.type, buffer,
      name.c_str(), quantization, tensor.is_variable, 0, tensor.has_rank));
  return static_cast<int32_t>(tensors_.size() - 1);
}

int32_t TfliteMaker::Tensor(const TensorToMake& tensor) { return AddTensor(tensor, 0); }

int32_t TfliteMaker::ConstantBytes(const TensorToMake& tensor, const std::vector<uint8_t>& bytes) {
  buffers_.push_back(tflite::CreateBufferDirect(builder_, &bytes));
  return AddTensor(tensor, static_cast<uint32_t>(buffers_.size() - 1));
}

int32_t TfliteMaker::Int32s(const std::vector<int32_t>& values) {
  return Constant({TensorType::INT32, {static_cast<int32_t>(values.size())}}, values);
}

int32_t TfliteMaker::Floats(const std::vector<float>& values) {
  return Constant({TensorType::FLOAT32, {static_cast<int32_t>(values.size())}}, values);
}

void TfliteMaker::Add(BuiltinOperator code, const std::string& custom_code,
                      const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs,
                      tflite::BuiltinOptions options_type, flatbuffers::Offset<void> options) {
  // As new files have it: codes that fit into the old field are there as well.
  const auto old_code = static_cast<int8_t>(std::min(static_cast<int32_t>(code), 127));
  codes_.push_back(tflite::CreateOperatorCodeDirect(
      builder_, old_code, custom_code.empty() ? nullptr : custom_code.c_str(), 1, code));
  operators_.push_back(tflite::CreateOperatorDirect(builder_,
                                                    static_cast<uint32_t>(codes_.size() - 1),
                                                    &inputs, &outputs, options_type, options));
}

void TfliteMaker::Operator(BuiltinOperator code, const std::vector<int32_t>& inputs,
                           const std::vector<int32_t>& outputs) {
  Add(code, "", inputs, outputs, tflite::BuiltinOptions::NONE, 0);
}

void TfliteMaker::Custom(const std::string& name, const std::vector<int32_t>& inputs,
                         const std::vector<int32_t>& outputs) {
  Add(BuiltinOperator::CUSTOM, name, inputs, outputs, tflite::BuiltinOptions::NONE, 0);
}

std::vector<uint8_t> TfliteMaker::Finish(const std::vector<int32_t>& inputs,
                                         const std::vector<int32_t>& outputs, uint32_t version) {
  const std::vector<flatbuffers::Offset<tflite::SubGraph>> graphs = {
      tflite::CreateSubGraphDirect(builder_, &tensors_, &inputs, &outputs, &operators_, "main")};
  tflite::FinishModelBuffer(builder_, tflite::CreateModelDirect(builder_, version, &codes_, &graphs,
                                                                "made for a test", &buffers_));
  return {builder_.GetBufferPointer(), builder_.GetBufferPointer() + builder_.GetSize()};
}

std::vector<uint8_t> SmallTfliteFile() {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::INT8, {1, 2, 2, 1}, {0.5F}, {-3}});
  const int32_t filter =
      maker.Constant<int8_t>({TensorType::INT8, {2, 1, 1, 1}, {0.25F, 0.125F}, {0, 0}}, {100, -50});
  const int32_t bias =
      maker.Constant<int32_t>({TensorType::INT32, {2}, {0.125F, 0.0625F}, {0, 0}}, {4, -8});
  const int32_t features = maker.Tensor({TensorType::INT8, {}, {1}, {0}});
  const int32_t row = maker.Tensor({TensorType::INT8, {1, 8}, {1}, {0}});
  const int32_t numbers = maker.Tensor({TensorType::FLOAT32, {}});
  const int32_t weights =
      maker.Constant<float>({TensorType::FLOAT32, {1, 8}}, std::vector<float>(8, 0.25F));
  const int32_t recurrent = maker.Constant<float>({TensorType::FLOAT32, {1, 1}}, {0.5F});
  const int32_t rnn_bias = maker.Floats({1});
  const int32_t state =
      maker.Tensor({.type = TensorType::FLOAT32, .dimensions = {1, 1}, .is_variable = true});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {}});
  maker.Operator(BuiltinOperator::CONV_2D, {image, filter, bias}, {features},
                 tflite::CreateConv2DOptions(maker.builder(), tflite::Padding::VALID, 1, 1,
                                             ActivationFunctionType::RELU));
  maker.Operator(BuiltinOperator::RESHAPE, {features, maker.Int32s({1, -1})}, {row});
  maker.Operator(BuiltinOperator::DEQUANTIZE, {row}, {numbers});
  maker.Operator(BuiltinOperator::RNN, {numbers, weights, recurrent, rnn_bias, state}, {output},
                 tflite::CreateRNNOptions(maker.builder(), ActivationFunctionType::NONE));
  return maker.Finish({image}, {output});
}

}  // namespace nncert
