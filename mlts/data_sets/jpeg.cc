// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// JPEG by libjpeg-turbo, which reports errors by a function that must not return. It jumps back to
// where decoding began, over C functions and functions of ours that own nothing: whatever has a
// destructor lives outside of those.

#include <csetjmp>
#include <cstddef>
#include <cstdio>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mlts/data_sets/image.h"

extern "C" {
#include <jpeglib.h>
}

namespace nncert {
namespace {

// The most scans of a progressive file. Encoders write about ten; each costs the time of a whole
// image, which a small hostile file could ask for without end.
constexpr int kMostScans = 100;

// libjpeg's error manager with what is ours. It points to the first member.
struct ErrorManager {
  jpeg_error_mgr functions;
  std::jmp_buf start;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void Fail(j_common_ptr info) {
  ErrorManager& errors = *reinterpret_cast<ErrorManager*>(info->err);
  errors.functions.format_message(info, errors.message);
  std::longjmp(errors.start, 1);
}

// A warning, of level -1, means that data are missing or corrupt and the decoder guesses.
void FailByWarning(j_common_ptr info, int level) {
  if (level < 0) Fail(info);
}

[[noreturn]] void FailWith(j_decompress_ptr info, const char* message) {
  ErrorManager& errors = *reinterpret_cast<ErrorManager*>(info->err);
  std::snprintf(errors.message, sizeof(errors.message), "%s", message);
  std::longjmp(errors.start, 1);
}

void CountScans(j_common_ptr info) {
  jpeg_decompress_struct* const decompress = reinterpret_cast<j_decompress_ptr>(info);
  if (decompress->input_scan_number > kMostScans) FailWith(decompress, "has too many scans");
}

// Of inverted inks to red, green and blue.
void ConvertInks(const uint8_t* inks, uint32_t pixels, uint8_t* rgb) {
  for (uint32_t i = 0; i < pixels; ++i) {
    const uint32_t black = inks[4 * i + 3];
    for (uint32_t channel = 0; channel < 3; ++channel) {
      rgb[3 * i + channel] = static_cast<uint8_t>((inks[4 * i + channel] * black + 127) / 255);
    }
  }
}

// Whether decoding came to its end; else the message says why not. `inks` is room for a row.
bool Decode(absl::Span<const uint8_t> file, jpeg_decompress_struct& info, ErrorManager& errors,
            Image& image, std::vector<uint8_t>& inks) {
  if (setjmp(errors.start) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_progress_mgr progress = {};
  progress.progress_monitor = &CountScans;
  info.progress = &progress;
  jpeg_mem_src(&info, file.data(), file.size());
  jpeg_read_header(&info, TRUE);
  if (uint64_t{info.image_width} * info.image_height > kMostPixels) {
    FailWith(&info, "is larger than 8192 by 8192 pixels");
  }
  const bool has_inks = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(&info);
  image.width = info.output_width;
  image.height = info.output_height;
  image.rgb.resize(size_t{image.width} * image.height * 3);
  if (has_inks) inks.resize(size_t{image.width} * 4);
  while (info.output_scanline < info.output_height) {
    uint8_t* const row = image.rgb.data() + size_t{info.output_scanline} * image.width * 3;
    JSAMPROW target = has_inks ? inks.data() : row;
    jpeg_read_scanlines(&info, &target, 1);
    if (has_inks) ConvertInks(inks.data(), image.width, row);
  }
  jpeg_finish_decompress(&info);
  return true;
}

}  // namespace

absl::StatusOr<Image> DecodeJpeg(absl::Span<const uint8_t> file) {
  if (file.empty()) return absl::InvalidArgumentError("is empty");
  Image image;
  std::vector<uint8_t> inks;
  ErrorManager errors = {};
  jpeg_decompress_struct info = {};
  info.err = jpeg_std_error(&errors.functions);
  errors.functions.error_exit = &Fail;
  errors.functions.emit_message = &FailByWarning;
  const bool is_decoded = Decode(file, info, errors, image, inks);
  jpeg_destroy_decompress(&info);
  if (!is_decoded) {
    return absl::InvalidArgumentError(absl::StrCat("is no JPEG file that can be read: ",
                                                   static_cast<const char*>(errors.message)));
  }
  return image;
}

}  // namespace nncert
