// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Requests and results of bursts as packets of message queue elements.

#ifndef NNCERT_HAL_BURST_PACKET_H_
#define NNCERT_HAL_BURST_PACKET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/v1_2/burst_types.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"

namespace nncert::hal {

/// Most packets have no more elements, and are made and read without growing.
inline constexpr size_t kUsualBurstElements = 32;

/// A request as it goes through a burst: its pools are named by slots, which only
/// IBurstCallback::getMemories can turn into memory.
struct BurstRequest {
  /// The arguments; without pools.
  V1_2::Request request;
  /// The slot of each pool, in the order of the pool indexes.
  std::vector<int32_t> slots;
  V1_2::MeasureTiming measure = V1_2::MeasureTiming::NO;

  bool operator==(const BurstRequest&) const = default;
};

/// The packet of a request.
std::vector<V1_2::FmqRequestDatum> serializeBurstRequest(const BurstRequest& request);

/// The same; of `request` the arguments alone are looked at.
std::vector<V1_2::FmqRequestDatum> serializeBurstRequest(const V1_2::Request& request,
                                                         absl::Span<const int32_t> slots,
                                                         V1_2::MeasureTiming measure);

/// Has the packet information, if that is the first element, say how many elements there are.
void correctPacketSize(std::vector<V1_2::FmqRequestDatum>& packet);

/// The request of a packet. Fails with InvalidArgument when the elements are not exactly those that
/// the packet information announces, in their order.
absl::StatusOr<BurstRequest> deserializeBurstRequest(
    absl::Span<const V1_2::FmqRequestDatum> packet);

/// The packet of a result.
std::vector<V1_2::FmqResultDatum> serializeBurstResult(
    const V1_2::ExecuteSynchronouslyResult& result);

/// The result of a packet. Fails as deserializeBurstRequest, and when the packet has an error
/// status that the HAL does not.
absl::StatusOr<V1_2::ExecuteSynchronouslyResult> deserializeBurstResult(
    absl::Span<const V1_2::FmqResultDatum> packet);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_BURST_PACKET_H_
