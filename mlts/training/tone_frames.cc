// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/tone_frames.h"

#include <algorithm>
#include <cstdlib>

namespace nncert {
namespace {

constexpr uint64_t kSeed = 0x544F4E45'53000000;

// Pitches are in 1/64 of a band, from the middle of the lowest one.
constexpr int32_t kBand = 64;
constexpr int32_t kOctave = 4 * kBand;
constexpr auto kHighest = static_cast<int32_t>(kToneBands - 1) * kBand;

enum Tone : uint32_t { kSteady, kRising, kFalling, kArch, kVibrato, kTremolo, kChord, kNoise };

constexpr std::array<std::string_view, kToneCount> kNames = {
    "steady", "rising", "falling", "arch", "vibrato", "tremolo", "chord", "noise"};

// A wave of straight lines with values from -`height` to `height`.
int32_t Triangle(int32_t time, int32_t period, int32_t height) {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): periods are from 4 to 9.
  const int32_t phase = time % period;
  return std::abs(4 * height * phase / period - 2 * height) - height;
}

class Sound {
 public:
  explicit Sound(SplitMix64& random) : random_(random) {}

  // The frames of a tone of this kind.
  std::vector<ToneFrame> Make(Tone tone) {
    tone_ = tone;
    start_ = random_.Between(0, 4);
    length_ = random_.Between(15, static_cast<int32_t>(kToneFrames) - start_);
    loudness_ = random_.Between(90, 230);
    octave_loudness_ = random_.Between(0, 60);  // in percent of it
    extent_ = random_.Between(3 * kBand / 2, 5 * kBand);
    period_ = random_.Between(4, 9);
    phase_ = random_.Between(0, period_ - 1);
    pitch_ = random_.Between(kBand, kHighest - extent_);
    const int32_t noise = random_.Between(10, 50);
    std::vector<ToneFrame> frames;
    for (int32_t time = 0; time < static_cast<int32_t>(kToneFrames); ++time) {
      frame_ = {};
      if (time >= start_ && time < start_ + length_ && !random_.OneIn(12)) Play(time - start_);
      for (int32_t& band : frame_) band += random_.Between(0, noise);
      frames.emplace_back();
      std::transform(frame_.begin(), frame_.end(), frames.back().begin(),
                     [](int32_t band) { return static_cast<uint8_t>(std::clamp(band, 0, 255)); });
    }
    return frames;
  }

 private:
  // Adds what the tone is at a time since its beginning.
  void Play(int32_t time) {
    const int32_t done = extent_ * time / (length_ - 1);
    switch (tone_) {
      case kSteady:
        return PlayAt(pitch_, loudness_);
      case kRising:
        return PlayAt(pitch_ + done, loudness_);
      case kFalling:
        return PlayAt(pitch_ + extent_ - done, loudness_);
      case kArch:
        return PlayAt(pitch_ + std::min(2 * done, 2 * (extent_ - done)), loudness_);
      case kVibrato:
        return PlayAt(pitch_ + extent_ / 4 + Triangle(time + phase_, period_, extent_ / 4),
                      loudness_);
      case kTremolo:
        return PlayAt(pitch_,
                      loudness_ + Triangle(time + phase_, period_, loudness_ / 2) - loudness_ / 2);
      case kChord:
        PlayAt(pitch_, loudness_);
        return PlayAt(pitch_ + std::max(extent_, 3 * kBand / 2), loudness_);
      case kNoise:
        for (int32_t pitch = pitch_ - kBand; pitch <= pitch_ + extent_; pitch += kBand) {
          AddPartial(pitch, random_.Between(0, loudness_));
        }
        return;
    }
  }

  // Adds a tone and its octave.
  void PlayAt(int32_t pitch, int32_t loudness) {
    pitch += random_.Between(-kBand / 4, kBand / 4);
    AddPartial(pitch, loudness);
    AddPartial(pitch + kOctave, loudness * octave_loudness_ / 100);
  }

  // Bands hear what is less than a band and a half from their middle.
  void AddPartial(int32_t pitch, int32_t loudness) {
    constexpr int32_t kReach = 3 * kBand / 2;
    for (int32_t band = 0; band < static_cast<int32_t>(kToneBands); ++band) {
      const int32_t distance = std::abs(band * kBand - pitch);
      frame_[static_cast<size_t>(band)] += loudness * std::max(0, kReach - distance) / kReach;
    }
  }

  SplitMix64& random_;
  Tone tone_ = kSteady;
  int32_t start_ = 0;
  int32_t length_ = 0;
  int32_t loudness_ = 0;
  int32_t octave_loudness_ = 0;
  // How far the pitch goes, or the sound reaches.
  int32_t extent_ = 0;
  int32_t period_ = 0;
  int32_t phase_ = 0;
  int32_t pitch_ = 0;
  std::array<int32_t, kToneBands> frame_ = {};
};

}  // namespace

std::string_view ToneName(uint32_t label) { return kNames[label]; }

ToneSequence MakeTone(DataSplit split, uint64_t index) {
  SplitMix64 random = RandomOfSample(kSeed, split, index);
  const auto label = static_cast<uint32_t>(index % kToneCount);
  return {.label = label, .frames = Sound(random).Make(static_cast<Tone>(label))};
}

}  // namespace nncert
