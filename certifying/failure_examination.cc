// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/failure_examination.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "cases/case_file.h"
#include "cases/element_values.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/failing_cases.h"
#include "hal/deadline.h"
#include "harness/judging/comparator.h"
#include "harness/judging/oracle.h"
#include "harness/records/failure_dump.h"
#include "system/threads.h"

namespace nncert {
namespace {

// How many elements of a failure are shown, and cases of a kind asked for what the driver gives.
constexpr size_t kWorstElements = 8;
constexpr size_t kAskedCases = 6;
// Larger case files take too long to ask about.
constexpr uint64_t kLargestAsked = 64 << 10;

// A case that was dumped.
struct DumpedCase {
  const CaseResult* result = nullptr;
  std::string file;
  uint64_t size = 0;
};

// The case file of a result to look into: that of the first operation that errs, alone, if there is
// one. It is dumped last.
std::optional<DumpedCase> DumpedCaseOf(const CaseResult& result) {
  std::optional<DumpedCase> dumped;
  for (const std::string& file : result.dumped_files) {
    if (!absl::EndsWith(file, ".case")) continue;
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(file, error);
    if (!error) dumped = {&result, file, size};
  }
  return dumped;
}

bool IsOfKind(const CaseResult& result, const FailureKind& kind) {
  return std::tie(result.operation, result.type, result.verdict) ==
         std::tie(kind.operation, kind.type, kind.verdict);
}

// The dumped cases of each kind, the smallest first, the static ones before the dynamic ones.
std::vector<std::vector<DumpedCase>> DumpedCasesOf(absl::Span<const FailureKind> kinds,
                                                   absl::Span<const CaseResult> results) {
  std::map<std::tuple<std::string, std::string, Verdict>, std::vector<const CaseResult*>> by_name;
  for (const CaseResult& result : results) {
    if (!result.dumped_files.empty()) {
      by_name[{result.operation, result.type, result.verdict}].push_back(&result);
    }
  }
  std::vector<std::vector<DumpedCase>> dumped(kinds.size());
  for (size_t i = 0; i < kinds.size(); ++i) {
    const FailureKind& kind = kinds[i];
    std::vector<const CaseResult*> of_kind;
    if (kind.is_of_cases) {
      of_kind = by_name[{kind.operation, kind.type, kind.verdict}];
    } else {
      of_kind = {&kind.first};
    }
    for (const CaseResult* const result : of_kind) {
      if (std::optional<DumpedCase> one = DumpedCaseOf(*result); one.has_value()) {
        dumped[i].push_back(*std::move(one));
      }
    }
    std::stable_sort(dumped[i].begin(), dumped[i].end(), [](const auto& a, const auto& b) {
      return std::tuple(a.result->mode, a.size) < std::tuple(b.result->mode, b.size);
    });
  }
  return dumped;
}

// The one case of a file.
absl::StatusOr<TestCase> ReadCase(const std::string& file) {
  absl::StatusOr<std::vector<TestCase>> cases = ReadCaseFile(file);
  if (!cases.ok()) return cases.status();
  if (cases->empty()) return absl::NotFoundError("there is no case in the file");
  return std::move(cases->front());
}

// Adds the enclosures of the elements of an example, as far as they are known.
void AddEnclosures(const TestCase& test_case, size_t example, const std::vector<uint64_t>& indexes,
                   std::vector<WrongElement>& elements) {
  Oracle oracle(test_case);
  const absl::StatusOr<const std::vector<OutputValue>*> enclosures = oracle.Enclosures(example);
  if (!enclosures.ok()) return;
  for (size_t i = 0; i < elements.size(); ++i) {
    const OutputValue& output = (**enclosures)[elements[i].output];
    if (!output.undecided.ok() || indexes[i] >= output.balls().size()) continue;
    const Ball& ball = output.balls()[indexes[i]];
    elements[i].lowest = ball.Lower();
    elements[i].highest = ball.Upper();
  }
}

// The elements of one execution.
WrongElements ElementsOf(const TestCase& test_case, size_t example,
                         const AnsweredExecution& execution) {
  WrongElements elements;
  std::vector<std::pair<WrongElement, uint64_t>> all;
  for (size_t i = 0; i < execution.outputs.size(); ++i) {
    const ExpectedOutput& output = test_case.examples[example].outputs[i];
    if (output.ignored) continue;
    const Criterion criterion = CriterionFor(test_case, i);
    const std::vector<double> expected = DecodeElements(
        test_case.model.operands[test_case.model.outputIndexes[i]].type, output.data);
    const std::vector<double>& actual = execution.outputs[i].values;
    for (size_t k = 0; k < std::min(expected.size(), actual.size()); ++k) {
      ++elements.compared;
      if (IsWithin(criterion, expected[k], actual[k])) continue;
      if (elements.wrong++ == 0) elements.criterion = criterion.name;
      WrongElement element = {.example = example,
                              .output = i,
                              .place = MultiIndex(output.dimensions, k),
                              .expected = expected[k],
                              .actual = actual[k]};
      const double threshold = criterion.ThresholdFor(expected[k]);
      const double thresholds = std::abs(actual[k] - expected[k]) / threshold;
      if (threshold > 0 && std::isfinite(thresholds)) element.thresholds = thresholds;
      all.emplace_back(std::move(element), k);
    }
  }
  if (elements.wrong == 0) return elements;
  // What is off by no number is the worst.
  const auto badness = [](const WrongElement& element) {
    if (element.thresholds.has_value()) return *element.thresholds;
    const double difference = std::abs(element.actual - element.expected);
    return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return badness(a.first) > badness(b.first);
  });
  if (all.size() > kWorstElements) all.resize(kWorstElements);
  std::vector<uint64_t> indexes;
  for (auto& [element, index] : all) {
    elements.worst.push_back(std::move(element));
    indexes.push_back(index);
  }
  AddEnclosures(test_case, example, indexes, elements.worst);
  return elements;
}

// Some of the cases, from the smallest to the largest: small ones are asked about in no time, and
// large ones tell causes apart.
std::vector<DumpedCase> Spread(absl::Span<const DumpedCase> dumped) {
  std::vector<DumpedCase> sizable;
  for (const DumpedCase& one : dumped) {
    if (one.size <= kLargestAsked || sizable.empty()) sizable.push_back(one);
  }
  if (sizable.size() <= kAskedCases) return sizable;
  std::vector<DumpedCase> spread;
  for (size_t i = 0; i < kAskedCases; ++i) {
    spread.push_back(sizable[i * (sizable.size() - 1) / (kAskedCases - 1)]);
  }
  return spread;
}

// The rules of a cause.
std::set<std::string> RulesOf(const Cause& cause) { return absl::StrSplit(cause.rule, '+'); }

// Of causes that explain the failures of an operation equally well, puts the one first whose rules
// are named for the most other operations: a driver has one fault more often than it has two.
void PreferCommonCauses(std::vector<FailureKind>& kinds) {
  std::map<std::string, std::set<std::string>> operations_of;
  for (const FailureKind& kind : kinds) {
    for (const Cause& cause : kind.causes) {
      for (const std::string& rule : RulesOf(cause)) operations_of[rule].insert(kind.operation);
    }
  }
  const auto commonness = [&operations_of](const Cause& cause) {
    size_t least = std::numeric_limits<size_t>::max();
    for (const std::string& rule : RulesOf(cause)) {
      least = std::min(least, operations_of[rule].size());
    }
    return least;
  };
  for (FailureKind& kind : kinds) {
    if (kind.causes.empty()) continue;
    const Cause best = kind.causes.front();
    const auto end = std::find_if(kind.causes.begin(), kind.causes.end(), [&](const Cause& cause) {
      return std::tie(cause.explained, cause.of, cause.identical) !=
                 std::tie(best.explained, best.of, best.identical) ||
             RulesOf(cause).size() != RulesOf(best).size();
    });
    std::stable_sort(kind.causes.begin(), end,
                     [&](const Cause& a, const Cause& b) { return commonness(a) > commonness(b); });
  }
}

// Looks into the kinds of one operation.
class OperationExamination {
 public:
  OperationExamination(CaseWorker& worker, const ExaminationOptions& options)
      : worker_(worker), options_(options) {}

