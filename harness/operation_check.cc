// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/operation_check.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "harness/isolation/guarded_request.h"
#include "harness/judging/dimension_judge.h"
#include "harness/judging/element_judge.h"
#include "harness/judging/operations_apart.h"
#include "reference/catalogue.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// What became of running a model with intermediate operands as outputs.
enum class Exposure {
  kDone,     // their values are known
  kRefused,  // the driver does not run the model so
  kOver,     // there is an error or an obstacle, and no more to be done
};

class Checker {
 public:
  Checker(CaseDriver& driver, const Model& model, const TestCase& complete, Oracle& oracle,
          const std::vector<OperandValues>& results, const RunOptions& options)
      : driver_(driver),
        model_(model),
        complete_(complete),
        oracle_(oracle),
        options_(options),
        values_(results),
        unwritten_(results.size()),
        accuracy_(model.operations.size()) {
    check_.total = model.operations.size();
  }

  OperationCheck Check() {
    if (FindShapes() && ExposeAll()) JudgeAll();
    AddUpAccuracy();
    return std::move(check_);
  }

 private:
  // Finds the dimensions of what is to be exposed, which buffers are made by.
  bool FindShapes() {
    temporaries_ = TemporariesOf(model_);
    for (size_t example = 0; example < complete_.examples.size(); ++example) {
      absl::StatusOr<std::vector<ExpectedOutput>> expected = oracle_.Temporaries(example);
      if (!expected.ok()) return Stop(std::string(expected.status().message()));
      expected_.push_back(*std::move(expected));
    }
    return true;
  }

  bool ExposeAll() {
    std::deque<std::vector<uint32_t>> sets = {temporaries_};
    while (!sets.empty()) {
      const std::vector<uint32_t> set = std::move(sets.front());
      sets.pop_front();
      if (set.empty()) continue;
      switch (Expose(set)) {
        case Exposure::kDone:
          continue;
        case Exposure::kOver:
          return !check_.error.has_value() && check_.obstacle.empty();
        case Exposure::kRefused:
          break;
      }
      if (set.size() == 1) {
        check_.obstacle =
            absl::StrCat("the driver does not give operand ", set[0], " as an output");
        continue;
      }
      const auto middle = set.begin() + static_cast<std::ptrdiff_t>(set.size() / 2);
      sets.emplace_back(set.begin(), middle);
      sets.emplace_back(middle, set.end());
    }
    return true;
  }

  // Runs the model with some temporaries as outputs, and keeps their values.
  Exposure Expose(const std::vector<uint32_t>& set) {
    const auto model = std::make_shared<const Model>(WithExposed(model_, set));
    const std::unique_ptr<CaseModel> owned = driver_.NewModel(options_.deadline);
    CaseModel& on_driver = *owned;
    // Which operations the driver supports it has said of the model as it is.
    if (std::optional<Problem> problem = on_driver.Prepare(model, Asking::kNot)) {
      if (problem->is_refusal) return Exposure::kRefused;
      return Err(set, problem->verdict, problem->text);
    }
    for (size_t example = 0; example < complete_.examples.size(); ++example) {
      if (const Exposure exposure = ExposeExample(set, *model, on_driver, example);
          exposure != Exposure::kDone) {
        return exposure;
      }
    }
    if (std::optional<Problem> problem = on_driver.Release()) {
      return Err(set, problem->verdict, problem->text);
    }
    return Exposure::kDone;
  }

  Exposure ExposeExample(const std::vector<uint32_t>& set, const Model& model, CaseModel& on_driver,
                         size_t example) {
    const hal::HalVersion version = driver_.hal_version();
    Example request_of = complete_.examples[example];
    const size_t own_outputs = request_of.outputs.size();
    for (const uint32_t operand : set) {
      const auto place = std::find(temporaries_.begin(), temporaries_.end(), operand);
      request_of.outputs.push_back(
          expected_[example][static_cast<size_t>(place - temporaries_.begin())]);
    }
    absl::StatusOr<GuardedRequest> request = GuardedRequest::Create(
        model, request_of, OutputSpecification::FULLY_SPECIFIED, version, driver_.spare_pools());
    if (!request.ok()) {
      Stop(std::string(request.status().message()));
      return Exposure::kOver;
    }
    const ExecutionOutcome outcome = on_driver.Execute(
        *request, version >= hal::HalVersion::V1_2 ? Executor::SYNC : Executor::ASYNC,
        MeasureTiming::NO);
    ++check_.executions;
    if (outcome.problem.has_value()) {
      return Err(set, outcome.problem->verdict, outcome.problem->text);
    }
    if (absl::Status status = request->CheckMemory(); !status.ok()) {
      return Err(set, Verdict::FAIL, absl::StrCat("the driver ", status.message()));
    }
    if (outcome.status != ErrorStatus::NONE) return Exposure::kRefused;
    for (size_t i = 0; i < request_of.outputs.size(); ++i) {
      const uint32_t operand = model.outputIndexes[i];
      const ExpectedOutput& expected = request_of.outputs[i];
      const absl::Span<const uint8_t> bytes = request->output(i).subspan(0, expected.data.size());
      if (i < outcome.outputShapes.size() &&
          outcome.outputShapes[i].dimensions != expected.dimensions) {
        KeepOtherDimensions(example, operand, outcome.outputShapes[i].dimensions, bytes);
        continue;
      }
      if (i >= own_outputs) {
        values_[example][operand] = {expected.dimensions, {bytes.begin(), bytes.end()}};
        if (request->IsUnwritten(i)) unwritten_[example].insert(operand);
        continue;
      }
      const auto before = values_[example].find(operand);
      if (before == values_[example].end() || before->second.data == bytes) continue;
      Stop(
          "the driver gives other results once intermediate operands are outputs, as one does that "
          "fuses operations");
      return Exposure::kOver;
    }
    return Exposure::kDone;
  }

