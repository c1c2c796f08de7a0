// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/results_csv.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pages/numbers.h"
#include "system/escape.h"

namespace nncert {
namespace {

constexpr char kMicroseconds[] = "us";
constexpr char kShare[] = "share";

// The columns that say what figures are of.
struct Subject {
  std::string section;
  std::string benchmark;
  std::string driver;
  std::string baseline;
  std::string executor;
  std::string threads;
  std::string item;
};

class CsvWriter {
 public:
  CsvWriter() {
    Append({"section", "benchmark", "driver", "baseline", "executor", "threads", "item", "figure",
            "value", "low", "high", "unit", "text"});
  }

  void Count(const Subject& subject, const std::string& figure, uint64_t count,
             const std::string& unit = "") {
    Row(subject, figure, absl::StrCat(count), "", "", unit, "");
  }

  void Number(const Subject& subject, const std::string& figure, double value,
              const std::string& unit = "") {
    const bool is_number = std::isfinite(value);
    Row(subject, figure, is_number ? FormatExactly(value) : "", "", "", unit,
        is_number ? "" : "not a number");
  }

  void Number(const Subject& subject, const std::string& figure, const std::optional<double>& value,
              const std::string& unit = "") {
    if (value.has_value()) Number(subject, figure, *value, unit);
  }

  void Interval(const Subject& subject, const std::string& figure, const Estimate& estimate,
                const std::string& unit = "") {
    const auto text = [](double value) { return std::isfinite(value) ? FormatExactly(value) : ""; };
    Row(subject, figure, text(estimate.value), text(estimate.low), text(estimate.high), unit,
        std::isfinite(estimate.value) ? "" : "not a number");
  }

  // Nothing for a text that is empty.
  void Text(const Subject& subject, const std::string& figure, const std::string& text) {
    if (!text.empty()) Row(subject, figure, "", "", "", "", text);
  }

  void Times(const Subject& subject, const TimeStatistics& times) {
    Count(subject, "count", times.count);
    Number(subject, "mean", times.mean, kMicroseconds);
    Number(subject, "deviation", times.deviation, kMicroseconds);
    Number(subject, "minimum", times.minimum, kMicroseconds);
    Number(subject, "maximum", times.maximum, kMicroseconds);
    Interval(subject, "p50", times.p50, kMicroseconds);
    Interval(subject, "p90", times.p90, kMicroseconds);
    Interval(subject, "p95", times.p95, kMicroseconds);
    Interval(subject, "p99", times.p99, kMicroseconds);
  }

  void Times(Subject subject, const std::string& item, const std::optional<TimeStatistics>& times) {
    subject.item = item;
    if (times.has_value()) Times(subject, *times);
  }

  std::string Take() { return std::move(csv_); }

 private:
  void Row(const Subject& subject, const std::string& figure, const std::string& value,
           const std::string& low, const std::string& high, const std::string& unit,
           const std::string& text) {
    Append({EscapeCsv(subject.section), EscapeCsv(subject.benchmark), EscapeCsv(subject.driver),
            EscapeCsv(subject.baseline), EscapeCsv(subject.executor), subject.threads,
            EscapeCsv(subject.item), EscapeCsv(figure), value, low, high, unit, EscapeCsv(text)});
  }

  // Fields as they are to be in the file.
  void Append(const std::vector<std::string>& fields) {
    absl::StrAppend(&csv_, absl::StrJoin(fields, ","), "\r\n");
  }

