// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/selected_rows_check.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/replay/matching.h"

namespace nncert {
namespace {

using hal::replay::GreatestMatching;
using hal::replay::kNoMatch;

bool Fits(absl::Span<const SelectedColumn> columns, size_t row, size_t possible_row) {
  for (const SelectedColumn& column : columns) {
    for (size_t i = 0; i < column.size; ++i) {
      if (!Reaches(column.criterion, column.possible[possible_row * column.size + i],
                   column.actual[row * column.size + i])) {
        return false;
      }
    }
  }
  return true;
}

// The same for one group of rows, which are to be among the possible `rows`.
std::string WhyNotSelected(absl::Span<const SelectedColumn> columns, const RowGroup& group,
                           const PossibleRows& possible, const std::vector<size_t>& rows,
                           const PossibleRows::Group& count) {
  if (group.count < count.least || group.count > count.most) {
    return absl::StrFormat("there are %d rows, where an honest answer has from %d to %d",
                           group.count, count.least, count.most);
  }
  const auto fits = [&](size_t i, size_t k) { return Fits(columns, group.first + i, rows[k]); };
  const std::vector<size_t> matched = GreatestMatching(group.count, rows.size(), fits);
  for (size_t i = 0; i < group.count; ++i) {
    bool fits_any = false;
    for (size_t k = 0; k < rows.size() && !fits_any; ++k) fits_any = fits(i, k);
    if (fits_any) continue;
    return absl::StrFormat("row %d is none of the %d that an honest answer may have",
                           group.first + i, rows.size());
  }
  if (const auto twice = std::find(matched.begin(), matched.end(), kNoMatch);
      twice != matched.end()) {
    return absl::StrFormat("row %d comes more often than in an honest answer",
                           group.first + static_cast<size_t>(twice - matched.begin()));
  }
  // Where all rows of the answer can be matched, and all that are certain, both can be at once
  // (Mendelsohn and Dulmage).
  std::vector<size_t> certain;
  for (size_t k = 0; k < rows.size(); ++k) {
    if (possible.is_certain[rows[k]]) certain.push_back(k);
  }
  const std::vector<size_t> found = GreatestMatching(
      certain.size(), group.count, [&](size_t k, size_t i) { return fits(i, certain[k]); });
  const auto missing = std::find(found.begin(), found.end(), kNoMatch);
  if (missing == found.end()) return "";
  const SelectedColumn& column = columns[0];
  const Ball& ball =
      column.possible[rows[certain[static_cast<size_t>(missing - found.begin())]] * column.size];
  return absl::StrFormat(
      "a row is missing that every honest answer has, which begins with %.9g +/- %.3g",
      ball.midpoint, ball.radius);
}

}  // namespace

std::string WhyNotSelected(absl::Span<const SelectedColumn> columns,
                           absl::Span<const RowGroup> groups, const PossibleRows& possible) {
  if (columns.empty()) return "";
  const bool is_one = groups.size() == 1;
  for (size_t g = 0; g < groups.size(); ++g) {
    std::vector<size_t> rows;
    for (size_t i = 0; i < possible.size(); ++i) {
      if (is_one || possible.group_of[i] == g) rows.push_back(i);
    }
    PossibleRows::Group count;
    for (size_t i = 0; i < possible.groups.size(); ++i) {
      if (!is_one && i != g) continue;
      count.least += possible.groups[i].least;
      count.most += possible.groups[i].most;
    }
    std::string why = WhyNotSelected(columns, groups[g], possible, rows, count);
    if (why.empty()) continue;
    return is_one ? why : absl::StrCat("image ", g, ": ", why);
  }
  return "";
}

}  // namespace nncert
