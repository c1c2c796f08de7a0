// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/burst_controller.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "hal/handle.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

using V1_2::ErrorStatus;
using V1_2::ExecuteSynchronouslyResult;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using V1_2::GetMemoriesResult;

// How often is looked whether the driver can still answer.
constexpr absl::Duration kLook = absl::Milliseconds(20);

absl::Status BrokenBy(const absl::Status& status) { return absl::DataLossError(status.message()); }

}  // namespace

BurstLengths LengthsFor(const V1_2::Request& request) {
  constexpr size_t kElementsOfArgument = 1 + 16;
  const auto needed = [](size_t arguments, size_t pools, uint32_t usual) {
    return std::max(usual, static_cast<uint32_t>(2 + arguments * kElementsOfArgument + pools));
  };
  const BurstLengths usual;
  const size_t outputs = request.outputs.size();
  return {.request_elements =
              needed(request.inputs.size() + outputs, request.pools.size(), usual.request_elements),
          .result_elements = needed(outputs, 0, usual.result_elements)};
}

absl::StatusOr<BurstQueues> BurstQueues::Create(const BurstLengths& lengths) {
  auto requests = MessageQueue<FmqRequestDatum>::Create(lengths.request_elements);
  if (!requests.ok()) return requests.status();
  auto results = MessageQueue<FmqResultDatum>::Create(lengths.result_elements);
  if (!results.ok()) return results.status();
  return BurstQueues{*std::move(requests), *std::move(results)};
}

// The memory behind slots. It outlives the controller when the driver keeps the callback.
//
// The pools themselves are their owner's, who may want to know whether anybody else still has them.
// While there is the owner's, the driver is given that, which is mapped already; else one of the
// same file.
class BurstController::Slots : public V1_2::IBurstCallback {
 public:
  GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    GetMemoriesResult result;
    for (const int32_t slot : slots) {
      if (!IsTaken(slot)) return {.status = ErrorStatus::INVALID_ARGUMENT, .buffers = {}};
      absl::StatusOr<Memory> memory = pools_[static_cast<size_t>(slot)].Open();
      if (!memory.ok()) return {.status = ErrorStatus::GENERAL_FAILURE, .buffers = {}};
      result.buffers.push_back(*std::move(memory));
    }
    return result;
  }

  // The slot of a pool, which is given one where it has none.
  int32_t SlotOf(const Memory& memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Pool pool(memory);
    for (size_t slot = 0; slot < pools_.size(); ++slot) {
      if (IsTaken(static_cast<int32_t>(slot)) && pools_[slot].IsSameAs(pool)) {
        pools_[slot] = pool;
        return static_cast<int32_t>(slot);
      }
    }
    if (free_.empty()) {
      pools_.push_back(pool);
      return static_cast<int32_t>(pools_.size() - 1);
    }
    const int32_t slot = free_.back();
    free_.pop_back();
    pools_[static_cast<size_t>(slot)] = pool;
    return slot;
  }

  void Free(int32_t slot) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!IsTaken(slot)) return;
    pools_[static_cast<size_t>(slot)] = Pool(Memory());
    free_.push_back(slot);
  }

  void FreeAll() {
    for (const int32_t slot : taken()) Free(slot);
  }

  std::vector<int32_t> taken() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<int32_t> slots;
    for (size_t slot = 0; slot < pools_.size(); ++slot) {
      if (IsTaken(static_cast<int32_t>(slot))) slots.push_back(static_cast<int32_t>(slot));
    }
    return slots;
  }

 private:
  // What it takes to make the pool again.
  struct Pool {
    explicit Pool(const Memory& memory)
        : owners(memory),
          descriptor(memory.descriptor()),
          size(memory.size()),
          offset(memory.offset()),
          protection(memory.protection()),
          name(memory.name()) {}

    absl::StatusOr<Memory> Open() const {
      // A pool without a descriptor is for the driver to refuse.
      if (!descriptor.valid()) return Memory();
      if (Memory memory = owners.lock(); memory.valid()) return memory;
      return Memory::FromDescriptor(descriptor, size, protection, offset, name);
    }

    bool IsSameAs(const Pool& other) const {
      return descriptor == other.descriptor && size == other.size && offset == other.offset &&
             protection == other.protection && name == other.name;
    }

    WeakMemory owners;
    FileDescriptor descriptor;
    size_t size;
    size_t offset;
    int protection;
    std::string name;
  };

  bool IsTaken(int32_t slot) const {
    return slot >= 0 && static_cast<size_t>(slot) < pools_.size() &&
           std::find(free_.begin(), free_.end(), slot) == free_.end();
  }

  // Guards everything below.
  mutable std::mutex mutex_;
  std::vector<Pool> pools_;    // by slot
  std::vector<int32_t> free_;  // the slots that stand for nothing
};

absl::StatusOr<std::shared_ptr<BurstController>> BurstController::Open(
    V1_2::IPreparedModel& model, const BurstLengths& lengths, const CallbackWrapper& wrap) {
  absl::StatusOr<BurstQueues> queues = BurstQueues::Create(lengths);
  if (!queues.ok()) return queues.status();
  return Open(model, *std::move(queues), wrap);
}

