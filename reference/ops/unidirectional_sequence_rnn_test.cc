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
  int32_t time_major = 1;
  uint32_t steps = 3;
  OperandType type = kFloat32;
  bool is_relaxed = false;
  std::map<int, std::vector<uint32_t>> wrong_dimensions = {};
};

// 2 batches, 2 inputs, 1 unit.
hal::V1_2::Model ModelOf(const Options& options = {}) {
  ModelBuilder builder;
  const std::vector<uint32_t> input = options.time_major == 0
                                          ? std::vector<uint32_t>{2, options.steps, 2}
                                          : std::vector<uint32_t>{options.steps, 2, 2};
  const std::vector<std::vector<uint32_t>> shapes = {input, {1, 2}, {1, 1}, {1}, {2, 1}};
  std::vector<uint32_t> inputs;
  for (int i = 0; i < 5; ++i) {
    const auto wrong = options.wrong_dimensions.find(i);
    inputs.push_back(builder.Input(
        {options.type, wrong == options.wrong_dimensions.end() ? shapes[i] : wrong->second}));
  }
  inputs.push_back(builder.Int32(options.activation));
  inputs.push_back(builder.Int32(options.time_major));
  builder
      .Operation(OperationType::UNIDIRECTIONAL_SEQUENCE_RNN, inputs,
                 {builder.Output({options.type, {0, 0, 0}})})
      .Relaxed(options.is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const Options& options, const std::vector<std::vector<double>>& inputs) {
  const auto results = EvaluateInAllSystems(ModelOf(options), inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated();
}

// W = [1, -1], R = 0.5, b = 0.25.
// Batch 0, from 4: W x = 1, 2, 3; h = 1 + 2 + 0.25 = 3.25; 2 + 1.625 + 0.25 = 3.875;
// 3 + 1.9375 + 0.25 = 5.1875.
// Batch 1, from 2: W x = 0, -8, 1; h = 1.25; -8 + 0.625 + 0.25 = -7.125;
// 1 - 3.5625 + 0.25 = -2.3125, or with RELU 1.25, 0, 1.25.
std::vector<std::vector<double>> InputsWith(const std::vector<double>& input) {
  return {input, {1, -1}, {0.5}, {0.25}, {4, 2}};
}
const std::vector<double> kTimeMajor = {2, 1, 3, 3, 2, 0, -8, 0, 3, 0, 0, -1};
const std::vector<double> kBatchMajor = {2, 1, 2, 0, 3, 0, 3, 3, -8, 0, 0, -1};

TEST(UnidirectionalSequenceRnnTest, TimeMajor) {
  const Evaluated result = Evaluate({}, InputsWith(kTimeMajor));
  EXPECT_THAT(result.dimensions, ElementsAre(3, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(3.25, 1.25, 3.875, -7.125, 5.1875, -2.3125));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 1e-5);
}

TEST(UnidirectionalSequenceRnnTest, BatchMajor) {
  const Evaluated result = Evaluate({.time_major = 0}, InputsWith(kBatchMajor));
  EXPECT_THAT(result.dimensions, ElementsAre(2, 3, 1));
  EXPECT_THAT(result.from_double, ElementsAre(3.25, 3.875, 5.1875, 1.25, -7.125, -2.3125));
}

TEST(UnidirectionalSequenceRnnTest, Activations) {
  EXPECT_THAT(Evaluate({.activation = 1}, InputsWith(kTimeMajor)).from_double,
              ElementsAre(3.25, 1.25, 3.875, 0, 5.1875, 1.25));
  // RELU1: 1 and 1; 2 + 0.5 + 0.25 -> 1 and -8 + 0.5 + 0.25 -> -1; 1 and 1 - 0.5 + 0.25 = 0.75.
  EXPECT_THAT(Evaluate({.activation = 2}, InputsWith(kTimeMajor)).from_double,
              ElementsAre(1, 1, 1, -1, 1, 0.75));
  EXPECT_THAT(Evaluate({.activation = 3}, InputsWith(kTimeMajor)).from_double,
              ElementsAre(3.25, 1.25, 3.875, 0, 5.1875, 1.25));
}

TEST(UnidirectionalSequenceRnnTest, OfHalvesAndRelaxed) {
  for (const Options& options : {Options{.type = kFloat16}, Options{.is_relaxed = true}}) {
    const Evaluated result = Evaluate(options, InputsWith(kTimeMajor));
    EXPECT_THAT(result.from_double[5], -2.3125);
    EXPECT_GT(result.enclosure[5].radius, 1e-3);
    EXPECT_LT(result.enclosure[5].radius, 0.2);
  }
}

TEST(UnidirectionalSequenceRnnTest, LongSequencesAreComputedInParts) {
  // W = [1, 0], R = 1 and b = 0 add up the inputs. 8 numbers belong to a step, and 2^18 are
  // computed at a time.
  constexpr uint32_t kSteps = 80000;
  for (const int32_t time_major : {0, 1}) {
    const Evaluated result =
        Evaluate({.time_major = time_major, .steps = kSteps},
                 {std::vector<double>(4 * kSteps, 1), {1, 0}, {1}, {0}, {0, 100000}});
    ASSERT_EQ(result.from_double.size(), 2 * kSteps);
    for (size_t step = 0; step < kSteps; ++step) {
      const auto sum = static_cast<double>(step + 1);
      ASSERT_EQ(result.from_double[time_major == 1 ? 2 * step : step], sum);
      ASSERT_EQ(result.from_double[time_major == 1 ? 2 * step + 1 : kSteps + step], 100000 + sum);
    }
  }
}

TEST(UnidirectionalSequenceRnnTest, unidirectional_sequence_rnn_c1_to_c4_dimensions) {
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{1, {1, 3}}}}), "C1"));
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{2, {1, 2}}}}), "C2"));
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{3, {2}}}}), "C3"));
  // 3 are the steps, not the batches.
  EXPECT_TRUE(IsRefused(ModelOf({.wrong_dimensions = {{4, {3, 1}}}}), "C4"));
  EXPECT_TRUE(IsRefused(ModelOf({.time_major = 0, .wrong_dimensions = {{4, {3, 1}}}}), "C4"));
}

