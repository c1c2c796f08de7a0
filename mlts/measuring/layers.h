// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A network taken apart: what each operation's result is worth.

#ifndef NNCERT_MLTS_MEASURING_LAYERS_H_
#define NNCERT_MLTS_MEASURING_LAYERS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "harness/isolation/driver_session.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/results/results.h"

namespace nncert {

/// The error of each operation's first output on one inference, against the reference's definitions
/// in double precision, with what has accumulated before. The network is run once more with its
/// operands in between as outputs. Fails as NetworkOnDriver's methods do, as with a driver that
/// does not give them, and as Oracle::Temporaries does.
absl::StatusOr<std::vector<LayerError>> MeasureLayers(const NetworkArguments& arguments,
                                                      DriverSession& session,
                                                      const Inference& inference,
                                                      absl::Duration deadline);

/// The first operation that errs given what the driver itself has its inputs as, "12 (ADD)"; empty
/// when none does, or operations cannot be judged (see harness/operation_check.h). `why` says what
/// is wrong with it, or what kept operations from being judged, if anything did.
std::string FirstDivergingOperation(const NetworkArguments& arguments, DriverSession& session,
                                    const Inference& inference, absl::Duration deadline,
                                    std::string& why);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_LAYERS_H_
