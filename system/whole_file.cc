// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hal/handle.h"
#include "system/file_content.h"

namespace nncert {
namespace {

// Whether there is something that is not to be replaced.
bool IsToStay(const std::string& path) {
  struct stat there;
  return lstat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
}

absl::Status CannotWrite(const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot write the file"));
}

}  // namespace

absl::Status WriteWholeFile(const std::string& path, absl::Span<const uint8_t> bytes) {
  const bool is_replaced = !IsToStay(path);
  // Beside the file, so that renaming it is atomic; with the process's number and one of its own,
  // so that two writers of the same file do not meet.
  static std::atomic<uint64_t> files = 0;
  const std::string written =
      is_replaced ? absl::StrCat(path, ".", getpid(), ".", ++files, std::string(kPartialSuffix))
                  : path;
  absl::Status status;
  {
    const hal::FileDescriptor file = hal::FileDescriptor::Adopt(
        open(written.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file.valid()) {
      return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot create the file"));
    }
    while (!bytes.empty() && status.ok()) {
      const ssize_t count = write(file.get(), bytes.data(), bytes.size());
      if (count >= 0) {
        bytes.remove_prefix(static_cast<size_t>(count));
      } else if (errno != EINTR) {
        status = CannotWrite(path);
      }
    }
  }
  if (!is_replaced) return status;
  if (status.ok() && std::rename(written.c_str(), path.c_str()) != 0) status = CannotWrite(path);
  if (!status.ok()) unlink(written.c_str());
  return status;
}

absl::Status WriteWholeFile(const std::string& path, std::string_view text) {
  return WriteWholeFile(path,
                        absl::MakeSpan(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

absl::StatusOr<std::string> ReadWholeFile(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> bytes = ReadFileBytes(path);
  if (!bytes.ok()) return bytes.status();
  return std::string(bytes->begin(), bytes->end());
}

}  // namespace nncert
