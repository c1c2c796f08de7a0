// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/burst/burst_scenarios.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/burst_controller.h"
#include "hal/memory.h"
#include "hal/message_queue.h"
#include "hal/to_string.h"
#include "hal_tests/mutations/burst_mutations.h"
#include "harness/isolation/burst_calls.h"
#include "harness/isolation/driver_calls.h"

namespace nncert {
namespace {

using hal::Mapping;
using hal::Memory;
using hal::MQDescriptorSync;
using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::GetMemoriesResult;
using hal::V1_2::IBurstCallback;
using hal::V1_2::MeasureTiming;
using Lost = BurstRun::Lost;

constexpr std::string_view kPadding = "ignorePaddingTest";
constexpr std::string_view kFreeUnknown = "freeUnknownMemoryTest";
constexpr std::string_view kFree = "freeMemoryTest";
constexpr std::string_view kMemories = "mutateMemoriesTest";
constexpr std::string_view kResultLength = "fmqLengthTest";
constexpr std::string_view kRequestLength = "requestLengthTest";
constexpr std::string_view kConfiguration = "mutateConfigurationTest";
constexpr std::string_view kRepeated = "repeatInvalidTest";

// What memory holds that is no longer to be used.
constexpr uint8_t kSpoiled = 0x5A;

std::string BytesAsText(size_t count) {
  return absl::StrCat(count, count == 1 ? " byte" : " bytes");
}

// What is told of memory that the driver asks for.
enum class Lie { kNone, kError, kErrorWithMemory, kTooLittle, kTooMuch };

constexpr std::array kLies = {Lie::kError, Lie::kErrorWithMemory, Lie::kTooLittle, Lie::kTooMuch};

const char* Describe(Lie lie) {
  switch (lie) {
    case Lie::kNone:
      return "getMemories answers rightly";
    case Lie::kError:
      return "getMemories ends with GENERAL_FAILURE";
    case Lie::kErrorWithMemory:
      return "getMemories ends with GENERAL_FAILURE and gives memory";
    case Lie::kTooLittle:
      return "getMemories gives one pool too few";
    case Lie::kTooMuch:
      return "getMemories gives one pool too many";
  }
  return "";
}

class LyingCallback : public IBurstCallback {
 public:
  LyingCallback(std::shared_ptr<IBurstCallback> honest, std::shared_ptr<std::atomic<Lie>> lie)
      : honest_(std::move(honest)), lie_(std::move(lie)) {}

  GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    GetMemoriesResult result = honest_->getMemories(slots);
    switch (*lie_) {
      case Lie::kNone:
        break;
      case Lie::kError:
        return {.status = ErrorStatus::GENERAL_FAILURE, .buffers = {}};
      case Lie::kErrorWithMemory:
        result.status = ErrorStatus::GENERAL_FAILURE;
        break;
      case Lie::kTooLittle:
        if (!result.buffers.empty()) result.buffers.pop_back();
        break;
      case Lie::kTooMuch:
        if (!result.buffers.empty()) result.buffers.push_back(result.buffers.back());
        break;
    }
    return result;
  }

