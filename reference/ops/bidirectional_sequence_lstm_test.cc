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

using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr uint32_t kSteps = 3;

struct Options {
  bool has_aux_input = false;
  bool is_merged = false;
  bool is_time_major = true;
  LstmScalars scalars = {};
  OperandType type = kFloat32;
  // How many outputs there are; -1 for the right number.
  int outputs = -1;
  uint32_t aux_size = 3;
};

// The inputs of the model are the input and, if there is one, the auxiliary input.
hal::V1_2::Model ModelOf(const LstmCellModel& forward, const LstmCellModel& backward,
                         const Options& options) {
  ModelBuilder builder;
  const OperandType type = options.type;
  const auto sequence = [&](uint32_t size) -> std::vector<uint32_t> {
    if (options.is_time_major) return {kSteps, 2, size};
    return {2, kSteps, size};
  };
  std::vector<uint32_t> inputs = {builder.Input({type, sequence(3)})};
  const auto add = [&](const std::vector<uint32_t>& operands) {
    inputs.insert(inputs.end(), operands.begin(), operands.end());
  };
  add(AddLstmTensors(builder, forward, kWxi, kH, type));
  add(AddLstmTensors(builder, backward, kWxi, kH, type));
  add(AddLstmTensors(builder, forward, kH, kNormI, type));
  add(AddLstmTensors(builder, backward, kH, kNormI, type));
  add({options.has_aux_input ? builder.Input({type, sequence(options.aux_size)})
                             : builder.Omitted({type, {0, 0, 0}})});
  add(AddLstmTensors(builder, forward, kWai, kEndOfLstmTensors, type));
  add(AddLstmTensors(builder, backward, kWai, kEndOfLstmTensors, type));
  add(AddLstmScalars(builder, options.scalars, type));
  add({builder.Bool(options.is_merged), builder.Bool(options.is_time_major)});
  add(AddLstmTensors(builder, forward, kNormI, kWai, type));
  add(AddLstmTensors(builder, backward, kNormI, kWai, type));
  std::vector<uint32_t> outputs;
  const int count = options.outputs >= 0 ? options.outputs : (options.is_merged ? 1 : 2);
  for (int i = 0; i < count; ++i) outputs.push_back(builder.Output({type, {0, 0, 0}}));
  builder.Operation(OperationType::BIDIRECTIONAL_SEQUENCE_LSTM, inputs, outputs);
  return builder.model();
}

