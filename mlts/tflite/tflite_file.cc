// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/tflite_file.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

// The format is at version 3 since 2017, and TensorFlow Lite reads no other.
constexpr uint32_t kVersion = 3;
// Room enough for networks of a million operators; the default of the library.
constexpr flatbuffers::uoffset_t kMostTables = 1'000'000;
constexpr flatbuffers::uoffset_t kMostNesting = 64;

std::string Printable(const flatbuffers::String* text) {
  return text == nullptr ? "" : absl::Utf8SafeCEscape({text->c_str(), text->size()});
}

// The verifier sees to it that a vector lies within the file and that its length is aligned, not
// that elements of eight bytes are.
template <class Element>
std::vector<Element> Copy(const flatbuffers::Vector<Element>* elements) {
  if (elements == nullptr || elements->size() == 0) return {};
  std::vector<Element> copy(elements->size());
  std::memcpy(copy.data(), elements->Data(), copy.size() * sizeof(Element));
  for (Element& element : copy) element = flatbuffers::EndianScalar(element);
  return copy;
}

absl::Status CheckTensorIndex(int32_t index, size_t tensors, std::string_view what) {
  if (index >= 0 && static_cast<size_t>(index) < tensors) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(what), " is tensor ", index, "; there are ", tensors, " tensors"));
}

absl::StatusOr<TfliteQuantization> QuantizationOf(const tflite::QuantizationParameters* table) {
  TfliteQuantization quantization;
  if (table == nullptr) return quantization;
  quantization.scales = Copy(table->scale());
  quantization.zero_points = Copy(table->zero_point());
  quantization.dimension = table->quantized_dimension();
  quantization.lowest = Copy(table->min());
  quantization.highest = Copy(table->max());
  quantization.is_custom = table->details_type() != 0;
  // One zero point, or none at all, may stand for all scales.
  std::vector<int64_t>& zero_points = quantization.zero_points;
  const size_t scales = quantization.scales.size();
  if (zero_points.empty() || (zero_points.size() == 1 && scales > 1)) {
    zero_points.resize(scales, zero_points.empty() ? 0 : zero_points[0]);
  }
  if (scales == 0) zero_points.clear();
  if (zero_points.size() != scales) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", scales, " scales and ",
                                                   zero_points.size(),
                                                   " zero points; expected as many"));
  }
  return quantization;
}

}  // namespace

TfliteFile::TfliteFile(absl::Span<const uint8_t> bytes) : bytes_(bytes) {
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(uint64_t) == 0 || bytes.empty()) return;
  aligned_copy_.resize((bytes.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t));
  std::memcpy(aligned_copy_.data(), bytes.data(), bytes.size());
  bytes_ = {reinterpret_cast<const uint8_t*>(aligned_copy_.data()), bytes.size()};
}

absl::StatusOr<std::unique_ptr<const TfliteFile>> TfliteFile::Parse(
    absl::Span<const uint8_t> bytes) {
  // Not make_unique: the constructor is private.
  std::unique_ptr<TfliteFile> file(new TfliteFile(bytes));
  if (absl::Status status = file->Read(); !status.ok()) return status;
  return file;
}

absl::Status TfliteFile::Read() {
  // The verifier's own limit is an assertion, and an identifier is read from where it should be.
  if (bytes_.size() < 2 * sizeof(flatbuffers::uoffset_t) + flatbuffers::kFileIdentifierLength ||
      !tflite::ModelBufferHasIdentifier(bytes_.data())) {
    return absl::InvalidArgumentError(absl::StrCat("it is no TensorFlow Lite file: expected \"",
                                                   tflite::ModelIdentifier(), "\" from byte 4 on"));
  }
  if (bytes_.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return absl::InvalidArgumentError(absl::StrCat(
        "it has ", bytes_.size(), " bytes; expected less than ", FLATBUFFERS_MAX_BUFFER_SIZE));
  }
  flatbuffers::Verifier verifier(bytes_.data(), bytes_.size(), kMostNesting, kMostTables);
  if (!tflite::VerifyModelBuffer(verifier)) {
    return absl::InvalidArgumentError(
        "it is truncated or corrupt: its tables do not lie within the file");
  }
  const tflite::Model& model = *tflite::GetModel(bytes_.data());
  if (model.version() != kVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("its schema version is ", model.version(), "; expected ", kVersion));
  }
  if (model.subgraphs() == nullptr || model.subgraphs()->size() == 0 ||
      model.subgraphs()->Get(0) == nullptr) {
    return absl::InvalidArgumentError("it has no subgraph");
  }
  const tflite::SubGraph& graph = *model.subgraphs()->Get(0);
  if (graph.tensors() != nullptr) {
    for (size_t i = 0; i < graph.tensors()->size(); ++i) {
      const auto* table = graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(i));
      if (absl::Status status = ReadTensor(i, *table, model); !status.ok()) return status;
    }
  }
  if (graph.operators() != nullptr) {
    for (size_t i = 0; i < graph.operators()->size(); ++i) {
      const auto* table = graph.operators()->Get(static_cast<flatbuffers::uoffset_t>(i));
      if (absl::Status status = ReadOperator(i, *table, model); !status.ok()) return status;
    }
  }
  return ReadInputsAndOutputs(graph);
}

