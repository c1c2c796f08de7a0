// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Random inputs, for a network without data: enough for latency, and for comparing two drivers.

#ifndef NNCERT_MLTS_DATA_SETS_RANDOM_DATA_SET_H_
#define NNCERT_MLTS_DATA_SETS_RANDOM_DATA_SET_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/network.h"

namespace nncert {

/// `count` sequences, the same for the same seed on every machine: of one inference, or of four for
/// a network with states. Floats are uniform in [-1, 1), quantized elements take every value,
/// Booleans and integers, which may be indexes, are 0 or 1. InvalidArgument when an input is of
/// unknown size.
absl::StatusOr<std::shared_ptr<const DataSet>> OpenRandomInputs(size_t count, uint64_t seed,
                                                                const Network& network);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_RANDOM_DATA_SET_H_
