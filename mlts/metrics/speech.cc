// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/speech.h"

#include <cmath>
#include <limits>

#include "mlts/metrics/differences.h"

namespace nncert {

double MelCepstralDistance(const Speech& speech, const Speech& golden) {
  double squares = 0;
  for (size_t inference = 0; inference < speech.size(); ++inference) {
    for (size_t frame = 0; frame < kFramesOfInference; ++frame) {
      for (size_t amplitude = 1; amplitude < kAmplitudes; ++amplitude) {
        const size_t i = frame * kFrameSize + amplitude;
        const double difference = DifferenceOf(speech[inference][i], golden[inference][i]);
        squares += difference * difference;
      }
    }
  }
  if (speech.empty()) return 0;
  const size_t count = speech.size() * kFramesOfInference * (kAmplitudes - 1);
  return std::sqrt(squares / static_cast<double>(count));
}

double LogF0Error(const Speech& speech, const Speech& golden) {
  constexpr size_t kLogF0 = kAmplitudes + kAperiodicities;
  constexpr size_t kVoicing = kLogF0 + 1;
  double squares = 0;
  size_t voiced = 0;
  for (size_t inference = 0; inference < speech.size(); ++inference) {
    for (size_t frame = 0; frame < kFramesOfInference; ++frame) {
      const size_t start = frame * kFrameSize;
      const double voicing = speech[inference][start + kVoicing];
      const double golden_voicing = golden[inference][start + kVoicing];
      if (std::isnan(voicing) != std::isnan(golden_voicing)) {
        return std::numeric_limits<double>::infinity();
      }
      if (!(voicing > 0 && golden_voicing > 0)) continue;
      const double difference =
          DifferenceOf(speech[inference][start + kLogF0], golden[inference][start + kLogF0]);
      squares += difference * difference;
      ++voiced;
    }
  }
  return voiced == 0 ? 0 : std::sqrt(squares / static_cast<double>(voiced));
}

}  // namespace nncert
