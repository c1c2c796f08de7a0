// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operators of TensorFlow Lite with states, and lookups, as operations of the HAL.

#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/tflite/importer.h"
#include "mlts/tflite/testing/run_network.h"
#include "mlts/tflite/testing/tflite_maker.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tflite::ActivationFunctionType;
using tflite::BuiltinOperator;
using tflite::TensorType;

const TensorToMake kUnknownFloats = {TensorType::FLOAT32, {}};

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

TensorToMake Variable(const std::vector<int32_t>& dimensions) {
  return {.type = TensorType::FLOAT32, .dimensions = dimensions, .is_variable = true};
}

int32_t Matrix(TfliteMaker& maker, int32_t rows, int32_t columns,
               const std::vector<float>& elements) {
  return maker.Constant<float>({TensorType::FLOAT32, {rows, columns}}, elements);
}

// A network of an RNN of one unit: h' = f(2 x + 0.5 h + 1).
std::vector<uint8_t> RnnFile(ActivationFunctionType activation, const TensorToMake& state) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t output = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::RNN,
                 {input, Matrix(maker, 1, 1, {2}), Matrix(maker, 1, 1, {0.5F}), maker.Floats({1}),
                  maker.Tensor(state)},
                 {output}, tflite::CreateRNNOptions(maker.builder(), activation));
  return maker.Finish({input}, {output});
}

TEST(RecurrentMappingsTest, RnnHasItsStateAsInputAndOutput) {
  const std::vector<uint8_t> file = RnnFile(ActivationFunctionType::RELU, Variable({1, 1}));
  const Network network = ImportOrFail(file);
  EXPECT_THAT(network.states, ElementsAre(NetworkState{1, 1}));
  EXPECT_THAT(network.unusedOutputs, IsEmpty());
  EXPECT_THAT(network.inputNames, ElementsAre("t0", "t5"));
  EXPECT_THAT(network.outputNames, ElementsAre("t1", "t5"));
  EXPECT_THAT(ImportAndRun(file, {{3}, {4}}), ElementsAre(ElementsAre(9), ElementsAre(9)));
}

// Old files do not say which tensors are variables.
TEST(RecurrentMappingsTest, StateThatNobodyWritesIsAVariable) {
  const Network network =
      ImportOrFail(RnnFile(ActivationFunctionType::RELU, {TensorType::FLOAT32, {1, 1}}));
  EXPECT_THAT(network.states, ElementsAre(NetworkState{1, 1}));
}

TEST(RecurrentMappingsTest, RnnOfTanhIsTakenApart) {
  const std::vector<uint8_t> file = RnnFile(ActivationFunctionType::TANH, Variable({1, 1}));
  const auto expected = DoubleNear(std::tanh(2 * 0.1 + 0.5 * 0.4 + 1), 1e-6);
  EXPECT_THAT(ImportAndRun(file, {{0.1}, {0.4}}),
              ElementsAre(ElementsAre(expected), ElementsAre(expected)));
}

TEST(RecurrentMappingsTest, StateThatIsAnInputOfTheNetworkStaysOne) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t state = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t output = maker.Tensor(kUnknownFloats);
  maker.Operator(
      BuiltinOperator::RNN,
      {input, Matrix(maker, 1, 1, {2}), Matrix(maker, 1, 1, {0.5F}), maker.Floats({1}), state},
      {output}, tflite::CreateRNNOptions(maker.builder()));
  const Network network = ImportOrFail(maker.Finish({state, input}, {output}));
  EXPECT_THAT(network.states, IsEmpty());
  EXPECT_THAT(network.inputNames, ElementsAre("t1", "t0"));
  EXPECT_THAT(network.unusedOutputs, ElementsAre(1));
}

