// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A report that was written before, as a value again.

#ifndef NNCERT_CERTIFYING_SUBMISSION_STORED_REPORT_H_
#define NNCERT_CERTIFYING_SUBMISSION_STORED_REPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/conclusion.h"
#include "certifying/report.h"

namespace nncert {

/// What reports call a suite whose tests are no cases; see SuiteSection.
struct SuiteWords {
  std::string name;
  std::string member;
  std::string tests;
};

/// A report, as far as its page has it: of a complete run, without what is in no file (where the
/// drawings of models are, and all of results that the page does not show).
struct StoredReport {
  RunReport report;
  /// What the report says that it comes to.
  Conclusion conclusion;
};

/// Reads what ReportToJson and TimingToJson wrote of a complete run of this version of nncert.
/// `is_strict` is RunReport::is_strict; `suites` says what sections are called. InvalidArgument
/// says which member is not as expected.
absl::StatusOr<StoredReport> ReadStoredReport(const std::string& report, const std::string& timing,
                                              bool is_strict, absl::Span<const SuiteWords> suites);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_STORED_REPORT_H_
