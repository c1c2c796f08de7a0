// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs many test cases on one driver, several at the same time.

#ifndef NNCERT_TOOLS_CASE_BATCH_H_
#define NNCERT_TOOLS_CASE_BATCH_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "harness/case_runner.h"
#include "harness/case_source.h"
#include "harness/driver_session.h"

namespace nncert {

/// A case in one of its modes.
struct CaseInMode {
  /// Never null; not owned.
  const LoadedCase* loaded = nullptr;
  TestMode mode = TestMode::kStatic;
};

/// Every case in each of `modes` in which it has a name that the regular expression `filter`
/// (ECMAScript) finds a match in; an empty filter takes all. In the order of `cases`, the modes of
/// a case in the order of `modes`. Refers to `cases`. InvalidArgument when the filter is no regular
/// expression.
absl::StatusOr<std::vector<CaseInMode>> SelectCases(absl::Span<const LoadedCase> cases,
                                                    absl::Span<const TestMode> modes,
                                                    const std::string& filter);

/// How to run a batch.
struct BatchOptions {
  /// Where failures are dumped; empty for nowhere. A case whose name came before in the batch is
  /// dumped into a subfolder that is called by a number.
  std::string dump_directory;
  /// How many cases run at the same time; at least 1.
  size_t jobs = 1;
  /// See RunOptions::deadline.
  absl::Duration deadline = kDefaultDeadline;
};

/// Runs the cases on the session's device, each with a session of its own when there is more than
/// one job. Calls `report` for each result as it comes, from one thread at a time. Gives the
/// results in the order of `cases`. Fails when another session cannot be had on the device.
absl::StatusOr<std::vector<CaseResult>> RunCases(DriverSession& session,
                                                 absl::Span<const CaseInMode> cases,
                                                 const BatchOptions& options,
                                                 absl::FunctionRef<void(const CaseResult&)> report);

}  // namespace nncert

#endif  // NNCERT_TOOLS_CASE_BATCH_H_
