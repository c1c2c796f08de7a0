// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/case_batch.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/test_cases.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;

constexpr TestMode kBothModes[] = {TestMode::kStatic, TestMode::kDynamic};

LoadedCase Named(const std::string& name) {
  LoadedCase loaded;
  loaded.test_case = AddCase();
  loaded.test_case.name = name;
  loaded.test_case.dynamicOutputShapeName = absl::StrCat(name, "_dynamic_output_shape");
  loaded.source_path = absl::StrCat(name, ".mod.py");
  return loaded;
}

std::vector<std::string> NamesOf(const std::vector<CaseInMode>& cases) {
  std::vector<std::string> names;
  for (const CaseInMode& entry : cases) {
    names.push_back(NameInMode(entry.loaded->test_case, entry.mode));
  }
  return names;
}

std::unique_ptr<DriverSession> Session(Lies lies = {}) {
  auto session = DriverSession::FromDevice(MakeFakeDevice(std::move(lies)), "fake");
  EXPECT_TRUE(session.ok()) << session.status();
  return session.ok() ? *std::move(session) : nullptr;
}

TEST(SelectCasesTest, TakesEveryCaseInEveryMode) {
  const std::vector<LoadedCase> cases = {Named("one"), Named("two")};
  const auto selected = SelectCases(cases, kBothModes, "");
  ASSERT_TRUE(selected.ok()) << selected.status();
  EXPECT_THAT(NamesOf(*selected),
              ElementsAre("one", "one_dynamic_output_shape", "two", "two_dynamic_output_shape"));
  const auto dynamic = SelectCases(cases, {TestMode::kDynamic}, "");
  ASSERT_TRUE(dynamic.ok());
  EXPECT_THAT(NamesOf(*dynamic),
              ElementsAre("one_dynamic_output_shape", "two_dynamic_output_shape"));
}

TEST(SelectCasesTest, LeavesOutModesWithoutAName) {
  std::vector<LoadedCase> cases = {Named("one")};
  cases[0].test_case.dynamicOutputShapeName = "";
  const auto selected = SelectCases(cases, kBothModes, "");
  ASSERT_TRUE(selected.ok());
  EXPECT_THAT(NamesOf(*selected), ElementsAre("one"));
}

TEST(SelectCasesTest, TheFilterMatchesAnywhereInTheName) {
  const std::vector<LoadedCase> cases = {Named("conv_nhwc"), Named("conv_nchw"), Named("add")};
  auto selected = SelectCases(cases, {TestMode::kStatic}, "_n(hwc|chw)$");
  ASSERT_TRUE(selected.ok());
  EXPECT_THAT(NamesOf(*selected), ElementsAre("conv_nhwc", "conv_nchw"));
  selected = SelectCases(cases, {TestMode::kStatic}, "^add$|nchw");
  ASSERT_TRUE(selected.ok());
  EXPECT_THAT(NamesOf(*selected), ElementsAre("conv_nchw", "add"));
}

TEST(SelectCasesTest, AWrongFilterIsAnError) {
  const absl::Status status = SelectCases({}, kBothModes, "conv(").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_NE(status.message().find("'conv('"), status.message().npos) << status;
}

TEST(RunCasesTest, ResultsAreInTheOrderOfTheCasesWhateverTheNumberOfJobs) {
  const std::vector<LoadedCase> cases = {Named("one"), Named("two"), Named("three")};
  const auto selected = SelectCases(cases, kBothModes, "");
  ASSERT_TRUE(selected.ok());
  for (const size_t jobs : {1, 2, 8}) {
    const auto session = Session();
    ASSERT_NE(session, nullptr);
    size_t reported = 0;
    BatchOptions options;
    options.jobs = jobs;
    const auto results = RunCases(*session, *selected, options, [&](const CaseResult& result) {
      ++reported;
      EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
    });
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(reported, 6u);
    std::vector<std::string> names;
    for (const CaseResult& result : *results) names.push_back(result.name);
    EXPECT_EQ(names, NamesOf(*selected));
  }
}

TEST(RunCasesTest, FailuresAreDumpedAndNameTheirSource) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    execution.Output(0)[0] ^= 0x40;
    execution.Output(0)[3] ^= 0x40;
  };
  const auto session = Session(std::move(lies));
  ASSERT_NE(session, nullptr);
  const std::vector<LoadedCase> cases = {Named("wrong"), Named("wrong")};
  const auto selected = SelectCases(cases, {TestMode::kStatic}, "");
  ASSERT_TRUE(selected.ok());
  BatchOptions options;
  options.dump_directory = absl::StrCat(::testing::TempDir(), "/case_batch_dump");
  const auto results = RunCases(*session, *selected, options, [](const CaseResult& /*result*/) {});
  ASSERT_TRUE(results.ok()) << results.status();
  // The same name twice gives two dumps.
  const std::string folder = options.dump_directory;
  EXPECT_EQ((*results)[0].verdict, Verdict::FAIL);
  EXPECT_TRUE(std::filesystem::exists(absl::StrCat(folder, "/wrong.case")));
  EXPECT_TRUE(std::filesystem::exists(absl::StrCat(folder, "/2/wrong.case")));
}

}  // namespace
}  // namespace nncert
