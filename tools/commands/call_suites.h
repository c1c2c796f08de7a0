// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suites of the interface's calls, as certify runs them.

#ifndef NNCERT_TOOLS_COMMANDS_CALL_SUITES_H_
#define NNCERT_TOOLS_COMMANDS_CALL_SUITES_H_

#include <filesystem>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "certifying/driver_names.h"
#include "certifying/name_filter.h"
#include "certifying/outcome/waivers.h"
#include "certifying/report.h"
#include "certifying/submission/bazel_results.h"

namespace nncert {

/// Opens the driver again, for some of its suites. Where it cannot be, nothing, and the report says
/// so: it could be before, when it ran the cases, whose results are not to be lost with it.
std::optional<OpenedDriver> OpenAgain(const NamedDriver& driver, absl::Duration deadline,
                                      absl::string_view suites, RunReport& report);

/// Runs the suites of the interface's calls that are not left out, of the bundled and the
/// systematic cases that they take, on a driver that is opened again, and adds what comes of them
/// to the report. Each result is kept in a journal in `out`, which `--resume` goes on with; those
/// that are `known`, which may be null, are taken over. Whether they were interrupted. Fails when
/// the driver does not give as many sessions as there are jobs, and when the journal cannot be
/// opened or written.
absl::StatusOr<bool> RunHalSuites(const NamedDriver& driver, const std::filesystem::path& out,
                                  absl::Span<const CaseInMode> specs,
                                  absl::Span<const CaseInMode> systematic, const NameFilter& filter,
                                  absl::Duration deadline, const BazelResults* known,
                                  RunWaivers* waivers, RunReport& report);

}  // namespace nncert

#endif  // NNCERT_TOOLS_COMMANDS_CALL_SUITES_H_
