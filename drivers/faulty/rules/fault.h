// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Faults by name: rules, and the conditions under which they bite.

#ifndef NNCERT_DRIVERS_FAULTY_RULES_FAULT_H_
#define NNCERT_DRIVERS_FAULTY_RULES_FAULT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "drivers/faulty/rules/rule.h"
#include "reference/calls/condition.h"
#include "reference/calls/operation_call.h"

namespace nncert::faulty {

/// A rule and its conditions.
struct Fault {
  const Rule* rule = nullptr;
  std::vector<Condition> conditions;

  /// Whether every condition holds of an operation.
  bool Holds(const OperationCall& call) const;
  /// Whether it changes operations, not models or executions as a whole.
  bool IsAboutOperations() const;
  /// Of the calls that Holds is true of, the fault bites every n-th.
  uint64_t every() const;
};

/// Parses the name of one fault or several:
///
///     faults = fault { "+" fault }
///     fault = rule { "@" condition }
///
/// where condition is that of Condition::Parse. InvalidArgument says what was expected, and which
/// rules there are.
absl::StatusOr<std::vector<Fault>> ParseFaults(std::string_view text);

/// Counts how often faults could have bitten, for those that bite every n-th time. Safe to be used
/// by several threads.
class FaultCounters {
 public:
  explicit FaultCounters(const std::vector<Fault>& faults);

  /// Whether fault `index` bites this time, which is one more time that its conditions hold. Gives
  /// in `before` how many times it has bitten.
  bool Bites(size_t index, uint64_t* before = nullptr);

 private:
  const std::vector<Fault>& faults_;
  std::unique_ptr<std::atomic<uint64_t>[]> counts_;
};

/// Computes an operation with those faults that are about operations and bite it. The first fault
/// is the outermost: it changes the operands before the others do, and the results after them.
absl::Status ComputeWithFaults(const std::vector<Fault>& faults, FaultCounters& counters,
                               OperationCall& call);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_RULES_FAULT_H_
