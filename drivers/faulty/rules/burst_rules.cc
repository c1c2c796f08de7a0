// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about bursts. (That elements differ in them is one of result_rules.cc.)

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "drivers/faulty/rules/rule.h"
#include "hal/burst_packet.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::MeasureTiming;
using Alternative = FmqRequestDatum::Discriminator;

constexpr BurstConduct kRefused = {.is_refused = true};
constexpr BurstConduct kNull = {.is_null = true};
constexpr BurstConduct kNoAnswer = {.answers = 0};
constexpr BurstConduct kTwoAnswers = {.answers = 2};
constexpr BurstConduct kAnswerBefore = {.answers_before = true};
constexpr BurstConduct kKeepsMemory = {.keeps_memory = true};
constexpr BurstConduct kExchangesMemory = {.exchanges_memory = true};
constexpr BurstConduct kKeepsUntilAll = {.keeps_memory_until_all_is_freed = true};
constexpr BurstConduct kInventsMemory = {.invents_memory = true};
constexpr BurstConduct kTakesMoreMemory = {.takes_more_memory = true};
constexpr BurstConduct kEndsAtUnknownSlot = {.ends_at_unknown_slot = true};
constexpr BurstConduct kTakesNoCallback = {.takes_no_callback = true};

// Counts that no packet of ours has.
constexpr uint32_t kManyThings = 0xFFFF;

using Packet = std::vector<FmqRequestDatum>;

const FmqRequestDatum kWithoutTiming = FmqRequestDatum::makeMeasureTiming(MeasureTiming::NO);

FmqResultDatum WithByte(const FmqResultDatum& datum, size_t place, uint8_t value) {
  auto bytes = std::bit_cast<std::array<uint8_t, sizeof(FmqResultDatum)>>(datum);
  bytes[place] = value;
  return std::bit_cast<FmqResultDatum>(bytes);
}

bool HasPadding(const FmqRequestDatum& datum) {
  const auto bytes = std::bit_cast<std::array<uint8_t, sizeof(FmqRequestDatum)>>(datum);
  return bytes[1] != 0 || bytes[2] != 0 || bytes[3] != 0;
}

void Answer(BurstExchange& exchange, const ExecuteSynchronouslyResult& result) {
  exchange.answer = hal::serializeBurstResult(result);
}

void AddEnd(Packet& packet) {
  packet.push_back(kWithoutTiming);
  hal::correctPacketSize(packet);
}

constexpr BurstConduct kEndMissing = {.mends = [](Packet& packet, size_t capacity) {
  if (packet.size() < capacity) AddEnd(packet);
}};
constexpr BurstConduct kEndCut = {.mends = [](Packet& packet, size_t capacity) {
  if (packet.size() == capacity) AddEnd(packet);
}};
constexpr BurstConduct kMore = {.mends = [](Packet& packet, size_t /*capacity*/) {
  packet.pop_back();
  hal::correctPacketSize(packet);
}};
constexpr BurstConduct kAnySize = {
    .mends = [](Packet& packet, size_t /*capacity*/) { hal::correctPacketSize(packet); }};
