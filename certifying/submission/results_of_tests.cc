// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/results_of_tests.h"

#include "absl/strings/str_cat.h"
#include "certifying/report.h"
#include "certifying/report_folder.h"

namespace nncert {

const char* JournalFileOf(std::string_view suite) {
  if (IsSuiteOfCases(suite)) return kJournalFile;
  return suite == kRandomGraphs ? kGraphJournalFile : kSuiteJournalFile;
}

std::string SelectionOfTests(absl::Duration deadline) {
  return absl::StrCat("bazel test, --deadline=", absl::FormatDuration(deadline));
}

}  // namespace nncert
