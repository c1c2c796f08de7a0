// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

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
  bool has_aux_input = false;
  bool is_time_major = true;
  bool is_merged = false;
  int32_t activation = 0;
  OperandType type = kFloat32;
  bool is_relaxed = false;
  // How many outputs there are; -1 for the right number.
  int outputs = -1;
  std::map<int, std::vector<uint32_t>> wrong_dimensions = {};
  std::set<int> left_out = {};
};

// 3 steps, 2 batches, 1 input, 1 unit forward and 2 backward.
hal::V1_2::Model ModelOf(const Options& options = {}) {
  ModelBuilder builder;
  const std::vector<uint32_t> sequence =
      options.is_time_major ? std::vector<uint32_t>{3, 2, 1} : std::vector<uint32_t>{2, 3, 1};
  const std::vector<std::vector<uint32_t>> shapes = {
      sequence, {1, 1}, {1, 1}, {1}, {2, 1}, {2, 1}, {2, 2}, {2}, {2, 2}, sequence, {1, 1}, {2, 1}};
  std::vector<uint32_t> inputs;
  for (int i = 0; i < 12; ++i) {
    const auto wrong = options.wrong_dimensions.find(i);
    if ((i >= 9 && !options.has_aux_input) || options.left_out.contains(i)) {
      inputs.push_back(builder.Omitted({options.type, {0}}));
    } else {
      inputs.push_back(builder.Input(
          {options.type, wrong == options.wrong_dimensions.end() ? shapes[i] : wrong->second}));
    }
  }
  inputs.push_back(builder.Int32(options.activation));
  inputs.push_back(builder.Bool(options.is_time_major));
  inputs.push_back(builder.Bool(options.is_merged));
  std::vector<uint32_t> outputs;
  const int count = options.outputs >= 0 ? options.outputs : (options.is_merged ? 1 : 2);
  for (int i = 0; i < count; ++i) outputs.push_back(builder.Output({options.type, {0, 0, 0}}));
  builder.Operation(OperationType::BIDIRECTIONAL_SEQUENCE_RNN, inputs, outputs)
      .Relaxed(options.is_relaxed);
  return builder.model();
}

