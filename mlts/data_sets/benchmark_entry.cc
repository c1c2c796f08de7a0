// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/benchmark_entry.h"

#include <utility>

#include "mlts/data_sets/mlts_folder.h"
#include "mlts/data_sets/plain_folder.h"
#include "system/digest.h"
#include "system/file_content.h"

namespace nncert {
namespace {

// The SHA-256 of a file, in hexadecimal.
absl::StatusOr<std::string> Sha256Of(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> file = ReadFileBytes(path);
  if (!file.ok()) return file.status();
  return Sha256({reinterpret_cast<const char*>(file->data()), file->size()});
}

}  // namespace

absl::StatusOr<BenchmarkFolder> ReadBenchmarkFolder(const std::string& folder,
                                                    const BenchmarkFolderOptions& options) {
  const std::optional<std::string> assets = MltsAssetsOf(folder);
  return assets ? ReadMltsFolder(*assets, options) : ReadPlainFolder(folder, options);
}

absl::StatusOr<Benchmark> MakeBenchmark(const BenchmarkEntry& entry, Network network) {
  Benchmark benchmark;
  absl::StatusOr<std::string> sha256 = Sha256Of(entry.model_file);
  if (!sha256.ok()) return sha256.status();
  absl::StatusOr<std::shared_ptr<const DataSet>> data = entry.open(network);
  if (!data.ok()) return data.status();
  benchmark.name = entry.name;
  benchmark.file = entry.model_file;
  benchmark.sha256 = *std::move(sha256);
  benchmark.network = std::move(network);
  benchmark.data = *std::move(data);
  benchmark.evaluator = entry.evaluator;
  benchmark.expected_top_1 = entry.expected_top_1;
  benchmark.output_mean = entry.output_mean;
  benchmark.output_deviation = entry.output_deviation;
  return benchmark;
}

}  // namespace nncert
