// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where expected outputs of Android's own specs contradict the documentation.
//
// A case that names a deviation (TestCase::deviation) is judged by the documentation: the
// oracle's answer replaces its expected outputs. Android's specs name none, so the table here does.
// docs/deviations.md has the formula and the evidence of each.

#ifndef NNCERT_CASES_DEVIATIONS_H_
#define NNCERT_CASES_DEVIATIONS_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// Cases of Android's specs that contradict the documentation for one reason.
struct Deviation {
  /// What TestCase::deviation says, and the heading in docs/deviations.md: the operation's HAL
  /// name, a hyphen, and what differs.
  std::string_view name;
  /// An operation that the model has.
  hal::V1_2::OperationType operation;
  /// A regular expression (RE2) that TestCase::name matches as a whole.
  std::string_view cases;
};

/// All deviations of Android's specs, in alphabetical order.
absl::Span<const Deviation> KnownDeviations();

/// The name of the known deviation that a case belongs to; empty when there is none.
std::string FindDeviation(const TestCase& test_case);

}  // namespace nncert

#endif  // NNCERT_CASES_DEVIATIONS_H_
