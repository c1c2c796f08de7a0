// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/image.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "system/file_content.h"

namespace nncert {
namespace {

template <size_t size>
bool BeginsWith(absl::Span<const uint8_t> file, const std::array<uint8_t, size>& signature) {
  return file.size() >= size && std::equal(signature.begin(), signature.end(), file.begin());
}

}  // namespace

absl::StatusOr<Image> DecodeImage(absl::Span<const uint8_t> file) {
  constexpr std::array<uint8_t, 2> kJpeg = {0xFF, 0xD8};
  constexpr std::array<uint8_t, 8> kPng = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  if (BeginsWith(file, kJpeg)) return DecodeJpeg(file);
  if (BeginsWith(file, kPng)) return DecodePng(file);
  return absl::InvalidArgumentError(
      file.empty() ? "is empty" : "is neither a JPEG nor a PNG file by its first bytes");
}

absl::StatusOr<Image> ReadImage(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> file = ReadFileBytes(path);
  if (!file.ok()) return file.status();
  absl::StatusOr<Image> image = DecodeImage(*file);
  if (!image.ok()) {
    return absl::Status(image.status().code(), absl::StrCat(path, ": ", image.status().message()));
  }
  return image;
}

}  // namespace nncert
