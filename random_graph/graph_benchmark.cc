// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How many random graphs a second one core makes, evaluates, and runs on the reference driver:
// ./bazelw run //random_graph:graph_benchmark
//
// Graphs of 1, 5 and 40 operations on small tensors, all operations and types in turn. "Run" is
// everything: making the graph, the expected answer in double, the driver in this process,
// enclosures, and the judge; "RunIsolated" the same with the driver in a process of its own.
//
// Of these two, items_per_second goes by the clock on the wall, and per_core by the CPU time of all
// threads and of the driver's process: on a machine with other work the latter says more.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "harness/case_worker.h"
#include "harness/execution_ways.h"
#include "harness/isolated_worker.h"
#include "harness/isolation/driver_process.h"
#include "harness/judging/oracle.h"
#include "random_graph/graph_plan.h"
#include "reference/driver/driver.h"
#include "system/child_process.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::HalVersion;

// Graphs of some number of operations, one after the other.
class Graphs {
 public:
  explicit Graphs(size_t operations)
      : operations_(operations), plan_(1, HalVersion::V1_2), maker_(random_) {}

  TestCase Next() {
    // Of a campaign's rounds the first has ordinary elements and one example.
    GraphWishes wishes = plan_.WishesOf(number_++ % plan_.round());
    wishes.operations = operations_;
    wishes.operands = OperandWishes();
    TestCase graph = maker_.Make(wishes);
    return graph;
  }

 private:
  const size_t operations_;
  uint64_t number_ = 0;
  SplitMix64 random_{1};
  GraphPlan plan_;
  GraphMaker maker_;
};

void Make(benchmark::State& state) {
  Graphs graphs(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(graphs.Next());
  state.SetItemsProcessed(state.iterations());
}

void Expect(benchmark::State& state) {
  Graphs graphs(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    const TestCase graph = graphs.Next();
    if (!Oracle(graph).Expected(0).ok()) return state.SkipWithError("a graph is invalid");
  }
  state.SetItemsProcessed(state.iterations());
}

// Runs graphs on a driver, one after the other.
void RunOn(CaseWorker& worker, benchmark::State& state) {
  const OnProcessor scope(worker.processor());
  Graphs graphs(static_cast<size_t>(state.range(0)));
  RunOptions options;
  // A value in between may be no number in single precision. Campaigns count such graphs apart.
  options.explains_specials = true;
  // As campaigns do.
  options.at_once = true;
  uint64_t turn = 0;
  worker.TakeReport();
  const absl::Duration start = CpuTimeOf(getpid()).value();
  for (auto _ : state) {
    std::vector<TestCase> together;
    std::vector<CaseToRun> cases;
    size_t operations = 0;
    while (!AreEnoughTogether(together.size(), operations)) {
      operations += together.emplace_back(graphs.Next()).model.operations.size();
    }
    for (const TestCase& graph : together) {
      options.only_way = WayOfTurn(turn++);
      cases.push_back({&graph, TestMode::kStatic, options});
    }
    for (const CaseResult& result : worker.RunAll(cases)) {
      if (IsFailure(result.verdict)) return state.SkipWithError(result.detail.c_str());
    }
  }
  const absl::Duration used = CpuTimeOf(getpid()).value() - start + worker.TakeReport().cpu_time;
  const auto items = static_cast<int64_t>(turn);
  state.SetItemsProcessed(items);
  state.counters["per_core"] = static_cast<double>(items) / absl::ToDoubleSeconds(used);
}

void Run(benchmark::State& state) {
  const std::unique_ptr<DriverSession> session =
      DriverSession::FromDevice(MakeReferenceDriver(), "reference").value();
  RunOn(*WorkersInProcess(*session, 1, kDefaultDeadline, CurrentProcessor()).value().front(),
        state);
}

void RunIsolated(benchmark::State& state) {
  DriverProcessOptions options;
  options.name = "sample";
  options.program = "hal/transport/driver_host";
  options.driver = "drivers/sample/libsample.so";
  options.processor = CurrentProcessor();
  std::unique_ptr<DriverProcess> process = DriverProcess::Start(options).value();
  RunOn(*IsolatedWorkers(options, std::move(process), 1).front(), state);
}

BENCHMARK(Make)->Arg(1)->Arg(5)->Arg(40);
BENCHMARK(Expect)->Arg(1)->Arg(5)->Arg(40);
BENCHMARK(Run)->Arg(1)->Arg(5)->Arg(40)->UseRealTime();
BENCHMARK(RunIsolated)->Arg(1)->Arg(5)->Arg(40)->UseRealTime();

}  // namespace
}  // namespace nncert
