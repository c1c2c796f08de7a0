// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Unix stream sockets.

#ifndef NNCERT_HAL_TRANSPORT_SOCKET_H_
#define NNCERT_HAL_TRANSPORT_SOCKET_H_

#include <sys/types.h>

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/handle.h"

namespace nncert::hal::transport {

/// Two Unix stream sockets that are connected with each other.
absl::StatusOr<std::pair<FileDescriptor, FileDescriptor>> ConnectedSockets();

/// Connects to the socket at `path`. Fails with NotFound when there is none, Unavailable when
/// nobody listens there, InvalidArgument when the path is too long for a socket's.
absl::StatusOr<FileDescriptor> ConnectSocket(const std::string& path);

/// Creates a socket at `path` that listens, with the given permissions from the first moment on. A
/// socket that nobody listens at is replaced. Fails with AlreadyExists when somebody does or the
/// file is no socket, InvalidArgument when the path is too long for a socket's, and as the file
/// system says.
absl::StatusOr<FileDescriptor> ListenAt(const std::string& path, mode_t permissions);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_SOCKET_H_
