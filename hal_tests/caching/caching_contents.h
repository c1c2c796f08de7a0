// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The checks of compilation caching that change what is in the files.

#ifndef NNCERT_HAL_TESTS_CACHING_CACHING_CONTENTS_H_
#define NNCERT_HAL_TESTS_CACHING_CACHING_CONTENTS_H_

#include "hal_tests/caching/caching_checks.h"

namespace nncert {

/// The model cache is overwritten by that of another model while it is saved, or read.
CachingOutcome SaveInRace(CachingScene& scene);
CachingOutcome RetrieveInRace(CachingScene& scene);

/// Files of other caches.
CachingOutcome ReplaceModelCache(CachingScene& scene);
CachingOutcome ReplaceDataCache(CachingScene& scene);
CachingOutcome RetrieveStale(CachingScene& scene);

/// A model cache file and a data cache file change places.
CachingOutcome RetrieveExchanged(CachingScene& scene);

/// Bits that differ, and files that are too short or too long.
CachingOutcome FlipModelBits(CachingScene& scene);
CachingOutcome FlipDataBits(CachingScene& scene);
CachingOutcome ChangeModelLength(CachingScene& scene);
CachingOutcome ChangeDataLength(CachingScene& scene);

/// Files that the driver has never written, and another token.
CachingOutcome RetrieveGarbage(CachingScene& scene);
CachingOutcome RetrieveWithWrongToken(CachingScene& scene);
CachingOutcome RetrieveFromAnotherDriver(CachingScene& scene);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CACHING_CACHING_CONTENTS_H_
