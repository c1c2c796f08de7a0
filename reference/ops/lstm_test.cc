// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "reference/executor.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/model_builder.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

// The inputs by number (types.hal 1.2, LSTM).
enum : int {
  kX = 0,
  kWxi,
  kWxf,
  kWxc,
  kWxo,
  kWhi,
  kWhf,
  kWhc,
  kWho,
  kWci,
  kWcf,
  kWco,
  kBi,
  kBf,
  kBc,
  kBo,
  kWproj,
  kBproj,
  kH,
  kC,
  kActivation,
  kCellClip,
  kProjectionClip,
  kNormI,
  kNormF,
  kNormC,
  kNormO
};

// An LSTM operation: tensors by number, left out where there is none.
struct Lstm {
  uint32_t batches = 1;
  uint32_t inputs = 1;
  uint32_t units = 1;
  uint32_t outputs = 1;
  std::map<int, std::vector<double>> tensors = {};
  int32_t activation = 4;
  double cell_clip = 0;
  double projection_clip = 0;
  bool has_layer_norm_inputs = false;
  OperandType type = kFloat32;
  bool is_relaxed = false;
  // Tensors whose dimensions are not what they should be.
  std::map<int, std::vector<uint32_t>> wrong_dimensions = {};
  // Tensors that are inputs of the model, with unknown dimensions.
  std::set<int> open_inputs = {};
};

std::vector<uint32_t> DimensionsOf(const Lstm& lstm, int input) {
  const auto wrong = lstm.wrong_dimensions.find(input);
  if (wrong != lstm.wrong_dimensions.end()) return wrong->second;
  if (input == kX) return {lstm.batches, lstm.inputs};
  if (input >= kWxi && input <= kWxo) return {lstm.units, lstm.inputs};
  if (input >= kWhi && input <= kWho) return {lstm.units, lstm.outputs};
  if (input == kWproj) return {lstm.outputs, lstm.units};
  if (input == kBproj) return {lstm.outputs};
  if (input == kH) return {lstm.batches, lstm.outputs};
  if (input == kC) return {lstm.batches, lstm.units};
  return {lstm.units};
}

// The model, whose inputs are x, h and C, and those that are open.
hal::V1_2::Model ModelOf(const Lstm& lstm) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs;
  const OperandType scalar = lstm.type == kFloat16 ? OperandType::FLOAT16 : OperandType::FLOAT32;
  for (int input = 0; input <= (lstm.has_layer_norm_inputs ? kNormO : kProjectionClip); ++input) {
    const std::vector<uint32_t> dimensions = DimensionsOf(lstm, input);
    const auto tensor = lstm.tensors.find(input);
    if (input == kActivation) {
      inputs.push_back(builder.Int32(lstm.activation));
    } else if (input == kCellClip || input == kProjectionClip) {
      const double clip = input == kCellClip ? lstm.cell_clip : lstm.projection_clip;
      inputs.push_back(builder.Constant({scalar}, {clip}));
    } else if (lstm.open_inputs.contains(input)) {
      inputs.push_back(builder.Input({lstm.type, std::vector<uint32_t>(dimensions.size(), 0)}));
    } else if (tensor == lstm.tensors.end()) {
      inputs.push_back(builder.Omitted({lstm.type, std::vector<uint32_t>(dimensions.size(), 0)}));
    } else if (input == kX || input == kH || input == kC) {
      inputs.push_back(builder.Input({lstm.type, dimensions}));
    } else {
      std::vector<double> values = tensor->second;
      values.resize(NumberOfElements(dimensions));
      inputs.push_back(builder.Constant({lstm.type, dimensions}, values));
    }
  }
  const uint32_t gates = lstm.tensors.contains(kWxi) ? 4 : 3;
  const std::vector<uint32_t> outputs = {
      builder.Output({lstm.type, {lstm.batches, lstm.units * gates}}),
      builder.Output({lstm.type, {lstm.batches, lstm.outputs}}),
      builder.Output({lstm.type, {lstm.batches, lstm.units}}),
      builder.Output({lstm.type, {lstm.batches, lstm.outputs}})};
  builder.Operation(OperationType::LSTM, inputs, outputs).Relaxed(lstm.is_relaxed);
  return builder.model();
}

