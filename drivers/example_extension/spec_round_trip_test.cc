// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases of the extension, written as specs and read again, are the same cases.

#include <filesystem>
#include <fstream>
#include <string>

#include "cases/case_source.h"
#include "cases/spec_writer.h"
#include "cases/testing/same_case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ExampleExtensionSpecs, AreReadAsTheyAreWritten) {
  const auto cases = LoadCases({"drivers/example_extension/specs"});
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_THAT(cases->errors, IsEmpty());
  // Each is two tests, with the dimensions of outputs and without.
  ASSERT_THAT(cases->cases, SizeIs(10));
  const std::filesystem::path folder = ::testing::TempDir() + "/example_extension_specs";
  std::filesystem::create_directories(folder);
  std::vector<std::string> paths;
  for (const LoadedCase& entry : cases->cases) {
    const auto spec = WriteSpec(entry.test_case);
    ASSERT_TRUE(spec.ok()) << entry.test_case.name << ": " << spec.status();
    paths.push_back(folder / (entry.test_case.name + ".mod.py"));
    std::ofstream(paths.back(), std::ios::trunc) << *spec;
  }
  const auto read = LoadCases(paths, {.spec_reader = "generators/spec_reader"});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_THAT(read->errors, IsEmpty());
  ASSERT_THAT(read->cases, SizeIs(paths.size()));
  for (size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(DifferenceOf(cases->cases[i].test_case, read->cases[i].test_case), "") << paths[i];
  }
}

}  // namespace
}  // namespace nncert
