// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs cases on fake devices.

#ifndef NNCERT_HARNESS_TESTING_RUN_ON_FAKE_H_
#define NNCERT_HARNESS_TESTING_RUN_ON_FAKE_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"

namespace nncert {

/// Runs a case on a device, which messages call "fake".
inline CaseResult RunOnDevice(std::shared_ptr<hal::V1_0::IDevice> device, const TestCase& test_case,
                              TestMode mode = TestMode::kStatic, const RunOptions& options = {}) {
  return RunCase(*DriverSession::FromDevice(std::move(device), "fake").value(), test_case, mode,
                 options);
}

/// Runs a case on a new 1.2 device that tells these lies.
inline CaseResult RunOnFake(const Lies& lies, const TestCase& test_case,
                            TestMode mode = TestMode::kStatic, const RunOptions& options = {}) {
  return RunOnDevice(MakeFakeDevice(lies), test_case, mode, options);
}

/// The first line of the detail.
inline std::string FirstLine(const CaseResult& result) {
  return result.detail.substr(0, result.detail.find('\n'));
}

/// Expects a verdict, and a text in the first line of the detail.
inline void ExpectResult(const CaseResult& result, Verdict verdict, const std::string& text) {
  EXPECT_EQ(result.verdict, verdict) << result.detail;
  EXPECT_THAT(FirstLine(result), ::testing::HasSubstr(text));
}

/// Overwrites one element of an output, if its buffer reaches so far.
template <typename Element>
void SetElement(FakeExecution& execution, size_t output, size_t index, Element value) {
  if ((index + 1) * sizeof(Element) > execution.Output(output).size()) return;
  std::memcpy(execution.Output(output).data() + index * sizeof(Element), &value, sizeof(Element));
}

/// A device whose output 0 begins with `answer`, whatever the model.
inline Lies Answer(float answer) {
  Lies lies;
  lies.execution = [answer](FakeExecution& execution) { SetElement(execution, 0, 0, answer); };
  return lies;
}

}  // namespace nncert

#endif  // NNCERT_HARNESS_TESTING_RUN_ON_FAKE_H_
