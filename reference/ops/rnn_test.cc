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
  int32_t activation = 0;
  bool has_activation = true;
  OperandType type = kFloat32;
  bool is_relaxed = false;
  // Dimensions of inputs that are not what they should be.
  std::map<int, std::vector<uint32_t>> wrong_dimensions = {};
};

// 2 batches, 3 inputs, 2 units. x, R, b and h are inputs of the model, too.
hal::V1_2::Model ModelOf(const Options& options = {}) {
  ModelBuilder builder;
  const std::vector<std::vector<uint32_t>> shapes = {{2, 3}, {2, 3}, {2, 2}, {2}, {2, 2}};
  std::vector<uint32_t> inputs;
  for (int i = 0; i < 5; ++i) {
    const auto wrong = options.wrong_dimensions.find(i);
    inputs.push_back(builder.Input(
        {options.type, wrong == options.wrong_dimensions.end() ? shapes[i] : wrong->second}));
  }
  inputs.push_back(options.has_activation ? builder.Int32(options.activation)
                                          : builder.Omitted({OperandType::INT32}));
  builder
      .Operation(OperationType::RNN, inputs,
                 {builder.Output({options.type, {0, 0}}), builder.Output({options.type, {2, 2}})})
      .Relaxed(options.is_relaxed);
  return builder.model();
}

// Row 0: W x = [1 + 4 - 3, 0.5 - 2 + 0] = [2, -1.5]; R h = [4 - 2, 2 + 1] = [2, 3].
// Row 1: W x = [-2 + 0 - 1, -1 + 0 + 0] = [-3, -1]; R h = [0 + 1, 0 - 0.5] = [1, -0.5].
// With b = [0.25, -4]: [4.25, -2.5] and [-1.75, -5.5].
const std::vector<std::vector<double>> kInputs = {
    {1, 2, 3, -2, 0, 1}, {1, 2, -1, 0.5, -1, 0}, {1, -1, 0.5, 0.5}, {0.25, -4}, {4, 2, 0, -1}};

std::vector<Evaluated> Evaluate(const Options& options) {
  const auto results = EvaluateInAllSystems(ModelOf(options), kInputs);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Evaluated>(2);
}

TEST(RnnTest, AddsInputStateAndBias) {
  const auto results = Evaluate({});
  for (const Evaluated& result : results) {
    EXPECT_THAT(result.dimensions, ElementsAre(2, 2));
    EXPECT_THAT(result.from_double, ElementsAre(4.25, -2.5, -1.75, -5.5));
    for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 1e-5);
  }
}

TEST(RnnTest, Activations) {
  EXPECT_THAT(Evaluate({.has_activation = false})[0].from_double,
              ElementsAre(4.25, -2.5, -1.75, -5.5));
  EXPECT_THAT(Evaluate({.activation = 1})[0].from_double, ElementsAre(4.25, 0, 0, 0));
  EXPECT_THAT(Evaluate({.activation = 2})[1].from_double, ElementsAre(1, -1, -1, -1));
  EXPECT_THAT(Evaluate({.activation = 3})[1].from_double, ElementsAre(4.25, 0, 0, 0));
}

TEST(RnnTest, OfHalvesAndRelaxed) {
  for (const Options& options : {Options{.type = kFloat16}, Options{.is_relaxed = true}}) {
    const auto results = Evaluate(options);
    EXPECT_THAT(results[1].from_double, ElementsAre(4.25, -2.5, -1.75, -5.5));
    EXPECT_GT(results[1].enclosure[0].radius, 1e-3);
    EXPECT_LT(results[1].enclosure[0].radius, 0.2);
  }
}

TEST(RnnTest, rnn_c1_rejects_weights_of_another_input_size) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{1, {2, 4}}}}), "C1"));
}

TEST(RnnTest, rnn_c2_rejects_other_recurrent_weights) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{2, {2, 3}}}}), "C2"));
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{2, {3, 2}}}}), "C2"));
}

TEST(RnnTest, rnn_c3_rejects_another_bias) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{3, {3}}}}), "C3"));
}

TEST(RnnTest, rnn_c4_rejects_another_state) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{4, {1, 2}}}}), "C4"));
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{4, {2, 1}}}}), "C4"));
}

TEST(RnnTest, rnn_c5_rejects_an_unknown_activation) {
  for (const int32_t activation : {-1, 4}) {
    EXPECT_TRUE(IsRefused(ModelOf({.activation = activation}), "C5"));
  }
}

TEST(RnnTest, HalvesCameWithHal12) {
  EXPECT_EQ(SignatureErrorOf(ModelOf(), HalVersion::V1_0), "");
  EXPECT_THAT(SignatureErrorOf(ModelOf({.type = kFloat16}), HalVersion::V1_1),
              HasSubstr("RNN input 0 'input'"));
}

}  // namespace
}  // namespace nncert
