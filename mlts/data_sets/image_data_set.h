// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Images, with labels or without, as a data set.

#ifndef NNCERT_MLTS_DATA_SETS_IMAGE_DATA_SET_H_
#define NNCERT_MLTS_DATA_SETS_IMAGE_DATA_SET_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/data_sets/image_transform.h"
#include "mlts/network.h"

namespace nncert {

/// An image that is to be read.
struct LabelledImage {
  /// What messages call it: "image-17".
  std::string name;
  std::string path;
  /// Its class, if it is known; or why there is none, though there should be.
  absl::StatusOr<std::optional<uint32_t>> label = std::optional<uint32_t>();
};

/// Images as sequences of one inference. Each is decoded when it is read, and one that is broken,
/// or whose label is, fails alone. InvalidArgument when the network has not one input, which takes
/// images (CheckTakesImages), or when it has states.
absl::StatusOr<std::shared_ptr<const DataSet>> OpenImages(
    std::shared_ptr<const std::vector<LabelledImage>> images, const ImageTransform& transform,
    const Network& network);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_IMAGE_DATA_SET_H_
