// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/testing/test_data.h"

#include <png.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gtest/gtest.h"
#include "system/whole_file.h"

extern "C" {
#include <jpeglib.h>
}

namespace nncert {

TestFolder::TestFolder() {
  std::string name = ::testing::TempDir() + "/data_set_XXXXXX";
  if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder " << name;
  path_ = name;
}

TestFolder::~TestFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

std::string TestFolder::Write(const std::string& name, std::string_view text) const {
  return Write(name, std::vector<uint8_t>(text.begin(), text.end()));
}

std::string TestFolder::Write(const std::string& name, const std::vector<uint8_t>& bytes) const {
  std::string file = *this / name;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  const absl::Status status = WriteWholeFile(file, bytes);
  EXPECT_TRUE(status.ok()) << status;
  return file;
}

Image ImageOfColour(uint32_t width, uint32_t height, uint8_t red, uint8_t green, uint8_t blue) {
  Image image = {width, height, {}};
  for (uint32_t i = 0; i < width * height; ++i) {
    image.rgb.insert(image.rgb.end(), {red, green, blue});
  }
  return image;
}

std::vector<uint8_t> JpegFile(JpegKind kind, uint32_t width, uint32_t height,
                              const std::vector<uint8_t>& samples) {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  // Ends the test's process on an error.
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): what libjpeg takes.
  jpeg_mem_dest(&info, &buffer, &size);
  info.image_width = width;
  info.image_height = height;
  const bool has_inks = kind == JpegKind::INKS || kind == JpegKind::YCCK;
  info.input_components = kind == JpegKind::GREY ? 1 : has_inks ? 4 : 3;
  info.in_color_space = kind == JpegKind::GREY ? JCS_GRAYSCALE : has_inks ? JCS_CMYK : JCS_RGB;
  jpeg_set_defaults(&info);
  if (kind == JpegKind::YCCK) jpeg_set_colorspace(&info, JCS_YCCK);
  if (kind == JpegKind::PROGRESSIVE) jpeg_simple_progression(&info);
  jpeg_set_quality(&info, 100, TRUE);
  jpeg_start_compress(&info, TRUE);
  std::vector<uint8_t> rows = samples;
  while (info.next_scanline < height) {
    JSAMPROW row = rows.data() +
                   size_t{info.next_scanline} * width * static_cast<size_t>(info.input_components);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::vector<uint8_t> file(buffer, buffer + size);
  std::free(buffer);
  return file;
}

std::vector<uint8_t> JpegFile(const Image& image) {
  return JpegFile(JpegKind::COLOUR, image.width, image.height, image.rgb);
}

std::vector<uint8_t> PngFile(const PngDescription& description,
                             const std::vector<uint8_t>& samples) {
  std::vector<uint8_t> file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &file,
      [](png_structp writer, png_bytep bytes, size_t count) {
        auto* const target = static_cast<std::vector<uint8_t>*>(png_get_io_ptr(writer));
        target->insert(target->end(), bytes, bytes + count);
      },
      nullptr);
  png_set_IHDR(png, info, description.width, description.height, description.bits,
               description.colour_type,
               description.is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::vector<png_color> palette;
  for (size_t i = 0; i + 2 < description.palette.size(); i += 3) {
    palette.push_back(
        {description.palette[i], description.palette[i + 1], description.palette[i + 2]});
  }
  if (!palette.empty()) {
    png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  }
  if (!description.transparency.empty()) {
    png_set_tRNS(png, info, description.transparency.data(),
                 static_cast<int>(description.transparency.size()), nullptr);
  }
  png_write_info(png, info);
  std::vector<uint8_t> pixels = samples;
  const size_t row_size = png_get_rowbytes(png, info);
  EXPECT_EQ(pixels.size(), row_size * description.height);
  std::vector<png_bytep> rows;
  for (uint32_t row = 0; row < description.height; ++row) {
    rows.push_back(pixels.data() + row * row_size);
  }
  png_write_image(png, rows.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return file;
}

std::vector<uint8_t> PngFile(const Image& image) {
  return PngFile({image.width, image.height, 8, PNG_COLOR_TYPE_RGB}, image.rgb);
}

hal::V1_2::Operand OperandOf(hal::V1_2::OperandType type, std::vector<uint32_t> dimensions,
                             float scale, int32_t zero_point) {
  hal::V1_2::Operand operand;
  operand.type = type;
  operand.dimensions = std::move(dimensions);
  operand.scale = scale;
  operand.zeroPoint = zero_point;
  return operand;
}

Network NetworkOf(const std::vector<hal::V1_2::Operand>& inputs,
                  const std::vector<hal::V1_2::Operand>& outputs) {
  Network network;
  network.name = "network";
  for (const hal::V1_2::Operand& operand : inputs) {
    network.model.inputIndexes.push_back(static_cast<uint32_t>(network.model.operands.size()));
    network.model.operands.push_back(operand);
  }
  for (const hal::V1_2::Operand& operand : outputs) {
    network.model.outputIndexes.push_back(static_cast<uint32_t>(network.model.operands.size()));
    network.model.operands.push_back(operand);
  }
  return network;
}

}  // namespace nncert
