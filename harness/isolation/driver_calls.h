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

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal/replay/call_sequence.h"
#include "hal/replay/callbacks.h"
#include "hal/v1_2/interfaces.h"
#include "harness/isolation/burst_calls.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/driver_session.h"
#include "harness/isolation/execution_outcome.h"

namespace nncert {

/// The ways to execute a prepared model.
enum class Executor {
  ASYNC,      ///< execute or execute_1_2, whose result comes through a callback
  SYNC,       ///< executeSynchronously
  BURST,      ///< a request of a burst, which configureExecutionBurst opens
  ASYNC_1_0,  ///< execute, on a device of any version; it has no timing
};

/// What it is in a sequence of calls of a device of 1.2.
hal::replay::ExecutionMethod MethodOf(Executor executor);

/// The enumerator's name.
std::string_view toString(Executor executor);

/// Writes toString(executor).
std::ostream& operator<<(std::ostream& stream, Executor executor);

/// An asynchronous execution that has been launched.
struct LaunchedExecution {
  /// Why it was not; its end is then not to be waited for.
  std::optional<Problem> problem;
  /// The method that launched it, and what that returned.
  absl::string_view call;
  hal::V1_0::ErrorStatus launched = hal::V1_0::ErrorStatus::NONE;
  /// Until when its callback has to come.
  hal::Deadline deadline = hal::Deadline::Never();
  std::shared_ptr<hal::replay::ExecutionCallback> callback;
};

/// The operations that a driver does not support, for messages: "3 (CONV_2D), 5 (ADD) and 2 more";
/// empty when it supports all. There is an answer for each operation of the model.
std::string UnsupportedOperations(const hal::V1_2::Model& model,
                                  const std::vector<bool>& supported);

/// Why a model is not prepared that the driver refused with `status`, as it may: BROKEN_PROMISE or
/// UNSUPPORTED. `unsupported` is as UnsupportedOperations gives it.
Problem RefusalOf(absl::string_view call, hal::V1_0::ErrorStatus status,
                  const std::string& unsupported);

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

  /// What the model is prepared in, and the deadline of its calls.
  DriverSession& session() const { return session_; }
  absl::Duration deadline() const { return deadline_; }

  /// Asks which operations are supported, and prepares the model, which must comply with the
  /// driver's HAL version, in that version's form. Gives why it cannot go on: UNSUPPORTED when the
  /// driver neither claimed every operation nor prepared the model, BROKEN_PROMISE when it claimed
  /// them and did not prepare it, FAIL when it broke a rule, TIMEOUT. Nothing when the model is
  /// prepared. To be called once. A call that does not return keeps the model.
  std::optional<Problem> Prepare(const std::shared_ptr<const hal::V1_2::Model>& model,
                                 Asking asking = Asking::kFirst);

  /// Takes over the result of a preparation that was made by `call`, instead of Prepare. Gives its
  /// problem, or FAIL when it did not end with NONE and a prepared model of the device's version.
  /// To be called once.
  std::optional<Problem> Adopt(absl::string_view call, PreparationOutcome result);

  /// Takes over the prepared model of another one instead of Prepare, for a session of its own: any
  /// number of threads use a prepared model at the same time, each by its own ModelOnDriver. This
  /// one gives it up before the other one is released. To be called once.
  void AdoptFrom(const ModelOnDriver& other);

  /// Whether the driver said that it supports every operation.
  bool is_fully_supported() const { return unsupported_.empty(); }

  /// Executes the prepared model. Before 1.2 there is ASYNC without timing alone. The requests of
  /// all executions by BURST are those of one burst; before some of them the driver is told to
  /// forget all memory (ForgetsMemoryBefore), and slots stand for other memory afterwards.
  ExecutionOutcome Execute(const hal::V1_0::Request& request, Executor executor,
                           hal::V1_2::MeasureTiming measure);

  /// Opens a burst of the prepared model, which is to be closed before that is released. Devices
  /// before 1.2 have none. Those of Execute are not seen in it.
  OpenedBurst OpenBurst(const BurstOptions& options);

  /// Has configureExecutionBurst called with these arguments, whatever they are; gives its status,
  /// and whether it gave a burst.
  std::optional<Problem> ConfigureBurst(
      const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
      const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requests,
      const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& results,
      hal::V1_0::ErrorStatus& status, bool& is_open);

  /// The two halves of Execute by ASYNC or ASYNC_1_0: launches an execution; waits for its end. Any
  /// number may be under way. A callback that somebody still holds at the release would be taken
  /// for one that the driver keeps, so the execution is given up for its outcome.
  LaunchedExecution Launch(const hal::V1_0::Request& request, Executor executor,
                           hal::V1_2::MeasureTiming measure);
  ExecutionOutcome AwaitEnd(LaunchedExecution execution);

  /// Tells the driver to forget the memory that the open burst has had; ends the open burst, so
  /// that the next execution by BURST opens another one. Without an open burst nothing is done.
  std::optional<Problem> FreeBurstMemory();
  std::optional<Problem> CloseBurst();

  /// Gives the prepared model back to the driver while executions may be under way, which can still
  /// be waited for. Nothing more is to be executed, and no burst is to have been opened.
  std::optional<Problem> ReleaseEarly();

  /// Gives the prepared model back to the driver, waits a moment for the driver to let go of the
  /// callbacks, and gives what it did wrong meanwhile: it ended, hung, or called a callback again.
  /// (A callback that comes even later goes unnoticed.) To be called once, at the end; nothing else
  /// is to be called afterwards.
  std::optional<Problem> Release();

 private:
  absl::Status DropPreparedModel();
  absl::Status GiveBack(std::shared_ptr<hal::V1_0::IPreparedModel> model);
  void AwaitCallbacks() const;
  std::optional<Problem> CheckCallbacks() const;
  std::optional<Problem> AskSupportedOperations(
      const std::shared_ptr<const hal::V1_2::Model>& shared);
  ExecutionOutcome ExecuteSync(const hal::V1_0::Request& request, hal::V1_2::MeasureTiming measure);
  ExecutionOutcome ExecuteBurst(const hal::V1_0::Request& request,
                                hal::V1_2::MeasureTiming measure);

  DriverSession& session_;
  const absl::Duration deadline_;
  std::string unsupported_;  // which operations are not supported, for messages
  std::shared_ptr<hal::replay::PrepareCallback> prepare_callback_;
  std::vector<std::shared_ptr<hal::replay::ExecutionCallback>> execution_callbacks_;
  std::shared_ptr<hal::V1_0::IPreparedModel> prepared_;
  std::shared_ptr<hal::V1_2::IPreparedModel> prepared_1_2_;
  std::unique_ptr<BurstOnDriver> burst_;  // null before the first execution by BURST
  bool is_released_ = false;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_DRIVER_CALLS_H_
