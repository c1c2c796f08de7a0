// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// From an image to the input of a network.

#ifndef NNCERT_MLTS_DATA_SETS_IMAGE_TRANSFORM_H_
#define NNCERT_MLTS_DATA_SETS_IMAGE_TRANSFORM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/data_sets/image.h"
#include "mlts/tensor_format.h"

namespace nncert {

/// The centred part of an image that has the shape of `width` by `height` and takes up `share`, in
/// (0, 1], of what could be had of that shape. Sides are rounded down, and are 1 at least. For a
/// square, MLTS's: a side of the share of the shorter side, computed in single precision, that
/// begins at half the image less half of itself, both rounded down.
Image CentredCrop(const Image& image, uint32_t width, uint32_t height, float share);

/// The image in another size, each pixel interpolated between the four that are next to its centre
/// (bilinear, of half-pixel centres, edges repeated), without a filter, so that an image that
/// becomes much smaller loses pixels. This is what Android's Bitmap.createScaledBitmap does with
/// its filter on, but for the last bit: there, weights are multiples of 1/16 on some devices.
Image Resized(const Image& image, uint32_t width, uint32_t height);

/// MLTS's rule for quantized inputs: the real value by `scale`, plus `zero_point`, rounded towards
/// zero, and then, where that is outside of a byte, its lowest eight bits or the nearest byte.
struct MltsQuantization {
  float scale = 1;
  float zero_point = 0;
  bool wraps_around = false;
};

/// How pixels become elements.
struct ImageTransform {
  /// The share that is kept of the image; see CentredCrop.
  float crop_share = 1;
  /// The real values that 0 and 255 become.
  float lowest = 0;
  float highest = 1;
  /// What a quantized input gets: bytes as MLTS computes them; else bytes as they are, without
  /// regard to real values, if `keeps_bytes`; else the real values, to the nearest step.
  std::optional<MltsQuantization> mlts_quantization;
  bool keeps_bytes = false;
};

/// MLTS's preprocessor Inception: a crop of 0.875, real values from -1 to 1.
ImageTransform InceptionTransform();

/// Whether an input can be fed with images: [1, height, width, channels] of 1 or 3 channels, or
/// [1, height, width], with known dimensions, of TENSOR_FLOAT32, TENSOR_FLOAT16 or
/// TENSOR_QUANT8_ASYMM. InvalidArgument says what it is instead.
absl::Status CheckTakesImages(const TensorFormat& input);

/// The bytes of an input that CheckTakesImages approves of. Images become grey for an input of one
/// channel, by the luma of ITU-R BT.601. Fails only when the input's scale is none.
absl::StatusOr<TensorBytes> InputOf(const Image& image, const ImageTransform& transform,
                                    const TensorFormat& input);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_IMAGE_TRANSFORM_H_