 private:
  const std::shared_ptr<IBurstCallback> honest_;
  const std::shared_ptr<std::atomic<Lie>> lie_;
};

Lost IgnorePadding(BurstRun& run) {
  BurstPacket packet = run.packet();
  FillPadding(packet);
  return run.SendValid(kPadding, "the valid request, with 0xFF in all bytes that mean nothing",
                       *run.burst(), run.valid(), packet);
}

Lost FreeUnknownMemory(BurstRun& run) {
  const std::vector<int32_t> slots = SlotsOf(run.packet());
  std::vector<int32_t> freed = {-1, INT32_MAX, INT32_MIN};
  if (!slots.empty()) {
    freed.push_back(*std::max_element(slots.begin(), slots.end()) + 1);
    // The second time there is nothing behind it.
    freed.insert(freed.end(), {slots.front(), slots.front()});
  }
  for (const int32_t slot : freed) {
    if (const auto problem = run.burst()->FreeMemory(slot)) {
      return run.Take(kFreeUnknown, absl::StrCat("the memory of slot ", slot), *problem);
    }
  }
  return run.SendValid(kFreeUnknown, "the valid request, after memory was freed that is none",
                       *run.burst(), run.valid(),
                       run.burst()->PacketOf(run.valid(), MeasureTiming::YES));
}

// The memory of one slot after the other is freed, spoiled, and other memory takes its slot.
Lost FreeMemory(BurstRun& run) {
  std::unique_ptr<BurstOnDriver> burst;
  if (Lost lost = run.Open(kFree, {.lengths = run.lengths()}, burst)) return lost;
  if (burst == nullptr) return std::nullopt;
  Request request = run.valid();
  if (Lost lost = run.SendValid(kFree, "the valid request", *burst, request,
                                burst->PacketOf(request, MeasureTiming::YES))) {
    return lost;
  }
  for (size_t i = 0; i < request.pools.size(); ++i) {
    const Memory old = request.pools[i];
    const absl::StatusOr<Mapping> mapping = old.Map(hal::MemoryAccess::READ_WRITE);
    if (!mapping.ok()) continue;
    const absl::Span<uint8_t> bytes = mapping->bytes();
    absl::StatusOr<Memory> copy = Memory::AllocateCopy(bytes, old.name());
    if (!copy.ok()) continue;
    const std::vector<uint8_t> content(bytes.begin(), bytes.end());
    const int32_t slot = SlotsOf(burst->PacketOf(request, MeasureTiming::YES))[i];
    if (const auto problem = burst->FreeMemory(slot)) {
      return run.Take(kFree, absl::StrCat("the memory of slot ", slot), *problem);
    }
    request.pools[i] = *std::move(copy);
    std::memset(bytes.data(), kSpoiled, bytes.size());
    const std::string what =
        absl::StrCat("the valid request, with other memory for slot ", slot, ", which was freed");
    Lost lost =
        run.SendValid(kFree, what, *burst, request, burst->PacketOf(request, MeasureTiming::YES));
    const auto written =
        std::count_if(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != kSpoiled; });
    std::copy(content.begin(), content.end(), bytes.begin());
    if (lost.has_value()) return lost;
    if (written > 0) {
      run.Fail(kFree, what,
               absl::StrCat("it wrote ", BytesAsText(static_cast<size_t>(written)),
                            " of the memory that was freed; expected none"));
    }
  }
  // Nothing is behind the slots now.
  const BurstPacket packet = burst->PacketOf(request, MeasureTiming::YES);
  if (const auto problem = burst->FreeAllMemory()) {
    return run.Take(kFree, "the memory of all slots", *problem);
  }
  bool is_refused = false;
  Lost lost = run.SendInvalid(kFree, "the slots of freed memory, which the client does not know",
                              *burst, packet, is_refused);
  if (is_refused) run.Pass(kFree);
  return lost;
}

Lost MutateMemories(BurstRun& run) {
  const auto lie = std::make_shared<std::atomic<Lie>>(Lie::kNone);
  std::unique_ptr<BurstOnDriver> burst;
  const BurstOptions options = {.lengths = run.lengths(),
                                .wrap = [lie](std::shared_ptr<IBurstCallback> honest) {
                                  return std::make_shared<LyingCallback>(std::move(honest), lie);
                                }};
  if (Lost lost = run.Open(kMemories, options, burst)) return lost;
  for (const Lie each : kLies) {
    if (burst == nullptr) return std::nullopt;
    *lie = each;
    bool is_refused = false;
    if (Lost lost = run.SendInvalid(kMemories, Describe(each), *burst,
                                    burst->PacketOf(run.valid(), MeasureTiming::YES), is_refused)) {
      return lost;
    }
    if (is_refused) run.Pass(kMemories);
    // What it was given before is not what it has to remember.
    if (const auto problem = burst->FreeAllMemory()) {
      return run.Take(kMemories, "the memory of all slots", *problem);
    }
  }
  *lie = Lie::kNone;
  return run.SendValid(kAfterInvalid, "the valid request, after wrong answers of getMemories",
                       *burst, run.valid(), burst->PacketOf(run.valid(), MeasureTiming::YES));
}

// Sends the first elements of a valid packet through a burst that is too short for it, or for its
// answer.
Lost SendThroughShort(BurstRun& run, std::string_view check, std::string_view what,
                      const hal::BurstLengths& lengths, size_t elements) {
  std::unique_ptr<BurstOnDriver> burst;
  if (Lost lost = run.Open(check, {.lengths = lengths}, burst)) return lost;
  if (burst == nullptr) return std::nullopt;
  const BurstPacket packet = burst->PacketOf(run.valid(), MeasureTiming::YES);
  bool is_refused = false;
  Lost lost =
      run.SendInvalid(check, what, *burst, absl::MakeSpan(packet).first(elements), is_refused);
  if (is_refused) run.Pass(check);
  return lost;
}

Lost ShortenResults(BurstRun& run) {
  // A refusal has two elements.
  if (run.answer_size() <= 2) {
    ++run.record().counts[kResultLength].skipped;
    return std::nullopt;
  }
  const auto room = static_cast<uint32_t>(run.answer_size() - 1);
  return SendThroughShort(
      run, kResultLength,
      absl::StrCat("an answer of ", run.answer_size(), " elements in a queue of ", room),
      {.request_elements = run.lengths().request_elements, .result_elements = room},
      run.packet().size());
}

