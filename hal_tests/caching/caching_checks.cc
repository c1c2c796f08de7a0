// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/caching/caching_checks.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/compilation_cache.h"
#include "hal/to_string.h"
#include "hal_tests/caching/cache_files.h"
#include "hal_tests/caching/caching_attempts.h"
#include "hal_tests/caching/caching_contents.h"

namespace nncert {
namespace {

using hal::CompilationCache;
using hal::V1_0::ErrorStatus;
using hal::V1_2::GetNumberOfCacheFilesNeededResult;

// ---- The device ----

std::string Describe(const GetNumberOfCacheFilesNeededResult& needed) {
  return absl::StrCat(toString(needed.status), ", ", needed.numModelCache, " and ",
                      needed.numDataCache);
}

CachingOutcome CheckNumbers(CachingScene& scene) {
  const GetNumberOfCacheFilesNeededResult& needed = scene.needed;
  if (needed.status == ErrorStatus::NONE && needed.numModelCache <= kMostCacheFiles &&
      needed.numDataCache <= kMostCacheFiles) {
    return {};
  }
  return Failed("getNumberOfCacheFilesNeeded",
                Broken(absl::StrCat("it gave ", Describe(needed), " files; expected NONE, and ",
                                    kMostCacheFiles, " at most of each kind")));
}

CachingOutcome CheckNumbersStable(CachingScene& scene) {
  const auto is_same = [&](DriverSession& session, std::string what) -> CachingOutcome {
    const absl::StatusOr<GetNumberOfCacheFilesNeededResult> again =
        AskNumberOfCacheFiles(session, scene.own.deadline());
    if (!again.ok()) {
      return Failed(std::move(what), ProblemOf("getNumberOfCacheFilesNeeded", again.status()));
    }
    if (again->status == scene.needed.status &&
        again->numModelCache == scene.needed.numModelCache &&
        again->numDataCache == scene.needed.numDataCache) {
      return {};
    }
    return Failed(std::move(what),
                  Broken(absl::StrCat("it gave ", Describe(*again), " files; expected ",
                                      Describe(scene.needed), " as before")));
  };
  for (int i = 0; i < 3; ++i) {
    CachingOutcome outcome = is_same(scene.own.session(), "getNumberOfCacheFilesNeeded once more");
    if (outcome.problem.has_value()) return outcome;
  }
  const absl::StatusOr<std::shared_ptr<DriverSession>> another = scene.own.session().OpenAnother();
  // What there is not is a matter of CacheRetrievalByAnotherProcess.
  if (!another.ok()) return {};
  return is_same(**another, "getNumberOfCacheFilesNeeded of another process");
}

CachingOutcome PrepareWithToken(CachingScene& scene) {
  return OutcomeOf("no cache files, but a token",
                   scene.own.Save({.model_cache = {}, .data_cache = {}, .token = kToken}));
}

CachingOutcome RetrieveWithoutFiles(CachingScene& scene) {
  const bool has_files = scene.needed.numModelCache + scene.needed.numDataCache > 0;
  return OutcomeOf("no cache files", scene.own.Retrieve({}, has_files ? kRefusal : kFailure));
}

// ---- What is saved is what is given ----

CachingOutcome SaveAndRetrieve(CachingScene& scene) {
  return WithSaved(scene, [&](const CompilationCache& contents) {
    Attempts attempts(scene.own, kSame);
    attempts.Try("what was saved", contents);
    return attempts.Outcome();
  });
}

// Saves to files that are as `size` says, opened at `offset`, and retrieves that.
CachingOutcome SaveAndRetrieveThere(CachingScene& scene, const std::string& what, size_t size,
                                    off_t saving_offset, off_t retrieving_offset) {
  const absl::StatusOr<CacheFileSet> set = NewFiles(scene, size);
  if (!set.ok()) return WithoutFiles(set.status());
  absl::StatusOr<CacheFiles> files = set->Open(kToken, O_RDWR, saving_offset);
  if (!files.ok()) return WithoutFiles(files.status());
  if (auto problem = scene.own.Save(*files)) {
    return Failed(absl::StrCat("saving to ", what), *std::move(problem));
  }
  files = set->Open(kToken, O_RDWR, retrieving_offset);
  if (!files.ok()) return WithoutFiles(files.status());
  return OutcomeOf(absl::StrCat("retrieving what was saved to ", what),
                   scene.own.Retrieve(*files, kSame));
}

CachingOutcome SaveAndRetrieveAtOffset(CachingScene& scene) {
  return SaveAndRetrieveThere(scene, "descriptors that are not at the beginning of their files",
                              /*size=*/2, /*saving_offset=*/2, /*retrieving_offset=*/1);
}

CachingOutcome SaveOverOldContents(CachingScene& scene) {
  return WithSaved(scene, [&](const CompilationCache& contents) {
    size_t size = 1000;
    for (const auto* const kind : {&contents.model, &contents.data}) {
      for (const std::vector<uint8_t>& file : *kind) size += file.size();
    }
    return SaveAndRetrieveThere(scene, "files that were longer before", size, 0, 0);
  });
}

CachingOutcome RetrieveAgain(CachingScene& scene) {
  return WithSavedFiles(scene, [&](const CacheFileSet& set) -> CachingOutcome {
    for (const char* const time : {"first", "second", "third"}) {
      const absl::StatusOr<CacheFiles> files = set.Open(kToken);
      if (!files.ok()) return WithoutFiles(files.status());
      if (auto problem = scene.own.Retrieve(*files, kSame)) {
        return Failed(absl::StrCat("retrieving for the ", time, " time"), *std::move(problem));
      }
    }
    return {};
  });
}

CachingOutcome RetrieveByAnotherProcess(CachingScene& scene) {
  const absl::StatusOr<std::shared_ptr<DriverSession>> another = scene.own.session().OpenAnother();
  if (absl::IsUnimplemented(another.status())) return Unmade();
  if (!another.ok()) {
    return Failed("starting the driver once more", ProblemOf("the start", another.status()));
  }
  return WithSavedFiles(scene, [&](const CacheFileSet& set) {
    const absl::StatusOr<CacheFiles> files = set.Open(kToken);
    if (!files.ok()) return WithoutFiles(files.status());
    return OutcomeOf("what another process, or device, of the driver has saved",
                     scene.own.Retrieve(**another, *files, kSame));
  });
}

CachingOutcome SaveAgain(CachingScene& scene) {
  if (scene.changed->AnswersAs(scene.own)) return Unmade();
  const absl::StatusOr<CacheFileSet> set = NewFiles(scene);
  if (!set.ok()) return WithoutFiles(set.status());
  for (CachedCase* const model : {&scene.own, scene.changed}) {
    const absl::StatusOr<CacheFiles> files = set->Open(kToken);
    if (!files.ok()) return WithoutFiles(files.status());
    if (auto problem = model->Save(*files)) {
      return Failed("saving two models to the same files", *std::move(problem));
    }
  }
  const absl::StatusOr<CacheFiles> files = set->Open(kToken);
  if (!files.ok()) return WithoutFiles(files.status());
  return OutcomeOf("the model with other constants saved to the same files",
                   scene.changed->Retrieve(*files, kSame));
}

// ---- Wrong arguments ----

// Has the model prepared with wrong handles, of which none may keep it from that, and then from
// these handles, where nothing can have been saved.
CachingOutcome SaveToWrong(CachingScene& scene, const std::vector<WrongHandles>& all) {
  for (const WrongHandles& wrong : all) {
    if (auto problem = scene.own.Save(wrong.files)) {
      return Failed(absl::StrCat("preparing with ", wrong.what), *std::move(problem));
    }
    if (auto problem = scene.own.Retrieve(wrong.files, kRefusal)) {
      return Failed(absl::StrCat("retrieving with ", wrong.what), *std::move(problem));
    }
  }
  return all.empty() ? Unmade() : CachingOutcome();
}

CachingOutcome RetrieveFromWrong(CachingScene& scene, const std::vector<WrongHandles>& all,
                                 Acceptance acceptance) {
  for (const WrongHandles& wrong : all) {
    if (auto problem = scene.own.Retrieve(wrong.files, acceptance)) {
      return Failed(absl::StrCat("retrieving with ", wrong.what), *std::move(problem));
    }
  }
  return all.empty() ? Unmade() : CachingOutcome();
}

using MakeWrong = std::vector<WrongHandles> (*)(const CacheFiles& files, const hal::Handle& more);

// The handles of files, made wrong with one more.
absl::StatusOr<std::vector<WrongHandles>> MadeWrong(const CacheFileSet& set, MakeWrong make_wrong) {
  const absl::StatusOr<CacheFiles> files = set.Open(kToken);
  if (!files.ok()) return files.status();
  const absl::StatusOr<CacheFileSet> more_set = CacheFileSet::Create({.model = {{}}, .data = {}});
  if (!more_set.ok()) return more_set.status();
  const absl::StatusOr<CacheFiles> more = more_set->Open(kToken);
  if (!more.ok()) return more.status();
  return make_wrong(*files, more->model_cache.front());
}

CachingOutcome SaveToMadeWrong(CachingScene& scene, MakeWrong make_wrong) {
  const absl::StatusOr<CacheFileSet> set = NewFiles(scene);
  if (!set.ok()) return WithoutFiles(set.status());
  const auto all = MadeWrong(*set, make_wrong);
  return all.ok() ? SaveToWrong(scene, *all) : WithoutFiles(all.status());
}

CachingOutcome RetrieveFromMadeWrong(CachingScene& scene, MakeWrong make_wrong) {
  return WithSavedFiles(scene, [&](const CacheFileSet& set) {
    const auto all = MadeWrong(set, make_wrong);
    return all.ok() ? RetrieveFromWrong(scene, *all, kRefusal) : WithoutFiles(all.status());
  });
}

CachingOutcome SaveToWrongNumbers(CachingScene& scene) {
  return SaveToMadeWrong(scene, &WrongNumbersOfHandles);
}

CachingOutcome SaveToWrongDescriptors(CachingScene& scene) {
  return SaveToMadeWrong(scene, &WrongNumbersOfDescriptors);
}

CachingOutcome RetrieveFromWrongNumbers(CachingScene& scene) {
  return RetrieveFromMadeWrong(scene, &WrongNumbersOfHandles);
}

CachingOutcome RetrieveFromWrongDescriptors(CachingScene& scene) {
  return RetrieveFromMadeWrong(scene, &WrongNumbersOfDescriptors);
}

// The handles with one kind of them opened with `flags`.
absl::StatusOr<std::vector<WrongHandles>> WrongAccess(const CacheFileSet& set, int flags,
                                                      const std::string& what) {
  const absl::StatusOr<CacheFiles> wrong = set.Open(kToken, flags);
  if (!wrong.ok()) return wrong.status();
  std::vector<WrongHandles> all;
  for (const bool is_model : {true, false}) {
    absl::StatusOr<CacheFiles> files = set.Open(kToken);
    if (!files.ok()) return files.status();
    const std::vector<hal::Handle>& handles = is_model ? wrong->model_cache : wrong->data_cache;
    if (handles.empty()) continue;
    (is_model ? files->model_cache : files->data_cache) = handles;
    all.push_back(
        {absl::StrCat("a ", is_model ? "model" : "data", " cache that can only be ", what),
         *std::move(files)});
  }
  return all;
}

CachingOutcome SaveToReadOnly(CachingScene& scene) {
  const absl::StatusOr<CacheFileSet> set = NewFiles(scene);
  if (!set.ok()) return WithoutFiles(set.status());
  const auto all = WrongAccess(*set, O_RDONLY, "read");
  return all.ok() ? SaveToWrong(scene, *all) : WithoutFiles(all.status());
}

CachingOutcome RetrieveFromWriteOnly(CachingScene& scene) {
  return WithSavedFiles(scene, [&](const CacheFileSet& set) -> CachingOutcome {
    const auto all = WrongAccess(set, O_WRONLY, "written");
    if (!all.ok()) return WithoutFiles(all.status());
    return RetrieveFromWrong(scene, *all, kFailure);
  });
}

// The handles with the first file in the place of all others.
CacheFiles OneFileForAll(CacheFiles files) {
  const hal::Handle first = files.model_cache.front();
  for (hal::Handle& handle : files.model_cache) handle = first;
  for (hal::Handle& handle : files.data_cache) handle = first;
  return files;
}

CachingOutcome SaveToOneFile(CachingScene& scene) {
  const absl::StatusOr<CacheFileSet> set = NewFiles(scene);
  if (!set.ok()) return WithoutFiles(set.status());
  const absl::StatusOr<CacheFiles> files = set->Open(kToken);
  if (!files.ok()) return WithoutFiles(files.status());
  const CacheFiles one = OneFileForAll(*files);
  if (auto problem = scene.own.Save(one)) {
    return Failed("preparing with one file for all handles", *std::move(problem));
  }
  return OutcomeOf("retrieving with one file for all handles",
                   scene.own.Retrieve(one, kSameOrRefusal));
}

CachingOutcome RetrieveFromOneFile(CachingScene& scene) {
  return WithSavedFiles(scene, [&](const CacheFileSet& set) {
    const absl::StatusOr<CacheFiles> files = set.Open(kToken);
    if (!files.ok()) return WithoutFiles(files.status());
    return OutcomeOf("retrieving with the first model cache file for all handles",
                     scene.own.Retrieve(OneFileForAll(*files), kSameOrRefusal));
  });
}

// ---- All of them ----

constexpr auto kChecks = std::to_array<CachingCheck>({
    {{"NumberOfCacheFiles",
      "getNumberOfCacheFilesNeeded ends with NONE and asks for 32 files of each kind at most"},
     Needs::kDevice,
     Scope::kChain,
     &CheckNumbers},
    {{"NumberOfCacheFilesStable",
      "getNumberOfCacheFilesNeeded gives the same each time, and in every process"},
     Needs::kDevice,
     Scope::kChain,
     &CheckNumbersStable},
    {{"PrepareModelWithTokenAlone", "a token without cache files changes nothing"},
     Needs::kModel,
     Scope::kChain,
     &PrepareWithToken},
    {{"PrepareModelFromCacheWithoutFiles", "nothing is prepared from no cache files"},
     Needs::kModel,
     Scope::kChain,
     &RetrieveWithoutFiles},
    {{kSavingAndRetrieval,
      "a model that is prepared from its cache executes as the compiled one does, bit by bit"},
     Needs::kFiles,
     Scope::kEvery,
     &SaveAndRetrieve},
    {{"CacheSavingAndRetrievalNonZeroOffset",
      "files are written and read from their beginnings, wherever their descriptors are"},
     Needs::kRetrieval,
     Scope::kKind,
     &SaveAndRetrieveAtOffset},
    {{"CacheRetrievalAgain", "a cache can be retrieved more than once"},
     Needs::kRetrieval,
     Scope::kKind,
     &RetrieveAgain},
    {{"CacheRetrievalByAnotherProcess", "a process of the driver reads what another one has saved"},
     Needs::kRetrieval,
     Scope::kOperation,
     &RetrieveByAnotherProcess},
    {{"SaveToCacheOverOldContents", "files are truncated before they are written"},
     Needs::kRetrieval,
     Scope::kChain,
     &SaveOverOldContents},
    {{"SaveToCacheAgain", "a model that is saved to the files of another one takes its place"},
     Needs::kRetrieval,
     Scope::kChain,
     &SaveAgain},
    {{"SaveToCacheInvalidNumCache",
      "too many or too few handles keep no model from being prepared"},
     Needs::kModel,
     Scope::kKind,
     &SaveToWrongNumbers},
    {{"SaveToCacheInvalidNumFd",
      "handles with no or two descriptors keep no model from being prepared"},
     Needs::kFiles,
     Scope::kChain,
     &SaveToWrongDescriptors},
    {{"SaveToCacheInvalidAccessMode",
      "files that cannot be written keep no model from being prepared"},
     Needs::kFiles,
     Scope::kChain,
     &SaveToReadOnly},
    {{"SaveToCacheDuplicatedFile", "one file for all handles keeps no model from being prepared"},
     Needs::kPair,
     Scope::kChain,
     &SaveToOneFile},
    {{"PrepareModelFromCacheInvalidNumCache", "too many or too few handles are refused"},
     Needs::kModel,
     Scope::kKind,
     &RetrieveFromWrongNumbers},
    {{"PrepareModelFromCacheInvalidNumFd", "handles with no or two descriptors are refused"},
     Needs::kRetrieval,
     Scope::kChain,
     &RetrieveFromWrongDescriptors},
    {{"PrepareModelFromCacheInvalidAccessMode", "files that cannot be read are refused"},
     Needs::kRetrieval,
     Scope::kChain,
     &RetrieveFromWriteOnly},
    {{"PrepareModelFromCacheDuplicatedFile", "one file in the place of all is refused"},
     Needs::kPair,
     Scope::kChain,
     &RetrieveFromOneFile},
    {{"SaveToCache_TOCTOU", "what happens to files while they are written changes no model"},
     Needs::kRetrieval,
     Scope::kChain,
     &SaveInRace},
    {{"PrepareFromCache_TOCTOU", "what happens to files while they are read changes no model"},
     Needs::kRetrieval,
     Scope::kChain,
     &RetrieveInRace},
    {{"ReplaceSecuritySensitiveCache", "the model cache of another model is refused"},
     Needs::kRetrieval,
     Scope::kChain,
     &ReplaceModelCache},
    {{"ReplaceDataCache", "the data cache of another model is refused, or changes nothing"},
     Needs::kPair,
     Scope::kChain,
     &ReplaceDataCache},
    {{"StaleCache", "files of two times that a model was saved are not taken for one cache"},
     Needs::kPair,
     Scope::kChain,
     &RetrieveStale},
    {{"ExchangedCache", "a data cache is not taken for a model cache"},
     Needs::kPair,
     Scope::kChain,
     &RetrieveExchanged},
    {{"CorruptedModelCache", "a model cache with a bit that differs is refused"},
     Needs::kRetrieval,
     Scope::kKind,
     &FlipModelBits},
    {{"CorruptedDataCache", "a data cache with a bit that differs is refused, or changes nothing"},
     Needs::kRetrieval,
     Scope::kKind,
     &FlipDataBits},
    {{"WrongLengthModelCache", "a model cache that was cut or extended is refused"},
     Needs::kRetrieval,
     Scope::kKind,
     &ChangeModelLength},
    {{"WrongLengthDataCache",
      "a data cache that was cut or extended is refused, or changes nothing"},
     Needs::kRetrieval,
     Scope::kKind,
     &ChangeDataLength},
    {{"WrongToken", "a cache is refused under a token that it was not saved under"},
     Needs::kRetrieval,
     Scope::kKind,
     &RetrieveWithWrongToken},
    {{"GarbageCache", "files that no driver has written are refused"},
     Needs::kRetrieval,
     Scope::kChain,
     &RetrieveGarbage},
    {{"AnotherDriversCache", "files that another driver has written are refused"},
     Needs::kRetrieval,
     Scope::kChain,
     &RetrieveFromAnotherDriver},
});

}  // namespace

absl::Span<const CachingCheck> AllCachingChecks() { return kChecks; }

}  // namespace nncert
