// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a judge would accept, before there is an answer.

#ifndef NNCERT_HARNESS_JUDGING_ACCEPTANCE_H_
#define NNCERT_HARNESS_JUDGING_ACCEPTANCE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "cases/accepted_answers.h"
#include "cases/test_case.h"
#include "harness/judging/oracle.h"

namespace nncert {

/// The answers to each example of a case that ElementJudge does not call FAIL or WRONG_EXPECTATION:
/// elements within the documented threshold or, where the enclosure holds what is expected, inside
/// of the enclosure. The bounds are numbers of the output's type: the outermost that pass.
///
/// `test_case` is the oracle's, with outputs in every example, in whatever numbering of extensions.
/// Where the enclosure is not known, or leaves it open which rows there are, the threshold alone
/// counts, which AcceptedOutput::caveat says; such an answer may be UNDECIDED where it is refused
/// here. Unimplemented when an output is of samples, whose distribution no bounds of elements can
/// say.
absl::StatusOr<std::vector<AcceptedAnswer>> AcceptedAnswersOf(TestCase test_case, Oracle& oracle);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_ACCEPTANCE_H_