  // Keeps a value whose dimensions are not those of the reference: they depend on values in which
  // the driver differs. It is in a buffer for that of the reference, or it is not known.
  void KeepOtherDimensions(size_t example, uint32_t operand,
                           const std::vector<uint32_t>& dimensions,
                           absl::Span<const uint8_t> bytes) {
    const hal::V1_2::OperandType type = model_.operands[operand].type;
    const uint64_t count = NumberOfElements(dimensions);
    if (IsOpaque(type) || count > bytes.size() / NativeElementSize(ElementKindOf(type))) {
      values_[example].erase(operand);
      return;
    }
    const auto elements = bytes.subspan(0, count * NativeElementSize(ElementKindOf(type)));
    values_[example][operand] = {dimensions, {elements.begin(), elements.end()}};
  }

  void JudgeAll() {
    std::vector<std::vector<bool>> passing;
    for (size_t example = 0; example < complete_.examples.size(); ++example) {
      OperationsApart apart(complete_, example, values_[example], oracle_);
      passing.push_back(apart.Passing());
      if (!options_.explain || !options_.measures_accuracy) continue;
      const std::vector<std::vector<OperationAccuracy>> accuracy = apart.Accuracy();
      for (size_t i = 0; i < accuracy.size(); ++i) AddAccuracy(accuracy[i], accuracy_[i]);
    }
    for (size_t operation = 0; operation < model_.operations.size(); ++operation) {
      bool is_judged = true;
      for (size_t example = 0; example < complete_.examples.size(); ++example) {
        if (passing[example][operation]) continue;
        is_judged = JudgeOperation(operation, example) && is_judged;
        if (check_.error.has_value()) return;
      }
      check_.judged += is_judged;
    }
  }

  // Of all operations, in their order.
  void AddUpAccuracy() {
    for (size_t i = 0; i < accuracy_.size(); ++i) {
      for (OperationAccuracy& accuracy : accuracy_[i]) {
        if (accuracy.suspect == 0) continue;
        if (!check_.suspect.has_value()) check_.suspect = i;
        accuracy.first_suspect = absl::StrCat("operation ", i, ": ", accuracy.first_suspect);
      }
      AddAccuracy(accuracy_[i], check_.accuracy);
    }
  }

  // Whether the operation could be judged in this example.
  bool JudgeOperation(size_t operation, size_t example) {
    std::optional<TestCase> part =
        CaseOfOperations(complete_, example, {operation}, values_[example]);
    if (!part.has_value()) return Pass(operation, "its inputs are not known");
    const absl::StatusOr<Judgement> judgement =
        JudgePart(*part, operation, example, options_.kernels, &accuracy_[operation]);
    if (!judgement.ok()) return Pass(operation, judgement.status().message());
    const bool is_undecided = judgement->verdict == Verdict::UNDECIDED;
    if ((is_undecided || judgement->verdict == Verdict::EXPLAINED) && !check_.open.has_value()) {
      check_.open = operation;
    }
    if (is_undecided) return Pass(operation, judgement->text);
    if (!IsFailure(judgement->verdict)) return true;
    check_.operation = operation;
    check_.error = *judgement;
    const std::string name = NameOf(operation);
    if (options_.kernels != KernelChoice::kDefinitions ||
        judgement->verdict == Verdict::WRONG_EXPECTATION) {
      // What counts in the end is what the definitions say.
      const absl::StatusOr<Judgement> defined =
          JudgePart(*part, operation, example, KernelChoice::kDefinitions, nullptr);
      if (!defined.ok() || defined->verdict != Verdict::FAIL) {
        check_.error->verdict = Verdict::MISSING;
        check_.error->text = absl::StrCat(
            "nncert disagrees with itself about ", name,
            ", which is a defect of nncert and not of the driver; by fast kernels: ",
            FirstLine(judgement->text), "; by the definitions: ",
            defined.ok() ? FirstLine(defined->text) : std::string(defined.status().message()));
        return true;
      }
      check_.error = *defined;
    }
    const size_t end_of_line = std::min(check_.error->text.find('\n'), check_.error->text.size());
    std::string where =
        complete_.examples.size() > 1 ? absl::StrCat("; example ", example) : std::string();
    check_.error->text.insert(end_of_line, where);
    check_.error->text =
        absl::StrCat(name, " errs, given what the driver has its inputs as: ", check_.error->text);
    TestCase as_run = complete_;
    as_run.model = model_;
    check_.failing_case = CaseOfOperations(as_run, example, {operation}, values_[example]);
    if (auto expected = OracleOf(*part, options_.kernels).Expected(0);
        check_.failing_case.has_value() && expected.ok()) {
      check_.failing_case->examples[0].outputs = *std::move(expected);
    }
    // Of the model's own operands, not of the part's.
    check_.error->operand = model_.operations[operation].outputs[0];
    return true;
  }

