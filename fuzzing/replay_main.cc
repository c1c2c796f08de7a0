// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs a fuzz target on every file of its corpus, as a test: a defect that fuzzing found once stays
// mended. The corpus folder is the one argument.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzzing/fuzz_target.h"

namespace nncert {
namespace {

// One file of the corpus. A defect ends the program, so a file that comes back has passed.
class Replay : public testing::Test {
 public:
  explicit Replay(std::filesystem::path path) : path_(std::move(path)) {}

  void TestBody() override {
    std::ifstream file(path_, std::ios::binary);
    ASSERT_TRUE(file.good()) << "cannot read " << path_;
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                  std::istreambuf_iterator<char>()};
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()),
              0);
  }

 private:
  const std::filesystem::path path_;
};

}  // namespace
}  // namespace nncert

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " CORPUS_FOLDER\n";
    return 2;
  }
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator entry(argv[1], error), end; !error && entry != end;
       entry.increment(error)) {
    paths.push_back(entry->path());
  }
  if (error || paths.empty()) {
    std::cerr << argv[1] << ": " << (error ? error.message() : "the corpus is empty") << "\n";
    return 1;
  }
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) {
    testing::RegisterTest("Corpus", path.filename().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new nncert::Replay(path); });
  }
  return RUN_ALL_TESTS();
}
