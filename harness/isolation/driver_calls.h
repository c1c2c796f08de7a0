// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The calls that running a case takes, with everything that a driver can do wrong in them.

#ifndef NNCERT_HARNESS_ISOLATION_DRIVER_CALLS_H_
#define NNCERT_HARNESS_ISOLATION_DRIVER_CALLS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "hal/burst_controller.h"
#include "hal/replay/callbacks.h"
#include "hal/v1_2/interfaces.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// The ways to execute a prepared model.
enum class Executor {
  ASYNC,      ///< execute or execute_1_2, whose result comes through a callback
  SYNC,       ///< executeSynchronously
  BURST,      ///< a request of a burst, which configureExecutionBurst opens
  ASYNC_1_0,  ///< execute, on a device of any version; it has no timing
};

/// The enumerator's name.
std::string_view toString(Executor executor);

/// Writes toString(executor).
std::ostream& operator<<(std::ostream& stream, Executor executor);

/// How an execution ended.
struct ExecutionOutcome {
  /// Set when a rule about calls was broken; all else is then meaningless.
  std::optional<Problem> problem;
  /// What the method returned, where that is not all that it does: see ASYNC.
  hal::V1_0::ErrorStatus launched = hal::V1_0::ErrorStatus::NONE;
  hal::V1_0::ErrorStatus status = hal::V1_0::ErrorStatus::NONE;
  std::vector<hal::V1_2::OutputShape> outputShapes;
  hal::V1_2::Timing timing;
};

/// Whether a driver is asked which operations of a model it supports before it prepares that.
enum class Asking {
  kFirst,  ///< as a client of the driver does that knows nothing of the model
  kNot,    ///< as one does that has asked about these operations before; all then pass as supported
};

/// One model on one driver: asks what is supported, prepares, executes. Every call is given the
/// deadline. What the driver breaks is found here when it concerns calls and callbacks alone.
class ModelOnDriver {
 public:
  /// Neither argument is changed; both must outlive this.
  ModelOnDriver(DriverSession& session, absl::Duration deadline);
  ModelOnDriver(const ModelOnDriver&) = delete;
  ModelOnDriver& operator=(const ModelOnDriver&) = delete;
  /// Gives the prepared model back to the driver.
  ~ModelOnDriver();

  /// Asks which operations are supported, and prepares the model, which must comply with the
  /// driver's HAL version, in that version's form. Gives why it cannot go on: UNSUPPORTED when the
  /// driver neither claimed every operation nor prepared the model, BROKEN_PROMISE when it claimed
  /// them and did not prepare it, FAIL when it broke a rule, TIMEOUT. Nothing when the model is
  /// prepared. To be called once. A call that does not return keeps the model.
  std::optional<Problem> Prepare(const std::shared_ptr<const hal::V1_2::Model>& model,
                                 Asking asking = Asking::kFirst);

  /// Whether the driver said that it supports every operation.
  bool is_fully_supported() const { return unsupported_.empty(); }

  /// Executes the prepared model. Before 1.2 there is ASYNC without timing alone. The requests of
  /// all executions by BURST are those of one burst; before every second of them the driver is told
  /// to forget all memory, and slots stand for other memory afterwards.
  ExecutionOutcome Execute(const hal::V1_0::Request& request, Executor executor,
                           hal::V1_2::MeasureTiming measure);

  /// Gives the prepared model back to the driver, waits a moment for the driver to let go of the
  /// callbacks, and gives what it did wrong meanwhile: it ended, hung, or called a callback again.
  /// (A callback that comes even later goes unnoticed.) To be called once, at the end; nothing else
  /// is to be called afterwards.
  std::optional<Problem> Release();

 private:
  absl::Status DropPreparedModel();
  void AwaitCallbacks() const;
  std::optional<Problem> CheckCallbacks() const;
  std::optional<Problem> AskSupportedOperations(
      const std::shared_ptr<const hal::V1_2::Model>& shared);
  ExecutionOutcome ExecuteAsync(const hal::V1_0::Request& request, hal::HalVersion version,
                                hal::V1_2::MeasureTiming measure);
  ExecutionOutcome ExecuteSync(const hal::V1_0::Request& request, hal::V1_2::MeasureTiming measure);
  ExecutionOutcome ExecuteBurst(const hal::V1_0::Request& request,
                                hal::V1_2::MeasureTiming measure);
  std::optional<Problem> OpenBurst(const hal::V1_0::Request& request);
  absl::StatusOr<hal::V1_2::ExecuteSynchronouslyResult> SendThroughBurst(
      const hal::V1_0::Request& request, hal::V1_2::MeasureTiming measure);
  std::optional<Problem> CheckBurst() const;

  DriverSession& session_;
  const absl::Duration deadline_;
  std::string unsupported_;  // which operations are not supported, for messages
  std::shared_ptr<hal::replay::PrepareCallback> prepare_callback_;
  std::vector<std::shared_ptr<hal::replay::ExecutionCallback>> execution_callbacks_;
  std::shared_ptr<hal::V1_0::IPreparedModel> prepared_;
  std::shared_ptr<hal::V1_2::IPreparedModel> prepared_1_2_;
  std::shared_ptr<hal::BurstController> burst_;  // null before the first execution by BURST
  uint64_t burst_requests_ = 0;
  bool is_burst_overdue_ = false;  // a request was not answered in time
  bool is_released_ = false;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_DRIVER_CALLS_H_
