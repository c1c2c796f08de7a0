// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Measures how often the right cause of failures is named: of the faulty driver, whose causes are
// known.

#ifndef NNCERT_DIAGNOSIS_ACCURACY_ACCURACY_COUNT_H_
#define NNCERT_DIAGNOSIS_ACCURACY_ACCURACY_COUNT_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "drivers/faulty/kill_run.h"

namespace nncert {

/// What the diagnosis makes of a unit: a rule, or a pair of rules, in one operation some case of
/// which fails.
struct DiagnosedUnit {
  /// The faults: "strides_swapped".
  std::string fault;
  std::string operation;
  /// How many failures it was diagnosed from.
  size_t failures = 0;
  /// How long that took, the tries of all hypotheses and the asking of the driver included.
  absl::Duration time;
  /// What is named first, second and so on; empty for "none known".
  std::vector<std::string> named;
  /// Whether what is named first, or is as good to the last bit, is the fault, or one that cannot
  /// be told from it: that has the same results in all failures. Of a pair, whether both rules are
  /// named, or such of them.
  bool is_right = false;
  /// Whether it is the fault itself, or stands behind others that cannot be told from it alone.
  bool is_alone = false;
  /// Of a pair: whether in all failures one of the two rules alone gives the same, so that nothing
  /// shows of the other.
  bool is_hidden = false;
  /// Whether the rule, and those that cannot be told from it, were left out as well; and what is
  /// named first then, empty for "none known". Not of a pair.
  bool is_left_out = false;
  std::string named_without;
};

/// How units are diagnosed.
struct AccuracyOptions {
  /// Of the failures of a unit as many are taken, spread evenly over them.
  size_t most_failures = 8;
  /// In every so many units of a fault the rule is left out as well; 0 for none.
  size_t left_out_every = 1;
};

/// The rules that are hypotheses and change something: their names.
std::vector<std::string> RulesToDiagnose();

/// Diagnoses the units of each fault, from the failures of static tests of one operation: `jobs`
/// faults at a time, each in a process of its own. `done` is called with each unit, in the order of
/// the faults. Fails with the first error. To be called while there is no other thread.
absl::Status DiagnoseUnitsApart(const std::vector<std::string>& faults,
                                const std::vector<faulty::Test>& tests,
                                const AccuracyOptions& options, size_t jobs,
                                const std::function<void(const DiagnosedUnit& unit)>& done);

}  // namespace nncert

#endif  // NNCERT_DIAGNOSIS_ACCURACY_ACCURACY_COUNT_H_
