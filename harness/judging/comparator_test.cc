// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/comparator.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "hal/to_string.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Criterion kFp32 = {"fp32", 1e-5, 1e-5};
const Criterion kFp16 = {"fp16", 0.0048828125, 0.0048828125};

// A case of one operation with one input and one output.
TestCase CaseOf(OperandType input, OperandType output, bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t in = builder.Input({input, {2}});
  const uint32_t out = builder.Output({output, {2}});
  builder.Operation(OperationType::CAST, {in}, {out}).Relaxed(is_relaxed);
  TestCase test_case;
  test_case.model = builder.model();
  return test_case;
}

ElementComparison Compare(OperandType type, const Criterion& criterion,
                          const std::vector<double>& expected, const std::vector<double>& actual) {
  return CompareElements(type, criterion, BytesOf(type, expected), BytesOf(type, actual)).value();
}

std::vector<uint64_t> Indexes(const ElementComparison& comparison) {
  std::vector<uint64_t> indexes;
  for (const Mismatch& mismatch : comparison.mismatches) indexes.push_back(mismatch.index);
  return indexes;
}

TEST(CriterionFor, Float32IsHeldToFp32) {
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT32), 0),
            kFp32);
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_INT32, OperandType::TENSOR_FLOAT32), 0), kFp32);
}

TEST(CriterionFor, RelaxedFloat32IsHeldToFp16) {
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT32, true), 0),
            kFp16);
}

TEST(CriterionFor, HalfInputMakesFloat32OutputFp16) {
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT32), 0),
            kFp16);
}

TEST(CriterionFor, HalfOutputIsHeldToFp16) {
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16), 0),
            kFp16);
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_INT32, OperandType::TENSOR_FLOAT16), 0), kFp16);
}

TEST(CriterionFor, RelaxedDoesNotTouchIntegersAndBooleans) {
  for (const OperandType type : {OperandType::TENSOR_INT32, OperandType::TENSOR_BOOL8}) {
    EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_FLOAT16, type, true), 0),
              (Criterion{"exact", 0, 0}))
        << type;
  }
}

TEST(CriterionFor, EveryQuantizedTypeTakesTheToleranceOfTheCase) {
  for (const OperandType type :
       {OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_SYMM,
        OperandType::TENSOR_QUANT16_ASYMM, OperandType::TENSOR_QUANT16_SYMM,
        OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL}) {
    TestCase test_case = CaseOf(OperandType::TENSOR_FLOAT32, type);
    EXPECT_EQ(CriterionFor(test_case, 0), (Criterion{"quantized", 1, 0})) << type;
    test_case.quantizedTolerance = 2;
    EXPECT_EQ(CriterionFor(test_case, 0), (Criterion{"quantized", 2, 0})) << type;
  }
}

TEST(CriterionFor, OpaqueTypesAreExact) {
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_FLOAT32, OperandType::TENSOR_OEM_BYTE), 0),
            (Criterion{"exact", 0, 0}));
  EXPECT_EQ(CriterionFor(CaseOf(OperandType::TENSOR_FLOAT32, OperandType{0x10003}), 0),
            (Criterion{"exact", 0, 0}));
}

TEST(Criterion, ThresholdIsAbsolutePlusRelative) {
  EXPECT_DOUBLE_EQ(kFp32.ThresholdFor(0), 1e-5);
  EXPECT_DOUBLE_EQ(kFp32.ThresholdFor(1.5), 2.5e-5);
  EXPECT_DOUBLE_EQ(kFp32.ThresholdFor(-1.5), 2.5e-5);
  EXPECT_DOUBLE_EQ(kFp16.ThresholdFor(1), 0.009765625);
}

TEST(IsWithin, TheThresholdItselfPasses) {
  const Criterion quarter = {"fp32", 0.25, 0.25};
  EXPECT_TRUE(IsWithin(quarter, 1, 1.5));
  EXPECT_TRUE(IsWithin(quarter, 1, 0.5));
  EXPECT_FALSE(IsWithin(quarter, 1, std::nextafter(1.5, 2)));
  EXPECT_FALSE(IsWithin(quarter, 1, 0.4999999));
  EXPECT_TRUE(IsWithin(quarter, -1, -1.5));
  EXPECT_FALSE(IsWithin(quarter, -1, 1));
}

TEST(IsWithin, TheThresholdFollowsTheExpectedMagnitudeNotTheActual) {
  const Criterion relative = {"fp32", 0, 0.1};
  EXPECT_TRUE(IsWithin(relative, 110, 100));
  EXPECT_FALSE(IsWithin(relative, 100, 110.5));
  EXPECT_TRUE(IsWithin(relative, 110.5, 100));
}

