// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Bursts that are wrong.

#ifndef NNCERT_DRIVERS_FAULTY_FAULTY_BURST_H_
#define NNCERT_DRIVERS_FAULTY_FAULTY_BURST_H_

#include <functional>
#include <memory>

#include "drivers/faulty/rules/rule.h"
#include "hal/message_queue.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::faulty {

/// Executes a request of a burst.
using ExecuteInBurst = std::function<hal::V1_2::ExecuteSynchronouslyResult(
    const hal::V1_0::Request& request, hal::V1_2::MeasureTiming measure)>;

/// What configureExecutionBurst returns of a prepared model whose bursts do as `conduct` says, and
/// all else as they should.
hal::V1_2::ConfigureExecutionBurstResult ConfigureFaultyBurst(
    ExecuteInBurst execute, const BurstConduct& conduct,
    const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
    const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requestChannel,
    const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& resultChannel);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_FAULTY_BURST_H_
