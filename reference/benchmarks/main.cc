// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How fast the executor is, in one thread: against XNNPACK in the same run, as a share of what this
// core can do at most, and in double and Ball.
//
// The flags are those of Google Benchmark; a table of the least times ends the run.

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "reference/benchmarks/backends.h"
#include "reference/benchmarks/eigen_products.h"
#include "reference/benchmarks/machine.h"
#include "reference/benchmarks/network.h"
#include "reference/benchmarks/report.h"
#include "reference/benchmarks/xnnpack.h"
#include "reference/execution/executor.h"
#include "reference/execution/thread_pool.h"

namespace nncert::benchmarks {
namespace {

constexpr char kLstm[] = "lstm 40-1024-512";
constexpr char kFiveOperations[] = "five operations";
constexpr char kFromNew[] = "five operations, from new";
constexpr char kAllCores[] = "mobilenet_v1, all cores";
constexpr std::string_view kBackends[] = {"nncert",  "double", "ball",
                                          "XNNPACK", "Eigen",  "one core"};

// The time of Android 10's CPU executor over that of XNNPACK on the network of a row: AVX2 and
// AVX-512, medians in one thread of the same 2-core machine. 0 where both times are not known: the
// others have no figure for XNNPACK.
double AndroidRatio(std::string_view row) {
  struct Times {
    std::string_view row;
    double android;  // in milliseconds
    double xnnpack;
  };
  constexpr Times kTimes[] = {{"conv_2d float", 3.36, 1.77},
                              {"conv_2d quant8", 5.08, 1.65},
                              {"depthwise_conv_2d float", 4.5, 0.1895},
                              {"fully_connected float", 0.136, 0.1426},
                              {"mobilenet_v1 float", 37.9, 10.01},
                              {"mobilenet_v1 quant8", 58.5, 11.07}};
  for (const Times& times : kTimes) {
    if (times.row == row) return times.android / times.xnnpack;
  }
  return 0;
}

// What a filter selects; nothing when it is no regular expression, which is said.
std::optional<std::regex> ParseFilter(const std::string& filter) {
  try {
    // Google Benchmark takes "all" for everything.
    return std::regex(filter == "all" ? "" : filter);
  } catch (const std::regex_error& error) {
    std::cerr << "--benchmark_filter: '" << filter << "' is no regular expression: " << error.what()
              << '\n';
    return std::nullopt;
  }
}

// Registers a benchmark of `run`.
benchmark::internal::Benchmark* Measure(const std::string& name,
                                        std::function<absl::Status()> run) {
  return benchmark::RegisterBenchmark(name.c_str(),
                                      [run = std::move(run)](benchmark::State& state) {
                                        for (auto _ : state) {
                                          if (absl::Status status = run(); !status.ok()) {
                                            state.SkipWithError(status.ToString().c_str());
                                            return;
                                          }
                                        }
                                      });
}

// Registers a benchmark that says what was wrong.
void MeasureNothing(const std::string& name, const absl::Status& status) {
  Measure(name, [status] { return status; });
}

void MeasureOurs(const std::string& row, const std::shared_ptr<Prepared>& prepared) {
  Measure(row + "/nncert", [prepared] { return prepared->Run(NumberSystem::kFloat); });
  Measure(row + "/double", [prepared] { return prepared->Run(NumberSystem::kDouble); });
  Measure(row + "/ball", [prepared] { return prepared->Run(NumberSystem::kBall); });
}

// How far outputs are apart: the greatest difference, of quantized ones in steps.
std::string DifferenceOf(const Format& format, absl::Span<const uint8_t> a,
                         absl::Span<const uint8_t> b) {
  if (a.size() != b.size()) return "sizes differ";
  double greatest = 0;
  for (size_t i = 0; i < format.count(); ++i) {
    double difference = 0;
    if (format.is_quantized()) {
      difference = std::abs(int{a[i]} - int{b[i]});
    } else {
      float x = 0;
      float y = 0;
      std::memcpy(&x, a.data() + i * sizeof(float), sizeof(float));
      std::memcpy(&y, b.data() + i * sizeof(float), sizeof(float));
      difference = std::abs(double{x} - double{y});
    }
    // A NaN is as far away as can be.
    if (!(difference <= greatest)) greatest = difference;
  }
  return format.is_quantized() ? absl::StrFormat("%.0f steps", greatest)
                               : absl::StrFormat("%.1e", greatest);
}

// The time in which this core can do no more than what the network asks for: by what bounds it.
double LeastSeconds(const Network& network, double peak_flops) {
  const double arithmetic = network.flops() / peak_flops;
  // Weights are only read, so the bandwidth for reading counts when they are most of it.
  const bool is_reading = network.weight_bytes() > 0.5 * network.bytes();
  const auto bytes = static_cast<size_t>(network.bytes());
  const double bandwidth = is_reading ? ReadBandwidth(bytes) : TriadBandwidth(bytes);
  return std::max(arithmetic, network.bytes() / bandwidth);
}

Row MeasureNetwork(const std::string& name, const Network& network, double peak_flops) {
  Row row = {.name = name,
             .peer = "XNNPACK",
             .flops = network.flops(),
             .bytes = network.bytes(),
             .least_seconds = LeastSeconds(network, peak_flops),
             .android_ratio = AndroidRatio(name)};
  absl::StatusOr<std::unique_ptr<Prepared>> ours = Prepared::Create(HalModel(network));
  if (!ours.ok()) {
    MeasureNothing(name + "/nncert", ours.status());
    return row;
  }
  const std::shared_ptr<Prepared> prepared = *std::move(ours);
  MeasureOurs(name, prepared);
  absl::StatusOr<std::unique_ptr<XnnpackNetwork>> theirs = XnnpackNetwork::Create(network);
  if (!theirs.ok()) {
    MeasureNothing(name + "/XNNPACK", theirs.status());
    return row;
  }
  const std::shared_ptr<XnnpackNetwork> peer = *std::move(theirs);
  for (size_t i = 0; i < prepared->inputs().size(); ++i) {
    std::copy(prepared->inputs()[i].begin(), prepared->inputs()[i].end(), peer->input(i).begin());
  }
  if (prepared->Run(NumberSystem::kFloat).ok() && peer->Run().ok()) {
    row.difference = DifferenceOf(network.layers.back().output, prepared->output(), peer->output());
  }
  Measure(name + "/XNNPACK", [peer] { return peer->Run(); });
  return row;
}

Row MeasureLstm() {
  Row row = {.name = kLstm, .peer = "Eigen", .flops = 2.0 * (4 * 1024 * 552 + 512 * 1024)};
  row.least_seconds = row.flops * 2 / ReadBandwidth(static_cast<size_t>(row.flops * 2));
  absl::StatusOr<std::unique_ptr<Prepared>> ours = Prepared::Create(LstmModel());
  if (!ours.ok()) {
    MeasureNothing(row.name + "/nncert", ours.status());
    return row;
  }
  MeasureOurs(row.name, *std::move(ours));
  if (LstmProducts::IsSupported()) {
    const auto products = std::make_shared<LstmProducts>();
    Measure(row.name + "/Eigen", [products] {
      products->Run();
      return absl::OkStatus();
    });
  }
  return row;
}

Row MeasureFiveOperations() {
  Row row = {.name = kFiveOperations};
  absl::StatusOr<std::unique_ptr<Prepared>> ours = Prepared::Create(FiveOperationsModel());
  if (ours.ok()) {
    MeasureOurs(row.name, *std::move(ours));
  } else {
    MeasureNothing(row.name + "/nncert", ours.status());
  }
  return row;
}

// The model copied, validated, prepared and executed once, every time.
Row MeasureFiveOperationsEndToEnd() {
  Row row = {.name = kFromNew};
  const auto model = std::make_shared<hal::V1_2::Model>(FiveOperationsModel());
  const auto inputs = std::make_shared<std::vector<std::vector<uint8_t>>>(RandomInputs(*model));
  Measure(row.name + "/nncert", [model, inputs]() -> absl::Status {
    const auto graph = PreparedGraph::Create(*model);
    if (!graph.ok()) return graph.status();
    std::vector<InputArgument> arguments(inputs->size());
    for (size_t i = 0; i < arguments.size(); ++i) {
      arguments[i].elements = absl::MakeConstSpan(
          reinterpret_cast<const std::byte*>((*inputs)[i].data()), (*inputs)[i].size());
    }
    return (*graph)->Execute(NumberSystem::kFloat, arguments).status();
  });
  return row;
}

// MobileNetV1 by every core of the machine, in time on the wall.
Row MeasureAllCores() {
  const Network network = MobileNetV1(/*is_quantized=*/false);
  Row row = {.name = kAllCores, .peer = "one core", .flops = network.flops()};
  absl::StatusOr<std::unique_ptr<Prepared>> ours = Prepared::Create(HalModel(network));
  if (!ours.ok()) {
    MeasureNothing(row.name + "/nncert", ours.status());
    return row;
  }
  const std::shared_ptr<Prepared> prepared = *std::move(ours);
  const auto pool = std::make_shared<ThreadPool>();
  Measure(row.name + "/nncert", [prepared, pool] {
    return prepared->Run(NumberSystem::kFloat, pool.get());
  })->UseRealTime();
  Measure(row.name + "/one core", [prepared] {
    return prepared->Run(NumberSystem::kFloat);
  })->UseRealTime();
  return row;
}

// The memory that MobileNetV1 takes to be prepared and executed, beyond the model itself: bytes.
std::optional<size_t> MemoryOfMobileNet(const Network& network) {
  bool is_executed = true;
  const std::optional<size_t> memory =
      PeakMemoryOf([&is_executed, model = HalModel(network)]() mutable {
        const absl::StatusOr<std::unique_ptr<Prepared>> prepared =
            Prepared::Create(std::move(model), GraphUse::kFloatAlone);
        for (int i = 0; i < 2; ++i) {
          is_executed &= prepared.ok() && (*prepared)->Run(NumberSystem::kFloat).ok();
        }
      });
  return is_executed ? memory : std::nullopt;
}

// The same, the median of several times; in a process of its own, so that no memory of before is
// used again unseen.
void ReportMemory(bool is_quantized) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
    const Network network = MobileNetV1(is_quantized);
    // The program's instructions and tables, which every process has once, come in before; all
    // memory of that first time is given back.
    MemoryOfMobileNet(network);
    // The system counts pages in batches, so a single figure may be off by dozens of them.
    constexpr size_t kTimes = 7;
    std::vector<size_t> memories;
    for (size_t i = 0; i < kTimes; ++i) {
      if (const std::optional<size_t> memory = MemoryOfMobileNet(network)) {
        memories.push_back(*memory);
      }
    }
    std::sort(memories.begin(), memories.end());
    constexpr double kMegabyte = 1e6;
    std::cout << absl::StrFormat(
        "mobilenet_v1 %s: %.2f MB of weights, and at most %s MB more to prepare and execute it; "
        "twice the largest activations are %.2f MB\n",
        is_quantized ? "quant8" : "float", network.weight_bytes() / kMegabyte,
        memories.empty()
            ? "(not measured)"
            : absl::StrFormat("%.2f",
                              static_cast<double>(memories[memories.size() / 2]) / kMegabyte),
        2 * network.largest_activation_bytes() / kMegabyte);
    std::cout.flush();
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) std::cout << "cannot measure memory\n";
}

