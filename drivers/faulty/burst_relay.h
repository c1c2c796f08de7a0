// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Stands between the queues of a client and those of a burst.

#ifndef NNCERT_DRIVERS_FAULTY_BURST_RELAY_H_
#define NNCERT_DRIVERS_FAULTY_BURST_RELAY_H_

#include <functional>

#include "drivers/faulty/rules/rule.h"
#include "hal/message_queue.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::faulty {

/// Opens a burst on two queues.
using OpenBurst = std::function<hal::V1_2::ConfigureExecutionBurstResult(
    const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requestChannel,
    const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& resultChannel)>;

/// Opens a burst on queues of its own, and has packets and answers passed on between these and the
/// client's, changed as `conduct` says.
hal::V1_2::ConfigureExecutionBurstResult ConfigureRelay(
    const OpenBurst& open, const BurstConduct& conduct,
    const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requestChannel,
    const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& resultChannel);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_BURST_RELAY_H_