// Two cells that share a state: the second goes on from what the first has left.
TEST(RecurrentMappingsTest, StateIsHandedFromOneOperatorToTheNext) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t state = maker.Tensor(Variable({1, 1}));
  const int32_t between = maker.Tensor(kUnknownFloats);
  const int32_t output = maker.Tensor(kUnknownFloats);
  const int32_t weights = Matrix(maker, 1, 1, {1});
  const int32_t bias = maker.Floats({0});
  for (const auto& [from, to] : {std::pair{input, between}, std::pair{between, output}}) {
    maker.Operator(BuiltinOperator::RNN, {from, weights, weights, bias, state}, {to},
                   tflite::CreateRNNOptions(maker.builder()));
  }
  const std::vector<uint8_t> file = maker.Finish({input}, {output});
  EXPECT_THAT(ImportOrFail(file).states, ElementsAre(NetworkState{1, 1}));
  // 3 + 10 = 13, and 13 + 13.
  EXPECT_THAT(ImportAndRun(file, {{3}, {10}}), ElementsAre(ElementsAre(26), ElementsAre(26)));
}

// The inputs of an LSTM of one unit, without its states: input weights are 1, recurrent ones 0.5,
// biases 0, or those of the input gate are left out (CIFG).
std::vector<int32_t> CellInputs(TfliteMaker& maker, int32_t input, bool is_coupled) {
  const int32_t w = Matrix(maker, 1, 1, {1});
  const int32_t r = Matrix(maker, 1, 1, {0.5F});
  const int32_t b = maker.Floats({0});
  const auto of_input_gate = [is_coupled](int32_t tensor) { return is_coupled ? -1 : tensor; };
  return {input,
          of_input_gate(w),
          w,
          w,
          w,
          of_input_gate(r),
          r,
          r,
          r,
          -1,
          -1,
          -1,
          of_input_gate(b),
          b,
          b,
          b,
          -1,
          -1};
}

std::vector<uint8_t> LstmFile(bool is_coupled, bool is_normalized) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t output = maker.Tensor(kUnknownFloats);
  std::vector<int32_t> inputs = CellInputs(maker, input, is_coupled);
  inputs.push_back(maker.Tensor(Variable({1, 1})));
  inputs.push_back(maker.Tensor(Variable({1, 1})));
  const int32_t norm = is_normalized ? maker.Floats({1}) : -1;
  inputs.insert(inputs.end(), {is_coupled ? -1 : norm, norm, norm, norm});
  maker.Operator(BuiltinOperator::LSTM, inputs, {output},
                 tflite::CreateLSTMOptions(maker.builder(), ActivationFunctionType::TANH));
  return maker.Finish({input}, {output});
}

// One step of a cell like that.
struct Cell {
  double output;
  double cell;
};
Cell Step(double input, const Cell& before, bool is_coupled) {
  const double sum = input + 0.5 * before.output;
  const double forget = Logistic(sum);
  const double in = is_coupled ? 1 - forget : Logistic(sum);
  const double cell = forget * before.cell + in * std::tanh(sum);
  return {Logistic(sum) * std::tanh(cell), cell};
}

TEST(RecurrentMappingsTest, LstmHasItsStatesAndAnUnusedOutput) {
  for (const bool is_coupled : {false, true}) {
    const std::vector<uint8_t> file = LstmFile(is_coupled, false);
    const Network network = ImportOrFail(file);
    EXPECT_THAT(network.states, ElementsAre(NetworkState{1, 1}, NetworkState{2, 2}));
    EXPECT_THAT(network.unusedOutputs, ElementsAre(3));
    EXPECT_EQ(network.outputNames[3], "scratch_buffer");
    EXPECT_EQ(OutputOperandOf(network, 3).dimensions.back(), is_coupled ? 3U : 4U);
    const Cell expected = Step(0.7, {0.2, -0.3}, is_coupled);
    const std::vector<RealNumbers> outputs = ImportAndRun(file, {{0.7}, {0.2}, {-0.3}});
    ASSERT_EQ(outputs.size(), 4U);
    EXPECT_THAT(outputs[0], ElementsAre(DoubleNear(expected.output, 1e-6)));
    EXPECT_THAT(outputs[1], ElementsAre(DoubleNear(expected.output, 1e-6)));
    EXPECT_THAT(outputs[2], ElementsAre(DoubleNear(expected.cell, 1e-6)));
  }
}

