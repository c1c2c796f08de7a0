// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/write_at.h"

namespace nncert::hal {
namespace {

// A range of a file mapped into this process, unmapped at the end of its life.
class MappedRange {
 public:
  MappedRange(void* start, size_t length) : start_(start), length_(length) {}
  MappedRange(const MappedRange&) = delete;
  MappedRange& operator=(const MappedRange&) = delete;
  ~MappedRange() { munmap(start_, length_); }

  uint8_t* start() const { return static_cast<uint8_t*>(start_); }

 private:
  void* const start_;
  const size_t length_;
};

absl::StatusOr<size_t> FileSize(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat("cannot stat file descriptor ", descriptor, " of a memory pool"));
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("file descriptor ", descriptor, " of a memory pool is not of a regular file"));
  }
  return static_cast<size_t>(status.st_size);
}

absl::Status CheckFileHolds(int descriptor, size_t offset, size_t size) {
  const absl::StatusOr<size_t> available = FileSize(descriptor);
  if (!available.ok()) return available.status();
  if (offset > *available || size > *available - offset) {
    return absl::InvalidArgumentError(absl::StrCat("a memory pool of ", size, " bytes at offset ",
                                                   offset, " exceeds its file, which has ",
                                                   *available, " bytes"));
  }
  return absl::OkStatus();
}

// A new, empty file in memory.
absl::StatusOr<FileDescriptor> CreateFile() {
  const int descriptor = memfd_create("nncert-pool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, "cannot create a memory pool");
  return FileDescriptor::Adopt(descriptor);
}

bool IsSealedAgainstShrinking(int descriptor) {
  const int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

}  // namespace

struct Memory::Region {
  std::string name;
  FileDescriptor descriptor;
  size_t size = 0;
  size_t offset = 0;
  int protection = PROT_READ;
  // Whether nobody can cut the file short any more.
  bool sealed = false;
  // The shared mapping for each MemoryAccess, once there is one.
  mutable std::mutex mutex;
  mutable std::shared_ptr<const MappedRange> mapped[2];
};

absl::StatusOr<Memory> Memory::Allocate(size_t size, std::string_view name) {
  if (size > static_cast<size_t>(std::numeric_limits<off_t>::max())) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot allocate a memory pool of ", size, " bytes"));
  }
  absl::StatusOr<FileDescriptor> file = CreateFile();
  if (!file.ok()) return file.status();
  if (ftruncate(file->get(), static_cast<off_t>(size)) != 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("cannot allocate a memory pool of ", size, " bytes"));
  }
  if (fcntl(file->get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
    return absl::ErrnoToStatus(errno, "cannot seal the size of a memory pool");
  }
  auto region = std::make_shared<Region>();
  region->name = name;
  region->descriptor = *std::move(file);
  region->size = size;
  region->protection = PROT_READ | PROT_WRITE;
  region->sealed = true;
  return Memory(std::move(region));
}

absl::StatusOr<Memory> Memory::AllocateCopy(absl::Span<const uint8_t> content,
                                            std::string_view name) {
  absl::StatusOr<Memory> memory = Allocate(content.size(), name);
  if (!memory.ok()) return memory;
  absl::Status written =
      WriteAt(memory->fd(), 0, content,
              absl::StrCat("cannot fill a memory pool of ", content.size(), " bytes"));
  if (!written.ok()) return written;
  return memory;
}

absl::StatusOr<Memory> Memory::FromDescriptor(FileDescriptor descriptor, size_t size,
                                              int protection, size_t offset,
                                              std::string_view name) {
  if (!descriptor.valid()) {
    return absl::InvalidArgumentError("a memory pool needs an open file descriptor");
  }
  if (protection != PROT_READ && protection != (PROT_READ | PROT_WRITE)) {
    return absl::InvalidArgumentError(absl::StrCat("protection ", protection,
                                                   " of a memory pool is neither PROT_READ nor "
                                                   "PROT_READ | PROT_WRITE"));
  }
  if (absl::Status status = CheckFileHolds(descriptor.get(), offset, size); !status.ok()) {
    return status;
  }
  auto region = std::make_shared<Region>();
  region->name = name;
  region->sealed = IsSealedAgainstShrinking(descriptor.get());
  region->descriptor = std::move(descriptor);
  region->size = size;
  region->offset = offset;
  region->protection = protection;
  return Memory(std::move(region));
}

const std::string& Memory::name() const {
  static const std::string kNone;
  return region_ == nullptr ? kNone : region_->name;
}

size_t Memory::size() const { return region_ == nullptr ? 0 : region_->size; }

const FileDescriptor& Memory::descriptor() const {
  static const FileDescriptor kNone;
  return region_ == nullptr ? kNone : region_->descriptor;
}

size_t Memory::offset() const { return region_ == nullptr ? 0 : region_->offset; }

int Memory::protection() const { return region_ == nullptr ? PROT_NONE : region_->protection; }

bool Memory::IsHeldElsewhere() const {
  if (region_ == nullptr) return false;
  const std::lock_guard<std::mutex> lock(region_->mutex);
  return region_.use_count() > 1 ||
         std::any_of(std::begin(region_->mapped), std::end(region_->mapped),
                     [](const auto& mapped) { return mapped.use_count() > 1; });
}

absl::StatusOr<Mapping> Memory::Map(MemoryAccess access) const {
  if (region_ == nullptr) {
    return absl::InvalidArgumentError("cannot map a memory pool without a file descriptor");
  }
  const Region& region = *region_;
  const int needed = access == MemoryAccess::READ_WRITE ? PROT_READ | PROT_WRITE : PROT_READ;
  if ((needed & ~region.protection) != 0) {
    return absl::PermissionDeniedError(absl::StrCat("cannot map the memory pool \"", region.name,
                                                    "\" for writing: it is read-only"));
  }
  // Touching a page that lies behind the end of its file would kill the process.
  if (!region.sealed) {
    if (absl::Status status = CheckFileHolds(region.descriptor.get(), region.offset, region.size);
        !status.ok()) {
      return status;
    }
  }
  if (region.size == 0) return Mapping();

  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t lead = region.offset % page;
  const std::lock_guard<std::mutex> lock(region.mutex);
  std::shared_ptr<const MappedRange>& mapped =
      region.mapped[access == MemoryAccess::READ_WRITE ? 1 : 0];
  if (mapped == nullptr) {
    const size_t length = lead + region.size;
    void* const start = mmap(nullptr, length, needed, MAP_SHARED, region.descriptor.get(),
                             static_cast<off_t>(region.offset - lead));
    if (start == MAP_FAILED) {
      return absl::ErrnoToStatus(
          errno, absl::StrCat("cannot map the ", region.size, " bytes of the memory pool \"",
                              region.name, "\""));
    }
    mapped = std::make_shared<const MappedRange>(start, length);
  }
  return Mapping(mapped, mapped->start() + lead, region.size);
}

}  // namespace nncert::hal
