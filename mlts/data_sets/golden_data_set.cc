// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/golden_data_set.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "mlts/tensor_format.h"
#include "system/file_content.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

static_assert(std::endian::native == std::endian::little,
              "golden files are little-endian, and are not converted");

// An input or output with how its files store it.
struct StoredFormat {
  TensorFormat format;
  // Whether the files have floats, and the network halves.
  bool are_halves_of_floats = false;
};

absl::StatusOr<std::vector<StoredFormat>> StoredFormatsOf(
    const Network& network, const std::string& what,
    const absl::StatusOr<std::vector<TensorFormat>>& formats, uint32_t data_size) {
  if (!formats.ok()) return formats.status();
  std::vector<StoredFormat> stored;
  for (size_t i = 0; i < formats->size(); ++i) {
    const TensorFormat& format = (*formats)[i];
    const bool are_halves = format.type == OperandType::TENSOR_FLOAT16 && data_size == 4;
    const uint32_t size = hal::nonExtensionElementSize(format.type);
    if (data_size != 0 && size != data_size && !are_halves) {
      return absl::InvalidArgumentError(
          absl::StrCat(network.name, ": golden files have elements of ", data_size, " bytes; ",
                       what, " ", i, " is ", hal::V1_2::toString(format.type)));
    }
    stored.push_back({format, are_halves});
  }
  return stored;
}

// The bytes of the part of a file that is for one inference, as the network has them.
absl::StatusOr<TensorBytes> Convert(const StoredFormat& stored, absl::Span<const uint8_t> part) {
  if (!stored.are_halves_of_floats) return TensorBytes(part.begin(), part.end());
  if (part.size() % sizeof(float) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(part.size(), " bytes are no whole number of floats"));
  }
  std::vector<float> values(part.size() / sizeof(float));
  if (!part.empty()) std::memcpy(values.data(), part.data(), part.size());
  return BytesOf(stored.format, values);
}

class GoldenDataSet : public DataSet {
 public:
  GoldenDataSet(std::vector<GoldenFiles> sequences, std::vector<StoredFormat> inputs,
                std::vector<StoredFormat> outputs)
      : sequences_(std::move(sequences)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)) {}

  size_t size() const override { return sequences_.size(); }

  absl::StatusOr<Sequence> Read(size_t index) const override {
    const GoldenFiles& files = sequences_[index];
    if (files.inputs.size() != inputs_.size() || files.inputs.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          files.inputs.empty() ? files.name : files.inputs[0], ": there are ", files.inputs.size(),
          " input files, and the network has ", inputs_.size(), " inputs"));
    }
    if (!files.outputs.empty() && files.outputs.size() != outputs_.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(files.outputs[0], ": there are ", files.outputs.size(),
                       " golden files, and the network has ", outputs_.size(), " outputs"));
    }
    Sequence sequence;
    sequence.name = files.name;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (absl::Status status = ReadInput(files, i, sequence); !status.ok()) return status;
    }
    if (!files.outputs.empty()) sequence.golden_outputs.resize(sequence.inputs.size());
    for (size_t i = 0; i < files.outputs.size(); ++i) {
      if (absl::Status status = ReadOutput(files, i, sequence); !status.ok()) return status;
    }
    return sequence;
  }

 private:
  // Appends a file's parts to the elements of `inferences`, of which there are as many.
  static absl::Status Divide(const std::string& path, const std::vector<uint8_t>& file,
                             const StoredFormat& stored,
                             std::vector<std::vector<TensorBytes>>& inferences) {
    const size_t part = file.size() / inferences.size();
    for (size_t i = 0; i < inferences.size(); ++i) {
      absl::StatusOr<TensorBytes> bytes =
          Convert(stored, absl::MakeConstSpan(file).subspan(i * part, part));
      if (!bytes.ok()) {
        return absl::InvalidArgumentError(absl::StrCat(path, ": ", bytes.status().message()));
      }
      inferences[i].push_back(*std::move(bytes));
    }
    return absl::OkStatus();
  }

  // The bytes of a file that one inference takes.
  static uint64_t StoredSize(const StoredFormat& stored, uint32_t size) {
    return stored.are_halves_of_floats ? uint64_t{size} * 2 : size;
  }

  absl::Status ReadInput(const GoldenFiles& files, size_t input, Sequence& sequence) const {
    const std::string& path = files.inputs[input];
    const absl::StatusOr<std::vector<uint8_t>> file = ReadFileBytes(path);
    if (!file.ok()) return file.status();
    // Known, for OpenGoldenFiles has looked.
    const uint64_t size = StoredSize(inputs_[input], ByteSizeOf(inputs_[input].format).value_or(0));
    if (file->empty() || file->size() % size != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": has ", file->size(), " bytes, where an inference takes ", size));
    }
    const size_t inferences = file->size() / size;
    if (input == 0) sequence.inputs.resize(inferences);
    if (sequence.inputs.size() != inferences) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": is of ", inferences,
                                                     " inferences, and ", files.inputs[0], " of ",
                                                     sequence.inputs.size()));
    }
    return Divide(path, *file, inputs_[input], sequence.inputs);
  }

  absl::Status ReadOutput(const GoldenFiles& files, size_t output, Sequence& sequence) const {
    const std::string& path = files.outputs[output];
    const absl::StatusOr<std::vector<uint8_t>> file = ReadFileBytes(path);
    if (!file.ok()) return file.status();
    const size_t inferences = sequence.golden_outputs.size();
    const std::optional<uint32_t> size = ByteSizeOf(outputs_[output].format);
    const uint64_t expected =
        size ? StoredSize(outputs_[output], *size) * inferences : file->size();
    if (file->size() != expected || file->size() % inferences != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": has ", file->size(), " bytes, where ", inferences,
                       " inferences give ", size ? absl::StrCat(expected) : "as many each"));
    }
    return Divide(path, *file, outputs_[output], sequence.golden_outputs);
  }

  const std::vector<GoldenFiles> sequences_;
  const std::vector<StoredFormat> inputs_;
  const std::vector<StoredFormat> outputs_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const DataSet>> OpenGoldenFiles(std::vector<GoldenFiles> sequences,
                                                               uint32_t data_size,
                                                               const Network& network) {
  absl::StatusOr<std::vector<StoredFormat>> inputs =
      StoredFormatsOf(network, "input", InputFormatsOf(network), data_size);
  if (!inputs.ok()) return inputs.status();
  absl::StatusOr<std::vector<StoredFormat>> outputs =
      StoredFormatsOf(network, "output", OutputFormatsOf(network), data_size);
  if (!outputs.ok()) return outputs.status();
  for (const StoredFormat& input : *inputs) {
    const std::optional<uint32_t> size = ByteSizeOf(input.format);
    if (!size || *size == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(network.name,
                       ": golden files cannot be divided into inferences, for an "
                       "input is of unknown size: ",
                       hal::dimensionsToString(input.format.dimensions)));
    }
  }
  return std::make_shared<GoldenDataSet>(std::move(sequences), *std::move(inputs),
                                         *std::move(outputs));
}

}  // namespace nncert
