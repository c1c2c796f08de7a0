// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_under_way.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/validate.h"
#include "harness/judging/acceptance.h"
#include "harness/judging/case_completion.h"
#include "harness/judging/judgement.h"
#include "harness/judging/second_opinion.h"
#include "harness/records/failure_dump.h"
#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"
#include "reference/extension.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// Checks a case, whose model in the catalogue's numbering is `model`.
absl::Status CheckCase(const TestCase& test_case, const Model& model, TestMode mode) {
  if (NameInMode(test_case, mode).empty()) {
    return absl::InvalidArgumentError(
        mode == TestMode::kStatic ? "it has no name"
                                  : "it is not to be run with unspecified output dimensions");
  }
  // What is to fail is well-formed all the same, or nothing could be said of it.
  absl::Status validity = test_case.expectFailure ? hal::validateModelStructure(test_case.model)
                                                  : ValidateModel(test_case.model);
  if (!validity.ok()) return validity;
  if (test_case.examples.empty()) return absl::InvalidArgumentError("it has no examples");
  for (size_t i = 0; i < test_case.examples.size(); ++i) {
    absl::Status status = CheckExample(model, test_case.examples[i]);
    if (status.ok()) continue;
    return absl::Status(status.code(), absl::StrCat("example ", i, ": ", status.message()));
  }
  return absl::OkStatus();
}

// Why the model cannot run on a device that does not have what it needs; empty when it can.
std::string ObstacleTo(const Model& model, TestMode mode, const CaseDriver& driver) {
  const HalVersion version = driver.hal_version();
  if (version >= HalVersion::V1_2) {
    for (const std::string& name : hal::extensionsUsed(model)) {
      if (driver.HasExtension(name)) continue;
      return absl::StrCat("needs the extension ", name, ", which the driver does not list");
    }
    return "";
  }
  if (mode == TestMode::kDynamic) return "needs HAL 1.2: output dimensions are unknown";
  std::set<uint32_t> operations;
  if (IsCompliantWith(model, version, &operations)) return "";
  const bool complies_with_1_1 =
      version < HalVersion::V1_1 && IsCompliantWith(model, HalVersion::V1_1);
  std::string text = absl::StrCat("needs HAL ", complies_with_1_1 ? "1.1" : "1.2");
  if (!operations.empty()) {
    absl::StrAppend(&text, ": operation ", *operations.begin(), " (",
                    OperationName(model, model.operations[*operations.begin()].type), ")");
  }
  return text;
}

// The most bytes of inputs and outputs in requests that are made at once: they are all there at the
// same time, and what more of them take is not to wake somebody.
constexpr size_t kMostBytesAtOnce = size_t{1} << 20;

// Bytes of inputs and outputs of all examples of a complete case.
size_t BytesOfExamples(const TestCase& complete) {
  size_t bytes = 0;
  for (const Example& example : complete.examples) bytes += BytesOfArguments(example);
  return bytes;
}

// How remarkable a verdict is among those of one case. Of equal ones the first decides.
int Weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::PASS:
      return 0;
    case Verdict::UNSUPPORTED:
      return 1;
    case Verdict::EXPLAINED:
      return 2;
    case Verdict::WRONG_EXPECTATION:
      return 4;
    case Verdict::MISSING:
      return 5;
    default:
      return IsFailure(verdict) ? 6 : 3;
  }
}

}  // namespace

CaseResult BlankResult(const TestCase& test_case, TestMode mode) {
  CaseResult result;
  result.name = NameInMode(test_case, mode);
  if (result.name.empty()) result.name = DumpName(test_case);
  result.mode = mode;
  return result;
}

CaseUnderWay::CaseUnderWay(CaseDriver& driver, const TestCase& test_case, TestMode mode,
                           const RunOptions& options, CaseResult& result)
    : driver_(driver),
      test_case_(test_case),
      mode_(mode),
      options_(options),
      result_(result),
      is_to_fail_(test_case.expectFailure && test_case.deviation.empty()),
      is_divisible_(mode == TestMode::kStatic && test_case.model.operations.size() > 1 &&
                    !is_to_fail_),
      oracle_(test_case, OracleOptions(options.kernels, is_divisible_)),
      definitions_(test_case, OracleOptions(KernelChoice::kDefinitions, false)) {}

