// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What measuring a driver on networks came to, as a value: what results.json holds, and what the
// page and the comparison of two runs are made of.

#ifndef NNCERT_MLTS_RESULTS_RESULTS_H_
#define NNCERT_MLTS_RESULTS_RESULTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nncert {

/// A measured value with the interval that holds the true one in 95 of 100 runs.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Times of one kind, in microseconds of a monotonic clock.
struct TimeStatistics {
  uint64_t count = 0;
  double mean = 0;
  double deviation = 0;
  double minimum = 0;
  double maximum = 0;
  Estimate p50, p90, p95, p99;
  /// Equally likely times, in ascending order, at most 200: what a plot of the distribution is made
  /// of.
  std::vector<double> quantiles;
};

/// Something that was asserted of the driver.
struct CheckResult {
  /// PASS, FAIL, or NOT_RUN with why.
  enum class Outcome { PASS, FAIL, NOT_RUN };
  /// What was asserted, "top 1 against the baseline".
  std::string name;
  Outcome outcome = Outcome::PASS;
  /// What was measured and what was expected.
  std::string detail;
};

/// How right the results of one driver are on the sequences of a benchmark.
struct AccuracyResult {
  /// What computed them: the driver's name, "reference" or "xnnpack".
  std::string driver;
  uint64_t sequences = 0;
  uint64_t inferences = 0;
  /// The shares of top-1 to top-5, ties broken by the lowest index; empty without labels.
  std::vector<Estimate> top_k;
  /// Differences from golden outputs, dequantized; nothing without golden outputs.
  std::optional<double> mean_square_error;
  std::optional<double> maximum_absolute_error;
  /// MLTS's own: the highest difference with its sign.
  std::optional<double> maximum_signed_error;
  /// Of quantized outputs: off_by[n] elements differ from the golden ones by n steps; the last
  /// counts all that differ by as much or more.
  std::vector<uint64_t> off_by;
  std::optional<double> mel_cepstral_distance;
  std::optional<double> log_f0_error;
  /// In percent: as MLTS defines it, and with repeated phones collapsed, by reference phones.
  std::optional<double> phone_error_rate_mlts;
  std::optional<double> phone_error_rate;
};

/// The driver against a baseline on the same sequences.
struct PairedComparison {
  std::string baseline;
  uint64_t sequences = 0;
  /// Top-1 differs; the driver alone is right; the baseline alone is right.
  uint64_t changed = 0;
  uint64_t driver_alone_right = 0;
  uint64_t baseline_alone_right = 0;
  /// The probability of so uneven a split were both equally good (McNemar's exact test).
  double mcnemar_p = 1;
  /// The difference of the shares of top-1, driver less baseline.
  std::optional<Estimate> top_1_difference;
  /// The largest absolute difference of any output element, dequantized, and of quantized ones in
  /// steps.
  double maximum_absolute_difference = 0;
  std::optional<double> maximum_steps;
};

/// How far one operation's result is from the baseline's, in a network whose operands in between
/// were made outputs.
struct LayerError {
  uint32_t operation = 0;
  /// "CONV_2D".
  std::string type;
  /// On the baseline's inputs as they came to be: what has accumulated so far.
  double maximum_absolute_error = 0;
  double mean_square_error = 0;
  /// The largest result of the baseline, by which errors can be understood.
  double maximum_magnitude = 0;
};

/// Latency of inference in one way of executing.
struct LatencyResult {
  std::string driver;
  /// "sync", "async" or "burst".
  std::string executor;
  /// The first inference after preparation, in microseconds.
  double first = 0;
  TimeStatistics wall;
  /// What the driver reports of itself; nothing when it reports none.
  std::optional<TimeStatistics> time_in_driver;
  std::optional<TimeStatistics> time_on_device;
};

/// Throughput by so many threads at once.
struct ThroughputResult {
  std::string driver;
  uint32_t threads = 0;
  double inferences_per_second = 0;
  TimeStatistics latency;
};

/// What preparing a network takes.
struct CompilationResult {
  std::string driver;
  TimeStatistics without_cache;
  /// Nothing when the driver does not cache.
  std::optional<TimeStatistics> saving;
  std::optional<TimeStatistics> from_cache;
  std::optional<uint64_t> cache_bytes;
};

/// What loading and releasing a network again and again leaves behind in the driver's process.
struct LeakResult {
  uint64_t loads = 0;
  /// A load, by least squares.
  Estimate bytes, descriptors, threads;
};

