// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/tone_frames.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "system/digest.h"

namespace nncert {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

constexpr std::array<DataSplit, 4> kSplits = {DataSplit::TRAINING, DataSplit::CALIBRATION,
                                              DataSplit::VALIDATION, DataSplit::HELD_OUT};

TEST(ToneFramesTest, sounds_are_the_same_for_ever) {
  Digest digest;
  for (const DataSplit split : kSplits) {
    for (uint64_t index = 0; index < 80; ++index) {
      for (const ToneFrame& frame : MakeTone(split, index).frames) digest.Add(frame);
    }
  }
  // Accuracies of different machines and times can be compared as long as this stays.
  EXPECT_EQ(digest.value(), 7816832744400373611U);
}

TEST(ToneFramesTest, every_kind_comes_equally_often) {
  std::array<int, kToneCount> counts = {};
  for (uint64_t index = 0; index < 200; ++index) {
    const ToneSequence tone = MakeTone(DataSplit::HELD_OUT, index);
    EXPECT_THAT(tone.frames, SizeIs(kToneFrames));
    ASSERT_LT(tone.label, kToneCount);
    ++counts[tone.label];
  }
  EXPECT_THAT(counts, Each(25));
}

TEST(ToneFramesTest, no_sound_comes_twice_and_none_is_in_two_splits) {
  std::set<std::vector<ToneFrame>> sounds;
  for (const DataSplit split : kSplits) {
    for (uint64_t index = 0; index < 300; ++index) sounds.insert(MakeTone(split, index).frames);
  }
  EXPECT_THAT(sounds, SizeIs(300 * kSplits.size()));
}

// The band that is loudest on average among some frames.
double MiddleOf(const ToneSequence& tone, size_t first, size_t end) {
  double sum = 0;
  double total = 0;
  for (size_t frame = first; frame < end; ++frame) {
    for (size_t band = 0; band < kToneBands; ++band) {
      // What is loud counts, noise hardly does.
      const double weight = static_cast<double>(tone.frames[frame][band]) *
                            tone.frames[frame][band] * tone.frames[frame][band];
      sum += weight * static_cast<double>(band);
      total += weight;
    }
  }
  return sum / std::max(total, 1.);
}

TEST(ToneFramesTest, what_is_called_rising_rises_and_what_is_called_falling_falls) {
  for (uint32_t label = 0; label < kToneCount; ++label) {
    if (ToneName(label) != "rising" && ToneName(label) != "falling") continue;
    int rising = 0;
    for (uint64_t i = 0; i < 100; ++i) {
      const ToneSequence tone = MakeTone(DataSplit::HELD_OUT, i * kToneCount + label);
      // Every sound has begun by frame 4 and lasts until frame 15 at the least.
      if (MiddleOf(tone, 11, 15) > MiddleOf(tone, 4, 8)) ++rising;
    }
    const int right = ToneName(label) == "rising" ? rising : 100 - rising;
    EXPECT_GT(right, 85) << ToneName(label);
  }
}

TEST(ToneFramesTest, names_are_different) {
  std::set<std::string_view> names;
  for (uint32_t label = 0; label < kToneCount; ++label) names.insert(ToneName(label));
  EXPECT_THAT(names, SizeIs(kToneCount));
}

}  // namespace
}  // namespace nncert
