// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases that every honest driver passes.

#ifndef NNCERT_SPEC_TESTS_SYSTEMATIC_CERTAIN_CASE_H_
#define NNCERT_SPEC_TESTS_SYSTEMATIC_CERTAIN_CASE_H_

#include "absl/status/status.h"
#include "cases/test_case.h"

namespace nncert {

/// How certain results are to be.
enum class Certainty {
  /// Every honest implementation passes: the enclosure of each element reaches no farther from what
  /// is expected than the documented threshold.
  kPasses,
  /// Every honest implementation passes, or its results are EXPLAINED: the enclosure reaches no
  /// farther than a few times the threshold. The reference in single precision passes.
  kIsExplained,
};

/// Gives the examples of a case, whose model is valid, the outputs that the reference computes in
/// double precision, and checks that they are as certain as that. Outputs of which nothing is known
/// at all, such as scratch memory, are ignored; others must be there. Samples have no enclosure
/// that says anything, and are not checked.
///
/// FailedPrecondition says which element is not certain; otherwise fails as Oracle::Expected does.
absl::Status CompleteIfCertain(TestCase& test_case, Certainty certainty);

}  // namespace nncert

#endif  // NNCERT_SPEC_TESTS_SYSTEMATIC_CERTAIN_CASE_H_
