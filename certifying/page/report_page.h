// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A report as a page for people.

#ifndef NNCERT_CERTIFYING_PAGE_REPORT_PAGE_H_
#define NNCERT_CERTIFYING_PAGE_REPORT_PAGE_H_

#include <string>
#include <vector>

#include "certifying/conclusion.h"
#include "certifying/report.h"

namespace nncert {

/// A page of its own (WritePage) with everything that ReportToJson has: what it comes to, the
/// suites, a matrix of operations, types and versions, each kind of failure, findings, resources,
/// what every suite says of itself, and the cases, which are searched without a server.
std::string ReportToHtml(const RunReport& report);

/// What became of a package that a report is read from.
struct PageVerification {
  bool is_accepted = false;
  /// What people are told, a paragraph each; the first says whether it is accepted.
  std::vector<std::string> paragraphs;
};

/// The page of a report that is read from a package, and comes to what that says: the same, byte
/// for byte, as that of the report when it was made, with a section "verification" behind its head.
std::string ReportToHtml(const RunReport& report, const Conclusion& conclusion,
                         const PageVerification& verification);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PAGE_REPORT_PAGE_H_
