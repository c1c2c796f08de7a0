// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/report_folder.h"

#include <filesystem>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "certifying/report.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "harness/records/journal.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReportFolderTest : public ::testing::Test {
 protected:
  std::string PathOf(const std::string& name) const { return absl::StrCat(out_, "/", name); }

  void Write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(WriteTextFile(PathOf(name), text).ok());
  }

  // The files and folders that are there.
  std::set<std::string> Content() const {
    std::set<std::string> content;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(out_)) {
      content.insert(entry.path().lexically_relative(out_).string());
    }
    return content;
  }

  const TemporaryFolder folder_ = TemporaryFolder::Create().value();
  const std::string out_ = absl::StrCat(folder_.path(), "/out");
};

TEST_F(ReportFolderTest, AFolderOfSomebodyElseIsTakenWhereNothingIsInTheWay) {
  Write("notes.txt", "mine");
  Write("again/report.json", "{}");
  const absl::StatusOr<bool> was_used = TakeReportFolder(out_);
  ASSERT_TRUE(was_used.ok()) << was_used.status();
  EXPECT_FALSE(*was_used);
}

TEST_F(ReportFolderTest, WhatNoCertificationWroteIsNotWrittenOver) {
  for (const char* const name : {"report.json", "junit.xml", "journal", "graphs.journal",
                                 "failures/my.mod.py", "running/worker_0.case"}) {
    Write(name, "{\"mine\": 1}");
    EXPECT_THAT(TakeReportFolder(out_),
                StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("no certification wrote it")))
        << name;
    std::filesystem::remove_all(out_);
  }
}

TEST_F(ReportFolderTest, WhatACertificationLeftIsRemovedAndNothingElse) {
  {
    ASSERT_TRUE(
        Journal::Create((std::filesystem::create_directories(out_), PathOf("journal")), {}).ok());
  }
  Write("report.json", ReportToJson({}));
  Write("junit.xml", ReportToJUnitXml({}));
  Write("graphs.journal", "");
  for (const char* const suffix : {".case", ".mod.py", "_test.cc", ".dot"}) {
    Write(absl::StrCat("failures/2/add", suffix), "dumped");
  }
  Write("failures/half.case.17.partial", "");
  Write("running/worker_12.case", "");
  Write("sequences/add.sequence.case", "");
  Write("sequences/add_2.sequence.case.17.2.partial", "");
  Write("sequences/my.case", "mine");
  Write("notes.txt", "mine");
  Write("failures/notes.txt", "mine");
  Write("failures/my.mod.py", "mine");
  Write("failures/my.case", "mine");
  const absl::StatusOr<bool> was_used = TakeReportFolder(out_);
  ASSERT_TRUE(was_used.ok()) << was_used.status();
  EXPECT_TRUE(*was_used);
  ASSERT_TRUE(EmptyReportFolder(out_).ok());
  EXPECT_THAT(Content(), ElementsAre("failures", "failures/my.case", "failures/my.mod.py",
                                     "failures/notes.txt", "journal", "notes.txt", "sequences",
                                     "sequences/my.case"));
}

TEST_F(ReportFolderTest, ARunThatWasKilledAtItsBeginningIsNoObstacle) {
  Write("journal", "");
  const absl::StatusOr<bool> was_used = TakeReportFolder(out_);
  ASSERT_TRUE(was_used.ok()) << was_used.status();
  EXPECT_TRUE(*was_used);
}

}  // namespace
}  // namespace nncert
