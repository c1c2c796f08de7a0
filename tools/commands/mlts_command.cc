// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "certifying/case_paths.h"
#include "certifying/driver_names.h"
#include "certifying/name_filter.h"
#include "certifying/progress.h"
#include "harness/records/failure_dump.h"
#include "mlts/measuring/benchmark_source.h"
#include "mlts/measuring/claims.h"
#include "mlts/measuring/measuring_run.h"
#include "mlts/page/write_results.h"
#include "mlts/results/comparison.h"
#include "mlts/results/results.h"
#include "mlts/results/results_json.h"
#include "mlts/stress/stress_client.h"
#include "mlts/stress/stress_run.h"
#include "system/interruption.h"
#include "system/program.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_FLAG(std::string, data, "",
          "a folder of networks and data, MLTS's or one's own; by default the networks that nncert "
          "was built with");
ABSL_FLAG(std::string, models, "",
          "take only benchmarks whose name this regular expression (RE2) finds a match in");
ABSL_FLAG(uint64_t, samples, 0,
          "how many samples of each data set to take, the first ones; 0 for all");
ABSL_FLAG(absl::Duration, timing, absl::Milliseconds(500),
          "for how long each way of executing is timed on each driver, at the least: 50ms, 2s");
ABSL_FLAG(bool, mlts_preprocessing, false,
          "feed quantized networks with photos as MLTS does, where white pixels become black: its "
          "published shares of top 1 come of that");
ABSL_FLAG(std::string, descriptions, "",
          "a JSON file that describes networks of a folder of one's own, by name");

ABSL_DECLARE_FLAG(std::string, filter);
ABSL_DECLARE_FLAG(uint64_t, seed);
ABSL_DECLARE_FLAG(absl::Duration, time);

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;
using Status = BenchmarkResult::Status;

// The benchmarks that the flags ask for. What could not be read of a folder is told.
absl::StatusOr<BenchmarkSources> SourcesOfFlags() {
  const absl::StatusOr<NameFilter> filter = NameFilter::Of(absl::GetFlag(FLAGS_models), "--models");
  if (!filter.ok()) return filter.status();
  const std::string folder = absl::GetFlag(FLAGS_data);
  BenchmarkFolderOptions options;
  options.preprocessing =
      absl::GetFlag(FLAGS_mlts_preprocessing) ? Preprocessing::MLTS : Preprocessing::SATURATING;
  options.descriptions = absl::GetFlag(FLAGS_descriptions);
  absl::StatusOr<BenchmarkSources> sources =
      folder.empty() ? EmbeddedSources() : SourcesOfFolder(folder, options);
  if (!sources.ok()) return sources.status();
  for (const std::string& problem : sources->problems) {
    PrintInputError(absl::InvalidArgumentError(problem));
  }
  if (!sources->missing.empty()) {
    std::cerr << "nncert: " << sources->missing.size()
              << " networks of the lists are not there: " << absl::StrJoin(sources->missing, ", ")
              << std::endl;
  }
  std::erase_if(sources->sources,
                [&](const BenchmarkSource& source) { return !filter->Leaves(source.name); });
  if (sources->sources.empty()) {
    return absl::NotFoundError(folder.empty() ? "--models leaves none of the benchmarks"
                                              : absl::StrCat(folder,
                                                             ": there is no benchmark, or "
                                                             "--models leaves none"));
  }
  return sources;
}

// What stands in the results for the command line.
std::string CommandLine(const std::string& words, const NamedDriver& driver,
                        const std::string& out) {
  std::string command =
      absl::StrCat(ProgramWord(), " mlts", words, " --driver=", QuoteForShell(driver.name));
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) absl::StrAppend(&command, " --", name, "=", QuoteForShell(value));
  };
  add("data", absl::GetFlag(FLAGS_data));
  add("descriptions", absl::GetFlag(FLAGS_descriptions));
  add("models", absl::GetFlag(FLAGS_models));
  if (words.empty()) {
    const uint64_t samples = absl::GetFlag(FLAGS_samples);
    add("samples", samples == 0 ? "" : absl::StrCat(samples));
    add("timing", absl::FormatDuration(absl::GetFlag(FLAGS_timing)));
  }
  if (absl::GetFlag(FLAGS_mlts_preprocessing)) absl::StrAppend(&command, " --mlts_preprocessing");
  absl::StrAppend(&command, IsolationWords());
  add("out", out);
  return command;
}

