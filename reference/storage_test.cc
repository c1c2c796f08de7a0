// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "hal/float16.h"
#include "hal/to_string.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

OperandInfo Info(OperandType type, float scale = 0, int32_t zeroPoint = 0) {
  OperandInfo info;
  info.type = type;
  info.scale = scale;
  info.zeroPoint = zeroPoint;
  return info;
}

template <class T>
const std::byte* BytesAt(const std::vector<T>& elements) {
  return reinterpret_cast<const std::byte*>(elements.data());
}
template <class T>
std::byte* BytesAt(std::vector<T>& elements) {
  return reinterpret_cast<std::byte*>(elements.data());
}

// Loads elements kept for `system`.
template <class Number, class T>
std::vector<Number> Load(NumberSystem system, OperandInfo info, const std::vector<T>& elements,
                         LoadAs load_as = LoadAs::kReal,
                         const Precision& precision = kQuantizedPrecision) {
  if (info.dimensions.empty()) info.dimensions = {static_cast<uint32_t>(elements.size())};
  std::vector<Number> numbers(elements.size());
  LoadElements(system, info, load_as, precision, BytesAt(elements), elements.size(),
               numbers.data());
  return numbers;
}

// Stores numbers as elements kept for `system`, each a T.
template <class T, class Number>
std::vector<T> Store(NumberSystem system, OperandInfo info, const std::vector<Number>& numbers,
                     LoadAs store_as = LoadAs::kReal,
                     const Precision& precision = kFloat32Precision) {
  if (info.dimensions.empty()) info.dimensions = {static_cast<uint32_t>(numbers.size())};
  std::vector<T> elements(numbers.size());
  StoreElements(system, info, store_as, precision, numbers.data(), numbers.size(),
                BytesAt(elements));
  return elements;
}

Ball StoreBall(const OperandInfo& info, const Ball& number,
               const Precision& precision = kFloat32Precision) {
  return Store<Ball>(NumberSystem::kBall, info, std::vector<Ball>{number}, LoadAs::kReal,
                     precision)[0];
}

const OperandInfo kQuant8 = Info(OperandType::TENSOR_QUANT8_ASYMM, 0.5F, 10);
const OperandInfo kHalf = Info(OperandType::TENSOR_FLOAT16);
const OperandInfo kFloat = Info(OperandType::TENSOR_FLOAT32);
const OperandInfo kInt32 = Info(OperandType::TENSOR_INT32);
const OperandInfo kBool8 = Info(OperandType::TENSOR_BOOL8);

TEST(IsKeptAsTest, HoldsWhereElementsAreTheNumbers) {
  const auto quantized = OperandType::TENSOR_QUANT8_ASYMM;
  const auto real = OperandType::TENSOR_FLOAT32;
  EXPECT_TRUE(IsKeptAs<float>(NumberSystem::kFloat, real, LoadAs::kReal));
  EXPECT_FALSE(IsKeptAs<double>(NumberSystem::kFloat, real, LoadAs::kReal));
  EXPECT_FALSE(IsKeptAs<float>(NumberSystem::kFloat, OperandType::TENSOR_FLOAT16, LoadAs::kReal));
  EXPECT_FALSE(IsKeptAs<float>(NumberSystem::kFloat, quantized, LoadAs::kInteger));
  EXPECT_TRUE(IsKeptAs<double>(NumberSystem::kDouble, real, LoadAs::kReal));
  EXPECT_FALSE(IsKeptAs<double>(NumberSystem::kDouble, quantized, LoadAs::kReal));
  EXPECT_TRUE(IsKeptAs<double>(NumberSystem::kDouble, quantized, LoadAs::kInteger));
  EXPECT_TRUE(IsKeptAs<Ball>(NumberSystem::kBall, real, LoadAs::kReal));
  EXPECT_FALSE(IsKeptAs<Ball>(NumberSystem::kBall, quantized, LoadAs::kReal));
  EXPECT_FALSE(IsKeptAs<double>(NumberSystem::kBall, real, LoadAs::kReal));
}

TEST(LoadElementsTest, QuantizedElementsAreTheRealsTheyStandFor) {
  const std::vector<uint8_t> native = {0, 10, 255};
  EXPECT_THAT(Load<float>(NumberSystem::kFloat, kQuant8, native), ElementsAre(-5, 0, 122.5));
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, kQuant8, native), ElementsAre(-5, 0, 122.5));
  EXPECT_THAT(Load<double>(NumberSystem::kDouble, kQuant8, std::vector<double>{0, 10, 255}),
              ElementsAre(-5, 0, 122.5));
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, kQuant8, native, LoadAs::kInteger),
              ElementsAre(0, 10, 255));
}