constexpr BurstConduct kAnyEnd = {.mends = [](Packet& packet, size_t /*capacity*/) {
  const Alternative last = packet.back().getDiscriminator();
  if (last < Alternative::measureTiming) packet.back() = kWithoutTiming;
}};
constexpr BurstConduct kAnyAlternative = {.mends = [](Packet& packet, size_t /*capacity*/) {
  const Alternative last = packet.back().getDiscriminator();
  if (last > Alternative::measureTiming) packet.back() = kWithoutTiming;
}};
constexpr BurstConduct kAnyTiming = {.mends = [](Packet& packet, size_t /*capacity*/) {
  if (packet.back().measureTiming().has_value()) packet.back() = kWithoutTiming;
}};
constexpr BurstConduct kAnyOrder = {.mends = [](Packet& packet, size_t /*capacity*/) {
  const size_t size = packet.size();
  if (size > 1) std::swap(packet[size - 2], packet[size - 1]);
}};
constexpr BurstConduct kManyPools = {.mends = [](Packet& packet, size_t /*capacity*/) {
  auto information = packet[0].packetInformation();
  if (!information.has_value() || information->numberOfPools <= kManyThings) return;
  information->numberOfPools = static_cast<uint32_t>(std::count_if(
      packet.begin(), packet.end(),
      [](const FmqRequestDatum& datum) { return datum.poolIdentifier().has_value(); }));
  packet[0] = FmqRequestDatum::makePacketInformation(*information);
}};
constexpr BurstConduct kManyDimensions = {.mends = [](Packet& packet, size_t /*capacity*/) {
  for (size_t i = 0; i < packet.size(); ++i) {
    auto input = packet[i].inputOperandInformation();
    if (!input.has_value() || input->numberOfDimensions <= kManyThings) continue;
    input->numberOfDimensions = 0;
    while (i + 1 + input->numberOfDimensions < packet.size() &&
           packet[i + 1 + input->numberOfDimensions].inputOperandDimensionValue().has_value()) {
      ++input->numberOfDimensions;
    }
    packet[i] = FmqRequestDatum::makeInputOperandInformation(*input);
  }
}};
constexpr BurstConduct kShortAnswer = {.changes_answer = [](BurstExchange& exchange) {
  if (exchange.answer.size() > exchange.room) {
    Answer(exchange, {.status = ErrorStatus::NONE, .outputShapes = {}, .timing = {}});
  }
}};
constexpr BurstConduct kDirty = {.changes_answer = [](BurstExchange& exchange) {
  // The second byte of the flag's word.
  for (FmqResultDatum& datum : exchange.answer) {
    if (datum.operandInformation().has_value()) datum = WithByte(datum, 9, 0xDB);
  }
}};
constexpr BurstConduct kPaddingRefused = {.changes_answer = [](BurstExchange& exchange) {
  if (std::any_of(exchange.packet.begin(), exchange.packet.end(), &HasPadding)) {
    Answer(exchange, {.status = ErrorStatus::INVALID_ARGUMENT, .outputShapes = {}, .timing = {}});
  }
}};
constexpr BurstConduct kNeverAgain = {.changes_answer = [](BurstExchange& exchange) {
  if (!exchange.is_malformed && exchange.malformed > 0) {
    Answer(exchange, {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}});
  }
}};
constexpr BurstConduct kTimesOfMalformed = {.changes_answer = [](BurstExchange& exchange) {
  if (!exchange.is_malformed) return;
  Answer(exchange, {.status = ErrorStatus::INVALID_ARGUMENT, .outputShapes = {}, .timing = {1, 2}});
}};
constexpr BurstConduct kMalformedTwice = {.changes_answer = [](BurstExchange& exchange) {
  if (!exchange.is_malformed || !exchange.was_malformed) return;
  const std::vector<FmqResultDatum> once = exchange.answer;
  exchange.answer.insert(exchange.answer.end(), once.begin(), once.end());
}};

bool SucceededInBurst(const FinishedExecution& execution) {
  return execution.is_burst && execution.result.status == hal::V1_0::ErrorStatus::NONE;
}

