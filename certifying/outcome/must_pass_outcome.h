// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a run came to against its must-pass list.

#ifndef NNCERT_CERTIFYING_OUTCOME_MUST_PASS_OUTCOME_H_
#define NNCERT_CERTIFYING_OUTCOME_MUST_PASS_OUTCOME_H_

#include <cstdint>
#include <string>
#include <vector>

namespace nncert {

/// The tests of a suite that are on the list and have no result.
struct MissingTests {
  std::string suite;
  uint64_t tests = 0;
  /// The name of the first; empty where tests have none.
  std::string first = {};
};

/// A list, and what of it a run has. See MustPassList.
struct MustPassOutcome {
  std::string hal_version;
  /// The hash of the list.
  std::string sha256;
  /// How many tests the list has, and how many of them have a result.
  uint64_t tests = 0;
  uint64_t results = 0;
  /// By suite, in the order of the list; nothing of suites that are complete.
  std::vector<MissingTests> missing;
};

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_MUST_PASS_OUTCOME_H_
