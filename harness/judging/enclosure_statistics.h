// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Measures the reference's enclosures: whether they hold what they must, and how wide they are.

#ifndef NNCERT_HARNESS_JUDGING_ENCLOSURE_STATISTICS_H_
#define NNCERT_HARNESS_JUDGING_ENCLOSURE_STATISTICS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cases/test_case.h"

namespace nncert {

/// What the enclosures of one operation's results came to.
struct OperationEnclosures {
  /// Cases whose results are counted here.
  uint64_t cases = 0;
  /// Output elements of all examples.
  uint64_t elements = 0;
  /// Elements without a finite enclosure: the output is UNDECIDED, or the ball unbounded.
  uint64_t undecided = 0;
  /// Elements of which the result in float or in double is not in the ball, and outputs whose
  /// dimensions differ between number systems although the enclosure is decided.
  uint64_t violations = 0;
  /// For each other element: the radius of the ball / the documented threshold at the element's
  /// value in double. Where the threshold is 0 (exact types), 0 for an exact ball, else infinity.
  std::vector<float> widths;

  /// The width that a share `quantile`, in [0, 1], of the elements does not exceed (nearest rank);
  /// 0 when there are none.
  double WidthQuantile(double quantile) const;
};

/// Enclosures of the results of test cases, by operation. A model of several operations counts
/// under its last one.
class EnclosureStatistics {
 public:
  /// Executes every example of a case in float, in double and as enclosures, and counts the
  /// elements of all outputs. Unimplemented when the catalogue does not have an operation of the
  /// model, InvalidArgument when the model or an example is invalid; nothing is then counted. Nor
  /// is a case that is to fail, which has no results.
  absl::Status Add(const TestCase& test_case);

  /// Adds what other statistics have counted.
  void Merge(const EnclosureStatistics& other);

  /// The counts, by the operation's HAL name.
  const std::map<std::string, OperationEnclosures>& by_operation() const { return by_operation_; }

  /// Each violation on a line: the case, the example, the output, the element, the value and the
  /// ball that does not hold it. At most 10 for each output of an example.
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  std::map<std::string, OperationEnclosures> by_operation_;
  std::vector<std::string> violations_;
};

/// The statistics as an aligned table with a header line and a line for each operation, and one for
/// all of them when there are several.
std::string EnclosuresToTable(const EnclosureStatistics& statistics);

/// The statistics as JSON: {"operations": [{"operation", "cases", "elements", "undecided",
/// "violations", "medianWidth", "p99Width"}], "violations": [text]}. Infinite widths are null.
std::string EnclosuresToJson(const EnclosureStatistics& statistics);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_ENCLOSURE_STATISTICS_H_
