// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/finding.h"

#include "absl/strings/str_cat.h"

namespace nncert {

std::string_view toString(FindingKind kind) {
  switch (kind) {
    case FindingKind::RULE:
      return "RULE";
    case FindingKind::PROCESS:
      return "PROCESS";
    case FindingKind::SUSPECT:
      return "SUSPECT";
    case FindingKind::UNDIVIDED:
      return "UNDIVIDED";
    case FindingKind::BIASED:
      return "BIASED";
    case FindingKind::WAIVER:
      return "WAIVER";
  }
  return "FindingKind(?)";
}

std::optional<FindingKind> findingKindFromString(std::string_view name) {
  for (const FindingKind kind :
       {FindingKind::RULE, FindingKind::PROCESS, FindingKind::SUSPECT, FindingKind::UNDIVIDED,
        FindingKind::BIASED, FindingKind::WAIVER}) {
    if (toString(kind) == name) return kind;
  }
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& stream, FindingKind kind) {
  return stream << toString(kind);
}

std::string DescribeFinding(const Finding& finding) {
  std::string text(toString(finding.kind));
  for (const std::string& word : {finding.operation, finding.type}) {
    if (!word.empty()) absl::StrAppend(&text, " ", word);
  }
  if (finding.count > 1) absl::StrAppend(&text, ", ", finding.count, " times");
  return absl::StrCat(text, ": ", finding.detail);
}

std::ostream& operator<<(std::ostream& stream, const Finding& finding) {
  return stream << DescribeFinding(finding);
}

}  // namespace nncert
