// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/second_opinion.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "harness/records/case_result.h"

namespace nncert {

bool DependsOnReference(const Judgement& judgement) {
  return judgement.verdict != Verdict::PASS && judgement.operand.has_value();
}

Judgement Reconcile(const Judgement& fast, Judgement defined,
                    absl::FunctionRef<bool()> is_expected_honest) {
  if (fast.verdict == defined.verdict) return defined;
  // Enclosures by definitions lie inside of those by fast kernels, which may be twice as wide: what
  // these leave open, those may decide. And what is ill-conditioned, both may expect otherwise.
  const bool is_open = fast.verdict == Verdict::EXPLAINED || fast.verdict == Verdict::UNDECIDED;
  if (is_open && (defined.verdict != Verdict::PASS || is_expected_honest())) return defined;
  const auto opinion = [](const Judgement& judgement) {
    return absl::StrCat(std::string(toString(judgement.verdict)),
                        judgement.text.empty() ? "" : ", ", FirstLine(judgement.text));
  };
  return {Verdict::MISSING,
          absl::StrCat("nncert disagrees with itself, which is a defect of nncert and not of the "
                       "driver; by fast kernels: ",
                       opinion(fast), "; by the definitions: ", opinion(defined)),
          defined.operand, defined.compared};
}

}  // namespace nncert
