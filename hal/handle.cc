// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/handle.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert::hal {

FileDescriptor::Owned::~Owned() { close(value); }

FileDescriptor FileDescriptor::Adopt(int descriptor) {
  FileDescriptor result;
  if (descriptor >= 0) result.owned_ = std::make_shared<const Owned>(descriptor);
  return result;
}

absl::StatusOr<FileDescriptor> FileDescriptor::Duplicate(int descriptor) {
  const int duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("cannot duplicate file descriptor ", descriptor));
  }
  return Adopt(duplicate);
}

}  // namespace nncert::hal