std::vector<Evaluated> Evaluate(const Options& options,
                                const std::vector<std::vector<double>>& inputs) {
  const auto results = EvaluateInAllSystems(ModelOf(options), inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Evaluated>(2);
}

// Forward: W = 1, R = 0.5, b = 0.
//   Batch 0 of 1, 2, 3 from 4: 3, 3.5, 4.75. Batch 1 of 0, -8, 1 from 2: 1, -7.5, -2.75.
// Backward: W = [2, -1], R = [0.5 0; 1 0], b = [1, 0].
//   Batch 0 from [0, 5]: 3 gives [7, -3]; 2 gives [4 + 3.5 + 1, -2 + 7] = [8.5, 5];
//   1 gives [2 + 4.25 + 1, -1 + 8.5] = [7.25, 7.5].
//   Batch 1 from [2, 0]: 1 gives [2 + 1 + 1, -1 + 2] = [4, 1];
//   -8 gives [-16 + 2 + 1, 8 + 4] = [-13, 12]; 0 gives [-6.5 + 1, -13] = [-5.5, -13].
std::vector<std::vector<double>> InputsWith(const std::vector<double>& input) {
  return {input, {1}, {0.5}, {0}, {4, 2}, {2, -1}, {0.5, 0, 1, 0}, {1, 0}, {0, 5, 2, 0}};
}
const std::vector<double> kTimeMajor = {1, 0, 2, -8, 3, 1};
const std::vector<double> kBatchMajor = {1, 2, 3, 0, -8, 1};

TEST(BidirectionalSequenceRnnTest, TimeMajor) {
  const auto results = Evaluate({}, InputsWith(kTimeMajor));
  EXPECT_THAT(results[0].dimensions, ElementsAre(3, 2, 1));
  EXPECT_THAT(results[0].from_double, ElementsAre(3, 1, 3.5, -7.5, 4.75, -2.75));
  EXPECT_THAT(results[1].dimensions, ElementsAre(3, 2, 2));
  EXPECT_THAT(results[1].from_double,
              ElementsAre(7.25, 7.5, -5.5, -13, 8.5, 5, -13, 12, 7, -3, 4, 1));
  for (const Ball& ball : results[1].enclosure) EXPECT_LT(ball.radius, 1e-4);
}

TEST(BidirectionalSequenceRnnTest, BatchMajor) {
  const auto results = Evaluate({.is_time_major = false}, InputsWith(kBatchMajor));
  EXPECT_THAT(results[0].dimensions, ElementsAre(2, 3, 1));
  EXPECT_THAT(results[0].from_double, ElementsAre(3, 3.5, 4.75, 1, -7.5, -2.75));
  EXPECT_THAT(results[1].from_double,
              ElementsAre(7.25, 7.5, 8.5, 5, 7, -3, -5.5, -13, -13, 12, 4, 1));
}

TEST(BidirectionalSequenceRnnTest, Merged) {
  const auto time_major = Evaluate({.is_merged = true}, InputsWith(kTimeMajor));
  ASSERT_EQ(time_major.size(), 1U);
  EXPECT_THAT(time_major[0].dimensions, ElementsAre(3, 2, 3));
  EXPECT_THAT(time_major[0].from_double, ElementsAre(3, 7.25, 7.5, 1, -5.5, -13, 3.5, 8.5, 5, -7.5,
                                                     -13, 12, 4.75, 7, -3, -2.75, 4, 1));
  const auto batch_major =
      Evaluate({.is_time_major = false, .is_merged = true}, InputsWith(kBatchMajor));
  EXPECT_THAT(batch_major[0].dimensions, ElementsAre(2, 3, 3));
  EXPECT_THAT(batch_major[0].from_double, ElementsAre(3, 7.25, 7.5, 3.5, 8.5, 5, 4.75, 7, -3, 1,
                                                      -5.5, -13, -7.5, -13, 12, -2.75, 4, 1));
}

TEST(BidirectionalSequenceRnnTest, AnAuxiliaryInputIsAdded) {
  // Input 0, and auxiliary input x / 10 with ten times the weights.
  std::vector<std::vector<double>> inputs = InputsWith(std::vector<double>(6, 0));
  inputs.push_back({0.125, 0, 0.25, -1, 0.375, 0.125});
  inputs.push_back({8});
  inputs.push_back({16, -8});
  const auto results = Evaluate({.has_aux_input = true}, inputs);
  EXPECT_THAT(results[0].from_double, ElementsAre(3, 1, 3.5, -7.5, 4.75, -2.75));
  EXPECT_THAT(results[1].from_double,
              ElementsAre(7.25, 7.5, -5.5, -13, 8.5, 5, -13, 12, 7, -3, 4, 1));
  // Both inputs: twice W x. Forward, batch 0: 2 + 2 = 4, 4 + 2 = 6, 6 + 3 = 9.
  inputs[0] = kTimeMajor;
  const auto both = Evaluate({.has_aux_input = true, .is_merged = true}, inputs);
  EXPECT_EQ(both[0].from_double[0], 4);
  EXPECT_EQ(both[0].from_double[6], 6);
  EXPECT_EQ(both[0].from_double[12], 9);
}

TEST(BidirectionalSequenceRnnTest, Activations) {
  // RELU6, backward, batch 0: [6, 0]; [4 + 3 + 1 -> 6, -2 + 6 = 4]; [2 + 3 + 1 = 6, -1 + 6 = 5].
  const auto results = Evaluate({.activation = 3}, InputsWith(kTimeMajor));
  EXPECT_THAT(results[0].from_double, ElementsAre(3, 1, 3.5, 0, 4.75, 1));
  EXPECT_EQ(results[1].from_double[8], 6);
  EXPECT_EQ(results[1].from_double[9], 0);
  EXPECT_EQ(results[1].from_double[4], 6);
  EXPECT_EQ(results[1].from_double[5], 4);
  EXPECT_EQ(results[1].from_double[0], 6);
  EXPECT_EQ(results[1].from_double[1], 5);
}

TEST(BidirectionalSequenceRnnTest, OfHalvesAndRelaxed) {
  for (const Options& options : {Options{.type = kFloat16}, Options{.is_relaxed = true}}) {
    const auto results = Evaluate(options, InputsWith(kTimeMajor));
    EXPECT_EQ(results[1].from_double[3], -13);
    EXPECT_GT(results[1].enclosure[3].radius, 1e-3);
    EXPECT_LT(results[1].enclosure[3].radius, 0.5);
  }
}

TEST(BidirectionalSequenceRnnTest, bidirectional_sequence_rnn_c1_to_c10_cells) {
  const auto wrong = [](int input, const std::vector<uint32_t>& dimensions) {
    return ModelOf({.has_aux_input = true, .wrong_dimensions = {{input, dimensions}}});
  };
  // Weights of another input size go with auxiliary weights of their dimensions.
  EXPECT_TRUE(IsRefused(
      ModelOf({.has_aux_input = true, .wrong_dimensions = {{1, {1, 2}}, {10, {1, 2}}}}), "C1"));
  EXPECT_TRUE(IsRefused(wrong(2, {1, 2}), "C2"));
  EXPECT_TRUE(IsRefused(wrong(3, {2}), "C3"));
  EXPECT_TRUE(IsRefused(wrong(4, {3, 1}), "C4"));
  EXPECT_TRUE(IsRefused(wrong(10, {1, 2}), "C5"));
  EXPECT_TRUE(IsRefused(ModelOf({.has_aux_input = true, .left_out = {10}}), "C5"));
  EXPECT_TRUE(IsRefused(
      ModelOf({.has_aux_input = true, .wrong_dimensions = {{5, {2, 2}}, {11, {2, 2}}}}), "C6"));
  EXPECT_TRUE(IsRefused(wrong(6, {2, 1}), "C7"));
  EXPECT_TRUE(IsRefused(wrong(7, {1}), "C8"));
  EXPECT_TRUE(IsRefused(wrong(8, {2, 1}), "C9"));
  EXPECT_TRUE(IsRefused(wrong(11, {1, 1}), "C10"));
  EXPECT_TRUE(IsRefused(ModelOf({.has_aux_input = true, .left_out = {11}}), "C10"));
}

TEST(BidirectionalSequenceRnnTest, bidirectional_sequence_rnn_c11_auxiliary_input_like_input) {
  for (const std::vector<uint32_t>& dimensions : {std::vector<uint32_t>{3, 2, 2}, {2, 3, 1}, {6}}) {
    EXPECT_TRUE(
        IsRefused(ModelOf({.has_aux_input = true, .wrong_dimensions = {{9, dimensions}}}), "C11"));
  }
}

TEST(BidirectionalSequenceRnnTest, bidirectional_sequence_rnn_c12_rejects_unknown_activation) {
  EXPECT_TRUE(IsRefused(ModelOf({.activation = -1}), "C12"));
}

TEST(BidirectionalSequenceRnnTest, bidirectional_sequence_rnn_c13_merging_decides_the_outputs) {
  EXPECT_TRUE(IsRefused(ModelOf({.is_merged = true, .outputs = 2}), "C13"));
  EXPECT_TRUE(IsRefused(ModelOf({.is_merged = false, .outputs = 1}), "C13"));
}

TEST(BidirectionalSequenceRnnTest, CameWithHal12) {
  EXPECT_THAT(SignatureErrorOf(ModelOf(), HalVersion::V1_1),
              HasSubstr("BIDIRECTIONAL_SEQUENCE_RNN was introduced in HAL 1.2"));
}

}  // namespace
}  // namespace nncert
