// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What can be wrong with the packet of a burst's request: changes that break a valid packet in one
// place each.

#ifndef NNCERT_HAL_TESTS_MUTATIONS_BURST_MUTATIONS_H_
#define NNCERT_HAL_TESTS_MUTATIONS_BURST_MUTATIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/v1_2/burst_types.h"
#include "hal/v1_2/types.h"

namespace nncert {

class BurstMutator;

/// Changes of one kind.
struct BurstMutationFamily {
  /// What Android's suite calls the check, "removeDatumTest", or a name of that kind where it has
  /// none.
  std::string_view name;
  /// What is broken, and so has to be refused.
  std::string_view breaks;
  /// Tells a mutator of each change of a packet.
  void (*mutate)(BurstMutator& mutator) = nullptr;
};

/// All families: those of Android 10's suite first.
absl::Span<const BurstMutationFamily> BurstMutationFamilies();

/// A packet: of a request that is valid, before it is changed.
using BurstPacket = std::vector<hal::V1_2::FmqRequestDatum>;

/// A change. Its functions live as long as the call that it is an argument of.
struct BurstMutation {
  /// One of BurstMutationFamilies.
  const BurstMutationFamily& family;
  /// The same for two changes at the same place of packets that look alike.
  uint64_t kind;
  /// Where and what: "element 3, poolIdentifier: removed".
  absl::FunctionRef<std::string()> describe;
  /// Makes the change in a copy of the packet.
  absl::FunctionRef<void(BurstPacket&)> apply;
};

/// Calls visit with every change of a valid packet, in an order that depends on nothing else;
/// `capacity` is how many elements the queue of requests holds. A few changes leave the packet
/// valid: see WhyInvalid.
void ForEachBurstMutation(const BurstPacket& packet, size_t capacity,
                          absl::FunctionRef<void(const BurstMutation&)> visit);

/// How many and what elements a packet has, but for their values.
uint64_t KindOfPacket(const BurstPacket& packet);

/// The slots of a valid packet, in the order of its pools.
std::vector<int32_t> SlotsOf(const BurstPacket& packet);

/// Sets every byte of every element of a packet that means nothing to 0xFF.
void FillPadding(BurstPacket& packet);

/// Why a device of HAL 1.2 must refuse a packet for this valid model, of a client that knows
/// `slots` as the memory of the valid request's pools and no others; OK when it need not.
absl::Status WhyInvalid(const BurstPacket& packet, const hal::V1_0::Request& valid,
                        absl::Span<const int32_t> slots, const hal::V1_2::Model& model);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_MUTATIONS_BURST_MUTATIONS_H_
