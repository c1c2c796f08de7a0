// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/testing/sample_results.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;
using Status = BenchmarkResult::Status;

constexpr char kDriver[] = "acme_npu";
constexpr char kReference[] = "reference";
constexpr char kXnnpack[] = "xnnpack";

// Makes figures up.
class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  // A digit of a checksum.
  char Digit() { return "0123456789abcdef"[random_.Below(16)]; }

  // Something near `value`, by up to `share` of it.
  double Near(double value, double share = 0.03) {
    return value * random_.Uniform(1 - share, 1 + share);
  }

  Estimate Around(double value, double width) {
    const double below = Near(width, 0.2);
    return {value, value - below, value + Near(width, 0.2)};
  }

  // A share of `count`, with an interval.
  Estimate Share(double share, uint64_t count) {
    const double n = static_cast<double>(count);
    const double value = std::round(share * n) / n;
    const double width = 1.96 * std::sqrt(std::max(value * (1 - value), 0.5 / n) / n);
    const Estimate estimate = Around(value, width);
    return {value, std::max(estimate.low, 0.0), std::min(estimate.high, 1.0)};
  }

  // Times that are skewed, as latencies are, with a long tail.
  TimeStatistics Times(double median, double spread, uint64_t count) {
    TimeStatistics times;
    times.count = count;
    const size_t points = std::min<uint64_t>(count, 200);
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < points; ++i) {
      const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(points);
      const double logit = std::log(u / (1 - u));
      const double tail = u > 0.9 ? 3 * (u - 0.9) * spread * Near(1, 0.05) : 0;
      times.quantiles.push_back(median * (std::exp(0.5 * spread * logit) + tail));
    }
    std::sort(times.quantiles.begin(), times.quantiles.end());
    for (const double time : times.quantiles) sum += time;
    times.mean = sum / static_cast<double>(points);
    for (const double time : times.quantiles) squares += std::pow(time - times.mean, 2);
    times.deviation = std::sqrt(squares / static_cast<double>(points));
    times.minimum = times.quantiles.front() * 0.995;
    times.maximum = times.quantiles.back() * 1.02;
    const auto at = [&](double share) {
      const double value =
          times.quantiles[static_cast<size_t>(share * static_cast<double>(points - 1))];
      return Estimate{value, value * Near(0.985, 0.005), value * Near(1.02 + share / 30, 0.005)};
    };
    times.p50 = at(0.5);
    times.p90 = at(0.9);
    times.p95 = at(0.95);
    times.p99 = at(0.99);
    return times;
  }

 private:
  SplitMix64 random_;
};

std::string Checksum(Maker& maker) {
  std::string digits;
  for (int i = 0; i < 64; ++i) digits += maker.Digit();
  return digits;
}

void AddLatency(Maker& maker, BenchmarkResult& benchmark, double driver, double xnnpack,
                double reference, uint64_t count) {
  struct Timed {
    const char* name;
    double median;
  };
  for (const Timed& timed :
       {Timed{kDriver, driver}, Timed{kXnnpack, xnnpack}, Timed{kReference, reference}}) {
    for (const char* executor : {"sync", "async", "burst"}) {
      const bool is_burst = std::string(executor) == "burst";
      const bool is_async = std::string(executor) == "async";
      const double median = timed.median * maker.Near(1) + (is_burst ? 0 : is_async ? 260 : 180);
      LatencyResult latency;
      latency.driver = timed.name;
      latency.executor = executor;
      latency.first = median * maker.Near(2.4, 0.2);
      latency.wall = maker.Times(median, is_burst ? 0.05 : 0.09, count);
      if (std::string(timed.name) == kDriver) {
        latency.time_in_driver = maker.Times(median * 0.93, 0.06, count);
        latency.time_on_device = maker.Times(median * 0.71, 0.04, count);
      }
      benchmark.latency.push_back(latency);
    }
    benchmark.call_time = {161.2, 159.8, 163.4};
    for (const uint32_t threads : {1U, 2U, 4U, 8U}) {
      ThroughputResult throughput;
      throughput.driver = timed.name;
      throughput.threads = threads;
      const double speedup = std::pow(threads, std::string(timed.name) == kDriver ? 0.45 : 0.72);
      throughput.inferences_per_second = 1e6 / timed.median * speedup * maker.Near(1);
      throughput.latency = maker.Times(timed.median * threads / speedup, 0.12, count / 2);
      benchmark.throughput.push_back(throughput);
    }
    CompilationResult compilation;
    compilation.driver = timed.name;
    compilation.without_cache = maker.Times(timed.median * 6.2 + 9000, 0.11, 40);
    if (std::string(timed.name) == kDriver) {
      compilation.saving = maker.Times(timed.median * 7.1 + 12000, 0.13, 40);
      compilation.from_cache = maker.Times(timed.median * 0.8 + 1500, 0.10, 40);
      compilation.cache_bytes = static_cast<uint64_t>(maker.Near(4.3e6, 0.4));
    }
    benchmark.compilation.push_back(compilation);
  }
}

