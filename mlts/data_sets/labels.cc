// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/labels.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "system/file_content.h"

namespace nncert {

absl::StatusOr<ClassNames> ClassNames::Read(const std::string& path) {
  const absl::StatusOr<std::vector<std::string>> lines = ReadFileLines(path);
  if (!lines.ok()) return lines.status();
  if (lines->empty()) return absl::InvalidArgumentError(absl::StrCat(path, ": has no classes"));
  ClassNames names;
  names.path_ = path;
  for (size_t i = 0; i < lines->size(); ++i) {
    const bool is_new = names.classes_.insert_or_assign((*lines)[i], i).second;
    if (!is_new) ++names.repeated_;
  }
  return names;
}

absl::StatusOr<uint32_t> ClassNames::ClassOf(const std::string& text) const {
  if (path_.empty()) {
    const std::optional<uint32_t> number = WholeNumber(text);
    if (number) return *number;
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", text, "\" is no number of a class, and there is no labels.txt with their texts"));
  }
  const auto found = classes_.find(text);
  if (found != classes_.end()) return found->second;
  return absl::InvalidArgumentError(absl::StrCat("\"", text, "\" is no line of ", path_));
}

std::optional<uint32_t> WholeNumber(const std::string& text) {
  if (text.empty() || text.size() > 10) return std::nullopt;
  uint64_t number = 0;
  for (const char character : text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(character))) return std::nullopt;
    number = number * 10 + static_cast<uint64_t>(character - '0');
  }
  if (number > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(number);
}

std::optional<uint32_t> NumberInName(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  size_t start = stem.size();
  while (start > 0 && absl::ascii_isdigit(static_cast<unsigned char>(stem[start - 1]))) --start;
  return WholeNumber(stem.substr(start));
}

bool IsImageName(const std::string& path, bool with_png) {
  const std::string extension =
      absl::AsciiStrToLower(std::filesystem::path(path).extension().string());
  return extension == ".jpg" || extension == ".jpeg" || (with_png && extension == ".png");
}

}  // namespace nncert
