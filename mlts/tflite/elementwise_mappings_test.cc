// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Functions of elements of TensorFlow Lite as operations of the HAL.

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

using hal::V1_2::OperationType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using tflite::ActivationFunctionType;
using tflite::BuiltinOperator;
using tflite::TensorType;

constexpr double kTolerance = 1e-5;

// Matches numbers near `expected`.
auto Near(const RealNumbers& expected, double tolerance = kTolerance) {
  return Pointwise(::testing::DoubleNear(tolerance), expected);
}

// The file of an operator that takes tensors like `tensors` and gives one like `output`.
std::vector<uint8_t> FileOf(BuiltinOperator code, const std::vector<TensorToMake>& tensors,
                            const TensorToMake& output) {
  TfliteMaker maker;
  std::vector<int32_t> inputs;
  for (const TensorToMake& tensor : tensors) inputs.push_back(maker.Tensor(tensor));
  const int32_t result = maker.Tensor(output);
  maker.Operator(code, inputs, {result});
  return maker.Finish(inputs, {result});
}

TEST(ElementwiseMappingsTest, FunctionsOfFloats) {
  struct Function {
    BuiltinOperator code;
    double (*function)(double);
  };
  const std::vector<Function> functions = {
      {BuiltinOperator::ABS, [](double x) { return std::abs(x); }},
      {BuiltinOperator::CEIL, [](double x) { return std::ceil(x); }},
      {BuiltinOperator::EXP, [](double x) { return std::exp(x); }},
      {BuiltinOperator::FLOOR, [](double x) { return std::floor(x); }},
      {BuiltinOperator::HARD_SWISH,
       [](double x) { return x * std::fmin(std::fmax(x + 3, 0), 6) / 6; }},
      {BuiltinOperator::LOG, [](double x) { return std::log(x); }},
      {BuiltinOperator::LOGISTIC, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {BuiltinOperator::NEG, [](double x) { return -x; }},
      {BuiltinOperator::RELU, [](double x) { return std::fmax(x, 0); }},
      {BuiltinOperator::RELU_N1_TO_1, [](double x) { return std::fmin(std::fmax(x, -1), 1); }},
      {BuiltinOperator::RELU6, [](double x) { return std::fmin(std::fmax(x, 0), 6); }},
      {BuiltinOperator::RSQRT, [](double x) { return 1 / std::sqrt(x); }},
      {BuiltinOperator::SIN, [](double x) { return std::sin(x); }},
      {BuiltinOperator::SQRT, [](double x) { return std::sqrt(x); }},
      {BuiltinOperator::SQUARE, [](double x) { return x * x; }},
      {BuiltinOperator::TANH, [](double x) { return std::tanh(x); }},
  };
  for (const Function& function : functions) {
    const bool is_of_positive = function.code == BuiltinOperator::LOG ||
                                function.code == BuiltinOperator::SQRT ||
                                function.code == BuiltinOperator::RSQRT;
    const RealNumbers input =
        is_of_positive ? RealNumbers{0.25, 1, 7.5} : RealNumbers{-2.5, 0.75, 7.5};
    RealNumbers expected;
    for (const double number : input) expected.push_back(function.function(number));
    const double tolerance = function.code == BuiltinOperator::EXP ? 1e-2 : kTolerance;
    EXPECT_THAT(
        ImportAndRun(FileOf(function.code, {{TensorType::FLOAT32, {3}}}, {TensorType::FLOAT32, {}}),
                     {input})[0],
        Near(expected, tolerance))
        << EnumNameBuiltinOperator(function.code);
  }
}

TEST(ElementwiseMappingsTest, FunctionsOfTwoTensors) {
  struct Function {
    BuiltinOperator code;
    RealNumbers expected;
    TensorType type = TensorType::FLOAT32;
  };
  const std::vector<Function> functions = {
      {BuiltinOperator::ADD, {5, 7}},
      {BuiltinOperator::SUB, {-1, -3}},
      {BuiltinOperator::MUL, {6, 10}},
      {BuiltinOperator::DIV, {2.0 / 3, 0.4}},
      {BuiltinOperator::MAXIMUM, {3, 5}},
      {BuiltinOperator::MINIMUM, {2, 2}},
      {BuiltinOperator::POW, {8, 32}},
      {BuiltinOperator::SQUARED_DIFFERENCE, {1, 9}},
      {BuiltinOperator::ADD_N, {5, 7}},
      {BuiltinOperator::EQUAL, {0, 0}, TensorType::BOOL},
      {BuiltinOperator::NOT_EQUAL, {1, 1}, TensorType::BOOL},
      {BuiltinOperator::LESS, {1, 1}, TensorType::BOOL},
      {BuiltinOperator::LESS_EQUAL, {1, 1}, TensorType::BOOL},
      {BuiltinOperator::GREATER, {0, 0}, TensorType::BOOL},
      {BuiltinOperator::GREATER_EQUAL, {0, 0}, TensorType::BOOL},
  };
  for (const Function& function : functions) {
    EXPECT_THAT(
        ImportAndRun(FileOf(function.code, {{TensorType::FLOAT32, {2}}, {TensorType::FLOAT32, {2}}},
                            {function.type, {}}),
                     {{2, 2}, {3, 5}})[0],
        Near(function.expected, 1e-4))
        << EnumNameBuiltinOperator(function.code);
  }
}

TEST(ElementwiseMappingsTest, FunctionsOfBooleans) {
  const TensorToMake booleans = {TensorType::BOOL, {4}};
  const RealNumbers a = {0, 0, 1, 1};
  const RealNumbers b = {0, 1, 0, 1};
  EXPECT_THAT(
      ImportAndRun(FileOf(BuiltinOperator::LOGICAL_AND, {booleans, booleans}, booleans), {a, b})[0],
      ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(
      ImportAndRun(FileOf(BuiltinOperator::LOGICAL_OR, {booleans, booleans}, booleans), {a, b})[0],
      ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::LOGICAL_NOT, {booleans}, booleans), {a})[0],
              ElementsAre(1, 1, 0, 0));
  const TensorToMake floats = {TensorType::FLOAT32, {4}};
  for (const BuiltinOperator code : {BuiltinOperator::SELECT, BuiltinOperator::SELECT_V2}) {
    EXPECT_THAT(ImportAndRun(FileOf(code, {booleans, floats, floats}, floats),
                             {b, {1, 2, 3, 4}, {5, 6, 7, 8}})[0],
                ElementsAre(5, 2, 7, 4));
  }
}

