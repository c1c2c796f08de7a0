// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/operation_check.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
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

// What is expected of output `i` of an example once a set of temporaries are outputs as well,
// behind its own.
const ExpectedOutput& OutputOf(const TestCase& complete, const ExposedModel& exposed,
                               size_t example, absl::Span<const uint32_t> set, size_t i) {
  const std::vector<ExpectedOutput>& own = complete.examples[example].outputs;
  if (i < own.size()) return own[i];
  const auto place =
      absl::c_find(exposed.temporaries, set[i - own.size()]) - exposed.temporaries.begin();
  return (*exposed.expected[example])[own.size() + static_cast<size_t>(place)];
}

// An example with these outputs instead of its own.
Example WithOutputs(const Example& example, absl::Span<const ExpectedOutput* const> outputs) {
  Example other = {example.inputs, {}};
  for (const ExpectedOutput* const output : outputs) other.outputs.push_back(*output);
  return other;
}

// `model`, which has some of the temporaries as outputs, and a request for each example. Its inputs
// are in the memory of those of `whole`, the model without, if there is one.
absl::StatusOr<PlannedModel> Plan(CaseDriver& driver, std::shared_ptr<const Model> model,
                                  const TestCase& complete, const ExposedModel& exposed,
                                  absl::Span<const uint32_t> set, const PlannedModel* whole) {
  PlannedModel planned;
  planned.model = std::move(model);
  // Which operations the driver supports it has said of the model as it is.
  planned.asking = Asking::kNot;
  const Executor executor =
      driver.hal_version() >= hal::HalVersion::V1_2 ? Executor::SYNC : Executor::ASYNC;
  for (size_t example = 0; example < complete.examples.size(); ++example) {
    std::vector<const ExpectedOutput*> outputs(planned.model->outputIndexes.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      outputs[i] = &OutputOf(complete, exposed, example, set, i);
    }
    absl::StatusOr<GuardedRequest> request =
        whole != nullptr
            ? GuardedRequest::CreateBeside(whole->executions[example].request, *planned.model,
                                           outputs, driver.hal_version())
            : driver.NewRequest(*planned.model, WithOutputs(complete.examples[example], outputs),
                                OutputSpecification::FULLY_SPECIFIED);
    if (!request.ok()) return request.status();
    planned.executions.push_back(
        {.request = *std::move(request), .executor = executor, .measure = MeasureTiming::NO});
  }
  return planned;
}

class Checker {
 public:
  Checker(CaseDriver& driver, const Model& model, const TestCase& complete, Oracle& oracle,
          std::vector<OperandValues> results, const RunOptions& options,
          std::optional<ExposedModel> exposed)
      : driver_(driver),
        model_(model),
        complete_(complete),
        oracle_(oracle),
        options_(options),
        exposed_(std::move(exposed)),
        values_(std::move(results)),
        unwritten_(values_.size()),
        accuracy_(model.operations.size()) {
    check_.total = model.operations.size();
  }

  OperationCheck Check() {
    if (PlanAll() && ExposeAll()) JudgeAll();
    AddUpAccuracy();
    return std::move(check_);
  }

 private:
  // Plans to have all temporaries exposed, unless that has been done.
  bool PlanAll() {
    if (exposed_.has_value()) return true;
    absl::StatusOr<ExposedModel> exposed =
        ExposeTemporaries(driver_, model_, complete_, oracle_, nullptr);
    if (!exposed.ok()) return Stop(std::string(exposed.status().message()));
    exposed_ = *std::move(exposed);
    return true;
  }

