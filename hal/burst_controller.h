// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The client's side of a burst.
//
//   auto burst = BurstController::Open(*prepared_model);
//   if (!burst.ok()) return burst.status();
//   auto result = (*burst)->Execute(request, V1_2::MeasureTiming::NO, Deadline(absl::Seconds(60)));
//
// A burst has one request under way at a time, as the HAL has it; a prepared model has any number
// of bursts. Whoever is to send a driver what it must refuse writes packets of his own.

#ifndef NNCERT_HAL_BURST_CONTROLLER_H_
#define NNCERT_HAL_BURST_CONTROLLER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/burst_packet.h"
#include "hal/deadline.h"
#include "hal/memory.h"
#include "hal/message_queue.h"
#include "hal/v1_2/burst_types.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"

namespace nncert::hal {

/// How many elements the queues of a burst hold.
struct BurstLengths {
  uint32_t request_elements = 1024;
  uint32_t result_elements = 1024;
};

/// The queues of a burst.
struct BurstQueues {
  MessageQueue<V1_2::FmqRequestDatum> requests;
  MessageQueue<V1_2::FmqResultDatum> results;

  /// New ones. Fails as MessageQueue::Create does.
  static absl::StatusOr<BurstQueues> Create(const BurstLengths& lengths);
};

/// Lengths for requests with as many arguments and pools as this one, and for their results: those
/// of Android's suite, or longer ones. Arguments may have up to 16 dimensions.
BurstLengths LengthsFor(const V1_2::Request& request);

/// Whether tests have the driver forget all memory before a request of a burst, the first of which
/// is number 0: before the second of every four, so that slots come to stand for other memory, and
/// mostly stand for what they did.
constexpr bool ForgetsMemoryBefore(uint64_t request) { return request % 4 == 1; }

/// The queues of a burst, and the slots that stand for memory in its requests.
///
/// Nothing that the driver does makes a call crash or wait beyond its deadline, except where a
/// method of the driver is called: by Open, FreeMemory, FreeAllMemory, Close and the destructor. To
/// be used by one thread at a time. (The driver asks for memory from any thread, also when the
/// controller has gone.)
class BurstController {
 public:
  /// Says whether the driver can still answer: OK, or why it cannot, which is then the status of
  /// whoever waits. Null says that it can. Asked while a result does not come.
  using Health = std::function<absl::Status()>;

  /// Makes what the driver asks for memory out of what would answer rightly.
  using CallbackWrapper = std::function<std::shared_ptr<V1_2::IBurstCallback>(
      std::shared_ptr<V1_2::IBurstCallback> honest)>;

  /// Opens a burst of a prepared model (IPreparedModel::configureExecutionBurst). Fails with
  /// FailedPrecondition when the driver refuses, or gives another answer than a burst and NONE;
  /// otherwise as MessageQueue::Create does. A driver is lied to about memory through `wrap`.
  static absl::StatusOr<std::shared_ptr<BurstController>> Open(
      V1_2::IPreparedModel& model, const BurstLengths& lengths = {},
      const CallbackWrapper& wrap = nullptr);

  /// The same with these queues, which are empty. Fails with FailedPrecondition.
  static absl::StatusOr<std::shared_ptr<BurstController>> Open(
      V1_2::IPreparedModel& model, BurstQueues queues, const CallbackWrapper& wrap = nullptr);

  BurstController(const BurstController&) = delete;
  BurstController& operator=(const BurstController&) = delete;
  ~BurstController();

  /// Sends a request and takes its result: Send and Receive.
  absl::StatusOr<V1_2::ExecuteSynchronouslyResult> Execute(const V1_2::Request& request,
                                                           V1_2::MeasureTiming measure,
                                                           const Deadline& deadline,
                                                           const Health& health = nullptr);

  /// Sends a request. Each of its pools has the slot that it had before, or a free one; it may be
  /// written to by the driver until the request has been answered. Fails with FailedPrecondition
  /// while a request is under way, InvalidArgument when the packet is longer than the queue,
  /// DataLoss when the driver broke the rules: see CheckNoResult.
  absl::Status Send(const V1_2::Request& request, V1_2::MeasureTiming measure);

  /// The result of the request that is under way. Fails with DeadlineExceeded when it has not come
  /// by then, and as `health` does; the request is still under way then. DataLoss when what came is
  /// anything but one well-formed packet, or the driver has changed the queue's positions. Without
  /// a request under way FailedPrecondition.
  absl::StatusOr<V1_2::ExecuteSynchronouslyResult> Receive(const Deadline& deadline,
                                                           const Health& health = nullptr);

  /// How many requests have been sent.
  uint64_t sent() const { return sent_; }

  /// DataLoss when the driver has written anything that answers no request, a second answer for
  /// example; OK while a request is under way.
  absl::Status CheckNoResult() const;

  /// The packet of a request, as Send writes it.
  std::vector<V1_2::FmqRequestDatum> PacketOf(const V1_2::Request& request,
                                              V1_2::MeasureTiming measure);

  /// Writes any elements into the request queue, at once, whatever is under way. Fails as
  /// MessageQueue::write does.
  absl::Status SendPacket(absl::Span<const V1_2::FmqRequestDatum> packet);

  /// Sends any elements as a request, and takes all that comes as its answer. Fails as Send and
  /// Receive do, but for what they say of the packets' contents.
  absl::StatusOr<std::vector<V1_2::FmqResultDatum>> ExecutePacket(
      absl::Span<const V1_2::FmqRequestDatum> packet, const Deadline& deadline,
      const Health& health = nullptr);

  /// All the elements in the result queue, once there are any. Fails as Receive does.
  absl::StatusOr<std::vector<V1_2::FmqResultDatum>> ReceivePacket(const Deadline& deadline,
                                                                  const Health& health = nullptr);

  /// Tells the driver to forget the memory behind a slot (IBurstContext::freeMemory), whether there
  /// is any or not; the slot is then free. Freed slots are taken again, the last one first, so that
  /// a driver that does not forget has other memory behind it than its client.
  void FreeMemory(int32_t slot);

  /// Frees every slot, the lowest first.
  void FreeAllMemory();

  /// Ends the burst; only what the driver has written can still be looked at. The driver can ask
  /// for memory no more.
  void Close();

  /// The queues, which the driver may still have.
  const BurstQueues& queues() const { return queues_; }

 private:
  class Slots;

  absl::Status SendAlone(absl::Span<const V1_2::FmqRequestDatum> packet);
  absl::StatusOr<std::vector<V1_2::FmqResultDatum>> ReceiveAnswer(const Deadline& deadline,
                                                                  const Health& health);

  BurstController(BurstQueues queues, std::shared_ptr<Slots> slots);

  BurstQueues queues_;
  const std::shared_ptr<Slots> slots_;
  std::shared_ptr<V1_2::IBurstContext> context_;  // null once closed
  bool is_under_way_ = false;                     // a request
  uint64_t sent_ = 0;                             // requests
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_BURST_CONTROLLER_H_
