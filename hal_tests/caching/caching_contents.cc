// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/caching/caching_contents.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/compilation_cache.h"
#include "hal_tests/caching/cache_files.h"
#include "hal_tests/caching/cached_case.h"
#include "hal_tests/caching/caching_attempts.h"

namespace nncert {
namespace {

using hal::CompilationCache;
using hal::V1_2::CacheToken;

// The token of all others, but for a byte of its own.
constexpr CacheToken TokenWith(size_t place) {
  CacheToken token = kToken;
  token[place] = 99;
  return token;
}

// What another model is saved under; in races, lest what is left of them be like what others check.
constexpr CacheToken kOtherToken = TokenWith(kToken.size() - 1);
constexpr CacheToken kRaceToken = TokenWith(0);

// How many calls of a driver the racer has to come between, and how many are made for that at most.
// On a busy machine most calls end before the racer's thread has its turn.
constexpr int kRaces = 100;
constexpr int kRacingCalls = 20 * kRaces;

// At how many places, spread over a file, bits are flipped.
constexpr size_t kPlaces = 16;

constexpr char kSavingAnother[] = "saving another model";

// Retrieves caches that are put together of what two models were saved as: the one kind of files of
// `with`, the other kind of the scene's own model. The answers are to be those of `expected`.
CachingOutcome RetrieveMixed(CachingScene& scene, CachedCase& with, const CacheToken& token,
                             CacheKind of_with, Acceptance acceptance, const CachedCase& expected,
                             const std::string& what) {
  return WithSaved(scene, [&](const CompilationCache& own) {
    CompilationCache mixed;
    if (auto problem = SavedContents(scene, with, token, mixed)) {
      return Failed(kSavingAnother, *std::move(problem));
    }
    if (of_with == CacheKind::kModel) {
      mixed.data = own.data;
    } else {
      mixed.model = own.model;
    }
    Attempts attempts(expected, acceptance);
    attempts.Try(what, mixed);
    return attempts.Outcome();
  });
}

// Retrieves what `for_each` makes of what was saved.
template <typename ForEach>
CachingOutcome RetrieveChanged(CachingScene& scene, Acceptance acceptance, ForEach for_each) {
  return WithSaved(scene, [&](const CompilationCache& contents) {
    Attempts attempts(scene.own, acceptance);
    for_each(contents, [&attempts](const std::string& what, const CompilationCache& changed) {
      return attempts.Try(what, changed);
    });
    return attempts.Outcome();
  });
}

// Makes calls until one fails, or enough of them were races. `call` tells whether its call was one.
CachingOutcome Race(absl::FunctionRef<CachingOutcome(bool& is_race)> call) {
  int races = 0;
  for (int i = 0; i < kRacingCalls && races < kRaces; ++i) {
    bool is_race = false;
    CachingOutcome outcome = call(is_race);
    if (outcome.problem.has_value() || !outcome.is_made) return outcome;
    if (is_race) ++races;
  }
  if (races > 0) return {};
  return Failed("overwriting the model cache during a call",
                {Verdict::MISSING, absl::StrCat("none of ", kRacingCalls, " calls took so long")});
}

}  // namespace

CachingOutcome SaveInRace(CachingScene& scene) {
  CompilationCache foreign;
  if (auto problem = SavedContents(scene, *scene.other, kRaceToken, foreign)) {
    return Failed(kSavingAnother, *std::move(problem));
  }
  if (foreign.model.empty()) return Unmade();
  return Race([&](bool& is_race) -> CachingOutcome {
    const absl::StatusOr<CacheFileSet> set = NewFiles(scene);
    if (!set.ok()) return WithoutFiles(set.status());
    absl::StatusOr<CacheFiles> files = set->Open(kToken);
    if (!files.ok()) return WithoutFiles(files.status());
    {
      const CacheRacer racer(*set, {foreign});
      const uint64_t before = racer.written();
      if (auto problem = scene.own.Save(*files)) {
        return Failed("preparing while the model cache is overwritten by that of another model",
                      *std::move(problem));
      }
      is_race = racer.written() != before;
    }
    files = set->Open(kToken);
    if (!files.ok()) return WithoutFiles(files.status());
    if (auto problem = scene.own.Retrieve(*files, kSameOrFailure)) {
      return Failed(
          "retrieving what was saved while the model cache was overwritten by that of another "
          "model",
          *std::move(problem));
    }
    return {};
  });
}

CachingOutcome RetrieveInRace(CachingScene& scene) {
  CompilationCache foreign;
  if (auto problem = SavedContents(scene, *scene.other, kRaceToken, foreign)) {
    return Failed(kSavingAnother, *std::move(problem));
  }
  if (foreign.model.empty()) return Unmade();
  return WithSaved(scene, [&](const CompilationCache& contents) {
    return Race([&](bool& is_race) -> CachingOutcome {
      const absl::StatusOr<CacheFileSet> set = CacheFileSet::Create(contents);
      if (!set.ok()) return WithoutFiles(set.status());
      const absl::StatusOr<CacheFiles> files = set->Open(kToken);
      if (!files.ok()) return WithoutFiles(files.status());
      const CacheRacer racer(*set, {contents, foreign});
      const uint64_t before = racer.written();
      if (auto problem = scene.own.Retrieve(*files, kSameOrFailure)) {
        return Failed(
            "retrieving while the model cache is overwritten by that of another model and back",
            *std::move(problem));
      }
      is_race = racer.written() != before;
      return {};
    });
  });
}

CachingOutcome ReplaceModelCache(CachingScene& scene) {
  if (scene.needed.numModelCache == 0) return Unmade();
  return RetrieveMixed(scene, *scene.other, kOtherToken, CacheKind::kModel, kFailure, scene.own,
                       "the model cache of another model, which was saved under another token");
}

CachingOutcome ReplaceDataCache(CachingScene& scene) {
  return RetrieveMixed(scene, *scene.other, kOtherToken, CacheKind::kData, kSameOrFailure,
                       scene.own,
                       "the data cache of another model, which was saved under another token");
}

CachingOutcome RetrieveStale(CachingScene& scene) {
  if (scene.changed->AnswersAs(scene.own)) return Unmade();
  for (const auto& [kind, what] :
       {std::pair(CacheKind::kModel, "the old data cache with the new model cache"),
        std::pair(CacheKind::kData, "the old model cache with the new data cache")}) {
    CachingOutcome outcome =
        RetrieveMixed(scene, *scene.changed, kToken, kind, kSameOrFailure, *scene.changed,
                      absl::StrCat(what, ", after the model was saved with other constants"));
    if (outcome.problem.has_value()) return outcome;
  }
  return {};
}

CachingOutcome RetrieveExchanged(CachingScene& scene) {
  return RetrieveChanged(scene, kFailure, [](CompilationCache cache, TryContents try_contents) {
    std::swap(cache.model.front(), cache.data.front());
    try_contents("model cache file 0 and data cache file 0 exchanged", cache);
  });
}

CachingOutcome FlipModelBits(CachingScene& scene) {
  return RetrieveChanged(scene, kFailure,
                         [](const CompilationCache& cache, TryContents try_contents) {
                           ForEachFlippedBit(cache, CacheKind::kModel, kPlaces, try_contents);
                         });
}

CachingOutcome FlipDataBits(CachingScene& scene) {
  return RetrieveChanged(scene, kSameOrFailure,
                         [](const CompilationCache& cache, TryContents try_contents) {
                           ForEachFlippedBit(cache, CacheKind::kData, kPlaces, try_contents);
                         });
}

CachingOutcome ChangeModelLength(CachingScene& scene) {
  return RetrieveChanged(scene, kFailure,
                         [](const CompilationCache& cache, TryContents try_contents) {
                           ForEachWrongLength(cache, CacheKind::kModel, try_contents);
                         });
}

CachingOutcome ChangeDataLength(CachingScene& scene) {
  return RetrieveChanged(scene, kSameOrFailure,
                         [](const CompilationCache& cache, TryContents try_contents) {
                           ForEachWrongLength(cache, CacheKind::kData, try_contents);
                         });
}

CachingOutcome RetrieveGarbage(CachingScene& scene) {
  return RetrieveChanged(scene, kFailure,
                         [](const CompilationCache& cache, TryContents try_contents) {
                           ForEachGarbage(cache, try_contents);
                         });
}

CachingOutcome RetrieveWithWrongToken(CachingScene& scene) {
  return WithSaved(scene, [&](const CompilationCache& contents) {
    Attempts attempts(scene.own, kFailure);
    for (size_t i = 0; i < kToken.size(); ++i) {
      CacheToken token = kToken;
      token[i] ^= static_cast<uint8_t>(1U << (i % 8));
      const std::string what = absl::StrCat("bit ", i % 8, " of byte ", i, " of the token flipped");
      if (!attempts.Try(what, contents, token)) break;
    }
    return attempts.Outcome();
  });
}

// What nncert's own library saves in the name of another driver; to any driver that does not use it
// that is garbage.
CachingOutcome RetrieveFromAnotherDriver(CachingScene& scene) {
  return WithSaved(scene, [&](const CompilationCache& contents) {
    const absl::StatusOr<CacheFileSet> set = NewFiles(scene);
    if (!set.ok()) return WithoutFiles(set.status());
    const absl::StatusOr<CacheFiles> files = set->Open(kToken);
    if (!files.ok()) return WithoutFiles(files.status());
    const absl::Status saved =
        hal::saveCompilationCache(contents, {.version = "another driver", .key = {}}, kToken,
                                  files->model_cache, files->data_cache);
    if (!saved.ok()) return WithoutFiles(saved);
    return OutcomeOf("what another driver has saved", scene.own.Retrieve(*files, kFailure));
  });
}

}  // namespace nncert
