// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/check.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace nncert {

CheckCount& CheckCount::operator+=(const CheckCount& other) {
  passed += other.passed;
  failed += other.failed;
  skipped += other.skipped;
  unsupported += other.unsupported;
  return *this;
}

void TestRecord::AddFailure(CheckFailure failure) {
  ++counts[failure.check].failed;
  if (failures.size() < kMostFailures) failures.push_back(std::move(failure));
}

CheckCount TestRecord::Total() const {
  CheckCount total;
  for (const auto& [check, count] : counts) total += count;
  return total;
}

Verdict TestRecord::verdict() const {
  if (!failures.empty()) return failures.front().verdict;
  const CheckCount total = Total();
  if (total.passed > 0) return Verdict::PASS;
  return total.unsupported > 0 ? Verdict::UNSUPPORTED : Verdict::VACUOUS;
}

std::string TestRecord::Detail() const {
  const CheckCount total = Total();
  if (failures.empty()) {
    if (total.passed > 0) return "";
    return total.unsupported > 0 ? "the driver does not support what the checks take"
                                 : "nothing was checked";
  }
  std::string detail =
      absl::StrJoin(failures, "\n", [](std::string* text, const CheckFailure& failure) {
        absl::StrAppend(text, failure.detail);
      });
  if (total.failed > failures.size()) {
    absl::StrAppend(&detail, "\nand ", total.failed - failures.size(), " more");
  }
  if (left_out > 0) {
    absl::StrAppend(&detail, "\n", left_out,
                    " more checks were left out, for the driver was lost too often");
  }
  return detail;
}

CheckFailure FailureOf(std::string_view check, std::string_view what, const Problem& problem) {
  return {check, problem.verdict,
          absl::StrCat(std::string(check), ": ", std::string(what), ": ", problem.text)};
}

bool EndsSession(Verdict verdict) {
  return verdict == Verdict::CRASH || verdict == Verdict::TIMEOUT;
}

}  // namespace nncert
