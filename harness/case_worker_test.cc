// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_worker.h"

#include <memory>
#include <optional>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/testing/fake_device.h"
#include "system/processor.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;
using ::testing::UnorderedElementsAreArray;

TEST(WorkersInProcess, CallTheDriverFromTheirOwnProcessor) {
  const std::vector<int> processors = AllowedProcessors();
  std::vector<int> of_driver;
  Lies lies;
  lies.model = [&of_driver](const hal::V1_2::Model&) { of_driver = AllowedProcessors(); };
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
  const auto workers = WorkersInProcess(*session, 3, kDefaultDeadline, processors.back()).value();
  for (size_t i = 0; i < workers.size(); ++i) {
    const int own = ProcessorAfter(processors.back(), i).value();
    EXPECT_THAT(workers[i]->processor(), Optional(own));
    EXPECT_EQ(workers[i]->Run(AddCase(), TestMode::kStatic, {}).verdict, Verdict::PASS);
    EXPECT_THAT(of_driver, ElementsAre(own));
  }
  EXPECT_THAT(AllowedProcessors(), UnorderedElementsAreArray(processors));
}

TEST(WorkersInProcess, CallTheDriverFromAnyWithoutOne) {
  std::vector<int> of_driver;
  Lies lies;
  lies.model = [&of_driver](const hal::V1_2::Model&) { of_driver = AllowedProcessors(); };
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
  const auto workers = WorkersInProcess(*session, 1).value();
  EXPECT_EQ(workers[0]->processor(), std::nullopt);
  EXPECT_EQ(workers[0]->Run(AddCase(), TestMode::kStatic, {}).verdict, Verdict::PASS);
  EXPECT_THAT(of_driver, UnorderedElementsAreArray(AllowedProcessors()));
}

}  // namespace
}  // namespace nncert
