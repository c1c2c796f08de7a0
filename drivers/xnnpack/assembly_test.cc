// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/assembly.h"

#include <cstring>

#include "drivers/xnnpack/analysis.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "reference/model_builder.h"

namespace nncert::xnnpack {
namespace {

TEST(OperandsTest, AConstantThatWasNotKeptIsAnErrorAndNotZeros) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1}};
  const uint32_t kept = builder.Constant(spec, {2});
  const uint32_t packed = builder.Constant(spec, {3});
  const uint32_t sum = builder.Output(spec);
  builder.Operation(OperationType::ADD, {kept, packed, builder.Int32(0)}, {sum});
  const hal::V1_2::Model& model = builder.model();
  Operands operands(model, Analyze(model).SizesOf(model));
  ASSERT_TRUE(operands.Find(kept).ok());
  ASSERT_TRUE(operands.FindPacked(packed).ok());
  operands.ForgetModel();

  const absl::StatusOr<uint8_t*> bytes = operands.Find(kept);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  float value = 0;
  std::memcpy(&value, *bytes, sizeof(value));
  EXPECT_EQ(value, 2);
  EXPECT_TRUE(operands.Find(sum).ok());
  for (const absl::Status& status :
       {operands.Find(packed).status(), operands.FindPacked(packed).status()}) {
    EXPECT_THAT(status,
                hal::testing::StatusIs(absl::StatusCode::kInternal, "constant 1 was not kept"));
  }
}

}  // namespace
}  // namespace nncert::xnnpack
