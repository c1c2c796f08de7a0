// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/image_transform.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

// Where a pixel of the resized image lies between two of the image, along one side.
struct Between {
  uint32_t first;
  uint32_t second;
  float share_of_second;
};

std::vector<Between> Positions(uint32_t from, uint32_t to) {
  std::vector<Between> positions(to);
  for (uint32_t i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * from / to - 0.5;
    const double position = std::clamp(centre, 0.0, static_cast<double>(from - 1));
    const uint32_t first = static_cast<uint32_t>(position);
    positions[i] = {first, std::min(first + 1, from - 1), static_cast<float>(position - first)};
  }
  return positions;
}

// The elements of a pixel before they become numbers: three, or the one grey.
std::vector<uint8_t> Samples(const Image& image, uint32_t channels) {
  if (channels == 3) return image.rgb;
  std::vector<uint8_t> grey(image.rgb.size() / 3);
  for (size_t i = 0; i < grey.size(); ++i) {
    const uint32_t luma =
        299U * image.rgb[3 * i] + 587U * image.rgb[3 * i + 1] + 114U * image.rgb[3 * i + 2];
    grey[i] = static_cast<uint8_t>((luma + 500) / 1000);
  }
  return grey;
}

uint8_t MltsByte(float value, const MltsQuantization& quantization) {
  const float steps = value / quantization.scale + quantization.zero_point;
  // As Java converts: towards zero, saturating, NaN to 0.
  const int32_t whole = std::isnan(steps)
                            ? 0
                            : static_cast<int32_t>(std::clamp(static_cast<double>(steps),
                                                              -2147483648.0, 2147483647.0));
  if (quantization.wraps_around) return static_cast<uint8_t>(whole);
  return static_cast<uint8_t>(std::clamp(whole, 0, 255));
}

}  // namespace

Image CentredCrop(const Image& image, uint32_t width, uint32_t height, float share) {
  uint32_t cropped_width = 0;
  uint32_t cropped_height = 0;
  if (width == height) {
    const uint32_t side =
        static_cast<uint32_t>(share * static_cast<float>(std::min(image.width, image.height)));
    cropped_width = cropped_height = side;
  } else {
    const double scale = std::min(static_cast<double>(image.width) / width,
                                  static_cast<double>(image.height) / height) *
                         static_cast<double>(share);
    cropped_width = static_cast<uint32_t>(width * scale);
    cropped_height = static_cast<uint32_t>(height * scale);
  }
  cropped_width = std::clamp<uint32_t>(cropped_width, 1, image.width);
  cropped_height = std::clamp<uint32_t>(cropped_height, 1, image.height);
  if (cropped_width == image.width && cropped_height == image.height) return image;
  const uint32_t left = image.width / 2 - cropped_width / 2;
  const uint32_t top = image.height / 2 - cropped_height / 2;
  Image cropped = {cropped_width, cropped_height, {}};
  cropped.rgb.reserve(size_t{cropped_width} * cropped_height * 3);
  for (uint32_t y = 0; y < cropped_height; ++y) {
    const auto row =
        image.rgb.begin() + static_cast<std::ptrdiff_t>((size_t{top + y} * image.width + left) * 3);
    cropped.rgb.insert(cropped.rgb.end(), row,
                       row + static_cast<std::ptrdiff_t>(cropped_width) * 3);
  }
  return cropped;
}

Image Resized(const Image& image, uint32_t width, uint32_t height) {
  if (image.width == width && image.height == height) return image;
  const std::vector<Between> columns = Positions(image.width, width);
  const std::vector<Between> rows = Positions(image.height, height);
  Image resized = {width, height, std::vector<uint8_t>(size_t{width} * height * 3)};
  const auto at = [&image](uint32_t x, uint32_t y, size_t channel) {
    return static_cast<float>(image.rgb[(size_t{y} * image.width + x) * 3 + channel]);
  };
  uint8_t* target = resized.rgb.data();
  for (const Between& row : rows) {
    for (const Between& column : columns) {
      for (size_t channel = 0; channel < 3; ++channel) {
        const auto across = [&](uint32_t y) {
          const float first = at(column.first, y, channel);
          return first + (at(column.second, y, channel) - first) * column.share_of_second;
        };
        const float first = across(row.first);
        const float value = first + (across(row.second) - first) * row.share_of_second;
        *target++ = static_cast<uint8_t>(std::lround(value));
      }
    }
  }
  return resized;
}

ImageTransform InceptionTransform() {
  ImageTransform transform;
  transform.crop_share = 0.875F;
  transform.lowest = -1;
  transform.highest = 1;
  return transform;
}

absl::Status CheckTakesImages(const TensorFormat& input) {
  const std::vector<uint32_t>& dimensions = input.dimensions;
  const bool has_shape = (dimensions.size() == 3 ||
                          (dimensions.size() == 4 && (dimensions[3] == 1 || dimensions[3] == 3))) &&
                         dimensions[0] == 1 && dimensions[1] > 0 && dimensions[2] > 0 &&
                         uint64_t{dimensions[1]} * dimensions[2] <= kMostPixels;
  const bool has_type = input.type == OperandType::TENSOR_FLOAT32 ||
                        input.type == OperandType::TENSOR_FLOAT16 ||
                        input.type == OperandType::TENSOR_QUANT8_ASYMM;
  if (has_shape && has_type) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("images are for an input of [1, height, width, 1 or 3] or [1, height, width] of "
                   "TENSOR_FLOAT32, TENSOR_FLOAT16 or TENSOR_QUANT8_ASYMM; this one is ",
                   hal::V1_2::toString(input.type), " ", hal::dimensionsToString(dimensions)));
}

absl::StatusOr<TensorBytes> InputOf(const Image& image, const ImageTransform& transform,
                                    const TensorFormat& input) {
  const uint32_t height = input.dimensions[1];
  const uint32_t width = input.dimensions[2];
  const uint32_t channels = input.dimensions.size() == 4 ? input.dimensions[3] : 1;
  const std::vector<uint8_t> samples = Samples(
      Resized(CentredCrop(image, width, height, transform.crop_share), width, height), channels);
  const bool is_quantized = input.type == OperandType::TENSOR_QUANT8_ASYMM;
  if (is_quantized && !transform.mlts_quantization && transform.keeps_bytes) return samples;
  std::vector<float> values(samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    values[i] = samples[i] * (transform.highest - transform.lowest) / 255.0F + transform.lowest;
  }
  if (!is_quantized || !transform.mlts_quantization) return BytesOf(input, values);
  TensorBytes bytes(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    bytes[i] = MltsByte(values[i], *transform.mlts_quantization);
  }
  return bytes;
}

}  // namespace nncert
