// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/model_builder.h"
#include "reference/testing/elementwise.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

hal::V1_2::Model ModelOf(const OperandSpec& a, const OperandSpec& b, const OperandSpec& output,
                         bool is_relaxed = false) {
  return BinaryModel(OperationType::POW, a, b, output, is_relaxed);
}

TEST(PowTest, RaisesElementByElement) {
  const OperandSpec row = {kFloat32, {6}};
  const Evaluated result =
      Evaluate(ModelOf(row, row, row), {2, 3, 4, 0.5, 9, 7}, {10, 2, -1, 3, 0.5, 0});
  EXPECT_THAT(result.from_double, ElementsAre(1024, 9, 0.25, 0.125, 3, 1));
  // Of 2^10: log(2) is known to 10 * (1 + 0.7) roundings of 2^-24, which the exponent makes 170;
  // the product of 6.9 and the exponential add 7 and 10: 187 * 2^-24 = 1.12e-5.
  for (size_t i = 0; i < result.enclosure.size(); ++i) {
    EXPECT_LT(result.enclosure[i].radius, 1.2e-5 * result.from_double[i]) << i;
  }
}

TEST(PowTest, NegativeBasesWithIntegerExponents) {
  const OperandSpec row = {kFloat32, {5}};
  const Evaluated result =
      Evaluate(ModelOf(row, row, row), {-2, -2, -2, -3, -2}, {3, 2, -1, 0, 0.5});
  EXPECT_THAT(std::vector<double>(result.from_double.begin(), result.from_double.begin() + 4),
              ElementsAre(-8, 4, -0.5, 1));
  EXPECT_TRUE(std::isnan(result.from_double[4]));
  for (int i = 0; i < 4; ++i) EXPECT_LT(result.enclosure[i].radius, 1e-4) << i;
  EXPECT_TRUE(result.enclosure[4].IsExact());
}

TEST(PowTest, PowersOfZero) {
  const OperandSpec row = {kFloat32, {4}};
  const Evaluated result = Evaluate(ModelOf(row, row, row), {0, 0, 0, 0}, {2, 0.5, -1, 0});
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, kInfinity, 1));
  EXPECT_TRUE(result.enclosure[0].IsExact() && result.enclosure[1].IsExact());
  EXPECT_FALSE(result.enclosure[2].IsBounded());
  EXPECT_FALSE(result.enclosure[3].IsBounded());
}

TEST(PowTest, OfHalves) {
  // 3^5 = 243 and 2^-4 = 0.0625 are halves; 300^2 is beyond their range.
  const OperandSpec row = {kFloat16, {3}};
  const Evaluated result = Evaluate(ModelOf(row, row, row), {3, 2, 300}, {5, -4, 2});
  EXPECT_THAT(result.from_double, ElementsAre(243, 0.0625, kInfinity));
  EXPECT_LT(result.enclosure[0].radius, 243 * 0.08);
  EXPECT_LT(result.enclosure[1].radius, 0.0625 * 0.06);
  EXPECT_FALSE(result.enclosure[2].IsBounded());
}

TEST(PowTest, RelaxedExponentsOfANegativeBaseMayBeRoundedToIntegers) {
  // 3.0001 and 3 are the same half.
  const OperandSpec row = {kFloat32, {2}};
  const Evaluated result = Evaluate(ModelOf(row, row, row, true), {-2, -2}, {3.0001, 3});
  EXPECT_TRUE(std::isnan(result.from_double[0]));
  EXPECT_FALSE(result.enclosure[0].IsBounded());
  EXPECT_LT(result.enclosure[1].radius, 0.5);
}

TEST(PowTest, BroadcastsBothWaysAndToUnknownDimensions) {
  const Evaluated result =
      Evaluate(ModelOf({kFloat32, {2, 1}}, {kFloat32, {3}}, {kFloat32, {}}), {2, 3}, {1, 2, 3});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(result.from_double, ElementsAre(2, 4, 8, 3, DoubleNear(9, 1e-12), 27));
}

TEST(PowTest, TakesAnyRank) {
  const Evaluated result =
      Evaluate(ModelOf({kFloat32, {1, 1, 1, 1, 2}}, {kFloat32, {1}}, {kFloat32, {1, 1, 1, 1, 2}}),
               {2, 5}, {2});
  EXPECT_THAT(result.from_double, ElementsAre(4, 25));
}

TEST(PowTest, RefusesDimensionsThatDoNotBroadcast) {
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2}}, {kFloat32, {3}}, {kFloat32, {3}})),
              HasSubstr("POW: dimensions [2] and [3] do not broadcast"));
}

TEST(PowTest, RefusesOtherTypesAndMixedOnes) {
  const OperandSpec integers = {kInt32, {1}};
  EXPECT_THAT(ErrorOf(ModelOf(integers, integers, integers)),
              HasSubstr("POW input 0 'base' (operand 0) is TENSOR_INT32"));
  EXPECT_THAT(
      ErrorOf(ModelOf({kFloat32, {1}}, {kFloat16, {1}}, {kFloat32, {1}})),
      HasSubstr("POW input 1 'exponent' (operand 1) is TENSOR_FLOAT16; expected TENSOR_FLOAT32"));
}

TEST(PowTest, CameWithHal12) {
  const OperandSpec row = {kFloat32, {1}};
  EXPECT_EQ(ErrorOf(ModelOf(row, row, row)), "");
  EXPECT_THAT(ErrorOf(ModelOf(row, row, row), HalVersion::V1_1),
              HasSubstr("the type is POW; expected one of HAL 1.1"));
}

TEST(PowTest, RefusesEmptyTensors) {
  EXPECT_THAT(EmptyTensorErrorOf(OperationType::POW, kFloat32, kFloat32),
              HasSubstr("POW input 0 (operand 0) is empty: [0, 2]"));
}

}  // namespace
}  // namespace nncert