TestCase CaseUnderWay::complete_case() const {
  TestCase complete = complete_;
  complete.model = test_case_.model;
  return complete;
}

absl::StatusOr<std::vector<AcceptedAnswer>> CaseUnderWay::AcceptedAnswers() {
  const bool is_by_definitions = !complete_by_definitions_.examples.empty();
  return is_by_definitions ? AcceptedAnswersOf(complete_by_definitions_, definitions_)
                           : AcceptedAnswersOf(complete_, oracle_);
}

Oracle::Options CaseUnderWay::OracleOptions(KernelChoice kernels, bool has_temporaries) const {
  return {.most_steps = options_.most_steps,
          .kernels = kernels,
          // Nothing is asked of an oracle before the case has been checked.
          .validation = test_case_.expectFailure ? Validation::kNeeded : Validation::kDone,
          .has_temporaries = has_temporaries};
}

void CaseUnderWay::Conclude(Verdict verdict, std::string detail, std::optional<uint32_t> operand) {
  result_.verdict = verdict;
  result_.detail = std::move(detail);
  const std::vector<hal::V1_2::Operation>& operations = test_case_.model.operations;
  if (operations.empty()) return;
  NameOperation(operations.back());
  if (operations.size() > 1 && operand.has_value()) NameProducerOf(*operand);
}

void CaseUnderWay::NameOperation(const hal::V1_2::Operation& operation) {
  result_.operation = OperationName(test_case_.model, operation.type);
  result_.type = TypeOfOperation(test_case_.model, operation);
}

void CaseUnderWay::NameProducerOf(uint32_t operand) {
  const hal::V1_2::Operation* const producer = FindProducer(test_case_.model, operand);
  if (producer != nullptr) NameOperation(*producer);
}

void CaseUnderWay::ConcludeCaseError(absl::string_view detail) {
  Conclude(Verdict::INVALID, absl::StrCat("invalid case: ", detail));
}

bool CaseUnderWay::Begin() {
  complete_ = CaseToComplete(test_case_);
  if (absl::Status status = CheckCase(test_case_, complete_.model, mode_); !status.ok()) {
    ConcludeCaseError(status.message());
    return false;
  }
  if (std::string obstacle = ObstacleTo(test_case_.model, mode_, driver_); !obstacle.empty()) {
    Conclude(Verdict::UNSUPPORTED, std::move(obstacle));
    return false;
  }
  if (absl::Status status = CompleteCase(complete_, oracle_); !status.ok()) {
    ConcludeCaseError(status.message());
    return false;
  }
  result_.deviation = complete_.deviation;
  if (mode_ == TestMode::kDynamic) {
    model_for_driver_ = std::make_shared<const Model>(WithUnspecifiedOutputs(test_case_.model));
    with_unspecified_outputs_ = WithUnspecifiedOutputs(complete_.model);
  } else if (test_case_.model.extensionNameToPrefix.empty()) {
    model_for_driver_ = std::shared_ptr<const Model>(kept_, &complete_.model);
  } else {
    model_for_driver_ = std::make_shared<const Model>(test_case_.model);
  }
  return true;
}

std::vector<const PlannedModel*> CaseUnderWay::Plan() {
  if (!options_.at_once || complete_.expectFailure || !driver_.CanCallAtOnce()) return {};
  const std::vector<ExecutionKind> kinds = KindsOf(mode_, driver_.hal_version(), options_.only_way);
  if (BytesOfExamples(complete_) * kinds.size() > kMostBytesAtOnce) return {};
  PlannedModel whole = {.model = model_for_driver_, .asking = Asking::kFirst, .executions = {}};
  for (const ExecutionKind& kind : kinds) {
    for (size_t example = 0; example < complete_.examples.size(); ++example) {
      if (!IsExecuted(example, kind)) continue;
      absl::StatusOr<GuardedRequest> request = TakeRequest(example, kind.outputs);
      if (!request.ok()) return {};
      whole.executions.push_back(
          {.request = *std::move(request), .executor = kind.executor, .measure = kind.measure});
    }
  }
  planned_ = std::move(whole);
  std::vector<const PlannedModel*> models = {&*planned_};
  if (!is_divisible_) return models;
  absl::StatusOr<ExposedModel> exposed =
      ExposeTemporaries(driver_, test_case_.model, complete_, oracle_, &*planned_);
  if (exposed.ok()) exposed_ = *std::move(exposed);
  // None of several operations may read another.
  if (exposed_.has_value() && !exposed_->temporaries.empty()) models.push_back(&exposed_->planned);
  return models;
}

