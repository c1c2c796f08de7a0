// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// MLTS's layout of models and data (Android's test/mlts/models), read as it is:
//
//   assets/models_list/*.json    lists of models
//   assets/NAME.tflite           networks
//   assets/...                   golden inputs and outputs, photos, as the lists name them
//
// An entry of a list has "name", "inputSize", "dataSize" (1: bytes, 4: floats), optionally
// "modelFile" (its name else), "evaluator", and either "inputOutputs", which are golden files, or
// "dataset", which are photos: "image-N.jpeg" is of the class whose text is line N, counted from 0,
// of the file "groundTruth", and whose number is that of the line of "labels" with this text.
// Whatever else there is (times, versions of Android) is of no meaning here.
//
// A network that is in one list with golden files and in another with photos makes two benchmarks,
// by the names that the lists give them: "mobilenet_v1_0.5_160" and
// "mobilenet_v1_0.5_160_topk_aosp". Not all networks and photos need be there.
//
// MLTS's lists have a mistake: mobilenet_v2_1.0_224_quant has the golden files of the first version
// (cup_1.0_224.output), which nobody noticed, for MLTS asserts nothing of them. Where a network
// named mobilenet_v2_... has golden outputs named CUP_..., and CUP_v2_... is there, that one is
// taken, and the entry's notes say so; BenchmarkFolderOptions::golden_files_as_mlts_names_them
// leaves it as it is.

#ifndef NNCERT_MLTS_DATA_SETS_MLTS_FOLDER_H_
#define NNCERT_MLTS_DATA_SETS_MLTS_FOLDER_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "mlts/data_sets/benchmark_entry.h"

namespace nncert {

/// The folder "assets" of MLTS's layout: the one that is given, or the one of that name in it,
/// whichever has a folder "models_list"; nothing when neither has.
std::optional<std::string> MltsAssetsOf(const std::string& folder);

/// The benchmarks of all lists in alphabetical order of the lists' names. Entries that are broken
/// are left out and told in BenchmarkFolder::problems, as are lists that are no JSON, photos
/// without a number, and names that come again. InvalidArgument when there is no list at all.
absl::StatusOr<BenchmarkFolder> ReadMltsFolder(const std::string& assets,
                                               const BenchmarkFolderOptions& options);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_MLTS_FOLDER_H_
