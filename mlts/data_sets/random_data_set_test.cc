// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/random_data_set.h"

#include <cstring>
#include <set>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/data_sets/testing/test_data.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using testing::Each;
using testing::HasSubstr;
using testing::Le;
using testing::SizeIs;

using hal::testing::StatusIs;

TEST(RandomDataSetTest, InputsAreTheSameForTheSameSeed) {
  const Network network = NetworkOf({OperandOf(OperandType::TENSOR_FLOAT32, {2, 3})}, {});
  const auto one = OpenRandomInputs(3, 1, network);
  const auto same = OpenRandomInputs(3, 1, network);
  const auto other = OpenRandomInputs(3, 2, network);
  ASSERT_TRUE(one.ok() && same.ok() && other.ok());
  EXPECT_EQ((*one)->size(), 3);
  EXPECT_EQ((*one)->Read(1)->name, "random-1");
  EXPECT_EQ((*one)->Read(1)->inputs, (*same)->Read(1)->inputs);
  EXPECT_NE((*one)->Read(1)->inputs, (*other)->Read(1)->inputs);
  EXPECT_NE((*one)->Read(1)->inputs, (*one)->Read(2)->inputs);
}

TEST(RandomDataSetTest, ElementsAreInTheirRanges) {
  const Network network = NetworkOf(
      {OperandOf(OperandType::TENSOR_FLOAT32, {1000}),
       OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {10000}, 1),
       OperandOf(OperandType::TENSOR_INT32, {10}), OperandOf(OperandType::TENSOR_BOOL8, {10}),
       OperandOf(OperandType::TENSOR_FLOAT16, {10})},
      {});
  const auto sequence = (*OpenRandomInputs(1, 7, network))->Read(0);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  ASSERT_THAT(sequence->inputs, SizeIs(1));
  const std::vector<TensorBytes>& inputs = sequence->inputs[0];
  ASSERT_THAT(inputs, SizeIs(5));
  ASSERT_THAT(inputs[0], SizeIs(4000));
  std::vector<float> floats(1000);
  std::memcpy(floats.data(), inputs[0].data(), 4000);
  for (const float value : floats) {
    EXPECT_GE(value, -1);
    EXPECT_LT(value, 1);
  }
  ASSERT_THAT(inputs[1], SizeIs(10000));
  EXPECT_THAT(std::set<uint8_t>(inputs[1].begin(), inputs[1].end()), SizeIs(256));
  ASSERT_THAT(inputs[2], SizeIs(40));
  EXPECT_THAT(inputs[2], Each(Le(1)));
  ASSERT_THAT(inputs[3], SizeIs(10));
  EXPECT_THAT(inputs[3], Each(Le(1)));
  EXPECT_THAT(inputs[4], SizeIs(20));
}

TEST(RandomDataSetTest, NetworksWithStatesGetSeveralInferences) {
  Network network = NetworkOf(
      {OperandOf(OperandType::TENSOR_FLOAT32, {2}), OperandOf(OperandType::TENSOR_FLOAT32, {5})},
      {OperandOf(OperandType::TENSOR_FLOAT32, {5})});
  network.states = {{1, 0}};
  const auto sequence = (*OpenRandomInputs(1, 7, network))->Read(0);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_THAT(sequence->inputs, SizeIs(4));
  EXPECT_THAT(sequence->inputs, Each(SizeIs(1)));
  EXPECT_NE(sequence->inputs[0], sequence->inputs[1]);
}

TEST(RandomDataSetTest, UnknownSizesAreTold) {
  EXPECT_THAT(OpenRandomInputs(1, 1, NetworkOf({OperandOf(OperandType::TENSOR_FLOAT32, {})}, {})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("TENSOR_FLOAT32")));
}

}  // namespace
}  // namespace nncert