// "1.23 ms" of microseconds.
std::string TimeInWords(double microseconds) {
  if (microseconds >= 1e6) return absl::StrFormat("%.3g s", microseconds / 1e6);
  if (microseconds >= 1e3) return absl::StrFormat("%.3g ms", microseconds / 1e3);
  return absl::StrFormat("%.3g us", microseconds);
}

// "NAME: top 1 93.2 %, 0.31 ms, 1.05 times xnnpack's", and a line for each check that failed.
std::string DescribeBenchmark(const BenchmarkResult& benchmark, const std::string& driver) {
  std::vector<std::string> facts;
  if (benchmark.status != Status::RUN) facts.emplace_back(toString(benchmark.status));
  if (!benchmark.detail.empty()) facts.push_back(benchmark.detail);
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    if (accuracy.driver != driver || accuracy.top_k.empty()) continue;
    facts.push_back(absl::StrFormat("top 1 %.1f %%", 100 * accuracy.top_k[0].value));
  }
  for (const LatencyResult& latency : benchmark.latency) {
    if (latency.driver != driver) continue;
    facts.push_back(absl::StrFormat("%s (%.4g a second)", TimeInWords(latency.wall.p50.value),
                                    1e6 / latency.wall.p50.value));
    break;
  }
  for (const char* baseline : {kCpuName, kReferenceName}) {
    const std::optional<Estimate> ratio = RatioOfTimes(benchmark, driver, baseline);
    if (!ratio.has_value()) continue;
    facts.push_back(absl::StrFormat("%.3g times %s's", ratio->value, baseline));
  }
  std::string text = absl::StrCat(benchmark.name, ": ", absl::StrJoin(facts, ", "));
  for (const CheckResult& check : benchmark.checks) {
    if (check.outcome != Outcome::FAIL) continue;
    absl::StrAppend(&text, "\n  FAIL ", check.name, ": ", check.detail);
  }
  if (!benchmark.first_diverging_operation.empty()) {
    absl::StrAppend(&text,
                    "\n  the first operation that errs: ", benchmark.first_diverging_operation);
  }
  for (const std::string& problem : benchmark.problems) {
    absl::StrAppend(&text, "\n  ", problem);
  }
  return text;
}

// The line that says how far the run is.
std::string DescribeProgress(const RunProgress& progress) {
  const double share = (static_cast<double>(progress.done) + progress.step.share) /
                       static_cast<double>(progress.total);
  std::string text =
      absl::StrFormat("[%3d%%] %d of %d, %s: %s", static_cast<int>(100 * share), progress.done,
                      progress.total, progress.benchmark, progress.step.what);
  if (progress.left.has_value()) {
    absl::StrAppend(&text, ", ",
                    absl::FormatDuration(absl::Trunc(*progress.left, absl::Seconds(1))), " left");
  }
  return text;
}

// What failed in the end, and where the results are.
std::string Summarize(const MltsResults& results, const std::string& out) {
  std::string text;
  for (const PerformanceClaim& claim : results.claims) {
    absl::StrAppend(&text, IsOverstated(claim) ? "FAIL claimed speed" : "claimed speed", ", ",
                    claim.operand_type, ": ",
                    absl::StrFormat("%.3g of the CPU's time claimed, %.3g [%.3g, %.3g] measured\n",
                                    claim.claimed, claim.measured.value, claim.measured.low,
                                    claim.measured.high));
  }
  const auto right = std::count_if(results.benchmarks.begin(), results.benchmarks.end(), IsRight);
  absl::StrAppend(&text, right, " of ", results.benchmarks.size(), " benchmarks are right, in ",
                  absl::StrFormat("%.1f s", results.seconds), "\nResults: ", out, "/report.html\n");
  return text;
}

absl::StatusOr<ExitStatus> Compare(absl::Span<const std::string> paths) {
  if (paths.size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", paths.size(), " results; compare takes two"));
  }
  const absl::StatusOr<MltsResults> before = ReadResults(paths[0]);
  if (!before.ok()) return before.status();
  const absl::StatusOr<MltsResults> after = ReadResults(paths[1]);
  if (!after.ok()) return after.status();
  const RunComparison comparison = CompareRuns(*before, *after);
  std::cout << DescribeComparison(comparison) << std::flush;
  return IsWorse(comparison) ? ExitStatus::kFailure : ExitStatus::kSuccess;
}