TEST(RecurrentMappingsTest, LstmWithLayerNormalization) {
  EXPECT_EQ(ImportOrFail(LstmFile(true, true)).model.operations[0].inputs.size(), 27U);
  EXPECT_EQ(ImportOrFail(LstmFile(true, false)).model.operations[0].inputs.size(), 23U);
}

TEST(RecurrentMappingsTest, SequencesStartFromZeros) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 2, 1}});
  const int32_t output = maker.Tensor(kUnknownFloats);
  std::vector<int32_t> inputs = CellInputs(maker, input, false);
  inputs.push_back(maker.Tensor(Variable({1, 1})));
  inputs.push_back(maker.Tensor(Variable({1, 1})));
  maker.Operator(BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_LSTM, inputs, {output},
                 tflite::CreateUnidirectionalSequenceLSTMOptions(maker.builder(),
                                                                 ActivationFunctionType::TANH));
  const std::vector<uint8_t> file = maker.Finish({input}, {output});
  EXPECT_THAT(ImportOrFail(file).states, IsEmpty());
  const Cell first = Step(0.7, {0, 0}, false);
  const Cell second = Step(-1.1, first, false);
  EXPECT_THAT(ImportAndRun(file, {{0.7, -1.1}})[0],
              ElementsAre(DoubleNear(first.output, 1e-6), DoubleNear(second.output, 1e-6)));
}

TEST(RecurrentMappingsTest, BothDirections) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 2, 1}});
  const int32_t forward = maker.Tensor(kUnknownFloats);
  const int32_t backward = maker.Tensor(kUnknownFloats);
  std::vector<int32_t> inputs = CellInputs(maker, input, true);
  const std::vector<int32_t> cell = inputs;
  inputs.insert(inputs.end(), cell.begin() + 1, cell.end());
  for (int i = 0; i < 4; ++i) inputs.push_back(maker.Tensor(Variable({1, 1})));
  inputs.resize(48, -1);
  maker.Operator(BuiltinOperator::BIDIRECTIONAL_SEQUENCE_LSTM, inputs, {forward, backward},
                 tflite::CreateBidirectionalSequenceLSTMOptions(
                     maker.builder(), ActivationFunctionType::TANH, 0, 0, false, false));
  const std::vector<RealNumbers> outputs =
      ImportAndRun(maker.Finish({input}, {forward, backward}), {{0.7, -1.1}});
  ASSERT_EQ(outputs.size(), 2U);
  const Cell first = Step(0.7, {0, 0}, true);
  EXPECT_THAT(outputs[0], ElementsAre(DoubleNear(first.output, 1e-6),
                                      DoubleNear(Step(-1.1, first, true).output, 1e-6)));
  const Cell last = Step(-1.1, {0, 0}, true);
  EXPECT_THAT(outputs[1], ElementsAre(DoubleNear(Step(0.7, last, true).output, 1e-6),
                                      DoubleNear(last.output, 1e-6)));
}

TEST(RecurrentMappingsTest, SequencesOfRnn) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 2, 1}});
  const int32_t output = maker.Tensor(kUnknownFloats);
  const int32_t w = Matrix(maker, 1, 1, {2});
  const int32_t r = Matrix(maker, 1, 1, {0.5F});
  const int32_t b = maker.Floats({1});
  maker.Operator(
      BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_RNN,
      {input, w, r, b, maker.Tensor(Variable({1, 1}))}, {output},
      tflite::CreateSequenceRNNOptions(maker.builder(), false, ActivationFunctionType::RELU));
  const int32_t both = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::BIDIRECTIONAL_SEQUENCE_RNN,
                 {input, w, r, b, maker.Tensor(Variable({1, 1})), w, r, b,
                  maker.Tensor(Variable({1, 1})), -1, -1, -1},
                 {both},
                 tflite::CreateBidirectionalSequenceRNNOptions(maker.builder(), false,
                                                               ActivationFunctionType::RELU, true));
  // Forward 3, then 2 * 2 + 1.5 + 1; backward 5, then 2 + 2.5 + 1.
  EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output, both}), {{1, 2}}),
              ElementsAre(ElementsAre(3, 6.5), ElementsAre(3, 5.5, 6.5, 5)));
}

