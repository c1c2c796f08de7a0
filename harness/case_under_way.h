// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One case on whom it is run on, in three steps: what the driver is to be asked can be known, and
// asked, for several cases before the first is judged.

#ifndef NNCERT_HARNESS_CASE_UNDER_WAY_H_
#define NNCERT_HARNESS_CASE_UNDER_WAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cases/accepted_answers.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "harness/case_driver.h"
#include "harness/case_runner.h"
#include "harness/execution_ways.h"
#include "harness/isolation/guarded_request.h"
#include "harness/judging/element_judge.h"
#include "harness/judging/judge.h"
#include "harness/judging/model_parts.h"
#include "harness/judging/oracle.h"
#include "harness/operation_check.h"
#include "harness/records/accuracy.h"
#include "harness/records/case_result.h"

namespace nncert {

/// The result of a case of which nothing is known yet but its name. A case without one in this mode
/// is called by its other one.
CaseResult BlankResult(const TestCase& test_case, TestMode mode);

/// A run of a case: Begin; Plan, if its calls may be made at once; then Finish.
class CaseUnderWay {
 public:
  /// Fills in verdict, detail, operation, deviation and counts of `result`. References must outlive
  /// this.
  CaseUnderWay(CaseDriver& driver, const TestCase& test_case, TestMode mode,
               const RunOptions& options, CaseResult& result);
  CaseUnderWay(const CaseUnderWay&) = delete;
  CaseUnderWay& operator=(const CaseUnderWay&) = delete;

  /// Checks the case and completes it. Whether the driver is to be asked anything; otherwise the
  /// result says why it is not.
  bool Begin();

  /// The models whose calls may be made at once (CaseDriver::CallAtOnce): the case's and, where its
  /// operations are to be judged one by one, the same with its temporaries as outputs. None where
  /// that is not wanted, or cannot be. They are kept until Finish.
  std::vector<const PlannedModel*> Plan();

  /// Calls the driver, but for what it has answered at once already, and judges.
  void Finish();

  /// The result is this one.
  void Conclude(Verdict verdict, std::string detail,
                std::optional<uint32_t> operand = std::nullopt);

  /// The case as it is, with the outputs that were expected, whoever expected them.
  TestCase complete_case() const;

  /// The answers to it that are accepted.
  absl::StatusOr<std::vector<AcceptedAnswer>> AcceptedAnswers();

  /// The operation that errs, as a case of its own.
  const std::optional<TestCase>& failing_operation() const { return failing_operation_; }

 private:
  Oracle::Options OracleOptions(KernelChoice kernels, bool has_temporaries) const;
  void ConcludeCaseError(absl::string_view detail);
  // Says of the result that it is about an operation.
  void NameOperation(const hal::V1_2::Operation& operation);
  void NameProducerOf(uint32_t operand);
  const hal::V1_2::Model& model_as_run() const;
  bool IsExecuted(size_t example, const ExecutionKind& kind) const;
  absl::StatusOr<GuardedRequest> TakeRequest(size_t example, OutputSpecification outputs);
  void Execute(CaseModel& model);
  void KeepValues(size_t example, const GuardedRequest& request);
  std::optional<Problem> FailureWithKnownDimensions();
  void DivideIfWorthwhile();
  std::vector<OperationAccuracy> NamedAfterCase(std::vector<OperationAccuracy> accuracy) const;
  ElementJudge::Context ContextOf(const TestCase& complete, Oracle& oracle) const;
  Judge MakeJudge(const TestCase& complete, Oracle& oracle, const CaseModel& model) const;
  bool IsExpectedHonest(size_t example);

  CaseDriver& driver_;
  const TestCase& test_case_;
  const TestMode mode_;
  const RunOptions& options_;
  CaseResult& result_;
  // Where the documentation has a result in spite of the specification, that is expected.
  const bool is_to_fail_;
  // Whether operations may be judged one by one: there are several, the mode is the static one, and
  // the case is not to fail.
  const bool is_divisible_;
  Oracle oracle_;
  Oracle definitions_;
  // The case in the catalogue's numbering of extensions, with the outputs that were expected; of
  // the second one by the definitions, once a second opinion is asked for. The driver gets the
  // model as it is: that of the first, which is kept for as long as a call takes, or a copy where
  // it is another one.
  const std::shared_ptr<TestCase> kept_ = std::make_shared<TestCase>();
  TestCase& complete_ = *kept_;
  TestCase complete_by_definitions_;
  // In the dynamic mode, the model of the first.
  hal::V1_2::Model with_unspecified_outputs_;
  std::shared_ptr<const hal::V1_2::Model> model_for_driver_;
  // What the driver may answer for at once: the model, and the same with its temporaries as
  // outputs.
  std::optional<PlannedModel> planned_;
  size_t next_planned_ = 0;  // of its executions
  std::optional<ExposedModel> exposed_;
  std::optional<Judge> judge_;  // once something has been executed
  // Whether an operation was judged by itself.
  bool is_divided_ = false;
  // Of each example, the values of outputs that the driver gave last; empty when its operations are
  // not to be judged one by one: the case is not divisible, or the driver is in no state to be
  // called again.
  std::vector<OperandValues> values_;
  // See OperationCheck::failing_case.
  std::optional<TestCase> failing_operation_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_CASE_UNDER_WAY_H_
