// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The driver under test of a GoogleTest program, one of the suites:
//
//     PROGRAM --driver=PATH --driver_host=PATH
//
// The environment variable NNCERT_DRIVER goes before --driver: the path of a shared object, which
// an option may follow (PATH.so:OPTION), or the socket of a service, unix:PATH. The driver gets a
// process of its own from driver_host, so that a test that it crashes in fails and the next one
// runs; --in_process is for debuggers.

#ifndef NNCERT_CERTIFYING_DRIVER_OF_TEST_H_
#define NNCERT_CERTIFYING_DRIVER_OF_TEST_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "certifying/driver_names.h"
#include "certifying/submission/must_pass_list.h"
#include "hal/version.h"
#include "harness/case_worker.h"
#include "harness/records/answers_file.h"
#include "harness/records/journal.h"

namespace nncert {

/// The driver, opened.
struct DriverOfTest {
  /// Which driver it is, and what it says of its version.
  NamedDriver driver;
  std::string version_string;
  /// What the worker works with.
  std::unique_ptr<OpenedDriver> opened;
  std::unique_ptr<CaseWorker> worker;
  hal::HalVersion version = hal::HalVersion::V1_2;
  /// Where failing cases are written to, in the folder in which Bazel keeps what a test writes;
  /// empty outside of Bazel.
  std::string dump_directory;
  /// What KeepResults began; null without.
  std::unique_ptr<Journal> journal;
  std::unique_ptr<AnswersFile> answers;
};

/// Opens the driver that the flags and the environment name. InvalidArgument when they name none.
///
/// It lives in a process of its own, but with --in_process, and is called from one processor, but
/// with --unpinned or when the tests need several (see Isolation).
absl::StatusOr<DriverOfTest> OpenDriverOfTest(bool needs_processors);

/// Has results kept for `nncert merge` (certifying/submission/results_of_tests.h), where Bazel
/// keeps anything: `tests` are those of the program, in the order in which the journal counts them.
/// Fails when something cannot be written, or the driver cannot be read.
absl::Status KeepResults(const ListedSuite& tests, DriverOfTest& driver);

/// Runs all tests, and gives the program's exit status: 1 also when something happened to the
/// driver between tests, which belongs to none of them.
int RunTestsOn(DriverOfTest& driver);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_DRIVER_OF_TEST_H_
