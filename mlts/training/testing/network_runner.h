// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs networks on the reference executor, for tests.

#ifndef NNCERT_MLTS_TRAINING_TESTING_NETWORK_RUNNER_H_
#define NNCERT_MLTS_TRAINING_TESTING_NETWORK_RUNNER_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/network.h"
#include "reference/execution/executor.h"

namespace nncert {

/// A network that is ready to be run.
class NetworkRunner {
 public:
  /// Fails where PreparedGraph::Create does, under the rules of `version`.
  static absl::StatusOr<NetworkRunner> Create(const Network& network,
                                              hal::HalVersion version = hal::HalVersion::V1_2);

  /// The elements of the first output, real numbers or the integers of a quantized one, after each
  /// inference of a sequence. States begin at zero, or zeroPoint.
  absl::StatusOr<std::vector<std::vector<double>>> Run(const Sequence& sequence) const;

 private:
  NetworkRunner(Network network, std::shared_ptr<const PreparedGraph> graph);

  Network network_;
  std::shared_ptr<const PreparedGraph> graph_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_TESTING_NETWORK_RUNNER_H_
