// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Does commands to a driver, and looks whether it answers as the rules have it.

#ifndef NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_RUN_H_
#define NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_RUN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal_tests/cases/answer.h"
#include "hal_tests/check.h"
#include "hal_tests/lifecycle/lifecycle_rules.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// A case that the driver supports, and what it answers to each input when nothing else happens.
struct LifecycleCase {
  CaseInMode test_case;
  std::vector<Answer> alone;
};

/// Has the driver answer each input of a case, and nothing else; or why it cannot.
std::optional<Problem> AskAlone(DriverSession& session, absl::Duration deadline,
                                LifecycleCase& asked);

/// What a sequence of commands came to.
struct LifecycleOutcome {
  /// How many were done as the rules have it, by the check of each.
  std::map<std::string_view, uint64_t> passed;
  /// The first that was not, if any: what was done before and answered, one command a line, is in
  /// its detail.
  std::optional<CheckFailure> failure;
};

/// The check that a command makes: the name of one of LifecycleChecks.
std::string_view CheckOf(LifecycleCall call);

/// What a device has to choose from: its version, whether it caches. `models` are as many as there
/// are cases.
LifecycleRoom RoomOf(DriverSession& session, uint8_t models, absl::Duration deadline);

/// Does those commands that are legal. Model i is that of case i.
/// `deadline` is that of each call.
LifecycleOutcome RunLifecycle(DriverSession& session, absl::Duration deadline,
                              const LifecycleRoom& room, absl::Span<const LifecycleCase> cases,
                              absl::Span<const LifecycleCommand> commands);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_RUN_H_
