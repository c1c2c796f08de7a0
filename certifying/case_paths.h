// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Test cases from the paths of a command line.

#ifndef NNCERT_CERTIFYING_CASE_PATHS_H_
#define NNCERT_CERTIFYING_CASE_PATHS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/case_source.h"

namespace nncert {

/// Reads every case of spec files, case files and folders with the bundled spec reader, and tells
/// how far it is; see LoadCases. An Interruption ends it. `cache` is CaseSourceOptions::cache.
absl::StatusOr<LoadedCases> LoadCasesOfUser(absl::Span<const std::string> paths,
                                            const std::string& cache);

/// Reads the bundled specs, which the program must have among its runfiles ("//spec_tests:cases").
/// NotFound when it has not; fails with the first error of any of them.
absl::StatusOr<LoadedCases> LoadBundledCases();

/// The same of the cases that are made from the catalogue ("//spec_tests/systematic:cases").
absl::StatusOr<LoadedCases> LoadSystematicCases();

/// Says what is wrong with a part of the input, in one line on the error stream: "nncert: " and the
/// message.
void PrintInputError(const absl::Status& error);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_CASE_PATHS_H_
