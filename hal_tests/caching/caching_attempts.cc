// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/caching/caching_attempts.h"

#include <utility>

namespace nncert {

using hal::CompilationCache;
using hal::V1_2::CacheToken;

CachingOutcome Failed(std::string what, Problem problem) {
  return {.problem = std::move(problem), .what = std::move(what)};
}

CachingOutcome OutcomeOf(std::string what, std::optional<Problem> problem) {
  return problem.has_value() ? Failed(std::move(what), *std::move(problem)) : CachingOutcome();
}

CachingOutcome WithoutFiles(const absl::Status& status) {
  return Failed("making cache files", {Verdict::MISSING, std::string(status.message())});
}

absl::StatusOr<hal::V1_2::GetNumberOfCacheFilesNeededResult> AskNumberOfCacheFiles(
    DriverSession& session, absl::Duration deadline) {
  return session.calls().Run(
      deadline, [device = session.device_1_2()] { return device->getNumberOfCacheFilesNeeded(); });
}

absl::StatusOr<CacheFileSet> NewFiles(const CachingScene& scene, size_t size) {
  return CacheFileSet::Create(
      RandomContents(scene.needed.numModelCache, scene.needed.numDataCache, size, size));
}

std::optional<Problem> SavedContents(const CachingScene& scene, CachedCase& of,
                                     const CacheToken& token, CompilationCache& contents) {
  return of.Contents(token, scene.needed.numModelCache, scene.needed.numDataCache, contents);
}

CachingOutcome WithSaved(const CachingScene& scene,
                         absl::FunctionRef<CachingOutcome(const CompilationCache& contents)> use) {
  CompilationCache contents;
  if (auto problem = SavedContents(scene, scene.own, kToken, contents)) {
    return Failed("saving to new files", *std::move(problem));
  }
  return use(contents);
}

CachingOutcome WithSavedFiles(const CachingScene& scene,
                              absl::FunctionRef<CachingOutcome(const CacheFileSet& files)> use) {
  return WithSaved(scene, [use](const CompilationCache& contents) {
    const absl::StatusOr<CacheFileSet> files = CacheFileSet::Create(contents);
    return files.ok() ? use(*files) : WithoutFiles(files.status());
  });
}

bool Attempts::Try(const std::string& what, const CompilationCache& contents,
                   const CacheToken& token) {
  if (!files_.has_value()) {
    absl::StatusOr<CacheFileSet> files = CacheFileSet::Create(contents);
    if (!files.ok()) return Stop(WithoutFiles(files.status()));
    files_ = *std::move(files);
  } else if (const absl::Status status = files_->Write(contents); !status.ok()) {
    return Stop(WithoutFiles(status));
  }
  const absl::StatusOr<CacheFiles> files = files_->Open(token);
  if (!files.ok()) return Stop(WithoutFiles(files.status()));
  ++count_;
  if (auto problem = of_.Retrieve(*files, acceptance_)) {
    return Stop(Failed(what, *std::move(problem)));
  }
  return true;
}

CachingOutcome Attempts::Outcome() {
  if (count_ == 0 && !outcome_.problem.has_value()) return Unmade();
  return std::move(outcome_);
}

bool Attempts::Stop(CachingOutcome outcome) {
  outcome_ = std::move(outcome);
  return false;
}

}  // namespace nncert
