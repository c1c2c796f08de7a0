// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/embedded_benchmarks.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mlts/training/data_split.h"
#include "mlts/training/network_models.h"
#include "mlts/training/separable_network.h"
#include "mlts/training/shape_images.h"
#include "mlts/training/tone_frames.h"
#include "mlts/training/trained_parameters.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

absl::Status CheckIndex(size_t index, size_t size) {
  if (index < size) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrCat("there is no sequence ", index, "; there are ", size, ", counted from 0"));
}

// Held-out images as a tensor of this type.
class ShapeDataSet : public DataSet {
 public:
  explicit ShapeDataSet(OperandType type) : type_(type) {}

  size_t size() const override { return 500; }

  absl::StatusOr<Sequence> Read(size_t index) const override {
    if (absl::Status status = CheckIndex(index, size()); !status.ok()) return status;
    ShapeImage image = DrawShape(DataSplit::HELD_OUT, index);
    TensorBytes bytes;
    if (type_ == OperandType::TENSOR_QUANT8_ASYMM) {
      // Such networks take bytes as they are (kImageQuantization).
      bytes = std::move(image.pixels);
    } else {
      std::vector<double> values;
      values.reserve(image.pixels.size());
      for (const uint8_t pixel : image.pixels) values.push_back(ShapeInputValue(pixel));
      bytes = BytesOf(type_, values);
    }
    return Sequence{.name = absl::StrCat(std::string(ShapeName(image.label)), "-", index),
                    .inputs = {{std::move(bytes)}},
                    .golden_outputs = {},
                    .label = image.label};
  }

 private:
  OperandType type_;
};

// Held-out sounds, a frame at a time, in TENSOR_FLOAT32.
class ToneDataSet : public DataSet {
 public:
  size_t size() const override { return 200; }

  absl::StatusOr<Sequence> Read(size_t index) const override {
    if (absl::Status status = CheckIndex(index, size()); !status.ok()) return status;
    const ToneSequence tone = MakeTone(DataSplit::HELD_OUT, index);
    Sequence sequence = {.name = absl::StrCat(std::string(ToneName(tone.label)), "-", index),
                         .inputs = {},
                         .golden_outputs = {},
                         .label = tone.label};
    for (const ToneFrame& frame : tone.frames) {
      std::vector<double> values;
      for (const uint8_t loudness : frame) values.push_back(ToneInputValue(loudness));
      sequence.inputs.push_back({BytesOf(OperandType::TENSOR_FLOAT32, values)});
    }
    return sequence;
  }
};

// Adds a benchmark of a network that is named like it; the networks that are built in are what this
// program expects, or it was built wrongly.
absl::Status Add(absl::StatusOr<Network> network, std::shared_ptr<const DataSet> data,
                 std::vector<Benchmark>& benchmarks) {
  if (!network.ok()) return absl::InternalError(network.status().message());
  Benchmark& benchmark = benchmarks.emplace_back();
  benchmark.name = network->name;
  benchmark.network = *std::move(network);
  benchmark.data = std::move(data);
  benchmark.evaluator = Evaluator::TOP_K;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Benchmark>> EmbeddedBenchmarks() {
  struct Form {
    const char* name;
    NetworkForm form;
    OperandType input;
  };
  std::vector<Benchmark> benchmarks;
  for (const Form& form :
       {Form{"shapes_float", NetworkForm::FLOAT, OperandType::TENSOR_FLOAT32},
        Form{"shapes_relaxed", NetworkForm::RELAXED, OperandType::TENSOR_FLOAT32},
        Form{"shapes_float16", NetworkForm::FLOAT16, OperandType::TENSOR_FLOAT16},
        Form{"shapes_quant8", NetworkForm::QUANT8, OperandType::TENSOR_QUANT8_ASYMM},
        Form{"shapes_per_channel", NetworkForm::PER_CHANNEL, OperandType::TENSOR_QUANT8_ASYMM}}) {
    absl::Status status = Add(
        MakeSeparableNetwork(form.name, ShapeLayers(), ShapeParameters(), ShapeRanges(), form.form),
        std::make_shared<ShapeDataSet>(form.input), benchmarks);
    if (!status.ok()) return status;
  }
  absl::Status status = Add(MakeLstmNetwork("tones_lstm", kToneNetwork, ToneParameters()),
                            std::make_shared<ToneDataSet>(), benchmarks);
  if (!status.ok()) return status;
  return benchmarks;
}

}  // namespace nncert
