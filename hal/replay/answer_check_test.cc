// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/answer_check.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert::hal::replay {
namespace {

using ::testing::HasSubstr;

// Holds answers of floats against an example.
absl::Status Check(const Example& example, const std::vector<std::vector<double>>& answers) {
  std::vector<std::vector<uint8_t>> bytes;
  for (const std::vector<double>& answer : answers) bytes.push_back(Bytes<float>(answer));
  return CheckAnswer(example, std::vector<absl::Span<const uint8_t>>(bytes.begin(), bytes.end()));
}

void ExpectWrong(const absl::Status& status, const std::string& text) {
  EXPECT_THAT(status, testing::StatusIs(absl::StatusCode::kInternal, HasSubstr(text)));
}

TEST(CheckAnswer, SaysWhichElementIsWrong) {
  Example example;
  example.outputs = {Elements<float>({1}, {{5, 5, 5}}),
                     Elements<float>({2, 2}, {{1, 0, 2}, {1, 0, 2}, {1, 0, 2}, {1, 0, 2}})};
  EXPECT_TRUE(Check(example, {{5}, {0, 1, 2, 1.5}}).ok());
  ExpectWrong(Check(example, {{5}, {0, 1, 2.5, -1}}),
              "output 1 element [1, 0] (flat 2): expected 1, actual 2.5, which is outside of [0, "
              "2]; 2 of 4 elements differ");
  ExpectWrong(Check(example, {{6}, {0, 1, 2, 1}}), "output 0 element [0]");
}

TEST(CheckAnswer, LooksAtNothingThatIsNotCompared) {
  Example example;
  example.outputs = {NotCompared({1}, 4)};
  EXPECT_TRUE(Check(example, {{5}}).ok());
}

// Two outputs whose rows, of one and of two elements, may change places within two groups; behind
// them is a row that means nothing.
Example WithUnorderedRows() {
  Example example;
  example.outputs = {Elements<float>({4}, {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {9, 9, 9}}),
                     Elements<float>({4, 2}, {{10, 10, 10},
                                              {11, 11, 11},
                                              {20, 20, 20},
                                              {21, 21, 21},
                                              {30, 30, 30},
                                              {31, 31, 31},
                                              {90, 90, 90},
                                              {91, 91, 91}})};
  example.unordered_rows = {{{0, 1}, 4, {{0, 2}, {2, 1}}}};
  return example;
}

TEST(CheckAnswer, RowsMayComeInAnyOrderWithinTheirGroup) {
  const Example example = WithUnorderedRows();
  EXPECT_TRUE(Check(example, {{1, 2, 3, 9}, {10, 11, 20, 21, 30, 31, 90, 91}}).ok());
  EXPECT_TRUE(Check(example, {{2, 1, 3, 0}, {20, 21, 10, 11, 30, 31, 0, 0}}).ok());
}

TEST(CheckAnswer, RowsStayWholeAndWithinTheirGroup) {
  const Example example = WithUnorderedRows();
  const std::string text = "outputs 0, 1: there is no row for the expected row ";
  // The rows of one output alone have changed places.
  ExpectWrong(Check(example, {{2, 1, 3, 9}, {10, 11, 20, 21, 30, 31, 90, 91}}), text + "0");
  // Rows of two groups have.
  ExpectWrong(Check(example, {{1, 3, 2, 9}, {10, 11, 30, 31, 20, 21, 90, 91}}), text + "1");
  // One row comes twice.
  ExpectWrong(Check(example, {{1, 1, 3, 9}, {10, 11, 10, 11, 30, 31, 90, 91}}), text + "1");
}

}  // namespace
}  // namespace nncert::hal::replay
