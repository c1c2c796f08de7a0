// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What certifications consist of: the suites, the profiles that choose among them, and the lists of
// all that a complete run has.

#ifndef NNCERT_TOOLS_COMMANDS_CERTIFICATION_PLAN_H_
#define NNCERT_TOOLS_COMMANDS_CERTIFICATION_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/case_source.h"
#include "certifying/case_batch.h"
#include "certifying/submission/must_pass_list.h"
#include "hal/version.h"

namespace nncert {

/// The names of all suites, in the order in which they are run.
std::vector<std::string> SuiteNames();

/// Suites and amounts that belong together.
struct Profile {
  /// What --profile calls it.
  std::string_view name;
  /// What it is for: a clause.
  std::string_view purpose;
  /// The suites; empty for all.
  std::vector<std::string> suites = {};
  /// How many random graphs; 0 for as many as a certificate takes.
  uint64_t graphs = 0;
};

/// All of them, the one that a certificate takes first.
const std::vector<Profile>& AllProfiles();

/// The profile of this name; InvalidArgument names those that there are.
absl::StatusOr<Profile> FindProfile(std::string_view name);

/// The cases in all of their modes.
absl::StatusOr<std::vector<CaseInMode>> InAllModes(const LoadedCases& loaded);

/// The list of all that a complete run on a driver of `version` consists of, by the cases of the
/// bundled specs and the systematic ones, in all of their modes. Fails when a case cannot be
/// serialized.
absl::StatusOr<MustPassList> MakeMustPassList(hal::HalVersion version,
                                              absl::Span<const CaseInMode> specs,
                                              absl::Span<const CaseInMode> systematic);

/// The same of the cases that come with nncert. Fails as loading them does.
absl::StatusOr<MustPassList> MakeMustPassList(hal::HalVersion version);

/// The cases that come with nncert, in all of their modes.
struct OwnCases {
  LoadedCases loaded_specs;
  LoadedCases loaded_systematic;
  /// These refer to the above.
  std::vector<CaseInMode> specs;
  std::vector<CaseInMode> systematic;
};

/// Loads them. Fails as that does.
absl::StatusOr<std::unique_ptr<const OwnCases>> LoadOwnCases();

}  // namespace nncert

#endif  // NNCERT_TOOLS_COMMANDS_CERTIFICATION_PLAN_H_
