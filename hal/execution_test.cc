// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/execution.h"

#include <sys/mman.h>

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/models.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

using ::testing::HasSubstr;
using testing::OneOfEverything;
using testing::StatusIs;
using testing::TwoAdditions;
using testing::TwoAdditionsRequest;

// InvalidArgument, with `text` in the message.
auto IsInvalid(const std::string& text) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
}

TEST(ExecutionTest, inputs_are_read_with_the_dimensions_of_the_request_or_the_model) {
  absl::StatusOr<Execution> execution = Execution::Open(TwoAdditionsRequest(), TwoAdditions());
  ASSERT_TRUE(execution.ok()) << execution.status();
  EXPECT_EQ(execution->inputCount(), 1);
  EXPECT_FALSE(execution->isInputOmitted(0));
  EXPECT_EQ(execution->inputDimensions(0), std::vector<uint32_t>{2});
  EXPECT_EQ(execution->readInput<float>(0), (std::vector<float>{1, 2}));

  V1_2::Model model = TwoAdditions();
  model.operands[0].dimensions = {};
  V1_2::Request request = TwoAdditionsRequest();
  request.inputs[0].dimensions = {1, 1};
  execution = Execution::Open(request, model);
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(execution->inputDimensions(0), (std::vector<uint32_t>{1, 1}));
  EXPECT_EQ(execution->inputBytes(0).size(), 4) << "only as many bytes as the dimensions say";
}

TEST(ExecutionTest, an_omitted_input_has_nothing) {
  V1_2::Request request = TwoAdditionsRequest();
  request.inputs[0] = {.hasNoValue = true, .location = {}, .dimensions = {}};
  const absl::StatusOr<Execution> execution = Execution::Open(request, TwoAdditions());
  ASSERT_TRUE(execution.ok());
  EXPECT_TRUE(execution->isInputOmitted(0));
  EXPECT_TRUE(execution->inputBytes(0).empty());
}

TEST(ExecutionTest, elements_may_lie_at_odd_addresses) {
  V1_2::Request request = TwoAdditionsRequest();
  std::vector<uint8_t> bytes(9);
  const float values[2] = {3, 4};
  std::memcpy(bytes.data() + 1, values, 8);
  request.pools[0] = *Memory::AllocateCopy(bytes);
  request.inputs[0].location.offset = 1;
  const absl::StatusOr<Execution> execution = Execution::Open(request, TwoAdditions());
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(execution->readInput<float>(0), (std::vector<float>{3, 4}));
}

TEST(ExecutionTest, an_output_is_written_when_it_fits) {
  const V1_2::Request request = TwoAdditionsRequest();
  absl::StatusOr<Execution> execution = Execution::Open(request, TwoAdditions());
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(execution->outputCount(), 1);
  EXPECT_EQ(execution->declaredOutputDimensions(0), std::vector<uint32_t>{2});
  EXPECT_THAT(execution->outputShapes(),
              StatusIs(absl::StatusCode::kInternal, "the driver has not written output 0"));
  execution->writeOutput(0, {2}, std::vector<float>{5, 6});
  EXPECT_EQ((*execution->outputShapes())[0],
            (V1_2::OutputShape{.dimensions = {2}, .isSufficient = true}));
  const absl::StatusOr<Mapping> mapping = request.pools[1].Map(MemoryAccess::READ_ONLY);
  float second = 0;
  std::memcpy(&second, mapping->data() + 4, 4);
  EXPECT_EQ(second, 6);
}

TEST(ExecutionTest, an_output_that_does_not_fit_is_not_written) {
  const V1_2::Request request = TwoAdditionsRequest();
  absl::StatusOr<Execution> execution = Execution::Open(request, TwoAdditions());
  ASSERT_TRUE(execution.ok());
  execution->writeOutput(0, {3}, std::vector<float>{5, 6, 7});
  EXPECT_FALSE((*execution->outputShapes())[0].isSufficient);
  EXPECT_EQ(request.pools[1].Map(MemoryAccess::READ_ONLY)->data()[3], 0);
}

TEST(ExecutionTest, an_output_that_nobody_wants_is_sufficient_and_not_written) {
  V1_2::Request request = TwoAdditionsRequest();
  request.outputs[0] = {.hasNoValue = true, .location = {}, .dimensions = {}};
  absl::StatusOr<Execution> execution = Execution::Open(request, TwoAdditions());
  ASSERT_TRUE(execution.ok());
  EXPECT_TRUE(execution->isOutputOmitted(0));
  execution->writeOutput(0, {2}, std::vector<float>{5, 6});
  EXPECT_TRUE((*execution->outputShapes())[0].isSufficient);
}

TEST(ExecutionTest, an_output_in_read_only_memory_is_an_invalid_argument) {
  V1_2::Request request = TwoAdditionsRequest();
  request.pools[1] = *Memory::FromDescriptor(request.pools[1].descriptor(), 8, PROT_READ);
  EXPECT_THAT(Execution::Open(request, TwoAdditions()),
              IsInvalid("request pool 1: cannot map the memory pool \"mmap_fd\" for writing"));
}

TEST(ExecutionTest, time_on_the_device_is_unknown_until_it_is_reported) {
  absl::StatusOr<Execution> execution = Execution::Open(TwoAdditionsRequest(), TwoAdditions());
  ASSERT_TRUE(execution.ok());
  EXPECT_EQ(execution->timeOnDeviceInMicroseconds(), std::numeric_limits<uint64_t>::max());
  execution->reportTimeOnDevice(absl::Milliseconds(2));
  EXPECT_EQ(execution->timeOnDeviceInMicroseconds(), 2000);
}

TEST(ConstantTest, constants_are_read_from_operand_values_and_pools) {
  const V1_2::Model model = TwoAdditions();
  EXPECT_EQ(*readConstant<float>(model, 1), (std::vector<float>{10, 20}));
  EXPECT_EQ(*readConstant<int32_t>(model, 2), std::vector<int32_t>{0});
  EXPECT_EQ(*readConstant<float>(model, 4), (std::vector<float>{100, 200}));
  EXPECT_EQ(*constantBytes(OneOfEverything(), 6), (std::vector<uint8_t>{1, 2, 3, 4}));
}

TEST(ConstantTest, what_is_no_constant_or_lies_outside_of_its_pool_is_an_error) {
  V1_2::Model model = TwoAdditions();
  EXPECT_THAT(constantBytes(model, 0), IsInvalid("operand 0 is not a constant: "));
  EXPECT_THAT(constantBytes(model, 6), IsInvalid("there is no operand 6; the model has 6"));
  model.operands[1].location.offset = 1000;
  EXPECT_THAT(constantBytes(model, 1), IsInvalid("operand 1 lies outside of its pool of 12 bytes"));
  model.operands[4].location.poolIndex = 5;
  EXPECT_THAT(constantBytes(model, 4),
              IsInvalid("operand 4 lies in pool 5; the model has 1 pools: "));
  EXPECT_THAT(readConstant<float>(model, 4), IsInvalid("operand 4 lies in pool 5"));
}

}  // namespace
}  // namespace nncert::hal
