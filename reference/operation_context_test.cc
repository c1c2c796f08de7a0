// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/operation_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hal/float16.h"
#include "reference/operation_definition.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

enum : int { kData, kMany, kVector, kScale, kFlag, kAxis };

// An operation with operands of every sort, as they stand in its list: data, three tensors, a
// vector, a scale, a flag. The axis is left out at the end.
class OperationContextTest : public testing::Test {
 protected:
  OperationContextTest() {
    definition_.type = OperationType::ADD;
    definition_.signature.inputs = {Tensor("data"),        Tensor("many").Variadic(),
                                    Int32Vector("vector"), FloatScalarLike("scale", kData),
                                    BoolScalar("flag"),    Int32Scalar("axis").Trailing()};
    for (OperandInfo& info : infos_) info.dimensions = {2, 3};
    infos_[4].type = OperandType::TENSOR_INT32;
    infos_[4].dimensions = {3};
    infos_[5].type = OperandType::FLOAT32;
    infos_[5].dimensions = {};
    infos_[6].type = OperandType::BOOL;
    infos_[6].dimensions = {};
    for (size_t i = 0; i < infos_.size(); ++i) {
      inputs_.push_back({&infos_[i], static_cast<uint32_t>(10 + i), false, nullptr});
    }
  }

  OperationContext Context(Stage stage = Stage::kModel) const {
    return OperationContext(definition_, stage, HalVersion::V1_1, bindings_, inputs_, outputs_);
  }

  template <class T>
  void SetValue(int position, const T& value) {
    inputs_[position].value = reinterpret_cast<const std::byte*>(&value);
  }

  OperationDefinition definition_;
  std::array<OperandInfo, 7> infos_;
  std::vector<OperandState> inputs_;
  std::vector<OperandState> outputs_;
  const SlotBindings bindings_ = {{0, 1}, {1, 3}, {4, 1}, {5, 1}, {6, 1}, {}};
};

TEST_F(OperationContextTest, CallsInputsBySlot) {
  infos_[3].dimensions = {7};
  const OperationContext context = Context();
  EXPECT_EQ(context.Count(kMany), 3);
  EXPECT_EQ(context.Count(kAxis), 0);
  EXPECT_EQ(context.State(kMany, 2).operand_index, 13);
  EXPECT_THAT(context.Input(kMany, 2).dimensions, ElementsAre(7));
  EXPECT_EQ(context.Rank(kData), 2);
  EXPECT_EQ(context.Rank(kScale), 0);
  EXPECT_EQ(context.version(), HalVersion::V1_1);
  EXPECT_EQ(context.OutputCount(), 0);
}

TEST_F(OperationContextTest, HasTellsWhetherThereIsAValue) {
  EXPECT_TRUE(Context().Has(kData));
  EXPECT_FALSE(Context().Has(kAxis));
  inputs_[0].is_omitted = true;
  EXPECT_FALSE(Context().Has(kData));
}

TEST_F(OperationContextTest, ShapesAreKnownWithoutAnyZeroBeforeTheExecution) {
  EXPECT_TRUE(Context().IsShapeKnown(kData));
  infos_[0].dimensions = {2, 0};
  EXPECT_FALSE(Context().IsShapeKnown(kData));
  EXPECT_TRUE(Context(Stage::kExecution).IsShapeKnown(kData));
  infos_[0].dimensions = {};
  EXPECT_FALSE(Context().IsShapeKnown(kData));
  inputs_[0].is_omitted = true;
  EXPECT_TRUE(Context().IsShapeKnown(kData));
}

TEST_F(OperationContextTest, ShapesOfVariadicSlotsAreKnownWhenAllAre) {
  EXPECT_TRUE(Context().IsShapeKnown(kMany));
  infos_[3].dimensions = {0, 1};
  EXPECT_FALSE(Context().IsShapeKnown(kMany));
}

TEST_F(OperationContextTest, ShapesOfScalarsAndOfSlotsLeftOutAreKnown) {
  EXPECT_TRUE(Context().IsShapeKnown(kScale));
  EXPECT_TRUE(Context().IsShapeKnown(kAxis));
}

TEST_F(OperationContextTest, ValuesAreKnownWhenTheyAreThere) {
  EXPECT_FALSE(Context().IsValueKnown(kScale));
  EXPECT_TRUE(Context().IsValueKnown(kAxis));
  const float scale = 2;
  SetValue(5, scale);
  EXPECT_TRUE(Context().IsValueKnown(kScale));
  inputs_[4].is_omitted = true;
  EXPECT_TRUE(Context().IsValueKnown(kVector));
}

TEST_F(OperationContextTest, ReadsScalars) {
  const float scale = 2.5F;
  const uint8_t flag = 255;
  SetValue(5, scale);
  SetValue(6, flag);
  EXPECT_EQ(Context().Real(kScale), 2.5);
  EXPECT_TRUE(Context().Bool(kFlag));
  const uint8_t no = 0;
  SetValue(6, no);
  EXPECT_FALSE(Context().Bool(kFlag, true));
  const int32_t number = -7;
  infos_[5].type = OperandType::INT32;
  SetValue(5, number);
  EXPECT_EQ(Context().Int32(kScale), -7);
}

TEST_F(OperationContextTest, ReadsHalfScalars) {
  const uint16_t half = hal::DoubleToFloat16(-0.75);
  infos_[5].type = OperandType::FLOAT16;
  SetValue(5, half);
  EXPECT_EQ(Context().Real(kScale), -0.75);
}

TEST_F(OperationContextTest, ReadsVectors) {
  const std::array<int32_t, 3> values = {4, -5, 6};
  SetValue(4, values);
  EXPECT_THAT(Context().Int32s(kVector), ElementsAre(4, -5, 6));
  infos_[4].dimensions = {0};
  EXPECT_THAT(Context(Stage::kExecution).Int32s(kVector), IsEmpty());
}

TEST_F(OperationContextTest, SlotsLeftOutHaveDefaults) {
  EXPECT_EQ(Context().Int32(kAxis, -1), -1);
  EXPECT_TRUE(Context().Bool(kAxis, true));
  EXPECT_EQ(Context().Real(kAxis, 0.5), 0.5);
  EXPECT_THAT(Context().Int32s(kAxis), IsEmpty());
  inputs_[5].is_omitted = true;
  EXPECT_EQ(Context().Real(kScale, 3), 3);
}

TEST_F(OperationContextTest, ErrorsNameOperationInputAndOperand) {
  EXPECT_EQ(Context().Error("is odd"), absl::InvalidArgumentError("ADD: is odd"));
  EXPECT_EQ(Context().InputError(kMany, "is odd", 1),
            absl::InvalidArgumentError("ADD input 2 'many' (operand 12): is odd"));
  EXPECT_EQ(Context().DescribeInput(kVector), "input 4 'vector' (operand 14)");
  EXPECT_EQ(Context().DescribeInput(kAxis), "input 'axis' (not given)");
}

TEST(UndecidedErrorTest, IsTellable) {
  EXPECT_TRUE(IsUndecided(UndecidedError("the largest is not known")));
  EXPECT_EQ(UndecidedError("why").message(), "undecided: why");
  EXPECT_FALSE(IsUndecided(absl::OkStatus()));
  EXPECT_FALSE(IsUndecided(absl::InvalidArgumentError("undecided: no")));
}

}  // namespace
}  // namespace nncert