void CaseUnderWay::Finish() {
  if (planned_.has_value() && !driver_.IsAnswered(*planned_)) {
    planned_.reset();
    exposed_.reset();
  }
  const std::unique_ptr<CaseModel> on_driver = driver_.NewModel(options_.deadline);
  CaseModel& model = *on_driver;
  if (std::optional<Problem> problem = model.Prepare(model_for_driver_, Asking::kFirst)) {
    if (complete_.expectFailure && problem->is_refusal) {
      Conclude(Verdict::PASS, "");
    } else {
      Conclude(problem->verdict, std::move(problem->text));
    }
  } else {
    Execute(model);
  }
  // What goes wrong afterwards counts when nothing worse is known.
  std::optional<Problem> problem = model.Release();
  if (!problem.has_value()) {
    DivideIfWorthwhile();
  } else if (!IsFailure(result_.verdict)) {
    Conclude(problem->verdict, std::move(problem->text));
  } else if (problem->verdict == Verdict::FAIL && result_.verdict == Verdict::TIMEOUT) {
    // A callback that was missed may have come at last; of a process that is lost all has been
    // said.
    absl::StrAppend(&result_.detail, "\n  afterwards: ", problem->text);
  }
  if (const std::string violation = driver_.ViolationAtOnce();
      !violation.empty() && !IsFailure(result_.verdict)) {
    Conclude(Verdict::FAIL, absl::StrCat("when all calls were made at once, ", violation,
                                         "; call by call that did not happen again"));
  }
  if (!options_.measures_accuracy) return;
  if (!is_divided_ && judge_.has_value()) result_.accuracy = NamedAfterCase(judge_->accuracy());
}

// The model with what the driver knows of its outputs' dimensions.
const Model& CaseUnderWay::model_as_run() const {
  return mode_ == TestMode::kDynamic ? with_unspecified_outputs_ : complete_.model;
}

// Whether an example is executed in a way: not with too short a buffer where none can be.
bool CaseUnderWay::IsExecuted(size_t example, const ExecutionKind& kind) const {
  return kind.outputs != OutputSpecification::INSUFFICIENT ||
         CanBeInsufficient(model_as_run(), complete_.examples[example]);
}

// The request that has been executed already, or a new one.
absl::StatusOr<GuardedRequest> CaseUnderWay::TakeRequest(size_t example,
                                                         OutputSpecification outputs) {
  if (planned_.has_value()) return std::move(planned_->executions[next_planned_++].request);
  return driver_.NewRequest(model_as_run(), complete_.examples[example], outputs);
}

// Keeps what the driver gave last of the outputs that are looked at.
void CaseUnderWay::KeepValues(size_t example, const GuardedRequest& request) {
  const std::vector<ExpectedOutput>& outputs = complete_.examples[example].outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].ignored) continue;
    const absl::Span<const uint8_t> bytes = request.output(i).subspan(0, outputs[i].data.size());
    values_[example][complete_.model.outputIndexes[i]] = {outputs[i].dimensions,
                                                          {bytes.begin(), bytes.end()}};
  }
}

// Of a driver that claims every operation and does not execute the model with unknown output
// dimensions: why that is not for the dimensions, which it does not need to support; nothing when
// it executes the model where they are known.
std::optional<Problem> CaseUnderWay::FailureWithKnownDimensions() {
  const std::unique_ptr<CaseModel> on_driver = driver_.NewModel(options_.deadline);
  CaseModel& model = *on_driver;
  if (std::optional<Problem> problem =
          model.Prepare(std::make_shared<const Model>(test_case_.model), Asking::kFirst))
    return problem;
  absl::StatusOr<GuardedRequest> request = driver_.NewRequest(
      test_case_.model, complete_.examples[0], OutputSpecification::FULLY_SPECIFIED);
  if (!request.ok()) return Problem{Verdict::MISSING, std::string(request.status().message())};
  ExecutionOutcome outcome = model.Execute(*request, Executor::ASYNC, MeasureTiming::NO);
  ++result_.executions;
  if (outcome.problem.has_value()) return std::move(outcome.problem);
  if (outcome.status == hal::V1_0::ErrorStatus::NONE) return model.Release();
  return Problem{
      Verdict::BROKEN_PROMISE,
      absl::StrCat("the driver claims to support every operation, but the execution "
                   "ended with ",
                   hal::toString(outcome.status), ", whether output dimensions are known or not")};
}

