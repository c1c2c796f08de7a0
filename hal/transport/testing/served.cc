// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/testing/served.h"

#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "glog/logging.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/transport/server.h"
#include "hal/transport/socket.h"

namespace nncert::hal::transport::testing {

std::pair<FileDescriptor, FileDescriptor> SocketPair() {
  auto sockets = ConnectedSockets();
  CHECK(sockets.ok()) << sockets.status();
  return *std::move(sockets);
}

void WaitUntil(const std::function<bool()>& condition) {
  const Deadline deadline(absl::Seconds(30));
  while (!condition() && !deadline.HasPassed()) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_TRUE(condition());
}

Served::Served(std::shared_ptr<V1_0::IDevice> device, ConnectionOptions options) {
  auto [ours, theirs] = SocketPair();
  server_ = std::thread([this, device = std::move(device), socket = std::move(theirs)]() mutable {
    served_ = Serve(std::exchange(device, nullptr), std::exchange(socket, FileDescriptor()));
  });
  auto connection = Connection::Open(std::move(ours), std::move(options));
  CHECK(connection.ok()) << connection.status();
  connection_ = *std::move(connection);
}

Served::~Served() { Close().IgnoreError(); }

absl::Status Served::Close() {
  connection_ = nullptr;
  if (server_.joinable()) server_.join();
  return served_;
}

}  // namespace nncert::hal::transport::testing
