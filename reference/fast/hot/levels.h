// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_FAST_HOT_LEVELS_H_
#define NNCERT_REFERENCE_FAST_HOT_LEVELS_H_

#include <string_view>

#include "absl/types/span.h"
#include "reference/fast/hot/kernels.h"

namespace nncert::hot {

/// The kernels as compiled for one instruction level.
struct Level {
  /// "baseline", or a microarchitecture level of the x86-64 psABI: "x86-64-v3".
  std::string_view name;
  const Kernels* kernels;
  /// Whether this machine has all instructions of the level.
  bool is_available;
};

/// All levels of this processor architecture, from the least to the greatest. The first one,
/// "baseline", is always available.
absl::Span<const Level> Levels();

/// The kernels of the greatest level that this machine has, unless there is an OnLevel.
const Kernels& BestKernels();

/// While it lives, BestKernels() are those of a level that this machine has, for those who compare
/// levels. One at a time, and neither begun nor ended while kernels run or a graph is prepared
/// whose weights they have packed.
class OnLevel {
 public:
  explicit OnLevel(const Level& level);
  ~OnLevel();
  OnLevel(const OnLevel&) = delete;
  OnLevel& operator=(const OnLevel&) = delete;
};

}  // namespace nncert::hot

#endif  // NNCERT_REFERENCE_FAST_HOT_LEVELS_H_
