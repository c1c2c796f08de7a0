// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a run shows of a driver that is the verdict of no case.

#ifndef NNCERT_HARNESS_RECORDS_FINDING_H_
#define NNCERT_HARNESS_RECORDS_FINDING_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace nncert {

/// What a finding is about.
enum class FindingKind {
  RULE,       ///< the driver says of itself what the HAL forbids
  PROCESS,    ///< the driver's process ended, or grew, in no case in particular
  SUSPECT,    ///< elements that the documentation accepts and no honest implementation gives
  UNDIVIDED,  ///< models whose operations could not be judged one by one
  BIASED,     ///< elements that are wrong in one direction more often than honest rounding is
  WAIVER,     ///< a waiver that has expired, names nothing, or what passes after all
};

/// The enumerator's name: "PROCESS".
std::string_view toString(FindingKind kind);

/// The kind of that name; nothing when there is none.
std::optional<FindingKind> findingKindFromString(std::string_view name);

/// Writes toString(kind).
std::ostream& operator<<(std::ostream& stream, FindingKind kind);

/// One finding.
struct Finding {
  FindingKind kind = FindingKind::RULE;
  /// The HAL's name of the operation that it is about; empty when it is about none.
  std::string operation = {};
  /// The HAL's name of the operand type that it is about; empty when it is about none.
  std::string type = {};
  /// How often it was seen: elements for what is found in results, else 1.
  uint64_t count = 1;
  /// A sentence without a full stop.
  std::string detail = {};

  bool operator==(const Finding&) const = default;
};

/// "PROCESS: " and the detail; "SUSPECT ADD TENSOR_FLOAT32, 12 times: " and the detail.
std::string DescribeFinding(const Finding& finding);

/// Writes DescribeFinding(finding).
std::ostream& operator<<(std::ostream& stream, const Finding& finding);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_FINDING_H_
