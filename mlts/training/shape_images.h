// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Labelled images: one shape each, drawn by chance. They are made of integers alone, so they are
// the same with every compiler, on every processor.

#ifndef NNCERT_MLTS_TRAINING_SHAPE_IMAGES_H_
#define NNCERT_MLTS_TRAINING_SHAPE_IMAGES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "mlts/training/data_split.h"

namespace nncert {

/// Height and width of an image, in pixels, and its channels: red, green and blue.
inline constexpr uint32_t kShapeImageSide = 32;
inline constexpr uint32_t kShapeImageDepth = 3;

/// How many shapes there are: labels are below it.
inline constexpr uint32_t kShapeCount = 10;

/// The name of the shape of a label below kShapeCount: "triangle".
std::string_view ShapeName(uint32_t label);

/// An image and which shape it shows.
struct ShapeImage {
  uint32_t label = 0;
  /// [kShapeImageSide, kShapeImageSide, kShapeImageDepth], row-major.
  std::vector<uint8_t> pixels;
};

/// The image of this number: the shape `index` % kShapeCount at a place, of a size, turned, and in
/// colours of chance, some of them close to those of the background, which is a gradient; with
/// spots and lines across, and with noise.
ShapeImage DrawShape(DataSplit split, uint64_t index);

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_SHAPE_IMAGES_H_
