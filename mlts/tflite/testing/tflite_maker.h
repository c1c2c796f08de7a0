// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes TensorFlow Lite files for tests.

#ifndef NNCERT_MLTS_TFLITE_TESTING_TFLITE_MAKER_H_
#define NNCERT_MLTS_TFLITE_TESTING_TFLITE_MAKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "mlts/tflite/schema_generated.h"

namespace nncert {

/// A tensor of a file to be made.
struct TensorToMake {
  tflite::TensorType type = tflite::TensorType::FLOAT32;
  /// Left out of the file when empty.
  std::vector<int32_t> dimensions = {};
  std::vector<float> scales = {};
  std::vector<int64_t> zero_points = {};
  int32_t dimension_of_scales = 0;
  bool is_variable = false;
  bool has_rank = false;
};

/// A file of one subgraph under construction. Tensors are called by their indexes.
class TfliteMaker {
 public:
  TfliteMaker();

  /// A tensor without a value in the file.
  int32_t Tensor(const TensorToMake& tensor);
  /// A tensor with these elements.
  template <class Element>
  int32_t Constant(const TensorToMake& tensor, const std::vector<Element>& elements) {
    const auto* first = reinterpret_cast<const uint8_t*>(elements.data());
    return ConstantBytes(tensor, {first, first + elements.size() * sizeof(Element)});
  }
  int32_t ConstantBytes(const TensorToMake& tensor, const std::vector<uint8_t>& bytes);
  /// Constants of INT32 and FLOAT32 of rank 1.
  int32_t Int32s(const std::vector<int32_t>& values);
  int32_t Floats(const std::vector<float>& values);

  /// An operator; -1 among its inputs is one that is left out. Its options, if it has any, are made
  /// with builder(): CreateConv2DOptions(maker.builder(), ...).
  template <class Options>
  void Operator(tflite::BuiltinOperator code, const std::vector<int32_t>& inputs,
                const std::vector<int32_t>& outputs, flatbuffers::Offset<Options> options) {
    Add(code, "", inputs, outputs, tflite::BuiltinOptionsTraits<Options>::enum_value,
        options.Union());
  }
  void Operator(tflite::BuiltinOperator code, const std::vector<int32_t>& inputs,
                const std::vector<int32_t>& outputs);
  void Custom(const std::string& name, const std::vector<int32_t>& inputs,
              const std::vector<int32_t>& outputs);

  flatbuffers::FlatBufferBuilder& builder() { return builder_; }

  /// The file. Nothing may be added afterwards.
  std::vector<uint8_t> Finish(const std::vector<int32_t>& inputs,
                              const std::vector<int32_t>& outputs, uint32_t version = 3);

 private:
  void Add(tflite::BuiltinOperator code, const std::string& custom_code,
           const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs,
           tflite::BuiltinOptions options_type, flatbuffers::Offset<void> options);
  int32_t AddTensor(const TensorToMake& tensor, uint32_t buffer);

  flatbuffers::FlatBufferBuilder builder_;
  std::vector<flatbuffers::Offset<tflite::Tensor>> tensors_;
  std::vector<flatbuffers::Offset<tflite::Buffer>> buffers_;
  std::vector<flatbuffers::Offset<tflite::OperatorCode>> codes_;
  std::vector<flatbuffers::Offset<tflite::Operator>> operators_;
};

/// A valid file of a few hundred bytes: a convolution of INT8 with a scale for each channel, whose
/// result becomes floats and goes through an RNN with its state.
std::vector<uint8_t> SmallTfliteFile();

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_TESTING_TFLITE_MAKER_H_
