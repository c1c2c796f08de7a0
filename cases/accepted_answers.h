// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which answers to a case are accepted, element by element: what a judge makes of the documentation
// and a file without a judge has to say.

#ifndef NNCERT_CASES_ACCEPTED_ANSWERS_H_
#define NNCERT_CASES_ACCEPTED_ANSWERS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "reference/unordered_rows.h"

namespace nncert {

/// The numbers that are accepted as an element: those in [lowest, highest]; both are NaN where no
/// number is. A NaN is accepted where one is expected.
struct AcceptedElement {
  double lowest = 0;
  double highest = 0;

  bool operator==(const AcceptedElement&) const = default;
};

/// What is accepted of one output.
struct AcceptedOutput {
  /// One for each element, row-major. Empty where the output is not compared, and where only the
  /// very bytes that are expected are accepted, since their meaning is not known.
  std::vector<AcceptedElement> elements;
  /// Why less is accepted than nncert would accept, a sentence without a full stop; else empty.
  std::string caveat;
};

/// Rows of outputs that may come in any order; see UnorderedRows.
struct AcceptedRows {
  /// The outputs that the rows are made of, as positions in Model::outputIndexes.
  std::vector<size_t> outputs;
  /// How many rows there are.
  size_t rows = 0;
  /// Which of them may change places. The rows of no group may be anything.
  std::vector<RowGroup> groups;
};

/// What is accepted as the answer to one example.
struct AcceptedAnswer {
  /// One for each of Example::outputs.
  std::vector<AcceptedOutput> outputs;
  std::vector<AcceptedRows> unordered_rows;
};

/// A case with expected outputs, and the answers to each of its examples that are accepted. Both
/// must outlive this.
struct AcceptedCase {
  const TestCase& test_case;
  absl::Span<const AcceptedAnswer> answers;
};

}  // namespace nncert

#endif  // NNCERT_CASES_ACCEPTED_ANSWERS_H_
