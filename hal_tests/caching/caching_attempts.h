// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the checks of compilation caching have in common.

#ifndef NNCERT_HAL_TESTS_CACHING_CACHING_ATTEMPTS_H_
#define NNCERT_HAL_TESTS_CACHING_CACHING_ATTEMPTS_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/compilation_cache.h"
#include "hal/v1_2/types.h"
#include "hal_tests/caching/cache_files.h"
#include "hal_tests/caching/cached_case.h"
#include "hal_tests/caching/caching_checks.h"

namespace nncert {

/// What models are saved under.
inline constexpr hal::V1_2::CacheToken kToken = {1, 2, 3, 4, 5, 6, 7, 8};

/// The check failed when `what` was done.
CachingOutcome Failed(std::string what, Problem problem);

/// It passed unless there is a problem.
CachingOutcome OutcomeOf(std::string what, std::optional<Problem> problem);

/// It could not be made for want of files.
CachingOutcome WithoutFiles(const absl::Status& status);

/// The driver does not have what it takes.
inline constexpr CachingOutcome Unmade() { return {.is_made = false}; }

/// What getNumberOfCacheFilesNeeded gives. Fails as CallThread::Run does.
absl::StatusOr<hal::V1_2::GetNumberOfCacheFilesNeededResult> AskNumberOfCacheFiles(
    DriverSession& session, absl::Duration deadline);

/// New files, as many as the driver asks for, each of `size` random bytes.
absl::StatusOr<CacheFileSet> NewFiles(const CachingScene& scene, size_t size = 0);

/// Gives what a case is saved as under a token; what was wrong with that.
std::optional<Problem> SavedContents(const CachingScene& scene, CachedCase& of,
                                     const hal::V1_2::CacheToken& token,
                                     hal::CompilationCache& contents);

/// What `use` makes of what the scene's own model is saved as under kToken.
CachingOutcome WithSaved(
    const CachingScene& scene,
    absl::FunctionRef<CachingOutcome(const hal::CompilationCache& contents)> use);

/// The same of files that hold it.
CachingOutcome WithSavedFiles(const CachingScene& scene,
                              absl::FunctionRef<CachingOutcome(const CacheFileSet& files)> use);

/// Has a model prepared from one content of the files after the other, until one is taken wrongly.
class Attempts {
 public:
  /// The answers are to be those of `of`, which outlives this.
  Attempts(const CachedCase& of, Acceptance acceptance) : of_(of), acceptance_(acceptance) {}

  /// Has it prepared; `what` says what was done to the contents. Whether to go on.
  bool Try(const std::string& what, const hal::CompilationCache& contents,
           const hal::V1_2::CacheToken& token = kToken);

  /// What came of them; a check without any was not made. To be called once.
  CachingOutcome Outcome();

 private:
  bool Stop(CachingOutcome outcome);

  const CachedCase& of_;
  const Acceptance acceptance_;
  std::optional<CacheFileSet> files_;
  CachingOutcome outcome_;
  int count_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CACHING_CACHING_ATTEMPTS_H_
