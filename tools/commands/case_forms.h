// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases as files of the form that the name of the file says.

#ifndef NNCERT_TOOLS_COMMANDS_CASE_FORMS_H_
#define NNCERT_TOOLS_COMMANDS_CASE_FORMS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cases/test_case.h"

namespace nncert {

/// InvalidArgument unless the name of a file says which form of so many cases it is to have.
absl::Status CheckCaseForm(const std::string& path, size_t cases);

/// Whether nncert itself runs files of this name: case files and specs.
bool CanBeRun(const std::string& path);

/// Writes cases to a file: any number of them as a case file (.case), one as a spec (.mod.py), as a
/// GoogleTest source (.cc) or its model as a drawing (.dot). `origin` says in a case file where
/// they come from. Fails as CheckCaseForm, and as the writers of the forms do; what a GoogleTest
/// source accepts is by the definitions of the operations.
absl::Status WriteCases(const std::string& path, const std::string& origin,
                        absl::Span<const TestCase> cases);

}  // namespace nncert

#endif  // NNCERT_TOOLS_COMMANDS_CASE_FORMS_H_
