// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Judges all operations of a model at once, each on what the driver made of its inputs.

#ifndef NNCERT_HARNESS_JUDGING_OPERATIONS_APART_H_
#define NNCERT_HARNESS_JUDGING_OPERATIONS_APART_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "harness/judging/model_parts.h"
#include "harness/judging/oracle.h"
#include "harness/judging/scrutiny.h"
#include "harness/records/accuracy.h"

namespace nncert {

/// Finds the operations of a model of which nothing more need be said: all that they write is
/// within the documented thresholds, given what the driver has their inputs as. The model is
/// executed twice for that, once for the expected values of operations that read other values than
/// in the oracle's own execution, and once for enclosures, while to judge an operation as a case of
/// its own (see CaseOfOperations) takes a model to be prepared for each. The two come to the same,
/// by the same kernels.
class OperationsApart {
 public:
  /// Of example number `example` of `test_case`, whose model is in the catalogue's numbering, where
  /// the driver had `values` in outputs and temporaries. `oracle` is that of the case, with
  /// temporaries. References must outlive this.
  OperationsApart(const TestCase& test_case, size_t example, const OperandValues& values,
                  Oracle& oracle)
      : test_case_(test_case), example_(example), values_(values), oracle_(oracle) {}

  /// By operation, whether all of its outputs pass. False also for an operation that cannot be
  /// judged so: the value of an input is not known or all of them are constants, its outputs are
  /// samples, or rows without an order that are not just those expected; and for all of them when
  /// the reference does not execute the model with these values, or that would take much memory.
  std::vector<bool> Passing();

  /// By operation, what its elements are like; nothing for one that does not pass.
  std::vector<std::vector<OperationAccuracy>> Accuracy() const;

 private:
  struct PassedOperation {
    size_t operation;
    std::vector<PassedOutput> outputs;
  };

  absl::StatusOr<std::vector<OutputValue>> Execute(NumberSystem system,
                                                   const std::vector<bool>& only_operations) const;
  // Finds out what is expected of each operation, given what the driver had in its inputs.
  absl::Status Expect();
  bool Passes(const hal::V1_2::Operation& operation, std::vector<PassedOutput>& outputs) const;

  const TestCase& test_case_;
  const size_t example_;
  const OperandValues& values_;
  Oracle& oracle_;
  // Of what operations write: its place among the outputs of the graph with temporaries, by
  // operand, and what is expected there: the oracle's, or its own.
  std::vector<size_t> places_;
  std::vector<const ExpectedOutput*> expected_;
  std::deque<ExpectedOutput> own_expected_;
  std::vector<PassedOperation> passed_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_OPERATIONS_APART_H_
