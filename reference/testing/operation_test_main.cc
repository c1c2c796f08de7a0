// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The main program of the tests of operation definitions: after the tests it fails when a labelled
// constraint of the definitions under test has no negative case. NAME_test answers for NAME.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <string_view>

#include "absl/strings/strip.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

// Judges the whole run: only a run of all tests can say that a constraint was never broken.
class ConstraintCoverage : public testing::Environment {
 public:
  explicit ConstraintCoverage(std::string source_file) : source_file_(std::move(source_file)) {}

  void TearDown() override {
    if (testing::UnitTest::GetInstance()->test_to_run_count() !=
        testing::UnitTest::GetInstance()->total_test_count()) {
      std::cout << "Only some tests ran: constraints without a negative case are not looked for.\n";
      return;
    }
    for (const std::string& constraint : ConstraintsNotBroken(source_file_)) {
      ADD_FAILURE() << constraint << " of " << source_file_
                    << " has no negative case; see reference/testing/refusal.h";
    }
  }

 private:
  const std::string source_file_;
};

std::string SourceFileOf(std::string_view program) {
  const size_t slash = program.rfind('/');
  if (slash != std::string_view::npos) program.remove_prefix(slash + 1);
  absl::string_view name(program.data(), program.size());
  absl::ConsumeSuffix(&name, "_test");
  return std::string(name) + ".cc";
}

}  // namespace
}  // namespace nncert

int main(int argc, char** argv) {
  const std::string source_file = nncert::SourceFileOf(argv[0]);
  testing::InitGoogleMock(&argc, argv);
  testing::AddGlobalTestEnvironment(new nncert::ConstraintCoverage(source_file));
  return RUN_ALL_TESTS();
}
