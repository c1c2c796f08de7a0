// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/verdict.h"

namespace nncert {

std::string_view toString(Verdict verdict) {
  switch (verdict) {
    case Verdict::PASS:
      return "PASS";
    case Verdict::FAIL:
      return "FAIL";
    case Verdict::CRASH:
      return "CRASH";
    case Verdict::TIMEOUT:
      return "TIMEOUT";
    case Verdict::UNSUPPORTED:
      return "UNSUPPORTED";
    case Verdict::BROKEN_PROMISE:
      return "BROKEN_PROMISE";
    case Verdict::FLAKY:
      return "FLAKY";
    case Verdict::EXPLAINED:
      return "EXPLAINED";
    case Verdict::UNDECIDED:
      return "UNDECIDED";
    case Verdict::VACUOUS:
      return "VACUOUS";
    case Verdict::WAIVED:
      return "WAIVED";
    case Verdict::INVALID:
      return "INVALID";
    case Verdict::WRONG_EXPECTATION:
      return "WRONG_EXPECTATION";
    case Verdict::MISSING:
      return "MISSING";
  }
  return "Verdict(?)";
}

std::optional<Verdict> verdictFromString(std::string_view name) {
  for (const Verdict verdict : kVerdicts) {
    if (toString(verdict) == name) return verdict;
  }
  return std::nullopt;
}

bool IsFailure(Verdict verdict) {
  switch (verdict) {
    case Verdict::FAIL:
    case Verdict::CRASH:
    case Verdict::TIMEOUT:
    case Verdict::BROKEN_PROMISE:
    case Verdict::FLAKY:
    case Verdict::INVALID:
    case Verdict::WRONG_EXPECTATION:
    case Verdict::MISSING:
      return true;
    case Verdict::PASS:
    case Verdict::UNSUPPORTED:
    case Verdict::EXPLAINED:
    case Verdict::UNDECIDED:
    case Verdict::VACUOUS:
    case Verdict::WAIVED:
      return false;
  }
  return true;
}

bool FailsSuite(Verdict verdict) { return IsFailure(verdict) || verdict == Verdict::VACUOUS; }

bool IsCaseError(Verdict verdict) {
  return verdict == Verdict::INVALID || verdict == Verdict::WRONG_EXPECTATION;
}

std::ostream& operator<<(std::ostream& stream, Verdict verdict) {
  return stream << toString(verdict);
}

}  // namespace nncert
