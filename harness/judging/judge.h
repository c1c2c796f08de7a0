// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Judges what came of one execution.

#ifndef NNCERT_HARNESS_JUDGING_JUDGE_H_
#define NNCERT_HARNESS_JUDGING_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "harness/judging/element_judge.h"
#include "harness/judging/judgement.h"
#include "harness/judging/oracle.h"
#include "harness/records/accuracy.h"

namespace nncert {

/// Which of a case's executions is meant.
struct ExecutionKind {
  Executor executor = Executor::ASYNC;
  hal::V1_2::MeasureTiming measure = hal::V1_2::MeasureTiming::NO;
  OutputSpecification outputs = OutputSpecification::FULLY_SPECIFIED;
};

/// "SYNC, timing NO, FULLY_SPECIFIED".
std::string toString(const ExecutionKind& kind);

/// What is wrong with the timing of an execution, which was asked for or not: a sentence without a
/// full stop. Nothing where there is no problem with it, or with the execution as a whole.
std::optional<std::string> TimingError(hal::V1_2::MeasureTiming measure,
                                       const ExecutionOutcome& outcome);

/// Judges executions of one case.
class Judge {
 public:
  /// What is known of the case beforehand, and of the driver. References must outlive the judge.
  struct Context {
    /// What elements are judged by.
    ElementJudge::Context elements;
    /// Whether the driver claimed to support every operation.
    bool is_fully_supported;
    /// Whether the model as the driver got it says all dimensions of outputs.
    bool has_fully_specified_outputs;
    /// The device reports output shapes and takes timing: HAL 1.2.
    bool has_output_shapes;
  };

  explicit Judge(const Context& context) : context_(context), elements_(context.elements) {}

  /// Judges an execution of example number `example`, whose request was `request`. Checks in this
  /// order, and says the first thing that is wrong: calls, memory, timing, status, shapes,
  /// elements (see ElementJudge). WRONG_EXPECTATION means that what the case expects is wrong, and
  /// the driver is not. Of a case that is to fail, the status must be anything but NONE, and no
  /// output is looked at.
  Judgement operator()(size_t example, const ExecutionKind& kind, const ExecutionOutcome& outcome,
                       const GuardedRequest& request);

  /// See ElementJudge.
  const std::vector<OperationAccuracy>& accuracy() { return elements_.accuracy(); }

 private:
  std::optional<Judgement> CheckStatus(size_t example, const ExecutionKind& kind,
                                       const ExecutionOutcome& outcome);
  // Of a driver to which buffers of the expected sizes are too small: nothing, unless it may need
  // larger ones, where it is uncertain how many rows an output has.
  std::optional<Judgement> JudgeInsufficientSize(size_t example, const ExecutionOutcome& outcome);
  std::optional<Judgement> CheckShapes(size_t example, const ExecutionKind& kind,
                                       const ExecutionOutcome& outcome);

  const Context context_;
  ElementJudge elements_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_JUDGE_H_
