// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/commands/certification_plan.h"

#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "certifying/case_paths.h"
#include "certifying/report.h"
#include "certifying/version.h"
#include "hal_tests/check.h"
#include "hal_tests/suite_run.h"
#include "random_graph/campaign_run.h"
#include "tools/flags.h"

namespace nncert {

std::vector<std::string> SuiteNames() {
  std::vector<std::string> names = {kSpecs, kSystematic};
  for (const Suite& suite : AllSuites()) names.emplace_back(suite.name);
  names.emplace_back(kRandomGraphs);
  return names;
}

const std::vector<Profile>& AllProfiles() {
  static const auto* const profiles = new std::vector<Profile>{
      {.name = "full", .purpose = "everything, as a certificate takes"},
      {.name = "quick",
       .purpose = "a first look, or after each change of a driver",
       .suites = {kSpecs, "basic", "output_shapes", kRandomGraphs},
       .graphs = 1000},
      {.name = "vts",
       .purpose = "what Android's own suite of the vendor's interface has",
       .suites = {kSpecs, "basic", "validate_model", "validate_request", "validate_burst",
                  "caching", kRandomGraphs},
       .graphs = 14500},
  };
  return *profiles;
}

absl::StatusOr<Profile> FindProfile(std::string_view name) {
  for (const Profile& profile : AllProfiles()) {
    if (profile.name == name) return profile;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--profile: there is no profile \"", std::string(name), "\"; expected one of ",
      absl::StrJoin(AllProfiles(), ", ", [](std::string* text, const Profile& profile) {
        absl::StrAppend(text, std::string(profile.name));
      })));
}

absl::StatusOr<std::vector<CaseInMode>> InAllModes(const LoadedCases& loaded) {
  return SelectCases(loaded.cases, TestModes().modes, /*filter=*/"");
}

absl::StatusOr<MustPassList> MakeMustPassList(hal::HalVersion version,
                                              absl::Span<const CaseInMode> specs,
                                              absl::Span<const CaseInMode> systematic) {
  MustPassList list;
  list.nncert = kVersion;
  list.hal_version = std::string(toString(version));
  for (const auto& [name, cases] : {std::pair(kSpecs, specs), std::pair(kSystematic, systematic)}) {
    absl::StatusOr<ListedSuite> suite = ListCases(name, cases);
    if (!suite.ok()) return suite.status();
    list.suites.push_back(*std::move(suite));
  }
  for (const Suite& suite : AllSuites()) {
    list.suites.push_back(
        ListTests(suite, suite.make_tests(CasesFor(suite, specs, systematic), version)));
  }
  list.suites.push_back(ListGraphs(version));
  return list;
}

absl::StatusOr<std::unique_ptr<const OwnCases>> LoadOwnCases() {
  auto own = std::make_unique<OwnCases>();
  absl::StatusOr<LoadedCases> specs = LoadBundledCases();
  if (!specs.ok()) return specs.status();
  own->loaded_specs = *std::move(specs);
  absl::StatusOr<LoadedCases> systematic = LoadSystematicCases();
  if (!systematic.ok()) return systematic.status();
  own->loaded_systematic = *std::move(systematic);
  absl::StatusOr<std::vector<CaseInMode>> spec_cases = InAllModes(own->loaded_specs);
  if (!spec_cases.ok()) return spec_cases.status();
  own->specs = *std::move(spec_cases);
  absl::StatusOr<std::vector<CaseInMode>> systematic_cases = InAllModes(own->loaded_systematic);
  if (!systematic_cases.ok()) return systematic_cases.status();
  own->systematic = *std::move(systematic_cases);
  return own;
}

absl::StatusOr<MustPassList> MakeMustPassList(hal::HalVersion version) {
  const absl::StatusOr<std::unique_ptr<const OwnCases>> own = LoadOwnCases();
  if (!own.ok()) return own.status();
  return MakeMustPassList(version, (*own)->specs, (*own)->systematic);
}

}  // namespace nncert
