// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/lstm_operation.h"
#include "reference/testing/refusal.h"

namespace nncert::lstm {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

void ExpectByTheEquations(const Lstm& lstm, double tolerance, double greatest_radius) {
  const std::vector<Evaluated> results = Evaluate(lstm);
  const auto [output_state, cell_state] = ByTheEquations(lstm);
  const std::vector<std::pair<int, const Row*>> expected = {
      {1, &output_state}, {2, &cell_state}, {3, &output_state}};
  for (const auto& [index, numbers] : expected) {
    const Evaluated& result = results[index];
    ASSERT_EQ(result.from_double.size(), numbers->size());
    for (size_t i = 0; i < numbers->size(); ++i) {
      EXPECT_NEAR(result.from_double[i], (*numbers)[i], tolerance) << index << " " << i;
      EXPECT_LT(result.enclosure[i].radius, greatest_radius) << index << " " << i;
    }
  }
}

TEST(LstmTest, FollowsTheEquationsInEveryKindOfCell) {
  for (const auto& [name, lstm] : CellsOfAllKinds()) {
    SCOPED_TRACE(name);
    // Layer normalization is computed with 1e-8 added to the variance.
    ExpectByTheEquations(lstm, lstm.tensors.contains(kNormF) ? 1e-7 : 1e-13, 2e-5);
  }
}

TEST(LstmTest, FollowsTheEquationsInHalves) {
  for (auto [name, lstm] : CellsOfAllKinds()) {
    SCOPED_TRACE(name);
    lstm.type = kFloat16;
    // The outputs are rounded to halves: 2^-12 for those below 1, 2^-10 for those below 4.
    ExpectByTheEquations(lstm, 0x1p-10, 0.5);
  }
}

TEST(LstmTest, RelaxedComputationWidensTheEnclosure) {
  Lstm lstm = PlainCell();
  lstm.is_relaxed = true;
  ExpectByTheEquations(lstm, 1e-13, 0.1);
  EXPECT_GT(Evaluate(lstm)[3].enclosure[0].radius, 1e-3);
}

TEST(LstmTest, WithoutAnyWeightsEveryGateIsHalfOpen) {
  // C' = C / 2 = 1, h' = tanh(1) / 2 = 0.3807970779778823.
  Lstm lstm;
  for (const int input : {kX, kWxi, kWxf, kWxc, kWxo, kWhi, kWhf, kWhc, kWho, kBi, kBf, kBc, kBo}) {
    lstm.tensors[input] = {0};
  }
  lstm.tensors[kH] = {5};
  lstm.tensors[kC] = {2};
  const std::vector<Evaluated> results = Evaluate(lstm);
  EXPECT_THAT(results[2].from_double, ElementsAre(1));
  EXPECT_THAT(results[1].from_double, ElementsAre(DoubleNear(0.3807970779778823, 1e-15)));
  EXPECT_THAT(results[3].from_double, ElementsAre(DoubleNear(0.3807970779778823, 1e-15)));
}

TEST(LstmTest, BiasesOpenAndCloseGates) {
  // i = o = 1, f = 0 up to exp(-200): C' = 2 * 3 - 1 * 4 + 1 = 3 without activation, and h' is
  // that.
  Lstm lstm;
  for (const int input : {kWxi, kWxf, kWxo, kWhi, kWhf, kWho}) lstm.tensors[input] = {0};
  lstm.tensors[kBi] = {200};
  lstm.tensors[kBf] = {-200};
  lstm.tensors[kBo] = {200};
  lstm.tensors[kWxc] = {2};
  lstm.tensors[kX] = {3};
  lstm.tensors[kWhc] = {-1};
  lstm.tensors[kH] = {4};
  lstm.tensors[kBc] = {1};
  lstm.tensors[kC] = {17};
  lstm.activation = 0;
  std::vector<Evaluated> results = Evaluate(lstm);
  EXPECT_THAT(results[2].from_double, ElementsAre(DoubleNear(3, 1e-14)));
  EXPECT_THAT(results[3].from_double, ElementsAre(DoubleNear(3, 1e-14)));
  lstm.cell_clip = 2.5;
  results = Evaluate(lstm);
  EXPECT_THAT(results[2].from_double, ElementsAre(2.5));
  EXPECT_THAT(results[3].from_double, ElementsAre(2.5));
}

TEST(LstmTest, TheScratchBufferIsUnspecified) {
  const std::vector<Evaluated> plain = Evaluate(PlainCell());
  EXPECT_THAT(plain[0].dimensions, ElementsAre(2, 16));
  EXPECT_FALSE(plain[0].enclosure[0].IsBounded());
  EXPECT_THAT(Evaluate(CellWith({}))[0].dimensions, ElementsAre(2, 12));
}

TEST(LstmTest, NormalizingEqualNumbersLeavesTheBias) {
  // Every unit has the same weights, so the variance is zero: what the gates see is their bias.
  Lstm lstm = CellWith({kNormF, kNormC, kNormO});
  for (const int input : {kWxf, kWxc, kWxo, kWhf, kWhc, kWho}) {
    std::fill(lstm.tensors[input].begin(), lstm.tensors[input].end(), 0.5);
  }
  Lstm without = lstm;
  for (const int input : {kWxf, kWxc, kWxo, kWhf, kWhc, kWho, kNormF, kNormC, kNormO}) {
    std::fill(without.tensors[input].begin(), without.tensors[input].end(), 0);
  }
  for (const int input : {kNormF, kNormC, kNormO}) without.tensors.erase(input);
  without.has_layer_norm_inputs = false;
  const std::vector<Evaluated> results = Evaluate(lstm);
  const std::vector<Evaluated> expected = Evaluate(without);
  for (size_t i = 0; i < results[3].from_double.size(); ++i) {
    EXPECT_NEAR(results[3].from_double[i], expected[3].from_double[i], 1e-9);
    // Rounding decides what implementations get, so the enclosure holds everything.
    EXPECT_FALSE(results[3].enclosure[i].IsBounded());
  }
}

TEST(LstmTest, OutputsMayHaveUnknownDimensions) {
  hal::V1_2::Model model = ModelOf(PlainCell());
  for (const uint32_t output : model.outputIndexes) model.operands[output].dimensions = {0, 0};
  const Lstm lstm = PlainCell();
  const auto results =
      EvaluateInAllSystems(model, {lstm.tensors.at(kX), lstm.tensors.at(kH), lstm.tensors.at(kC)});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(2, 16));
  EXPECT_THAT((*results)[1].dimensions, ElementsAre(2, 4));
  EXPECT_THAT((*results)[2].dimensions, ElementsAre(2, 4));
}

