// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// docs/known_results.md says what XNNPACK does: the operations of the driver's table, and exactly
// the bundled cases that fail.

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cases/case_source.h"
#include "certifying/case_batch.h"
#include "certifying/outcome/support_share.h"
#include "drivers/xnnpack/driver.h"
#include "drivers/xnnpack/operations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"

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

// A text as Markdown has it.
std::string Escaped(const std::string& text) { return absl::StrReplaceAll(text, {{"_", "\\_"}}); }

// A row as the document has it.
std::string RowOf(const OperationEntry& entry) {
  std::vector<std::string> types;
  for (const OperandType type : entry.types) types.emplace_back(hal::toString(type));
  return absl::StrCat("| ", Escaped(std::string(hal::toString(entry.type))), " | ",
                      Escaped(absl::StrJoin(types, ", ")), " | `", entry.operators, "` | ",
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
  std::vector<CaseInMode> bundled;
  std::vector<CaseResult> results;
  const auto cases = SelectCases(loaded->cases, {TestMode::kStatic, TestMode::kDynamic}, "");
  ASSERT_TRUE(cases.ok()) << cases.status();
  for (const CaseInMode& entry : *cases) {
    CaseResult result = RunCase(**session, entry.loaded->test_case, entry.mode);
    if (IsFailure(result.verdict)) {
      failures.insert(absl::StrCat(std::string(FixtureName(entry.mode)), ".", result.name));
    }
    if (absl::StrContains(entry.loaded->source_path, "drivers/xnnpack")) continue;
    bundled.push_back(entry);
    results.push_back(std::move(result));
  }
  std::set<std::string> documented;
  for (const std::string& row : TableBelow("## Cases that fail")) {
    // | `Fixture.name` | ...
    const std::vector<std::string> cells = absl::StrSplit(row, '`');
    ASSERT_GE(cells.size(), 3u) << row;
    documented.insert(cells[1]);
  }
  EXPECT_EQ(failures, documented);

  // What the driver's table promises runs, and nothing else does.
  std::set<std::pair<std::string, std::string>> promised;
  for (const OperationEntry& entry : SupportedOperations()) {
    for (const OperandType type : entry.types) {
      promised.emplace(hal::toString(entry.type), hal::toString(type));
    }
  }
  std::set<std::pair<std::string, std::string>> running;
  std::vector<std::string> rows;
  for (const SupportShare& share : SharesOf(bundled, results)) {
    if (share.supported == 0) continue;
    running.emplace(share.operation, share.type);
    rows.push_back(absl::StrCat("| ", Escaped(share.operation), " | ", Escaped(share.type), " | ",
                                share.supported, " | ", share.cases, " |"));
  }
  EXPECT_EQ(running, promised);
  EXPECT_THAT(TableBelow("### Supported share"), ElementsAreArray(rows))
      << absl::StrJoin(rows, "\n");
}

}  // namespace
}  // namespace nncert::xnnpack
