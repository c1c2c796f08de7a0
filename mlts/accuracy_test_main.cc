// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The accuracy half of MLTS as a GoogleTest program, as NNAccuracyTest of VTS 1.2 has it: each
// network, over all of its data, is a test NNAccuracyTest.NAME. A driver that does not support a
// network skips its test.
//
//     accuracy_test_main --driver=PATH
//
// The networks are those that nncert was built with and, where the environment variable
// NNCERT_MLTS_DATA names a folder of networks and data (docs/mlts.md), those of it. See
// driver_of_test.h for the driver.

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "certifying/driver_of_test.h"
#include "gtest/gtest.h"
#include "harness/case_worker.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/verdict.h"
#include "mlts/measuring/accuracy.h"
#include "mlts/measuring/benchmark_source.h"
#include "mlts/measuring/layers.h"
#include "mlts/measuring/network_arguments.h"
#include "reference/driver/driver.h"

namespace nncert {
namespace {

// What all tests share.
struct Suite {
  DriverOfTest driver;
  BenchmarkSources benchmarks;
};

Verdict VerdictOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnimplemented:
      return Verdict::UNSUPPORTED;
    case absl::StatusCode::kDeadlineExceeded:
      return Verdict::TIMEOUT;
    case absl::StatusCode::kUnavailable:
      return Verdict::CRASH;
    case absl::StatusCode::kInvalidArgument:
      return Verdict::INVALID;
    default:
      return Verdict::FAIL;
  }
}

// Measures and checks the accuracy of a driver on a benchmark, beside the reference.
absl::Status Check(const BenchmarkSource& source, DriverSession& session) {
  const absl::StatusOr<Benchmark> benchmark = source.load();
  if (!benchmark.ok()) return benchmark.status();
  const absl::StatusOr<NetworkArguments> arguments = NetworkArguments::Of(benchmark->network);
  if (!arguments.ok()) return arguments.status();
  const absl::StatusOr<std::unique_ptr<DriverSession>> reference =
      DriverSession::FromDevice(MakeReferenceDriver(), "reference");
  if (!reference.ok()) return absl::InternalError(reference.status().message());
  const absl::StatusOr<AccuracyMeasurement> measured = MeasureAccuracy(
      *benchmark, *arguments, {{session.name(), &session}, {"reference", reference->get()}}, {});
  if (!measured.ok()) return measured.status();
  // A photo that cannot be read is one that is not judged.
  if (!measured->problems.empty()) return absl::InvalidArgumentError(measured->problems.front());
  std::string failures;
  for (const CheckResult& check : measured->checks) {
    std::cout << toString(check.outcome) << ' ' << check.name << ": " << check.detail << std::endl;
    if (check.outcome != CheckResult::Outcome::FAIL) continue;
    absl::StrAppend(&failures, failures.empty() ? "" : "\n", check.name, ": ", check.detail);
  }
  if (failures.empty()) return absl::OkStatus();
  if (measured->furthest.has_value()) {
    std::string why;
    FirstDivergingOperation(*arguments, session, *measured->furthest, kDefaultDeadline, why);
    if (!why.empty()) absl::StrAppend(&failures, "\n", why);
  }
  return absl::FailedPreconditionError(failures);
}

// One network.
class AccuracyTest : public ::testing::Test {
 public:
  AccuracyTest(const Suite& suite, const BenchmarkSource& source)
      : suite_(suite), source_(source) {}

  void TestBody() override {
    DriverTask task;
    task.full_name = absl::StrCat("NNAccuracyTest.", source_.name);
    task.blank.name = source_.name;
    task.run = [&](DriverSession& session) {
      CaseResult result = task.blank;
      const absl::Status status = Check(source_, session);
      result.verdict = status.ok() ? Verdict::PASS : VerdictOf(status);
      result.detail = std::string(status.message());
      return result;
    };
    const CaseResult result = suite_.driver.worker->RunTask(task);
    RecordProperty("verdict", std::string(toString(result.verdict)));
    if (result.verdict == Verdict::UNSUPPORTED) {
      GTEST_SKIP() << toString(result.verdict) << ": " << result.detail;
    } else if (result.verdict != Verdict::PASS) {
      FAIL() << toString(result.verdict) << ": " << result.detail;
    }
  }

 private:
  const Suite& suite_;
  const BenchmarkSource& source_;
};

absl::StatusOr<Suite> LoadSuite() {
  // Networks are large enough for several processors.
  absl::StatusOr<DriverOfTest> driver = OpenDriverOfTest(/*needs_processors=*/true);
  if (!driver.ok()) return driver.status();
  absl::StatusOr<BenchmarkSources> benchmarks = EmbeddedSources();
  if (!benchmarks.ok()) return benchmarks.status();
  if (const char* const folder = std::getenv("NNCERT_MLTS_DATA"); folder != nullptr) {
    absl::StatusOr<BenchmarkSources> others = SourcesOfFolder(folder, {});
    if (!others.ok()) return others.status();
    if (!others->problems.empty()) return absl::InvalidArgumentError(others->problems.front());
    for (BenchmarkSource& source : others->sources) {
      benchmarks->sources.push_back(std::move(source));
    }
  }
  return Suite{*std::move(driver), *std::move(benchmarks)};
}

int Main(int argument_count, char** arguments) {
  ::testing::InitGoogleTest(&argument_count, arguments);
  absl::ParseCommandLine(argument_count, arguments);
  absl::StatusOr<Suite> suite = LoadSuite();
  if (!suite.ok()) {
    std::cerr << "accuracy_test_main: " << suite.status().message() << std::endl;
    return 1;
  }
  for (const BenchmarkSource& source : suite->benchmarks.sources) {
    ::testing::RegisterTest(
        "NNAccuracyTest", source.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [&suite, &source]() -> ::testing::Test* { return new AccuracyTest(*suite, source); });
  }
  return RunTestsOn(suite->driver);
}

}  // namespace
}  // namespace nncert

int main(int argument_count, char** arguments) { return nncert::Main(argument_count, arguments); }
