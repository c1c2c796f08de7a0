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
#include "harness/case_driver.h"
#include "harness/case_runner.h"
#include "harness/isolation/spare_pools.h"
#include "harness/records/case_answers.h"
#include "harness/testing/fake_device.h"

namespace nncert {

/// Expects that a case comes to the same when what a driver answered is judged again.
inline void ExpectSameByAnswers(const CaseResult& result, const CaseAnswers& answers,
                                const DriverSession& session, const TestCase& test_case,
                                RunOptions options) {
  AnsweringDriver driver = {.hal_version = session.hal_version()};
  for (const hal::V1_2::Extension& extension : session.extensions()) {
    driver.extensions.insert(extension.name);
  }
  SparePools pools;
  AnswersAsDriver again(driver, answers, pools);
  options.dump_directory.clear();
  options.answers = nullptr;
  options.measures_accuracy = false;
  const CaseResult second = RunCase(again, test_case, result.mode, options);
  EXPECT_EQ(second.verdict, result.verdict) << second.detail;
  EXPECT_EQ(second.executions, result.executions);
  EXPECT_EQ(second.compared_elements, result.compared_elements);
  EXPECT_EQ(second.detail.substr(0, second.detail.find('\n')),
            result.detail.substr(0, result.detail.find('\n')));
  EXPECT_TRUE(again.Check().ok()) << again.Check();
}

/// Runs a case on a device, which messages call "fake", and judges what it answered twice.
inline CaseResult RunOnDevice(std::shared_ptr<hal::V1_0::IDevice> device, const TestCase& test_case,
                              TestMode mode = TestMode::kStatic, const RunOptions& options = {}) {
  const auto session = DriverSession::FromDevice(std::move(device), "fake").value();
  AnswersBuilder answers;
  RunOptions keeping = options;
  keeping.answers = &answers;
  CaseResult result = RunCase(*session, test_case, mode, keeping);
  ExpectSameByAnswers(result, answers.answers(), *session, test_case, options);
  return result;
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
