// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whole networks: what cannot be mapped, dimensions that the file leaves out, inputs and outputs.

#include "mlts/tflite/importer.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/tflite/testing/run_network.h"
#include "mlts/tflite/testing/tflite_maker.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using hal::V1_2::OperationType;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using tflite::BuiltinOperator;
using tflite::TensorType;

const TensorToMake kRow = {TensorType::FLOAT32, {2}};
const TensorToMake kUnknownFloats = {TensorType::FLOAT32};

TEST(ImporterTest, ListsEveryOperatorThatCannotBeMapped) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor(kRow);
  std::vector<int32_t> tensors;
  for (int i = 0; i < 7; ++i) tensors.push_back(maker.Tensor(kRow));
  const int32_t unknown = maker.Tensor(kUnknownFloats);
  const int32_t after_unknown = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::RELU, {input}, {tensors[0]});
  maker.Operator(BuiltinOperator::COS, {tensors[0]}, {tensors[1]});
  maker.Operator(BuiltinOperator::ELU, {tensors[1]}, {tensors[2]});
  maker.Operator(BuiltinOperator::COS, {tensors[2]}, {tensors[3]});
  maker.Custom("Mine\n", {tensors[3]}, {tensors[4]});
  maker.Operator(static_cast<BuiltinOperator>(999), {tensors[4]}, {tensors[5]});
  maker.Operator(BuiltinOperator::ADD, {tensors[5], -1}, {tensors[6]});
  maker.Operator(BuiltinOperator::COS, {tensors[6]}, {unknown});
  // Nothing can be said of this one.
  maker.Operator(BuiltinOperator::RELU, {unknown}, {after_unknown});
  EXPECT_THAT(
      ImportTflite(maker.Finish({input}, {after_unknown}), "network").status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("7 of its 9 operators cannot be mapped to operations of HAL 1.2"),
                     HasSubstr("operators 1, 3, 7, COS: HAL 1.2 has nothing that it can be made"),
                     HasSubstr("operator 2, ELU: HAL 1.2 has nothing"),
                     HasSubstr("operator 4, CUSTOM 'Mine\\n': what a custom operator computes"),
                     HasSubstr("operator 5, operator code 999: HAL 1.2 has nothing"),
                     HasSubstr("operator 6, ADD: input 1 is missing"), Not(HasSubstr("RELU")))));
}

TEST(ImporterTest, FindsDimensionsThatTheFileLeavesOut) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 4, 4, 2}});
  const int32_t pooled = maker.Tensor(kUnknownFloats);
  const int32_t flat = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::MAX_POOL_2D, {input}, {pooled},
                 tflite::CreatePool2DOptions(maker.builder(), tflite::Padding::VALID, 2, 2, 2, 2));
  maker.Operator(BuiltinOperator::RESHAPE, {pooled, maker.Int32s({1, -1})}, {flat});
  EXPECT_THAT(OutputOperandOf(ImportOrFail(maker.Finish({input}, {flat}))).dimensions,
              ElementsAre(1, 8));
}

TEST(ImporterTest, InputWithoutDimensionsIsRefused) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor(kUnknownFloats);
  const int32_t output = maker.Tensor(kRow);
  maker.Operator(BuiltinOperator::RELU, {input}, {output});
  EXPECT_THAT(ImportTflite(maker.Finish({input}, {output}), "network").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("tensor 0 ('t0'): it is an input of the network, and the file "
                                 "does not say its dimensions")));
}

// The HAL wants outputs that operations write, each of them once.
TEST(ImporterTest, OutputsThatAreInputsConstantsOrTwiceTheSameAreCopies) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor(kRow);
  const int32_t constant = maker.Floats({5, 6});
  const int32_t integers = maker.Int32s({7});
  const int32_t output = maker.Tensor(kRow);
  maker.Operator(BuiltinOperator::NEG, {input}, {output});
  const std::vector<uint8_t> file =
      maker.Finish({input}, {output, output, input, constant, integers});
  EXPECT_THAT(ImportAndRun(file, {{1, 2}}),
              ElementsAre(ElementsAre(-1, -2), ElementsAre(-1, -2), ElementsAre(1, 2),
                          ElementsAre(5, 6), ElementsAre(7)));
}

TEST(ImporterTest, NamesWhatItMakes) {
  const absl::StatusOr<Network> network = ImportTflite(SmallTfliteFile(), "small");
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_EQ(network->name, "small");
  EXPECT_THAT(OperationsOf(*network), ElementsAre(OperationType::CONV_2D, OperationType::RESHAPE,
                                                  OperationType::DEQUANTIZE, OperationType::RNN));
  EXPECT_THAT(network->states, ElementsAre(NetworkState{1, 1}));
}

TEST(ImporterTest, FileThatIsNotThere) {
  EXPECT_THAT(ImportTfliteFile("no/such/network.tflite").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no/such/network.tflite")));
}

}  // namespace
}  // namespace nncert
