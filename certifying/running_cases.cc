// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/running_cases.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cases/case_file.h"
#include "hal/write_at.h"

namespace nncert {

RunningCases::~RunningCases() {
  std::error_code ignored;
  for (size_t i = 0; i < files_.size(); ++i) std::filesystem::remove(PathOf(i), ignored);
  if (!directory_.empty()) std::filesystem::remove(directory_, ignored);
}

absl::Status RunningCases::Create(size_t workers) {
  if (directory_.empty()) return absl::OkStatus();
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot make the folder ", directory_, ": ", error.message()));
  }
  for (size_t i = 0; i < workers; ++i) {
    files_.push_back(hal::FileDescriptor::Adopt(
        open(PathOf(i).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)));
    if (!files_.back().valid()) {
      return absl::ErrnoToStatus(errno, absl::StrCat(PathOf(i), ": cannot be made"));
    }
  }
  return absl::OkStatus();
}

absl::Status RunningCases::Begin(size_t worker, absl::Span<const TestCase> cases) const {
  if (directory_.empty()) return absl::OkStatus();
  const absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("nncert", cases);
  if (!bytes.ok()) return bytes.status();
  const int file = files_[worker].get();
  if (absl::Status status =
          hal::WriteAt(file, 0, *bytes, absl::StrCat(PathOf(worker), ": cannot be written"));
      !status.ok()) {
    return status;
  }
  if (ftruncate(file, static_cast<off_t>(bytes->size())) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(PathOf(worker), ": cannot be cut"));
  }
  return absl::OkStatus();
}

std::string RunningCases::PathOf(size_t worker) const {
  return absl::StrCat(directory_, "/worker_", worker, ".case");
}

bool IsRunningCase(const std::string& name) {
  absl::string_view number = name;
  return absl::ConsumePrefix(&number, "worker_") && absl::ConsumeSuffix(&number, ".case") &&
         !number.empty() && number.find_first_not_of("0123456789") == number.npos;
}

}  // namespace nncert
