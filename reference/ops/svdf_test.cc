// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

struct Options {
  int32_t rank = 1;
  int32_t activation = 0;
  bool has_activation = true;
  bool has_bias = true;
  // Entries of the state for each filter: memory_size, or 1 less.
  uint32_t kept = 3;
  OperandType type = kFloat32;
  bool is_relaxed = false;
  std::map<int, std::vector<uint32_t>> wrong_dimensions = {};
};

// 1 batch, 2 inputs, 2 filters, memory of 3.
hal::V1_2::Model ModelOf(const Options& options = {}) {
  ModelBuilder builder;
  const uint32_t units = options.rank == 2 ? 1 : 2;
  const std::vector<std::vector<uint32_t>> shapes = {
      {1, 2}, {2, 2}, {2, 3}, {units}, {1, 2 * options.kept}};
  std::vector<uint32_t> inputs;
  for (int i = 0; i < 5; ++i) {
    const auto wrong = options.wrong_dimensions.find(i);
    if (i == 3 && !options.has_bias) {
      inputs.push_back(builder.Omitted({options.type, {0}}));
    } else {
      inputs.push_back(builder.Input(
          {options.type, wrong == options.wrong_dimensions.end() ? shapes[i] : wrong->second}));
    }
  }
  inputs.push_back(builder.Int32(options.rank));
  inputs.push_back(options.has_activation ? builder.Int32(options.activation)
                                          : builder.Omitted({OperandType::INT32}));
  builder
      .Operation(OperationType::SVDF, inputs,
                 {builder.Output({options.type, {0, 0}}), builder.Output({options.type, {0, 0}})})
      .Relaxed(options.is_relaxed);
  return builder.model();
}

