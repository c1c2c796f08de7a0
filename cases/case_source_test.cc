// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/case_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "cases/spec_cache.h"
#include "cases/testing/same_case.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "system/whole_file.h"

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
  EXPECT_EQ(PlaceOf(loaded.cases[0].test_case, path), path + ":5");
  EXPECT_EQ(PlaceOf(loaded.cases[1].test_case, "floor.case"), "floor.case");
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

// Loads with a cache, through a reader that counts how often it is started.
class CachedCaseSourceTest : public CaseSourceTest {
 protected:
  void SetUp() override {
    CaseSourceTest::SetUp();
    log_ = absl::StrCat(folder_, "/log");
    const std::string reader =
        Write("reader",
              absl::StrCat("#!/bin/sh\necho read >> '", log_, "'\nexec /usr/bin/python3 -B '",
                           std::filesystem::absolute(options_.spec_reader).native(), "' \"$@\"\n"));
    std::filesystem::permissions(reader, std::filesystem::perms::owner_all);
    options_.spec_reader = reader;
    options_.cache = absl::StrCat(folder_, "/cache/specs");
  }

  // How many times specs were read in all.
  int Readings() const {
    std::ifstream log(log_);
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(log), {}, '\n'));
  }

  std::vector<std::string> Entries() const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(options_.cache)) {
      paths.push_back(entry.path().native());
    }
    return paths;
  }

  std::string log_;
};

TEST_F(CachedCaseSourceTest, ASpecIsReadOnce) {
  const std::string path = Write("V1_0/floor.mod.py", kSpec);
  const LoadedCases first = Load({path});
  const LoadedCases second = Load({folder_ + "/V1_0"});
  EXPECT_EQ(Readings(), 1);
  EXPECT_THAT(second.errors, IsEmpty());
  ASSERT_THAT(second.cases, SizeIs(2));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(DifferenceOf(second.cases[i].test_case, first.cases[i].test_case), "");
    EXPECT_EQ(second.cases[i].source_path, path);
  }
  // Its name and its folder are part of what it means.
  EXPECT_THAT(Names(Load({Write("V1_1/ceil.mod.py", kSpec)})), ElementsAre("ceil", "ceil_relaxed"));
  EXPECT_EQ(Readings(), 2);
  options_.cache = "";
  Load({path});
  EXPECT_EQ(Readings(), 3);
}

TEST_F(CachedCaseSourceTest, WhatHasChangedIsReadAnew) {
  const std::string changed = absl::StrCat("import sys\nsys.path.insert(0, '", folder_,
                                           "/modules')\nimport helper\n", kSpec);
  const std::string importing = Write("importing.mod.py", changed);
  const std::string opening = Write(
      "opening.mod.py", absl::StrCat("text = open('", folder_, "/modules/text').read()\n", kSpec));
  const std::string plain = Write("plain.mod.py", kSpec);
  const std::vector<std::string> all = {importing, opening, plain};
  Write("modules/helper.py", "");
  Write("modules/text", "a");
  Load(all);
  Load(all);
  EXPECT_EQ(Readings(), 1);
  Write("modules/helper.py", "raise ValueError('changed')\n");
  EXPECT_THAT(Load(all).errors, SizeIs(1));
  EXPECT_EQ(Readings(), 2);
  Write("modules/helper.py", "");
  EXPECT_THAT(Load(all).errors, IsEmpty());
  EXPECT_EQ(Readings(), 2);
  Write("modules/text", "b");
  Load(all);
  EXPECT_EQ(Readings(), 3);
  std::filesystem::remove(folder_ + "/modules/text");
  EXPECT_THAT(Load(all).errors, SizeIs(1));
  EXPECT_EQ(Readings(), 4);
  Write("plain.mod.py", absl::StrCat("\n", kSpec));
  EXPECT_THAT(Names(Load({plain})), SizeIs(2));
  EXPECT_EQ(Readings(), 5);
}

TEST_F(CachedCaseSourceTest, WhatDependsOnMoreThanFilesIsNotKept) {
  for (const char* const line :
       {"open(__import__('os').devnull).read()", "open('written', 'w').write('x')",
        "__import__('subprocess').run(['true'])", "raise ValueError('wrong')"}) {
    const std::string spec = Write(
        "odd.mod.py", absl::StrCat("import os\nos.chdir('", folder_, "')\n", line, "\n", kSpec));
    const int before = Readings();
    Load({spec});
    Load({spec});
    EXPECT_EQ(Readings(), before + 2) << line;
  }
}

