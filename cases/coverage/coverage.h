// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What test cases ask of operations: how often each operation is met in which types, shapes,
// attributes and company. One format for every suite.

#ifndef NNCERT_CASES_COVERAGE_COVERAGE_H_
#define NNCERT_CASES_COVERAGE_COVERAGE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace nncert {

/// What operations of one name and type were met with.
struct OperationCoverage {
  /// How many such operations there were.
  uint64_t count = 0;
  /// How many of them each feature was so of, if any:
  ///
  ///     version=1.2           the lowest HAL version that can run the case
  ///     rank=4                the rank of the first tensor
  ///     with filter           an optional input that is there, and
  ///     without filter        one that is left out
  ///     constant filter       an input tensor other than the first is a constant, and
  ///     variable filter       is none
  ///     activation: 3         the value of an INT32 or BOOL scalar; "axis: <0", "depth: >16"
  ///     values=TENSOR_INT32   the type of an operand other than the first input, where those of
  ///                           inputs before it leave a choice
  ///     C3                    the constraint of this label; where it is about operands that are
  ///                           not always there, one of them is
  ///     dimension>64          conditions, as behind the @ in the name of a fault (condition.h)
  std::map<std::string, uint64_t, std::less<>> features;

  bool operator==(const OperationCoverage&) const = default;
};

/// What all operations were met with.
struct Coverage {
  /// How many cases there were.
  uint64_t cases = 0;
  /// By the operation's name, and the type of its first input: {"CONV_2D", "TENSOR_FLOAT32"}.
  std::map<std::pair<std::string, std::string>, OperationCoverage> operations;
  /// How often an operation, the second, reads what another, the first, wrote; by their names.
  std::map<std::pair<std::string, std::string>, uint64_t> edges;

  /// Adds what other cases ask.
  void Add(const Coverage& other);

  /// How many operations of this name were met with a feature, in all types.
  uint64_t Count(std::string_view operation, std::string_view feature) const;

  bool operator==(const Coverage&) const = default;
};

/// "95 operations in 264 types, 5,210 features, 3,004 edges": how much of it was met.
std::string DescribeCoverage(const Coverage& coverage);

}  // namespace nncert

#endif  // NNCERT_CASES_COVERAGE_COVERAGE_H_