TEST(ElementwiseMappingsTest, FusedActivation) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {3}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {3}});
  maker.Operator(BuiltinOperator::ADD, {input, maker.Floats({1})}, {output},
                 tflite::CreateAddOptions(maker.builder(), ActivationFunctionType::RELU_N1_TO_1));
  EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output}), {{-5, -0.5, 3}})[0],
              ElementsAre(-1, 0.5, 1));
}

// Where the output's quantization is not what the HAL gives, the numbers are quantized anew.
TEST(ElementwiseMappingsTest, QuantizationThatTheHalHasNot) {
  const TensorToMake input = {TensorType::UINT8, {3}, {0.5F}, {10}};
  const TensorToMake output = {TensorType::UINT8, {3}, {0.25F}, {4}};
  const std::vector<uint8_t> relu = FileOf(BuiltinOperator::RELU, {input}, output);
  EXPECT_THAT(ImportAndRun(relu, {{-3, 0.5, 7}})[0], ElementsAre(0, 0.5, 7));
  EXPECT_THAT(OperationsOf(ImportOrFail(relu)),
              ElementsAre(OperationType::RELU, OperationType::DEQUANTIZE, OperationType::QUANTIZE));
  // LOGISTIC is fixed at 1/256.
  const TensorToMake other = {TensorType::UINT8, {3}, {1.0F / 128}, {0}};
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::LOGISTIC, {input}, other), {{0, 0, 0}})[0],
              Near({0.5, 0.5, 0.5}));
  // There it is what the file says.
  const TensorToMake fixed = {TensorType::INT8, {3}, {1.0F / 256}, {-128}};
  const Network network = ImportOrFail(FileOf(BuiltinOperator::LOGISTIC, {input}, fixed));
  EXPECT_THAT(OperationsOf(network), ElementsAre(OperationType::LOGISTIC));
  EXPECT_EQ(OutputOperandOf(network).zeroPoint, 0);
}

// What the HAL does on floats only, or not on scales like these, is done on the real numbers.
TEST(ElementwiseMappingsTest, QuantizedTensorsThatTheHalDoesNotTake) {
  const TensorToMake input = {TensorType::UINT8, {2}, {0.5F}, {10}};
  const TensorToMake output = {TensorType::UINT8, {2}, {0.5F}, {20}};
  EXPECT_THAT(
      ImportAndRun(FileOf(BuiltinOperator::DIV, {input, input}, output), {{6, -3}, {2, 2}})[0],
      ElementsAre(3, -1.5));
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::ABS, {input}, output), {{6, -3}})[0],
              ElementsAre(6, 3));
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::HARD_SWISH, {input}, output), {{6, -1}})[0],
              ElementsAre(6, -0.5));
  // The scale of the product is not above the product of the scales.
  const TensorToMake fine = {TensorType::UINT8, {2}, {0.125F}, {0}};
  const std::vector<uint8_t> product = FileOf(BuiltinOperator::MUL, {input, input}, fine);
  EXPECT_THAT(ImportAndRun(product, {{3, 1}, {2, 4}})[0], ElementsAre(6, 4));
  const TensorToMake coarse = {TensorType::UINT8, {2}, {0.5F}, {0}};
  EXPECT_THAT(OperationsOf(ImportOrFail(FileOf(BuiltinOperator::MUL, {input, input}, coarse))),
              ElementsAre(OperationType::MUL));
}

