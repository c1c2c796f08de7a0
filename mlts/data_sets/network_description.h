// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a person says of a network and its data in the simple layout (see plain_folder.h).

#ifndef NNCERT_MLTS_DATA_SETS_NETWORK_DESCRIPTION_H_
#define NNCERT_MLTS_DATA_SETS_NETWORK_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <string>

#include "mlts/data_sets/benchmark.h"
#include "mlts/data_sets/image_transform.h"
#include "mlts/data_sets/json_cursor.h"

namespace nncert {

/// How the classes of images are known.
enum class LabelSource {
  CSV,     ///< by ground_truth.csv
  FOLDER,  ///< by the folder that the image is in
  NUMBER,  ///< by the number at the end of the name
  NONE,    ///< not at all
};

/// What a description says. Paths are as they are written.
struct NetworkDescription {
  std::optional<std::string> data;
  std::optional<LabelSource> labels;
  ImageTransform transform;
  std::optional<Evaluator> evaluator;
  std::optional<double> expected_top_1;
  std::optional<std::string> output_statistics;
  uint32_t samples = 8;
};

/// What is said of a network of which nothing is said.
NetworkDescription DefaultDescription();

/// Reads a description. Errors are kept by `object`.
NetworkDescription ReadDescription(const JsonCursor& object);

/// The evaluator of that name in MLTS's lists of models, or "none"; nothing when there is none.
std::optional<Evaluator> EvaluatorOf(const std::string& name);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_NETWORK_DESCRIPTION_H_
