// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The server's side of the transport: a device of this process for clients in other ones.
//
//   const auto server = Server::Listen(std::make_shared<MyDriver>(), "/run/my_driver");
//   if (!server.ok()) ...
//   (*server)->Run();
//
// The device is an ordinary C++ object of this program, so no ABI stamp is needed: client and
// server may be built by different compilers. docs/serving_a_driver.md has a complete example.

#ifndef NNCERT_HAL_TRANSPORT_SERVER_H_
#define NNCERT_HAL_TRANSPORT_SERVER_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "hal/handle.h"
#include "hal/v1_0/interfaces.h"

namespace nncert::hal::transport {

/// Serves a device to the client at the other end of a connected Unix stream socket, until the
/// client closes it. Calls of one client run at the same time, each in a thread of this process.
///
/// Requests that break the protocol of the transport never reach the device: arguments that no
/// client could have sent are answered with INVALID_ARGUMENT, and anything worse ends the
/// connection.
///
/// When the client has gone, everything it held (prepared models, bursts, callbacks) is released.
/// Calls that are still running get `grace` to end; those that do not are left behind in their
/// threads. Returns OK when the client closed the connection and nothing runs any more,
/// DeadlineExceeded when calls were left behind, DataLoss when the client broke the protocol,
/// InvalidArgument when `device` is null or `socket` is no connected Unix stream socket.
absl::Status Serve(const std::shared_ptr<V1_0::IDevice>& device, const FileDescriptor& socket,
                   absl::Duration grace = absl::InfiniteDuration());

/// Answers the client at the other end of `socket` that there is no device, and why: `reason`,
/// which must not be OK, is what its Connection::Open returns. Otherwise as Serve.
absl::Status ServeFailure(const absl::Status& reason, const FileDescriptor& socket);

/// How a server listens.
struct ListenOptions {
  /// The permissions of the socket: whoever may write to it may connect. By default the user alone.
  mode_t permissions = 0600;

  /// How long Run waits for calls that are still running when it is to end.
  absl::Duration grace = absl::Seconds(5);
};

/// Serves a device to every client that connects to a socket in the file system.
class Server {
 public:
  /// Creates the socket. The file of a server that has died is replaced. Fails with AlreadyExists
  /// when a server lives there or the file is no socket, InvalidArgument when `device` is null or
  /// the path is longer than a socket's can be (107 bytes), PermissionDenied and the like as the
  /// file system says.
  static absl::StatusOr<std::unique_ptr<Server>> Listen(std::shared_ptr<V1_0::IDevice> device,
                                                        const std::string& path,
                                                        ListenOptions options = {});

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Removes the socket, if it is still the one that Listen created.
  ~Server();

  /// Serves clients, any number at the same time, until Stop is called; then closes their
  /// connections. Returns DeadlineExceeded when calls were left behind in their threads, and what
  /// the system says when no client can be accepted any more.
  absl::Status Run();

  /// Makes Run return, now or as soon as it is called. May be called from any thread and from a
  /// signal handler.
  void Stop();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_SERVER_H_