std::vector<Evaluated> Evaluate(const Lstm& lstm) {
  const auto results = EvaluateInAllSystems(
      ModelOf(lstm), {lstm.tensors.at(kX), lstm.tensors.at(kH), lstm.tensors.at(kC)});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return std::vector<Evaluated>(4);
  for (const Evaluated& result : *results) EXPECT_TRUE(result.undecided.ok());
  return *results;
}

std::string ErrorOf(const Lstm& lstm, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(ModelOf(lstm), version).status().message());
}

// ---- The equations of types.hal, one scalar after another ----

using Row = std::vector<long double>;

long double Logistic(long double x) { return 1 / (1 + std::exp(-x)); }

long double G(int32_t activation, long double x) {
  switch (activation) {
    case 1:
      return x < 0 ? 0 : x;
    case 3:
      return x < 0 ? 0 : (x > 6 ? 6 : x);
    case 4:
      return std::tanh(x);
    case 6:
      return Logistic(x);
    default:
      return x;
  }
}

long double ClipTo(double limit, long double x) {
  if (limit == 0) return x;
  return x > limit ? limit : (x < -limit ? -limit : x);
}

// The element `row`, `column` of a matrix, or 0 where it is left out.
long double At(const Lstm& lstm, int input, size_t row, size_t columns, size_t column) {
  const auto tensor = lstm.tensors.find(input);
  return tensor == lstm.tensors.end() ? 0 : tensor->second[row * columns + column];
}

// The argument of a gate for every unit: weights `wx`, `wh`, `wc` (of `cell`), bias, normalization.
Row Argument(const Lstm& lstm, size_t batch, const Row& cell, int wx, int wh, int wc, int bias,
             int norm) {
  Row sums(lstm.units);
  for (size_t unit = 0; unit < lstm.units; ++unit) {
    for (size_t k = 0; k < lstm.inputs; ++k) {
      sums[unit] += At(lstm, wx, unit, lstm.inputs, k) * At(lstm, kX, batch, lstm.inputs, k);
    }
    for (size_t k = 0; k < lstm.outputs; ++k) {
      sums[unit] += At(lstm, wh, unit, lstm.outputs, k) * At(lstm, kH, batch, lstm.outputs, k);
    }
    if (wc >= 0) sums[unit] += At(lstm, wc, 0, lstm.units, unit) * cell[unit];
  }
  if (lstm.tensors.contains(norm)) {
    long double mean = 0;
    for (const long double x : sums) mean += x / lstm.units;
    long double variance = 0;
    for (const long double x : sums) variance += (x - mean) * (x - mean) / lstm.units;
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      sums[unit] = (sums[unit] - mean) / std::sqrt(variance) * At(lstm, norm, 0, lstm.units, unit);
    }
  }
  for (size_t unit = 0; unit < lstm.units; ++unit)
    sums[unit] += At(lstm, bias, 0, lstm.units, unit);
  return sums;
}

// h' and C'.
std::pair<Row, Row> ByTheEquations(const Lstm& lstm) {
  Row output_state;
  Row cell_state;
  for (size_t batch = 0; batch < lstm.batches; ++batch) {
    Row old_cell(lstm.units);
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      old_cell[unit] = At(lstm, kC, batch, lstm.units, unit);
    }
    const Row i = Argument(lstm, batch, old_cell, kWxi, kWhi, kWci, kBi, kNormI);
    const Row f = Argument(lstm, batch, old_cell, kWxf, kWhf, kWcf, kBf, kNormF);
    const Row c = Argument(lstm, batch, old_cell, kWxc, kWhc, -1, kBc, kNormC);
    Row cell(lstm.units);
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      const long double forget = Logistic(f[unit]);
      const long double input = lstm.tensors.contains(kWxi) ? Logistic(i[unit]) : 1 - forget;
      cell[unit] =
          ClipTo(lstm.cell_clip, forget * old_cell[unit] + input * G(lstm.activation, c[unit]));
    }
    const Row o = Argument(lstm, batch, cell, kWxo, kWho, kWco, kBo, kNormO);
    Row hidden(lstm.units);
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      hidden[unit] = Logistic(o[unit]) * G(lstm.activation, cell[unit]);
    }
    cell_state.insert(cell_state.end(), cell.begin(), cell.end());
    if (!lstm.tensors.contains(kWproj)) {
      output_state.insert(output_state.end(), hidden.begin(), hidden.end());
      continue;
    }
    for (size_t k = 0; k < lstm.outputs; ++k) {
      long double sum = At(lstm, kBproj, 0, lstm.outputs, k);
      for (size_t unit = 0; unit < lstm.units; ++unit) {
        sum += At(lstm, kWproj, k, lstm.units, unit) * hidden[unit];
      }
      output_state.push_back(ClipTo(lstm.projection_clip, sum));
    }
  }
  return {output_state, cell_state};
}

