// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/cases/steps_at_once.h"

#include <memory>
#include <string>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/replay/call_sequence.h"
#include "hal_tests/check.h"
#include "harness/isolation/driver_session.h"
#include "harness/testing/fake_device.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using ::testing::IsEmpty;
using ::testing::SizeIs;

bool Takes(const std::vector<hal::replay::SequencedAnswers>& /*answers*/) { return true; }

// Two steps, of which one has nothing to send, on a device that refuses models.
class StepsAtOnceTest : public ::testing::Test {
 protected:
  StepsAtOnceTest() {
    Lies lies;
    lies.supported = [](hal::V1_0::GetSupportedOperationsResult& result) {
      result = {.status = ErrorStatus::INVALID_ARGUMENT, .supportedOperations = {}};
    };
    lies.prepare = [this](const auto& callback, const auto& /*model*/) {
      for (int i = 0; i < calls_; ++i) {
        std::dynamic_pointer_cast<hal::V1_2::IPreparedModelCallback>(callback)->notify_1_2(status_,
                                                                                           nullptr);
      }
      return status_;
    };
    session_ = DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
    steps_ = std::make_unique<StepsAtOnce>(*session_, kDefaultDeadline, record_, "models");
    steps_->Add("first", /*is_legal=*/false);
    steps_->Add("second", /*is_legal=*/true);
  }

  bool Send() {
    return steps_->Send({{.model = std::make_shared<const hal::V1_2::Model>(AddCase().model),
                          .is_asked = true,
                          .is_invalid = true}},
                        &Takes);
  }

  // How often the callback of a preparation is called, and what it and the launch come to.
  int calls_ = 1;
  ErrorStatus status_ = ErrorStatus::INVALID_ARGUMENT;
  TestRecord record_;
  std::unique_ptr<DriverSession> session_;
  std::unique_ptr<StepsAtOnce> steps_;
};

TEST_F(StepsAtOnceTest, PassTogetherWhenAllIsRefused) {
  EXPECT_TRUE(Send());
  EXPECT_TRUE(steps_->IsEmpty());
  EXPECT_EQ(record_.next, 2u);
  EXPECT_EQ(record_.counts["first"], (CheckCount{.passed = 1}));
  EXPECT_EQ(record_.counts["second"], (CheckCount{.skipped = 1}));
  steps_->End();
  EXPECT_THAT(record_.failures, IsEmpty());
  EXPECT_TRUE(session_->MayCallAtOnce());
}

TEST_F(StepsAtOnceTest, AreLeftToOneByOneWhenSomethingIsNotRefused) {
  status_ = ErrorStatus::GENERAL_FAILURE;
  EXPECT_FALSE(Send());
  EXPECT_FALSE(steps_->lost().has_value());
  EXPECT_EQ(record_.next, 0u);
  EXPECT_THAT(record_.counts, IsEmpty());
  steps_->End();
  EXPECT_THAT(record_.failures, IsEmpty());
}

TEST_F(StepsAtOnceTest, AreLeftToOneByOneWhenAnAnswerIsNotAsItShouldBe) {
  EXPECT_FALSE(steps_->Send({{.model = std::make_shared<const hal::V1_2::Model>(AddCase().model),
                              .is_asked = true,
                              .is_invalid = true}},
                            [](const auto& answers) { return answers.empty(); }));
  EXPECT_EQ(record_.next, 0u);
}

TEST_F(StepsAtOnceTest, FailForWhatDoesNotHappenAgain) {
  calls_ = 2;
  EXPECT_FALSE(Send());
  EXPECT_FALSE(session_->MayCallAtOnce());
  steps_->End();
  ASSERT_THAT(record_.failures, SizeIs(1));
  EXPECT_EQ(record_.failures[0].detail,
            "second: models: when all calls were made at once, the callback of prepareModel_1_2 "
            "was called 2 times; expected exactly one call; call by call that did not happen "
            "again");
}

TEST_F(StepsAtOnceTest, SayNothingMoreOfWhatHappensAgain) {
  calls_ = 2;
  EXPECT_FALSE(Send());
  record_.AddFailure({"first", Verdict::FAIL, "one by one"});
  steps_->End();
  EXPECT_THAT(record_.failures, SizeIs(1));
}

}  // namespace
}  // namespace nncert
