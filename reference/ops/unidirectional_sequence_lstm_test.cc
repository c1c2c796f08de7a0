// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "absl/strings/str_cat.h"
#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/lstm_models.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

struct Options {
  uint32_t steps = 3;
  bool is_time_major = true;
  LstmScalars scalars = {};
  OperandType type = kFloat32;
  bool is_relaxed = false;
  std::vector<uint32_t> output = {0, 0, 0};
};

hal::V1_2::Model ModelOf(const LstmCellModel& cell, const Options& options) {
  ModelBuilder builder;
  const std::vector<uint32_t> dimensions =
      options.is_time_major ? std::vector<uint32_t>{options.steps, cell.batches, cell.inputs}
                            : std::vector<uint32_t>{cell.batches, options.steps, cell.inputs};
  std::vector<uint32_t> inputs = {builder.Input({options.type, dimensions})};
  for (const std::vector<uint32_t>& group :
       {AddLstmTensors(builder, cell, kWxi, kNormI, options.type),
        AddLstmScalars(builder, options.scalars, options.type),
        {builder.Bool(options.is_time_major)},
        AddLstmTensors(builder, cell, kNormI, kWai, options.type)}) {
    inputs.insert(inputs.end(), group.begin(), group.end());
  }
  builder
      .Operation(OperationType::UNIDIRECTIONAL_SEQUENCE_LSTM, inputs,
                 {builder.Output({options.type, options.output})})
      .Relaxed(options.is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const LstmCellModel& cell, const Options& options,
                   const std::vector<double>& input) {
  return EvaluateDecided(ModelOf(cell, options), {input});
}

void ExpectNear(const Evaluated& result, const std::vector<double>& expected, double tolerance,
                double greatest_radius) {
  ASSERT_EQ(result.from_double.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(result.from_double[i], expected[i], tolerance) << i;
    EXPECT_LT(result.enclosure[i].radius, greatest_radius) << i;
  }
}

TEST(UnidirectionalSequenceLstmTest, ByHand) {
  // All gates half open: C halves at each step, and h = tanh(C) / 2.
  LstmCellModel cell = {.batches = 1, .inputs = 1, .units = 1, .outputs = 1};
  for (const int tensor : {kWxi, kWxf, kWxc, kWxo, kWhi, kWhf, kWhc, kWho, kBi, kBf, kBc, kBo}) {
    cell.tensors[tensor] = {0};
  }
  cell.tensors[kH] = {5};
  cell.tensors[kC] = {4};
  const Evaluated result = Evaluate(cell, {}, {7, 8, 9});
  EXPECT_THAT(result.dimensions, ElementsAre(3, 1, 1));
  EXPECT_THAT(result.from_double,
              ElementsAre(DoubleNear(std::tanh(2) / 2, 1e-15), DoubleNear(std::tanh(1) / 2, 1e-15),
                          DoubleNear(std::tanh(0.5) / 2, 1e-15)));
}

class CellTest : public testing::TestWithParam<std::string> {
 protected:
  static LstmCellModel Cell() { return LstmCellsOfAllKinds(/*with_aux=*/false).at(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(UnidirectionalSequenceLstm, CellTest,
                         testing::Values("plain", "coupled", "peephole", "coupled_peephole",
                                         "projection", "layer_norm", "coupled_layer_norm",
                                         "everything"),
                         [](const auto& test) { return test.param; });

TEST_P(CellTest, IsAStepOfLstmAfterTheOther) {
  const LstmCellModel cell = Cell();
  const std::vector<double> input = SomeNumbers(1, 3 * 2 * 3);
  const std::vector<double> expected = OutputsByLstm(cell, {}, 3, input);
  // Layer normalization divides by small deviations.
  const bool is_normalized = Cell().tensors.contains(kNormF);
  const double greatest_radius = is_normalized ? 1e-2 : 1e-4;
  ExpectNear(Evaluate(cell, {}, input), expected, 1e-6, greatest_radius);
  // The same sequence with the batches outside.
  const Evaluated batch_major =
      Evaluate(cell, {.is_time_major = false}, SwapOuterDimensions(input, 3, 2, 3));
  EXPECT_THAT(batch_major.dimensions, ElementsAre(2, 3, cell.outputs));
  ExpectNear(batch_major, SwapOuterDimensions(expected, 3, 2, cell.outputs), 1e-6, greatest_radius);
}

TEST(UnidirectionalSequenceLstmTest, ActivationsAndClips) {
  const LstmCellModel cell = LstmCellWith(Joined({InputGateTensors(), {kWproj, kBproj}}), 3);
  const std::vector<double> input = SomeNumbers(1, 3 * 2 * 3);
  for (const int32_t activation : {0, 1, 3, 4, 6}) {
    const LstmScalars scalars = {activation, 0.75, 0.5};
    ExpectNear(Evaluate(cell, {.scalars = scalars}, input), OutputsByLstm(cell, scalars, 3, input),
               1e-6, 1e-3);
  }
}

TEST(UnidirectionalSequenceLstmTest, OfHalvesAndRelaxed) {
  const LstmCellModel cell = LstmCellWith(InputGateTensors());
  const std::vector<double> input = SomeNumbers(1, 3 * 2 * 3);
  const std::vector<double> expected = OutputsByLstm(cell, {}, 3, input);
  ExpectNear(Evaluate(cell, {.type = kFloat16}, input), expected, 1e-3, 0.3);
  const Evaluated relaxed = Evaluate(cell, {.is_relaxed = true}, input);
  ExpectNear(relaxed, expected, 1e-6, 0.3);
  EXPECT_GT(relaxed.enclosure[0].radius, 1e-3);
}

TEST(UnidirectionalSequenceLstmTest, LongSequencesAreComputedInParts) {
  // With f = 1 (up to exp(-200)) and i = o = 1, C is the sum of all inputs, and h is C.
  LstmCellModel cell = {.batches = 2, .inputs = 1, .units = 1, .outputs = 1};
  for (const int tensor : {kWxi, kWxf, kWxo, kWhi, kWhf, kWhc, kWho, kBc}) {
    cell.tensors[tensor] = {0};
  }
  for (const int tensor : {kBi, kBf, kBo}) cell.tensors[tensor] = {200};
  cell.tensors[kWxc] = {1};
  cell.tensors[kH] = {0, 0};
  cell.tensors[kC] = {10, 20};
  // 12 numbers for each step, and 2^18 are computed at a time.
  constexpr uint32_t kSteps = 30000;
  const Evaluated result =
      Evaluate(cell, {.steps = kSteps, .is_time_major = false, .scalars = {.activation = 0}},
               std::vector<double>(2 * kSteps, 1));
  ASSERT_EQ(result.from_double.size(), 2 * kSteps);
  for (size_t step = 0; step < kSteps; ++step) {
    ASSERT_NEAR(result.from_double[step], 11 + static_cast<double>(step), 1e-6) << step;
    ASSERT_NEAR(result.from_double[kSteps + step], 21 + static_cast<double>(step), 1e-6) << step;
  }
}

TEST(UnidirectionalSequenceLstmTest, unidirectional_sequence_lstm_c1_to_c6_presence) {
  int label = 0;
  for (const LstmCellModel& cell : CellsWithBrokenPresence(/*with_aux=*/false)) {
    EXPECT_TRUE(IsRefused(ModelOf(cell, {}), absl::StrCat("C", ++label)));
  }
  EXPECT_EQ(label, 6);
}

TEST(UnidirectionalSequenceLstmTest, unidirectional_sequence_lstm_c7_to_c9_scalars) {
  const LstmCellModel cell = LstmCellWith(InputGateTensors());
  for (const int32_t activation : {-1, 2, 5, 7}) {
    EXPECT_TRUE(IsRefused(ModelOf(cell, {.scalars = {.activation = activation}}), "C7"));
  }
  for (const double clip : {-0.5, std::nan("")}) {
    EXPECT_TRUE(IsRefused(ModelOf(cell, {.scalars = {.cell_clip = clip}}), "C8"));
    EXPECT_TRUE(IsRefused(ModelOf(cell, {.scalars = {.projection_clip = clip}}), "C9"));
  }
}

TEST(UnidirectionalSequenceLstmTest, unidirectional_sequence_lstm_c10_to_c18_dimensions) {
  int label = 9;
  for (const LstmCellModel& cell : CellsWithBrokenDimensions(/*with_aux=*/false)) {
    EXPECT_TRUE(IsRefused(ModelOf(cell, {}), absl::StrCat("C", ++label)));
  }
  EXPECT_EQ(label, 18);
}

TEST(UnidirectionalSequenceLstmTest, RefusesAnOutputOfOtherDimensions) {
  const LstmCellModel cell = LstmCellWith(InputGateTensors());
  EXPECT_EQ(PreparedGraph::Create(ModelOf(cell, {.output = {3, 2, 4}})).status(), absl::OkStatus());
  EXPECT_FALSE(
      EvaluateInAllSystems(ModelOf(cell, {.output = {2, 3, 4}}), {std::vector<double>(18, 0)})
          .ok());
}

TEST(UnidirectionalSequenceLstmTest, CameWithHal12) {
  EXPECT_THAT(SignatureErrorOf(ModelOf(LstmCellWith({}), {}), HalVersion::V1_1),
              HasSubstr("UNIDIRECTIONAL_SEQUENCE_LSTM was introduced in HAL 1.2"));
}

}  // namespace
}  // namespace nncert
