// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/enclosure_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "cases/element_values.h"
#include "harness/judging/comparator.h"
#include "harness/judging/oracle.h"
#include "harness/judging/row_alignment.h"
#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "system/escape.h"

namespace nncert {
namespace {

// How many violations of one output are described.
constexpr size_t kDescribedViolations = 10;

// The results of one example in the three number systems.
struct Results {
  std::vector<OutputValue> from_float;
  std::vector<OutputValue> from_double;
  std::vector<OutputValue> enclosures;
};

absl::Status ExecuteIn(NumberSystem system, const PreparedGraph& graph,
                       absl::Span<const InputArgument> inputs, std::vector<OutputValue>& results) {
  absl::StatusOr<std::vector<OutputValue>> outputs = graph.Execute(system, inputs);
  if (!outputs.ok()) return outputs.status();
  results = *std::move(outputs);
  return absl::OkStatus();
}

absl::StatusOr<Results> ExecuteInAll(const PreparedGraph& graph, const Example& example) {
  const std::vector<InputArgument> inputs = ArgumentsOf(example);
  Results results;
  absl::Status status = ExecuteIn(NumberSystem::kDouble, graph, inputs, results.from_double);
  if (status.ok()) status = ExecuteIn(NumberSystem::kFloat, graph, inputs, results.from_float);
  if (status.ok()) status = ExecuteIn(NumberSystem::kBall, graph, inputs, results.enclosures);
  if (!status.ok()) return status;
  return results;
}

// Puts rows `order[first]`, `order[first + 1]`, ... of an output of `rows` rows into the places of
// each group.
void PermuteRows(absl::Span<const RowGroup> groups, absl::Span<const size_t> order, size_t rows,
                 std::vector<std::byte>& elements) {
  const std::vector<std::byte> old = elements;
  const size_t size = elements.size() / rows;
  for (const RowGroup& group : groups) {
    for (size_t row = group.first; row < group.first + group.count; ++row) {
      std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(order[row] * size), size,
                  elements.begin() + static_cast<std::ptrdiff_t>(row * size));
    }
  }
}

std::vector<double> Decode(const OutputValue& output) {
  return DecodeElements(output.info.type, output.bytes());
}

// Puts rows that may come in any order, in float and in the enclosure, into the order that they
// have in double: close scores may be in another order there. Rows whose number differs stay where
// they are, and are counted as they are.
void AlignResults(const TestCase& test_case, const RowSet& set, Results& results) {
  const Shape& first = results.from_double[set.outputs[0]].info.dimensions;
  const absl::Span<const uint32_t> leading =
      absl::MakeConstSpan(first).subspan(0, set.rows.RowRank());
  const size_t rows = NumberOfElements(leading);
  std::vector<size_t> all = set.outputs;
  if (set.group.has_value()) all.push_back(*set.group);
  if (set.counts.has_value()) all.push_back(*set.counts);
  for (const size_t output : all) {
    const Shape& dimensions = results.from_double[output].info.dimensions;
    if (!results.enclosures[output].undecided.ok() || rows == 0 ||
        results.from_float[output].info.dimensions != dimensions ||
        results.enclosures[output].info.dimensions != dimensions) {
      return;
    }
  }
  std::vector<RowColumns> columns;
  for (const size_t output : set.outputs) {
    const absl::Span<const double> doubles = results.from_double[output].doubles();
    columns.push_back({RowSizeOf(set.rows, results.from_double[output].info.dimensions),
                       CriterionFor(test_case, output),
                       {doubles.begin(), doubles.end()},
                       Decode(results.from_float[output]),
                       results.enclosures[output].balls()});
  }
  // An output that the model does not give leaves one group, or rows that all count.
  std::vector<double> groups(rows);
  if (set.group.has_value()) groups = Decode(results.from_float[*set.group]);
  std::vector<double> counts(leading[0], static_cast<double>(rows));
  if (set.counts.has_value()) counts = Decode(results.from_float[*set.counts]);
  const std::vector<RowGroup> row_groups = GroupsOf(
      set.rows, leading, [&groups](size_t row) { return groups[row]; },
      [&counts](size_t i) { return static_cast<size_t>(counts[i]); });
  const RowAlignment alignment = AlignRows(columns, row_groups, rows);
  for (const size_t output : set.outputs) {
    PermuteRows(row_groups, alignment.actual, rows, results.from_float[output].elements);
    PermuteRows(row_groups, alignment.enclosure, rows, results.enclosures[output].elements);
  }
}

std::string BallToString(const Ball& ball) {
  return absl::StrFormat("%.17g +- %.3g", ball.midpoint, ball.radius);
}

float WidthOf(const Ball& ball, double threshold) {
  if (ball.IsExact()) return 0;
  return threshold == 0 ? std::numeric_limits<float>::infinity()
                        : static_cast<float>(ball.radius / threshold);
}

// Counts the elements of one output.
class OutputCounter {
 public:
  OutputCounter(std::string where, const Criterion& criterion, OperationEnclosures& counts,
                std::vector<std::string>& violations)
      : where_(std::move(where)), criterion_(criterion), counts_(counts), violations_(violations) {}

