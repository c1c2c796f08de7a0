// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Gives a case the expected outputs that it leaves to the reference.

#ifndef NNCERT_HARNESS_JUDGING_CASE_COMPLETION_H_
#define NNCERT_HARNESS_JUDGING_CASE_COMPLETION_H_

#include "absl/status/status.h"
#include "cases/test_case.h"
#include "harness/judging/oracle.h"

namespace nncert {

/// The case in the catalogue's numbering of extensions, with nothing completed yet. One with a
/// deviation is not to fail: the documentation has a result in spite of the specification.
TestCase CaseToComplete(TestCase test_case);

/// Gives the case what it leaves to the oracle: the outputs of examples without any, and those that
/// the documentation says where it has a deviation. Where the catalogue does not have an operation,
/// outputs have the dimensions of the model, and are ignored; so are those of a case that is to
/// fail.
///
/// InvalidArgument for a case that is to fail and that the documentation gives a result; otherwise
/// fails as Oracle::Expected does. The message names the example.
absl::Status CompleteCase(TestCase& test_case, Oracle& oracle);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_CASE_COMPLETION_H_
