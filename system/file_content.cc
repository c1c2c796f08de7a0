// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/file_content.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert {

absl::StatusOr<std::vector<uint8_t>> ReadFileBytes(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  }
  if (status.type() == std::filesystem::file_type::none) {
    return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is no regular file"));
  }
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  if (size > kMostFileBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": has ", size, " bytes; at most ", kMostFileBytes, " are read"));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<uint8_t> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file || file.gcount() != static_cast<std::streamsize>(size)) {
    return absl::UnavailableError(absl::StrCat(
        path, ": cannot be read", errno == 0 ? "" : absl::StrCat(": ", std::strerror(errno))));
  }
  return bytes;
}

absl::StatusOr<std::vector<std::string>> ReadFileLines(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> bytes = ReadFileBytes(path);
  if (!bytes.ok()) return bytes.status();
  std::vector<std::string> lines;
  std::string line;
  for (const uint8_t byte : *bytes) {
    if (byte != '\n') {
      line.push_back(static_cast<char>(byte));
      continue;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    line.clear();
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no such folder"));
  }
  std::vector<std::string> files;
  std::filesystem::directory_iterator file(path, error);
  for (; !error && file != std::filesystem::directory_iterator(); file.increment(error)) {
    files.push_back(file->path().string());
  }
  if (error) return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace nncert
