// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Judges a model operation by operation, each on what the driver itself made of its inputs.
//
// The enclosure of a network is as wide as all its operations' roundings together, and says little
// of a deep one. That of a single operation on given inputs is narrow. So the model is run once
// more with its intermediate operands as outputs, and the first operation that errs is named, with
// the error that it makes.

#ifndef NNCERT_HARNESS_OPERATION_CHECK_H_
#define NNCERT_HARNESS_OPERATION_CHECK_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cases/test_case.h"
#include "harness/case_driver.h"
#include "harness/case_runner.h"
#include "harness/judging/judgement.h"
#include "harness/judging/model_parts.h"
#include "harness/judging/oracle.h"
#include "harness/records/accuracy.h"

namespace nncert {

/// What judging the operations of a case one by one came to.
struct OperationCheck {
  /// Nothing when no operation errs. Else the judgement of the first that does, in the first
  /// example in which one does: FAIL, or what became of the driver (CRASH, TIMEOUT) when it was
  /// called with intermediate operands as outputs; MISSING when nncert disagrees with itself. Its
  /// text names the operation.
  std::optional<Judgement> error;
  /// The operation that errs, by its place in the model; nothing when it is none in particular.
  std::optional<size_t> operation;
  /// The operation that errs as a case of its own, with the inputs that the driver had for it, in
  /// the numbering of the driver's extensions; its expected outputs are the reference's.
  std::optional<TestCase> failing_case;
  /// How many operations were judged in every example, and how many the model has.
  size_t judged = 0;
  size_t total = 0;
  /// Why operations were not judged, a sentence without a full stop; empty when all were.
  std::string obstacle;
  /// How often the driver executed a model for this.
  int executions = 0;
  /// What the elements of all operations are like. The first that is suspect is named with the
  /// place of its operation in the model.
  std::vector<OperationAccuracy> accuracy;
  /// The first operation with a suspect element, and the first of which it is EXPLAINED or
  /// UNDECIDED by itself what the driver gives, by their places in the model.
  std::optional<size_t> suspect;
  std::optional<size_t> open;
};

/// A model with all of its temporaries as outputs, and a request for each example.
struct ExposedModel {
  std::vector<uint32_t> temporaries;
  /// Of each example, what the reference expects of the model's outputs and, behind them, of these:
  /// what the oracle keeps (Oracle::OutputsAndTemporaries).
  std::vector<const std::vector<ExpectedOutput>*> expected;
  PlannedModel planned;
};

/// The model of a case with its temporaries as outputs, as CheckOperations has it executed; see
/// there. Its requests have their inputs in the memory of those of `whole`, unless that is null:
/// the case's own model, of which the first executions are of one example after the other. Fails
/// when there is no memory, or the reference does not know the dimensions of temporaries.
absl::StatusOr<ExposedModel> ExposeTemporaries(CaseDriver& driver, const hal::V1_2::Model& model,
                                               const TestCase& complete, Oracle& oracle,
                                               const PlannedModel* whole);

/// Judges the operations of `complete`, a case with expected outputs whose model is `model` in the
/// numbering of the driver's extensions. `oracle` is that of the case, with temporaries. `results`
/// are the values of the model's outputs that the driver gave in each example before: where it
/// gives others once intermediate operands are outputs (since it fuses operations otherwise, for
/// example), the operations of that run are not those of the model, and are not judged. A driver
/// that refuses the model so is asked with half of them as outputs at a time, down to one.
///
/// `exposed` is what ExposeTemporaries gives, when the driver has been called with it at once.
OperationCheck CheckOperations(CaseDriver& driver, const hal::V1_2::Model& model,
                               const TestCase& complete, Oracle& oracle,
                               std::vector<OperandValues> results, const RunOptions& options,
                               std::optional<ExposedModel> exposed = std::nullopt);

}  // namespace nncert

#endif  // NNCERT_HARNESS_OPERATION_CHECK_H_
