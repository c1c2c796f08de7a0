// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a GoogleTest source of a case comes to, without a compiler.

#ifndef NNCERT_CASES_TESTING_REPLAY_CASE_H_
#define NNCERT_CASES_TESTING_REPLAY_CASE_H_

#include "absl/types/span.h"
#include "cases/accepted_answers.h"
#include "cases/test_case.h"
#include "hal/replay/case.h"

namespace nncert {

/// The case that the source replays which WriteGoogleTest writes of the same arguments; the case is
/// in the catalogue's numbering.
hal::replay::Case ReplayCaseOf(const TestCase& test_case,
                               absl::Span<const AcceptedAnswer> accepted);

}  // namespace nncert

#endif  // NNCERT_CASES_TESTING_REPLAY_CASE_H_