TEST(UnidirectionalSequenceRnnTest, unidirectional_sequence_rnn_c5_rejects_unknown_activation) {
  EXPECT_TRUE(IsRefused(ModelOf({.activation = 4}), "C5"));
}

TEST(UnidirectionalSequenceRnnTest, unidirectional_sequence_rnn_c6_rejects_other_time_major) {
  for (const int32_t time_major : {-1, 2}) {
    EXPECT_TRUE(IsRefused(ModelOf({.time_major = time_major}), "C6"));
  }
}

TEST(UnidirectionalSequenceRnnTest, RefusesNoSteps) {
  const auto graph = PreparedGraph::Create(ModelOf({.steps = 0}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<std::byte> zeros(2 * sizeof(float));
  const absl::Span<const std::byte> one = absl::MakeConstSpan(zeros).first(sizeof(float));
  std::vector<InputArgument> inputs(5);
  inputs[0].dimensions = {0, 2, 2};
  inputs[1].elements = zeros;
  inputs[2].elements = one;
  inputs[3].elements = one;
  inputs[4].elements = zeros;
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, inputs).status().message(),
              HasSubstr("UNIDIRECTIONAL_SEQUENCE_RNN input 0 (operand 0) is empty: [0, 2, 2]"));
}

TEST(UnidirectionalSequenceRnnTest, CameWithHal12) {
  EXPECT_THAT(SignatureErrorOf(ModelOf(), HalVersion::V1_1),
              HasSubstr("UNIDIRECTIONAL_SEQUENCE_RNN was introduced in HAL 1.2"));
}

}  // namespace
}  // namespace nncert