/// What the driver claims of its speed (PerformanceInfo::execTime), beside what was measured.
struct PerformanceClaim {
  /// "TENSOR_FLOAT32", "relaxedFloat32toFloat16PerformanceTensor".
  std::string operand_type;
  double claimed = 0;
  /// The driver's time over the CPU's, in this run, both without BenchmarkResult::call_time: over
  /// that of xnnpack, or on networks that xnnpack does not take of the reference.
  Estimate measured;
};

/// By how much a driver may be slower than it claims to be: networks differ, and so do CPUs.
inline constexpr double kClaimTolerance = 1.5;

/// What became of one benchmark.
struct BenchmarkResult {
  enum class Status {
    RUN,          ///< measured; checks may have failed
    UNSUPPORTED,  ///< the driver does not take the network
    FAILED,       ///< the driver failed, ended or hung: `detail`
    UNREADABLE,   ///< the network or its data are broken or not to be mapped: `detail`
  };
  std::string name;
  std::string file;
  std::string sha256;
  Status status = Status::RUN;
  std::string detail;
  /// Of the model: "TENSOR_FLOAT32", "TENSOR_QUANT8_ASYMM"; and how many operations it has.
  std::string type;
  uint64_t operations = 0;
  /// The driver first, then baselines.
  std::vector<AccuracyResult> accuracy;
  std::optional<PairedComparison> comparison;
  /// Of a network that failed: the first operation whose result is wrong by the documented
  /// precision, on the driver's own inputs: "12 (ADD)"; empty when none was found.
  std::string first_diverging_operation;
  std::vector<LayerError> layers;
  std::vector<LatencyResult> latency;
  /// What a call takes, whoever computes, in microseconds: the median time of a network of one
  /// element on the driver that answers it soonest, in the turns of the first way of executing.
  std::optional<Estimate> call_time;
  std::vector<ThroughputResult> throughput;
  std::vector<CompilationResult> compilation;
  std::optional<LeakResult> leak;
  std::vector<CheckResult> checks;
  /// What could not be read or done though the rest could: a broken photo, a missing label.
  std::vector<std::string> problems;
};

/// What became of a stress test.
struct StressResult {
  /// MLTS's name where it has one: "client-early-termination".
  std::string name;
  /// MLTS's SUCCESS, FAILURE, CRASH or HANG; NOT_RUN, with why, where nothing can be said.
  enum class Status { SUCCESS, FAILURE, CRASH, HANG, NOT_RUN };
  Status status = Status::SUCCESS;
  /// What went wrong, if anything did, and what was done.
  std::string detail;
  /// How often it was done: executions, loads, clients, graphs.
  uint64_t rounds = 0;
  double seconds = 0;
};

/// A whole run.
struct MltsResults {
  /// The form of results.json; one that changes gets another number.
  uint32_t format = 2;
  std::string driver;
  std::string driver_version;
  /// "1.2", and "CPU".
  std::string hal_version;
  std::string device_type;
  std::string baseline;
  /// Processor, how many of them, memory, kernel.
  std::string machine;
  std::string nncert_version;
  /// When the run began, RFC 3339; and how long it took.
  std::string started;
  double seconds = 0;
  /// Whether it came to its end.
  bool is_complete = false;
  std::string command;
  std::vector<BenchmarkResult> benchmarks;
  std::vector<PerformanceClaim> claims;
  std::vector<StressResult> stress;
};

/// The enumerator's name.
std::string_view toString(CheckResult::Outcome outcome);
std::string_view toString(BenchmarkResult::Status status);
std::string_view toString(StressResult::Status status);

/// Whether the benchmark was run and none of its checks failed.
bool IsRight(const BenchmarkResult& benchmark);

/// Whether a stress test failed: it was run, and it was no SUCCESS.
bool IsFailed(const StressResult& stress);

/// Whether the driver is slower than it claims to be, beyond the interval and kClaimTolerance.
bool IsOverstated(const PerformanceClaim& claim);

/// Whether nothing failed: no check, no benchmark, no claim, no stress test. (What the driver does
/// not support, and what could not be read, is no failure of the driver's.)
bool NothingFailed(const MltsResults& results);

}  // namespace nncert

#endif  // NNCERT_MLTS_RESULTS_RESULTS_H_