  // Judges the outputs of an operation as the driver gave them.
  absl::StatusOr<Judgement> JudgePart(TestCase& part, size_t operation, size_t example,
                                      KernelChoice kernels,
                                      std::vector<OperationAccuracy>* accuracy) {
    Oracle oracle = OracleOf(part, kernels);
    absl::StatusOr<std::vector<ExpectedOutput>> expected = oracle.Expected(0);
    if (!expected.ok()) return expected.status();
    std::vector<ActualOutput> actual;
    std::optional<size_t> other_dimensions;
    const std::vector<uint32_t>& outputs = model_.operations[operation].outputs;
    for (size_t i = 0; i < outputs.size(); ++i) {
      ExpectedOutput& output = (*expected)[i];
      const auto value = values_[example].find(outputs[i]);
      if (value == values_[example].end()) {
        // Nothing is said of what the case does not look at either.
        output.ignored = true;
        actual.emplace_back();
        continue;
      }
      if (value->second.dimensions != output.dimensions) other_dimensions = i;
      // What nobody reads may be anything: scratch memory, for example.
      output.ignored = IsUnread(outputs[i]);
      actual.push_back({value->second.data, unwritten_[example].count(outputs[i]) > 0});
    }
    part.examples[0].outputs = *std::move(expected);
    if (other_dimensions.has_value()) {
      return JudgeDimensions(part, options_.explain ? &oracle : nullptr, 0, *other_dimensions,
                             values_[example][outputs[*other_dimensions]].dimensions);
    }
    ElementJudge judge(
        {part, options_.explain ? &oracle : nullptr, kernels, options_.explains_specials});
    Judgement judgement = judge(0, actual);
    if (accuracy != nullptr && options_.measures_accuracy) {
      AddAccuracy(judge.accuracy(), *accuracy);
    }
    return judgement;
  }

  Oracle OracleOf(const TestCase& part, KernelChoice kernels) const {
    return Oracle(part, {.most_steps = options_.most_steps, .kernels = kernels});
  }

  bool IsUnread(uint32_t operand) const {
    return model_.operands[operand].numberOfConsumers == 0 &&
           std::find(temporaries_.begin(), temporaries_.end(), operand) != temporaries_.end();
  }

  // "operation 3 (CONV_2D)".
  std::string NameOf(size_t operation) const {
    return absl::StrCat("operation ", operation, " (",
                        OperationName(complete_.model, complete_.model.operations[operation].type),
                        ")");
  }

  // Nothing can be judged. Returns false.
  bool Stop(std::string obstacle) {
    check_.obstacle = std::move(obstacle);
    return false;
  }

  // An operation cannot be judged. Returns false.
  bool Pass(size_t operation, absl::string_view why) {
    if (check_.obstacle.empty()) {
      check_.obstacle = absl::StrCat(NameOf(operation), ": ", why);
    }
    return false;
  }

  Exposure Err(const std::vector<uint32_t>& set, Verdict verdict, absl::string_view text) {
    check_.error = {verdict,
                    absl::StrCat("with ", set.size(), set.size() == 1 ? " operand" : " operands",
                                 " between operations as outputs: ", text),
                    std::nullopt, 0};
    return Exposure::kOver;
  }

  CaseDriver& driver_;
  const Model& model_;
  const TestCase& complete_;
  Oracle& oracle_;
  const RunOptions& options_;
  std::vector<uint32_t> temporaries_;
  std::vector<std::vector<ExpectedOutput>> expected_;  // of temporaries, by example
  std::vector<OperandValues> values_;  // those of outputs are there from the beginning
  std::vector<std::set<uint32_t>> unwritten_;
  std::vector<std::vector<OperationAccuracy>> accuracy_;  // by operation
  OperationCheck check_;
};

}  // namespace

OperationCheck CheckOperations(CaseDriver& driver, const Model& model, const TestCase& complete,
                               Oracle& oracle, const std::vector<OperandValues>& results,
                               const RunOptions& options) {
  return Checker(driver, model, complete, oracle, results, options).Check();
}

}  // namespace nncert
