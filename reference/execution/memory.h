// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of executions: buffers and scratch that are used over and over again.

#ifndef NNCERT_REFERENCE_EXECUTION_MEMORY_H_
#define NNCERT_REFERENCE_EXECUTION_MEMORY_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace nncert {

/// What buffers are aligned to: the width of the widest vectors, and of a line of the caches.
inline constexpr size_t kBufferAlignment = 64;

/// `bytes` rounded up to a multiple of kBufferAlignment.
constexpr size_t Aligned(size_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

/// An aligned buffer whose contents are arbitrary until they are written.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : storage_(std::move(other.storage_)),
        bytes_(std::exchange(other.bytes_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    storage_ = std::move(other.storage_);
    bytes_ = std::exchange(other.bytes_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  /// The first of size() bytes; null when the buffer is empty.
  std::byte* data() const { return bytes_; }
  size_t size() const { return size_; }

  /// Makes the buffer at least `size` bytes; one that is smaller loses its contents. Returns
  /// whether there was memory enough; when there was not, the buffer is empty.
  [[nodiscard]] bool Reserve(size_t size);

 private:
  std::unique_ptr<std::byte[]> storage_;
  std::byte* bytes_ = nullptr;  // the first aligned one of `storage_`
  size_t size_ = 0;
};

/// Gives the memory of the whole pages within [begin, end) back to the system. What is read there
/// afterwards is arbitrary, or, where a file is mapped, what the file holds.
void DiscardPages(const std::byte* begin, const std::byte* end);

/// Memory that is given out piece by piece and taken back all at once. After a round or two of the
/// same demands, nothing is allocated any more.
class Arena {
 public:
  /// Room for `size` bytes, aligned to kBufferAlignment, whose contents are arbitrary; valid until
  /// Reset(). Ends the program when there is not memory enough.
  std::byte* Allocate(size_t size) {
    size = Aligned(size);
    if (next_ == nullptr || size > static_cast<size_t>(end_ - next_)) AddBlock(size);
    std::byte* const result = next_;
    next_ += size;
    return result;
  }

  /// Takes everything back.
  void Reset();

  /// The bytes that the arena holds, given out or not.
  size_t capacity() const;

 private:
  void AddBlock(size_t size);

  std::vector<Buffer> blocks_;  // what is given out next comes from the last one
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_MEMORY_H_