int Main(int argc, char** argv) {
  // The defaults come first, so that they can be overridden.
  std::vector<std::string> flags = {argv[0], "--benchmark_repetitions=7",
                                    "--benchmark_min_time=0.02",
                                    "--benchmark_enable_random_interleaving=true"};
  flags.insert(flags.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& flag : flags) pointers.push_back(flag.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;
  const std::optional<std::regex> filter = ParseFilter(benchmark::GetBenchmarkFilter());
  if (!filter.has_value()) return 2;

  const double peak_flops = PeakFlops();
  constexpr size_t kBeyondCaches = size_t{192} << 20;
  std::cout << absl::StrFormat(
      "This core, with %s: %.0f GFLOP/s of additions and multiplications in single precision; "
      "%.1f GB/s read from memory, %.1f GB/s read and written\n",
      std::string(InstructionSet()), peak_flops * 1e-9, ReadBandwidth(kBeyondCaches) * 1e-9,
      TriadBandwidth(kBeyondCaches) * 1e-9);
  for (const bool is_quantized : {false, true}) ReportMemory(is_quantized);

  // Rows that no benchmark is wanted of are not even prepared.
  const auto is_wanted = [&filter](const std::string& row) {
    return std::any_of(std::begin(kBackends), std::end(kBackends), [&](std::string_view backend) {
      return std::regex_search(row + "/" + std::string(backend), *filter);
    });
  };
  std::vector<Row> rows;
  for (const bool is_quantized : {false, true}) {
    const std::string type = is_quantized ? " quant8" : " float";
    const auto measure = [&](const std::string& name, auto make_network) {
      if (!is_wanted(name + type)) return;
      rows.push_back(MeasureNetwork(name + type, make_network(), peak_flops));
    };
    measure("conv_2d", [&] { return Convolution(is_quantized); });
    measure("depthwise_conv_2d", [&] { return DepthwiseConvolution(is_quantized); });
    measure("fully_connected", [&] { return FullyConnected(is_quantized); });
    measure("add", [&] { return Addition(is_quantized, /*is_broadcast=*/false); });
    measure("add [32]", [&] { return Addition(is_quantized, /*is_broadcast=*/true); });
    measure("softmax", [&] { return Softmax(is_quantized); });
    measure("mobilenet_v1", [&] { return MobileNetV1(is_quantized); });
    measure("mobilenet_v1 0.25 128", [&] { return MobileNetV1(is_quantized, 128, 8); });
  }
  if (is_wanted(kLstm)) rows.push_back(MeasureLstm());
  if (is_wanted(kFiveOperations)) rows.push_back(MeasureFiveOperations());
  if (is_wanted(kFromNew)) rows.push_back(MeasureFiveOperationsEndToEnd());
  if (is_wanted(kAllCores)) rows.push_back(MeasureAllCores());

  TimeCollector times;
  benchmark::RunSpecifiedBenchmarks(&times);
  PrintTable(rows, times, std::cout);
  for (const std::string& error : times.errors()) std::cout << "ERROR " << error << '\n';
  return times.errors().empty() ? 0 : 1;
}

}  // namespace
}  // namespace nncert::benchmarks

int main(int argc, char** argv) { return nncert::benchmarks::Main(argc, argv); }
