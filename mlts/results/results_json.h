// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// results.json: the results of a run for other programs, and for a later comparison.
//
// Its members are those of MltsResults, in the same order, with names as in "meanSquareError". What
// is not known has no member. A number that is none (NaN or an infinity) is null, and NaN when it
// is read back. Bytes of strings that are not UTF-8 become U+FFFD. The same results give the same
// bytes.

#ifndef NNCERT_MLTS_RESULTS_RESULTS_JSON_H_
#define NNCERT_MLTS_RESULTS_RESULTS_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "mlts/results/results.h"

namespace nncert {

/// The only form of results.json that there is so far, MltsResults::format.
inline constexpr uint32_t kResultsFormat = 2;

/// The results as JSON, indented, with what has only scalars in it on a line of its own.
std::string MltsResultsToJson(const MltsResults& results);

/// Reads what MltsResultsToJson writes. Nothing is passed over: an unknown form, a member that is
/// missing, unknown, given twice or of another type is an error, which names the member:
/// "benchmarks[3].latency[0].wall.p50: a number was expected, not a string".
absl::StatusOr<MltsResults> MltsResultsFromJson(std::string_view json);

/// Reads a file, or the results.json of a folder. Fails as ReadFileBytes does, or as
/// MltsResultsFromJson with the file named.
absl::StatusOr<MltsResults> ReadResults(const std::string& path);

}  // namespace nncert

#endif  // NNCERT_MLTS_RESULTS_RESULTS_JSON_H_
