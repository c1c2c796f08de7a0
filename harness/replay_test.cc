// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// GoogleTest sources of cases, on devices of every version. (Every rule of the faulty driver is
// replayed by drivers/faulty/replay_test.)

#include "hal/replay/replay.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cases/testing/replay_case.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "harness/judging/acceptance.h"
#include "harness/judging/oracle.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::replay::OutputDimensions;
using hal::testing::StatusIs;
using hal::V1_2::OperandType;
using testing::HasSubstr;

absl::Status Replay(std::shared_ptr<hal::V1_0::IDevice> device, const TestCase& test_case,
                    OutputDimensions dimensions = OutputDimensions::kKnown) {
  Oracle oracle(test_case);
  const auto accepted = AcceptedAnswersOf(test_case, oracle);
  if (!accepted.ok()) return accepted.status();
  return hal::replay::Replay(std::move(device), ReplayCaseOf(test_case, *accepted), dimensions);
}

// The devices of 1.0, 1.1 and 1.2 that tell these lies.
std::vector<std::shared_ptr<hal::V1_0::IDevice>> Devices(const Lies& lies) {
  return {MakeFakeDevice1_0(lies), MakeFakeDevice1_1(lies), MakeFakeDevice(lies)};
}

TEST(ReplayedCase, PassesOnHonestDevicesOfEveryVersion) {
  for (const auto& device : Devices({})) EXPECT_TRUE(Replay(device, AddCase()).ok());
  EXPECT_TRUE(Replay(MakeFakeDevice(), AddCase(), OutputDimensions::kUnknown).ok());
}

TEST(ReplayedCase, FailsOnWrongDevicesOfEveryVersion) {
  for (const auto& device : Devices(Answer(12))) {
    EXPECT_THAT(Replay(device, AddCase()),
                StatusIs(absl::StatusCode::kInternal, HasSubstr("expected 11, actual 12")));
  }
}

TEST(ReplayedCase, AnOutputThatIsNotWrittenFailsOnEveryVersion) {
  Lies lies;
  lies.compute = [](FakeExecution&) {};
  for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM}) {
    for (const auto& device : Devices(lies)) {
      EXPECT_TRUE(absl::IsInternal(Replay(device, AddCase(type))));
    }
  }
}

TEST(ReplayedCase, NeedsTheVersionThatHasTheModel) {
  const TestCase half = AddCase(OperandType::TENSOR_FLOAT16);
  const auto needs_1_2 = StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("HAL 1.2"));
  EXPECT_THAT(Replay(MakeFakeDevice1_0(), half), needs_1_2);
  EXPECT_THAT(Replay(MakeFakeDevice1_1(), half), needs_1_2);
  EXPECT_TRUE(Replay(MakeFakeDevice(), half).ok());
  EXPECT_THAT(Replay(MakeFakeDevice1_1(), AddCase(), OutputDimensions::kUnknown), needs_1_2);
}

TEST(ReplayedCase, DimensionsThatTheModelLeavesOpenComeWithTheRequest) {
  TestCase test_case = AddCase();
  for (const std::vector<uint32_t>& indexes :
       {test_case.model.inputIndexes, test_case.model.outputIndexes}) {
    for (const uint32_t index : indexes) test_case.model.operands[index].dimensions = {0, 2};
  }
  for (const auto& device : Devices({})) {
    const absl::Status status = Replay(device, test_case);
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST(ReplayedCase, EveryExampleCounts) {
  TestCase test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].inputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {0, 0, 0, 0});
  EXPECT_THAT(Replay(MakeFakeDevice(), test_case),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("example 1")));
}

TEST(ReplayedCase, AModelThatMustFailFailsWhereItSucceeds) {
  TestCase test_case = AddCase();
  test_case.expectFailure = true;
  EXPECT_THAT(Replay(MakeFakeDevice(), test_case),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("the execution succeeded")));
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    execution.result = {hal::V1_0::ErrorStatus::INVALID_ARGUMENT, {}, {}};
  };
  EXPECT_TRUE(Replay(MakeFakeDevice(lies), test_case).ok());
}

}  // namespace
}  // namespace nncert
