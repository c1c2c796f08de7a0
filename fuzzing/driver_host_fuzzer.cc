// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what a client can send to a process that serves a driver.

#include <memory>
#include <thread>
#include <utility>

#include "absl/types/span.h"
#include "fuzzing/fuzz_target.h"
#include "fuzzing/message_socket.h"
#include "glog/logging.h"
#include "hal/testing/toy_driver.h"
#include "hal/transport/server.h"
#include "hal/transport/socket.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // What the server says of each request would fill the disk.
  FLAGS_minloglevel = google::GLOG_FATAL;
  auto [ours, theirs] = nncert::hal::transport::ConnectedSockets().value();
  std::thread server([socket = std::move(theirs)]() mutable {
    const absl::Status ignored = nncert::hal::transport::Serve(
        std::make_shared<nncert::hal::testing::ToyDriver>(), std::exchange(socket, {}));
    static_cast<void>(ignored);
  });
  {
    nncert::MessageSocket client(std::exchange(ours, {}));
    client.Say(absl::MakeConstSpan(data, size));
    client.EndSaying();
    client.ListenToTheEnd();
  }
  server.join();
  return 0;
}
