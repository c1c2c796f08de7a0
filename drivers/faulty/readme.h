// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The tables of the README: what rules and conditions there are, and which cases kill them.

#ifndef NNCERT_DRIVERS_FAULTY_README_H_
#define NNCERT_DRIVERS_FAULTY_README_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "harness/records/verdict.h"

namespace nncert::faulty {

/// What a suite makes of a fault.
struct Kill {
  /// The fault's name.
  std::string fault;
  /// The verdict of the witness.
  Verdict verdict = Verdict::PASS;
  /// How many tests of the suite failed, and of how many operations they were. Of a fault that ends
  /// or stalls the process, the first one alone.
  size_t tests = 0;
  size_t operations = 0;
  /// The full name of a test that gives the verdict: "GeneratedTests.conv_2d"; "own." and the name
  /// for one of OwnCases, where the suite has none. Empty when nothing tells the fault from none.
  std::string witness;
};

/// What stands above the tables.
inline constexpr std::string_view kReadmeMark =
    "<!-- From here on written by ./bazelw run //drivers/faulty:update_readme -->\n";

/// Faults with conditions for the README's second table: one gross fault in every operation, under
/// each of these conditions.
std::vector<std::string> ConditionalFaults();

/// The part of the README behind the mark. `rules` has an entry for each rule, `conditional` for
/// each of ConditionalFaults.
std::string ReadmeTables(const std::vector<Kill>& rules, const std::vector<Kill>& conditional);

/// The entries of the rules in the README, in its order. InvalidArgument names the line that is not
/// as ReadmeTables writes it.
absl::StatusOr<std::vector<Kill>> ReadKills(std::string_view readme);

/// The sentences of the rules in the README, in its order.
std::vector<std::string> ReadSentences(std::string_view readme);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_README_H_
