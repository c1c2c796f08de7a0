// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/row_alignment.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const Criterion kWithinOne = {"fp32", 1, 0};
const Criterion kExact = {"exact", 0, 0};

RowColumns Columns(const Criterion& criterion, std::vector<double> expected,
                   std::vector<double> actual, absl::Span<const Ball> enclosure = {},
                   size_t size = 1) {
  return {size, criterion, std::move(expected), std::move(actual), enclosure};
}

TEST(AlignRows, RowsMayChangePlaces) {
  const RowColumns columns = Columns(kExact, {1, 2, 3}, {3, 1, 2});
  const RowAlignment alignment = AlignRows({columns}, {{0, 3}}, 3);
  EXPECT_TRUE(alignment.is_complete);
  EXPECT_THAT(alignment.actual, ElementsAre(1, 2, 0));
}

TEST(AlignRows, ARowIsComparedAsAWhole) {
  // The elements are all there, but of the wrong rows.
  const RowColumns a = Columns(kExact, {1, 2}, {2, 1});
  const RowColumns b = Columns(kExact, {10, 11, 20, 21}, {10, 11, 20, 21}, {}, 2);
  EXPECT_FALSE(AlignRows({a, b}, {{0, 2}}, 2).is_complete);
  const RowColumns c = Columns(kExact, {10, 11, 20, 21}, {20, 21, 10, 11}, {}, 2);
  EXPECT_TRUE(AlignRows({a, c}, {{0, 2}}, 2).is_complete);
}

TEST(AlignRows, RowsStayInTheirGroup) {
  const RowColumns columns = Columns(kExact, {1, 2, 3, 4}, {2, 1, 4, 3});
  EXPECT_TRUE(AlignRows({columns}, {{0, 2}, {2, 2}}, 4).is_complete);
  const RowColumns across = Columns(kExact, {1, 2, 3, 4}, {1, 3, 2, 4});
  EXPECT_FALSE(AlignRows({across}, {{0, 2}, {2, 2}}, 4).is_complete);
  EXPECT_TRUE(AlignRows({across}, {{0, 4}}, 4).is_complete);
}

TEST(AlignRows, RowsOfNoGroupAreNotCompared) {
  const RowColumns columns = Columns(kExact, {1, 2, 0, 3, 0, 0}, {2, 1, 7, 3, 8, 9});
  const RowAlignment alignment = AlignRows({columns}, {{0, 2}, {3, 1}}, 6);
  EXPECT_TRUE(alignment.is_complete);
  EXPECT_THAT(alignment.actual, ElementsAre(1, 0, 2, 3, 4, 5));
}

TEST(AlignRows, EachRowCountsOnce) {
  const RowColumns columns = Columns(kExact, {1, 2, 3}, {1, 1, 3});
  const RowAlignment alignment = AlignRows({columns}, {{0, 3}}, 3);
  EXPECT_FALSE(alignment.is_complete);
  EXPECT_THAT(alignment.actual, ElementsAre(0, 1, 2));
  EXPECT_TRUE(AlignRows({Columns(kExact, {1, 2, 1}, {2, 1, 1})}, {{0, 3}}, 3).is_complete);
}

TEST(AlignRows, WhatFitsSeveralRowsMakesWay) {
  // 0.9 fits where it is, and 2.4 only there.
  const RowColumns columns = Columns(kWithinOne, {0, 1.5}, {2.4, 0.9});
  const RowAlignment alignment = AlignRows({columns}, {{0, 2}}, 2);
  EXPECT_TRUE(alignment.is_complete);
  EXPECT_THAT(alignment.actual, ElementsAre(1, 0));
  // A chain of changes: each fits its own row and the one before, but the last only the last.
  const RowColumns chain = Columns(kWithinOne, {0, 1, 2, 3}, {3.9, 0.5, 1.5, 2.5});
  EXPECT_TRUE(AlignRows({chain}, {{0, 4}}, 4).is_complete);
}

TEST(AlignRows, RowsThatFitNoneTakeWhatIsLeft) {
  const RowColumns columns = Columns(kExact, {1, 2, 3, 4}, {9, 3, 8, 1});
  const RowAlignment alignment = AlignRows({columns}, {{0, 4}}, 4);
  EXPECT_FALSE(alignment.is_complete);
  EXPECT_THAT(alignment.actual, ElementsAre(3, 0, 1, 2));
}

TEST(AlignRows, WhatIsOutsideOfTheCriterionMayBeInsideOfTheEnclosure) {
  // The enclosure has the rows in another order than the expected ones.
  const std::vector<Ball> enclosure = {{20, 6}, {10, 1.5}};
  const RowColumns columns = Columns(kWithinOne, {10, 20}, {15, 11.2}, enclosure);
  const RowAlignment alignment = AlignRows({columns}, {{0, 2}}, 2);
  EXPECT_TRUE(alignment.is_complete);
  EXPECT_THAT(alignment.actual, ElementsAre(1, 0));
  EXPECT_THAT(alignment.enclosure, ElementsAre(1, 0));
  // 15 is not in the enclosure of 10.
  EXPECT_FALSE(
      AlignRows({Columns(kWithinOne, {10, 20}, {15, 20}, enclosure)}, {{0, 2}}, 2).is_complete);
}