TEST(LoadElementsTest, EveryQuantizedType) {
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, Info(OperandType::TENSOR_QUANT8_SYMM, 0.5F),
                           std::vector<int8_t>{-128, 127}),
              ElementsAre(-64, 63.5));
  EXPECT_THAT(
      Load<double>(NumberSystem::kFloat, Info(OperandType::TENSOR_QUANT16_ASYMM, 0.125F, 1000),
                   std::vector<uint16_t>{0, 65535}),
      ElementsAre(-125, 8066.875));
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, Info(OperandType::TENSOR_QUANT16_SYMM, 0.25F),
                           std::vector<int16_t>{-32768, 32767}),
              ElementsAre(-8192, 8191.75));
}

TEST(LoadElementsTest, EachChannelHasItsScale) {
  const std::vector<float> scales = {1, 0.5F, 0.25F};
  OperandInfo info = Info(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
  info.channelScales = scales;
  info.dimensions = {2, 3, 2};
  info.channelDim = 1;
  const std::vector<int8_t> native = {4, 4, 4, 4, 4, 4, -8, -8, -8, -8, -8, -8};
  const std::vector<double> expected = {4, 4, 2, 2, 1, 1, -8, -8, -4, -4, -2, -2};
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, info, native), ElementsAreArray(expected));
  info.dimensions = {4, 3};
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, info, native),
              ElementsAre(4, 2, 1, 4, 2, 1, -8, -4, -2, -8, -4, -2));
  info.dimensions = {3, 4};
  info.channelDim = 0;
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, info, native),
              ElementsAre(4, 4, 4, 4, 2, 2, -4, -4, -2, -2, -2, -2));
}

TEST(LoadElementsTest, HalvesIntegersAndBooleans) {
  EXPECT_THAT(Load<float>(NumberSystem::kFloat, kHalf, std::vector<uint16_t>{0x3C00, 0x0001}),
              ElementsAre(1, 0x1p-24F));
  EXPECT_THAT(Load<double>(NumberSystem::kFloat, kInt32, std::vector<int32_t>{-5, 2147483647}),
              ElementsAre(-5, 2147483647));
  EXPECT_THAT(Load<float>(NumberSystem::kFloat, kBool8, std::vector<uint8_t>{0, 1, 255}),
              ElementsAre(0, 1, 1));
}

TEST(LoadElementsTest, BallsOfExactProductsAreExact) {
  const std::vector<Ball> balls =
      Load<Ball>(NumberSystem::kBall, kQuant8, std::vector<Ball>{{12, 0}, {12, 1}});
  EXPECT_TRUE(balls[0].IsExact());
  EXPECT_EQ(balls[0].midpoint, 1);
  EXPECT_LE(balls[1].Lower(), 0.5);
  EXPECT_GE(balls[1].Upper(), 1.5);
  EXPECT_LT(balls[1].radius, 0.5001);
}

TEST(LoadElementsTest, BallsHoldTheRoundedProducts) {
  // An implementation multiplies in binary32, or in binary16.
  for (int i = 0; i < 256; ++i) {
    const OperandInfo info = Info(OperandType::TENSOR_QUANT8_ASYMM, 0.1F, 100);
    const std::vector<Ball> element = {{static_cast<double>(i), 0}};
    const float product = static_cast<float>(i - 100) * 0.1F;
    const Ball ball = Load<Ball>(NumberSystem::kBall, info, element)[0];
    EXPECT_TRUE(ball.Contains(product)) << i;
    EXPECT_TRUE(ball.Contains((i - 100) * static_cast<double>(0.1F))) << i;
    EXPECT_LE(ball.radius, std::abs(product) * 0x1p-23) << i;
    const Ball half =
        Load<Ball>(NumberSystem::kBall, info, element, LoadAs::kReal, kFloat16Precision)[0];
    EXPECT_TRUE(half.Contains(hal::Float16ToDouble(hal::FloatToFloat16(product)))) << i;
  }
}

TEST(LoadElementsTest, PlainBallsStayAsTheyAre) {
  const std::vector<Ball> balls =
      Load<Ball>(NumberSystem::kBall, kFloat, std::vector<Ball>{{1.5, 0.25}, Ball::Anything()});
  EXPECT_EQ(balls[0].radius, 0.25);
  EXPECT_FALSE(balls[1].IsBounded());
}

