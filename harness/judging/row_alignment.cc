// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/row_alignment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/functional/function_ref.h"
#include "cases/element_values.h"
#include "hal/replay/matching.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::replay::GreatestMatching;
using hal::replay::kNoMatch;

// Whether row `left` of a group may be matched with row `right`.
using Fits = absl::FunctionRef<bool(size_t left, size_t right)>;

// Sets aligned[first + i] to the row matched with each row of a group; rows without a match take
// what is left, in order. Whether every row has a match.
bool AlignGroup(const RowGroup& group, Fits fits, std::vector<size_t>& aligned) {
  const std::vector<size_t> matched = GreatestMatching(
      group.count, group.count,
      [&](size_t left, size_t right) { return fits(group.first + left, group.first + right); });
  std::vector<bool> is_taken(group.count);
  for (const size_t right : matched) {
    if (right != kNoMatch) is_taken[right] = true;
  }
  size_t left_over = 0;
  bool is_complete = true;
  for (size_t i = 0; i < group.count; ++i) {
    size_t right = matched[i];
    if (right == kNoMatch) {
      is_complete = false;
      while (is_taken[left_over]) ++left_over;
      right = left_over++;
    }
    aligned[group.first + i] = group.first + right;
  }
  return is_complete;
}

bool HasEnclosures(absl::Span<const RowColumns> outputs) {
  return std::all_of(outputs.begin(), outputs.end(), [](const RowColumns& columns) {
    return columns.enclosure.size() == columns.expected.size();
  });
}

// Whether `test(columns, i, k)` holds for the elements i of row `left` and k of row `right`.
template <class Test>
bool HoldsForRow(absl::Span<const RowColumns> outputs, size_t left, size_t right, Test test) {
  for (const RowColumns& columns : outputs) {
    for (size_t i = 0; i < columns.size; ++i) {
      if (!test(columns, left * columns.size + i, right * columns.size + i)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<RowSet> RowSetsOf(const hal::V1_2::Model& model) {
  std::vector<RowSet> sets;
  for (const hal::V1_2::Operation& operation : model.operations) {
    const OperationDefinition* definition = FindOperation(operation.type);
    if (definition == nullptr || definition->unordered_rows.outputs.empty()) continue;
    const auto position_of = [&](int output) -> std::optional<size_t> {
      if (output < 0 || static_cast<size_t>(output) >= operation.outputs.size()) {
        return std::nullopt;
      }
      const auto found = std::find(model.outputIndexes.begin(), model.outputIndexes.end(),
                                   operation.outputs[output]);
      if (found == model.outputIndexes.end()) return std::nullopt;
      return static_cast<size_t>(found - model.outputIndexes.begin());
    };
    RowSet set = {definition->unordered_rows, {}, std::nullopt, std::nullopt};
    for (const int output : set.rows.outputs) {
      if (const auto position = position_of(output)) set.outputs.push_back(*position);
    }
    set.group = position_of(set.rows.group);
    set.counts = position_of(set.rows.counts);
    if (!set.outputs.empty()) sets.push_back(std::move(set));
  }
  return sets;
}

std::optional<ExpectedRows> ExpectedRowsOf(const TestCase& test_case, size_t example,
                                           const RowSet& set) {
  const std::vector<ExpectedOutput>& expected = test_case.examples[example].outputs;
  const auto decode = [&](size_t output) {
    const OperandType type = test_case.model.operands[test_case.model.outputIndexes[output]].type;
    return DecodeElements(type, expected[output].data);
  };
  ExpectedRows rows;
  absl::Span<const uint32_t> leading;
  for (const size_t output : set.outputs) {
    if (expected[output].ignored) continue;
    const std::vector<uint32_t>& dimensions = expected[output].dimensions;
    if (dimensions.size() < set.rows.RowRank()) return std::nullopt;
    const auto rows_of_output = absl::MakeConstSpan(dimensions).subspan(0, set.rows.RowRank());
    if (!rows.outputs.empty() && rows_of_output != leading) return std::nullopt;
    leading = rows_of_output;
    rows.outputs.push_back(output);
    rows.columns.push_back(
        {RowSizeOf(set.rows, dimensions), CriterionFor(test_case, output), decode(output), {}, {}});
    if (rows.columns.back().expected.size() != NumberOfElements(dimensions)) return std::nullopt;
  }
  rows.rows = rows.outputs.empty() ? 0 : NumberOfElements(leading);
  if (rows.rows == 0) return std::nullopt;
  std::vector<double> groups(rows.rows);
  if (set.group.has_value() && !expected[*set.group].ignored) groups = decode(*set.group);
  std::vector<double> counts(leading[0], static_cast<double>(rows.rows));
  if (set.counts.has_value() && !expected[*set.counts].ignored) counts = decode(*set.counts);
  if (groups.size() != rows.rows || counts.size() != leading[0]) return std::nullopt;
  rows.groups = GroupsOf(
      set.rows, leading, [&groups](size_t row) { return groups[row]; },
      [&counts](size_t i) { return static_cast<size_t>(std::max(counts[i], 0.0)); });
  return rows;
}

RowAlignment AlignRows(absl::Span<const RowColumns> outputs, absl::Span<const RowGroup> groups,
                       size_t rows) {
  RowAlignment alignment;
  alignment.actual.resize(rows);
  std::iota(alignment.actual.begin(), alignment.actual.end(), size_t{0});
  alignment.enclosure = alignment.actual;
  alignment.is_complete = true;
  const bool has_enclosures = HasEnclosures(outputs);
  for (const RowGroup& group : groups) {
    if (has_enclosures) {
      AlignGroup(
          group,
          [&](size_t left, size_t right) {
            return HoldsForRow(
                outputs, left, right, [](const RowColumns& columns, size_t i, size_t k) {
                  return Reaches(columns.criterion, columns.enclosure[k], columns.expected[i]);
                });
          },
          alignment.enclosure);
    }
    const auto passes = [&](size_t left, size_t right) {
      const size_t enclosing = alignment.enclosure[left];
      return HoldsForRow(outputs, left, right, [&](const RowColumns& columns, size_t i, size_t k) {
        const double expected = columns.expected[i];
        const double actual = columns.actual[k];
        if (IsWithin(columns.criterion, expected, actual)) return true;
        if (!has_enclosures || (std::isfinite(expected) && !std::isfinite(actual))) return false;
        return columns.enclosure[enclosing * columns.size + i % columns.size].Contains(actual);
      });
    };
    alignment.is_complete &= AlignGroup(group, passes, alignment.actual);
  }
  return alignment;
}

}  // namespace nncert
