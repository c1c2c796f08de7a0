// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Networks that stress tests run over and over, with answers that are known to be right.

#ifndef NNCERT_MLTS_STRESS_STRESS_NETWORK_H_
#define NNCERT_MLTS_STRESS_STRESS_NETWORK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/deadline.h"
#include "harness/isolation/driver_session.h"
#include "mlts/measuring/benchmark_source.h"
#include "mlts/measuring/network_arguments.h"

namespace nncert {

/// A network with inferences of the driver under test, at least one: what it answers when nothing
/// else asks it for anything.
struct StressNetwork {
  std::string name;
  NetworkArguments arguments;
  std::vector<Inference> inferences;
};

/// Reads a network and has the driver answer a few of its inputs. Each answer is within the
/// documented precision of the reference's or, where a network makes more of honest differences
/// than that, each of its operations is within it of what the reference makes of the driver's own
/// values. Fails with InvalidArgument when the network or its data cannot be read or
/// operations cannot be judged, otherwise as NetworkOnDriver's methods do: FailedPrecondition for a
/// wrong answer, Unimplemented when the driver does not take the network.
absl::StatusOr<StressNetwork> ReadStressNetwork(const BenchmarkSource& source,
                                                DriverSession& driver, DriverSession& reference,
                                                absl::Duration deadline);

/// Networks as a file of cases, for clients in other processes, and back; their states are inputs
/// and outputs like others. Fails as WriteCaseFile and ReadCaseFile do.
absl::Status WriteStressNetworks(absl::Span<const StressNetwork> networks, const std::string& path);
absl::StatusOr<std::vector<StressNetwork>> ReadStressNetworks(const std::string& path);

/// What came of loading and executing.
struct LoadCount {
  uint64_t loads = 0;
  uint64_t executions = 0;
};

/// How long and how often a network is executed once it is loaded.
struct LoadLimits {
  /// 0 to do no more than prepare and release it.
  uint64_t executions = 1;
  /// None is begun after this time, but the first.
  hal::Deadline end = hal::Deadline::Never();
  absl::Duration deadline = kDefaultDeadline;
};

/// Has the driver prepare a network, execute it in all ways by turns, and release it. Fails as
/// NetworkOnDriver's methods do, with the network's name; FailedPrecondition for an answer that is
/// not the known one within the documented precision.
absl::Status LoadNetwork(DriverSession& session, const StressNetwork& network,
                         const LoadLimits& limits, LoadCount& count);

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_STRESS_NETWORK_H_