TEST(StoreElementsTest, RoundsToTheNearestStepAndSaturates) {
  const std::vector<double> numbers = {0.7, 0.8, -1.3, 1000, -1000, kInfinity, -kInfinity, kNaN};
  EXPECT_THAT(Store<uint8_t>(NumberSystem::kFloat, kQuant8, numbers),
              ElementsAre(11, 12, 7, 255, 0, 255, 0, 0));
  EXPECT_THAT(Store<double>(NumberSystem::kDouble, kQuant8, numbers),
              ElementsAre(11, 12, 7, 255, 0, 255, 0, 0));
}

TEST(StoreElementsTest, TiesGoAwayFromZero) {
  const OperandInfo info = Info(OperandType::TENSOR_QUANT8_ASYMM, 1, 101);
  EXPECT_THAT(
      Store<uint8_t>(NumberSystem::kFloat, info, std::vector<double>{0.5, 1.5, -0.5, -1.5, 2.5}),
      ElementsAre(102, 103, 100, 99, 104));
}

TEST(StoreElementsTest, EveryQuantizedTypeSaturatesAtItsRange) {
  for (const OperandType type :
       {OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_SYMM,
        OperandType::TENSOR_QUANT16_ASYMM, OperandType::TENSOR_QUANT16_SYMM}) {
    const IntegerRange range = RangeOf(type);
    EXPECT_THAT(Store<double>(NumberSystem::kDouble, Info(type, 2), std::vector<double>{-1e9, 1e9}),
                ElementsAre(range.lowest, range.highest))
        << hal::toString(type);
  }
}

TEST(StoreElementsTest, IntegersOfQuantizedElementsAreStoredAsTheyAre) {
  EXPECT_THAT(Store<uint8_t>(NumberSystem::kFloat, kQuant8, std::vector<double>{0, 7, 255, 256},
                             LoadAs::kInteger),
              ElementsAre(0, 7, 255, 255));
}

TEST(StoreElementsTest, HalvesAreRoundedAndFloatsOfTheOracleAreNot) {
  EXPECT_THAT(Store<uint16_t>(NumberSystem::kFloat, kHalf, std::vector<float>{1, 2049, 1e6F}),
              ElementsAre(0x3C00, 0x6800, 0x7C00));
  EXPECT_THAT(Store<double>(NumberSystem::kDouble, kHalf, std::vector<double>{2049}),
              ElementsAre(2048));
  EXPECT_THAT(Store<double>(NumberSystem::kDouble, kFloat, std::vector<double>{0.1}),
              ElementsAre(0.1));
  EXPECT_THAT(Store<float>(NumberSystem::kFloat, kFloat, std::vector<double>{0.1}),
              ElementsAre(0.1F));
}

TEST(StoreElementsTest, Int32SaturatesAndBooleansAreZeroOrOne) {
  EXPECT_THAT(
      Store<int32_t>(NumberSystem::kFloat, kInt32, std::vector<double>{3, 1e12, -1e12, kNaN}),
      ElementsAre(3, 2147483647, std::numeric_limits<int32_t>::lowest(), 0));
  EXPECT_THAT(Store<uint8_t>(NumberSystem::kFloat, kBool8, std::vector<double>{0, 1, 2}),
              ElementsAre(0, 1, 1));
}

TEST(StoreBallsTest, QuantizedBallsHoldEveryStepInReach) {
  // 0.7 is 1.4 steps; 0.25 around it reaches from 0.9 to 1.9 steps.
  const Ball ball = StoreBall(kQuant8, {0.7, 0.25});
  EXPECT_EQ(ball.Lower(), 11);
  EXPECT_EQ(ball.Upper(), 12);
  EXPECT_TRUE(StoreBall(kQuant8, {0.7, 0}).IsExact());
  EXPECT_EQ(StoreBall(kQuant8, {0.7, 0}).midpoint, 11);
}

TEST(StoreBallsTest, TiesMayGoEitherWay) {
  const Ball tie = StoreBall(kQuant8, {0.75, 0});
  EXPECT_EQ(tie.Lower(), 11);
  EXPECT_EQ(tie.Upper(), 12);
}

TEST(StoreBallsTest, NearlyATieMayGoEitherWayWithinTheSlack) {
  const double step = 0.5;
  EXPECT_FALSE(StoreBall(kQuant8, {(1.5 - 0x1p-8) * step, 0}).IsExact());
  EXPECT_TRUE(StoreBall(kQuant8, {(1.5 - 0x1p-6) * step, 0}).IsExact());
}