TEST(ElementwiseMappingsTest, Softmax) {
  for (const std::vector<int32_t>& dimensions :
       {std::vector<int32_t>{2}, {1, 2}, {1, 1, 2}, {1, 1, 1, 2}}) {
    TfliteMaker maker;
    const int32_t input = maker.Tensor({TensorType::FLOAT32, dimensions});
    const int32_t output = maker.Tensor({TensorType::FLOAT32, dimensions});
    maker.Operator(BuiltinOperator::SOFTMAX, {input}, {output},
                   tflite::CreateSoftmaxOptions(maker.builder(), 2));
    const double odds = std::exp(2.0);
    EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output}), {{1, 2}})[0],
                Near({1 / (1 + odds), odds / (1 + odds)}));
  }
}

TEST(ElementwiseMappingsTest, LogSoftmaxAndNormalizations) {
  const TensorToMake row = {TensorType::FLOAT32, {1, 2}};
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::LOG_SOFTMAX, {row}, row), {{0, 0}})[0],
              Near({-std::log(2.0), -std::log(2.0)}));
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::L2_NORMALIZATION, {row}, row), {{3, 4}})[0],
              Near({0.6, 0.8}));
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1, 1, 2}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {1, 1, 1, 2}});
  maker.Operator(BuiltinOperator::LOCAL_RESPONSE_NORMALIZATION, {input}, {output},
                 tflite::CreateLocalResponseNormalizationOptions(maker.builder(), 1, 11, 1, 0.5F));
  EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output}), {{3, 4}})[0], Near({0.5, 4.0 / 6}));
}

TEST(ElementwiseMappingsTest, Slopes) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::INT8, {2}, {0.25F}, {0}});
  const int32_t output = maker.Tensor({TensorType::INT8, {2}, {0.25F}, {0}});
  maker.Operator(BuiltinOperator::LEAKY_RELU, {input}, {output},
                 tflite::CreateLeakyReluOptions(maker.builder(), 0.25F));
  EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output}), {{-4, 2}})[0], ElementsAre(-1, 2));
  const TensorToMake row = {TensorType::FLOAT32, {2}};
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::PRELU, {row, row}, row), {{-4, 2}, {2, 3}})[0],
              ElementsAre(-8, 2));
}

TEST(ElementwiseMappingsTest, Casts) {
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::CAST, {{TensorType::FLOAT32, {2}}},
                                  {TensorType::INT32, {}}),
                           {{-2.5, 7}})[0],
              ElementsAre(-2, 7));
  EXPECT_THAT(ImportTflite(FileOf(BuiltinOperator::CAST, {{TensorType::INT8, {2}, {1}, {0}}},
                                  {TensorType::INT32, {}}),
                           "network")
                  .status(),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("it takes the integers of INT8 as they are")));
}

TEST(ElementwiseMappingsTest, QuantizesAndDequantizes) {
  const TensorToMake floats = {TensorType::FLOAT32, {2}};
  const TensorToMake bytes = {TensorType::INT8, {2}, {0.5F}, {-3}};
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::QUANTIZE, {floats}, bytes), {{1.6, 1e9}})[0],
              ElementsAre(1.5, 65));
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::DEQUANTIZE, {bytes}, floats), {{1.5, -3}})[0],
              ElementsAre(1.5, -3));
  // The same numbers in another type are the same tensor; an output is a copy of it.
  const TensorToMake unsigned_bytes = {TensorType::UINT8, {2}, {0.5F}, {125}};
  EXPECT_THAT(
      OperationsOf(ImportOrFail(FileOf(BuiltinOperator::QUANTIZE, {bytes}, unsigned_bytes))),
      ElementsAre(OperationType::RESHAPE));
  const TensorToMake others = {TensorType::UINT8, {2}, {0.25F}, {100}};
  EXPECT_THAT(ImportAndRun(FileOf(BuiltinOperator::QUANTIZE, {bytes}, others), {{1.5, -3}})[0],
              ElementsAre(1.5, -3));
}

// Files of halves keep weights as halves, and make floats of them.
TEST(ElementwiseMappingsTest, HalvesBecomeConstantsOfFloats) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {2}});
  const int32_t halves =
      maker.Constant<uint16_t>({TensorType::FLOAT16, {2}}, {0x3C00, 0xC100});  // 1 and -2.5
  const int32_t floats = maker.Tensor({TensorType::FLOAT32, {2}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {2}});
  maker.Operator(BuiltinOperator::DEQUANTIZE, {halves}, {floats});
  maker.Operator(BuiltinOperator::MUL, {input, floats}, {output});
  const std::vector<uint8_t> file = maker.Finish({input}, {output});
  EXPECT_THAT(OperationsOf(ImportOrFail(file)), ElementsAre(OperationType::MUL));
  EXPECT_THAT(ImportAndRun(file, {{3, 4}})[0], ElementsAre(3, -10));
}

}  // namespace
}  // namespace nncert