// Executes a model some of whose inputs the request leaves out.
absl::Status ExecuteWith(const Lstm& lstm, const std::set<int>& left_out) {
  const auto graph = PreparedGraph::Create(ModelOf(lstm));
  if (!graph.ok()) return graph.status();
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<InputArgument> arguments;
  for (int input = 0; input <= kNormO; ++input) {
    const bool is_input = input == kX || input == kH || input == kC;
    if (!is_input && !lstm.open_inputs.contains(input)) continue;
    InputArgument argument;
    argument.has_no_value = left_out.contains(input);
    if (!argument.has_no_value) {
      const std::vector<uint32_t> dimensions = DimensionsOf(lstm, input);
      bytes.push_back(BytesOf(lstm.type, Numbers(input, NumberOfElements(dimensions))));
      argument.dimensions.assign(dimensions.begin(), dimensions.end());
      argument.elements = absl::MakeConstSpan(
          reinterpret_cast<const std::byte*>(bytes.back().data()), bytes.back().size());
    }
    arguments.push_back(argument);
  }
  return (*graph)->Execute(NumberSystem::kFloat, arguments).status();
}

TEST(LstmTest, TheRequestMayLeaveOptionalInputsOut) {
  // Weights of the input gate and of a peephole as inputs of the model.
  Lstm lstm = CellWith({});
  lstm.open_inputs = {kWxi, kWhi, kBi, kWci, kWcf, kWco};
  EXPECT_EQ(ExecuteWith(lstm, lstm.open_inputs), absl::OkStatus());
  EXPECT_EQ(ExecuteWith(lstm, {kWxi, kWhi, kBi, kWci}), absl::OkStatus());
}

TEST(LstmTest, TheRequestMayNotLeaveOutPartOfAGroup) {
  Lstm lstm = CellWith({});
  lstm.open_inputs = {kWxi, kWhi, kBi, kWci, kWcf, kWco};
  EXPECT_THAT(ExecuteWith(lstm, {kWxi, kWhi, kWci, kWcf, kWco}).message(), RefusedBy("LSTM", "C1"));
  EXPECT_THAT(ExecuteWith(lstm, {kWxi, kWhi, kBi, kWci, kWcf}).message(), RefusedBy("LSTM", "C2"));
  EXPECT_THAT(ExecuteWith(lstm, {kWxi, kWhi, kBi}).message(), RefusedBy("LSTM", "C3"));
}

TEST(LstmTest, TheRequestMayNotLeaveOutWhatIsNotOptional) {
  Lstm lstm = CellWith({});
  lstm.open_inputs = {kWxf};
  EXPECT_THAT(ExecuteWith(lstm, {kWxf}).message(), HasSubstr("LSTM input 2"));
  EXPECT_THAT(ExecuteWith(lstm, {kX}).message(), HasSubstr("LSTM input 0"));
}