TEST(StoreBallsTest, QuotientsInHalvesAreRoundedBeforeTheStep) {
  // 200.4 steps: halves there are an eighth apart, and so is the quotient of an honest machine.
  const OperandInfo info = Info(OperandType::TENSOR_QUANT8_ASYMM, 1, 0);
  EXPECT_TRUE(StoreBall(info, {200.4, 0}).IsExact());
  EXPECT_TRUE(StoreBall(info, {200.4, 0}, kFloat16Precision).Contains(201));
}

TEST(StoreBallsTest, QuantizedBallsSaturate) {
  EXPECT_TRUE(StoreBall(kQuant8, {1000, 1}).IsExact());
  EXPECT_EQ(StoreBall(kQuant8, {1000, 1}).midpoint, 255);
  EXPECT_EQ(StoreBall(kQuant8, {kInfinity, 0}).midpoint, 255);
  EXPECT_EQ(StoreBall(kQuant8, {-kInfinity, 0}).midpoint, 0);
  for (const Ball& unknown : {Ball::Anything(), Ball{kNaN, 0}}) {
    const Ball ball = StoreBall(kQuant8, unknown);
    EXPECT_EQ(ball.Lower(), 0);
    EXPECT_EQ(ball.Upper(), 255);
  }
}

TEST(StoreBallsTest, HoldsWhatTheFastBackendStores) {
  for (int i = -400; i < 400; ++i) {
    const double number = i * 0.31;
    const uint8_t stored = Store<uint8_t>(NumberSystem::kFloat, kQuant8,
                                          std::vector<float>{static_cast<float>(number)})[0];
    EXPECT_TRUE(StoreBall(kQuant8, {number, 1e-6}).Contains(stored)) << number;
    const uint16_t half = Store<uint16_t>(NumberSystem::kFloat, kHalf,
                                          std::vector<float>{static_cast<float>(number)})[0];
    EXPECT_TRUE(StoreBall(kHalf, {number, 1e-5}).Contains(hal::Float16ToDouble(half))) << number;
  }
}

TEST(StoreBallsTest, HalvesAreRoundedUnlessTheyAreHeldExactly) {
  EXPECT_TRUE(StoreBall(kHalf, {1.5, 0}).IsExact());
  EXPECT_TRUE(StoreBall(kHalf, {0x1p-24, 0}).IsExact());
  EXPECT_TRUE(StoreBall(kHalf, {2049, 0}).Contains(2048));
  EXPECT_TRUE(StoreBall(kHalf, {2049, 0}).Contains(2050));
  EXPECT_TRUE(StoreBall(kHalf, {0x1p-20 * 1.0001, 0}).Contains(0));
  EXPECT_FALSE(StoreBall(kHalf, {70000, 0}).IsBounded());
  EXPECT_FALSE(StoreBall(kHalf, {65504, 1}).IsBounded());
  EXPECT_TRUE(StoreBall(kHalf, {kInfinity, 0}).IsExactSpecial());
  EXPECT_TRUE(StoreBall(kHalf, {kNaN, 0}).IsExactSpecial());
}

TEST(StoreBallsTest, FloatsKeepTheirBalls) {
  EXPECT_EQ(StoreBall(kFloat, {1.5, 0.25}).radius, 0.25);
  EXPECT_FALSE(StoreBall(kFloat, Ball::Anything()).IsBounded());
}

TEST(StoreBallsTest, Int32) {
  EXPECT_TRUE(StoreBall(kInt32, {-7, 0}).IsExact());
  EXPECT_TRUE(StoreBall(kInt32, {2147483647, 0}).IsExact());
  const Ball two_or_three = StoreBall(kInt32, Ball::FromBounds(2, 3));
  EXPECT_EQ(two_or_three.Lower(), 2);
  EXPECT_EQ(two_or_three.Upper(), 3);
  for (const Ball& outside : {Ball{1e10, 0}, Ball{2147483647, 1}, Ball{-1e10, 0}, Ball{kNaN, 0},
                              Ball{kInfinity, 0}, Ball::Anything()}) {
    const Ball ball = StoreBall(kInt32, outside);
    EXPECT_EQ(ball.Lower(), -2147483648.0);
    EXPECT_EQ(ball.Upper(), 2147483647);
  }
}

TEST(StoreBallsTest, Booleans) {
  EXPECT_TRUE(StoreBall(kBool8, {1, 0}).IsExact());
  EXPECT_EQ(StoreBall(kBool8, {2, 0}).midpoint, 1);
  EXPECT_EQ(StoreBall(kBool8, {0, 0}).midpoint, 0);
  const Ball undecided = StoreBall(kBool8, {0.5, 0.5});
  EXPECT_EQ(undecided.Lower(), 0);
  EXPECT_EQ(undecided.Upper(), 1);
}

