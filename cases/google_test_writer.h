// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Writes test cases as a GoogleTest source file.

#ifndef NNCERT_CASES_GOOGLE_TEST_WRITER_H_
#define NNCERT_CASES_GOOGLE_TEST_WRITER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/accepted_answers.h"

namespace nncert {

/// Cases as the text of a C++ source file that includes GoogleTest and hal/ alone, and reads
/// nothing when it runs: it builds the model of each, runs every example on a driver of any HAL
/// version (see hal/replay/replay.h), and holds the outputs against what is accepted. The tests of
/// a case are GeneratedTests.NAME and DynamicOutputShapeTest.NAME, as in Android's suite; they are
/// skipped where the driver does not support the model.
///
/// The models are the same, each constant at its place in operandValues or in a pool of the same
/// kind; bytes between constants are zeros. Inputs have as many digits as tell them apart, and
/// bounds are exact. Values of more than 8,192 elements, and what numbers cannot say, such as the
/// payload of a NaN, are given by their bytes.
///
/// InvalidArgument when there is no case, or accepted answers do not fit theirs. Unimplemented,
/// saying what stands in the way, for examples without expected outputs, scales that are not
/// finite, and lifetimes that the HAL does not have. OutOfRange for constants outside of their
/// memory and for operands that the model does not have.
absl::StatusOr<std::string> WriteGoogleTest(absl::Span<const AcceptedCase> cases);

}  // namespace nncert

#endif  // NNCERT_CASES_GOOGLE_TEST_WRITER_H_
