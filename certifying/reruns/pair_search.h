// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Looks for the one case that makes another one fail by being run before it.

#ifndef NNCERT_CERTIFYING_RERUNS_PAIR_SEARCH_H_
#define NNCERT_CERTIFYING_RERUNS_PAIR_SEARCH_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "certifying/outcome/rerun_outcome.h"

namespace nncert {

/// What a search has to know of a case of a run.
struct RanCase {
  /// The operation under test.
  std::string operation;
  /// How often its model was executed.
  int executions = 0;
  /// Whether the driver's process ended with it, so that nothing of it can be left for others.
  bool ended_process = false;
};

/// Runs cases, by their places in the run, one after the other in one new process of the driver:
/// whether the last one fails. Nothing when no more cases are to be run.
using LastFails = absl::FunctionRef<std::optional<bool>(absl::Span<const size_t> places)>;

/// What a search has found.
struct PairSearchResult {
  /// The runs of the case.
  RunTally runs;
  /// The place of the case that makes it fail; nothing where there is no such one case.
  std::optional<size_t> culprit = std::nullopt;
  /// Whether no more cases were to be run before the search came to its end.
  bool is_cut = false;
};

/// Looks for the case that makes the one at `failing` fail, which failed in the run of `cases` and
/// does not when it is alone. `suspects` are places that are tried before all others.
///
/// It is run behind the cases that came before it in the run, more and more of them, the nearest
/// first; if it passes behind all of them, last, behind all other cases. Where it fails, the cases
/// before it are halved for as long as it fails behind one of the halves. Of the one that is left
/// it is then asked
/// - whether it makes the case fail again, twice;
/// - whether a case of another operation does as well, executed as often: then what is wrong is not
///   the one case, for a driver that counts executions or does something now and then fails behind
///   any. Without such a case to ask there is no culprit either.
PairSearchResult FindCulprit(absl::Span<const RanCase> cases, size_t failing,
                             absl::Span<const size_t> suspects, LastFails last_fails);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_RERUNS_PAIR_SEARCH_H_
