// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/failure_dump.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "cases/spec_writer.h"
#include "cases/testing/same_case.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string Read(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string NewFolder(const std::string& name) {
  std::string folder = absl::StrCat(testing::TempDir(), "/failure_dump/", name);
  std::filesystem::remove_all(folder);
  return folder;
}

FailureDump Dump(const TestCase& test_case, std::string_view name, const std::string& folder) {
  return DumpCase(test_case, "// a test", name, folder);
}

TEST(DumpCase, WritesCaseSpecTestAndGraph) {
  const std::string folder = NewFolder("all/and/more");
  const FailureDump dump = Dump(AddCase(), "add", folder);
  ASSERT_TRUE(dump.status.ok()) << dump.status;
  EXPECT_THAT(dump.files, ElementsAre(folder + "/add.case", folder + "/add.mod.py",
                                      folder + "/add_test.cc", folder + "/add.dot"));
  const auto cases = ReadCaseFile(dump.files[0]);
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_THAT(*cases, SizeIs(1));
  EXPECT_EQ(DifferenceOf((*cases)[0], AddCase()), "");
  EXPECT_EQ(Read(dump.files[1]), WriteSpec(AddCase()).value());
  EXPECT_EQ(Read(dump.files[2]), "// a test");
  EXPECT_THAT(Read(dump.files[3]), HasSubstr("digraph"));
  EXPECT_THAT(Read(dump.files[3]), HasSubstr("ADD"));
}

TEST(DumpCase, ReplacesAnEarlierDump) {
  const std::string folder = NewFolder("twice");
  Dump(AddMulCase(), "add", folder);
  const FailureDump dump = Dump(AddCase(), "add", folder);
  EXPECT_EQ(DifferenceOf(ReadCaseFile(dump.files[0])->at(0), AddCase()), "");
}

TEST(DumpCase, WhatASpecCannotSayDoesNotLoseTheRest) {
  TestCase test_case = AddCase();
  test_case.model.operands[0].numberOfConsumers = 9;
  const std::string folder = NewFolder("extension");
  const FailureDump dump = Dump(test_case, "add", folder);
  EXPECT_TRUE(absl::IsUnimplemented(dump.status));
  EXPECT_THAT(dump.files,
              ElementsAre(folder + "/add.case", folder + "/add_test.cc", folder + "/add.dot"));
}

TEST(DumpCase, SaysAllThatIsMissing) {
  TestCase test_case = AddCase();
  test_case.model.operands[0].numberOfConsumers = 9;
  const std::string folder = NewFolder("no_bounds");
  const FailureDump dump =
      DumpCase(test_case, absl::UnimplementedError("no bounds"), "add", folder);
  EXPECT_THAT(dump.status,
              hal::testing::StatusIs(absl::StatusCode::kUnimplemented,
                                     AllOf(HasSubstr("operand 0 has numberOfConsumers 9"),
                                           HasSubstr("; no GoogleTest source: no bounds"))));
  EXPECT_THAT(dump.files, ElementsAre(folder + "/add.case", folder + "/add.dot"));
}

TEST(DumpCase, AFolderThatCannotBeMadeIsAnError) {
  const std::string folder = NewFolder("file");
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path());
  std::ofstream(folder) << "in the way";
  const FailureDump dump = Dump(AddCase(), "add", folder + "/below");
  EXPECT_THAT(dump.status,
              hal::testing::StatusIs(absl::StatusCode::kUnavailable,
                                     HasSubstr("cannot make the folder " + folder + "/below")));
  EXPECT_THAT(dump.files, testing::IsEmpty());
}

TEST(DumpCase, NamesDoNotLeaveTheFolder) {
  const std::string folder = NewFolder("escape");
  const FailureDump dump = Dump(AddCase(), "../../etc/passwd", folder);
  ASSERT_TRUE(dump.status.ok()) << dump.status;
  for (const std::string& file : dump.files) {
    EXPECT_EQ(std::filesystem::path(file).parent_path(), folder);
  }
}

TEST(SanitizeFileName, PlainNamesStay) {
  for (const std::string name : {"conv_2d", "a-b+c.d", "A9", "_"}) {
    EXPECT_EQ(SanitizeFileName(name), name);
  }
}

TEST(SanitizeFileName, DifferentNamesStayDifferent) {
  const std::set<std::string> names = {"",
                                       "_",
                                       "a/b",
                                       "a_b",
                                       "a b",
                                       "a\nb",
                                       ".",
                                       "..",
                                       ".a",
                                       "_a",
                                       "a*b",
                                       "a\\b",
                                       "\xC3\xA4",
                                       "a",
                                       std::string(300, 'x'),
                                       std::string(301, 'x'),
                                       std::string("a\0b", 3)};
  std::set<std::string> sanitized;
  for (const std::string& name : names) {
    const std::string file = SanitizeFileName(name);
    sanitized.insert(file);
    EXPECT_FALSE(file.empty());
    EXPECT_NE(file[0], '.');
    EXPECT_LE(file.size(), 200U);
    EXPECT_EQ(file.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+."),
              std::string::npos)
        << file;
  }
  EXPECT_EQ(sanitized.size(), names.size());
}

TEST(ReproduceLine, IsTheCanonicalCommand) {
  EXPECT_EQ(ReproduceLine("drivers/libsample.so", "", "dumps/add.case"),
            "nncert run --driver drivers/libsample.so dumps/add.case");
  EXPECT_EQ(ReproduceLine("libsample.so", " --unpinned --memory 1G", "add.case"),
            "nncert run --driver libsample.so --unpinned --memory 1G add.case");
}

TEST(ReproduceLine, IsQuotedForAShell) {
  const std::string driver = "a driver's $(touch x);\n*";
  const std::string path;
  const std::string line = ReproduceLine(driver, "", path);
  const auto result =
      RunProcess({"/bin/sh", "-c", absl::StrCat("nncert() { printf '%s|' \"$@\"; }; ", line)});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, absl::StrCat("run|--driver|", driver, "|", path, "|"));
}

TEST(DumpedName, IsKnownOfWhatDumpCaseWrites) {
  const FailureDump dump = Dump(AddCase(), "known", ::testing::TempDir());
  ASSERT_EQ(dump.files.size(), 4u);
  for (const std::string& file : dump.files) {
    EXPECT_EQ(DumpedName(file), "known") << file;
    EXPECT_EQ(DumpedName(file + ".123.4.partial"), "known") << file;
    EXPECT_EQ(DumpedName(file + "~"), std::nullopt) << file;
  }
  for (const char* const other : {"failures/notes.txt", "notes.123.partial", ".12.partial"}) {
    EXPECT_EQ(DumpedName(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace nncert
