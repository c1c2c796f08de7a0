// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Counts what tests make of a fault, operation by operation, and condition by condition.

#ifndef NNCERT_DRIVERS_FAULTY_UNIT_COUNT_H_
#define NNCERT_DRIVERS_FAULTY_UNIT_COUNT_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "drivers/faulty/kill_run.h"

namespace nncert::faulty {

/// What a suite makes of a fault in one operation.
struct UnitCount {
  /// How many cases of that operation alone give other outputs with the fault, and cases of several
  /// operations fail by it.
  size_t changed = 0;
  /// How many of them fail.
  size_t failed = 0;
  /// Whether there is a finding SUSPECT or BIASED of that operation.
  bool is_suspect = false;
  bool is_biased = false;

  /// Whether the suite shows the fault.
  bool IsCaught() const { return failed > 0 || is_suspect || is_biased; }
};

/// The same of a fault in each of the operations whose outputs it changes, by their names; and,
/// where conditions are asked for, in those that meet one (CoverageConditions): "CONV_2D@batch>1".
struct FaultCount {
  std::string fault;
  std::map<std::string, UnitCount> units;
};

/// Which faults are counted.
enum class CountedFaults {
  /// The fault in every operation of a kind, by cases of that operation alone: all of them.
  kInOperations,
  /// Also the fault in those that meet a condition, by cases of several operations as well. A case
  /// that meets the condition tells what it makes of the fault under it. Where another operation is
  /// to blame for the fault, which is always so under "internal", cases of several operations are
  /// run on the fault under the condition. Cases of which nothing new is to be learned, since all
  /// that they could show has failed, are passed over, so counts are less than all.
  kUnderConditions,
};

/// Counts what the static tests make of faults, which must be about operations and not end
/// processes: `jobs` at a time, each in a process of its own. `done` is called with each count, in
/// the order of the faults. Fails with the first error. To be called while there is no other
/// thread.
absl::Status CountUnitsApart(const std::vector<std::string>& faults, const std::vector<Test>& tests,
                             CountedFaults counted, size_t jobs,
                             const std::function<void(const FaultCount& count)>& done);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_UNIT_COUNT_H_