TEST(HoldElementsTest, WidensFloatsThatThePrecisionDoesNotHold) {
  std::vector<Ball> balls = {{0.1, 0}, {1.5, 0}, {1e-6, 0}, {1e6, 0}, {kInfinity, 0}, {1, 0.5}};
  HoldElements(OperandType::TENSOR_FLOAT32, kFloat16Precision, balls.size(), BytesAt(balls));
  EXPECT_TRUE(balls[0].Contains(hal::Float16ToDouble(hal::DoubleToFloat16(0.1))));
  EXPECT_LT(balls[0].radius, 1e-4);
  EXPECT_TRUE(balls[1].IsExact());
  EXPECT_TRUE(balls[2].Contains(0));
  EXPECT_FALSE(balls[3].IsBounded());
  EXPECT_TRUE(balls[4].IsExactSpecial());
  EXPECT_EQ(balls[5].radius, 0.5);
}

TEST(HoldElementsTest, LeavesOtherTypesAlone) {
  std::vector<Ball> balls = {{100001, 0}};
  HoldElements(OperandType::TENSOR_INT32, kFloat16Precision, balls.size(), BytesAt(balls));
  EXPECT_TRUE(balls[0].IsExact());
}

// Every bit pattern of a type comes back, but for NaN and for booleans other than 0 and 1.
template <class T>
void ExpectRoundTrip(OperandType type, const std::vector<T>& native) {
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    std::vector<std::byte> elements(native.size() * ElementSize(system, type));
    ImportElements(system, type, BytesAt(native), native.size(), elements.data());
    std::vector<T> exported(native.size());
    ExportElements(system, type, elements.data(), native.size(), BytesAt(exported));
    EXPECT_EQ(std::memcmp(native.data(), exported.data(), native.size() * sizeof(T)), 0)
        << hal::toString(type);
  }
}

TEST(ImportElementsTest, ExportIsTheInverse) {
  std::vector<uint16_t> halves;
  for (uint32_t bits = 0; bits <= 0xFC00; ++bits) {
    if ((bits & 0x7FFF) <= 0x7C00) halves.push_back(static_cast<uint16_t>(bits));
  }
  ExpectRoundTrip(OperandType::TENSOR_FLOAT16, halves);
  ExpectRoundTrip(OperandType::TENSOR_FLOAT32, std::vector<float>{0, -0.0F, 1e-45F, 0.1F, 3.4e38F,
                                                                  static_cast<float>(kInfinity)});
  ExpectRoundTrip(OperandType::TENSOR_INT32, std::vector<int32_t>{-2147483647 - 1, 0, 2147483647});
  ExpectRoundTrip(OperandType::UINT32, std::vector<uint32_t>{0, 4294967295U});
  std::vector<uint8_t> bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  ExpectRoundTrip(OperandType::TENSOR_QUANT8_ASYMM, bytes);
  ExpectRoundTrip(OperandType::TENSOR_QUANT8_SYMM, bytes);
  ExpectRoundTrip(OperandType::TENSOR_QUANT16_ASYMM, std::vector<uint16_t>{0, 65535});
  ExpectRoundTrip(OperandType::TENSOR_QUANT16_SYMM, std::vector<int16_t>{-32768, 32767});
  ExpectRoundTrip(OperandType::TENSOR_BOOL8, std::vector<uint8_t>{0, 1});
}

TEST(ImportElementsTest, AnyByteButZeroIsTrue) {
  const std::vector<uint8_t> native = {0, 1, 2, 255};
  std::vector<double> elements(4);
  ImportElements(NumberSystem::kDouble, OperandType::TENSOR_BOOL8, BytesAt(native), 4,
                 BytesAt(elements));
  EXPECT_THAT(elements, ElementsAre(0, 1, 1, 1));
}

TEST(ExportElementsTest, FloatsAreRoundedToNearest) {
  const std::vector<double> elements = {0.1, 1e300};
  std::vector<float> native(2);
  ExportElements(NumberSystem::kDouble, OperandType::TENSOR_FLOAT32, BytesAt(elements), 2,
                 BytesAt(native));
  EXPECT_THAT(native, ElementsAre(0.1F, static_cast<float>(kInfinity)));
}

TEST(ImportElementsTest, NothingIsNothing) {
  ImportElements(NumberSystem::kFloat, OperandType::TENSOR_FLOAT32, nullptr, 0, nullptr);
  ExportElements(NumberSystem::kDouble, OperandType::TENSOR_FLOAT32, nullptr, 0, nullptr);
}

}  // namespace
}  // namespace nncert
