// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What is so of one operation of a model, as levels of factors that cases are to combine.

#ifndef NNCERT_SPEC_TESTS_SYSTEMATIC_FEATURE_H_
#define NNCERT_SPEC_TESTS_SYSTEMATIC_FEATURE_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "reference/calls/operation_call.h"

namespace nncert {

/// Where the value of an input comes from.
enum class Origin : int8_t { kConstant, kModelInput, kOperation };

/// Something that is so of an operation: a factor, which is a kind and an index, and which of its
/// levels the operation has. An operation has one level of a factor at most.
struct Feature {
  enum class Kind : uint8_t {
    kRank,       ///< of the first tensor: level 0 to 7; there is one index
    kPresence,   ///< of the optional input in slot `index`: level 1 when it is there, else 0
    kValue,      ///< of the INT32 or BOOL scalar in slot `index`: -1 stands for all below 0, 17 for
                 ///< all above 16
    kOrigin,     ///< of the value of the tensor in slot `index`: an Origin
    kCondition,  ///< number `index` of CoverageConditions holds: level 1
  };

  Kind kind = Kind::kRank;
  uint8_t index = 0;
  int8_t level = 0;

  auto operator<=>(const Feature&) const = default;
  /// The same in one number, below 2^24.
  uint32_t key() const {
    return static_cast<uint32_t>(kind) << 16 | uint32_t{index} << 8 | static_cast<uint8_t>(level);
  }
};

/// What is so of an operation of a valid model. What is not known before an execution counts as
/// not there.
std::vector<Feature> FeaturesOf(const OperationCall& call);

}  // namespace nncert

#endif  // NNCERT_SPEC_TESTS_SYSTEMATIC_FEATURE_H_
