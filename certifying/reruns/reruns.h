// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs failing cases again, alone and behind others, to tell those that always fail from those that
// do so now and then.

#ifndef NNCERT_CERTIFYING_RERUNS_RERUNS_H_
#define NNCERT_CERTIFYING_RERUNS_RERUNS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "certifying/outcome/rerun_outcome.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"

namespace nncert {

/// How failing cases are run again.
struct RerunOptions {
  /// For how long runs are begun.
  absl::Duration time = absl::Seconds(60);
  /// How many cases are run again at the most: of each kind of failure the first one, then of each
  /// the second, and so on; those that did not answer in time last.
  size_t most_cases = 100;
  /// How cases are run. They are dumped nowhere.
  RunOptions run;
  /// Where the case files of pairs are written.
  std::string sequences_directory;
  /// The driver, as commands are to name it.
  std::string driver;
  /// Whether to stop; asked before each run, by several threads. Null for never.
  std::function<bool()> should_stop = nullptr;
};

/// Runs those cases again whose result is FAIL, CRASH, TIMEOUT or BROKEN_PROMISE, on the next of
/// `workers` that is free; there is at least one. `results` are those of `cases`, all that the run
/// has, in its order.
///
/// Each is run eight times as the only case of a new process of the driver. (One that does not
/// answer in time a second time is left at that: it takes the deadline.) One that passes all eight
/// times, and did answer in the run, is then looked at behind other cases (FindCulprit). What
/// passes at all, after it failed in the run, is FLAKY from then on: its result says so and begins
/// with its odds. The others stay what they are.
///
/// A pair, a case that another one makes fail, is written as a case file of both, after they have
/// failed once more in the very way in which the command for it runs them.
///
/// Where the time is up, or should_stop says so, nothing is known of the cases that are left, nor
/// of the one that was under way; the outcome says so, too, and nothing is run again where the
/// driver has no process that can be ended.
RerunOutcome RerunFailures(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                           absl::Span<const CaseInMode> cases, const RerunOptions& options,
                           absl::Span<CaseResult> results);

/// What becomes of the failing cases where the driver cannot be opened again, and why.
RerunOutcome NoReruns(absl::Span<const CaseResult> results, const absl::Status& why);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_RERUNS_RERUNS_H_