void AddTopK(Maker& maker, BenchmarkResult& benchmark, double driver, double baseline,
             uint64_t sequences) {
  for (const char* name : {kDriver, kXnnpack, kReference}) {
    AccuracyResult accuracy;
    accuracy.driver = name;
    accuracy.sequences = accuracy.inferences = sequences;
    double share = std::string(name) == kDriver ? driver : baseline;
    for (int k = 0; k < 5; ++k) {
      accuracy.top_k.push_back(maker.Share(share, sequences));
      share += (1 - share) * 0.32;
    }
    benchmark.accuracy.push_back(accuracy);
  }
  PairedComparison comparison;
  comparison.baseline = kReference;
  comparison.sequences = sequences;
  if (driver != baseline) {
    const double lost = std::round((baseline - driver) * static_cast<double>(sequences));
    comparison.driver_alone_right = 2;
    comparison.baseline_alone_right = 2 + static_cast<uint64_t>(lost);
    comparison.changed = 11 + static_cast<uint64_t>(lost);
  }
  comparison.mcnemar_p = driver == baseline ? 1 : 0.00137;
  comparison.top_1_difference = maker.Around(driver - baseline, 0.011);
  comparison.maximum_absolute_difference = maker.Near(driver == baseline ? 3.1e-6 : 0.21);
  benchmark.comparison = comparison;
}

void AddLayers(Maker& maker, BenchmarkResult& benchmark, int diverging) {
  double error = 2e-7;
  for (uint32_t i = 0; i < benchmark.operations; ++i) {
    LayerError layer;
    layer.operation = i;
    layer.type = i + 1 == benchmark.operations   ? "SOFTMAX"
                 : i + 2 == benchmark.operations ? "RESHAPE"
                 : i + 3 == benchmark.operations ? "AVERAGE_POOL_2D"
                 : i % 2 == 0                    ? "CONV_2D"
                                                 : "DEPTHWISE_CONV_2D";
    if (diverging >= 0 && i == static_cast<uint32_t>(diverging)) error *= 4e4;
    error *= maker.Near(1.08, 0.2);
    // What a first layer gives may well be exact.
    layer.maximum_absolute_error = i < 2 ? 0 : maker.Near(error, 0.5);
    layer.mean_square_error = i < 2 ? 0 : std::pow(layer.maximum_absolute_error, 2) / 19;
    layer.maximum_magnitude = maker.Near(6, 0.4);
    benchmark.layers.push_back(layer);
  }
}

LeakResult Leak(Maker& maker, double descriptors) {
  LeakResult leak;
  leak.loads = 200;
  leak.bytes = maker.Around(37.3, 212);
  leak.descriptors = maker.Around(descriptors, 0.004);
  leak.threads = {0, 0, 0};
  return leak;
}

BenchmarkResult Start(Maker& maker, const std::string& name, const std::string& type,
                      uint64_t operations) {
  BenchmarkResult benchmark;
  benchmark.name = name;
  benchmark.file = absl::StrCat("models/", name, ".tflite");
  benchmark.sha256 = Checksum(maker);
  benchmark.type = type;
  benchmark.operations = operations;
  return benchmark;
}