  // Finds the kind's reproducer, and keeps what the driver gives for its cases.
  void Examine(FailureKind& kind, absl::Span<const DumpedCase> dumped) {
    if (dumped.empty()) {
      kind.obstacle = "no case of it can be run again by itself";
      return;
    }
    for (const DumpedCase& one : dumped) {
      kind.reproducer = ReproducerOf(kind, one);
      if (kind.reproducer.has_value()) break;
    }
    if (kind.verdict != Verdict::FAIL) {
      kind.obstacle = kind.verdict == Verdict::FLAKY ? "it does not always fail, as known faults do"
                                                     : "the driver gives no results to compare";
      return;
    }
    std::vector<Failure> failures;
    for (const DumpedCase& one : Spread(dumped)) {
      const absl::StatusOr<TestCase> test_case = ReadCase(one.file);
      absl::StatusOr<Failure> failure =
          test_case.ok() ? FailureOf(worker_, *one.result, *test_case, options_.run.deadline)
                         : absl::StatusOr<Failure>(test_case.status());
      if (failure.ok()) {
        failures.push_back(*std::move(failure));
      } else if (kind.obstacle.empty()) {
        kind.obstacle = std::string(failure.status().message());
      }
    }
    if (failures.empty()) return;
    kind.obstacle.clear();
    failures_.emplace_back(&kind, std::move(failures));
  }

  // The causes of everything that was kept, for each kind.
  void NameCauses() {
    if (const std::vector<Cause> causes = Diagnose(AllFailures()); !causes.empty()) {
      for (auto& [kind, failures] : failures_) kind->causes = causes;
      return;
    }
    // What is wrong with one type may be more than with another.
    for (auto& [kind, failures] : failures_) {
      kind->causes = Diagnose(failures);
      if (kind->causes.empty()) kind->obstacle = "no known fault gives the driver's results";
    }
  }

 private:
  std::vector<Failure> AllFailures() const {
    std::vector<Failure> all;
    for (const auto& [kind, failures] : failures_) {
      all.insert(all.end(), failures.begin(), failures.end());
    }
    return all;
  }

