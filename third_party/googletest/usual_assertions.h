// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What most tests assert. An assertion is a template for each type of value and of matcher; the
// compiler instantiates these once, with the header that it precompiles, and not for every test.

#ifndef NNCERT_THIRD_PARTY_GOOGLETEST_USUAL_ASSERTIONS_H_
#define NNCERT_THIRD_PARTY_GOOGLETEST_USUAL_ASSERTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert::usual_assertions {

/// Instantiates comparisons of two values.
template <class Value>
void CompareAll(const Value& left, const Value& right) {
  EXPECT_EQ(left, right);
  EXPECT_NE(left, right);
  EXPECT_LT(left, right);
  EXPECT_LE(left, right);
  EXPECT_GT(left, right);
  EXPECT_GE(left, right);
}

/// Instantiates what is asserted of a few numbers that are written as `Number`s.
template <class Number, class Values>
void MatchNumbers(const Values& values) {
  using ::testing::ElementsAre;
  constexpr Number kNumber = 0;
  EXPECT_THAT(values, ElementsAre(kNumber));
  EXPECT_THAT(values, ElementsAre(kNumber, kNumber));
  EXPECT_THAT(values, ElementsAre(kNumber, kNumber, kNumber));
  EXPECT_THAT(values, ElementsAre(kNumber, kNumber, kNumber, kNumber));
}

/// Instantiates what is asserted of any container.
template <class Values>
void MatchContainer(const Values& values) {
  EXPECT_EQ(values, values);
  EXPECT_THAT(values, ::testing::IsEmpty());
  EXPECT_THAT(values, ::testing::SizeIs(1));
}

/// Instantiates what is asserted of text.
template <class Text>
void MatchText(const Text& text) {
  using ::testing::HasSubstr;
  EXPECT_THAT(text, HasSubstr(""));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("")));
  EXPECT_THAT(text, ::testing::StartsWith(""));
  EXPECT_THAT(text, ::testing::EndsWith(""));
  EXPECT_THAT(text, ::testing::AllOf(HasSubstr(""), HasSubstr("")));
  EXPECT_THAT(text, ::testing::AllOf(HasSubstr(""), HasSubstr(""), HasSubstr("")));
  EXPECT_THAT(text, ::testing::AllOf(::testing::StartsWith(""), HasSubstr("")));
}

/// Instantiates all of it. Nobody calls it.
inline void InstantiateUsualAssertions() {
  const std::vector<double> reals;
  MatchContainer(reals);
  MatchNumbers<int>(reals);
  MatchNumbers<double>(reals);
  EXPECT_THAT(reals, ::testing::Pointwise(::testing::DoubleEq(), reals));
  const std::vector<float> floats;
  MatchContainer(floats);
  MatchNumbers<int>(floats);
  MatchNumbers<float>(floats);
  const std::vector<int> integers;
  MatchContainer(integers);
  MatchNumbers<int>(integers);
  const std::vector<uint32_t> indexes;
  MatchContainer(indexes);
  MatchNumbers<int>(indexes);
  // The dimensions of a tensor.
  const absl::InlinedVector<uint32_t, 5> dimensions;
  MatchContainer(dimensions);
  MatchNumbers<int>(dimensions);
  MatchContainer(std::vector<uint8_t>());
  MatchContainer(std::vector<std::byte>());
  MatchContainer(std::vector<std::vector<double>>());

  const std::string text;
  MatchText(text);
  MatchText(std::string_view(text));
  EXPECT_THAT(text, ::testing::IsEmpty());
  EXPECT_EQ(text, "");
  EXPECT_NE(text, "");
  const std::vector<std::string> lines;
  MatchContainer(lines);
  EXPECT_THAT(lines, ::testing::Contains(""));
  EXPECT_THAT(lines, ::testing::Contains(::testing::HasSubstr("")));
  EXPECT_THAT(lines, ::testing::ElementsAre(""));
  EXPECT_THAT(lines, ::testing::ElementsAre("", ""));
  EXPECT_THAT(lines, ::testing::ElementsAre(::testing::HasSubstr("")));

  CompareAll(text, text);
  CompareAll(0, 0);
  CompareAll(0u, 0u);
  CompareAll(uint64_t{0}, uint64_t{0});
  CompareAll(0.0, 0.0);
  CompareAll(0.0f, 0.0f);
  EXPECT_EQ(true, false);
}

}  // namespace nncert::usual_assertions

#endif  // NNCERT_THIRD_PARTY_GOOGLETEST_USUAL_ASSERTIONS_H_