BenchmarkResult FloatMobileNet(Maker& maker) {
  BenchmarkResult benchmark = Start(maker, "mobilenet_v1_1.0_224", "TENSOR_FLOAT32", 31);
  AddTopK(maker, benchmark, 0.6167, 0.6167, 300);
  for (AccuracyResult& accuracy : benchmark.accuracy) {
    accuracy.mean_square_error = maker.Near(2.3e-13, 0.5);
    accuracy.maximum_absolute_error = maker.Near(4.4e-6, 0.5);
    accuracy.maximum_signed_error = maker.Near(3.9e-6, 0.5);
  }
  AddLatency(maker, benchmark, 9150, 15210, 15930, 412);
  AddLayers(maker, benchmark, -1);
  benchmark.leak = Leak(maker, 0.0004);
  benchmark.checks = {
      {"top 1 against MLTS's expectation", Outcome::PASS, "0.617 measured, 0.567 wanted"},
      {"top 1 against the baseline", Outcome::PASS, "no sample is classified otherwise"},
      {"golden outputs", Outcome::PASS, "within 1e-5 on all of 2"},
      {"outputs when timed", Outcome::PASS, "412 of 412 as when not timed"},
      {"leaks", Outcome::PASS, "none found in 200 loads"}};
  return benchmark;
}

BenchmarkResult QuantizedMobileNet(Maker& maker) {
  BenchmarkResult benchmark = Start(maker, "mobilenet_v1_0.5_160_quant", "TENSOR_QUANT8_ASYMM", 31);
  AddTopK(maker, benchmark, 0.5433, 0.5733, 300);
  benchmark.comparison->maximum_steps = 37;
  for (AccuracyResult& accuracy : benchmark.accuracy) {
    const bool is_driver = accuracy.driver == kDriver;
    accuracy.mean_square_error = maker.Near(is_driver ? 3.1e-4 : 2e-9, 0.3);
    accuracy.maximum_absolute_error = is_driver ? 0.1445 : 0.00390625;
    accuracy.maximum_signed_error = is_driver ? 0.0977 : 0.00390625;
    accuracy.off_by = is_driver ? std::vector<uint64_t>{1712, 204, 61, 19, 6}
                                : std::vector<uint64_t>{1999, 3, 0, 0, 0};
  }
  AddLatency(maker, benchmark, 1310, 2870, 2905, 1840);
  AddLayers(maker, benchmark, 12);
  benchmark.first_diverging_operation = "12 (CONV_2D)";
  benchmark.leak = Leak(maker, 1.0003);
  benchmark.checks = {
      {"top 1 against MLTS's expectation", Outcome::PASS, "0.543 measured, 0.500 wanted"},
      {"top 1 against the baseline", Outcome::FAIL,
       "3.0 points below reference on the same 300 samples (p = 0.0014)"},
      {"golden outputs", Outcome::FAIL, "86 of 2,002 bytes differ by more than 2, by up to 37"},
      {"outputs when timed", Outcome::PASS, "1,840 of 1,840 as when not timed"},
      {"leaks", Outcome::FAIL, "a descriptor a load (1.000 [0.996, 1.004]) in 200 loads"}};
  benchmark.problems = {"images/image-113.jpeg: not a JPEG file: it begins with 3c 21",
                        "ground_truth_labels.txt: no label on line 217"};
  return benchmark;
}

BenchmarkResult SecondMobileNet(Maker& maker) {
  BenchmarkResult benchmark = Start(maker, "mobilenet_v2_1.0_224", "TENSOR_FLOAT32", 65);
  AddTopK(maker, benchmark, 0.6367, 0.6400, 300);
  benchmark.comparison->mcnemar_p = 1;
  benchmark.comparison->top_1_difference = {-0.0033, -0.0151, 0.0084};
  AddLatency(maker, benchmark, 11820, 9940, 10480, 388);
  AddLayers(maker, benchmark, -1);
  benchmark.leak = Leak(maker, -0.0011);
  benchmark.checks = {
      {"top 1 against MLTS's expectation", Outcome::PASS, "0.637 measured, 0.589 wanted"},
      {"top 1 against the baseline", Outcome::PASS, "0.3 points below, as chance may have it"},
      {"golden outputs", Outcome::NOT_RUN, "no golden outputs are known"}};
  return benchmark;
}

