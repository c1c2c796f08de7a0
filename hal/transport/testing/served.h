// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A device of a test and its proxy, on either side of a socket.

#ifndef NNCERT_HAL_TRANSPORT_TESTING_SERVED_H_
#define NNCERT_HAL_TRANSPORT_TESTING_SERVED_H_

#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "hal/handle.h"
#include "hal/transport/client.h"
#include "hal/v1_0/interfaces.h"

namespace nncert::hal::transport::testing {

/// Two Unix stream sockets that are connected with each other.
std::pair<FileDescriptor, FileDescriptor> SocketPair();

/// Waits until a condition holds, which must be within half a minute.
void WaitUntil(const std::function<bool()>& condition);

/// Serves a device in a thread, to a Connection of the same process.
class Served {
 public:
  explicit Served(std::shared_ptr<V1_0::IDevice> device, ConnectionOptions options = {});
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  /// Closes the connection and waits for the server.
  ~Served();

  Connection& connection() { return *connection_; }

  /// The proxy as a device of a version, or null.
  template <typename Device = V1_0::IDevice>
  std::shared_ptr<Device> device() {
    return std::dynamic_pointer_cast<Device>(connection_->device());
  }

  /// Closes the connection, and returns what Serve returned.
  absl::Status Close();

 private:
  absl::Status served_;
  std::thread server_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace nncert::hal::transport::testing

#endif  // NNCERT_HAL_TRANSPORT_TESTING_SERVED_H_