// Judges the operations of a model of several one by one, on what the driver gives for their
// inputs, and corrects the verdict by that.
void CaseUnderWay::DivideIfWorthwhile() {
  const Verdict verdict = result_.verdict;
  if (values_.empty()) return;
  if (verdict != Verdict::PASS && verdict != Verdict::EXPLAINED && verdict != Verdict::UNDECIDED &&
      verdict != Verdict::FAIL) {
    return;
  }
  OperationCheck check =
      CheckOperations(driver_, test_case_.model, complete_, oracle_, std::exchange(values_, {}),
                      options_, std::exchange(exposed_, std::nullopt));
  result_.executions += check.executions;
  // What elements of the whole model are like says of no operation that it is to blame.
  is_divided_ = check.judged > 0;
  if (is_divided_) result_.accuracy = NamedAfterCase(std::move(check.accuracy));
  const std::vector<hal::V1_2::Operation>& operations = test_case_.model.operations;
  if (verdict == Verdict::PASS) {
    if (check.suspect.has_value()) NameOperation(operations[*check.suspect]);
  } else if (verdict != Verdict::FAIL && check.open.has_value()) {
    NameOperation(operations[*check.open]);
  }
  if (check.error.has_value()) {
    failing_operation_ = std::move(check.failing_case);
    if (verdict != Verdict::FAIL) {
      return Conclude(check.error->verdict, std::move(check.error->text), check.error->operand);
    }
    absl::StrAppend(&result_.detail, "\n  operation by operation: ", FirstLine(check.error->text));
    if (check.error->operand.has_value()) NameProducerOf(*check.error->operand);
    return;
  }
  if (check.judged < check.total) {
    result_.undivided = check.obstacle;
    if (verdict != Verdict::PASS) {
      absl::StrAppend(&result_.detail, "\n  not judged operation by operation: ", check.obstacle);
    }
    return;
  }
  if (verdict == Verdict::PASS) return;
  absl::StrAppend(&result_.detail, "\n  each of its ", check.total,
                  " operations is right, given what the driver has its inputs as");
  if (verdict != Verdict::FAIL) {
    result_.verdict = Verdict::EXPLAINED;
  } else if (check.suspect.has_value()) {
    // What a threshold lets pass may be the cause of what follows from it.
    NameOperation(operations[*check.suspect]);
    absl::StrAppend(&result_.detail, ", but no honest implementation gives what operation ",
                    *check.suspect, " (", result_.operation, ") does");
  }
}

std::vector<OperationAccuracy> CaseUnderWay::NamedAfterCase(
    std::vector<OperationAccuracy> accuracy) const {
  for (OperationAccuracy& of_operation : accuracy) {
    if (of_operation.suspect == 0) continue;
    of_operation.first_suspect = absl::StrCat(FullName(result_), ": ", of_operation.first_suspect);
  }
  return accuracy;
}

ElementJudge::Context CaseUnderWay::ContextOf(const TestCase& complete, Oracle& oracle) const {
  return {.test_case = complete,
          .oracle = options_.explain ? &oracle : nullptr,
          .kernels = oracle.options().kernels,
          .explains_specials = options_.explains_specials};
}

// Whether the definitions would accept of a driver what the case expects by fast kernels.
bool CaseUnderWay::IsExpectedHonest(size_t example) {
  ElementJudge judge(ContextOf(complete_by_definitions_, definitions_));
  std::vector<ActualOutput> outputs;
  for (const ExpectedOutput& expected : complete_.examples[example].outputs) {
    outputs.push_back({expected.data, /*is_unwritten=*/false});
  }
  return !IsFailure(judge(example, outputs).verdict);
}

