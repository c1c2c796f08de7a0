// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The driver's side of a burst.

#ifndef NNCERT_HAL_BURST_H_
#define NNCERT_HAL_BURST_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/burst_packet.h"
#include "hal/message_queue.h"
#include "hal/v1_2/burst_types.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"
#include "hal/work_queue.h"

namespace nncert::hal {

/// The driver's side of a burst: a thread that executes requests from one queue with a prepared
/// model and writes the results to the other. It remembers the memory behind slots until it is
/// freed.
///
/// A malformed packet is answered with INVALID_ARGUMENT, a result that does not fit its queue with
/// GENERAL_FAILURE; both without shapes and times.
class BurstServer : public V1_2::IBurstContext {
 public:
  /// Starts serving. Fails with InvalidArgument when the callback is null, a channel has more than
  /// 2^20 elements or is none that MessageQueue::Open takes; ResourceExhausted when no thread can
  /// be started.
  static absl::StatusOr<std::shared_ptr<BurstServer>> Start(
      std::shared_ptr<V1_2::IPreparedModel> preparedModel,
      std::shared_ptr<V1_2::IBurstCallback> callback,
      const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel);

  /// Start, as configureExecutionBurst of the prepared model returns it.
  static V1_2::ConfigureExecutionBurstResult Configure(
      std::shared_ptr<V1_2::IPreparedModel> preparedModel,
      std::shared_ptr<V1_2::IBurstCallback> callback,
      const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel);

  BurstServer(const BurstServer&) = delete;
  BurstServer& operator=(const BurstServer&) = delete;

  /// Ends the burst, after the request that is being executed.
  ~BurstServer() override;

  void freeMemory(int32_t slot) override;

 private:
  BurstServer(std::shared_ptr<V1_2::IPreparedModel> prepared_model,
              std::shared_ptr<V1_2::IBurstCallback> callback,
              MessageQueue<V1_2::FmqRequestDatum> requests,
              MessageQueue<V1_2::FmqResultDatum> results);

  void Serve();
  absl::StatusOr<std::vector<V1_2::FmqRequestDatum>> ReadPacket();
  V1_2::ExecuteSynchronouslyResult Execute(absl::Span<const V1_2::FmqRequestDatum> packet);
  absl::StatusOr<std::vector<Memory>> MemoriesOf(const std::vector<int32_t>& slots);
  void Answer(const V1_2::ExecuteSynchronouslyResult& result);

  const std::shared_ptr<V1_2::IPreparedModel> prepared_model_;
  const std::shared_ptr<V1_2::IBurstCallback> callback_;
  MessageQueue<V1_2::FmqRequestDatum> requests_;
  MessageQueue<V1_2::FmqResultDatum> results_;
  // Guards memories_.
  std::mutex mutex_;
  absl::flat_hash_map<int32_t, Memory> memories_;
  // Its thread goes before all else; or is kept, since to start one takes longer than a request.
  WorkQueue thread_;
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_BURST_H_
