// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Coverage held against what there is to cover, for people and for programs.

#ifndef NNCERT_CASES_COVERAGE_COVERAGE_REPORT_H_
#define NNCERT_CASES_COVERAGE_COVERAGE_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/coverage/coverage.h"
#include "cases/coverage/coverage_items.h"

namespace nncert {

/// How much was met of how much there is.
struct MetShare {
  size_t met = 0;
  size_t of = 0;

  bool IsFull() const { return met == of; }
};

/// A coverage item, and how often it was met.
struct MeasuredItem {
  CoverageItem item;
  uint64_t count = 0;
};

/// What an operation whose first input has a type was met with, and what not.
struct MeasuredOperation {
  std::string operation;
  std::string type;
  /// How many such operations there were.
  uint64_t count = 0;
  /// Of CoverageItemsOf, in its order.
  std::vector<MeasuredItem> items;

  MetShare Share() const;
  /// By kinds that there are items of.
  std::map<CoverageKind, MetShare> Shares() const;
};

/// Holds coverage against the catalogue: one entry for each operation, those of extensions behind
/// the HAL's, and type of its first input.
std::vector<MeasuredOperation> MeasureCoverage(const Coverage& coverage);

/// The shares of all operations together.
std::map<CoverageKind, MetShare> SharesOf(const std::vector<MeasuredOperation>& operations);
MetShare ShareOf(const std::vector<MeasuredOperation>& operations);

/// {"cases": n, "met": n, "of": n, "kinds": [{"kind", "met", "of"}],
/// "operations": [{"operation", "type", "count", "features": {FEATURE: n}, "met", "of",
/// "missing": {KIND: [ITEM]}}], "edges": [{"from", "to", "count"}]}, indented. See
/// docs/coverage.md.
std::string CoverageToJson(const Coverage& coverage);

/// A table of the kinds, and for each operation and type a line with what is missing, in plain
/// text.
std::string CoverageToText(const Coverage& coverage);

}  // namespace nncert

#endif  // NNCERT_CASES_COVERAGE_COVERAGE_REPORT_H_
