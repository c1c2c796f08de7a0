// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// File descriptors as values: what the HAL calls handles.

#ifndef NNCERT_HAL_HANDLE_H_
#define NNCERT_HAL_HANDLE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"

namespace nncert::hal {

/// Shared ownership of an open file descriptor: copies refer to the same descriptor, which is
/// closed with the last of them. A default-constructed one owns nothing.
class FileDescriptor {
 public:
  FileDescriptor() = default;

  /// Takes ownership of `descriptor`; a negative one gives an empty FileDescriptor.
  static FileDescriptor Adopt(int descriptor);

  /// A duplicate of `descriptor` (close-on-exec), which stays the caller's. Fails when it is not an
  /// open descriptor or the process has no descriptors left.
  static absl::StatusOr<FileDescriptor> Duplicate(int descriptor);

  /// The descriptor, or -1 when there is none. It stays open as long as a copy of this lives.
  int get() const { return owned_ == nullptr ? -1 : owned_->value; }

  /// Whether there is a descriptor.
  bool valid() const { return owned_ != nullptr; }

  /// Whether both share the same descriptor.
  bool operator==(const FileDescriptor&) const = default;

 private:
  // Closes the descriptor at the end of its life.
  struct Owned {
    explicit Owned(int descriptor) : value(descriptor) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned();
    const int value;
  };

  std::shared_ptr<const Owned> owned_;
};

/// A HIDL handle: any number of file descriptors and integers. Each compilation cache handle holds
/// exactly one descriptor.
struct Handle {
  std::vector<FileDescriptor> descriptors;
  std::vector<int> integers;

  bool operator==(const Handle&) const = default;
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_HANDLE_H_
