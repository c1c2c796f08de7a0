// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A network's file with the data that belongs to it, before the network is imported: what reading
// a folder of data gives.
//
//   ASSIGN_OR_RETURN(const BenchmarkFolder folder, ReadBenchmarkFolder(path, {}));
//   for (const BenchmarkEntry& entry : folder.entries) {
//     if (entry.is_missing) continue;
//     ASSIGN_OR_RETURN(Network network, import entry.model_file);
//     ASSIGN_OR_RETURN(Benchmark benchmark, MakeBenchmark(entry, std::move(network)));

#ifndef NNCERT_MLTS_DATA_SETS_BENCHMARK_ENTRY_H_
#define NNCERT_MLTS_DATA_SETS_BENCHMARK_ENTRY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/data_sets/benchmark.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/network.h"

namespace nncert {

/// A network's file, what is measured of it, and the data that it is measured on.
struct BenchmarkEntry {
  /// Unlike any other of the folder. Entries of the same file, one with golden outputs and one with
  /// photos for example, have names of their own.
  std::string name;
  /// The path of the network's file; whether there is none.
  std::string model_file;
  bool is_missing = false;
  /// What the list of models says of the input; empty and 0 where none does. Bytes an element.
  std::vector<uint32_t> input_shape;
  uint32_t data_size = 0;
  Evaluator evaluator = Evaluator::NONE;
  std::optional<double> expected_top_1;
  /// Mean and standard deviation of each output element; empty when it has none.
  std::vector<float> output_mean;
  std::vector<float> output_deviation;
  /// What the data are, in words: "2 golden pairs", "300 photos", "10 images with labels",
  /// "random".
  std::string data;
  /// What a reader of the results should know: other golden files than the list names, photos that
  /// are not there.
  std::vector<std::string> notes;
  /// Opens the data for the network, imported from `model_file` or derived from it, whose inputs
  /// say which types and sizes are asked for. Fails when the network cannot be fed with them. What
  /// is wrong with one sequence, DataSet::Read says.
  std::function<absl::StatusOr<std::shared_ptr<const DataSet>>(const Network& network)> open;
};

/// The benchmarks that a folder holds.
struct BenchmarkFolder {
  std::vector<BenchmarkEntry> entries;
  /// What could not be read, each with its file: entries that are broken, a wrong list of models.
  std::vector<std::string> problems;
};

/// How photos become the input of a quantized network in MLTS's layout.
enum class Preprocessing {
  /// As MLTS does it, but values beyond the range become the outermost of it.
  SATURATING,
  /// As MLTS does it: values beyond the range wrap around, and white pixels become black.
  /// Its published shares of top-1 come of that.
  MLTS,
};

/// How a folder is read.
struct BenchmarkFolderOptions {
  Preprocessing preprocessing = Preprocessing::SATURATING;
  /// Takes the golden files that MLTS names even where they belong to another network (see
  /// mlts_folder.h).
  bool golden_files_as_mlts_names_them = false;
  /// A file of descriptions for networks of the simple layout, by name (see plain_folder.h); empty
  /// for none.
  std::string descriptions;
};

/// Reads a folder: in MLTS's layout (mlts_folder.h) when it, or its folder "assets", has a folder
/// "models_list", else in the simple one (plain_folder.h). NotFound when it is not there;
/// InvalidArgument when it has no network at all, or the file of descriptions is wrong. Whatever
/// else is wrong is in BenchmarkFolder::problems, and the rest is read.
absl::StatusOr<BenchmarkFolder> ReadBenchmarkFolder(const std::string& folder,
                                                    const BenchmarkFolderOptions& options);

/// The benchmark of an entry: its data opened for `network`, its file's digest computed. Fails as
/// `open` does, or when the file cannot be read.
absl::StatusOr<Benchmark> MakeBenchmark(const BenchmarkEntry& entry, Network network);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_BENCHMARK_ENTRY_H_