absl::StatusOr<MeasuringRunOptions> OptionsOfFlags() {
  MeasuringRunOptions options;
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  options.measuring.deadline = *deadline;
  options.measuring.samples = absl::GetFlag(FLAGS_samples);
  options.measuring.plan.time = absl::GetFlag(FLAGS_timing);
  if (options.measuring.plan.time <= absl::ZeroDuration() ||
      options.measuring.plan.time > absl::Hours(1)) {
    return absl::InvalidArgumentError("--timing must be above zero, and at most 1h");
  }
  options.measuring.plan.warm_up = options.measuring.plan.time / 5;
  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  options.driver = *driver;
  options.isolation = IsolationFlag();
  options.memory = MemoryFlag();
  return options;
}

// How long stress tests take unless somebody says otherwise.
constexpr absl::Duration kStressTime = absl::Minutes(4);

absl::StatusOr<StressRunOptions> StressOptionsOfFlags() {
  StressRunOptions options;
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  options.deadline = *deadline;
  const absl::Duration time = absl::GetFlag(FLAGS_time);
  options.time = time == absl::InfiniteDuration() ? kStressTime : time;
  if (options.time <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("--time must be above zero");
  }
  if (absl::GetFlag(FLAGS_in_process)) {
    return absl::InvalidArgumentError(
        "--in_process: a driver under stress has clients in several processes");
  }
  options.seed = absl::GetFlag(FLAGS_seed);
  absl::StatusOr<NameFilter> filter = NameFilter::Of(absl::GetFlag(FLAGS_filter));
  if (!filter.ok()) return filter.status();
  options.filter = *std::move(filter);
  options.memory = MemoryFlag();
  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  options.driver = *driver;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return absl::NotFoundError(absl::StrCat("this program: ", error.message()));
  options.client = {program.string(), "mlts", "client"};
  return options;
}

// "SUCCESS inference-stress: 20418 rounds in 30.1 s; DETAIL".
std::string DescribeStress(const StressResult& stress) {
  return absl::StrCat(std::string(toString(stress.status)), " ", stress.name, ": ", stress.rounds,
                      " rounds in ", absl::StrFormat("%.1f s", stress.seconds),
                      stress.detail.empty() ? "" : "; ", stress.detail);
}

std::string DescribeProgress(const StressProgress& progress) {
  return absl::StrFormat("%d of %d, %s, %s left", progress.done, progress.total, progress.test,
                         absl::FormatDuration(absl::Trunc(progress.left, absl::Seconds(1))));
}

absl::StatusOr<ExitStatus> Stress() {
  absl::StatusOr<StressRunOptions> options = StressOptionsOfFlags();
  if (!options.ok()) return options.status();
  const absl::StatusOr<BenchmarkSources> sources = SourcesOfFlags();
  if (!sources.ok()) return sources.status();
  const std::string out = absl::GetFlag(FLAGS_out).path.value_or("nncert-report");
  options->dump_directory = absl::StrCat(out, "/failures");
  const std::string filter = absl::GetFlag(FLAGS_filter);
  options->command = CommandLine(
      absl::StrCat(" stress --time=", absl::FormatDuration(options->time),
                   " --seed=", options->seed,
                   filter.empty() ? "" : absl::StrCat(" --filter=", QuoteForShell(filter))),
      options->driver, out);

  ProgressLine line(std::cerr, isatty(STDERR_FILENO) != 0);
  options->on_progress = [&](const StressProgress& progress) {
    if (line.IsDue()) line.Show(DescribeProgress(progress));
    return !Interruption::IsRequested();
  };
  options->on_test = [&](const MltsResults& so_far) {
    line.Print(std::cout, DescribeStress(so_far.stress.back()));
    // Should all go down, it is known what was found until then.
    const absl::Status written = WriteResults(so_far, out);
    if (!written.ok()) line.Print(std::cerr, std::string(written.message()));
  };
  const absl::StatusOr<MltsResults> results = RunStress(*options, sources->sources);
  if (!results.ok()) return results.status();
  if (absl::Status written = WriteResults(*results, out); !written.ok()) return written;
  const auto failed = std::count_if(results->stress.begin(), results->stress.end(), IsFailed);
  std::cout << failed << " of " << results->stress.size() << " stress tests failed, in "
            << absl::StrFormat("%.1f s", results->seconds) << "\nResults: " << out << "/report.html"
            << std::endl;
  if (!results->is_complete) return ExitStatus::kInterrupted;
  if (!sources->problems.empty()) return ExitStatus::kBadInput;
  return NothingFailed(*results) ? ExitStatus::kSuccess : ExitStatus::kFailure;
}

