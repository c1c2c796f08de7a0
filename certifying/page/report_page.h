// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A report as a page for people.

#ifndef NNCERT_CERTIFYING_PAGE_REPORT_PAGE_H_
#define NNCERT_CERTIFYING_PAGE_REPORT_PAGE_H_

#include <string>

#include "certifying/report.h"

namespace nncert {

/// A page of its own (WritePage) with everything that ReportToJson has: what it comes to, the
/// suites, a matrix of operations, types and versions, each kind of failure, findings, resources,
/// what every suite says of itself, and the cases, which are searched without a server.
std::string ReportToHtml(const RunReport& report);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PAGE_REPORT_PAGE_H_