TEST(IsWithin, NanIsLikeNanAlone) {
  for (const Criterion& criterion : {kFp32, kFp16}) {
    EXPECT_TRUE(IsWithin(criterion, kNan, kNan));
    EXPECT_TRUE(IsWithin(criterion, kNan, -kNan));
    for (const double value : {0.0, 1.0, kInfinity, -kInfinity}) {
      EXPECT_FALSE(IsWithin(criterion, kNan, value)) << value;
      EXPECT_FALSE(IsWithin(criterion, value, kNan)) << value;
    }
  }
}

TEST(IsWithin, InfinityIsLikeTheSameInfinityAlone) {
  EXPECT_TRUE(IsWithin(kFp32, kInfinity, kInfinity));
  EXPECT_TRUE(IsWithin(kFp32, -kInfinity, -kInfinity));
  EXPECT_FALSE(IsWithin(kFp32, kInfinity, -kInfinity));
  EXPECT_FALSE(IsWithin(kFp32, -kInfinity, kInfinity));
  for (const double value : {0.0, 3e38, std::numeric_limits<double>::max()}) {
    EXPECT_FALSE(IsWithin(kFp32, kInfinity, value)) << value;
    EXPECT_FALSE(IsWithin(kFp32, value, kInfinity)) << value;
    EXPECT_FALSE(IsWithin(kFp32, -kInfinity, -value)) << value;
    EXPECT_FALSE(IsWithin(kFp32, -value, -kInfinity)) << value;
  }
}

TEST(IsWithin, NegativeZeroIsZero) {
  EXPECT_TRUE(IsWithin({"exact", 0, 0}, 0.0, -0.0));
  EXPECT_TRUE(IsWithin({"exact", 0, 0}, -0.0, 0.0));
}

TEST(CompareElements, TheSameBytesPassWhateverTheyStandFor) {
  const std::vector<uint8_t> floats =
      BytesOf(OperandType::TENSOR_FLOAT32, {1, kNan, std::numeric_limits<double>::infinity()});
  const auto comparison = CompareElements(OperandType::TENSOR_FLOAT32, kFp32, floats, floats);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_EQ(comparison->compared, 3U);
  EXPECT_TRUE(comparison->mismatches.empty());
}

TEST(CompareElements, FindsEveryMismatchOfFloats) {
  const ElementComparison comparison =
      Compare(OperandType::TENSOR_FLOAT32, kFp32, {1, 2, 3, kNan, kInfinity, 0},
              {1, 2.1, 3.00001, kNan, 4, kNan});
  EXPECT_EQ(comparison.compared, 6U);
  EXPECT_THAT(Indexes(comparison), ElementsAre(1, 4, 5));
  const Mismatch& first = comparison.mismatches[0];
  EXPECT_EQ(first.expected, 2);
  EXPECT_FLOAT_EQ(first.actual, 2.1);
  EXPECT_NEAR(first.difference, 0.1, 1e-6);
  EXPECT_DOUBLE_EQ(first.threshold, 3e-5);
  EXPECT_EQ(comparison.mismatches[1].difference, kInfinity);
  EXPECT_EQ(comparison.mismatches[1].threshold, 0);
  EXPECT_TRUE(std::isnan(comparison.mismatches[2].difference));
}

TEST(CompareElements, HalvesAreComparedAsNumbers) {
  const ElementComparison comparison =
      Compare(OperandType::TENSOR_FLOAT16, kFp16, {1, 1, 65504, kInfinity},
              {1.009, 1.02, kInfinity, kInfinity});
  EXPECT_THAT(Indexes(comparison), ElementsAre(1, 2));
}

TEST(CompareElements, SubnormalFloatsAreNumbers) {
  const float subnormal = std::numeric_limits<float>::denorm_min();
  EXPECT_THAT(Compare(OperandType::TENSOR_FLOAT32, kFp32, {subnormal}, {0}).mismatches, IsEmpty());
  EXPECT_THAT(Compare(OperandType::TENSOR_FLOAT32, {"exact", 0, 0}, {subnormal}, {0}).mismatches,
              SizeIs(1));
}

