// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How far synthesized speech is from the golden one, as MLTS measures it (its evaluator
// MelCepLogF0).
//
// An inference gives 4 frames of 49 numbers: 40 amplitudes, 7 of aperiodicity, the logarithm of the
// pitch (log F0), and whether the frame is voiced (above 0). All are as the vocoder takes them,
// with their normalization undone.
//
// MLTS lets a NaN pass, for it is not above any limit. Here it makes the figure infinite, as
// DifferenceOf has it.

#ifndef NNCERT_MLTS_METRICS_SPEECH_H_
#define NNCERT_MLTS_METRICS_SPEECH_H_

#include <cstddef>
#include <vector>

namespace nncert {

/// What an inference gives.
inline constexpr size_t kFramesOfInference = 4;
inline constexpr size_t kAmplitudes = 40;
inline constexpr size_t kAperiodicities = 7;
inline constexpr size_t kFrameSize = kAmplitudes + kAperiodicities + 2;
inline constexpr size_t kSpeechSize = kFramesOfInference * kFrameSize;

/// The output of each inference of an utterance, of kSpeechSize elements each.
using Speech = std::vector<std::vector<double>>;

/// The root of the mean square difference of the amplitudes but the first of each frame, which is
/// the frame's energy. `golden` must have as many inferences as `speech`; 0 of none.
double MelCepstralDistance(const Speech& speech, const Speech& golden);

/// The root of the mean square difference of the logarithm of the pitch, over the frames that are
/// voiced in both; 0 when there are none. A frame in which one of the two has no number for whether
/// it is voiced makes it infinite.
double LogF0Error(const Speech& speech, const Speech& golden);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_SPEECH_H_
