// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/cases/case_execution.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"

namespace nncert {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;
using hal::V1_2::OperandType;

namespace {

// Whether the elements of an input may be in any order: they are no indices.
bool IsOfNumbers(OperandType type) {
  return type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_FLOAT16 ||
         type == OperandType::TENSOR_QUANT8_ASYMM;
}

bool HasSamples(const Model& model) {
  return std::any_of(model.operations.begin(), model.operations.end(),
                     [](const hal::V1_2::Operation& operation) {
                       const OperationDefinition* definition = FindOperation(operation.type);
                       return definition != nullptr && definition->outputs_are_random;
                     });
}

// An operation, the type of its first input, and a mode.
using Kind = std::tuple<std::string, OperandType, TestMode>;

// Nothing for cases without inputs or examples, and for those whose outputs are samples.
std::optional<Kind> KindOf(const CaseInMode& test_case) {
  const Model& model = test_case.loaded->test_case.model;
  if (test_case.loaded->test_case.examples.empty()) return std::nullopt;
  if (model.inputIndexes.empty() || HasSamples(model)) return std::nullopt;
  return Kind(OperationOf(test_case), model.operands[model.inputIndexes.front()].type,
              test_case.mode);
}

// The bytes of its constants, and of the inputs and outputs of its first example.
size_t BytesOf(const CaseInMode& test_case) {
  const TestCase& of_case = test_case.loaded->test_case;
  return of_case.model.operandValues.size() + BytesOfArguments(of_case.examples.front());
}

template <typename Unwanted>
std::vector<ExecutionWay> WaysBut(HalVersion version, Unwanted is_unwanted) {
  std::vector<ExecutionWay> ways = WaysOf(version);
  std::erase_if(ways, is_unwanted);
  return ways;
}

// The value of an output of a successful execution.
std::vector<uint8_t> ValueOf(const CaseInMode& test_case, const GuardedRequest& request,
                             const ExecutionOutcome& outcome, size_t output) {
  const Model& model = test_case.loaded->test_case.model;
  const ExpectedOutput& expected = test_case.loaded->test_case.examples.front().outputs[output];
  absl::Span<const uint8_t> bytes = request.output(output);
  const bool has_shapes = outcome.outputShapes.size() == model.outputIndexes.size();
  const hal::V1_2::OperandType type = model.operands[model.outputIndexes[output]].type;
  // Of types that are opaque to us all is taken.
  if (hal::nonExtensionElementSize(type) > 0) {
    const std::optional<uint64_t> size = hal::nonExtensionSizeOfData(
        type, has_shapes ? outcome.outputShapes[output].dimensions : expected.dimensions);
    if (size.has_value() && *size < bytes.size()) bytes = bytes.subspan(0, *size);
  }
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<ExecutionWay> WaysOf(HalVersion version) {
  std::vector<ExecutionWay> ways = {{Executor::ASYNC_1_0, MeasureTiming::NO}};
  if (version < HalVersion::V1_2) return ways;
  for (const MeasureTiming measure : {MeasureTiming::NO, MeasureTiming::YES}) {
    for (const Executor executor : {Executor::ASYNC, Executor::SYNC, Executor::BURST}) {
      ways.push_back({executor, measure});
    }
  }
  return ways;
}

std::vector<ExecutionWay> UntimedWaysOf(HalVersion version) {
  return WaysBut(version,
                 [](const ExecutionWay& way) { return way.measure == MeasureTiming::YES; });
}

ExecutionWay UntimedWayOf(const CaseInMode& test_case, HalVersion version) {
  const std::vector<ExecutionWay> ways = UntimedWaysOf(version);
  return ways[KindOfText(NameOf(test_case)) % ways.size()];
}

std::vector<ExecutionWay> WaysWithShapesOf(HalVersion version) {
  return WaysBut(version,
                 [](const ExecutionWay& way) { return way.executor == Executor::ASYNC_1_0; });
}

std::string Describe(const ExecutionWay& way) {
  return absl::StrCat(std::string(toString(way.executor)),
                      way.measure == MeasureTiming::YES ? " with timing" : "");
}

bool IsExecutable(const CaseInMode& in_mode, HalVersion version) {
  const TestCase& test_case = in_mode.loaded->test_case;
  if (test_case.expectFailure || test_case.examples.empty()) return false;
  if (version < HalVersion::V1_2 && in_mode.mode == TestMode::kDynamic) return false;
  if (!IsCompliantWith(test_case.model, version)) return false;
  // Without expected outputs nobody knows how large they are.
  const Example& example = test_case.examples.front();
  return example.outputs.size() == test_case.model.outputIndexes.size() &&
         CheckExample(test_case.model, example).ok();
}

std::vector<CaseInMode> OneOfEachKind(absl::Span<const CaseInMode> cases, HalVersion version) {
  std::vector<CaseInMode> chosen;
  std::set<Kind> kinds;
  for (const CaseInMode& test_case : cases) {
    const std::optional<Kind> kind = KindOf(test_case);
    if (!kind.has_value() || kinds.contains(*kind) || !IsExecutable(test_case, version)) continue;
    kinds.insert(*kind);
    chosen.push_back(test_case);
  }
  return chosen;
}

std::vector<std::vector<CaseInMode>> LargestFirstOfEachKind(absl::Span<const CaseInMode> cases,
                                                            HalVersion version) {
  constexpr size_t kMostBytes = size_t{256} << 10;
  std::map<Kind, size_t> places;
  std::vector<std::vector<CaseInMode>> of_kinds;
  for (const CaseInMode& test_case : cases) {
    const std::optional<Kind> kind = KindOf(test_case);
    if (!kind.has_value() || BytesOf(test_case) > kMostBytes) continue;
    if (!IsExecutable(test_case, version)) continue;
    const auto [place, is_new] = places.emplace(*kind, of_kinds.size());
    if (is_new) of_kinds.emplace_back();
    of_kinds[place->second].push_back(test_case);
  }
  for (std::vector<CaseInMode>& of_kind : of_kinds) {
    std::stable_sort(of_kind.begin(), of_kind.end(), [](const CaseInMode& a, const CaseInMode& b) {
      return BytesOf(a) > BytesOf(b);
    });
  }
  return of_kinds;
}

Example ExampleOf(const CaseInMode& in_mode, size_t places) {
  const TestCase& test_case = in_mode.loaded->test_case;
  Example example = test_case.examples.front();
  if (example.inputs.empty()) return example;
  const OperandType type = test_case.model.operands[test_case.model.inputIndexes.front()].type;
  std::vector<uint8_t>& data = example.inputs.front().data;
  if (!IsOfNumbers(type) || data.empty()) return example;
  const size_t moved = places * hal::nonExtensionElementSize(type) % data.size();
  std::rotate(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(moved), data.end());
  return example;
}

absl::StatusOr<GuardedRequest> RequestOf(const CaseInMode& test_case, HalVersion version,
                                         SparePools& spares) {
  return RequestOf(test_case, test_case.loaded->test_case.examples.front(), version, spares);
}

absl::StatusOr<GuardedRequest> RequestOf(const CaseInMode& test_case, const Example& example,
                                         HalVersion version, SparePools& spares) {
  return GuardedRequest::Create(ModelInMode(test_case), example,
                                test_case.mode == TestMode::kDynamic
                                    ? OutputSpecification::UNSPECIFIED
                                    : OutputSpecification::FULLY_SPECIFIED,
                                version, spares);
}

absl::StatusOr<GuardedRequest> RequestOf(const CaseInMode& test_case, HalVersion version,
                                         const RequestLayout& layout, SparePools& spares) {
  return GuardedRequest::Create(ModelInMode(test_case),
                                test_case.loaded->test_case.examples.front(), layout, version,
                                spares);
}

MadeRequest MakeRequest(const CaseInMode& test_case, HalVersion version,
                        const RequestLayout& layout, const ModelOnDriver& prepared) {
  MadeRequest made;
  absl::StatusOr<GuardedRequest> request =
      RequestOf(test_case, version, layout, prepared.session().spare_pools());
  if (request.ok()) {
    made.request.emplace(*std::move(request));
  } else {
    made.problem =
        Problem{Verdict::MISSING, absl::StrCat("no request: ", request.status().message())};
  }
  return made;
}

Executed ExecuteCase(const CaseInMode& test_case, ModelOnDriver& prepared,
                     const GuardedRequest& request, const ExecutionWay& way) {
  Executed executed;
  executed.outcome = prepared.Execute(request.request(), way.executor, way.measure);
  executed.problem = executed.outcome.problem;
  if (executed.problem.has_value()) return executed;
  const ErrorStatus status = executed.outcome.status;
  if (status != ErrorStatus::NONE) {
    executed.problem = Broken(absl::StrCat("it ended with ", toString(status), "; expected NONE"));
    if (status == ErrorStatus::GENERAL_FAILURE && test_case.mode == TestMode::kDynamic) {
      executed.problem->verdict = Verdict::UNSUPPORTED;
    }
    return executed;
  }
  for (size_t i = 0; i < request.request().outputs.size(); ++i) {
    executed.values.push_back(ValueOf(test_case, request, executed.outcome, i));
  }
  return executed;
}

Executed ExecuteCaseAgain(const CaseInMode& test_case, ModelOnDriver& prepared,
                          const GuardedRequest& request, const ExecutionWay& way) {
  Executed executed = ExecuteCase(test_case, prepared, request, way);
  if (executed.problem.has_value() && executed.problem->verdict == Verdict::UNSUPPORTED) {
    executed.problem->verdict = Verdict::FAIL;
  }
  return executed;
}

std::optional<Problem> DifferenceOf(const OutputValues& values, std::string_view what,
                                    const OutputValues& others, std::string_view other) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == others[i]) continue;
    if (values[i].size() != others[i].size()) {
      return Broken(absl::StrFormat(
          "output %d has %d bytes after %s, and %d after %s; expected "
          "the same",
          i, values[i].size(), std::string(what), others[i].size(), std::string(other)));
    }
    const size_t place =
        std::mismatch(values[i].begin(), values[i].end(), others[i].begin()).first -
        values[i].begin();
    return Broken(absl::StrFormat(
        "byte %d of output %d is 0x%02x after %s, and 0x%02x after %s; "
        "expected the same",
        place, i, values[i][place], std::string(what), others[i][place], std::string(other)));
  }
  return std::nullopt;
}