  std::string csv_;
};

Subject About(const std::string& section, const std::string& benchmark,
              const std::string& driver = "") {
  Subject subject;
  subject.section = section;
  subject.benchmark = benchmark;
  subject.driver = driver;
  return subject;
}

void AppendRun(CsvWriter& csv, const MltsResults& results) {
  const Subject run = About("run", "", results.driver);
  csv.Text(run, "driver version", results.driver_version);
  csv.Text(run, "HAL version", results.hal_version);
  csv.Text(run, "device type", results.device_type);
  csv.Text(run, "baseline", results.baseline);
  csv.Text(run, "machine", results.machine);
  csv.Text(run, "nncert version", results.nncert_version);
  csv.Text(run, "started", results.started);
  csv.Number(run, "duration", results.seconds, "s");
  csv.Text(run, "complete", results.is_complete ? "yes" : "no");
  csv.Text(run, "command", results.command);
}

void AppendAccuracy(CsvWriter& csv, const std::string& benchmark, const AccuracyResult& accuracy) {
  const Subject subject = About("accuracy", benchmark, accuracy.driver);
  csv.Count(subject, "sequences", accuracy.sequences);
  csv.Count(subject, "inferences", accuracy.inferences);
  for (size_t k = 0; k < accuracy.top_k.size(); ++k) {
    csv.Interval(subject, absl::StrCat("top ", k + 1), accuracy.top_k[k], kShare);
  }
  csv.Number(subject, "mean square error", accuracy.mean_square_error);
  csv.Number(subject, "maximum absolute error", accuracy.maximum_absolute_error);
  csv.Number(subject, "maximum signed error", accuracy.maximum_signed_error);
  for (size_t steps = 0; steps < accuracy.off_by.size(); ++steps) {
    const bool is_last = steps + 1 == accuracy.off_by.size();
    csv.Count(subject, absl::StrCat("off by ", steps, is_last && steps > 0 ? " or more" : ""),
              accuracy.off_by[steps]);
  }
  csv.Number(subject, "mel-cepstral distance", accuracy.mel_cepstral_distance);
  csv.Number(subject, "log F0 error", accuracy.log_f0_error);
  csv.Number(subject, "phone error rate of MLTS", accuracy.phone_error_rate_mlts, "percent");
  csv.Number(subject, "phone error rate", accuracy.phone_error_rate, "percent");
}

void AppendComparison(CsvWriter& csv, const std::string& benchmark, const std::string& driver,
                      const PairedComparison& comparison) {
  Subject subject = About("comparison", benchmark, driver);
  subject.baseline = comparison.baseline;
  csv.Count(subject, "sequences", comparison.sequences);
  csv.Count(subject, "changed", comparison.changed);
  csv.Count(subject, "driver alone right", comparison.driver_alone_right);
  csv.Count(subject, "baseline alone right", comparison.baseline_alone_right);
  csv.Number(subject, "McNemar p", comparison.mcnemar_p);
  if (comparison.top_1_difference.has_value()) {
    csv.Interval(subject, "top 1 difference", *comparison.top_1_difference, kShare);
  }
  csv.Number(subject, "maximum absolute difference", comparison.maximum_absolute_difference);
  csv.Number(subject, "maximum steps", comparison.maximum_steps);
}

void AppendLayers(CsvWriter& csv, const BenchmarkResult& benchmark, const std::string& driver) {
  for (const LayerError& layer : benchmark.layers) {
    Subject subject = About("layer", benchmark.name, driver);
    subject.item = absl::StrCat(layer.operation, " ", layer.type);
    csv.Number(subject, "maximum absolute error", layer.maximum_absolute_error);
    csv.Number(subject, "mean square error", layer.mean_square_error);
    csv.Number(subject, "maximum magnitude", layer.maximum_magnitude);
  }
}

void AppendTimes(CsvWriter& csv, const BenchmarkResult& benchmark) {
  for (const LatencyResult& latency : benchmark.latency) {
    Subject subject = About("latency", benchmark.name, latency.driver);
    subject.executor = latency.executor;
    csv.Number(subject, "first inference", latency.first, kMicroseconds);
    csv.Times(subject, "wall", latency.wall);
    csv.Times(subject, "time in driver", latency.time_in_driver);
    csv.Times(subject, "time on device", latency.time_on_device);
  }
  if (benchmark.call_time.has_value()) {
    csv.Interval(About("latency", benchmark.name), "call time", *benchmark.call_time,
                 kMicroseconds);
  }
  for (const ThroughputResult& throughput : benchmark.throughput) {
    Subject subject = About("throughput", benchmark.name, throughput.driver);
    subject.threads = absl::StrCat(throughput.threads);
    csv.Number(subject, "throughput", throughput.inferences_per_second, "inferences/s");
    csv.Times(subject, throughput.latency);
  }
  for (const CompilationResult& compilation : benchmark.compilation) {
    const Subject subject = About("compilation", benchmark.name, compilation.driver);
    csv.Times(subject, "without cache", compilation.without_cache);
    csv.Times(subject, "saving", compilation.saving);
    csv.Times(subject, "from cache", compilation.from_cache);
    if (compilation.cache_bytes.has_value()) {
      csv.Count(subject, "cache", *compilation.cache_bytes, "bytes");
    }
  }
}

void AppendBenchmark(CsvWriter& csv, const BenchmarkResult& benchmark, const std::string& driver) {
  const Subject subject = About("benchmark", benchmark.name, driver);
  csv.Text(subject, "status", std::string(toString(benchmark.status)));
  csv.Text(subject, "detail", benchmark.detail);
  csv.Text(subject, "file", benchmark.file);
  csv.Text(subject, "SHA-256", benchmark.sha256);
  csv.Text(subject, "type", benchmark.type);
  csv.Count(subject, "operations", benchmark.operations);
  csv.Text(subject, "first diverging operation", benchmark.first_diverging_operation);
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    AppendAccuracy(csv, benchmark.name, accuracy);
  }
  if (benchmark.comparison.has_value()) {
    AppendComparison(csv, benchmark.name, driver, *benchmark.comparison);
  }
  AppendLayers(csv, benchmark, driver);
  AppendTimes(csv, benchmark);
  if (benchmark.leak.has_value()) {
    const Subject leak = About("leak", benchmark.name, driver);
    csv.Count(leak, "loads", benchmark.leak->loads);
    csv.Interval(leak, "bytes per load", benchmark.leak->bytes, "bytes");
    csv.Interval(leak, "descriptors per load", benchmark.leak->descriptors);
    csv.Interval(leak, "threads per load", benchmark.leak->threads);
  }
  for (const CheckResult& check : benchmark.checks) {
    Subject checked = About("check", benchmark.name, driver);
    checked.item = check.name;
    csv.Text(checked, "outcome", std::string(toString(check.outcome)));
    csv.Text(checked, "detail", check.detail);
  }
  for (const std::string& problem : benchmark.problems) {
    csv.Text(About("problem", benchmark.name), "problem", problem);
  }
}

}  // namespace

std::string MltsResultsToCsv(const MltsResults& results) {
  CsvWriter csv;
  AppendRun(csv, results);
  for (const BenchmarkResult& benchmark : results.benchmarks) {
    AppendBenchmark(csv, benchmark, results.driver);
  }
  for (const PerformanceClaim& claim : results.claims) {
    Subject subject = About("claim", "", results.driver);
    subject.item = claim.operand_type;
    csv.Number(subject, "claimed", claim.claimed);
    csv.Interval(subject, "measured", claim.measured);
  }
  for (const StressResult& stress : results.stress) {
    Subject subject = About("stress", "", results.driver);
    subject.item = stress.name;
    csv.Text(subject, "status", std::string(toString(stress.status)));
    csv.Text(subject, "detail", stress.detail);
    csv.Count(subject, "rounds", stress.rounds);
    csv.Number(subject, "duration", stress.seconds, "s");
  }
  return csv.Take();
}

}  // namespace nncert
