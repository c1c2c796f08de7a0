// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whatever a wrong driver does that lets the process live is replayed by
// drivers/faulty/replay_test, on devices of every version by harness/replay_test.

#include "hal/replay/replay.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/fake_clock.h"
#include "hal/testing/models.h"
#include "hal/testing/status_is.h"
#include "hal/testing/toy_driver.h"

namespace nncert::hal::replay {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;
using testing::ToyDriver;

// (1, 2) + (10, 20) + (100, 200), of which the second element may be off by one.
Case Additions() {
  Case additions = {testing::TwoAdditions(), std::vector<Example>(1), HalVersion::V1_0, false};
  additions.examples[0].inputs.push_back(Value({2}, Bytes<float>({1, 2})));
  additions.examples[0].outputs.push_back(Elements<float>({2}, {{111, 111, 111}, {222, 221, 223}}));
  return additions;
}

// A driver whose calls take longer than anybody waits.
class SlowDriver : public ToyDriver {
 public:
  explicit SlowDriver(testing::FakeClock& clock) : clock_(clock) {}

  // Calls that hang do so until then.
  absl::Notification end;

 protected:
  void TakeForever() {
    clock_.Advance(absl::Hours(1));
    end.WaitForNotification();
  }

  testing::FakeClock& clock_;
};

TEST(Replay, PassesWhatIsAccepted) {
  const auto driver = std::make_shared<ToyDriver>();
  EXPECT_TRUE(Replay(driver, Additions(), OutputDimensions::kKnown).ok());
  EXPECT_TRUE(Replay(driver, Additions(), OutputDimensions::kUnknown).ok());
}

TEST(Replay, SaysWhatIsNotAcceptedAndInWhichWay) {
  Case additions = Additions();
  additions.examples.push_back(additions.examples[0]);
  additions.examples[1].outputs[0].elements[1] = {222, 222.5, 223};
  EXPECT_THAT(Replay(std::make_shared<ToyDriver>(), additions, OutputDimensions::kUnknown),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("output 0 element [1] (flat 1): expected 222, actual 222"),
                             HasSubstr("; run: ASYNC, timing NO, UNSPECIFIED, example 1"))));
}

TEST(Replay, TellsWhatIsNotSupported) {
  Case additions = Additions();
  additions.model.operations[0].type = V1_2::OperationType::MUL;
  const auto driver = std::make_shared<ToyDriver>();
  EXPECT_THAT(Replay(driver, additions, OutputDimensions::kKnown),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("does not support every")));
  additions.model.operations[0].type = V1_2::OperationType{0x10000};
  additions.model.extensionNameToPrefix = {{"com.example.a", 1}};
  EXPECT_THAT(Replay(driver, additions, OutputDimensions::kKnown),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("extension com.example.a")));
}

TEST(Replay, AnExampleMustFitTheModel) {
  Case additions = Additions();
  additions.examples[0].inputs.clear();
  EXPECT_THAT(Replay(std::make_shared<ToyDriver>(), additions, OutputDimensions::kKnown),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0 inputs and 1 outputs")));
}

TEST(Replay, ACallThatDoesNotReturnIsLeftBehind) {
  class Driver : public SlowDriver {
    using SlowDriver::SlowDriver;
    absl::StatusOr<std::vector<bool>> supportedOperations(const V1_2::Model& model) override {
      TakeForever();
      return SlowDriver::supportedOperations(model);
    }
  };
  testing::FakeClock clock;
  const auto driver = std::make_shared<Driver>(clock);
  EXPECT_THAT(
      Replay(driver, Additions(), OutputDimensions::kKnown, {absl::Seconds(60), &clock}),
      StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("getSupportedOperations did not")));
  driver->end.Notify();
}

TEST(Replay, ACallbackThatIsNotCalledIsNotWaitedForLongerThanTheDeadline) {
  class Driver : public SlowDriver {
    using SlowDriver::SlowDriver;
    V1_0::ErrorStatus prepareModel_1_2(
        const V1_2::Model&, V1_2::ExecutionPreference, const std::vector<Handle>&,
        const std::vector<Handle>&, const V1_2::CacheToken&,
        const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override {
      callback_ = callback;
      clock_.Advance(absl::Hours(1));
      return V1_0::ErrorStatus::NONE;
    }
    std::shared_ptr<V1_2::IPreparedModelCallback> callback_;
  };
  testing::FakeClock clock;
  const absl::Status status = Replay(std::make_shared<Driver>(clock), Additions(),
                                     OutputDimensions::kKnown, {absl::Seconds(60), &clock});
  // The clock moves before the call has returned, which may be waited for no longer either.
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("prepareModel")));
}

// The environment variable while this lives.
class DriverVariable {
 public:
  explicit DriverVariable(const std::string& value) {
    setenv("NNCERT_DRIVER", value.c_str(), /*overwrite=*/1);
  }
  ~DriverVariable() { unsetenv("NNCERT_DRIVER"); }
};

TEST(DeviceUnderTest, IsTheOneThatTheEnvironmentNames) {
  const DriverVariable variable("hal/libloadable_driver.so");
  const auto device = DeviceUnderTest();
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_TRUE(Replay(*device, Additions(), OutputDimensions::kKnown).ok());
}

TEST(DeviceUnderTest, GetsTheOptionBehindTheColon) {
  const DriverVariable variable("hal/libloadable_driver.so:fail");
  EXPECT_THAT(DeviceUnderTest(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("the device is not plugged in")));
}

TEST(DeviceUnderTest, MustBeNamedWhereNoneIsLinkedIn) {
  EXPECT_THAT(DeviceUnderTest(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("NNCERT_DRIVER names no shared")));
}

}  // namespace
}  // namespace nncert::hal::replay
