// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// docs/known_results.md says what XNNPACK does: the operations of the driver's table, and exactly
// the bundled cases that fail.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "drivers/xnnpack/driver.h"
#include "drivers/xnnpack/operations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/case_runner.h"
#include "harness/case_source.h"
#include "harness/driver_session.h"

namespace nncert::xnnpack {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

// The rows of the table below a heading, without its two lines of head.
std::vector<std::string> TableBelow(const std::string& heading) {
  std::ifstream file("docs/known_results.md");
  std::vector<std::string> rows;
  bool is_below = false;
  for (std::string line; std::getline(file, line);) {
    if (absl::StartsWith(line, "#")) is_below = line == heading;
    if (is_below && absl::StartsWith(line, "|")) rows.push_back(line);
  }
  EXPECT_GE(rows.size(), 2u) << "no table below \"" << heading << '"';
  rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(2, std::ssize(rows)));
  return rows;
}

// A row as the document has it.
std::string RowOf(const OperationEntry& entry) {
  std::vector<std::string> types;
  for (const OperandType type : entry.types) types.emplace_back(hal::toString(type));
  const auto escaped = [](const std::string& text) {
    return absl::StrReplaceAll(text, {{"_", "\\_"}});
  };
  return absl::StrCat("| ", escaped(std::string(hal::toString(entry.type))), " | ",
                      escaped(absl::StrJoin(types, ", ")), " | `", entry.operators, "` | ",
                      absl::StrReplaceAll(entry.restrictions, {{"*", "\\*"}}), " |");
}

TEST(KnownResultsTest, TheTableOfOperationsIsTheDriversOwn) {
  std::vector<std::string> rows;
  for (const OperationEntry& entry : SupportedOperations()) rows.push_back(RowOf(entry));
  EXPECT_THAT(TableBelow("## What the driver supports"), ElementsAreArray(rows))
      << absl::StrJoin(rows, "\n");
}

TEST(KnownResultsTest, ExactlyTheDocumentedCasesFail) {
  const auto loaded = LoadCases({"spec_tests/specs", "drivers/xnnpack/specs"});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_THAT(loaded->errors, IsEmpty());
  const auto device = MakeXnnpackDriver();
  ASSERT_TRUE(device.ok()) << device.status();
  const auto session = DriverSession::FromDevice(*device, "xnnpack");
  ASSERT_TRUE(session.ok()) << session.status();

  std::set<std::string> failures;
  // How many cases of each operation and type ran, and how many there are.
  std::map<std::pair<std::string, std::string>, std::pair<int, int>> shares;
  for (const LoadedCase& entry : loaded->cases) {
    const hal::V1_2::Model& model = entry.test_case.model;
    for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
      if (NameInMode(entry.test_case, mode).empty()) continue;
      const CaseResult result = RunCase(**session, entry.test_case, mode);
      if (IsFailure(result.verdict)) {
        failures.insert(absl::StrCat(std::string(FixtureName(mode)), ".", result.name));
      }
      // A model that a driver is to refuse says nothing of what it supports.
      if (model.operations.size() != 1 || entry.test_case.expectFailure) continue;
      auto& [ran, all] =
          shares[{result.operation,
                  std::string(hal::toString(model.operands[model.operations[0].inputs[0]].type))}];
      if (result.verdict != Verdict::UNSUPPORTED) ++ran;
      ++all;
    }
  }
  std::set<std::string> documented;
  for (const std::string& row : TableBelow("## Cases that fail")) {
    // | `Fixture.name` | ...
    const std::vector<std::string> cells = absl::StrSplit(row, '`');
    ASSERT_GE(cells.size(), 3u) << row;
    documented.insert(cells[1]);
  }
  EXPECT_EQ(failures, documented);

  // What the table promises is there; and where it promises nothing, nothing ran.
  for (const auto& [what, share] : shares) {
    std::cout << what.first << ' ' << what.second << ' ' << share.first << " of " << share.second
              << '\n';
  }
  for (const OperationEntry& entry : SupportedOperations()) {
    for (const OperandType type : entry.types) {
      const std::pair<std::string, std::string> what = {std::string(hal::toString(entry.type)),
                                                        std::string(hal::toString(type))};
      EXPECT_GT(shares[what].first, 0) << what.first << ' ' << what.second;
      shares.erase(what);
    }
  }
  for (const auto& [what, share] : shares) {
    EXPECT_EQ(share.first, 0) << what.first << ' ' << what.second;
  }
}

}  // namespace
}  // namespace nncert::xnnpack
