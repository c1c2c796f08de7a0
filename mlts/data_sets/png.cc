// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// PNG by libpng. See jpeg.cc on errors.

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdio>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mlts/data_sets/image.h"

namespace nncert {
namespace {

// What libpng's functions of ours work on.
struct Reading {
  absl::Span<const uint8_t> file;
  char message[256];
  Image image;
  std::vector<png_bytep> rows;
};

[[noreturn]] void Fail(png_structp png, png_const_charp message) {
  Reading& reading = *static_cast<Reading*>(png_get_error_ptr(png));
  std::snprintf(reading.message, sizeof(reading.message), "%s", message);
  png_longjmp(png, 1);
}

// Of what is no part of the pixels: profiles, comments, times.
void IgnoreWarning(png_structp /*png*/, png_const_charp /*message*/) {}

void ReadBytes(png_structp png, png_bytep target, size_t count) {
  Reading& reading = *static_cast<Reading*>(png_get_io_ptr(png));
  if (reading.file.size() < count) png_error(png, "it ends too early");
  std::copy_n(reading.file.begin(), count, target);
  reading.file.remove_prefix(count);
}

// Whether decoding came to its end; else the message says why not.
bool Decode(png_structp png, png_infop info, Reading& reading) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &reading, &ReadBytes);
  png_read_info(png, info);
  const uint32_t width = png_get_image_width(png, info);
  const uint32_t height = png_get_image_height(png, info);
  if (uint64_t{width} * height > kMostPixels) {
    png_error(png, "it is larger than 8192 by 8192 pixels");
  }
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != size_t{width} * 3) {
    png_error(png, "its pixels are of an unknown kind");
  }
  reading.image.width = width;
  reading.image.height = height;
  reading.image.rgb.resize(size_t{width} * height * 3);
  reading.rows.resize(height);
  for (uint32_t row = 0; row < height; ++row) {
    reading.rows[row] = reading.image.rgb.data() + size_t{row} * width * 3;
  }
  png_read_image(png, reading.rows.data());
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

absl::StatusOr<Image> DecodePng(absl::Span<const uint8_t> file) {
  Reading reading = {file, {}, {}, {}};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, &Fail, &IgnoreWarning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr) {
    png_destroy_read_struct(&png, nullptr, nullptr);
    return absl::ResourceExhaustedError("there is no memory for a PNG decoder");
  }
  const bool is_decoded = Decode(png, info, reading);
  png_destroy_read_struct(&png, &info, nullptr);
  if (!is_decoded) {
    return absl::InvalidArgumentError(absl::StrCat("is no PNG file that can be read: ",
                                                   static_cast<const char*>(reading.message)));
  }
  return std::move(reading.image);
}

}  // namespace nncert