  bool ExposeAll() {
    // All of them first.
    std::deque<std::vector<uint32_t>> sets = {exposed_->temporaries};
    PlannedModel planned = std::move(exposed_->planned);
    while (!sets.empty()) {
      const std::vector<uint32_t> set = std::move(sets.front());
      sets.pop_front();
      if (set.empty()) continue;
      if (planned.model == nullptr) {
        absl::StatusOr<PlannedModel> again =
            Plan(driver_, std::make_shared<const Model>(WithExposed(model_, set)), complete_,
                 *exposed_, set, nullptr);
        if (!again.ok()) return Stop(std::string(again.status().message()));
        planned = *std::move(again);
      }
      switch (Expose(set, std::exchange(planned, {}))) {
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
  Exposure Expose(const std::vector<uint32_t>& set, PlannedModel planned) {
    const std::unique_ptr<CaseModel> owned = driver_.NewModel(options_.deadline);
    CaseModel& on_driver = *owned;
    if (std::optional<Problem> problem = on_driver.Prepare(planned.model, planned.asking)) {
      if (problem->is_refusal) return Exposure::kRefused;
      return Err(set, problem->verdict, problem->text);
    }
    for (size_t example = 0; example < complete_.examples.size(); ++example) {
      if (const Exposure exposure = ExposeExample(set, planned, on_driver, example);
          exposure != Exposure::kDone) {
        return exposure;
      }
    }
    if (std::optional<Problem> problem = on_driver.Release()) {
      return Err(set, problem->verdict, problem->text);
    }
    return Exposure::kDone;
  }

  Exposure ExposeExample(const std::vector<uint32_t>& set, PlannedModel& planned,
                         CaseModel& on_driver, size_t example) {
    auto& [request, executor, measure] = planned.executions[example];
    const ExecutionOutcome outcome = on_driver.Execute(request, executor, measure);
    ++check_.executions;
    if (outcome.problem.has_value()) {
      return Err(set, outcome.problem->verdict, outcome.problem->text);
    }
    if (absl::Status status = request.CheckMemory(); !status.ok()) {
      return Err(set, Verdict::FAIL, absl::StrCat("the driver ", status.message()));
    }
    if (outcome.status != ErrorStatus::NONE) return Exposure::kRefused;
    const size_t own_outputs = complete_.examples[example].outputs.size();
    for (size_t i = 0; i < planned.model->outputIndexes.size(); ++i) {
      const uint32_t operand = planned.model->outputIndexes[i];
      const ExpectedOutput& expected = OutputOf(complete_, *exposed_, example, set, i);
      const absl::Span<const uint8_t> bytes = request.output(i).subspan(0, expected.data.size());
      if (i < outcome.outputShapes.size() &&
          outcome.outputShapes[i].dimensions != expected.dimensions) {
        KeepOtherDimensions(example, operand, outcome.outputShapes[i].dimensions, bytes);
        continue;
      }
      if (i >= own_outputs) {
        values_[example][operand] = {expected.dimensions, {bytes.begin(), bytes.end()}};
        if (request.IsUnwritten(i)) unwritten_[example].insert(operand);
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
      std::vector<std::vector<OperationAccuracy>> accuracy = apart.Accuracy();
      for (size_t i = 0; i < accuracy.size(); ++i) {
        for (OperationAccuracy& of_operation : accuracy[i]) {
          AddAccuracy(std::move(of_operation), accuracy_[i]);
        }
      }
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
        if (accuracy.suspect > 0) {
          if (!check_.suspect.has_value()) check_.suspect = i;
          accuracy.first_suspect = absl::StrCat("operation ", i, ": ", accuracy.first_suspect);
        }
        AddAccuracy(std::move(accuracy), check_.accuracy);
      }
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
           absl::c_linear_search(exposed_->temporaries, operand);
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
  std::optional<ExposedModel> exposed_;  // without its plan once that has been carried out
  std::vector<OperandValues> values_;    // those of outputs are there from the beginning
  std::vector<std::set<uint32_t>> unwritten_;
  std::vector<std::vector<OperationAccuracy>> accuracy_;  // by operation
  OperationCheck check_;
};

}  // namespace

absl::StatusOr<ExposedModel> ExposeTemporaries(CaseDriver& driver, const Model& model,
                                               const TestCase& complete, Oracle& oracle,
                                               const PlannedModel* whole) {
  ExposedModel exposed;
  exposed.temporaries = TemporariesOf(model);
  for (size_t example = 0; example < complete.examples.size(); ++example) {
    const absl::StatusOr<const std::vector<ExpectedOutput>*> expected =
        oracle.OutputsAndTemporaries(example);
    if (!expected.ok()) return expected.status();
    exposed.expected.push_back(*expected);
  }
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph = oracle.GraphWithTemporaries();
  if (!graph.ok()) return graph.status();
  // The oracle has just this model, but in the catalogue's numbering of extensions.
  std::shared_ptr<const Model> exposing =
      model.extensionNameToPrefix.empty()
          ? std::shared_ptr<const Model>(*graph, &(*graph)->model())
          : std::make_shared<const Model>(WithExposed(model, exposed.temporaries));
  absl::StatusOr<PlannedModel> planned =
      Plan(driver, std::move(exposing), complete, exposed, exposed.temporaries, whole);
  if (!planned.ok()) return planned.status();
  exposed.planned = *std::move(planned);
  return exposed;
}

OperationCheck CheckOperations(CaseDriver& driver, const Model& model, const TestCase& complete,
                               Oracle& oracle, std::vector<OperandValues> results,
                               const RunOptions& options, std::optional<ExposedModel> exposed) {
  return Checker(driver, model, complete, oracle, std::move(results), options, std::move(exposed))
      .Check();
}

}  // namespace nncert