TEST(AlignRows, NaNPassesForNaNAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(AlignRows({Columns(kWithinOne, {nan, 1}, {1, nan})}, {{0, 2}}, 2).is_complete);
  const std::vector<Ball> enclosure = {Ball::Anything(), {1, 0}};
  const RowColumns columns = Columns(kWithinOne, {5, 1}, {nan, 1}, enclosure);
  EXPECT_FALSE(AlignRows({columns}, {{0, 2}}, 2).is_complete);
}

TEST(AlignRows, ManyRowsFindTheirPlaces) {
  std::mt19937 random(1);
  std::vector<double> expected(500);
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = 0.7 * static_cast<double>(i);
  std::vector<double> actual = expected;
  for (double& value : actual) value += (static_cast<double>(random() % 100) - 50) / 100;
  for (size_t k = actual.size(); k > 1; --k) std::swap(actual[k - 1], actual[random() % k]);
  EXPECT_TRUE(AlignRows({Columns(kWithinOne, expected, actual)}, {{0, 500}}, 500).is_complete);
  actual[123] = -5;
  EXPECT_FALSE(AlignRows({Columns(kWithinOne, expected, actual)}, {{0, 500}}, 500).is_complete);
}

TEST(AlignRows, NoRowsAreComplete) {
  EXPECT_TRUE(AlignRows({Columns(kExact, {}, {})}, {}, 0).is_complete);
}

TEST(RowSetsOf, FindsOutputsOfTheModelThatListRows) {
  ModelBuilder builder;
  const OperandSpec floats = {OperandType::TENSOR_FLOAT32, {2, 2}};
  std::vector<uint32_t> inputs = {builder.Input(floats),
                                  builder.Input({OperandType::TENSOR_FLOAT32, {2, 8}}),
                                  builder.Input({OperandType::TENSOR_INT32, {2}}),
                                  builder.Float32(0.3F),
                                  builder.Int32(-1),
                                  builder.Int32(0),
                                  builder.Float32(0.4F),
                                  builder.Float32(1),
                                  builder.Float32(0.3F)};
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Output(floats);
  builder.Operation(OperationType::ADD, {inputs[0], inputs[0], none}, {sum});
  EXPECT_THAT(RowSetsOf(builder.model()), IsEmpty());
  // The boxes are not an output of the model; the batches come first.
  const uint32_t batches = builder.Output({OperandType::TENSOR_INT32, {2}});
  const uint32_t scores = builder.Output({OperandType::TENSOR_FLOAT32, {2}});
  const uint32_t boxes = builder.Temporary({OperandType::TENSOR_FLOAT32, {2, 4}});
  const uint32_t classes = builder.Output({OperandType::TENSOR_INT32, {2}});
  builder.Operation(OperationType::BOX_WITH_NMS_LIMIT, inputs, {scores, boxes, classes, batches});
  const std::vector<RowSet> sets = RowSetsOf(builder.model());
  ASSERT_THAT(sets, SizeIs(1));
  EXPECT_THAT(sets[0].outputs, ElementsAre(2, 3, 1));
  EXPECT_EQ(sets[0].group, 1U);
  EXPECT_EQ(sets[0].counts, std::nullopt);
}

TEST(GroupsOf, AreRunsOfEqualGroupsOrCountedRows) {
  const std::vector<double> groups = {4, 4, 1, 4};
  const auto group_of = [&](size_t row) { return groups[row]; };
  const auto count_of = [](size_t i) { return i == 1 ? size_t{9} : i; };
  EXPECT_THAT(GroupsOf({.outputs = {0}, .group = 0}, {4}, group_of, count_of),
              ElementsAre(RowGroup{0, 2}, RowGroup{2, 1}, RowGroup{3, 1}));
  // No more rows than there is room for.
  EXPECT_THAT(GroupsOf({.outputs = {0}, .counts = 1}, {3, 5, 4}, group_of, count_of),
              ElementsAre(RowGroup{0, 0}, RowGroup{5, 5}, RowGroup{10, 2}));
  EXPECT_EQ(RowSizeOf({.outputs = {0}, .group = 0}, {4, 4}), 4U);
  EXPECT_EQ(RowSizeOf({.outputs = {0}, .counts = 1}, {3, 5, 4}), 4U);
  EXPECT_EQ(RowSizeOf({.outputs = {0}, .counts = 1}, {3, 5}), 1U);
}

}  // namespace
}  // namespace nncert
