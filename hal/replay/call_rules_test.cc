// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/call_rules.h"

#include <memory>
#include <optional>

#include "gtest/gtest.h"
#include "hal/v1_0/interfaces.h"

namespace nncert::hal::replay {
namespace {

using V1_0::ErrorStatus;

// A prepared model of HAL 1.0.
class PreparedModel : public V1_0::IPreparedModel {
 public:
  ErrorStatus execute(const V1_0::Request&,
                      const std::shared_ptr<V1_0::IExecutionCallback>&) override {
    return ErrorStatus::NONE;
  }
};

TEST(CallRules, EachOperationHasAnAnswer) {
  EXPECT_EQ(WrongSupport("f", {ErrorStatus::NONE, {true, false}}, 2), "");
  EXPECT_EQ(WrongSupport("f", {ErrorStatus::NONE, {true}}, 2),
            "f gave 1 answers; expected one for each of the 2 operations");
  EXPECT_EQ(WrongSupport("f", {ErrorStatus::INVALID_ARGUMENT, {true, true}}, 2),
            "f ended with INVALID_ARGUMENT; expected NONE for a valid model");
}

TEST(CallRules, ACallbackIsCalledAndSaysWhatTheLaunchSaidIfThatFailed) {
  EXPECT_EQ(WrongCallback("f", ErrorStatus::NONE, ErrorStatus::NONE), "");
  EXPECT_EQ(WrongCallback("f", ErrorStatus::NONE, ErrorStatus::GENERAL_FAILURE), "");
  EXPECT_EQ(WrongCallback("f", ErrorStatus::GENERAL_FAILURE, ErrorStatus::GENERAL_FAILURE), "");
  EXPECT_EQ(WrongCallback("f", ErrorStatus::GENERAL_FAILURE, ErrorStatus::NONE),
            "f returned GENERAL_FAILURE and called its callback with NONE; expected the same "
            "status");
  EXPECT_EQ(WrongCallback("f", ErrorStatus::NONE, std::nullopt),
            "f returned NONE and did not call its callback; expected exactly one call");
}

TEST(CallRules, APreparedModelComesWithNoneAlone) {
  const auto model = std::make_shared<PreparedModel>();
  EXPECT_EQ(WrongPreparation("f", {ErrorStatus::NONE, model}, HalVersion::V1_0), "");
  EXPECT_EQ(WrongPreparation("f", {ErrorStatus::GENERAL_FAILURE, nullptr}, HalVersion::V1_2), "");
  EXPECT_EQ(WrongPreparation("f", {ErrorStatus::NONE, model}, HalVersion::V1_2),
            "f gave a prepared model that is not one of HAL 1.2");
  EXPECT_EQ(WrongPreparation("f", {ErrorStatus::NONE, nullptr}, HalVersion::V1_0),
            "f gave NONE together with a null prepared model; expected a prepared model");
  EXPECT_EQ(WrongPreparation("f", {ErrorStatus::GENERAL_FAILURE, model}, HalVersion::V1_0),
            "f gave a prepared model together with GENERAL_FAILURE; expected null");
}

TEST(CallRules, ACallbackIsCalledOnceAndBeforeTheEnd) {
  EXPECT_EQ(WrongCalls("f", 1), "");
  EXPECT_EQ(WrongCalls("f", 0), "the callback of f was called 0 times; expected exactly one call");
  EXPECT_EQ(WrongCallsAtEnd("f", 0, /*is_late=*/false), "");
  EXPECT_EQ(WrongCallsAtEnd("f", 1, /*is_late=*/false), "");
  EXPECT_EQ(WrongCallsAtEnd("f", 2, /*is_late=*/false),
            "the callback of f was called 2 times; expected exactly one call");
  EXPECT_EQ(WrongCallsAtEnd("f", 1, /*is_late=*/true),
            "the callback of f was called after the prepared model had been released");
  EXPECT_EQ(WrongCallsAtEnd("f", 3, /*is_late=*/true),
            "the callback of f was called 3 times, the last time after the prepared model had been "
            "released; expected exactly one call");
}

}  // namespace
}  // namespace nncert::hal::replay