std::optional<CheckFailure> PreparedCaseTest::RunSteps(
    TestRecord& record, absl::FunctionRef<std::vector<CheckOutcome>(size_t step)> run_step) const {
  for (; record.next < steps(); ++record.next) {
    for (const CheckOutcome& outcome : run_step(record.next)) {
      CheckCount& count = record.counts[outcome.check];
      if (!outcome.problem.has_value()) {
        ++count.passed;
      } else if (outcome.problem->verdict == Verdict::UNSUPPORTED) {
        ++count.unsupported;
      } else if (outcome.problem->verdict == Verdict::VACUOUS) {
        ++count.skipped;
      } else {
        CheckFailure failure = FailureOf(outcome.check, outcome.what, *outcome.problem);
        if (EndsSession(outcome.problem->verdict)) return failure;
        record.AddFailure(std::move(failure));
      }
    }
  }
  return std::nullopt;
}

std::string PreparedCaseTest::name() const { return NameOf(case_); }

std::string PreparedCaseTest::operation() const { return OperationOf(case_); }

std::optional<CheckFailure> PreparedCaseTest::Run(DriverSession& session, absl::Duration deadline,
                                                  TestRecord& record) const {
  const absl::StatusOr<GuardedRequest> request = RequestOf(case_, version_, session.spare_pools());
  if (!request.ok()) {
    record.AddFailure(
        {preparation(), Verdict::MISSING,
         absl::StrCat(std::string(preparation()), ": no request: ", request.status().message())});
    record.next = steps();
    return std::nullopt;
  }
  ModelOnDriver prepared(session, deadline);
  if (const std::optional<Problem> problem =
          prepared.Prepare(std::make_shared<const Model>(ModelInMode(case_)))) {
    CheckFailure failure = FailureOf(preparation(), "the valid model", *problem);
    if (EndsSession(problem->verdict)) return failure;
    if (problem->verdict == Verdict::UNSUPPORTED) {
      ++record.counts[preparation()].unsupported;
    } else {
      record.AddFailure(std::move(failure));
    }
    record.next = steps();
    return std::nullopt;
  }
  if (std::optional<CheckFailure> lost = Use(prepared, *request, record)) return lost;
  if (const std::optional<Problem> problem = prepared.Release()) {
    CheckFailure failure = FailureOf(preparation(), "after the last request", *problem);
    if (EndsSession(problem->verdict)) return failure;
    record.AddFailure(std::move(failure));
  }
  return std::nullopt;
}

}  // namespace nncert
