// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks before they are read, so that one that is broken costs itself alone.

#ifndef NNCERT_MLTS_MEASURING_BENCHMARK_SOURCE_H_
#define NNCERT_MLTS_MEASURING_BENCHMARK_SOURCE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/data_sets/benchmark.h"
#include "mlts/data_sets/benchmark_entry.h"

namespace nncert {

/// A benchmark that can be read.
struct BenchmarkSource {
  std::string name;
  /// The network's file; empty for one that is built in.
  std::string file;
  /// What a reader of the results should know.
  std::vector<std::string> notes;
  /// Reads it. Fails with what is wrong with the network or its data.
  std::function<absl::StatusOr<Benchmark>()> load;
};

/// Benchmarks, and what else there was.
struct BenchmarkSources {
  std::vector<BenchmarkSource> sources;
  /// What could not be read of a folder.
  std::vector<std::string> problems;
  /// Networks that a folder's lists name and whose files are not there.
  std::vector<std::string> missing;
};

/// Those that this program was built with. Fails as EmbeddedBenchmarks does.
absl::StatusOr<BenchmarkSources> EmbeddedSources();

/// Those of a folder (see benchmark_entry.h); networks are imported when they are read. Fails as
/// ReadBenchmarkFolder does.
absl::StatusOr<BenchmarkSources> SourcesOfFolder(const std::string& folder,
                                                 const BenchmarkFolderOptions& options);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_BENCHMARK_SOURCE_H_