TEST(RecurrentMappingsTest, Svdf) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t output = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::SVDF,
                 {input, Matrix(maker, 1, 1, {2}), Matrix(maker, 1, 2, {10, 1}), -1,
                  maker.Tensor(Variable({1, 2}))},
                 {output}, tflite::CreateSVDFOptions(maker.builder(), 1));
  const std::vector<uint8_t> file = maker.Finish({input}, {output});
  EXPECT_THAT(ImportOrFail(file).states, ElementsAre(NetworkState{1, 1}));
  // The memory is 5 and then the product, 6.
  EXPECT_THAT(ImportAndRun(file, {{3}, {5, 0}})[0], ElementsAre(56));
}

// A basic LSTM of two units, its weights packed gate after gate: input, cell, forget, output.
TEST(RecurrentMappingsTest, BasicLstmOfFloats) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t state = maker.Tensor(Variable({1, 1}));
  const int32_t cell = maker.Tensor(Variable({1, 1}));
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t cell_out = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t weights = Matrix(maker, 4, 2, {1, 0.1F, 2, 0.2F, 3, 0.3F, 4, 0.4F});
  const int32_t biases = maker.Floats({0.01F, 0.02F, 0.03F, 0.04F});
  maker.Operator(BuiltinOperator::LSTM, {input, state, weights, biases, cell}, {output, cell_out},
                 tflite::CreateLSTMOptions(maker.builder(), ActivationFunctionType::TANH, 0, 0,
                                           tflite::LSTMKernelType::BASIC));
  const std::vector<RealNumbers> outputs =
      ImportAndRun(maker.Finish({input}, {output}), {{0.5}, {0.6}, {-0.7}});
  ASSERT_EQ(outputs.size(), 5U);
  const auto gate = [](int i) { return i * (0.5 + 0.1 * 0.6 + 0.01); };
  const double next = Logistic(gate(3)) * -0.7 + Logistic(gate(1)) * std::tanh(gate(2));
  EXPECT_THAT(outputs[0], ElementsAre(DoubleNear(Logistic(gate(4)) * std::tanh(next), 1e-6)));
  EXPECT_THAT(outputs[2], ElementsAre(DoubleNear(next, 1e-6)));
}

TEST(RecurrentMappingsTest, BasicLstmOfBytes) {
  TfliteMaker maker;
  const TensorToMake bytes = {TensorType::UINT8, {1, 1}, {1.0F / 128}, {128}};
  TensorToMake state = bytes;
  state.is_variable = true;
  const TensorToMake cell = {.type = TensorType::INT16,
                             .dimensions = {1, 1},
                             .scales = {1.0F / 2048},
                             .zero_points = {0},
                             .is_variable = true};
  const int32_t input = maker.Tensor(bytes);
  const int32_t output = maker.Tensor(bytes);
  const int32_t weights = maker.Constant<uint8_t>({TensorType::UINT8, {4, 2}, {0.5F}, {100}},
                                                  {102, 100, 104, 100, 106, 100, 108, 100});
  const int32_t biases =
      maker.Constant<int32_t>({TensorType::INT32, {4}, {0.5F / 128}, {0}}, {0, 0, 0, 0});
  maker.Operator(BuiltinOperator::LSTM,
                 {input, maker.Tensor(state), weights, biases, maker.Tensor(cell)}, {output},
                 tflite::CreateLSTMOptions(maker.builder(), ActivationFunctionType::TANH, 0, 0,
                                           tflite::LSTMKernelType::BASIC));
  const std::vector<uint8_t> file = maker.Finish({input}, {output});
  const Network network = ImportOrFail(file);
  EXPECT_THAT(network.states, ElementsAre(NetworkState{1, 1}, NetworkState{2, 2}));
  EXPECT_EQ(OutputOperandOf(network, 2).type, OperandType::TENSOR_QUANT16_SYMM);
  const std::vector<RealNumbers> outputs = ImportAndRun(file, {{0.5}, {0}, {0.25}});
  ASSERT_EQ(outputs.size(), 3U);
  const double next = Logistic(1.5) * 0.25 + Logistic(0.5) * std::tanh(1);
  EXPECT_THAT(outputs[2], ElementsAre(DoubleNear(next, 1.0 / 2048)));
  EXPECT_THAT(outputs[0], ElementsAre(DoubleNear(Logistic(2) * std::tanh(next), 1.0 / 128)));
}

