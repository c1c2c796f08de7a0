// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Conditions under which a rule bites: what stands behind an @ in the name of a fault.

#ifndef NNCERT_REFERENCE_CALLS_CONDITION_H_
#define NNCERT_REFERENCE_CALLS_CONDITION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reference/calls/operation_call.h"

namespace nncert {

/// A number that an operation has: "rank", "dimension", "consumers". Compared with >, <, = or %
/// ("is no multiple of").
struct Quantity {
  std::string_view name;
  /// What it is, for people: a noun phrase.
  std::string_view meaning;
  uint64_t (*of)(const OperationCall& call);
};

/// Something that is so of an operation, or is not: "constant", "nchw".
struct Property {
  std::string_view name;
  /// What is so, for people: a clause.
  std::string_view meaning;
  bool (*of)(const OperationCall& call);
};

/// All quantities and properties, in the order of the README.
absl::Span<const Quantity> AllQuantities();
absl::Span<const Property> AllProperties();

/// One condition.
class Condition {
 public:
  /// Parses a condition:
  ///
  ///     condition = property | quantity ( ">" | "<" | "=" | "%" ) number
  ///               | "operation=" NAME | "type=" NAME | "every=" number
  ///
  /// NAME is the HAL's: CONV_2D, TENSOR_FLOAT16. InvalidArgument says what was expected.
  static absl::StatusOr<Condition> Parse(std::string_view text);

  /// Whether it holds of an operation. What is not known yet (dimensions before an execution) is
  /// taken as 0. "every=" holds of any.
  bool Holds(const OperationCall& call) const;

  /// For "every=n" n, else 1: of the calls that all other conditions hold of, the rule bites every
  /// n-th.
  uint64_t every() const { return every_; }

 private:
  enum class Kind { kProperty, kAbove, kBelow, kEqual, kNoMultiple, kOperation, kType, kEvery };

  Condition() = default;

  Kind kind_ = Kind::kProperty;
  const Property* property_ = nullptr;
  const Quantity* quantity_ = nullptr;
  uint64_t number_ = 0;
  uint64_t every_ = 1;
  std::string name_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_CALLS_CONDITION_H_
