// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The client's objects: proxies of what a driver has, and capabilities for what a client has.

#ifndef NNCERT_HAL_TRANSPORT_CLIENT_OBJECTS_H_
#define NNCERT_HAL_TRANSPORT_CLIENT_OBJECTS_H_

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/transport/channel.h"
#include "hal/transport/driver.capnp.h"
#include "hal/v1_0/interfaces.h"
#include "hal/version.h"

namespace nncert::hal::transport {

/// The device at the other end, and its version.
struct RemoteDevice {
  std::shared_ptr<V1_0::IDevice> device;
  HalVersion version = HalVersion::V1_0;
};

/// Greets the server at the other end of a channel and asks it for its device. Fails as the server
/// says when it has none, and as Channel::Call.
absl::StatusOr<RemoteDevice> Greet(const std::shared_ptr<Channel>& channel);

/// Keeps a value, or says why there is none.
template <typename Value>
absl::Status Take(absl::StatusOr<Value> from, Value& to) {
  if (!from.ok()) return from.status();
  to = *std::move(from);
  return absl::OkStatus();
}

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_CLIENT_OBJECTS_H_
