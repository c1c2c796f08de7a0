// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A network as a test case, so that everything that runs cases runs networks.

#ifndef NNCERT_MLTS_NETWORK_CASE_H_
#define NNCERT_MLTS_NETWORK_CASE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "mlts/network.h"

namespace nncert {

/// The real numbers that an input of a network takes.
struct InputRange {
  double lowest = -1;
  double highest = 1;
};

/// The ranges of all inputs of a network: of a quantized one what its integers stand for; [-1, 1]
/// of floats and halves, which is where images and features are put. A variant of floats has the
/// ranges of the network that it is derived from.
std::vector<InputRange> InputRangesOf(const Network& network);

/// A case with one example: inputs, states among them, of elements that are uniform in their ranges
/// (integers that operations take for indexes are valid ones, Booleans either), the same for the
/// same seed everywhere, and the outputs that the reference gives. Unused outputs are not compared.
/// The case says which HAL version the model needs.
///
/// InvalidArgument when the ranges are not as many as the inputs or the network refuses the inputs,
/// ResourceExhausted when the inputs come to more than kMostInputBytes or the reference cannot
/// compute the network in its limits.
absl::StatusOr<TestCase> CaseOf(const Network& network, const std::vector<InputRange>& ranges,
                                uint64_t seed);

/// How many bytes the inputs of a case may come to.
inline constexpr uint64_t kMostInputBytes = uint64_t{1} << 28;

}  // namespace nncert

#endif  // NNCERT_MLTS_NETWORK_CASE_H_
