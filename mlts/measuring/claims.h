// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a driver claims of its speed, beside what was measured.

#ifndef NNCERT_MLTS_MEASURING_CLAIMS_H_
#define NNCERT_MLTS_MEASURING_CLAIMS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "harness/isolation/driver_session.h"
#include "mlts/results/results.h"

namespace nncert {

/// PerformanceInfo::execTime by what it is about: the name of an operand type, or
/// "relaxedFloat32toFloat16PerformanceTensor".
using ClaimedTimes = std::map<std::string, double>;

/// What the driver claims. Fails as CallThread::Run does; FailedPrecondition when the driver does
/// not tell.
absl::StatusOr<ClaimedTimes> ClaimedTimesOf(DriverSession& session, absl::Duration deadline);

/// The type of the first operand of a model's first operation, by which the HAL knows an
/// operation's performance: "TENSOR_FLOAT32". Empty for a model without operations.
std::string TypeOfNetwork(const hal::V1_2::Model& model);

/// What a model's claim is found under: TypeOfNetwork, or
/// "relaxedFloat32toFloat16PerformanceTensor" of floats that may be relaxed.
std::string SubjectOfClaim(const hal::V1_2::Model& model);

/// The driver's median time over the baseline's in the first way of executing that both were timed
/// in; nothing when there is none, the intervals have no end, or the driver is the baseline.
std::optional<Estimate> RatioOfTimes(const BenchmarkResult& benchmark, const std::string& driver,
                                     const std::string& baseline);

/// The same without what a call takes (BenchmarkResult::call_time), which is neither's doing and
/// makes small networks seem alike. The interval has every time of a call that its own interval
/// has. Nothing where a network takes hardly longer than a call; RatioOfTimes where that is not
/// known.
std::optional<Estimate> RatioOfComputing(const BenchmarkResult& benchmark,
                                         const std::string& driver, const std::string& baseline);

/// How much faster or slower than the CPU the driver was on networks of one subject.
struct SpeedOnNetworks {
  std::string subject;
  std::vector<Estimate> ratios;
};

/// The claims that something was measured for: the geometric mean of the ratios, and of the ends of
/// their intervals. A type that the driver claims nothing of is claimed as FLT_MAX, as the HAL has
/// it.
std::vector<PerformanceClaim> ClaimsOf(const ClaimedTimes& claimed,
                                       absl::Span<const SpeedOnNetworks> measured);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_CLAIMS_H_
