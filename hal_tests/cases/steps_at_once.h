// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Steps of a test whose calls go to a driver in another process together: a message for all of them
// in place of several for each.

#ifndef NNCERT_HAL_TESTS_CASES_STEPS_AT_ONCE_H_
#define NNCERT_HAL_TESTS_CASES_STEPS_AT_ONCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "hal/replay/call_sequence.h"
#include "hal_tests/check.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// Steps that each send something that the driver is to refuse. As long as it does, they pass
/// together; where it does not, or is lost, the test goes on one by one, from record.next.
class StepsAtOnce {
 public:
  /// All of them outlive this. `what` says what is sent: "invalid models".
  StepsAtOnce(DriverSession& session, absl::Duration deadline, TestRecord& record,
              std::string_view what)
      : session_(session), deadline_(deadline), record_(record), what_(what) {}

  /// The next step makes this check; it sends nothing when that `is_legal` after all.
  void Add(std::string_view check, bool is_legal);
  bool IsEmpty() const { return steps_.empty(); }

  /// Has the calls of the steps made that were added. When the driver has answered as the HAL
  /// demands, and `is_refused` says so of its answers, one for each model, the steps have passed
  /// and are in the record; otherwise no more is to be sent at once, and this is false.
  bool Send(std::vector<hal::replay::SequencedModel> models,
            absl::FunctionRef<bool(const std::vector<hal::replay::SequencedAnswers>&)> is_refused);

  /// The failure that ended the driver.
  const std::optional<CheckFailure>& lost() const { return lost_; }

  /// The test is at its end. What the driver did that is not allowed, and did not do again one by
  /// one, is a failure.
  void End();

 private:
  DriverSession& session_;
  const absl::Duration deadline_;
  TestRecord& record_;
  const std::string_view what_;
  // The check of each step, and whether what it would send is legal.
  std::vector<std::pair<std::string_view, bool>> steps_;
  std::optional<CheckFailure> lost_;
  std::optional<CheckFailure> violation_;
};

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CASES_STEPS_AT_ONCE_H_
