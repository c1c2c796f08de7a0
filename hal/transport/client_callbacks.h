// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Capabilities for the callbacks that a client gives to a driver.
//
// A callback of a preparation or an execution that has not been called when the channel is lost is
// called then, with GENERAL_FAILURE.

#ifndef NNCERT_HAL_TRANSPORT_CLIENT_CALLBACKS_H_
#define NNCERT_HAL_TRANSPORT_CLIENT_CALLBACKS_H_

#include <memory>

#include "hal/transport/channel.h"
#include "hal/transport/driver.capnp.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {

/// Whether the request that a callback goes with has been sent. Until then nobody but this side can
/// call it.
using SentFlag = std::shared_ptr<bool>;

/// Writes a callback, which may be null. To be called in the loop.
void WriteCallback(Channel& channel, const std::shared_ptr<V1_0::IPreparedModelCallback>& callback,
                   const SentFlag& is_sent, wire::PreparedModelCallbackPointer::Builder builder);
void WriteCallback(Channel& channel, const std::shared_ptr<V1_0::IExecutionCallback>& callback,
                   const SentFlag& is_sent, wire::ExecutionCallbackPointer::Builder builder);

/// The capability of a burst's callback, which must not be null. To be called in the loop.
wire::BurstCallback::Client MakeBurstCallback(
    Channel& channel, const std::shared_ptr<V1_2::IBurstCallback>& callback);

/// A prepared model of the driver, or null when the capability is; InvalidArgument when that is an
/// object of the client's. To be called in the loop.
absl::StatusOr<std::shared_ptr<V1_0::IPreparedModel>> ReadPreparedModel(
    Channel& channel, wire::PreparedModelPointer::Reader reader);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_CLIENT_CALLBACKS_H_
