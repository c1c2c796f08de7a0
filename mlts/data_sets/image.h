// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Images as pixels, and from files.

#ifndef NNCERT_MLTS_DATA_SETS_IMAGE_H_
#define NNCERT_MLTS_DATA_SETS_IMAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace nncert {

/// An image of three bytes a pixel, red, green and blue, by row from the top.
struct Image {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> rgb;

  bool operator==(const Image&) const = default;
};

/// The most pixels of an image that is decoded: those of 8192 by 8192.
inline constexpr uint64_t kMostPixels = uint64_t{1} << 26;

/// Decodes a JPEG or a PNG file; fails as DecodeJpeg and DecodePng do, and for any other file.
absl::StatusOr<Image> DecodeImage(absl::Span<const uint8_t> file);

/// Decodes a JPEG file: greyscale, YCbCr, RGB, and CMYK or YCCK whose inks are stored inverted, as
/// Adobe's programs do and as Android takes all of them. The orientation that a camera notes is
/// ignored, as Android's BitmapFactory does. InvalidArgument for a file that is broken in any way,
/// be it that the decoder could guess what is missing, and for one of more than kMostPixels.
absl::StatusOr<Image> DecodeJpeg(absl::Span<const uint8_t> file);

/// Decodes a PNG file of any kind. Samples of 16 bits are scaled to 8; alpha and gamma are ignored,
/// as TensorFlow and Pillow do. Fails as DecodeJpeg does.
absl::StatusOr<Image> DecodePng(absl::Span<const uint8_t> file);

/// Reads and decodes an image file. The message begins with the path.
absl::StatusOr<Image> ReadImage(const std::string& path);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_IMAGE_H_
