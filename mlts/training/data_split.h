// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a sample is for: no sample serves two purposes.

#ifndef NNCERT_MLTS_TRAINING_DATA_SPLIT_H_
#define NNCERT_MLTS_TRAINING_DATA_SPLIT_H_

#include <cstdint>

#include "random/split_mix.h"

namespace nncert {

/// What a sample is for. The samples of each purpose are numbered from 0.
enum class DataSplit : uint64_t {
  TRAINING = 1,     ///< weights are fitted to it
  CALIBRATION = 2,  ///< means, variances and ranges of values are taken from it
  VALIDATION = 3,   ///< how hard the data are, rates and numbers of steps were chosen by hand with
                    ///< accuracy on it in sight
  HELD_OUT = 4,     ///< accuracy is measured on it: nothing was fitted to it, and nothing chosen by
                    ///< it
};

/// The random numbers of one sample of the kind that `seed` stands for: none of another sample.
inline SplitMix64 RandomOfSample(uint64_t seed, DataSplit split, uint64_t index) {
  SplitMix64 seeds(seed + static_cast<uint64_t>(split));
  SplitMix64 samples(seeds.Bits());
  samples.Skip(index);
  return SplitMix64(samples.Bits());
}

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_DATA_SPLIT_H_
