// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/pool_kind.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

// Where files may be mapped from.
constexpr size_t kPageBytes = 4096;

// What the file has beside the pool. As guard bytes do, it differs from what drivers write.
constexpr uint8_t kElsewhere = 0x3B;

// A new file that has no name.
absl::StatusOr<hal::FileDescriptor> CreateFile() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error) / "nncert_pool_XXXXXX";
  hal::FileDescriptor file = hal::FileDescriptor::Adopt(mkostemp(name.data(), O_CLOEXEC));
  if (!file.valid()) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot create a file like ", name));
  }
  unlink(name.c_str());
  return file;
}

absl::Status Write(const hal::FileDescriptor& file, absl::Span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t step = write(file.get(), bytes.data(), bytes.size());
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return absl::ErrnoToStatus(errno, "cannot write to the file of a pool");
    bytes.remove_prefix(static_cast<size_t>(step));
  }
  return absl::OkStatus();
}

absl::StatusOr<hal::Memory> MakePoolInFile(absl::Span<const uint8_t> content, int protection) {
  absl::StatusOr<hal::FileDescriptor> file = CreateFile();
  if (!file.ok()) return file.status();
  const size_t pages = content.size() / kPageBytes + 1;
  const std::vector<uint8_t> elsewhere(pages * kPageBytes, kElsewhere);
  for (const absl::Span<const uint8_t> bytes :
       {absl::MakeConstSpan(elsewhere), content, absl::MakeConstSpan(elsewhere)}) {
    if (absl::Status status = Write(*file, bytes); !status.ok()) return status;
  }
  if (protection == PROT_READ) {
    // By its other name the file can be opened once more, for less.
    const std::string path = absl::StrCat("/proc/self/fd/", file->get());
    hal::FileDescriptor readable =
        hal::FileDescriptor::Adopt(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!readable.valid()) {
      return absl::ErrnoToStatus(errno, "cannot open the file of a pool for reading");
    }
    *file = std::move(readable);
  }
  return hal::Memory::FromDescriptor(*std::move(file), content.size(), protection,
                                     elsewhere.size());
}

}  // namespace

std::string_view ToString(PoolKind kind) {
  switch (kind) {
    case PoolKind::kAshmem:
      return hal::kAshmem;
    case PoolKind::kMmapFd:
      return hal::kMmapFd;
    case PoolKind::kReadOnlyMmapFd:
      return "read-only mmap_fd";
    case PoolKind::kHardwareBufferBlob:
      return hal::kHardwareBufferBlob;
  }
  return "PoolKind(?)";
}

bool IsKnown(PoolKind kind, hal::HalVersion version) {
  return kind != PoolKind::kHardwareBufferBlob || version >= hal::HalVersion::V1_2;
}

absl::StatusOr<hal::Memory> MakePool(PoolKind kind, absl::Span<const uint8_t> content) {
  switch (kind) {
    case PoolKind::kAshmem:
      break;
    case PoolKind::kMmapFd:
      return MakePoolInFile(content, PROT_READ | PROT_WRITE);
    case PoolKind::kReadOnlyMmapFd:
      return MakePoolInFile(content, PROT_READ);
    case PoolKind::kHardwareBufferBlob:
      return hal::Memory::AllocateCopy(content, hal::kHardwareBufferBlob);
  }
  return hal::Memory::AllocateCopy(content);
}

}  // namespace nncert
