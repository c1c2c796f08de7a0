// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/schema_conversion.h"

#include <capnp/message.h>

#include <bit>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "hal/testing/models.h"

namespace nncert::hal {
namespace {

using testing::OneOfEverything;
using testing::TwoAdditions;
using testing::TwoAdditionsRequest;

// Expects that two lists of pools have the same names and contents, and makes them the same pools,
// so that what holds them can be compared.
void ExpectSameContentAndUnify(const std::vector<Memory>& expected, std::vector<Memory>& actual) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(actual[i].name(), expected[i].name());
    const absl::StatusOr<Mapping> a = expected[i].Map(MemoryAccess::READ_ONLY);
    const absl::StatusOr<Mapping> b = actual[i].Map(MemoryAccess::READ_ONLY);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(a->bytes(), b->bytes());
  }
  actual = expected;
}

TEST(SchemaConversionTest, a_model_of_everything_comes_back_as_it_was) {
  const V1_2::Model model = OneOfEverything();
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::Model>();
  ASSERT_TRUE(ToSchema(model, builder).ok());
  absl::StatusOr<V1_2::Model> back = FromSchema(builder.asReader());
  ASSERT_TRUE(back.ok()) << back.status();
  ExpectSameContentAndUnify(model.pools, back->pools);
  EXPECT_EQ(*back, model);
}

TEST(SchemaConversionTest, a_request_comes_back_as_it_was) {
  V1_2::Request request = TwoAdditionsRequest();
  request.inputs.push_back({.hasNoValue = true, .location = {}, .dimensions = {}});
  request.outputs[0].dimensions = {2, 0};
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::Request>();
  ASSERT_TRUE(ToSchema(request, builder).ok());
  absl::StatusOr<V1_2::Request> back = FromSchema(builder.asReader());
  ASSERT_TRUE(back.ok()) << back.status();
  ExpectSameContentAndUnify(request.pools, back->pools);
  EXPECT_EQ(*back, request);
}

TEST(SchemaConversionTest, numbers_without_an_enumerator_and_odd_floats_are_kept) {
  V1_2::Model model = TwoAdditions();
  model.operands[0].type = static_cast<V1_2::OperandType>(-1);
  model.operands[1].lifetime = static_cast<V1_2::OperandLifeTime>(77);
  model.operands[2].scale = std::bit_cast<float>(0x7FC0'1234U);
  model.operands[3].scale = -0.0F;
  model.operands[4].zeroPoint = std::numeric_limits<int32_t>::min();
  model.operations[0].type = static_cast<V1_2::OperationType>(95);
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::Model>();
  ASSERT_TRUE(ToSchema(model, builder).ok());
  const absl::StatusOr<V1_2::Model> back = FromSchema(builder.asReader());
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->operands[0].type, model.operands[0].type);
  EXPECT_EQ(back->operands[1].lifetime, model.operands[1].lifetime);
  EXPECT_EQ(std::bit_cast<uint32_t>(back->operands[2].scale), 0x7FC0'1234U);
  EXPECT_EQ(std::bit_cast<uint32_t>(back->operands[3].scale), 0x8000'0000U);
  EXPECT_EQ(back->operands[4].zeroPoint, model.operands[4].zeroPoint);
  EXPECT_EQ(back->operations[0].type, model.operations[0].type);
}

TEST(SchemaConversionTest, what_the_schema_cannot_hold_is_an_error) {
  V1_2::Model model = TwoAdditions();
  model.operands[1].lifetime = static_cast<V1_2::OperandLifeTime>(-1);
  capnp::MallocMessageBuilder message;
  EXPECT_EQ(ToSchema(model, message.initRoot<schema::Model>()).code(),
            absl::StatusCode::kInvalidArgument);
  model = TwoAdditions();
  model.pools.emplace_back();
  EXPECT_EQ(ToSchema(model, message.initRoot<schema::Model>()).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(SchemaConversionTest, a_pool_without_a_name_is_ashmem) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::Model>();
  builder.initPools(1);
  const absl::StatusOr<V1_2::Model> model = FromSchema(builder.asReader());
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->pools.size(), 1);
  EXPECT_EQ(model->pools[0].name(), "ashmem");
}

}  // namespace
}  // namespace nncert::hal
