// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The server's objects: capabilities for what a driver has, and proxies of what a client has.

#ifndef NNCERT_HAL_TRANSPORT_SERVER_OBJECTS_H_
#define NNCERT_HAL_TRANSPORT_SERVER_OBJECTS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "hal/transport/channel.h"
#include "hal/transport/driver.capnp.h"
#include "hal/transport/wire.h"
#include "hal/v1_0/interfaces.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {

/// What a server offers first: the device, or the reason why there is none. To be called in the
/// loop.
wire::Service::Client MakeService(Channel& channel,
                                  absl::StatusOr<std::shared_ptr<V1_0::IDevice>> device);

/// A device, which must not be null. To be called in the loop.
wire::Device::Client MakeDevice(Channel& channel, const std::shared_ptr<V1_0::IDevice>& device);

/// Writes a prepared model, which may be null and gets the memory of its requests and bursts from
/// `pools`. To be called in the loop.
void WritePreparedModel(Channel& channel, const std::shared_ptr<V1_0::IPreparedModel>& prepared,
                        const std::shared_ptr<PoolReader>& pools,
                        wire::PreparedModelPointer::Builder builder);

// The callbacks of a client, or null where the capability is. To be called in the loop.
std::shared_ptr<V1_0::IPreparedModelCallback> ReadCallback(
    Channel& channel, const std::shared_ptr<PoolReader>& pools,
    wire::PreparedModelCallbackPointer::Reader reader);
std::shared_ptr<V1_0::IExecutionCallback> ReadCallback(
    Channel& channel, wire::ExecutionCallbackPointer::Reader reader);
std::shared_ptr<V1_2::IBurstCallback> MakeBurstCallbackProxy(
    Channel& channel, const std::shared_ptr<PoolReader>& pools, wire::BurstCallback::Client client);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_SERVER_OBJECTS_H_
