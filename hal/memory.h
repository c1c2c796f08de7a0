// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Shared memory pools: what HIDL calls `memory`.

#ifndef NNCERT_HAL_MEMORY_H_
#define NNCERT_HAL_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/handle.h"

namespace nncert::hal {

/// The HAL's names of the kinds of memory a pool may be made of.
inline constexpr std::string_view kAshmem = "ashmem";
inline constexpr std::string_view kMmapFd = "mmap_fd";
inline constexpr std::string_view kHardwareBuffer = "hardware_buffer";
inline constexpr std::string_view kHardwareBufferBlob = "hardware_buffer_blob";

/// How a pool is mapped.
enum class MemoryAccess {
  READ_ONLY,   ///< a write to the mapping kills the process
  READ_WRITE,  ///< writes are seen by every mapping of the pool, in every process
};

/// A pool seen as bytes of this process. It keeps the pool mapped as long as it lives, whatever
/// becomes of the Memory it came from. Cheap to copy and move.
class Mapping {
 public:
  Mapping() = default;

  /// The first byte; null when the pool is empty. Only to be written to when mapped READ_WRITE.
  uint8_t* data() const { return data_; }

  /// Bytes of the pool.
  size_t size() const { return size_; }

  /// All bytes. Only to be written to when mapped READ_WRITE.
  absl::Span<uint8_t> bytes() const { return absl::MakeSpan(data_, size_); }

 private:
  friend class Memory;
  Mapping(std::shared_ptr<const void> owner, uint8_t* data, size_t size)
      : owner_(std::move(owner)), data_(data), size_(size) {}

  std::shared_ptr<const void> owner_;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

/// A pool of shared memory: a name that says what kind it is, a size, and the file descriptor
/// behind it. Copies share the pool. A default-constructed Memory has no descriptor, which a driver
/// must treat as an invalid argument.
///
/// All kinds are memfd files here, so they cross process boundaries as descriptors.
class Memory {
 public:
  Memory() = default;

  /// A new pool of `size` zero bytes; 0 is legal. `name` is one of the names above (any other makes
  /// a pool that drivers must refuse). The file is sealed against a change of its size. Fails when
  /// memory or descriptors have run out.
  static absl::StatusOr<Memory> Allocate(size_t size, std::string_view name = kAshmem);

  /// A new pool that holds a copy of `content`.
  static absl::StatusOr<Memory> AllocateCopy(absl::Span<const uint8_t> content,
                                             std::string_view name = kAshmem);

  /// The pool of the `size` bytes from byte `offset` on of an open file, which may be mapped with
  /// no more than `protection` (PROT_READ, or PROT_READ | PROT_WRITE). The offset need not be
  /// page-aligned. Fails when the descriptor is not open, is not of a regular file (or memfd), or
  /// the file ends before offset + size.
  static absl::StatusOr<Memory> FromDescriptor(FileDescriptor descriptor, size_t size,
                                               int protection, size_t offset = 0,
                                               std::string_view name = kMmapFd);

  /// The kind of memory: "ashmem", "mmap_fd", "hardware_buffer", "hardware_buffer_blob"; empty for
  /// a default-constructed Memory.
  const std::string& name() const;

  /// Bytes of the pool.
  size_t size() const;

  /// The descriptor, owned by the pool; -1 for a default-constructed Memory.
  int fd() const { return descriptor().get(); }

  /// The same descriptor as something that can be kept.
  const FileDescriptor& descriptor() const;

  /// Where in the file the pool begins, in bytes.
  size_t offset() const;

  /// The greatest protection that a mapping may have (PROT_ flags).
  int protection() const;

  /// Whether there is a descriptor behind this pool.
  bool valid() const { return region_ != nullptr; }

  /// The bytes of the pool in this process. The first call for each access maps the pool, later
  /// ones share that mapping; safe to call from several threads. Fails when there is no descriptor,
  /// `access` exceeds the pool's protection, or the file has been truncated meanwhile. (A file
  /// that another process truncates while mapped kills its readers, as everywhere on Linux; pools
  /// from Allocate are sealed against it.)
  absl::StatusOr<Mapping> Map(MemoryAccess access) const;

  /// Whether the pool has other holders in this process: copies of this Memory, or mappings. One
  /// that lets go of it at this moment may still count.
  bool IsHeldElsewhere() const;

  /// Whether both are the same pool (not: whether they hold the same bytes).
  bool operator==(const Memory&) const = default;

 private:
  friend class WeakMemory;
  struct Region;
  explicit Memory(std::shared_ptr<const Region> region) : region_(std::move(region)) {}

  std::shared_ptr<const Region> region_;
};

/// Refers to a pool without holding it, as std::weak_ptr does.
class WeakMemory {
 public:
  WeakMemory() = default;
  explicit WeakMemory(const Memory& memory) : region_(memory.region_) {}

  /// The pool; a default-constructed Memory when nobody holds it any more.
  Memory lock() const { return Memory(region_.lock()); }

 private:
  std::weak_ptr<const Memory::Region> region_;
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_MEMORY_H_