// A client that stress tests have started: ends with its own status, for it is no run.
absl::StatusOr<ExitStatus> Client(absl::Span<const std::string> words) {
  const absl::StatusOr<int> status = MainOfClient(words);
  if (!status.ok()) return status.status();
  return *status == 0 ? ExitStatus::kSuccess : ExitStatus::kFailure;
}

absl::StatusOr<ExitStatus> Mlts(absl::Span<const std::string> arguments) {
  if (!arguments.empty()) {
    if (arguments[0] == "compare") return Compare(arguments.subspan(1));
    if (arguments[0] == "client") return Client(arguments.subspan(1));
    if (arguments[0] == "stress" && arguments.size() == 1) return Stress();
    return absl::InvalidArgumentError(absl::StrCat("unknown argument ", arguments.back(),
                                                   "; expected none, stress, or compare A B"));
  }
  absl::StatusOr<MeasuringRunOptions> options = OptionsOfFlags();
  if (!options.ok()) return options.status();
  const absl::StatusOr<BenchmarkSources> sources = SourcesOfFlags();
  if (!sources.ok()) return sources.status();
  const std::string out = absl::GetFlag(FLAGS_out).path.value_or("nncert-report");
  options->command = CommandLine("", options->driver, out);

  ProgressLine line(std::cerr, isatty(STDERR_FILENO) != 0);
  options->on_progress = [&](const RunProgress& progress) {
    if (line.IsDue()) line.Show(DescribeProgress(progress));
    return !Interruption::IsRequested();
  };
  absl::Status written;
  options->on_benchmark = [&](const MltsResults& so_far) {
    line.Print(std::cout, DescribeBenchmark(so_far.benchmarks.back(), so_far.driver));
    // Should all go down, it is known what was measured until then.
    MltsResults partial = so_far;
    partial.is_complete &= so_far.benchmarks.size() == sources->sources.size();
    written = WriteResults(partial, out);
  };
  const absl::StatusOr<MltsResults> results = MeasureDriver(*options, sources->sources);
  if (!results.ok()) return results.status();
  if (!written.ok()) return written;
  std::cout << Summarize(*results, out) << std::flush;
  if (!results->is_complete) return ExitStatus::kInterrupted;
  const bool has_input_error = !sources->problems.empty() ||
                               std::any_of(results->benchmarks.begin(), results->benchmarks.end(),
                                           [](const BenchmarkResult& benchmark) {
                                             return benchmark.status == Status::UNREADABLE;
                                           });
  if (has_input_error) return ExitStatus::kBadInput;
  return NothingFailed(*results) ? ExitStatus::kSuccess : ExitStatus::kFailure;
}

}  // namespace

Command MltsCommand() {
  return {
      .name = "mlts",
      .arguments = "[stress | compare A B]",
      .summary =
          "measures a driver on real networks, or puts it under stress, or compares two runs",
      .description =
          "Runs networks with data on a driver, beside the reference and XNNPACK: accuracy, "
          "latency, compilation,\nthroughput, leaks, and what the driver claims of its speed. "
          "Writes report.html, results.json and\nresults.csv into --out. \"compare A B\" compares "
          "the results of two runs instead, each a folder or a\nresults.json, and ends with 1 when "
          "the second is worse.\n\"stress\" has the networks run again and again, by many clients "
          "at the "
          "same time, some of which are killed,\nand beside random models and preparations, for "
          "--time in all, by default 4 minutes, and looks at every\nresult and at what the "
          "driver's "
          "process takes. --filter says which tests, --seed what is random in them.\n"
          "The exit status is 0 when nothing failed, 1 when something did, 2 "
          "when a network, its data or the\ndriver cannot be used, 3 when it was interrupted; what "
          "can be used is measured all the same.",
      .flags = {{"driver", "DRIVER"},
                {"data", "DIR"},
                {"models", "REGEX"},
                {"samples", "N"},
                {"out", "DIR"},
                {"timing", "DURATION"},
                {"mlts_preprocessing", ""},
                {"descriptions", "FILE"},
                {"deadline", "DURATION"},
                {"in_process", ""},
                {"unpinned", ""},
                {"memory", "SIZE"},
                {"time", "DURATION"},
                {"filter", "REGEX"},
                {"seed", "S"}},
      .run = &Mlts,
  };
}

}  // namespace nncert
