// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The checks of compilation caching, each as a step that can be made of any model.

#ifndef NNCERT_HAL_TESTS_CACHING_CACHING_CHECKS_H_
#define NNCERT_HAL_TESTS_CACHING_CACHING_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hal/v1_2/interfaces.h"
#include "hal_tests/caching/cached_case.h"
#include "hal_tests/check.h"

namespace nncert {

/// The most files of either kind that a driver may ask for.
inline constexpr auto kMostCacheFiles =
    static_cast<uint32_t>(hal::V1_2::Constant::MAX_NUMBER_OF_CACHE_FILES);

/// What the checks of one test are made with.
struct CachingScene {
  CachedCase& own;
  /// Another model, and the model with other constants; null where the test is about one alone.
  CachedCase* other = nullptr;
  CachedCase* changed = nullptr;
  /// What getNumberOfCacheFilesNeeded said first.
  hal::V1_2::GetNumberOfCacheFilesNeededResult needed = {};
};

/// What a check came to.
struct CachingOutcome {
  /// Set when it failed.
  std::optional<Problem> problem = std::nullopt;
  /// What was done then.
  std::string what = {};
  /// Whether it was made; else the driver does not have what it takes.
  bool is_made = true;
};

/// What a check takes, each of these all that comes before as well.
enum class Needs {
  kDevice,     ///< nothing but a device
  kModel,      ///< a model that the driver supports
  kFiles,      ///< a driver that asks for cache files
  kRetrieval,  ///< a driver that gives what it has saved
  kPair,       ///< the same, and both a model cache and a data cache
};

/// Which tests have a check.
enum class Scope {
  kEvery,      ///< all
  kKind,       ///< one for each combination of operations and types
  kOperation,  ///< one for each operation
  kChain,      ///< those of models that are there for this suite
};

/// A check of the suite.
struct CachingCheck {
  Check check;
  Needs needs = Needs::kRetrieval;
  Scope scope = Scope::kEvery;
  CachingOutcome (*make)(CachingScene& scene) = nullptr;
};

/// The check that a cache gives the model that was saved in it, which others build on.
inline constexpr std::string_view kSavingAndRetrieval = "CacheSavingAndRetrieval";

/// All of them, in the order in which a test makes them.
absl::Span<const CachingCheck> AllCachingChecks();

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CACHING_CACHING_CHECKS_H_
