// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What tests of data sets are made of: folders that go away, small images and their files, networks
// that only have inputs and outputs.

#ifndef NNCERT_MLTS_DATA_SETS_TESTING_TEST_DATA_H_
#define NNCERT_MLTS_DATA_SETS_TESTING_TEST_DATA_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hal/v1_2/types.h"
#include "mlts/data_sets/image.h"
#include "mlts/network.h"

namespace nncert {

/// A folder of a test's own, which is removed with all that is in it.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  /// The path of a file in it.
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  /// Writes a file, and the folders that it is in; gives its path.
  std::string Write(const std::string& name, std::string_view text) const;
  std::string Write(const std::string& name, const std::vector<uint8_t>& bytes) const;

 private:
  std::string path_;
};

/// The bytes of floats, or of any other elements.
template <class Element>
std::vector<uint8_t> BytesOfElements(const std::vector<Element>& elements) {
  const uint8_t* const bytes = reinterpret_cast<const uint8_t*>(elements.data());
  return std::vector<uint8_t>(bytes, bytes + elements.size() * sizeof(Element));
}

/// An image of one colour.
Image ImageOfColour(uint32_t width, uint32_t height, uint8_t red, uint8_t green, uint8_t blue);

/// What a JPEG file has of a pixel, and whether it is progressive.
enum class JpegKind { GREY, COLOUR, PROGRESSIVE, INKS, YCCK };

/// A JPEG file, of the best quality, of samples by row: one of grey, three of colour, four of
/// inverted inks a pixel.
std::vector<uint8_t> JpegFile(JpegKind kind, uint32_t width, uint32_t height,
                              const std::vector<uint8_t>& samples);
/// That of an image in colour.
std::vector<uint8_t> JpegFile(const Image& image);

/// A PNG file, by libpng's numbers: of `samples` by row, packed as `bits` and `colour_type`
/// (PNG_COLOR_TYPE_RGB, for example) say. `palette` has three bytes for each colour, `transparency`
/// an alpha for each.
struct PngDescription {
  uint32_t width = 0;
  uint32_t height = 0;
  int bits = 8;
  int colour_type = 0;
  bool is_interlaced = false;
  std::vector<uint8_t> palette = {};
  std::vector<uint8_t> transparency = {};
};
std::vector<uint8_t> PngFile(const PngDescription& description,
                             const std::vector<uint8_t>& samples);
/// That of an image in colour.
std::vector<uint8_t> PngFile(const Image& image);

/// A network that has these inputs and outputs, and no operation.
hal::V1_2::Operand OperandOf(hal::V1_2::OperandType type, std::vector<uint32_t> dimensions,
                             float scale = 0, int32_t zero_point = 0);
Network NetworkOf(const std::vector<hal::V1_2::Operand>& inputs,
                  const std::vector<hal::V1_2::Operand>& outputs);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_TESTING_TEST_DATA_H_
