// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tensor_format.h"

#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using testing::ElementsAre;
using testing::HasSubstr;

using hal::testing::StatusIs;

Operand OperandOf(OperandType type, std::vector<uint32_t> dimensions, float scale = 0,
                  int32_t zero_point = 0) {
  Operand operand;
  operand.type = type;
  operand.dimensions = std::move(dimensions);
  operand.scale = scale;
  operand.zeroPoint = zero_point;
  return operand;
}

// An input and a state, and an output, a state and a scratch buffer.
Network RecurrentNetwork() {
  Network network;
  network.name = "speech";
  network.model.operands = {OperandOf(OperandType::TENSOR_FLOAT32, {1, 3}),
                            OperandOf(OperandType::TENSOR_FLOAT16, {1, 2}),
                            OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1, 4}, 0.5F, 128)};
  network.model.inputIndexes = {1, 0};
  network.model.outputIndexes = {1, 0, 2};
  network.states = {{0, 0}};
  network.unusedOutputs = {1};
  return network;
}

TEST(TensorFormatTest, StatesAndUnusedOutputsAreLeftOut) {
  const Network network = RecurrentNetwork();
  const auto inputs = InputFormatsOf(network);
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_THAT(*inputs, ElementsAre(TensorFormat{OperandType::TENSOR_FLOAT32, {1, 3}, 0, 0}));
  const auto outputs = OutputFormatsOf(network);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT(*outputs,
              ElementsAre(TensorFormat{OperandType::TENSOR_QUANT8_ASYMM, {1, 4}, 0.5F, 128}));
}

TEST(TensorFormatTest, IndexesOutsideOfTheModelAreRefused) {
  Network network = RecurrentNetwork();
  network.model.outputIndexes[2] = 7;
  EXPECT_THAT(OutputFormatsOf(network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "speech: output 2 is operand 7 of a model that has 3 operands"));
}

TEST(TensorFormatTest, OpaqueTypesAreRefused) {
  Network network = RecurrentNetwork();
  network.model.operands[0].type = OperandType::TENSOR_OEM_BYTE;
  EXPECT_THAT(InputFormatsOf(network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "speech: input 1 is of type TENSOR_OEM_BYTE, whose elements nncert cannot "
                       "read"));
}

TEST(TensorFormatTest, SizeIsThatOfAllElements) {
  EXPECT_EQ(ByteSizeOf({OperandType::TENSOR_FLOAT32, {1, 3}}), 12);
  EXPECT_EQ(ByteSizeOf({OperandType::TENSOR_QUANT8_ASYMM, {1, 3}}), 3);
  EXPECT_EQ(ByteSizeOf({OperandType::TENSOR_FLOAT32, {1, 0}}), std::nullopt);
  EXPECT_EQ(ByteSizeOf({OperandType::TENSOR_FLOAT32, {}}), std::nullopt);
  EXPECT_EQ(ByteSizeOf({OperandType::TENSOR_FLOAT32, {0x10000, 0x10000}}), std::nullopt);
}

TEST(TensorFormatTest, QuantizedElementsStandForSteps) {
  const TensorFormat format = {OperandType::TENSOR_QUANT8_ASYMM, {3}, 0.5F, 128};
  const auto stored = StoredElements(format, {0, 128, 255});
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_THAT(*stored, ElementsAre(0, 128, 255));
  EXPECT_EQ(RealValue(format, 0), -64);
  EXPECT_EQ(RealValue(format, 255), 63.5);
}

TEST(TensorFormatTest, PartOfAnElementIsRefused) {
  EXPECT_THAT(StoredElements({OperandType::TENSOR_FLOAT32}, std::vector<uint8_t>(7)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "7 bytes are no whole number of elements of TENSOR_FLOAT32"));
}

TEST(TensorFormatTest, RealNumbersAreStoredAsTheNearestSteps) {
  const auto bytes = BytesOf({OperandType::TENSOR_QUANT8_ASYMM, {6}, 0.5F, 100},
                             {0, 0.24F, 0.25F, -0.25F, 1e9F, -1e9F});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_THAT(*bytes, ElementsAre(100, 100, 101, 99, 255, 0));
}

TEST(TensorFormatTest, WhatIsStoredIsReadAgain) {
  for (const TensorFormat& format :
       {TensorFormat{OperandType::TENSOR_FLOAT32}, TensorFormat{OperandType::TENSOR_FLOAT16},
        TensorFormat{OperandType::TENSOR_INT32},
        TensorFormat{OperandType::TENSOR_QUANT8_SYMM, {}, 1, 0},
        TensorFormat{OperandType::TENSOR_QUANT16_ASYMM, {}, 1, 9},
        TensorFormat{OperandType::TENSOR_QUANT16_SYMM, {}, 1, 0}}) {
    const auto bytes = BytesOf(format, {-3, 0, 2, 127});
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    auto stored = StoredElements(format, *bytes);
    ASSERT_TRUE(stored.ok()) << stored.status();
    for (double& element : *stored) element = RealValue(format, element);
    EXPECT_THAT(*stored, ElementsAre(-3, 0, 2, 127));
  }
}

TEST(TensorFormatTest, WhatCannotBeStoredIsRefused) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(
      BytesOf({OperandType::TENSOR_QUANT8_ASYMM, {2}, 1, 0}, {1, nan}),
      StatusIs(absl::StatusCode::kInvalidArgument, "element 1 is NaN, which an integer cannot be"));
  EXPECT_THAT(BytesOf({OperandType::TENSOR_QUANT8_ASYMM, {1}, 0, 0}, {1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no scale")));
  EXPECT_THAT(BytesOf({OperandType::TENSOR_BOOL8, {1}}, {1}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("TENSOR_BOOL8")));
}

}  // namespace
}  // namespace nncert
