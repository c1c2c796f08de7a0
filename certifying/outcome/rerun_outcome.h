// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What became of failing cases when they were run again.

#ifndef NNCERT_CERTIFYING_OUTCOME_RERUN_OUTCOME_H_
#define NNCERT_CERTIFYING_OUTCOME_RERUN_OUTCOME_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/records/verdict.h"

namespace nncert {

/// How many of some runs of a case failed.
struct RunTally {
  uint64_t failed = 0;
  uint64_t runs = 0;

  bool operator==(const RunTally&) const = default;
};

/// A case that fails, and does not always: one that is FLAKY.
struct FlakyCase {
  /// Its full name, "GeneratedTests.tanh".
  std::string name;
  /// What it came to in the run, which is the first of its runs.
  Verdict first = Verdict::FAIL;
  /// The runs in which it was the first and only case of a new process of the driver.
  RunTally alone = {};
  /// The runs in which it was the last of several cases in a new process.
  RunTally after_others = {};
  /// The full name of the one case that makes it fail, by being run before it in the same process;
  /// empty where none is known.
  std::string only_after = {};
  /// A case file with that case and this one, in that order, and the line for a shell that runs
  /// them so; empty where no such case is known, or it could not be written or shown.
  std::string file = {};
  std::string command = {};

  /// All of its runs, that of the run of all cases included.
  RunTally Total() const;
};

/// What became of all failing cases of a run when they were run again.
struct RerunOutcome {
  /// How many cases failed so that it may be by chance, and how many of them were run again.
  uint64_t failing = 0;
  uint64_t again = 0;
  /// Why not all were, or not all that there is to know of them was found out: a sentence without a
  /// full stop; empty where all was.
  std::string limit = {};
  /// Those that do not always fail, in the order of the run.
  std::vector<FlakyCase> flaky = {};
};

/// "failed 3 of 12 runs: 0 of 8 alone in a new process, 2 of 3 after other cases, and in the run of
/// all cases; only after GeneratedTests.floor": a sentence without a full stop.
std::string DescribeOdds(const FlakyCase& flaky);

/// What an engineer reads of it: lines with newlines, after an empty one; empty where every failing
/// case was run again and fails always.
std::string DescribeReruns(const RerunOutcome& outcome);

/// {"failing", "again", "limit", "flaky": [{"case", "first", "failed", "runs", "alone": {"failed",
/// "runs"}, "afterOthers": {"failed", "runs"}, "onlyAfter", "file", "command"}]}, for a member two
/// spaces deep; texts that are empty are not there.
std::string RerunsToJson(const RerunOutcome& outcome);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_RERUN_OUTCOME_H_
