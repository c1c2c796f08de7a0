// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/argument_names.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/v1_2/types.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr OperandType kFloats = OperandType::TENSOR_FLOAT32;

// A CONV_2D with implicit padding, which leaves out what is explicit.
Model ImplicitlyPadded() {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloats, {1, 4, 4, 1}});
  const uint32_t filter = builder.Constant({kFloats, {1, 1, 1, 1}}, {1});
  const uint32_t bias = builder.Constant({kFloats, {1}}, {0});
  builder.Operation(
      OperationType::CONV_2D,
      {input, filter, bias, builder.Int32(1), builder.Int32(2), builder.Int32(3), builder.Int32(0)},
      {builder.Output({kFloats, {1, 2, 2, 1}})});
  return builder.model();
}

TEST(NamesOfArguments, AreThoseOfTheFormThatTheOperationHas) {
  const std::vector<hal::ArgumentNames> names = NamesOfArguments(ImplicitlyPadded());
  ASSERT_EQ(names.size(), 1U);
  EXPECT_THAT(names[0].inputs, ElementsAre("input", "filter", "bias", "paddingScheme",
                                           "strideWidth", "strideHeight", "activation"));
  EXPECT_THAT(names[0].outputs, ElementsAre("output"));
}

TEST(NamesOfArguments, NamesEachInputOfAListAlike) {
  ModelBuilder builder;
  const uint32_t a = builder.Input({kFloats, {2}});
  const uint32_t b = builder.Input({kFloats, {2}});
  builder.Operation(OperationType::CONCATENATION, {a, b, builder.Int32(0)},
                    {builder.Output({kFloats, {4}})});
  EXPECT_THAT(NamesOfArguments(builder.model())[0].inputs, ElementsAre("inputs", "inputs", "axis"));
}

TEST(NamesOfArguments, AreNoneWhereTheOperandsDoNotFit) {
  Model model = ImplicitlyPadded();
  model.operations[0].inputs.pop_back();
  EXPECT_THAT(NamesOfArguments(model)[0].inputs, IsEmpty());
  model = ImplicitlyPadded();
  model.operations[0].inputs[2] = 100;
  EXPECT_THAT(NamesOfArguments(model)[0].inputs, IsEmpty());
  model = ImplicitlyPadded();
  model.operations[0].outputs[0] = 100;
  EXPECT_THAT(NamesOfArguments(model)[0].outputs, IsEmpty());
  model = ImplicitlyPadded();
  model.operations[0].type = static_cast<OperationType>(4711);
  EXPECT_THAT(NamesOfArguments(model)[0].inputs, IsEmpty());
}

}  // namespace
}  // namespace nncert
