// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of compilation caching: what a driver saves of a model, it gives again, and nothing
// else is taken for it.

#ifndef NNCERT_HAL_TESTS_CACHING_CACHING_H_
#define NNCERT_HAL_TESTS_CACHING_CACHING_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// See AllCachingChecks.
std::vector<Check> CachingChecks();

/// A test for each case whose model is valid and executable, CompilationCachingTest.NAME: it is
/// saved and retrieved. What breaks caches is tried with one case for each combination of
/// operations and types, what takes a new process with one for each operation, and what takes
/// several models with chains of additions and multiplications in float and quantized, which are no
/// cases. A device before 1.2 has one test, which says that there is no caching.
std::vector<std::unique_ptr<SuiteTest>> MakeCachingTests(absl::Span<const CaseInMode> cases,
                                                         hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CACHING_CACHING_H_
