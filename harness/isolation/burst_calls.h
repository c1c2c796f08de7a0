// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A burst on a driver, with everything that the driver can do wrong in it.

#ifndef NNCERT_HARNESS_ISOLATION_BURST_CALLS_H_
#define NNCERT_HARNESS_ISOLATION_BURST_CALLS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/burst_controller.h"
#include "hal/v1_2/burst_types.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_session.h"
#include "harness/isolation/execution_outcome.h"

namespace nncert {

/// How a burst is opened.
struct BurstOptions {
  hal::BurstLengths lengths;
  /// See BurstController::Open.
  hal::BurstController::CallbackWrapper wrap = nullptr;
};

/// The answer to a packet.
struct BurstAnswer {
  /// How the execution ended. A problem when not exactly one well-formed packet came.
  ExecutionOutcome outcome;
  /// What came, as it came.
  std::vector<hal::V1_2::FmqResultDatum> packet;
};

class BurstOnDriver;

/// What comes of opening a burst: a problem, or the burst.
struct OpenedBurst {
  std::optional<Problem> problem;
  std::unique_ptr<BurstOnDriver> burst;
};

/// One burst of a prepared model on one driver. Every call, and every answer to a request, has the
/// same deadline.
class BurstOnDriver {
 public:
  /// Opens a burst of a prepared model. `session` must outlive it.
  static OpenedBurst Open(DriverSession& session, absl::Duration deadline,
                          const std::shared_ptr<hal::V1_2::IPreparedModel>& model,
                          const BurstOptions& options);

  BurstOnDriver(const BurstOnDriver&) = delete;
  BurstOnDriver& operator=(const BurstOnDriver&) = delete;
  /// Closes the burst.
  ~BurstOnDriver();

  /// Sends a request, and takes the answer.
  ExecutionOutcome Execute(const hal::V1_0::Request& request, hal::V1_2::MeasureTiming measure);

  /// How many requests have been sent.
  uint64_t sent() const { return controller_->sent(); }

  /// The packet of a request: see BurstController::PacketOf.
  std::vector<hal::V1_2::FmqRequestDatum> PacketOf(const hal::V1_0::Request& request,
                                                   hal::V1_2::MeasureTiming measure);

  /// Sends any elements as the packet of a request, and takes the answer.
  BurstAnswer Send(absl::Span<const hal::V1_2::FmqRequestDatum> packet);

  /// Tells the driver to forget the memory behind a slot, or all: see BurstController.
  std::optional<Problem> FreeMemory(int32_t slot);
  std::optional<Problem> FreeAllMemory();

  /// Ends the burst, which is a call like any other. It mostly does not return when a request has
  /// not been answered, and then has a moment only. Fails as CallThread::Run does.
  absl::Status Close();

  /// What the driver has written that answers no request; nothing when there is none.
  std::optional<Problem> CheckNoResult() const;

 private:
  BurstOnDriver(DriverSession& session, absl::Duration deadline,
                std::shared_ptr<hal::V1_2::IPreparedModel> model,
                std::shared_ptr<hal::BurstController> controller);

  // Waits for what `exchange` gives: a StatusOr, by this deadline and while the driver is well.
  template <typename Exchange>
  auto Await(Exchange exchange);
  std::optional<Problem> Call(absl::string_view name,
                              const std::function<void(hal::BurstController&)>& call);

  DriverSession& session_;
  const absl::Duration deadline_;
  // Kept by the call that ends the burst when that does not return; null once it was ended.
  std::shared_ptr<hal::V1_2::IPreparedModel> model_;
  const std::shared_ptr<hal::BurstController> controller_;
  bool is_overdue_ = false;  // a request was not answered in time
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_BURST_CALLS_H_