  void Count(const OutputValue& from_float, const OutputValue& from_double,
             const OutputValue& enclosure) {
    const absl::Span<const double> doubles = from_double.doubles();
    counts_.elements += doubles.size();
    if (!enclosure.undecided.ok()) {
      counts_.undecided += doubles.size();
      return;
    }
    if (from_float.info.dimensions != from_double.info.dimensions ||
        enclosure.info.dimensions != from_double.info.dimensions) {
      Violation(absl::StrCat("dimensions are ", ShapeToString(from_float.info.dimensions),
                             " in float, ", ShapeToString(from_double.info.dimensions),
                             " in double and ", ShapeToString(enclosure.info.dimensions),
                             " of the enclosure"));
      return;
    }
    const std::vector<double> floats = Decode(from_float);
    const absl::Span<const Ball> balls = enclosure.balls();
    for (size_t i = 0; i < doubles.size(); ++i) {
      if (!balls[i].IsBounded()) {
        ++counts_.undecided;
        continue;
      }
      if (!balls[i].Contains(doubles[i])) {
        Violation(absl::StrFormat("element %d is %.17g in double; the enclosure is %s", i,
                                  doubles[i], BallToString(balls[i])));
      } else if (!balls[i].Contains(floats[i])) {
        Violation(absl::StrFormat("element %d is %.9g in float; the enclosure is %s", i, floats[i],
                                  BallToString(balls[i])));
      }
      counts_.widths.push_back(WidthOf(balls[i], criterion_.ThresholdFor(doubles[i])));
    }
  }

 private:
  void Violation(const std::string& text) {
    ++counts_.violations;
    if (described_++ < kDescribedViolations) {
      violations_.push_back(absl::StrCat(where_, ": ", text));
    }
  }

  const std::string where_;
  const Criterion criterion_;
  OperationEnclosures& counts_;
  std::vector<std::string>& violations_;
  size_t described_ = 0;
};

void Accumulate(const OperationEnclosures& from, OperationEnclosures& to) {
  to.cases += from.cases;
  to.elements += from.elements;
  to.undecided += from.undecided;
  to.violations += from.violations;
  to.widths.insert(to.widths.end(), from.widths.begin(), from.widths.end());
}

std::string TableRow(const std::string& name, const OperationEnclosures& counts) {
  const double undecided = counts.elements == 0 ? 0
                                                : 100 * static_cast<double>(counts.undecided) /
                                                      static_cast<double>(counts.elements);
  return absl::StrFormat("%-30s %7d %10d %9.3f%% %8d %10.3g %10.3g\n", name, counts.cases,
                         counts.elements, undecided, counts.violations, counts.WidthQuantile(0.5),
                         counts.WidthQuantile(0.99));
}

// A number as JSON has them.
std::string JsonNumber(double value) {
  return std::isfinite(value) ? absl::StrFormat("%.6g", value) : "null";
}

}  // namespace

