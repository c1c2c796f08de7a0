// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// train_networks FILE trains the networks that nncert has built in and writes their parameters as
// C++ source: the definitions of trained_parameters.h. The build runs it, so it is to take no more
// than a quarter of a minute, on one processor.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <ios>
#include <string>
#include <vector>

#include "mlts/training/adam.h"
#include "mlts/training/data_split.h"
#include "mlts/training/lstm_network.h"
#include "mlts/training/lstm_trainer.h"
#include "mlts/training/quantization.h"
#include "mlts/training/separable_network.h"
#include "mlts/training/separable_trainer.h"
#include "mlts/training/shape_images.h"
#include "mlts/training/tone_frames.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

// What the first weights of each network are made of.
constexpr uint64_t kShapeSeed = 2026;
constexpr uint64_t kToneSeed = 7;

// Samples as trainers take them.
struct Batch {
  std::vector<float> values;
  std::vector<uint32_t> labels;
};

Batch ShapeBatch(DataSplit split, uint64_t first, size_t count) {
  Batch batch;
  for (size_t i = 0; i < count; ++i) {
    const ShapeImage image = DrawShape(split, first + i);
    batch.labels.push_back(image.label);
    for (const uint8_t byte : image.pixels) batch.values.push_back(ShapeInputValue(byte));
  }
  return batch;
}

Batch ToneBatch(DataSplit split, uint64_t first, size_t count) {
  Batch batch;
  batch.values.resize(count * kToneFrames * kToneBands);
  for (size_t i = 0; i < count; ++i) {
    const ToneSequence tone = MakeTone(split, first + i);
    batch.labels.push_back(tone.label);
    for (size_t frame = 0; frame < kToneFrames; ++frame) {
      std::transform(
          tone.frames[frame].begin(), tone.frames[frame].end(),
          batch.values.begin() + static_cast<std::ptrdiff_t>((frame * count + i) * kToneBands),
          ToneInputValue);
    }
  }
  return batch;
}

// How a network is trained: on so many batches of samples that are never seen again.
struct Schedule {
  int batches;
  size_t batch_size;
  // The highest rate of Adam, which is reached after 50 batches and then falls to 0 as a cosine.
  double rate;

  float RateAt(int batch) const {
    constexpr double kPi = 3.14159265358979323846;
    const double done = static_cast<double>(batch) / batches;
    return static_cast<float>(rate * std::min(1., (batch + 1) / 50.) * (1 + std::cos(kPi * done)) /
                              2);
  }
};

// A gradient longer than that is shortened: one strange batch should not throw training off.
void LimitLength(std::vector<float>& gradient) {
  double square = 0;
  for (const float derivative : gradient) square += double{derivative} * double{derivative};
  if (square <= 1) return;
  const auto factor = static_cast<float>(1 / std::sqrt(square));
  for (float& derivative : gradient) derivative *= factor;
}

// Trains from `parameters` on; `gradient_of` is a trainer's.
template <class BatchOf, class GradientOf>
void Train(const Schedule& schedule, std::vector<float>& parameters, BatchOf batch_of,
           GradientOf gradient_of) {
  Adam adam(parameters.size());
  std::vector<float> gradient;
  for (int i = 0; i < schedule.batches; ++i) {
    const Batch batch = batch_of(
        DataSplit::TRAINING, static_cast<uint64_t>(i) * schedule.batch_size, schedule.batch_size);
    gradient_of(batch, gradient);
    LimitLength(gradient);
    adam.Step(gradient, schedule.RateAt(i), parameters);
  }
}

struct TrainedShapes {
  std::vector<float> parameters;
  std::vector<TensorRange> ranges;
};

TrainedShapes TrainShapes() {
  const std::vector<Layer> layers = ShapeLayers();
  SeparableTrainer<float> trainer(layers, Normalization::BATCH);
  SplitMix64 random(kShapeSeed);
  std::vector<float> parameters = trainer.InitialParameters(random);
  Train({.batches = 700, .batch_size = 32, .rate = 0.03}, parameters, ShapeBatch,
        [&](const Batch& batch, std::vector<float>& gradient) {
          trainer.Gradient(parameters, batch.values, batch.labels, gradient);
        });

  const Batch calibration = ShapeBatch(DataSplit::CALIBRATION, 0, 500);
  trainer.Run(parameters, calibration.values);
  TrainedShapes trained = {.parameters = trainer.Folded(parameters), .ranges = {}};
  SeparableTrainer<float> folded(layers, Normalization::NONE);
  folded.Run(trained.parameters, calibration.values);
  for (size_t i = 0; i < layers.size(); ++i) trained.ranges.push_back(RangeOf(folded.output(i)));
  return trained;
}

std::vector<float> TrainTones() {
  LstmTrainer<float> trainer(kToneNetwork);
  SplitMix64 random(kToneSeed);
  std::vector<float> parameters = trainer.InitialParameters(random);
  Train({.batches = 1500, .batch_size = 32, .rate = 0.02}, parameters, ToneBatch,
        [&](const Batch& batch, std::vector<float>& gradient) {
          trainer.Gradient(parameters, batch.values, batch.labels, gradient);
        });
  return parameters;
}

void WriteFloats(std::ostream& out, const char* name, const std::vector<float>& values) {
  out << "constexpr float " << name << "[] = {";
  for (size_t i = 0; i < values.size(); ++i) out << (i % 8 == 0 ? "\n" : "") << values[i] << "F,";
  out << "};\n";
}

bool WriteSource(const std::string& path, const TrainedShapes& shapes,
                 const std::vector<float>& tones) {
  std::ofstream out(path);
  // Hexadecimal: what is read is what was written.
  out << std::hexfloat;
  out << "// Written by mlts/training/train_networks.cc.\n\n"
         "#include \"mlts/training/trained_parameters.h\"\n\n"
         "namespace nncert {\nnamespace {\n\n";
  WriteFloats(out, "kShapes", shapes.parameters);
  WriteFloats(out, "kTones", tones);
  out << "constexpr TensorRange kRanges[] = {\n";
  for (const TensorRange& range : shapes.ranges) {
    out << "{" << range.lowest << "F, " << range.highest << "F},\n";
  }
  out << "};\n\n}  // namespace\n\n"
         "absl::Span<const float> ShapeParameters() { return kShapes; }\n"
         "absl::Span<const TensorRange> ShapeRanges() { return kRanges; }\n"
         "absl::Span<const float> ToneParameters() { return kTones; }\n\n"
         "}  // namespace nncert\n";
  out.close();
  return out.good();
}

}  // namespace
}  // namespace nncert

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: train_networks FILE; it takes one argument, not %d\n", argc - 1);
    return 2;
  }
  if (!nncert::WriteSource(argv[1], nncert::TrainShapes(), nncert::TrainTones())) {
    std::fprintf(stderr, "%s: cannot write the file\n", argv[1]);
    return 2;
  }
  return 0;
}
