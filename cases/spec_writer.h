// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Writes a test case as a spec file.

#ifndef NNCERT_CASES_SPEC_WRITER_H_
#define NNCERT_CASES_SPEC_WRITER_H_

#include <string>

#include "absl/status/statusor.h"
#include "cases/test_case.h"

namespace nncert {

/// The case as the text of a .mod.py file that the spec reader (generators/spec_reader) reads back
/// as the same case: the same model, byte for byte, and the same examples, names, versions and
/// tolerances. Numbers have as many digits as tell them apart; what numbers cannot say, such as the
/// payload of a NaN, is given by its bytes.
///
/// Two things of no consequence are not kept: bytes of outputs that are not compared, and how
/// constants are laid out. The reader puts them in the order of their operands, each aligned to the
/// size of its elements, in operandValues or in one pool of ashmem; a model that has them so is the
/// same to the last byte.
///
/// Unimplemented, saying what stands in the way, for what the spec language cannot say: extensions,
/// OEM scalars, a NaN as a scale, examples without expected outputs, outputs that are compared in
/// some examples only. OutOfRange for constants outside of their memory and for
/// operands that the model does not have.
absl::StatusOr<std::string> WriteSpec(const TestCase& test_case);

}  // namespace nncert

#endif  // NNCERT_CASES_SPEC_WRITER_H_
