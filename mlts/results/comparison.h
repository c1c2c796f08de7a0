// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Two runs side by side, in words.

#ifndef NNCERT_MLTS_RESULTS_COMPARISON_H_
#define NNCERT_MLTS_RESULTS_COMPARISON_H_

#include <string>
#include <string_view>
#include <vector>

#include "mlts/results/results.h"

namespace nncert {

/// Something that was asserted in both runs, or in one of them, and failed in one at least.
struct FailureChange {
  enum class Kind {
    NEW,            ///< it fails now, and did not before; or it was run, and is now UNSUPPORTED
    MENDED,         ///< it failed before, and passes now
    STILL_FAILING,  ///< it fails in both
    UNKNOWN,        ///< it failed before; the later run does not say
  };
  Kind kind = Kind::NEW;
  /// "mobilenet_v1_0.5_160_quant", or "stress".
  std::string benchmark;
  /// A check's name, that of a stress test, or "status" for a benchmark that was not run.
  std::string name;
  /// What the later run says of it; of what it does not have, the earlier one.
  std::string detail;
};

/// The enumerator's name.
std::string_view toString(FailureChange::Kind kind);

/// A figure of both runs.
struct FigureChange {
  /// Whether the intervals have nothing in common, and which way it went.
  enum class Kind { BETTER, WORSE, WITHIN_INTERVALS };
  Kind kind = Kind::WITHIN_INTERVALS;
  std::string benchmark;
  /// "median of sync", "top 1".
  std::string figure;
  /// Microseconds of latencies, shares (0 to 1) of top-1.
  Estimate before;
  Estimate after;
};

/// Two runs side by side. Everything is of the driver, not of its baselines.
struct RunComparison {
  /// What is not the same about the runs themselves, a sentence each: another machine, another
  /// driver, models of other checksums. Figures are to be read with them in mind.
  std::vector<std::string> circumstances;
  /// What failed: new failures first, then those that are still there, unknown and mended ones.
  std::vector<FailureChange> failures;
  /// Medians of latencies, by the ratio after to before, the worst first.
  std::vector<FigureChange> latencies;
  /// Shares of top-1, by the difference, the worst first.
  std::vector<FigureChange> accuracies;
  /// Names of benchmarks that only one of the runs has.
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
};

/// Compares two runs, by the names of their benchmarks. Where a name occurs twice, its first
/// benchmark counts, and a circumstance says so.
RunComparison CompareRuns(const MltsResults& before, const MltsResults& after);

/// The comparison as text: circumstances, failures, latencies, accuracies, benchmarks of one run
/// alone; figures with their intervals, and for those within them a count alone. Strings of drivers
/// have no control characters in it.
std::string DescribeComparison(const RunComparison& comparison);

/// Whether the later run has a failure that the earlier one has not, is slower or less accurate
/// beyond the intervals, or lacks a benchmark or check that failed before.
bool IsWorse(const RunComparison& comparison);

}  // namespace nncert

#endif  // NNCERT_MLTS_RESULTS_COMPARISON_H_
