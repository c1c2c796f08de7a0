// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Judges what came of one execution.

#ifndef NNCERT_HARNESS_JUDGING_JUDGE_H_
#define NNCERT_HARNESS_JUDGING_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "harness/judging/comparator.h"
#include "harness/judging/oracle.h"
#include "harness/judging/row_alignment.h"
#include "harness/records/verdict.h"

namespace nncert {

/// Which of a case's executions is meant.
struct ExecutionKind {
  Executor executor = Executor::ASYNC;
  hal::V1_2::MeasureTiming measure = hal::V1_2::MeasureTiming::NO;
  OutputSpecification outputs = OutputSpecification::FULLY_SPECIFIED;
};

/// "SYNC, timing NO, FULLY_SPECIFIED".
std::string toString(const ExecutionKind& kind);

/// What one execution came to.
struct Judgement {
  Verdict verdict = Verdict::PASS;
  /// Why, unless it is PASS: on one line, with further mismatches on lines of their own.
  std::string text;
  /// The operand that the verdict is about; nothing when it is about no output in particular.
  std::optional<uint32_t> operand;
  /// Elements that were compared, and outputs without elements whose dimensions were.
  uint64_t compared = 0;
};

/// Judges executions of one case.
class Judge {
 public:
  /// What is known of the case beforehand. References must outlive the judge.
  struct Context {
    /// The case, with expected outputs in every example.
    const TestCase& test_case;
    /// Where enclosures come from; null when nothing is to be explained.
    Oracle* oracle;
    /// Which kernels compute what the oracle is not asked for.
    KernelChoice kernels;
    /// See RunOptions.
    bool explains_specials;
    /// Whether the driver claimed to support every operation.
    bool is_fully_supported;
    /// Whether the model as the driver got it says all dimensions of outputs.
    bool has_fully_specified_outputs;
    /// The device reports output shapes and takes timing: HAL 1.2.
    bool has_output_shapes;
  };

  explicit Judge(const Context& context)
      : context_(context), row_sets_(RowSetsOf(context.test_case.model)) {}

  /// Judges an execution of example number `example`, whose request was `request`. Checks in this
  /// order, and says the first thing that is wrong: calls, memory, timing, status, shapes,
  /// elements. Rows without an order (UnorderedRows) are compared as sets. WRONG_EXPECTATION means
  /// that what the case expects is wrong, and the driver is not. Of a case that is to fail, the
  /// status must be anything but NONE, and no output is looked at.
  Judgement operator()(size_t example, const ExecutionKind& kind, const ExecutionOutcome& outcome,
                       const GuardedRequest& request);

 private:
  std::optional<Judgement> CheckTiming(const ExecutionKind& kind,
                                       const ExecutionOutcome& outcome) const;
  std::optional<Judgement> CheckStatus(const ExecutionKind& kind,
                                       const ExecutionOutcome& outcome) const;
  std::optional<Judgement> CheckShapes(size_t example, const ExecutionKind& kind,
                                       const ExecutionOutcome& outcome);
  // Puts the rows of a set into the order of the expected ones.
  void Align(size_t example, const RowSet& set, const GuardedRequest& request);
  // The elements of an output, in the order of the expected ones.
  absl::Span<const uint8_t> ActualOf(size_t example, size_t output,
                                     const GuardedRequest& request) const;
  Judgement JudgeOutput(size_t example, size_t output, const GuardedRequest& request);
  Judgement JudgeSamples(size_t example, size_t output, const GuardedRequest& request) const;
  bool AreSamples(size_t output) const;
  Judgement Explain(size_t example, size_t output, const Criterion& criterion,
                    const ElementComparison& comparison, bool is_unwritten);
  uint32_t OperandOf(size_t output) const;
  std::string NameOf(size_t output) const;

  // An output whose rows were put into order.
  struct Aligned {
    std::vector<uint8_t> actual;
    std::vector<Ball> enclosure;  // empty when it was not needed
  };

  const Context context_;
  const std::vector<RowSet> row_sets_;
  std::map<size_t, Aligned> aligned_;  // of the execution being judged
};

/// The name of the operation that writes an operand; empty when none does.
std::string ProducerOf(const hal::V1_2::Model& model, uint32_t operand);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_JUDGE_H_