  // The reproducer that comes of a case; nothing where the case does not fail again.
  std::optional<Reproducer> ReproducerOf(const FailureKind& kind, const DumpedCase& dumped) const {
    absl::StatusOr<TestCase> test_case = ReadCase(dumped.file);
    if (!test_case.ok()) return std::nullopt;
    Reproducer reproducer;
    // What was made small, what takes as long as the deadline to fail, and what does not always
    // fail is left as it is.
    const bool stays =
        !kind.is_of_cases || kind.verdict == Verdict::TIMEOUT || kind.verdict == Verdict::FLAKY;
    if (options_.reduce != nullptr && !stays) {
      absl::StatusOr<SmallerCase> smaller =
          options_.reduce(*test_case, *dumped.result, worker_, options_.run);
      if (smaller.ok()) {
        *test_case = std::move(smaller->test_case);
        reproducer.is_smallest = smaller->is_smallest;
      }
    } else {
      reproducer.is_smallest = !kind.is_of_cases;
    }
    reproducer.operations = test_case->model.operations.size();
    if (kind.verdict == Verdict::TIMEOUT || kind.verdict == Verdict::FLAKY) {
      reproducer.file = dumped.file;
      reproducer.detail = FirstLine(dumped.result->detail);
    } else {
      const CaseResult result = worker_.Run(*test_case, dumped.result->mode, options_.run);
      if (!IsOfKind(result, kind)) return std::nullopt;
      const std::optional<DumpedCase> again = DumpedCaseOf(result);
      if (!again.has_value()) return std::nullopt;
      reproducer.file = result.dumped_files.front();
      reproducer.detail = FirstLine(result.detail);
      AddElements(result, *again, reproducer);
    }
    const auto pair = options_.commands_of_pairs.find(FullName(*dumped.result));
    reproducer.command =
        pair != options_.commands_of_pairs.end()
            ? pair->second
            : ReproduceLine(options_.driver, options_.run.reproduce_flags, reproducer.file);
    std::filesystem::path drawing = reproducer.file;
    drawing.replace_extension(".dot");
    std::error_code ignored;
    if (std::filesystem::exists(drawing, ignored)) reproducer.drawing = drawing.string();
    return reproducer;
  }

  // Asks the driver for what it gives for the reproducer.
  void AddElements(const CaseResult& result, const DumpedCase& dumped,
                   Reproducer& reproducer) const {
    if (result.verdict != Verdict::FAIL) return;
    const absl::StatusOr<TestCase> test_case = ReadCase(dumped.file);
    if (!test_case.ok()) return;
    const absl::StatusOr<Failure> failure =
        FailureOf(worker_, result, *test_case, options_.run.deadline);
    if (!failure.ok()) return;
    WrongElements elements = WrongElementsOf(*failure);
    if (elements.wrong > 0) reproducer.elements = std::move(elements);
  }

  CaseWorker& worker_;
  const ExaminationOptions& options_;
  // Of each kind that there are any of.
  std::vector<std::pair<FailureKind*, std::vector<Failure>>> failures_;
};

}  // namespace

WrongElements WrongElementsOf(const Failure& failure) {
  const TestCase& test_case = failure.test_case;
  for (size_t example = 0; example < test_case.examples.size(); ++example) {
    for (size_t way = 0; way < failure.answer.ways; ++way) {
      WrongElements elements = ElementsOf(test_case, example, failure.answer.Of(example, way));
      if (elements.wrong > 0) return elements;
    }
  }
  return {};
}

void ExamineFailures(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                     absl::Span<const CaseResult> results, const ExaminationOptions& options,
                     std::vector<FailureKind>& kinds) {
  const std::vector<std::vector<DumpedCase>> dumped = DumpedCasesOf(kinds, results);
  // The kinds of each operation, by their places, in the order of their first ones.
  std::vector<std::vector<size_t>> operations;
  std::map<std::string, size_t> place_of;
  for (size_t i = 0; i < kinds.size(); ++i) {
    const auto [place, is_new] = place_of.emplace(kinds[i].operation, operations.size());
    if (is_new) operations.emplace_back();
    operations[place->second].push_back(i);
  }
  const hal::SteadyClock& clock = hal::SteadyClock::System();
  const absl::Duration start = clock.Now();
  std::atomic<size_t> next = 0;
  RunOnThreads(workers.size(), [&](size_t number) {
    CaseWorker& worker = *workers[number];
    for (size_t i = next++; i < operations.size(); i = next++) {
      OperationExamination examination(worker, options);
      for (const size_t kind : operations[i]) {
        if (clock.Now() - start >= options.time ||
            (options.should_stop != nullptr && options.should_stop())) {
          kinds[kind].obstacle = "time was up before it was looked into";
        } else if (const std::string lost = worker.WhyLost(); !lost.empty()) {
          kinds[kind].obstacle = lost;
        } else {
          examination.Examine(kinds[kind], dumped[kind]);
        }
      }
      examination.NameCauses();
    }
  });
  PreferCommonCauses(kinds);
}

}  // namespace nncert
