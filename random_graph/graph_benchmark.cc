// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How many random graphs a second one core makes, evaluates, and runs on the reference driver:
// ./bazelw run //random_graph:graph_benchmark
//
// Graphs of 1, 5 and 40 operations on small tensors, all operations and types in turn. "run" is
// everything: making the graph, the expected answer in double, the driver in this process,
// enclosures, and the judge.

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "harness/case_worker.h"
#include "harness/judging/oracle.h"
#include "random_graph/graph_plan.h"
#include "reference/driver.h"

namespace nncert {
namespace {

using hal::HalVersion;

// Graphs of some number of operations, one after the other.
class Graphs {
 public:
  explicit Graphs(size_t operations)
      : operations_(operations), plan_(1, HalVersion::V1_2), maker_(random_) {}

  TestCase Next() {
    GraphWishes wishes = plan_.WishesOf(number_++);
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

void Run(benchmark::State& state) {
  const std::unique_ptr<DriverSession> session =
      DriverSession::FromDevice(MakeReferenceDriver(), "reference").value();
  const std::vector<std::unique_ptr<CaseWorker>> workers = WorkersInProcess(*session, 1).value();
  Graphs graphs(static_cast<size_t>(state.range(0)));
  RunOptions options;
  options.only_way = 0;
  for (auto _ : state) {
    ++*options.only_way;
    const CaseResult result = workers[0]->Run(graphs.Next(), TestMode::kStatic, options);
    if (IsFailure(result.verdict)) return state.SkipWithError(result.detail.c_str());
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(Make)->Arg(1)->Arg(5)->Arg(40);
BENCHMARK(Expect)->Arg(1)->Arg(5)->Arg(40);
BENCHMARK(Run)->Arg(1)->Arg(5)->Arg(40);

}  // namespace
}  // namespace nncert