TEST(CompareElements, QuantizedIsOffBySteps) {
  struct Range {
    OperandType type;
    double lowest;
    double highest;
  };
  for (const Range& range :
       std::vector<Range>{{OperandType::TENSOR_QUANT8_ASYMM, 0, 255},
                          {OperandType::TENSOR_QUANT8_SYMM, -128, 127},
                          {OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, -128, 127},
                          {OperandType::TENSOR_QUANT16_ASYMM, 0, 65535},
                          {OperandType::TENSOR_QUANT16_SYMM, -32768, 32767}}) {
    const Criterion one = {"quantized", 1, 0};
    EXPECT_THAT(Indexes(Compare(range.type, one, {10, 10, 10, 10, 10}, {8, 9, 10, 11, 12})),
                ElementsAre(0, 4))
        << range.type;
    EXPECT_THAT(Indexes(Compare(range.type, {"quantized", 2, 0}, {10, 10, 10, 10}, {7, 8, 12, 13})),
                ElementsAre(0, 3))
        << range.type;
    // The ends of the range are far apart, and nothing wraps around.
    EXPECT_THAT(Indexes(Compare(range.type, one, {range.lowest, range.highest},
                                {range.highest, range.lowest})),
                ElementsAre(0, 1))
        << range.type;
    EXPECT_EQ(Compare(range.type, one, {range.lowest}, {range.highest}).mismatches[0].difference,
              range.highest - range.lowest);
  }
}

TEST(CompareElements, Quant16AsymmIsUnsigned) {
  // As signed integers these are as far apart as can be.
  EXPECT_THAT(Compare(OperandType::TENSOR_QUANT16_ASYMM, {"quantized", 1, 0}, {32767, 32768},
                      {32768, 32767})
                  .mismatches,
              IsEmpty());
}

TEST(CompareElements, IntegersAreExact) {
  const Criterion exact = {"exact", 0, 0};
  EXPECT_THAT(Indexes(Compare(OperandType::TENSOR_INT32, exact, {1, 2, -2147483648.0, 2147483647},
                              {1, 3, -2147483648.0, 2147483646})),
              ElementsAre(1, 3));
}

TEST(CompareElements, BooleansAreExactAndEveryByteButZeroIsTrue) {
  const Criterion exact = {"exact", 0, 0};
  const ElementComparison comparison =
      CompareElements(OperandType::TENSOR_BOOL8, exact, {0, 1, 1, 0}, {0, 255, 0, 1}).value();
  EXPECT_THAT(Indexes(comparison), ElementsAre(2, 3));
}

TEST(CompareElements, NothingIsComparedOfNothing) {
  const ElementComparison comparison = Compare(OperandType::TENSOR_FLOAT32, kFp32, {}, {});
  EXPECT_EQ(comparison.compared, 0U);
  EXPECT_THAT(comparison.mismatches, IsEmpty());
}

TEST(CompareElements, LengthsMustAgree) {
  EXPECT_THAT(CompareElements(OperandType::TENSOR_FLOAT32, kFp32, {0, 0, 0, 0}, {}),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                     "the output has 0 bytes; expected 4"));
}

TEST(CompareElements, OpaqueBytesAreExact) {
  const OperandType type = OperandType{0x10003};
  const Criterion exact = {"exact", 0, 0};
  const absl::StatusOr<ElementComparison> same = CompareElements(type, exact, {1, 2, 3}, {1, 2, 3});
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->compared, 3U);
  const absl::StatusOr<ElementComparison> other =
      CompareElements(type, exact, {1, 2, 3}, {1, 2, 4});
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("byte 2 of 3"));
}

TEST(DescribeMismatches, NamesElementNumbersAndCriterion) {
  ElementComparison comparison;
  comparison.compared = 16;
  comparison.mismatches.push_back({7, 1.5, kNan, kNan, 2.5e-5});
  const MismatchDescription description =
      DescribeMismatches(OperandType::TENSOR_FLOAT32, kFp32, {2, 4, 2}, comparison);
  EXPECT_EQ(description.headline,
            "element [0, 3, 1] (flat 7): expected 1.5, actual nan, |difference| nan > threshold "
            "2.5e-05 (fp32: atol 1e-05 + rtol 1e-05 x |expected|); 1 of 16 elements differs");
  EXPECT_EQ(description.further, "");
}

TEST(DescribeMismatches, ShowsTenMoreAndCountsTheRest) {
  ElementComparison comparison;
  comparison.compared = 20;
  for (uint64_t i = 0; i < 13; ++i) comparison.mismatches.push_back({i, 5, 9, 4, 1});
  const MismatchDescription description =
      DescribeMismatches(OperandType::TENSOR_QUANT8_ASYMM, {"quantized", 1, 0}, {20}, comparison);
  EXPECT_EQ(description.headline,
            "element [0] (flat 0): expected 5, actual 9, |difference| 4 > threshold 1 (quantized: "
            "off by 1); 13 of 20 elements differ");
  EXPECT_EQ(std::count(description.further.begin(), description.further.end(), '\n'), 11);
  EXPECT_THAT(description.further, HasSubstr("\n  element [10] (flat 10): expected 5, actual 9"));
  EXPECT_THAT(description.further, testing::EndsWith("\n  and 2 more"));
}

}  // namespace
}  // namespace nncert