Lost ShortenRequests(BurstRun& run) {
  const size_t room = run.packet().size() - 1;
  return SendThroughShort(run, kRequestLength,
                          absl::StrCat("the first ", room, " elements of a packet of ", room + 1,
                                       " in a queue of ", room),
                          {.request_elements = static_cast<uint32_t>(room),
                           .result_elements = run.lengths().result_elements},
                          room);
}

// What configureExecutionBurst is called with.
struct Configuration {
  std::shared_ptr<IBurstCallback> callback;
  MQDescriptorSync<FmqRequestDatum> requests;
  MQDescriptorSync<FmqResultDatum> results;
};

// Knows no memory.
class EmptyCallback : public IBurstCallback {
 public:
  GetMemoriesResult getMemories(const std::vector<int32_t>& /*slots*/) override {
    return {.status = ErrorStatus::INVALID_ARGUMENT, .buffers = {}};
  }
};

struct WrongConfiguration {
  const char* what;
  void (*change)(Configuration&);
};

constexpr auto kWrongConfigurations = std::to_array<WrongConfiguration>({
    {"no callback", [](Configuration& burst) { burst.callback = nullptr; }},
    {"no queue of requests", [](Configuration& burst) { burst.requests = {}; }},
    {"no queue of results", [](Configuration& burst) { burst.results = {}; }},
    {"a queue of requests of 0 elements",
     [](Configuration& burst) { burst.requests.elementCount = 0; }},
    {"a queue of results of 0 elements",
     [](Configuration& burst) { burst.results.elementCount = 0; }},
    {"a queue of requests that is longer than its memory",
     [](Configuration& burst) { burst.requests.elementCount += 4096; }},
    {"a queue of results that is longer than its memory",
     [](Configuration& burst) { burst.results.elementCount += 4096; }},
    {"requests whose elements are too short",
     [](Configuration& burst) { --burst.requests.elementSize; }},
    {"results whose elements are too long",
     [](Configuration& burst) { ++burst.results.elementSize; }},
});

Lost MutateConfiguration(BurstRun& run) {
  constexpr uint32_t kElements = 64;
  const auto requests = hal::MessageQueue<FmqRequestDatum>::Create(kElements);
  const auto results = hal::MessageQueue<FmqResultDatum>::Create(kElements);
  if (!requests.ok() || !results.ok()) {
    return run.Take(kConfiguration, "no queues", Problem{Verdict::MISSING, "no memory"});
  }
  for (const WrongConfiguration& wrong : kWrongConfigurations) {
    Configuration burst = {std::make_shared<EmptyCallback>(), requests->descriptor(),
                           results->descriptor()};
    wrong.change(burst);
    ErrorStatus status = ErrorStatus::NONE;
    bool is_open = false;
    if (const auto problem = run.prepared().ConfigureBurst(burst.callback, burst.requests,
                                                           burst.results, status, is_open)) {
      return run.Take(kConfiguration, wrong.what, *problem);
    }
    if (!IsRefusal(status) || is_open) {
      run.Fail(kConfiguration, wrong.what,
               absl::StrCat("configureExecutionBurst ended with ", toString(status),
                            is_open ? " and gave a burst" : "",
                            "; expected INVALID_ARGUMENT or GENERAL_FAILURE, and no burst"));
      continue;
    }
    run.Pass(kConfiguration);
  }
  return std::nullopt;
}

// Invalid packets one after the other.
Lost RepeatInvalid(BurstRun& run) {
  BurstPacket packet = run.packet();
  packet.erase(packet.begin());
  for (int i = 0; i < 3; ++i) {
    bool is_refused = false;
    if (Lost lost = run.SendInvalid(
            kRepeated, absl::StrCat("packet ", i + 1, " of three without packetInformation"),
            *run.burst(), packet, is_refused)) {
      return lost;
    }
    if (!is_refused || run.burst() == nullptr) return std::nullopt;
  }
  run.Pass(kRepeated);
  return run.SendValidAfter("three invalid ones");
}

// Those that send no invalid packet go first.
constexpr auto kScenarios = std::to_array<BurstScenario>({
    {{kPadding, "bytes of a packet that mean nothing are ignored"}, &IgnorePadding},
    {{kFreeUnknown, "a slot without memory can be freed"}, &FreeUnknownMemory},
    {{kFree, "memory that was freed is not used again, and that which has its slot is"},
     &FreeMemory},
    {{kMemories, "what getMemories gives is looked at before it is used"}, &MutateMemories},
    {{kResultLength, "an answer that does not fit its queue is an error"}, &ShortenResults},
    {{kRequestLength, "a packet that does not fit its queue is refused"}, &ShortenRequests},
    {{kConfiguration, "no burst is opened without a callback and two queues"},
     &MutateConfiguration},
    {{kRepeated, "each of several invalid packets in a row is answered once"}, &RepeatInvalid},
});

}  // namespace

absl::Span<const BurstScenario> BurstScenarios() { return kScenarios; }

}  // namespace nncert