TEST(RecurrentMappingsTest, BasicLstmOfOtherDimensionsIsRefused) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  maker.Operator(BuiltinOperator::LSTM,
                 {input, maker.Tensor(Variable({1, 1})), Matrix(maker, 3, 2, {1, 1, 1, 1, 1, 1}),
                  maker.Floats({0, 0, 0}), maker.Tensor(Variable({1, 1}))},
                 {output},
                 tflite::CreateLSTMOptions(maker.builder(), ActivationFunctionType::TANH, 0, 0,
                                           tflite::LSTMKernelType::BASIC));
  EXPECT_THAT(ImportTflite(maker.Finish({input}, {output}), "network").status(),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("expected [4 * units, 1 + units]")));
}

TEST(RecurrentMappingsTest, Lookups) {
  TfliteMaker maker;
  const int32_t lookups = maker.Tensor({TensorType::INT32, {2}});
  const int32_t table = Matrix(maker, 3, 1, {10, 20, 30});
  // Which slices there are depends on the lookups; how many, the file says.
  const int32_t embedded = maker.Tensor({TensorType::FLOAT32, {2, 1}});
  maker.Operator(BuiltinOperator::EMBEDDING_LOOKUP, {lookups, table}, {embedded});
  const int32_t found = maker.Tensor({TensorType::FLOAT32, {2, 1}});
  const int32_t hits = maker.Tensor({TensorType::UINT8, {2}});
  maker.Operator(BuiltinOperator::HASHTABLE_LOOKUP, {lookups, maker.Int32s({0, 1, 5}), table},
                 {found, hits});
  EXPECT_THAT(ImportAndRun(maker.Finish({lookups}, {embedded, found, hits}), {{1, 2}}),
              ElementsAre(ElementsAre(20, 30), ElementsAre(20, 0), ElementsAre(1, 0)));
}

TEST(RecurrentMappingsTest, Projections) {
  for (const auto type : {tflite::LSHProjectionType::SPARSE, tflite::LSHProjectionType::DENSE}) {
    TfliteMaker maker;
    const int32_t input = maker.Tensor({TensorType::INT32, {3}});
    const bool is_sparse = type == tflite::LSHProjectionType::SPARSE;
    const int32_t output = maker.Tensor({TensorType::INT32, {is_sparse ? 2 : 4}});
    maker.Operator(BuiltinOperator::LSH_PROJECTION,
                   {Matrix(maker, 2, 2, {0.1F, 0.2F, 0.3F, 0.4F}), input, -1}, {output},
                   tflite::CreateLSHProjectionOptions(maker.builder(), type));
    const std::vector<RealNumbers> outputs =
        ImportAndRun(maker.Finish({input}, {output}), {{1, 2, 3}});
    ASSERT_EQ(outputs.size(), 1U);
    for (const double element : outputs[0]) {
      // Bits, or two of them with the number of the hash function above.
      EXPECT_THAT(element, ::testing::AllOf(::testing::Ge(0), ::testing::Lt(is_sparse ? 8 : 2)));
    }
  }
}

}  // namespace
}  // namespace nncert
