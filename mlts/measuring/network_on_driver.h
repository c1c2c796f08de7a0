// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A network that a driver has prepared, run on sequences.

#ifndef NNCERT_MLTS_MEASURING_NETWORK_ON_DRIVER_H_
#define NNCERT_MLTS_MEASURING_NETWORK_ON_DRIVER_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/driver_session.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/measuring/network_arguments.h"

namespace nncert {

/// A problem with a driver as a status: Unimplemented when the driver does not support the network,
/// DeadlineExceeded when it did not answer, Unavailable when its process ended, Internal for what
/// is nncert's own fault, FailedPrecondition for any other rule that it broke.
absl::Status StatusOfProblem(const Problem& problem);

/// Unimplemented when a driver of `version` cannot be given the model, which needs a later one.
absl::Status CheckVersion(const hal::V1_2::Model& model, hal::HalVersion version);

/// The way to execute in which a result comes soonest on drivers of this version.
Executor PlainExecutor(hal::HalVersion version);

/// A network on a driver.
class NetworkOnDriver {
 public:
  /// Has the network prepared. The session and the arguments must outlive this. Fails as
  /// CheckVersion does, or with what StatusOfProblem says.
  static absl::StatusOr<std::unique_ptr<NetworkOnDriver>> Prepare(DriverSession& session,
                                                                  const NetworkArguments& arguments,
                                                                  absl::Duration deadline);

  /// The model, for whoever executes it in other ways.
  ModelOnDriver& on_driver() { return on_driver_; }

  /// What the model is executed by.
  DriverSession& session() { return on_driver_.session(); }

  /// Executes with all inputs of the model, and gives all of its outputs. Fails with what
  /// StatusOfProblem says; with FailedPrecondition when the execution ends with another status than
  /// NONE, the outputs have other dimensions than the model says, or memory was changed that is
  /// none of them.
  absl::StatusOr<std::vector<TensorBytes>> Execute(const std::vector<TensorBytes>& inputs);

  /// Runs a sequence, with states carried along. Fails as Execute does; InvalidArgument when the
  /// sequence is not one for this network. The message names the sequence. Adds the inferences to
  /// `inferences` if it is not null.
  absl::StatusOr<SequenceOutputs> Run(const Sequence& sequence,
                                      std::vector<Inference>* inferences = nullptr);

  /// Gives the model back to the driver. To be called once, at the end. Fails as Execute does.
  absl::Status Release();

 private:
  NetworkOnDriver(DriverSession& session, const NetworkArguments& arguments,
                  absl::Duration deadline)
      : arguments_(arguments), on_driver_(session, deadline) {}

  const NetworkArguments& arguments_;
  ModelOnDriver on_driver_;
};

/// What is wrong with an execution that should have filled the outputs of a model; OK when nothing
/// is.
absl::Status CheckOutcome(const hal::V1_2::Model& model, const ExecutionOutcome& outcome);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_NETWORK_ON_DRIVER_H_
