// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the elements of results are like beyond what the documentation asks of them.

#ifndef NNCERT_HARNESS_RECORDS_ACCURACY_H_
#define NNCERT_HARNESS_RECORDS_ACCURACY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nncert {

/// The error of one element of which honest implementations may differ.
struct ElementError {
  /// Equal for the same error of the same number, else different, and arbitrary.
  uint64_t key = 0;
  /// From -1, the nearest to zero that an honest implementation gives, to 1, the farthest from it.
  float error = 0;

  bool operator==(const ElementError&) const = default;
};

/// Elements of the results of one operation on one type, and how they lie in the enclosures of what
/// honest implementations give.
struct OperationAccuracy {
  /// The HAL's names of the operation, and of the type of its first input.
  std::string operation;
  std::string type;
  /// How many elements were held against an enclosure.
  uint64_t elements = 0;
  /// How many of them the documentation accepts although no honest implementation gives them.
  uint64_t suspect = 0;
  /// The first of these: its place, its value and the enclosure, after the name of the case; empty
  /// when there is none.
  std::string first_suspect = {};
  /// Errors of different elements, sorted by key: a sample of kMostErrors at the most, those with
  /// the least keys, which is the same whatever the order in which elements come.
  std::vector<ElementError> errors = {};

  bool operator==(const OperationAccuracy&) const = default;
};

/// How many errors are kept of an operation and a type.
inline constexpr size_t kMostErrors = 4096;

/// Adds errors in any order to those of `accuracy`, and leaves out what is too much.
void AddErrors(const std::vector<ElementError>& errors, OperationAccuracy& accuracy);

/// Adds what was counted elsewhere, each under its operation and type.
void AddAccuracy(const std::vector<OperationAccuracy>& more, std::vector<OperationAccuracy>& sum);

/// The same of one that is not needed any more.
void AddAccuracy(OperationAccuracy&& more, std::vector<OperationAccuracy>& sum);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_ACCURACY_H_
