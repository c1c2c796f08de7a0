// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/testing/cache_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "glog/logging.h"

namespace nncert::hal::testing {

CacheFile::CacheFile()
    : file_(FileDescriptor::Adopt(memfd_create("cache", MFD_CLOEXEC | MFD_ALLOW_SEALING))) {
  PCHECK(file_.valid()) << "memfd_create";
}

Handle CacheFile::Open(int flags) const {
  const std::string path = absl::StrCat("/proc/self/fd/", file_.get());
  const FileDescriptor opened = FileDescriptor::Adopt(open(path.c_str(), flags | O_CLOEXEC));
  PCHECK(opened.valid()) << path;
  return {.descriptors = {opened}, .integers = {}};
}

std::vector<uint8_t> CacheFile::Read() const {
  struct stat status;
  PCHECK(fstat(file_.get(), &status) == 0);
  std::vector<uint8_t> bytes(static_cast<size_t>(status.st_size));
  PCHECK(pread(file_.get(), bytes.data(), bytes.size(), 0) == status.st_size);
  return bytes;
}

void CacheFile::Write(absl::Span<const uint8_t> bytes) const {
  PCHECK(ftruncate(file_.get(), 0) == 0);
  PCHECK(pwrite(file_.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
}

}  // namespace nncert::hal::testing
