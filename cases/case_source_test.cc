// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/case_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "cases/testing/same_case.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr char kSpec[] = R"(
i = Input("i", ("TENSOR_FLOAT32", [2]))
o = Output("o", ("TENSOR_FLOAT32", [2]))
model = Model().Operation("FLOOR", i).To(o)
Example({i: [1.5, 2.5], o: [1, 2]}).AddVariations("relaxed")
)";

class CaseSourceTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = absl::StrCat(testing::TempDir(), "/case_source/",
                           testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  // Writes a file and gives its path.
  std::string Write(const std::string& name, const std::string& text) const {
    std::string path = absl::StrCat(folder_, "/", name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::string WriteCases(const std::string& name, const std::vector<TestCase>& cases) const {
    std::string path = Write(name, "");
    EXPECT_TRUE(WriteCaseFile(path, "test", cases).ok());
    return path;
  }

  LoadedCases Load(const std::vector<std::string>& paths) const {
    return LoadCases(paths, options_).value();
  }

  static std::vector<std::string> Names(const LoadedCases& loaded) {
    std::vector<std::string> names;
    for (const LoadedCase& loaded_case : loaded.cases) names.push_back(loaded_case.test_case.name);
    return names;
  }

  std::string folder_;
  CaseSourceOptions options_ = {.spec_reader = "generators/spec_reader"};
};

TEST_F(CaseSourceTest, ReadsEveryCaseOfACaseFile) {
  const std::string path = WriteCases("two.case", {AddCase(), AddMulCase()});
  const LoadedCases loaded = Load({path});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(Names(loaded), ElementsAre("add", "add_mul"));
  EXPECT_EQ(loaded.cases[1].source_path, path);
  EXPECT_EQ(DifferenceOf(loaded.cases[1].test_case, AddMulCase()), "");
}

TEST_F(CaseSourceTest, CasesGetTheirKnownDeviation) {
  TestCase known = AddCase();
  known.name = "instance_normalization_nhwc";
  known.model.operations[0].type = hal::V1_2::OperationType::INSTANCE_NORMALIZATION;
  TestCase stated = known;
  stated.deviation = "ADD-carry";
  const LoadedCases loaded = Load({WriteCases("three.case", {known, stated, AddCase()})});
  ASSERT_EQ(loaded.cases.size(), 3U);
  EXPECT_EQ(loaded.cases[0].test_case.deviation, "INSTANCE_NORMALIZATION-variance");
  EXPECT_EQ(loaded.cases[1].test_case.deviation, "ADD-carry");
  EXPECT_EQ(loaded.cases[2].test_case.deviation, "");
}

TEST_F(CaseSourceTest, ReadsEveryCaseOfASpec) {
  const std::string path = Write("V1_0/floor.mod.py", kSpec);
  const LoadedCases loaded = Load({path});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(Names(loaded), ElementsAre("floor", "floor_relaxed"));
  EXPECT_EQ(loaded.cases[0].source_path, path);
  EXPECT_EQ(loaded.cases[0].test_case.specVersion, hal::HalVersion::V1_0);
  EXPECT_EQ(loaded.cases[0].test_case.dynamicOutputShapeName, "floor_dynamic_output_shape");
  EXPECT_TRUE(loaded.cases[1].test_case.model.relaxComputationFloat32toFloat16);
}

TEST_F(CaseSourceTest, SearchesFoldersSortedAndBelow) {
  WriteCases("b/b.case", {AddCase()});
  Write("a/c/floor.mod.py", kSpec);
  WriteCases("a/z.case", {AddMulCase()});
  Write("a/README.md", "not a case");
  Write("a/helper.py", "raise SystemExit(1)");
  const LoadedCases loaded = Load({folder_});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(Names(loaded), ElementsAre("floor", "floor_relaxed", "add_mul", "add"));
}

TEST_F(CaseSourceTest, AFolderThatCannotBeReadIsAnErrorAndTheOthersAreRead) {
  WriteCases("a.case", {AddCase()});
  WriteCases("z/b.case", {AddCase()});
  // So deep that its path is too long, which root has no right to read either.
  const std::string name(250, 'd');
  int above = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int depth = 0; depth < 17; ++depth) {
    ASSERT_EQ(mkdirat(above, name.c_str(), 0700), 0);
    const int below = openat(above, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(above);
    above = below;
  }
  close(above);
  const LoadedCases loaded = Load({folder_});
  EXPECT_THAT(loaded.cases, SizeIs(2));
  ASSERT_THAT(loaded.errors, SizeIs(1));
  EXPECT_THAT(loaded.errors[0].ToString(),
              HasSubstr("the folder cannot be read: File name too long"));
}

TEST_F(CaseSourceTest, StopsWhenItIsToReadNoFurther) {
  CaseSourceOptions options;
  int asked = 0;
  options.should_stop = [&asked] { return ++asked > 1; };
  const std::vector<std::string> paths = {WriteCases("a.case", {AddCase()}),
                                          WriteCases("b.case", {AddCase()})};
  EXPECT_THAT(LoadCases(paths, options).status(),
              hal::testing::StatusIs(absl::StatusCode::kCancelled,
                                     HasSubstr("interrupted while the cases were read")));
}

TEST_F(CaseSourceTest, KeepsTheOrderOfPaths) {
  const std::string first = WriteCases("z.case", {AddMulCase()});
  const std::string second = Write("floor.mod.py", kSpec);
  const std::string third = WriteCases("a.case", {AddCase()});
  EXPECT_THAT(Names(Load({first, second, third})),
              ElementsAre("add_mul", "floor", "floor_relaxed", "add"));
}

TEST_F(CaseSourceTest, SpecsOfOneNameInSeveralFoldersAreAllRead) {
  Write("V1_0/floor.mod.py", kSpec);
  Write("V1_1/floor.mod.py", kSpec);
  Write("V1_1/floor.more.mod.py", kSpec);
  const LoadedCases loaded = Load({folder_});
  EXPECT_THAT(loaded.errors, IsEmpty());
  ASSERT_THAT(loaded.cases, SizeIs(6));
  EXPECT_EQ(loaded.cases[0].test_case.specVersion, hal::HalVersion::V1_0);
  EXPECT_EQ(loaded.cases[2].test_case.specVersion, hal::HalVersion::V1_1);
}

TEST_F(CaseSourceTest, ABrokenFileDoesNotLoseTheOthers) {
  WriteCases("a.case", {AddCase()});
  Write("b.case", "not a case file");
  Write("broken.mod.py", "i = Input(");
  Write("c.mod.py", kSpec);
  Write("exits.mod.py", "import os\nos._exit(3)\n");
  Write("wrong.mod.py", "print('noise')\n\nx = Input('x', ('TENSOR_FLOAT31', [1]))\n");
  const LoadedCases loaded = Load({folder_});
  EXPECT_THAT(Names(loaded), ElementsAre("add", "c", "c_relaxed"));
  ASSERT_THAT(loaded.errors, SizeIs(4));
  const auto error = [&](size_t i) { return std::string(loaded.errors[i].message()); };
  EXPECT_THAT(error(0), HasSubstr("b.case"));
  EXPECT_THAT(error(1), StartsWith(absl::StrCat(folder_, "/broken.mod.py:1: ")));
  EXPECT_THAT(error(2), StartsWith(absl::StrCat(folder_, "/exits.mod.py:")));
  EXPECT_THAT(error(3), StartsWith(absl::StrCat(folder_, "/wrong.mod.py:3: ")));
  EXPECT_THAT(error(3), HasSubstr("TENSOR_FLOAT31"));
}

TEST_F(CaseSourceTest, PathsThatAreNothingAreErrors) {
  std::filesystem::create_directories(folder_ + "/empty");
  const std::string text = Write("notes.txt", "text");
  const LoadedCases loaded = Load(
      {folder_ + "/missing.case", folder_ + "/empty", text, WriteCases("a.case", {AddCase()})});
  EXPECT_THAT(Names(loaded), ElementsAre("add"));
  ASSERT_THAT(loaded.errors, SizeIs(3));
  EXPECT_TRUE(absl::IsNotFound(loaded.errors[0]));
  EXPECT_THAT(std::string(loaded.errors[1].message()), HasSubstr("empty: no test cases"));
  EXPECT_THAT(std::string(loaded.errors[2].message()), HasSubstr("neither a case file nor a spec"));
}

TEST_F(CaseSourceTest, WithoutASpecReaderSpecsAreErrors) {
  options_.spec_reader = "";
  WriteCases("a.case", {AddCase()});
  Write("floor.mod.py", kSpec);
  const LoadedCases loaded = Load({folder_});
  EXPECT_THAT(Names(loaded), ElementsAre("add"));
  ASSERT_THAT(loaded.errors, SizeIs(1));
  EXPECT_THAT(std::string(loaded.errors[0].message()), HasSubstr("floor.mod.py: a spec cannot"));
}

TEST_F(CaseSourceTest, ASpecReaderThatDoesNotWorkIsAnError) {
  const std::string spec = Write("floor.mod.py", kSpec);
  options_.spec_reader = "/bin/false";
  const LoadedCases loaded = Load({spec});
  ASSERT_THAT(loaded.errors, SizeIs(1));
  EXPECT_THAT(std::string(loaded.errors[0].message()), HasSubstr("ended with status 1"));
  options_.spec_reader = "/no/such/reader";
  EXPECT_THAT(
      LoadCases({spec}, options_),
      hal::testing::StatusIs(absl::StatusCode::kNotFound, HasSubstr("cannot run /no/such/reader")));
  // Nobody needs it where there is no spec.
  EXPECT_TRUE(LoadCases({WriteCases("a.case", {AddCase()})}, options_).ok());
}

TEST_F(CaseSourceTest, NamesAreNotOptionsOrCommands) {
  const std::string path = Write("-out $(touch x); 'y'/--list.mod.py", kSpec);
  const LoadedCases loaded = Load({path});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(Names(loaded), ElementsAre("--list", "--list_relaxed"));
}

}  // namespace
}  // namespace nncert
