// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Labelled sounds: how loud each band of frequencies is over time, for one kind of tone made by
// chance. They are made of integers alone, so they are the same with every compiler, on every
// processor.

#ifndef NNCERT_MLTS_TRAINING_TONE_FRAMES_H_
#define NNCERT_MLTS_TRAINING_TONE_FRAMES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mlts/training/data_split.h"

namespace nncert {

/// How many bands of frequencies there are, four an octave, and how many frames a sound has.
inline constexpr uint32_t kToneBands = 16;
inline constexpr uint32_t kToneFrames = 24;

/// How many kinds of tone there are: labels are below it.
inline constexpr uint32_t kToneCount = 8;

/// The name of the kind of a label below kToneCount: "vibrato".
std::string_view ToneName(uint32_t label);

/// The loudness of each band, 0 for silence.
using ToneFrame = std::array<uint8_t, kToneBands>;

/// A sound and of which kind it is.
struct ToneSequence {
  uint32_t label = 0;
  /// kToneFrames of them.
  std::vector<ToneFrame> frames;
};

/// The sound of this number: a tone of the kind `index` % kToneCount with an octave above it, of a
/// pitch, length and loudness of chance, with a pitch that is not quite kept, in noise, and with
/// frames that are lost.
ToneSequence MakeTone(DataSplit split, uint64_t index);

/// The real number that stands for a loudness: in [0, 2), and exact in half precision.
constexpr float ToneInputValue(uint8_t loudness) { return static_cast<float>(loudness) / 128.F; }

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_TONE_FRAMES_H_
