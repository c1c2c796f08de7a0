// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/speech.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace nncert {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where these are in a frame.
constexpr size_t kLogF0 = 47;
constexpr size_t kVoicing = 48;

// So many inferences of silence.
Speech Silence(size_t inferences) {
  return Speech(inferences, std::vector<double>(kSpeechSize, 0));
}

TEST(SpeechTest, FrameIsOf49Numbers) {
  EXPECT_EQ(kFrameSize, 49);
  EXPECT_EQ(kSpeechSize, 196);
}

TEST(SpeechTest, SameSpeechHasNoErrors) {
  EXPECT_EQ(MelCepstralDistance(Silence(2), Silence(2)), 0);
  EXPECT_EQ(LogF0Error(Silence(2), Silence(2)), 0);
}

TEST(SpeechTest, NoSpeechHasNoErrors) {
  EXPECT_EQ(MelCepstralDistance({}, {}), 0);
  EXPECT_EQ(LogF0Error({}, {}), 0);
}

TEST(SpeechTest, DistanceIsOfAmplitudesButTheFirst) {
  Speech speech = Silence(2);
  for (size_t frame = 0; frame < 4; ++frame) speech[0][frame * 49] = 100;
  for (size_t i = 40; i < 49; ++i) speech[0][i] = 100;
  EXPECT_EQ(MelCepstralDistance(speech, Silence(2)), 0);
  speech[0][1] = 3;
  speech[1][3 * 49 + 39] = -4;
  EXPECT_DOUBLE_EQ(MelCepstralDistance(speech, Silence(2)), std::sqrt(25.0 / (2 * 4 * 39)));
}

TEST(SpeechTest, PitchIsComparedWhereBothAreVoiced) {
  Speech speech = Silence(1);
  Speech golden = Silence(1);
  for (size_t frame = 0; frame < 4; ++frame) {
    speech[0][frame * 49 + kLogF0] = 5;
    golden[0][frame * 49 + kLogF0] = 3;
  }
  EXPECT_EQ(LogF0Error(speech, golden), 0);
  speech[0][kVoicing] = 0.1;
  golden[0][49 + kVoicing] = 0.1;
  EXPECT_EQ(LogF0Error(speech, golden), 0);
  golden[0][kVoicing] = 0.1;
  EXPECT_DOUBLE_EQ(LogF0Error(speech, golden), 2);
  speech[0][49 + kVoicing] = 0.1;
  speech[0][49 + kLogF0] = 3;
  EXPECT_DOUBLE_EQ(LogF0Error(speech, golden), std::sqrt(2.0));
}

TEST(SpeechTest, NanIsInfinitelyFar) {
  Speech speech = Silence(1);
  speech[0][5] = kNan;
  EXPECT_EQ(MelCepstralDistance(speech, Silence(1)), kInfinity);
  speech = Silence(1);
  speech[0][kVoicing] = kNan;
  EXPECT_EQ(LogF0Error(speech, Silence(1)), kInfinity);
  Speech voiced = Silence(1);
  voiced[0][kVoicing] = 1;
  speech = voiced;
  speech[0][kLogF0] = kNan;
  EXPECT_EQ(LogF0Error(speech, voiced), kInfinity);
}

}  // namespace
}  // namespace nncert