std::vector<Evaluated> Evaluate(const Options& options,
                                const std::vector<std::vector<double>>& inputs) {
  const auto results = EvaluateInAllSystems(ModelOf(options), inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Evaluated>(2);
}

// The filters give 1 * 2 + 3 * 1 = 5 and 1 * -1 + 3 * 0.5 = 0.5. With memories [1, 2] and [3, 4]:
// 1 * 10 + 2 * 20 + 5 * 30 = 200, and 3 * 1 + 4 * -1 + 0.5 * 2 = 0.
const std::vector<double> kFrame = {1, 3};
const std::vector<double> kWeightsFeature = {2, 1, -1, 0.5};
const std::vector<double> kWeightsTime = {10, 20, 30, 1, -1, 2};

TEST(SvdfTest, FiltersTheInputAndTheMemory) {
  // The last entry of each filter's state, 99 and -99, is not looked at.
  const auto results =
      Evaluate({}, {kFrame, kWeightsFeature, kWeightsTime, {0.25, -7}, {1, 2, 99, 3, 4, -99}});
  EXPECT_THAT(results[0].dimensions, ElementsAre(1, 6));
  EXPECT_THAT(results[0].from_double, ElementsAre(2, 5, 0, 4, 0.5, 0));
  EXPECT_THAT(results[1].dimensions, ElementsAre(1, 2));
  EXPECT_THAT(results[1].from_double, ElementsAre(200.25, -7));
  EXPECT_LT(results[1].enclosure[0].radius, 1e-3);
  EXPECT_TRUE(results[0].enclosure[0].IsExact());
}

TEST(SvdfTest, TheStateMayHoldTheMemoryAlone) {
  const auto results =
      Evaluate({.kept = 2}, {kFrame, kWeightsFeature, kWeightsTime, {0.25, -7}, {1, 2, 3, 4}});
  EXPECT_THAT(results[0].from_double, ElementsAre(2, 5, 4, 0.5));
  EXPECT_THAT(results[1].from_double, ElementsAre(200.25, -7));
}

TEST(SvdfTest, FiltersInARowMakeAUnit) {
  const auto results =
      Evaluate({.rank = 2}, {kFrame, kWeightsFeature, kWeightsTime, {-50}, {1, 2, 0, 3, 4, 0}});
  EXPECT_THAT(results[1].dimensions, ElementsAre(1, 1));
  EXPECT_THAT(results[1].from_double, ElementsAre(150));
  EXPECT_THAT(results[0].from_double, ElementsAre(2, 5, 0, 4, 0.5, 0));
}

TEST(SvdfTest, WithoutBiasAndWithActivations) {
  const std::vector<std::vector<double>> inputs = {
      kFrame, kWeightsFeature, {-0.125, 0, 0, 0, 0, 16}, {1, 2, 0, 3, 4, 0}};
  EXPECT_EQ(Evaluate({.has_activation = false, .has_bias = false}, inputs)[1].from_double,
            Evaluate({.activation = 0, .has_bias = false}, inputs)[1].from_double);
  const auto output = [&](int32_t activation) {
    return Evaluate({.activation = activation, .has_bias = false}, inputs)[1].from_double;
  };
  EXPECT_THAT(output(0), ElementsAre(-0.125, 8));
  EXPECT_THAT(output(1), ElementsAre(0, 8));
  EXPECT_THAT(output(2), ElementsAre(-0.125, 1));
  EXPECT_THAT(output(3), ElementsAre(0, 6));
}

TEST(SvdfTest, AMemoryOfOneFrame) {
  const auto results = Evaluate({.kept = 1, .wrong_dimensions = {{2, {2, 1}}}},
                                {kFrame, kWeightsFeature, {10, 20}, {0, 0}, {7, 7}});
  EXPECT_THAT(results[0].from_double, ElementsAre(0, 0));
  EXPECT_THAT(results[1].from_double, ElementsAre(50, 10));
}

TEST(SvdfTest, ManyBatches) {
  const auto results =
      Evaluate({.kept = 2, .wrong_dimensions = {{0, {2, 2}}, {4, {2, 4}}}},
               {{1, 3, 0, 0}, kWeightsFeature, kWeightsTime, {0, 0}, {1, 2, 3, 4, 5, 6, 7, 8}});
  EXPECT_THAT(results[0].from_double, ElementsAre(2, 5, 4, 0.5, 6, 0, 8, 0));
  // 5 * 10 + 6 * 20 = 170, 7 - 8 = -1.
  EXPECT_THAT(results[1].from_double, ElementsAre(200, 0, 170, -1));
}

TEST(SvdfTest, OfHalvesAndRelaxed) {
  for (const Options& options : {Options{.type = kFloat16}, Options{.is_relaxed = true}}) {
    const auto results =
        Evaluate(options, {kFrame, kWeightsFeature, kWeightsTime, {0.25, -7}, {1, 2, 0, 3, 4, 0}});
    EXPECT_EQ(results[1].from_double[0], 200.25);
    EXPECT_GT(results[1].enclosure[0].radius, 0.1);
    EXPECT_LT(results[1].enclosure[0].radius, 2);
  }
}

TEST(SvdfTest, svdf_c1_rejects_a_rank_that_does_not_divide) {
  for (const int32_t rank : {0, -1, 3}) {
    EXPECT_TRUE(IsRefused(ModelOf({.rank = rank, .has_bias = false}), "C1"));
  }
}

TEST(SvdfTest, svdf_c2_rejects_weights_of_another_input_size) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{1, {2, 3}}}}), "C2"));
}

TEST(SvdfTest, svdf_c3_rejects_other_numbers_of_filters) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{2, {3, 3}}}}), "C3"));
}

TEST(SvdfTest, svdf_c4_rejects_another_bias) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{3, {1}}}}), "C4"));
  EXPECT_TRUE(IsRefused(ModelOf({.rank = 2, .wrong_dimensions = {{3, {2}}}}), "C4"));
}

TEST(SvdfTest, svdf_c5_rejects_another_state) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{4, {2, 6}}}}), "C5"));
  for (const uint32_t width : {2U, 5U, 8U}) {
    EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{4, {1, width}}}}), "C5"));
  }
}

TEST(SvdfTest, svdf_c6_rejects_an_unknown_activation) {
  EXPECT_TRUE(IsRefused(ModelOf({.activation = 4}), "C6"));
}

TEST(SvdfTest, HalvesCameWithHal12) {
  EXPECT_EQ(SignatureErrorOf(ModelOf(), HalVersion::V1_0), "");
  EXPECT_THAT(SignatureErrorOf(ModelOf({.type = kFloat16}), HalVersion::V1_1),
              HasSubstr("SVDF input 0 'input'"));
}

}  // namespace
}  // namespace nncert