double OperationEnclosures::WidthQuantile(double quantile) const {
  if (widths.empty()) return 0;
  const double count = static_cast<double>(widths.size());
  const auto rank = static_cast<size_t>(std::clamp(std::ceil(quantile * count), 1.0, count));
  std::vector<float> sorted = widths;
  const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(sorted.begin(), nth, sorted.end());
  return *nth;
}

absl::Status EnclosureStatistics::Add(const TestCase& test_case) {
  if (test_case.expectFailure) return absl::OkStatus();
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
      PreparedGraph::Create(test_case.model);
  if (!graph.ok()) return graph.status();
  if (test_case.model.operations.empty()) {
    return absl::InvalidArgumentError("the model has no operations");
  }
  const std::vector<RowSet> row_sets = RowSetsOf(test_case.model);
  OperationEnclosures counts;
  counts.cases = 1;
  std::vector<std::string> violations;
  for (size_t example = 0; example < test_case.examples.size(); ++example) {
    absl::StatusOr<Results> results = ExecuteInAll(**graph, test_case.examples[example]);
    if (!results.ok()) {
      return absl::Status(results.status().code(),
                          absl::StrCat("example ", example, ": ", results.status().message()));
    }
    for (const RowSet& set : row_sets) AlignResults(test_case, set, *results);
    const std::vector<ExpectedOutput>& expected = test_case.examples[example].outputs;
    for (size_t output = 0; output < results->from_double.size(); ++output) {
      // Whatever an ignored output holds decides nothing; the scratch buffer of an LSTM holds
      // anything.
      if (output < expected.size() && expected[output].ignored) continue;
      OutputCounter counter(absl::StrCat(test_case.name, " example ", example, " output ", output),
                            CriterionFor(test_case, output), counts, violations);
      counter.Count(results->from_float[output], results->from_double[output],
                    results->enclosures[output]);
    }
  }
  Accumulate(counts,
             by_operation_[OperationName(test_case.model, test_case.model.operations.back().type)]);
  violations_.insert(violations_.end(), violations.begin(), violations.end());
  return absl::OkStatus();
}

void EnclosureStatistics::Merge(const EnclosureStatistics& other) {
  for (const auto& [operation, counts] : other.by_operation_) {
    Accumulate(counts, by_operation_[operation]);
  }
  violations_.insert(violations_.end(), other.violations_.begin(), other.violations_.end());
}

std::string EnclosuresToTable(const EnclosureStatistics& statistics) {
  std::string table = absl::StrFormat("%-30s %7s %10s %10s %8s %10s %10s\n", "Operation", "cases",
                                      "elements", "undecided", "outside", "median", "99 %");
  OperationEnclosures total;
  for (const auto& [operation, counts] : statistics.by_operation()) {
    absl::StrAppend(&table, TableRow(operation, counts));
    Accumulate(counts, total);
  }
  if (statistics.by_operation().size() > 1) absl::StrAppend(&table, TableRow("all", total));
  return table;
}

std::string EnclosuresToJson(const EnclosureStatistics& statistics) {
  std::string json = "{\n  \"operations\": [";
  const char* separator = "\n";
  for (const auto& [operation, counts] : statistics.by_operation()) {
    absl::StrAppend(&json, separator, "    {\"operation\": \"", EscapeJson(operation),
                    "\", \"cases\": ", counts.cases, ", \"elements\": ", counts.elements,
                    ", \"undecided\": ", counts.undecided, ", \"violations\": ", counts.violations,
                    ", \"medianWidth\": ", JsonNumber(counts.WidthQuantile(0.5)),
                    ", \"p99Width\": ", JsonNumber(counts.WidthQuantile(0.99)), "}");
    separator = ",\n";
  }
  absl::StrAppend(&json, "\n  ],\n  \"violations\": [");
  separator = "\n";
  for (const std::string& violation : statistics.violations()) {
    absl::StrAppend(&json, separator, "    \"", EscapeJson(violation), "\"");
    separator = ",\n";
  }
  absl::StrAppend(&json, "\n  ]\n}\n");
  return json;
}

}  // namespace nncert