TEST_F(CachedCaseSourceTest, ADamagedEntryIsReadAnew) {
  const std::string path = Write("floor.mod.py", kSpec);
  const LoadedCases first = Load({path});
  ASSERT_THAT(Entries(), SizeIs(1));
  const std::string entry = Entries().front();
  const std::string good = ReadWholeFile(entry).value();
  int readings = Readings();
  const auto expect_reading_anew = [&](const std::string& what) {
    const LoadedCases again = Load({path});
    EXPECT_EQ(Readings(), ++readings) << what;
    ASSERT_THAT(again.cases, SizeIs(2)) << what;
    EXPECT_EQ(DifferenceOf(again.cases[0].test_case, first.cases[0].test_case), "") << what;
  };
  for (const size_t place : {size_t{0}, size_t{8}, good.size() / 2, good.size() - 1}) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    std::ofstream(entry, std::ios::binary) << bad;
    expect_reading_anew(absl::StrCat("byte ", place));
    EXPECT_EQ(ReadWholeFile(entry).value(), good);
  }
  for (const size_t size : {size_t{0}, size_t{7}, size_t{8}, good.size() - 8}) {
    std::ofstream(entry, std::ios::binary) << good.substr(0, size);
    expect_reading_anew(absl::StrCat(size, " bytes"));
  }
  // The digest of a message that is whole, and says something else.
  std::vector<uint8_t> other = SerializeCaseFile("other", {AddCase()}).value();
  const uint64_t value =
      (uint64_t{other.size()} << 32 | crc32_z(0, other.data(), other.size())) + 1;
  std::ofstream(entry, std::ios::binary)
      << std::string(reinterpret_cast<const char*>(&value), sizeof(value))
      << std::string(other.begin(), other.end());
  expect_reading_anew("another message");
  // What is no file is neither read nor written.
  std::filesystem::remove(entry);
  ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
  expect_reading_anew("a pipe");
  std::filesystem::remove(entry);
  std::filesystem::create_directory(entry);
  expect_reading_anew("a folder");
  std::filesystem::remove_all(options_.cache);
  std::ofstream(options_.cache) << "a file where the folder should be";
  expect_reading_anew("no folder");
}

TEST_F(CachedCaseSourceTest, SeveralAtOnceAreRight) {
  std::vector<std::string> specs;
  for (int i = 0; i < 4; ++i) {
    specs.push_back(Write(absl::StrCat("floor_", i, ".mod.py"), kSpec));
  }
  std::vector<std::thread> threads;
  std::atomic<size_t> cases = 0;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { cases += Load(specs).cases.size(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cases, 3U * 4U * 2U);
  const int before = Readings();
  EXPECT_THAT(Load(specs).cases, SizeIs(8));
  EXPECT_EQ(Readings(), before);
}

TEST_F(CachedCaseSourceTest, WhatIsUsedStaysWhenThereIsTooMuch) {
  const std::vector<uint8_t> file = SerializeCaseFile("test", {AddCase()}).value();
  std::vector<std::string> specs;
  for (int i = 0; i < 8; ++i) specs.push_back(Write(absl::StrCat(i, ".mod.py"), kSpec));
  const uint64_t most = 4 * (file.size() + 512);
  const auto keeps = [&](const std::string& spec) {
    // Not at the moment when the one before was used.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    SpecCache cache(options_.cache, "reader", "python", most);
    return cache.Find(cache.Begin(spec).value()).has_value();
  };
  for (const std::string& spec : specs) {
    SpecCache cache(options_.cache, "reader", "python", most);
    cache.Keep(cache.Begin(spec).value(), "", file);
    EXPECT_TRUE(keeps(spec));
    EXPECT_TRUE(keeps(specs[0]));
    cache.Trim();
    uint64_t bytes = 0;
    for (const std::string& entry : Entries()) bytes += std::filesystem::file_size(entry);
    EXPECT_LE(bytes, most);
  }
  EXPECT_TRUE(keeps(specs[0]));
  EXPECT_FALSE(keeps(specs[1]));
  EXPECT_TRUE(keeps(specs[7]));
  // One that would leave no room for others is not kept.
  SpecCache small(options_.cache + "/small", "reader", "python", file.size());
  small.Keep(small.Begin(specs[0]).value(), "", file);
  EXPECT_FALSE(small.Find(small.Begin(specs[0]).value()).has_value());
}

TEST_F(CaseSourceTest, TellsHowManySpecsHaveBeenRead) {
  Write("a.mod.py", kSpec);
  Write("wrong.mod.py", "1 +");
  Write("z.mod.py", absl::StrCat("import time\ntime.sleep(0.2)\n", kSpec));
  std::vector<std::pair<size_t, size_t>> told;
  options_.on_progress = [&](size_t done, size_t total) { told.emplace_back(done, total); };
  EXPECT_THAT(Load({folder_}).cases, SizeIs(4));
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  for (const auto& [done, total] : told) {
    EXPECT_LE(done, 3U);
    EXPECT_EQ(total, 3U);
  }
  EXPECT_GE(told.back().first, 2U);
}

TEST_F(CaseSourceTest, NamesAreNotOptionsOrCommands) {
  const std::string path = Write("-out $(touch x); 'y'/--list.mod.py", kSpec);
  const LoadedCases loaded = Load({path});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(Names(loaded), ElementsAre("--list", "--list_relaxed"));
}

}  // namespace
}  // namespace nncert