BenchmarkResult Speech(Maker& maker) {
  BenchmarkResult benchmark = Start(maker, "asr_float", "TENSOR_FLOAT32", 12);
  for (const char* name : {kDriver, kXnnpack, kReference}) {
    AccuracyResult accuracy;
    accuracy.driver = name;
    accuracy.sequences = 50;
    accuracy.inferences = 4745;
    accuracy.mean_square_error = maker.Near(7.7e-14, 0.4);
    accuracy.maximum_absolute_error = maker.Near(8.9e-6, 0.3);
    accuracy.maximum_signed_error = maker.Near(7.1e-6, 0.3);
    accuracy.phone_error_rate_mlts = std::string(name) == kDriver ? 0.842 : 0;
    accuracy.phone_error_rate = std::string(name) == kDriver ? 3.71 : 0;
    benchmark.accuracy.push_back(accuracy);
  }
  PairedComparison comparison;
  comparison.baseline = kReference;
  comparison.sequences = 50;
  comparison.maximum_absolute_difference = maker.Near(8.1e-6);
  benchmark.comparison = comparison;
  AddLatency(maker, benchmark, 214, 171, 188, 9000);
  AddLayers(maker, benchmark, -1);
  benchmark.checks = {{"phone error rate", Outcome::PASS, "0.84 % at the most, 5 % allowed"}};
  return benchmark;
}

BenchmarkResult TextToSpeech(Maker& maker) {
  BenchmarkResult benchmark = Start(maker, "tts_float", "TENSOR_FLOAT32", 6);
  for (const char* name : {kDriver, kReference}) {
    AccuracyResult accuracy;
    accuracy.driver = name;
    accuracy.sequences = 50;
    accuracy.inferences = 7512;
    accuracy.mean_square_error = maker.Near(1.9e-14, 0.4);
    accuracy.maximum_absolute_error = maker.Near(2.1e-6, 0.3);
    accuracy.maximum_signed_error = maker.Near(1.8e-6, 0.3);
    accuracy.mel_cepstral_distance = maker.Near(9e-8, 0.4);
    accuracy.log_f0_error = maker.Near(2e-7, 0.4);
    benchmark.accuracy.push_back(accuracy);
  }
  AddLatency(maker, benchmark, 97, 101, 96, 12000);
  benchmark.checks = {
      {"mel-cepstral distance", Outcome::PASS, "9e-08, 4 allowed"},
      {"logarithm of F0", Outcome::PASS, "2e-07, 0.01 allowed"},
      {"outputs when timed", Outcome::FAIL, "11,998 of 12,000 are those of the inference before"}};
  return benchmark;
}

BenchmarkResult NotRun(Maker& maker, const std::string& name, Status status,
                       const std::string& detail) {
  BenchmarkResult benchmark = Start(maker, name, "TENSOR_QUANT8_ASYMM", 119);
  benchmark.status = status;
  benchmark.detail = detail;
  return benchmark;
}

}  // namespace

MltsResults SampleResults() {
  Maker maker(14);
  MltsResults results;
  results.driver = kDriver;
  results.driver_version = "acme-npu 4.2.1 (build 20261103, r17)";
  results.hal_version = "1.2";
  results.device_type = "ACCELERATOR";
  results.baseline = kReference;
  results.machine = "Acme AP7 @ 2.4 GHz, 8 processors, 7.6 GiB, Linux 6.1.0-18-arm64";
  results.nncert_version = "0.1.0";
  results.started = "2026-11-24T09:30:07+00:00";
  results.seconds = 487.25;
  results.is_complete = true;
  results.command =
      "nncert mlts --driver=libacme_npu.so --data=mlts/models --samples=300 --out=out";
  results.benchmarks = {FloatMobileNet(maker),
                        QuantizedMobileNet(maker),
                        SecondMobileNet(maker),
                        Speech(maker),
                        TextToSpeech(maker),
                        NotRun(maker, "mobilenet_v3-small_224_1.0_uint8", Status::UNSUPPORTED,
                               "the driver does not support operation 4 (HARD_SWISH as MUL)"),
                        NotRun(maker, "deeplabv3_mnv2_ade20k_uint8", Status::FAILED,
                               "the driver gave no answer within 10s: execute"),
                        NotRun(maker, "ssd_mobilenet_v1_coco_quantized", Status::UNREADABLE,
                               "ssd.tflite: operator 63 (TFLite_Detection_PostProcess) is custom")};
  results.claims = {{"TENSOR_FLOAT32", 0.42, {0.871, 0.853, 0.890}},
                    {"TENSOR_QUANT8_ASYMM", 0.45, {0.4514, 0.4391, 0.4622}},
                    {"relaxedFloat32toFloat16PerformanceTensor", 1.1, {0.598, 0.581, 0.612}}};
  results.stress = {
      {"inference-stress", StressResult::Status::SUCCESS, "", 20418, 60.21},
      {"client-early-termination", StressResult::Status::CRASH,
       "the driver's process ended by signal 11 in round 7", 7, 21.4},
      {"performance-degradation", StressResult::Status::FAILURE,
       "latency rose by 83 % while another model was compiled, 50 % allowed", 412, 44.9}};
  return results;
}