TEST(LstmTest, lstm_c1_rejects_part_of_the_input_gate) {
  for (const int missing : InputGate()) {
    Lstm lstm = PlainCell();
    lstm.tensors.erase(missing);
    EXPECT_THAT(ErrorOf(lstm),
                AllOf(RefusedBy("LSTM", "C1"), HasSubstr("'input_to_input_weights'")));
  }
}

TEST(LstmTest, lstm_c2_rejects_part_of_the_peephole) {
  for (const int missing : {kWcf, kWco}) {
    Lstm lstm = CellWith({kWxi, kWhi, kBi, kWci, kWcf, kWco});
    lstm.tensors.erase(missing);
    EXPECT_THAT(ErrorOf(lstm),
                AllOf(RefusedBy("LSTM", "C2"), HasSubstr("input 10 'cell_to_forget_weights'")));
  }
}

TEST(LstmTest, lstm_c3_ties_the_input_peephole_to_the_others_and_to_the_input_gate) {
  Lstm missing = CellWith({kWxi, kWhi, kBi, kWcf, kWco});
  EXPECT_THAT(ErrorOf(missing), RefusedBy("LSTM", "C3"));
  Lstm alone = CellWith({kWxi, kWhi, kBi, kWci});
  EXPECT_THAT(ErrorOf(alone), RefusedBy("LSTM", "C3"));
  Lstm coupled = CellWith({kWci, kWcf, kWco});
  EXPECT_THAT(ErrorOf(coupled),
              AllOf(RefusedBy("LSTM", "C3"), HasSubstr("input 9 'cell_to_input_weights'")));
}

TEST(LstmTest, lstm_c4_rejects_a_projection_bias_without_projection) {
  EXPECT_THAT(ErrorOf(CellWith({kWxi, kWhi, kBi, kBproj})),
              AllOf(RefusedBy("LSTM", "C4"), HasSubstr("input 17 'projection_bias'")));
}

TEST(LstmTest, lstm_c5_rejects_part_of_the_layer_normalization) {
  for (const int missing : {kNormF, kNormC, kNormO}) {
    Lstm lstm = CellWith({kNormF, kNormC, kNormO});
    lstm.tensors.erase(missing);
    EXPECT_THAT(ErrorOf(lstm),
                AllOf(RefusedBy("LSTM", "C5"), HasSubstr("'forget_layer_norm_weights'")));
  }
}

TEST(LstmTest, lstm_c6_ties_the_input_normalization_to_the_others_and_to_the_input_gate) {
  EXPECT_THAT(ErrorOf(CellWith({kWxi, kWhi, kBi, kNormF, kNormC, kNormO})),
              RefusedBy("LSTM", "C6"));
  EXPECT_THAT(ErrorOf(CellWith({kNormI, kNormF, kNormC, kNormO})), RefusedBy("LSTM", "C6"));
  EXPECT_THAT(ErrorOf(CellWith({kWxi, kWhi, kBi, kNormI})), RefusedBy("LSTM", "C6"));
}

TEST(LstmTest, lstm_c7_rejects_an_unknown_activation) {
  for (const int32_t activation : {-1, 2, 5, 7}) {
    Lstm lstm = PlainCell();
    lstm.activation = activation;
    EXPECT_THAT(ErrorOf(lstm), AllOf(RefusedBy("LSTM", "C7"), HasSubstr("input 20 'activation'")));
  }
}

TEST(LstmTest, lstm_c8_rejects_a_negative_cell_clip) {
  for (const double clip : {-0.5, std::nan("")}) {
    Lstm lstm = PlainCell();
    lstm.cell_clip = clip;
    EXPECT_THAT(ErrorOf(lstm), AllOf(RefusedBy("LSTM", "C8"), HasSubstr("input 21 'cell_clip'")));
  }
}

TEST(LstmTest, lstm_c9_rejects_a_negative_projection_clip) {
  Lstm lstm = PlainCell();
  lstm.projection_clip = -1;
  EXPECT_THAT(ErrorOf(lstm),
              AllOf(RefusedBy("LSTM", "C9"), HasSubstr("input 22 'projection_clip'")));
}

// A constraint on dimensions, and a tensor that violates it.
struct WrongDimensions {
  const char* name;
  std::vector<int> inputs;
  std::vector<uint32_t> dimensions;
};

class LstmDimensionsTest : public testing::TestWithParam<WrongDimensions> {};