// ---- Cells ----

// Numbers between -1 and 1 in multiples of 1/64, which halves hold.
std::vector<double> Numbers(int seed, size_t count) {
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<double>((seed * 7919 + i * 104729 + i * i * 31) % 129) / 64 - 1);
  }
  return numbers;
}

// A cell of 2 batches, 3 inputs and 4 units, with the given optional inputs.
Lstm CellWith(const std::vector<int>& optional, uint32_t outputs = 4) {
  Lstm lstm = {.batches = 2, .inputs = 3, .units = 4, .outputs = outputs};
  std::vector<int> given = {kX, kWxf, kWxc, kWxo, kWhf, kWhc, kWho, kBf, kBc, kBo, kH, kC};
  given.insert(given.end(), optional.begin(), optional.end());
  for (const int input : given) {
    lstm.tensors[input] = Numbers(input, NumberOfElements(DimensionsOf(lstm, input)));
    lstm.has_layer_norm_inputs |= input >= kNormI;
  }
  return lstm;
}

const std::vector<int> kInputGate = {kWxi, kWhi, kBi};

Lstm PlainCell() { return CellWith(kInputGate); }

std::map<std::string, Lstm> CellsOfAllKinds() {
  std::map<std::string, Lstm> cells;
  cells["plain"] = PlainCell();
  cells["coupled"] = CellWith({});
  cells["peephole"] = CellWith({kWxi, kWhi, kBi, kWci, kWcf, kWco});
  cells["coupled peephole"] = CellWith({kWcf, kWco});
  cells["projection"] = CellWith({kWxi, kWhi, kBi, kWproj}, 2);
  cells["projection and bias"] = CellWith({kWxi, kWhi, kBi, kWproj, kBproj}, 5);
  cells["layer normalization"] = CellWith({kWxi, kWhi, kBi, kNormI, kNormF, kNormC, kNormO});
  cells["coupled layer normalization"] = CellWith({kNormF, kNormC, kNormO});
  cells["everything"] = CellWith(
      {kWxi, kWhi, kBi, kWci, kWcf, kWco, kWproj, kBproj, kNormI, kNormF, kNormC, kNormO}, 3);
  cells["cell clip"] = PlainCell();
  cells["cell clip"].cell_clip = 0.25;
  cells["projection clip"] = cells["projection and bias"];
  cells["projection clip"].projection_clip = 0.5;
  for (const int32_t activation : {0, 1, 3, 6}) {
    Lstm& cell = cells["activation " + std::to_string(activation)];
    cell = PlainCell();
    cell.activation = activation;
  }
  cells["layer normalization left out"] = PlainCell();
  cells["layer normalization left out"].has_layer_norm_inputs = true;
  return cells;
}

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
  for (const int missing : kInputGate) {
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
  EXPECT_THAT(ErrorOf(CellWith(kInputGate, 3)), RefusedBy("LSTM", "C14"));
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
  EXPECT_NE(ErrorOf(halves, HalVersion::V1_1), "");
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
              HasSubstr("so the scratch buffer would have 4294967296 elements"));
}

}  // namespace
}  // namespace nncert