absl::Status TfliteFile::ReadTensor(size_t index, const tflite::Tensor& table,
                                    const tflite::Model& model) {
  TfliteTensor tensor;
  tensor.name = Printable(table.name());
  tensor.type = table.type();
  tensor.dimensions = Copy(table.shape());
  tensor.has_rank = table.has_rank();
  tensor.is_variable = table.is_variable();
  tensor.is_sparse = table.sparsity() != nullptr;
  absl::StatusOr<TfliteQuantization> quantization = QuantizationOf(table.quantization());
  if (!quantization.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("tensor ", index, ": ", quantization.status().message()));
  }
  tensor.quantization = *std::move(quantization);
  const size_t buffers = model.buffers() == nullptr ? 0 : model.buffers()->size();
  // Files without any constant may do without the empty buffer that 0 calls.
  if (table.buffer() >= buffers && table.buffer() != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tensor ", index, " is in buffer ", table.buffer(), "; there are ", buffers, " buffers"));
  }
  if (table.buffer() != 0) {
    const tflite::Buffer& buffer = *model.buffers()->Get(table.buffer());
    tensor.is_outside = buffer.offset() > 1;
    tensor.is_constant = tensor.is_outside || (buffer.data() != nullptr && buffer.data()->size());
    if (buffer.data() != nullptr) tensor.data = {buffer.data()->data(), buffer.data()->size()};
  }
  tensors_.push_back(std::move(tensor));
  return absl::OkStatus();
}

absl::Status TfliteFile::ReadOperator(size_t index, const tflite::Operator& table,
                                      const tflite::Model& model) {
  const size_t codes = model.operator_codes() == nullptr ? 0 : model.operator_codes()->size();
  if (table.opcode_index() >= codes) {
    return absl::InvalidArgumentError(absl::StrCat("operator ", index, " has operator code ",
                                                   table.opcode_index(), "; there are ", codes));
  }
  const tflite::OperatorCode& code = *model.operator_codes()->Get(table.opcode_index());
  TfliteOperator op;
  op.code = std::max(code.builtin_code(),
                     static_cast<tflite::BuiltinOperator>(code.deprecated_builtin_code()));
  op.custom_code = Printable(code.custom_code());
  op.inputs = Copy(table.inputs());
  op.outputs = Copy(table.outputs());
  op.table = &table;
  for (const int32_t input : op.inputs) {
    if (input == kOmitted) continue;
    if (absl::Status status =
            CheckTensorIndex(input, tensors_.size(), absl::StrCat("an input of operator ", index));
        !status.ok()) {
      return status;
    }
  }
  for (const int32_t output : op.outputs) {
    if (absl::Status status = CheckTensorIndex(output, tensors_.size(),
                                               absl::StrCat("an output of operator ", index));
        !status.ok()) {
      return status;
    }
  }
  operators_.push_back(std::move(op));
  return absl::OkStatus();
}

absl::Status TfliteFile::ReadInputsAndOutputs(const tflite::SubGraph& graph) {
  inputs_ = Copy(graph.inputs());
  outputs_ = Copy(graph.outputs());
  std::set<int32_t> seen;
  for (const int32_t input : inputs_) {
    if (absl::Status status = CheckTensorIndex(input, tensors_.size(), "an input of the network");
        !status.ok()) {
      return status;
    }
    if (!seen.insert(input).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor ", input, " is two inputs of the network; expected one"));
    }
  }
  for (const int32_t output : outputs_) {
    if (absl::Status status = CheckTensorIndex(output, tensors_.size(), "an output of the network");
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

std::string NameOf(const TfliteOperator& op) {
  if (op.code == tflite::BuiltinOperator::CUSTOM) {
    return absl::StrCat("CUSTOM '", op.custom_code, "'");
  }
  const char* const name = tflite::EnumNameBuiltinOperator(op.code);
  return *name == '\0' ? absl::StrCat("operator code ", static_cast<int32_t>(op.code)) : name;
}

}  // namespace nncert