constexpr Rule kRules[] = {
    {.name = "burst_refused",
     .fault_class = FaultClass::kBurst,
     .breaks = "Ends configureExecutionBurst with GENERAL_FAILURE.",
     .burst = &kRefused},
    {.name = "burst_null",
     .fault_class = FaultClass::kBurst,
     .breaks = "Says that a burst was opened, and gives none.",
     .burst = &kNull},
    {.name = "burst_unanswered",
     .fault_class = FaultClass::kBurst,
     .breaks = "Never answers a request of a burst.",
     .burst = &kNoAnswer},
    {.name = "burst_answered_twice",
     .fault_class = FaultClass::kBurst,
     .breaks = "Answers every request of a burst twice.",
     .burst = &kTwoAnswers},
    {.name = "burst_answers_before",
     .fault_class = FaultClass::kBurst,
     .breaks = "Answers a request of a burst with the status, shapes and timing of the one before.",
     .burst = &kAnswerBefore},
    {.name = "burst_keeps_memory",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes memory that was freed for that of a request whose slots are the same.",
     .burst = &kKeepsMemory},
    {.name = "burst_exchanges_memory",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes the memory of the first and the last slot for each other.",
     .burst = &kExchangesMemory},
    {.name = "burst_wrong_shape",
     .fault_class = FaultClass::kBurst,
     .breaks = "Reports one dimension of 1 too many in bursts.",
     .execution =
         [](FinishedExecution& execution) {
           if (!SucceededInBurst(execution)) return;
           for (hal::V1_2::OutputShape& shape : execution.result.outputShapes) {
             shape.dimensions.push_back(1);
           }
         }},
    {.name = "burst_timing_unasked",
     .fault_class = FaultClass::kBurst,
     .breaks = "Gives timing in bursts that was not asked for.",
     .execution =
         [](FinishedExecution& execution) {
           if (SucceededInBurst(execution)) execution.result.timing = {1, 2};
         }},
    // What no case of the specifications shows, but a check of hal_tests/validate_burst.
    {.name = "burst_end_missing",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes packets without measureTiming, unless they fill the queue.",
     .burst = &kEndMissing,
     .passes = true},
    {.name = "burst_more",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes packets with an element behind measureTiming.",
     .burst = &kMore,
     .passes = true},
    {.name = "burst_any_end",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes any element at the end of a packet for measureTiming.",
     .burst = &kAnyEnd,
     .passes = true},
    {.name = "burst_any_order",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes measureTiming before the last slot.",
     .burst = &kAnyOrder,
     .passes = true},
    {.name = "burst_any_alternative",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes an element of no alternative at the end of a packet for measureTiming.",
     .burst = &kAnyAlternative,
     .passes = true},
    {.name = "burst_any_size",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes packets of whatever packetSize.",
     .burst = &kAnySize,
     .passes = true},
    {.name = "burst_many_pools",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes the slots that there are where a packet announces more than 65535.",
     .burst = &kManyPools,
     .passes = true},
    {.name = "burst_many_dimensions",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes the dimensions that there are where an input announces more than 65535.",
     .burst = &kManyDimensions,
     .passes = true},
    {.name = "burst_negative_slot",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes new memory for negative slots.",
     .burst = &kInventsMemory,
     .passes = true},
    {.name = "burst_any_timing",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes any value of measureTiming for NO.",
     .burst = &kAnyTiming,
     .passes = true},
    {.name = "burst_short_answer",
     .fault_class = FaultClass::kBurst,
     .breaks = "Leaves the output shapes out where they do not fit the queue.",
     .burst = &kShortAnswer,
     .passes = true},
    {.name = "burst_dirty",
     .fault_class = FaultClass::kBurst,
     .breaks = "Leaves bytes other than 0 in the padding of its answers.",
     .burst = &kDirty,
     .passes = true},
    {.name = "burst_end_cut",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes packets without measureTiming that fill the queue.",
     .burst = &kEndCut,
     .passes = true},
    {.name = "burst_padding_refused",
     .fault_class = FaultClass::kBurst,
     .breaks = "Refuses packets whose padding is not 0.",
     .burst = &kPaddingRefused,
     .passes = true},
    {.name = "burst_more_memory",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes memory of which the client gave more than it was asked for.",
     .burst = &kTakesMoreMemory,
     .passes = true},
    {.name = "burst_keeps_until_all",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes memory that was freed for that of its slot, until all memory has been freed.",
     .burst = &kKeepsUntilAll,
     .passes = true},
    {.name = "burst_ends_at_slot",
     .fault_class = FaultClass::kBurst,
     .breaks = "Executes nothing after a slot was freed that there is not.",
     .burst = &kEndsAtUnknownSlot,
     .passes = true},
    {.name = "burst_no_callback",
     .fault_class = FaultClass::kBurst,
     .breaks = "Opens bursts without a callback.",
     .burst = &kTakesNoCallback,
     .passes = true},
    {.name = "burst_malformed_twice",
     .fault_class = FaultClass::kBurst,
     .breaks = "Answers a malformed packet twice if the one before was malformed as well.",
     .burst = &kMalformedTwice,
     .passes = true},
    {.name = "burst_malformed_times",
     .fault_class = FaultClass::kBurst,
     .breaks = "Gives times with what it refuses.",
     .burst = &kTimesOfMalformed,
     .passes = true},
    {.name = "burst_never_again",
     .fault_class = FaultClass::kBurst,
     .breaks = "Refuses every packet after a malformed one.",
     .burst = &kNeverAgain,
     .passes = true},
};

}  // namespace

absl::Span<const Rule> BurstRules() { return kRules; }

}  // namespace nncert::faulty
