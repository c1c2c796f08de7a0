// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of a driver that Bazel runs leave in the folder that Bazel keeps of each test, for
// `nncert merge`: as a shard does, a journal, the driver's answers and failing cases, of the tests
// of one suite; and the names of these tests, in the order in which the journal counts them.

#ifndef NNCERT_CERTIFYING_SUBMISSION_RESULTS_OF_TESTS_H_
#define NNCERT_CERTIFYING_SUBMISSION_RESULTS_OF_TESTS_H_

#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace nncert {

/// The names of the tests: a must-pass list of one suite.
inline constexpr char kTestsFile[] = "tests.txt";

/// The name of the journal that has the results of a suite.
const char* JournalFileOf(std::string_view suite);

/// RunIdentity::selection of such a journal: how the tests were run, by fast kernels.
std::string SelectionOfTests(absl::Duration deadline);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_RESULTS_OF_TESTS_H_
