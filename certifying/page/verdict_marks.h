// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Verdicts on a page: by colour and sign.

#ifndef NNCERT_CERTIFYING_PAGE_VERDICT_MARKS_H_
#define NNCERT_CERTIFYING_PAGE_VERDICT_MARKS_H_

#include <cstdint>
#include <map>
#include <string>

#include "certifying/report.h"
#include "harness/records/verdict.h"
#include "pages/markup.h"

namespace nncert {

/// What several cases came to, the worst deciding.
enum class VerdictClass {
  RIGHT,  ///< every one passed
  PART,   ///< some passed, and the driver does not support the others
  NONE,   ///< none is supported
  OPEN,   ///< some could not be decided, or are waived, or explained
  BAD,    ///< some fail the run
};

/// What cases came to that have these verdicts, of which there is one.
VerdictClass ClassOf(const std::map<Verdict, uint64_t>& counts, const RunReport& report);

/// The counts as a figure for each verdict, "3 FAIL, 37 PASS", without those that are 0; the
/// failing ones first.
Markup CountsPart(const std::map<Verdict, uint64_t>& counts, const RunReport& report);

/// A text with the sign and the colour of a class.
Markup VerdictMark(VerdictClass verdict_class, const std::string& text);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PAGE_VERDICT_MARKS_H_