INSTANTIATE_TEST_SUITE_P(
    Constraints, LstmDimensionsTest,
    testing::Values(WrongDimensions{"C10", {kWxi, kWxf, kWxc}, {4, 2}},
                    WrongDimensions{"C11", {kWhi, kWhf, kWhc}, {4, 4}},
                    WrongDimensions{"C12", {kWci, kWcf, kWco}, {3}},
                    WrongDimensions{"C13", {kBi, kBf, kBc, kBo}, {5}},
                    WrongDimensions{"C14", {kWproj}, {4, 3}}, WrongDimensions{"C15", {kBproj}, {4}},
                    WrongDimensions{"C16", {kH}, {2, 4}}, WrongDimensions{"C17", {kC}, {1, 4}},
                    WrongDimensions{"C18", {kNormI, kNormF, kNormC, kNormO}, {1}}),
    [](const auto& test) { return "lstm_" + std::string(test.param.name); });

TEST_P(LstmDimensionsTest, RejectsOtherDimensions) {
  for (const int input : GetParam().inputs) {
    Lstm lstm = CellWith(
        {kWxi, kWhi, kBi, kWci, kWcf, kWco, kWproj, kBproj, kNormI, kNormF, kNormC, kNormO}, 3);
    EXPECT_EQ(ErrorOf(lstm), "");
    lstm.wrong_dimensions[input] = GetParam().dimensions;
    EXPECT_THAT(ErrorOf(lstm), AllOf(RefusedBy("LSTM", GetParam().name),
                                     HasSubstr("input " + std::to_string(input) + " '")));
  }
}

TEST(LstmTest, lstm_c14_rejects_an_output_size_of_its_own_without_projection) {
  EXPECT_THAT(ErrorOf(CellWith(InputGate(), 3)), RefusedBy("LSTM", "C14"));
}

TEST(LstmTest, RefusesWrongRanks) {
  Lstm lstm = PlainCell();
  lstm.wrong_dimensions[kBf] = {2, 2};
  EXPECT_THAT(ErrorOf(lstm), HasSubstr("LSTM input 13 'forget_gate_bias' (operand 13) has rank 2"));
}

TEST(LstmTest, RefusesOtherNumbersOfInputs) {
  hal::V1_2::Model model = ModelOf(CellWith({kNormF, kNormC, kNormO}));
  const uint32_t last = model.operations[0].inputs.back();
  model.operations[0].inputs.pop_back();
  model.operands[last].numberOfConsumers = 0;
  EXPECT_THAT(PreparedGraph::Create(model).status().message(), HasSubstr("LSTM: has 26 inputs"));
}

TEST(LstmTest, RefusesTensorsThatAreNotOptionalWithoutValue) {
  Lstm lstm = PlainCell();
  lstm.tensors.erase(kWxo);
  EXPECT_THAT(ErrorOf(lstm),
              HasSubstr("LSTM input 4 'input_to_output_weights' (operand 4) has no value"));
}

TEST(LstmTest, LayerNormalizationAndHalvesCameWithHal12) {
  EXPECT_EQ(ErrorOf(PlainCell(), HalVersion::V1_0), "");
  EXPECT_THAT(ErrorOf(CellWith({kNormF, kNormC, kNormO}), HalVersion::V1_1),
              HasSubstr("LSTM: has 27 inputs; expected 23"));
  Lstm halves = PlainCell();
  halves.type = kFloat16;
  EXPECT_THAT(ErrorOf(halves, HalVersion::V1_1),
              HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
}

TEST(LstmTest, RefusesSoManyUnitsThatTheScratchBufferOverflows) {
  // 2^30 units, none of them in memory: the dimensions alone are looked at.
  ModelBuilder builder;
  const uint32_t units = 1U << 30;
  std::vector<uint32_t> inputs;
  const auto matrix = [&](uint32_t rows, uint32_t columns) {
    inputs.push_back(builder.Input({kFloat32, {rows, columns}}));
  };
  const auto vector = [&](uint32_t count) { inputs.push_back(builder.Input({kFloat32, {count}})); };
  const auto omitted = [&](uint32_t rank) {
    inputs.push_back(builder.Omitted({kFloat32, std::vector<uint32_t>(rank, 0)}));
  };
  matrix(1, 1);
  for (int i = 0; i < 4; ++i) matrix(units, 1);
  for (int i = 0; i < 4; ++i) matrix(units, 1);
  for (int i = 0; i < 3; ++i) omitted(1);
  for (int i = 0; i < 4; ++i) vector(units);
  matrix(1, units);
  omitted(1);
  matrix(1, 1);
  matrix(1, units);
  inputs.push_back(builder.Int32(4));
  inputs.push_back(builder.Float32(0));
  inputs.push_back(builder.Float32(0));
  std::vector<uint32_t> outputs;
  for (int i = 0; i < 4; ++i) outputs.push_back(builder.Output({kFloat32, {0, 0}}));
  builder.Operation(OperationType::LSTM, inputs, outputs);
  EXPECT_THAT(PreparedGraph::Create(builder.model()).status().message(),
              HasSubstr("the output would have dimensions [1, 4294967296]"));
}

}  // namespace
}  // namespace nncert::lstm
