// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/page/verdict_marks.h"

#include "absl/strings/str_cat.h"
#include "pages/numbers.h"

namespace nncert {
namespace {

// The class in the style sheet, and the sign before the text.
struct Look {
  const char* style;
  const char* sign;
};

Look LookOf(VerdictClass verdict_class) {
  switch (verdict_class) {
    case VerdictClass::RIGHT:
      return {"verdict right", "✓"};
    case VerdictClass::PART:
      return {"verdict some", "◐"};
    case VerdictClass::NONE:
      return {"verdict none", "–"};
    case VerdictClass::OPEN:
      return {"verdict open", "~"};
    case VerdictClass::BAD:
      return {"verdict bad", "✗"};
  }
  return {"verdict", "?"};
}

}  // namespace

VerdictClass ClassOf(const std::map<Verdict, uint64_t>& counts, const RunReport& report) {
  bool has_open = false;
  bool has_passed = false;
  bool has_unsupported = false;
  for (const auto& [verdict, count] : counts) {
    if (count == 0) continue;
    if (FailsRun(verdict, report)) return VerdictClass::BAD;
    if (verdict == Verdict::PASS) {
      has_passed = true;
    } else if (verdict == Verdict::UNSUPPORTED) {
      has_unsupported = true;
    } else {
      has_open = true;
    }
  }
  if (has_open) return VerdictClass::OPEN;
  if (!has_unsupported) return VerdictClass::RIGHT;
  return has_passed ? VerdictClass::PART : VerdictClass::NONE;
}

Markup CountsPart(const std::map<Verdict, uint64_t>& counts, const RunReport& report) {
  Markup part;
  for (const bool is_failing : {true, false}) {
    for (const auto& [verdict, count] : counts) {
      if (count == 0 || FailsRun(verdict, report) != is_failing) continue;
      if (!part.empty()) part += Text(", ");
      const Markup text = Figure(count) + Text(absl::StrCat(" ", std::string(toString(verdict))));
      part += is_failing ? Element("span", {{"class", "wrong"}}, text) : text;
    }
  }
  return part;
}

Markup VerdictMark(VerdictClass verdict_class, const std::string& text) {
  const Look look = LookOf(verdict_class);
  return Element("span", {{"class", look.style}}, absl::StrCat(look.sign, " ", text));
}

}  // namespace nncert
