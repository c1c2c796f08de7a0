// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/benchmark_source.h"

#include <memory>
#include <utility>

#include "mlts/network.h"
#include "mlts/tflite/importer.h"
#include "mlts/training/embedded_benchmarks.h"

namespace nncert {

absl::StatusOr<BenchmarkSources> EmbeddedSources() {
  absl::StatusOr<std::vector<Benchmark>> benchmarks = EmbeddedBenchmarks();
  if (!benchmarks.ok()) return benchmarks.status();
  BenchmarkSources sources;
  for (Benchmark& benchmark : *benchmarks) {
    BenchmarkSource source;
    source.name = benchmark.name;
    source.load = [shared = std::make_shared<const Benchmark>(
                       std::move(benchmark))]() -> absl::StatusOr<Benchmark> { return *shared; };
    sources.sources.push_back(std::move(source));
  }
  return sources;
}

absl::StatusOr<BenchmarkSources> SourcesOfFolder(const std::string& folder,
                                                 const BenchmarkFolderOptions& options) {
  absl::StatusOr<BenchmarkFolder> read = ReadBenchmarkFolder(folder, options);
  if (!read.ok()) return read.status();
  BenchmarkSources sources;
  sources.problems = std::move(read->problems);
  for (BenchmarkEntry& entry : read->entries) {
    if (entry.is_missing) {
      sources.missing.push_back(entry.name);
      continue;
    }
    BenchmarkSource source;
    source.name = entry.name;
    source.file = entry.model_file;
    source.notes = entry.notes;
    source.load = [entry = std::move(entry)]() -> absl::StatusOr<Benchmark> {
      absl::StatusOr<Network> network = ImportTfliteFile(entry.model_file);
      if (!network.ok()) return network.status();
      return MakeBenchmark(entry, *std::move(network));
    };
    sources.sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace nncert