MltsResults HostileResults() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kSmallest = std::numeric_limits<double>::min();
  const std::string markup =
      "</title></script></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;";
  const std::string bytes = "\xFF\xC3(\xED\xA0\x80\x01\x1b[31m\r\n\t";
  const std::string right_to_left =
      "\xE2\x80\xAE"
      "drawkcab\xE2\x80\xAC";
  const std::string long_word(3000, 'W');
  Maker maker(17);
  MltsResults results;
  results.driver = markup;
  results.driver_version = bytes;
  results.hal_version = right_to_left;
  results.device_type = "=HYPERLINK(\"http://example.invalid\",\"click\")";
  results.baseline = long_word;
  results.machine = long_word;
  results.command = absl::StrCat("nncert mlts --driver='", markup, bytes, "'");
  results.seconds = kNan;
  BenchmarkResult benchmark;
  benchmark.name = markup;
  benchmark.file = "javascript:alert(3)";
  benchmark.sha256 = long_word;
  benchmark.detail = bytes;
  benchmark.type = markup;
  benchmark.operations = std::numeric_limits<uint64_t>::max();
  benchmark.first_diverging_operation = markup;
  AccuracyResult accuracy;
  accuracy.driver = markup;
  accuracy.sequences = std::numeric_limits<uint64_t>::max();
  accuracy.top_k = {{kNan, kNan, kNan}, {2, -1, kInfinity}};
  accuracy.mean_square_error = kInfinity;
  accuracy.maximum_absolute_error = kLargest;
  accuracy.maximum_signed_error = -kLargest;
  accuracy.off_by = {0, std::numeric_limits<uint64_t>::max()};
  accuracy.phone_error_rate = kSmallest;
  benchmark.accuracy = {accuracy, accuracy};
  PairedComparison comparison;
  comparison.baseline = markup;
  comparison.mcnemar_p = kNan;
  comparison.top_1_difference = Estimate{kNan, -kInfinity, kInfinity};
  comparison.maximum_absolute_difference = kInfinity;
  comparison.maximum_steps = kNan;
  benchmark.comparison = comparison;
  benchmark.layers = {{7, markup, kNan, kInfinity, 0},
                      {std::numeric_limits<uint32_t>::max(), bytes, -1, kSmallest, kLargest},
                      {8, long_word, 0, 0, 0}};
  TimeStatistics times;
  times.minimum = -1;
  times.maximum = kInfinity;
  times.mean = kNan;
  times.deviation = kSmallest;
  times.p50 = {0, kNan, kLargest};
  times.p99 = {-kInfinity, 3, 2};
  times.quantiles = {-kInfinity, -5, 0, kSmallest, 1, 1, kLargest, kInfinity, kNan, 4};
  LatencyResult latency;
  latency.driver = markup;
  latency.executor = markup;
  latency.first = -kInfinity;
  latency.wall = times;
  latency.time_in_driver = TimeStatistics();
  LatencyResult constant = latency;
  constant.executor = long_word;
  constant.wall.quantiles.assign(200, 12.5);
  benchmark.latency = {latency, constant};
  benchmark.throughput = {{markup, 0, kNan, times}, {long_word, 1, kLargest, TimeStatistics()}};
  CompilationResult compilation;
  compilation.driver = markup;
  compilation.without_cache = times;
  compilation.cache_bytes = std::numeric_limits<uint64_t>::max();
  benchmark.compilation = {compilation};
  benchmark.leak = LeakResult{0, {kNan, kNan, kNan}, {kInfinity, 0, 0}, {-3, -4, -2}};
  benchmark.checks = {{markup, Outcome::FAIL, bytes}, {bytes, Outcome::NOT_RUN, long_word}};
  benchmark.problems = {markup, bytes, right_to_left, long_word, ""};
  results.benchmarks = {benchmark, benchmark, BenchmarkResult()};
  results.claims = {{markup, 0, {kNan, kNan, kNan}}, {bytes, kInfinity, {0, -1, 1}}};
  results.stress = {{markup, StressResult::Status::HANG, bytes, 0, kInfinity}};
  return results;
}

}  // namespace nncert