absl::StatusOr<std::shared_ptr<BurstController>> BurstController::Open(
    V1_2::IPreparedModel& model, BurstQueues queues, const CallbackWrapper& wrap) {
  const std::shared_ptr<BurstController> burst(
      new BurstController(std::move(queues), std::make_shared<Slots>()));
  std::shared_ptr<V1_2::IBurstCallback> callback = burst->slots_;
  if (wrap != nullptr) callback = wrap(std::move(callback));
  V1_2::ConfigureExecutionBurstResult configured = model.configureExecutionBurst(
      callback, burst->queues_.requests.descriptor(), burst->queues_.results.descriptor());
  if (configured.status != ErrorStatus::NONE) {
    return absl::FailedPreconditionError(absl::StrCat(
        "configureExecutionBurst ended with ", hal::toString(configured.status),
        configured.context != nullptr ? " and gave a burst" : "", "; expected NONE and a burst"));
  }
  if (configured.context == nullptr) {
    return absl::FailedPreconditionError(
        "configureExecutionBurst ended with NONE and gave no burst; expected one");
  }
  burst->context_ = std::move(configured.context);
  return burst;
}

BurstController::BurstController(BurstQueues queues, std::shared_ptr<Slots> slots)
    : queues_(std::move(queues)), slots_(std::move(slots)) {}

BurstController::~BurstController() { Close(); }

absl::StatusOr<ExecuteSynchronouslyResult> BurstController::Execute(const V1_2::Request& request,
                                                                    V1_2::MeasureTiming measure,
                                                                    const Deadline& deadline,
                                                                    const Health& health) {
  if (absl::Status status = Send(request, measure); !status.ok()) return status;
  return Receive(deadline, health);
}

absl::Status BurstController::Send(const V1_2::Request& request, V1_2::MeasureTiming measure) {
  return SendAlone(PacketOf(request, measure));
}

absl::Status BurstController::SendAlone(absl::Span<const FmqRequestDatum> packet) {
  if (context_ == nullptr) return absl::FailedPreconditionError("the burst has been closed");
  if (is_under_way_) {
    return absl::FailedPreconditionError(
        "a request of the burst has not been answered yet; expected one at a time");
  }
  if (absl::Status status = CheckNoResult(); !status.ok()) return status;
  absl::Status status = SendPacket(packet);
  if (absl::IsDeadlineExceeded(status)) {
    return absl::DataLossError(
        absl::StrCat("the driver has answered requests without reading them: ", status.message()));
  }
  is_under_way_ = status.ok();
  if (is_under_way_) ++sent_;
  return status;
}

absl::StatusOr<ExecuteSynchronouslyResult> BurstController::Receive(const Deadline& deadline,
                                                                    const Health& health) {
  const absl::StatusOr<std::vector<FmqResultDatum>> packet = ReceiveAnswer(deadline, health);
  if (!packet.ok()) return packet.status();
  absl::StatusOr<ExecuteSynchronouslyResult> result = deserializeBurstResult(*packet);
  if (result.ok()) return result;
  return absl::DataLossError(
      absl::StrCat("the result is no single packet: ", result.status().message()));
}

absl::StatusOr<std::vector<FmqResultDatum>> BurstController::ReceiveAnswer(const Deadline& deadline,
                                                                           const Health& health) {
  if (!is_under_way_) {
    return absl::FailedPreconditionError("the burst has no request that could be answered");
  }
  absl::StatusOr<std::vector<FmqResultDatum>> packet = ReceivePacket(deadline, health);
  is_under_way_ = !packet.ok();
  return packet;
}

absl::StatusOr<std::vector<FmqResultDatum>> BurstController::ExecutePacket(
    absl::Span<const FmqRequestDatum> packet, const Deadline& deadline, const Health& health) {
  if (absl::Status status = SendAlone(packet); !status.ok()) return status;
  return ReceiveAnswer(deadline, health);
}

absl::Status BurstController::CheckNoResult() const {
  if (is_under_way_) return absl::OkStatus();
  const absl::StatusOr<size_t> unasked = queues_.results.availableToRead();
  if (!unasked.ok()) return BrokenBy(unasked.status());
  if (*unasked == 0) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("the driver wrote ", *unasked,
                                          " elements of results that no request was sent for; "
                                          "expected exactly one packet for each request"));
}

std::vector<FmqRequestDatum> BurstController::PacketOf(const V1_2::Request& request,
                                                       V1_2::MeasureTiming measure) {
  std::vector<int32_t> slots;
  slots.reserve(request.pools.size());
  for (const Memory& pool : request.pools) slots.push_back(slots_->SlotOf(pool));
  return serializeBurstRequest(request, slots, measure);
}

absl::Status BurstController::SendPacket(absl::Span<const FmqRequestDatum> packet) {
  return queues_.requests.write(packet);
}

absl::StatusOr<std::vector<FmqResultDatum>> BurstController::ReceivePacket(const Deadline& deadline,
                                                                           const Health& health) {
  absl::Status alive;
  bool is_last_look = false;
  while (true) {
    const absl::Duration wait =
        is_last_look ? absl::ZeroDuration() : std::min(deadline.Sleep(), kLook);
    // A packet is written at once, so whatever is there belongs to it, or should not be there.
    absl::StatusOr<std::vector<FmqResultDatum>> packet =
        queues_.results.readAll(wait, kUsualBurstElements);
    if (packet.ok()) return packet;
    if (!absl::IsDeadlineExceeded(packet.status())) return BrokenBy(packet.status());
    if (!alive.ok()) return alive;
    if (is_last_look) {
      return absl::DeadlineExceededError("the request of the burst was not answered in time");
    }
    // Whoever is lost has answered before, or never will.
    if (health != nullptr) alive = health();
    is_last_look = !alive.ok() || deadline.HasPassed();
  }
}

void BurstController::FreeMemory(int32_t slot) {
  slots_->Free(slot);
  if (context_ != nullptr) context_->freeMemory(slot);
}

void BurstController::FreeAllMemory() {
  for (const int32_t slot : slots_->taken()) FreeMemory(slot);
}

void BurstController::Close() {
  context_ = nullptr;
  slots_->FreeAll();
}

}  // namespace nncert::hal
