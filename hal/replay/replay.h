// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs a test case on a driver in this process, as Android's VTS does, and says what is wrong.
//
// That is what a GoogleTest source that nncert wrote comes down to. It is the part of nncert's own
// verdict that needs no knowledge of operations: what elements pass stands in the case.

#ifndef NNCERT_HAL_REPLAY_REPLAY_H_
#define NNCERT_HAL_REPLAY_REPLAY_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal/replay/case.h"
#include "hal/v1_0/interfaces.h"

namespace nncert::hal::replay {

/// What the driver is told of the dimensions of outputs.
enum class OutputDimensions {
  kKnown,    ///< what the model says
  kUnknown,  ///< nothing but the rank; for HAL 1.2
};

/// How long a driver may take.
struct ReplayOptions {
  /// For one call, and from a launch until its callback.
  absl::Duration deadline = absl::Seconds(60);
  /// What the deadline goes by; must outlive the process if the driver does not return.
  const SteadyClock* clock = &SteadyClock::System();
};

/// The device of the driver that the environment variable NNCERT_DRIVER names, the path of a shared
/// object that an option may follow ("PATH.so:OPTION"); or else of the one that is linked in
/// (NNCERT_REGISTER_DRIVER). NotFound when there is neither; fails as LoadDriver does.
absl::StatusOr<std::shared_ptr<V1_0::IDevice>> DeviceUnderTest();

/// Runs every example of a case on a device, in every way that it has: on 1.2 devices
/// asynchronously, synchronously and by a burst, with and without timing, each with unknown output
/// dimensions also with a buffer one byte short; on earlier ones asynchronously alone. Checks calls
/// and callbacks, statuses, timing, guard bytes round the arguments, output shapes, and elements.
///
/// OK when all passes. Otherwise what is wrong, and in which way to run it:
///   - Unimplemented: the driver does not support the model, as it may;
///   - FailedPrecondition: it claimed to support every operation, and then did not run the model;
///   - DeadlineExceeded: it did not answer in time; the call is left behind in a thread of its own;
///   - Internal: anything else, a wrong element for example.
/// InvalidArgument when an example does not have the model's inputs and outputs.
absl::Status Replay(std::shared_ptr<V1_0::IDevice> device, const Case& test_case,
                    OutputDimensions dimensions, const ReplayOptions& options = {});

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_REPLAY_H_
