// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A TensorFlow Lite file as values: what schema.fbs says, with every index and length checked.

#ifndef NNCERT_MLTS_TFLITE_TFLITE_FILE_H_
#define NNCERT_MLTS_TFLITE_TFLITE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mlts/tflite/schema_generated.h"

namespace nncert {

/// Which real numbers the elements of a tensor stand for: scale * (element - zero point). One scale
/// for the whole tensor, one for each index of `dimension`, or none where it is not quantized.
struct TfliteQuantization {
  std::vector<float> scales;
  /// As many as there are scales.
  std::vector<int64_t> zero_points;
  int32_t dimension = 0;
  /// What real numbers are to be expected; empty where the file does not say, and often.
  std::vector<float> lowest;
  std::vector<float> highest;
  /// Whether it is quantized in a way that only some program knows.
  bool is_custom = false;
};

/// A tensor of a file.
struct TfliteTensor {
  /// In printable characters.
  std::string name;
  tflite::TensorType type = tflite::TensorType::FLOAT32;
  /// The dimensions; none for a scalar, and where the file leaves them out. Some may be negative.
  std::vector<int32_t> dimensions;
  /// Whether a tensor without dimensions is a scalar for certain.
  bool has_rank = false;
  /// Keeps its value from one inference to the next.
  bool is_variable = false;
  bool is_sparse = false;
  TfliteQuantization quantization;
  /// Whether it has a value in the file, and the bytes of that. Not more than a span into the file,
  /// of any length.
  bool is_constant = false;
  absl::Span<const uint8_t> data;
  /// Whether its value is in the file, but behind the FlatBuffer, where it is not looked for.
  bool is_outside = false;
};

/// An operator of a file.
struct TfliteOperator {
  /// What it computes: one of the format's numbers, or one that schema.fbs does not know.
  tflite::BuiltinOperator code = tflite::BuiltinOperator::ADD;
  /// The name of what it computes if the code is CUSTOM, in printable characters.
  std::string custom_code;
  /// Indexes of tensors; kOmitted for an input that is left out.
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
  /// The operator's table in the file, for its parameters.
  const tflite::Operator* table = nullptr;
};

/// A file that was read. Not to be copied, for it refers to itself.
class TfliteFile {
 public:
  /// What stands for an operator's input that is left out.
  static constexpr int32_t kOmitted = -1;

  /// Reads the main subgraph of a file. The bytes must outlive it. Whatever they are, this gives a
  /// file all of whose indexes are within bounds, or InvalidArgument.
  static absl::StatusOr<std::unique_ptr<const TfliteFile>> Parse(absl::Span<const uint8_t> bytes);

  TfliteFile(const TfliteFile&) = delete;
  TfliteFile& operator=(const TfliteFile&) = delete;

  /// How many bytes it has.
  size_t size() const { return bytes_.size(); }
  const std::vector<TfliteTensor>& tensors() const { return tensors_; }
  const std::vector<TfliteOperator>& operators() const { return operators_; }
  /// Indexes of the tensors that the network takes and gives; no input is there twice.
  const std::vector<int32_t>& inputs() const { return inputs_; }
  const std::vector<int32_t>& outputs() const { return outputs_; }

 private:
  explicit TfliteFile(absl::Span<const uint8_t> bytes);
  absl::Status Read();
  absl::Status ReadTensor(size_t index, const tflite::Tensor& table, const tflite::Model& model);
  absl::Status ReadOperator(size_t index, const tflite::Operator& table,
                            const tflite::Model& model);
  absl::Status ReadInputsAndOutputs(const tflite::SubGraph& graph);

  // Of bytes that are not where scalars of 8 bytes may be.
  std::vector<uint64_t> aligned_copy_;
  absl::Span<const uint8_t> bytes_;
  std::vector<TfliteTensor> tensors_;
  std::vector<TfliteOperator> operators_;
  std::vector<int32_t> inputs_;
  std::vector<int32_t> outputs_;
};

/// What an operator is called: "CONV_2D", "CUSTOM 'TFLite_Detection_PostProcess'", or "operator
/// code 999" where schema.fbs has no name.
std::string NameOf(const TfliteOperator& op);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_TFLITE_FILE_H_
