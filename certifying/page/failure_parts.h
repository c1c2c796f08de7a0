// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The failures of a report as parts of its page.

#ifndef NNCERT_CERTIFYING_PAGE_FAILURE_PARTS_H_
#define NNCERT_CERTIFYING_PAGE_FAILURE_PARTS_H_

#include <string>

#include "certifying/report.h"
#include "pages/markup.h"

namespace nncert {

/// The part of an operation's first failure is an element with this identifier; nothing where there
/// is no failure of it.
std::string AnchorOfFailure(const RunReport& report, const std::string& operation);

/// A table of the kinds of failures (RunReport::failures), with a link to the part of each. Nothing
/// when there are none.
Markup FailuresInBrief(const RunReport& report);

/// A part for each kind of failure (RunReport::failures): what was expected and what was given, by
/// how much it is off, the smallest case with its drawing and its command, and the likely cause.
/// Nothing when there are none.
Markup FailureParts(const RunReport& report);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PAGE_FAILURE_PARTS_H_
