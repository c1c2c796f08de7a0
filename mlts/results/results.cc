// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/results.h"

#include "absl/algorithm/container.h"

namespace nncert {

std::string_view toString(CheckResult::Outcome outcome) {
  switch (outcome) {
    case CheckResult::Outcome::PASS:
      return "PASS";
    case CheckResult::Outcome::FAIL:
      return "FAIL";
    case CheckResult::Outcome::NOT_RUN:
      return "NOT_RUN";
  }
  return "unknown";
}

std::string_view toString(BenchmarkResult::Status status) {
  switch (status) {
    case BenchmarkResult::Status::RUN:
      return "RUN";
    case BenchmarkResult::Status::UNSUPPORTED:
      return "UNSUPPORTED";
    case BenchmarkResult::Status::FAILED:
      return "FAILED";
    case BenchmarkResult::Status::UNREADABLE:
      return "UNREADABLE";
  }
  return "unknown";
}

std::string_view toString(StressResult::Status status) {
  switch (status) {
    case StressResult::Status::SUCCESS:
      return "SUCCESS";
    case StressResult::Status::FAILURE:
      return "FAILURE";
    case StressResult::Status::CRASH:
      return "CRASH";
    case StressResult::Status::HANG:
      return "HANG";
    case StressResult::Status::NOT_RUN:
      return "NOT_RUN";
  }
  return "unknown";
}

bool IsRight(const BenchmarkResult& benchmark) {
  return benchmark.status == BenchmarkResult::Status::RUN &&
         absl::c_none_of(benchmark.checks, [](const CheckResult& check) {
           return check.outcome == CheckResult::Outcome::FAIL;
         });
}

bool IsFailed(const StressResult& stress) {
  return stress.status != StressResult::Status::SUCCESS &&
         stress.status != StressResult::Status::NOT_RUN;
}

bool IsOverstated(const PerformanceClaim& claim) {
  return claim.claimed * kClaimTolerance < claim.measured.low;
}

bool NothingFailed(const MltsResults& results) {
  return absl::c_all_of(results.benchmarks,
                        [](const BenchmarkResult& benchmark) {
                          return IsRight(benchmark) ||
                                 benchmark.status == BenchmarkResult::Status::UNSUPPORTED ||
                                 benchmark.status == BenchmarkResult::Status::UNREADABLE;
                        }) &&
         absl::c_none_of(results.claims, IsOverstated) && absl::c_none_of(results.stress, IsFailed);
}

}  // namespace nncert