std::vector<Evaluated> Evaluate(const LstmCellModel& forward, const LstmCellModel& backward,
                                const Options& options, std::vector<std::vector<double>> inputs) {
  if (!options.is_time_major) {
    for (std::vector<double>& input : inputs) input = SwapOuterDimensions(input, kSteps, 2, 3);
  }
  const auto results = EvaluateInAllSystems(ModelOf(forward, backward, options), inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Evaluated>(2);
}

void ExpectNear(const Evaluated& result, const std::vector<double>& expected, double tolerance,
                double greatest_radius) {
  ASSERT_EQ(result.from_double.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(result.from_double[i], expected[i], tolerance) << i;
    EXPECT_LT(result.enclosure[i].radius, greatest_radius) << i;
  }
}

// What the backward cell puts out, by the operation LSTM.
std::vector<double> BackwardByLstm(const LstmCellModel& cell, const LstmScalars& scalars,
                                   const std::vector<double>& input,
                                   const std::vector<double>& aux_input = {}) {
  return Reversed(
      OutputsByLstm(cell, scalars, kSteps, Reversed(input, kSteps), Reversed(aux_input, kSteps)),
      kSteps);
}

// Rows of `a_size` and `b_size` numbers side by side.
std::vector<double> Merged(const std::vector<double>& a, size_t a_size,
                           const std::vector<double>& b, size_t b_size) {
  std::vector<double> merged;
  for (size_t row = 0; row < kSteps * 2; ++row) {
    for (size_t i = 0; i < a_size; ++i) merged.push_back(a[row * a_size + i]);
    for (size_t i = 0; i < b_size; ++i) merged.push_back(b[row * b_size + i]);
  }
  return merged;
}

class CellsTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(BidirectionalSequenceLstm, CellsTest,
                         testing::Values("plain", "coupled", "peephole", "coupled_peephole",
                                         "projection", "layer_norm", "coupled_layer_norm",
                                         "everything"),
                         [](const auto& test) { return test.param; });

TEST_P(CellsTest, RunInBothDirections) {
  for (const bool has_aux_input : {false, true}) {
    // The two cells are of different kinds.
    const auto cells = LstmCellsOfAllKinds(has_aux_input);
    const LstmCellModel& forward = cells.at(GetParam());
    const LstmCellModel& backward = cells.at(GetParam() == "projection" ? "coupled" : "projection");
    std::vector<std::vector<double>> inputs = {SomeNumbers(1, kSteps * 2 * 3)};
    std::vector<double> aux;
    if (has_aux_input) {
      aux = SomeNumbers(2, kSteps * 2 * 3);
      inputs.push_back(aux);
    }
    const auto forward_outputs = OutputsByLstm(forward, {}, kSteps, inputs[0], aux);
    const auto backward_outputs = has_aux_input ? BackwardByLstm(backward, {}, inputs[0], aux)
                                                : BackwardByLstm(backward, {}, inputs[0]);
    for (const bool is_time_major : {true, false}) {
      const auto laid_out = [&](const std::vector<double>& numbers, size_t size) {
        return is_time_major ? numbers : SwapOuterDimensions(numbers, kSteps, 2, size);
      };
      Options options = {.has_aux_input = has_aux_input, .is_time_major = is_time_major};
      const auto separate = Evaluate(forward, backward, options, inputs);
      ASSERT_EQ(separate.size(), 2U);
      ExpectNear(separate[0], laid_out(forward_outputs, forward.outputs), 1e-6, 0.02);
      ExpectNear(separate[1], laid_out(backward_outputs, backward.outputs), 1e-6, 1e-4);
      options.is_merged = true;
      const auto merged = Evaluate(forward, backward, options, inputs);
      ASSERT_EQ(merged.size(), 1U);
      EXPECT_EQ(merged[0].dimensions.back(), forward.outputs + backward.outputs);
      ExpectNear(
          merged[0],
          laid_out(Merged(forward_outputs, forward.outputs, backward_outputs, backward.outputs),
                   forward.outputs + backward.outputs),
          1e-6, 0.02);
    }
  }
}

TEST(BidirectionalSequenceLstmTest, ScalarsAreThoseOfBothCells) {
  const LstmCellModel forward = LstmCellWith(Joined({InputGateTensors(), {kWproj}}), 3);
  const LstmCellModel backward = LstmCellWith({kWproj, kBproj}, 2, 7);
  const std::vector<double> input = SomeNumbers(1, kSteps * 2 * 3);
  const LstmScalars scalars = {6, 0.5, 0.25};
  const auto results = Evaluate(forward, backward, {.scalars = scalars}, {input});
  ExpectNear(results[0], OutputsByLstm(forward, scalars, kSteps, input), 1e-6, 1e-4);
  ExpectNear(results[1], BackwardByLstm(backward, scalars, input), 1e-6, 1e-4);
}

TEST(BidirectionalSequenceLstmTest, OfHalves) {
  const LstmCellModel forward = LstmCellWith(InputGateTensors());
  const LstmCellModel backward = LstmCellWith({}, 4, 7);
  const std::vector<double> input = SomeNumbers(1, kSteps * 2 * 3);
  const auto results = Evaluate(forward, backward, {.type = kFloat16}, {input});
  ExpectNear(results[0], OutputsByLstm(forward, {}, kSteps, input), 1e-3, 0.3);
  ExpectNear(results[1], BackwardByLstm(backward, {}, input), 1e-3, 0.3);
}

TEST(BidirectionalSequenceLstmTest, bidirectional_sequence_lstm_c1_to_c36_cells) {
  const Options options = {.has_aux_input = true};
  const LstmCellModel sound = LstmCellWith(Joined({InputGateTensors(), AuxTensors()}));
  EXPECT_EQ(PreparedGraph::Create(ModelOf(sound, sound, options)).status(), absl::OkStatus());
  int label = 0;
  for (const bool is_forward : {true, false}) {
    const auto expect_refused = [&](const LstmCellModel& cell) {
      EXPECT_TRUE(
          IsRefused(is_forward ? ModelOf(cell, sound, options) : ModelOf(sound, cell, options),
                    absl::StrCat("C", ++label)));
    };
    for (const LstmCellModel& cell : CellsWithBrokenPresence(/*with_aux=*/true)) {
      expect_refused(cell);
    }
    for (const LstmCellModel& cell : CellsWithBrokenDimensions(/*with_aux=*/true)) {
      expect_refused(cell);
    }
  }
  EXPECT_EQ(label, 36);
}

TEST(BidirectionalSequenceLstmTest, bidirectional_sequence_lstm_c37_to_c39_scalars) {
  const LstmCellModel cell = LstmCellWith(InputGateTensors());
  EXPECT_TRUE(IsRefused(ModelOf(cell, cell, {.scalars = {.activation = 2}}), "C37"));
  EXPECT_TRUE(IsRefused(ModelOf(cell, cell, {.scalars = {.cell_clip = -1}}), "C38"));
  EXPECT_TRUE(
      IsRefused(ModelOf(cell, cell, {.scalars = {.projection_clip = std::nan("")}}), "C39"));
}

TEST(BidirectionalSequenceLstmTest, bidirectional_sequence_lstm_c40_auxiliary_input_like_input) {
  const LstmCellModel cell = LstmCellWith(Joined({InputGateTensors(), AuxTensors()}));
  EXPECT_TRUE(IsRefused(ModelOf(cell, cell, {.has_aux_input = true, .aux_size = 2}), "C40"));
}

TEST(BidirectionalSequenceLstmTest, bidirectional_sequence_lstm_c41_merging_decides_the_outputs) {
  const LstmCellModel cell = LstmCellWith(InputGateTensors());
  EXPECT_TRUE(IsRefused(ModelOf(cell, cell, {.is_merged = true, .outputs = 2}), "C41"));
  EXPECT_TRUE(IsRefused(ModelOf(cell, cell, {.is_merged = false, .outputs = 1}), "C41"));
}

TEST(BidirectionalSequenceLstmTest, RefusesThreeOutputs) {
  const LstmCellModel cell = LstmCellWith(InputGateTensors());
  EXPECT_THAT(PreparedGraph::Create(ModelOf(cell, cell, {.outputs = 3})).status().message(),
              HasSubstr("has 3 outputs; expected 1 to 2"));
}

TEST(BidirectionalSequenceLstmTest, NamesOperandsByTheirCell) {
  LstmCellModel cell = LstmCellWith(InputGateTensors());
  LstmCellModel broken = cell;
  broken.tensors.erase(kWxf);
  EXPECT_THAT(PreparedGraph::Create(ModelOf(cell, broken, {})).status().message(),
              HasSubstr("input 19 'bw_input_to_forget_weights'"));
  EXPECT_THAT(PreparedGraph::Create(ModelOf(broken, cell, {})).status().message(),
              HasSubstr("input 2 'fw_input_to_forget_weights'"));
}

}  // namespace
}  // namespace nncert