Judge CaseUnderWay::MakeJudge(const TestCase& complete, Oracle& oracle,
                              const CaseModel& model) const {
  return Judge({.elements = ContextOf(complete, oracle),
                .is_fully_supported = model.is_fully_supported(),
                .has_fully_specified_outputs = HasFullySpecifiedOutputs(model_as_run()),
                .has_output_shapes = driver_.hal_version() >= HalVersion::V1_2});
}

void CaseUnderWay::Execute(CaseModel& model) {
  const HalVersion version = driver_.hal_version();
  judge_.emplace(MakeJudge(complete_, oracle_, model));
  std::optional<Judge> judge_by_definitions;
  Judgement decisive;
  int failures = 0;
  uint64_t compared = 0;
  bool can_go_on = true;
  std::vector<std::optional<GuardedRequest>> last_requests(complete_.examples.size());
  for (const ExecutionKind& kind : KindsOf(mode_, version, options_.only_way)) {
    for (size_t example = 0; example < complete_.examples.size() && can_go_on; ++example) {
      // What the case expects says how large a buffer must be.
      if (!IsExecuted(example, kind) || (kind.outputs == OutputSpecification::INSUFFICIENT &&
                                         decisive.verdict == Verdict::WRONG_EXPECTATION)) {
        continue;
      }
      // The next request of an example takes the memory of the one before.
      last_requests[example].reset();
      absl::StatusOr<GuardedRequest> request = TakeRequest(example, kind.outputs);
      if (!request.ok()) {
        return Conclude(
            Verdict::MISSING,
            absl::StrCat("example ", example, ": no request: ", request.status().message()));
      }
      const ExecutionOutcome outcome = model.Execute(*request, kind.executor, kind.measure);
      ++result_.executions;
      Judgement judgement = (*judge_)(example, kind, outcome, *request);
      if (DependsOnReference(judgement) && options_.kernels != KernelChoice::kDefinitions) {
        if (!judge_by_definitions.has_value()) {
          complete_by_definitions_ = CaseToComplete(test_case_);
          if (absl::Status status = CompleteCase(complete_by_definitions_, definitions_);
              !status.ok()) {
            return Conclude(Verdict::MISSING,
                            absl::StrCat("no second opinion by the definitions: ", status.message(),
                                         "; by fast kernels: ", judgement.text));
          }
          judge_by_definitions.emplace(MakeJudge(complete_by_definitions_, definitions_, model));
        }
        judgement = Reconcile(judgement, (*judge_by_definitions)(example, kind, outcome, *request),
                              [&]() { return IsExpectedHonest(example); });
      }
      compared += judgement.compared;
      // A driver that broke the rules of calls once is in no state to be called again.
      can_go_on = !outcome.problem.has_value();
      if (IsFailure(judgement.verdict) && !IsCaseError(judgement.verdict) &&
          judgement.verdict != Verdict::MISSING) {
        ++failures;
      }
      if (Weight(judgement.verdict) > Weight(decisive.verdict)) decisive = std::move(judgement);
      last_requests[example].emplace(*std::move(request));
    }
  }
  result_.compared_elements = compared;
  // A driver that is in no state to be called again is not asked for its operations either.
  if (can_go_on && is_divisible_) {
    values_.resize(last_requests.size());
    for (size_t i = 0; i < last_requests.size(); ++i) {
      if (last_requests[i].has_value()) KeepValues(i, *last_requests[i]);
    }
  }
  if (failures > 0 && result_.executions > 1) {
    absl::StrAppend(&decisive.text, "\n  ", failures, " of ", result_.executions,
                    " executions failed");
  }
  if (decisive.verdict == Verdict::UNSUPPORTED && model.is_fully_supported() && can_go_on) {
    if (std::optional<Problem> problem = FailureWithKnownDimensions()) {
      return Conclude(problem->verdict, std::move(problem->text));
    }
  }
  if (decisive.verdict == Verdict::PASS && compared == 0 && !complete_.expectFailure) {
    return Conclude(Verdict::VACUOUS, "nothing was compared: no output has an expected value");
  }
  Conclude(decisive.verdict, std::move(decisive.text), decisive.operand);
}

}  // namespace nncert
