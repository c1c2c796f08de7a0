// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the suites that execute cases have in common.

#ifndef NNCERT_HAL_TESTS_CASES_CASE_EXECUTION_H_
#define NNCERT_HAL_TESTS_CASES_CASE_EXECUTION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"
#include "hal_tests/check.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "harness/isolation/spare_pools.h"

namespace nncert {

/// A way to have a request executed.
struct ExecutionWay {
  Executor executor = Executor::ASYNC_1_0;
  hal::V1_2::MeasureTiming measure = hal::V1_2::MeasureTiming::NO;
};

/// Every way that a device of `version` has: by execute alone before 1.2; since then by
/// execute_1_2, executeSynchronously and a burst as well, each with timing and without.
std::vector<ExecutionWay> WaysOf(hal::HalVersion version);

/// Those of them without timing.
std::vector<ExecutionWay> UntimedWaysOf(hal::HalVersion version);

/// One of those, chosen by the name of the case, for what need not be done in every way.
ExecutionWay UntimedWayOf(const CaseInMode& test_case, hal::HalVersion version);

/// Those of them, with timing or without, that tell the shapes of outputs; none before 1.2.
std::vector<ExecutionWay> WaysWithShapesOf(hal::HalVersion version);

/// "SYNC with timing".
std::string Describe(const ExecutionWay& way);

/// Whether a valid request can be made of the first example of a case in its mode, on a device of
/// `version`: the model is one of that version, the example has expected outputs and fits.
bool IsExecutable(const CaseInMode& in_mode, hal::HalVersion version);

/// Of the executable cases the first of each operation, type of the first input and mode, for
/// suites in which the values do not matter; none whose outputs are samples, which are drawn anew
/// each time.
std::vector<CaseInMode> OneOfEachKind(absl::Span<const CaseInMode> cases, hal::HalVersion version);

/// The same, but all of each kind that have at most 256 KiB of inputs, outputs and constants, the
/// largest first: they are executed for longest, and a driver that does not support one may support
/// another.
std::vector<std::vector<CaseInMode>> LargestFirstOfEachKind(absl::Span<const CaseInMode> cases,
                                                            hal::HalVersion version);

/// The first example of a case with the elements of its first input, if these are numbers, moved on
/// by `places`, so that there are several.
Example ExampleOf(const CaseInMode& in_mode, size_t places);

/// A valid request of an example of a case that is executable, or of its first one, for its model
/// in its mode. Fails as GuardedRequest::Create does.
absl::StatusOr<GuardedRequest> RequestOf(const CaseInMode& test_case, const Example& example,
                                         hal::HalVersion version, SparePools& spares);
absl::StatusOr<GuardedRequest> RequestOf(const CaseInMode& test_case, hal::HalVersion version,
                                         SparePools& spares);

/// The same in memory that is arranged in this way, which the device must know.
absl::StatusOr<GuardedRequest> RequestOf(const CaseInMode& test_case, hal::HalVersion version,
                                         const RequestLayout& layout, SparePools& spares);

/// What there is to execute, or why there is nothing: MISSING.
struct MadeRequest {
  std::optional<GuardedRequest> request;
  std::optional<Problem> problem;
};

/// The same as a part of a step, in the memory that `prepared` has to spare.
MadeRequest MakeRequest(const CaseInMode& test_case, hal::HalVersion version,
                        const RequestLayout& layout, const ModelOnDriver& prepared);

/// The values of all outputs, one after the other.
using OutputValues = std::vector<std::vector<uint8_t>>;

/// A successful execution, or why there was none.
struct Executed {
  /// UNSUPPORTED when a model with unknown output dimensions ends with GENERAL_FAILURE, which
  /// drivers may do; FAIL for any other status but NONE.
  std::optional<Problem> problem;
  ExecutionOutcome outcome;
  /// As many bytes of each buffer as the dimensions that the driver reports take; where it reports
  /// none, those that are expected.
  OutputValues values;
};

/// Executes a request of the first example of a case, all of whose buffers are large enough.
Executed ExecuteCase(const CaseInMode& test_case, ModelOnDriver& prepared,
                     const GuardedRequest& request, const ExecutionWay& way);

/// The same where the driver is known to execute the case, so that no failure is for want of
/// support.
Executed ExecuteCaseAgain(const CaseInMode& test_case, ModelOnDriver& prepared,
                          const GuardedRequest& request, const ExecutionWay& way);

/// Says where two executions differ: "byte 3 of output 0 is 0x40 after WHAT, and 0x41 after OTHER;
/// expected the same"; nothing where they do not. Both have succeeded.
std::optional<Problem> DifferenceOf(const OutputValues& values, std::string_view what,
                                    const OutputValues& others, std::string_view other);

/// What came of a check in a step.
struct CheckOutcome {
  std::string_view check;
  /// What was done to the driver.
  std::string what;
  /// Nothing when the check passed. UNSUPPORTED and VACUOUS are no failures: the driver does not
  /// support what it takes, and there was nothing to check.
  std::optional<Problem> problem;
};

/// A test of a suite that has the model of a case prepared and does something with it.
class PreparedCaseTest : public SuiteTest {
 public:
  /// The case, which must be executable, outlives the test.
  PreparedCaseTest(const CaseInMode& test_case, hal::HalVersion version)
      : case_(test_case), version_(version) {}

  std::string name() const override;
  std::string operation() const override;

  /// Has the model prepared, and Uses it. When it is not, the steps that are left are not run: a
  /// driver that does not support the model is UNSUPPORTED, any other failure is one of the check
  /// that preparation() names.
  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override;

 protected:
  /// The check that fails when the model is not prepared, or its release breaks a rule.
  virtual std::string_view preparation() const = 0;

  /// Runs the steps from record.next on, on the prepared model; as SuiteTest::Run. `request` is a
  /// valid one that has not been executed.
  virtual std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& request,
                                          TestRecord& record) const = 0;

  /// For Use: runs the steps from record.next on, each of which makes checks, and enters what came
  /// of them. A step whose outcome says that the driver is lost is its last.
  std::optional<CheckFailure> RunSteps(
      TestRecord& record, absl::FunctionRef<std::vector<CheckOutcome>(size_t step)> run_step) const;

  const CaseInMode& test_case() const { return case_; }
  hal::HalVersion version() const { return version_; }

 private:
  const CaseInMode case_;
  const hal::HalVersion version_;
};

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CASES_CASE_EXECUTION_H_
