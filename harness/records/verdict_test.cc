// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/verdict.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(Verdict, NamesAreUniqueAndReadBack) {
  std::set<std::string> names;
  for (const Verdict verdict : kVerdicts) {
    names.emplace(toString(verdict));
    EXPECT_EQ(verdictFromString(toString(verdict)), verdict);
  }
  EXPECT_EQ(names.size(), kVerdicts.size());
  EXPECT_EQ(names.count("BROKEN_PROMISE"), 1U);
}

TEST(Verdict, UnknownNamesAreNoVerdict) {
  EXPECT_EQ(verdictFromString(""), std::nullopt);
  EXPECT_EQ(verdictFromString("pass"), std::nullopt);
}

TEST(Verdict, FailuresAreTheOnesThatFailARun) {
  std::set<std::string> failures;
  for (const Verdict verdict : kVerdicts) {
    if (IsFailure(verdict)) failures.emplace(toString(verdict));
  }
  EXPECT_EQ(failures, (std::set<std::string>{"FAIL", "CRASH", "TIMEOUT", "BROKEN_PROMISE", "FLAKY",
                                             "INVALID", "WRONG_EXPECTATION", "MISSING"}));
}

TEST(VerdictTest, OfACaseAreThoseThatSayNothingOfTheDriver) {
  std::set<std::string> names;
  for (const Verdict verdict : kVerdicts) {
    if (IsCaseError(verdict)) names.insert(std::string(toString(verdict)));
  }
  EXPECT_EQ(names, (std::set<std::string>{"INVALID", "WRONG_EXPECTATION"}));
}

}  // namespace
}  // namespace nncert
