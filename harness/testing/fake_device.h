// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Devices for tests: honest ones, and ones that tell exactly one lie.

#ifndef NNCERT_HARNESS_TESTING_FAKE_DEVICE_H_
#define NNCERT_HARNESS_TESTING_FAKE_DEVICE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hal/v1_2/interfaces.h"

namespace nncert {

/// What an execution of a fake device came to, on its way to the client.
struct FakeExecution {
  hal::V1_0::Request request;
  hal::V1_2::MeasureTiming measure = hal::V1_2::MeasureTiming::NO;
  hal::V1_2::ExecuteSynchronouslyResult result;

  /// The whole of a pool of the request.
  absl::Span<uint8_t> Pool(size_t index) const;
  /// The buffer of an output.
  absl::Span<uint8_t> Output(size_t index) const;
};

/// How a fake device differs from an honest one, which executes models by the reference and has no
/// fault. Every hook but `release` may throw (but not in a burst), or not return.
struct Lies {
  /// Sees the model that is to be prepared, in 1.2 form.
  std::function<void(const hal::V1_2::Model&)> model;
  /// Replaces what getStatus says.
  std::function<hal::V1_0::DeviceStatus()> status;
  /// Changes the status of all calls for capabilities.
  std::function<void(hal::V1_0::ErrorStatus&)> capabilities;
  /// Replaces what getVersionString says.
  std::function<std::string()> version;
  /// Changes what getSupportedExtensions says: nothing.
  std::function<void(hal::V1_2::GetSupportedExtensionsResult&)> extensions;
  /// Changes what getSupportedOperations says.
  std::function<void(hal::V1_0::GetSupportedOperationsResult&)> supported;
  /// Replaces the end of prepareModel: calls the callback, and gives what the launch returns.
  std::function<hal::V1_0::ErrorStatus(const std::shared_ptr<hal::V1_0::IPreparedModelCallback>&,
                                       const std::shared_ptr<hal::V1_2::IPreparedModel>&)>
      prepare;
  /// Computes instead of the reference. The result is NONE, and has the shapes of the model.
  std::function<void(FakeExecution&)> compute;
  /// Changes the result of an execution and its memory.
  std::function<void(FakeExecution&)> execution;
  /// Replaces the end of execute and execute_1_2: calls the callback, and gives what the launch
  /// returns.
  std::function<hal::V1_0::ErrorStatus(const std::shared_ptr<hal::V1_0::IExecutionCallback>&,
                                       const FakeExecution&)>
      deliver;
  /// Replaces configureExecutionBurst.
  std::function<hal::V1_2::ConfigureExecutionBurstResult(
      const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requestChannel,
      const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& resultChannel)>
      burst;
  /// Is called when a prepared model goes.
  std::function<void()> release;
};

/// A device of HAL 1.2, 1.1 or 1.0.
std::shared_ptr<hal::V1_2::IDevice> MakeFakeDevice(Lies lies = {});
std::shared_ptr<hal::V1_1::IDevice> MakeFakeDevice1_1(Lies lies = {});
std::shared_ptr<hal::V1_0::IDevice> MakeFakeDevice1_0(Lies lies = {});

}  // namespace nncert

#endif  // NNCERT_HARNESS_TESTING_FAKE_DEVICE_H_
