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

/// What names the level to use instead of the greatest one, for those who compare levels.
inline constexpr char kLevelVariable[] = "NNCERT_PROCESSOR_LEVEL";

/// The kernels of the greatest level that this machine has, or of the one that the environment
/// variable kLevelVariable names when the process first asks; the program ends with a message when
/// that is no level that this machine has.
const Kernels& BestKernels();

}  // namespace nncert::hot

#endif  // NNCERT_REFERENCE_FAST_HOT_LEVELS_H_
