// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/mutations/burst_mutations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/burst_packet.h"
#include "hal/memory.h"
#include "hal/version.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "hal_tests/mutations/request_mutations.h"

namespace nncert {

using hal::BurstRequest;
using hal::V1_0::Request;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

using Alternative = FmqRequestDatum::Discriminator;
using OperandInformation = FmqRequestDatum::OperandInformation;
using PacketInformation = FmqRequestDatum::PacketInformation;

// An element as the HIDL compiler lays it out: the discriminator, 3 bytes of padding, five words.
using DatumBytes = std::array<uint8_t, sizeof(FmqRequestDatum)>;

/// A packet whose changes somebody is told of.
class BurstMutator {
 public:
  BurstMutator(const BurstPacket& packet, size_t capacity,
               absl::FunctionRef<void(const BurstMutation&)> visit)
      : packet_(packet), capacity_(capacity), visit_(visit), shape_(KindOfPacket(packet)) {}

  const BurstPacket& packet() const { return packet_; }
  size_t capacity() const { return capacity_; }

  void RunFamily(const BurstMutationFamily& family) {
    family_ = &family;
    family.mutate(*this);
  }

  // Tells of a change at an element.
  void Tell(size_t place, uint64_t variant, absl::FunctionRef<std::string()> what,
            absl::FunctionRef<void(BurstPacket&)> apply);

  // Tells of another element in place of one.
  void TellOf(size_t place, uint64_t variant, const FmqRequestDatum& datum,
              absl::FunctionRef<std::string()> what) {
    if (datum == packet_[place]) return;
    Tell(place, variant, what, [&](BurstPacket& packet) { packet[place] = datum; });
  }

 private:
  const BurstPacket& packet_;
  const size_t capacity_;
  const absl::FunctionRef<void(const BurstMutation&)> visit_;
  const uint64_t shape_;
  const BurstMutationFamily* family_ = nullptr;
};

namespace {

constexpr uint32_t kHuge = UINT32_MAX;
// Nothing in 16 bits.
constexpr uint32_t kCarry = 0x10000;

std::string NameOf(const FmqRequestDatum& datum) {
  switch (datum.getDiscriminator()) {
    case Alternative::packetInformation:
      return "packetInformation";
    case Alternative::inputOperandInformation:
      return "inputOperandInformation";
    case Alternative::inputOperandDimensionValue:
      return "inputOperandDimensionValue";
    case Alternative::outputOperandInformation:
      return "outputOperandInformation";
    case Alternative::outputOperandDimensionValue:
      return "outputOperandDimensionValue";
    case Alternative::poolIdentifier:
      return "poolIdentifier";
    case Alternative::measureTiming:
      return "measureTiming";
  }
  return "an element of no alternative";
}

FmqRequestDatum WithAlternative(const FmqRequestDatum& datum, uint8_t alternative) {
  auto bytes = std::bit_cast<DatumBytes>(datum);
  bytes[0] = alternative;
  return std::bit_cast<FmqRequestDatum>(bytes);
}

// How many bytes at the end of an element its alternative does not use.
size_t UnusedBytes(const FmqRequestDatum& datum) {
  switch (datum.getDiscriminator()) {
    case Alternative::inputOperandInformation:
    case Alternative::outputOperandInformation:
      return 0;
    case Alternative::packetInformation:
      return 4;
    default:
      return 16;
  }
}

std::optional<OperandInformation> OperandOf(const FmqRequestDatum& datum) {
  const auto input = datum.inputOperandInformation();
  return input.has_value() ? input : datum.outputOperandInformation();
}

// Tells of a change of the number of elements twice: with the size that was, and with the new one.
void TellOfSize(BurstMutator& mutator, size_t place, uint64_t variant,
                absl::FunctionRef<std::string()> what,
                absl::FunctionRef<void(BurstPacket&)> apply) {
  mutator.Tell(place, 2 * variant, what, apply);
  mutator.Tell(
      place, 2 * variant + 1, [&] { return absl::StrCat(what(), ", and packetSize says so"); },
      [&](BurstPacket& packet) {
        apply(packet);
        hal::correctPacketSize(packet);
      });
}

// One element of each alternative, with the values of Android's suite.
const std::array<FmqRequestDatum, 7>& BadDatums() {
  static const std::array<FmqRequestDatum, 7> kDatums = {
      FmqRequestDatum::makePacketInformation({10, 10, 10, 10}),
      FmqRequestDatum::makeInputOperandInformation(
          {.hasNoValue = false, .location = {}, .numberOfDimensions = 10}),
      FmqRequestDatum::makeInputOperandDimensionValue(0),
      FmqRequestDatum::makeOutputOperandInformation(
          {.hasNoValue = false, .location = {}, .numberOfDimensions = 10}),
      FmqRequestDatum::makeOutputOperandDimensionValue(0),
      FmqRequestDatum::makePoolIdentifier(INT32_MAX),
      FmqRequestDatum::makeMeasureTiming(MeasureTiming::YES),
  };
  return kDatums;
}

void RemoveDatum(BurstMutator& mutator) {
  const size_t size = mutator.packet().size();
  for (size_t i = 0; i < size; ++i) {
    TellOfSize(
        mutator, i, 0, [] { return std::string("removed"); },
        [&](BurstPacket& packet) {
          packet.erase(packet.begin() + static_cast<std::ptrdiff_t>(i));
        });
  }
  TellOfSize(
      mutator, 0, 1, [] { return std::string("without all that follows"); },
      [](BurstPacket& packet) { packet.resize(1); });
}

void AddDatum(BurstMutator& mutator) {
  const size_t size = mutator.packet().size();
  for (size_t i = 0; i <= size; ++i) {
    for (size_t k = 0; k < BadDatums().size(); ++k) {
      const FmqRequestDatum& datum = BadDatums()[k];
      TellOfSize(
          mutator, i, k, [&] { return absl::StrCat(NameOf(datum), " put before it"); },
          [&](BurstPacket& packet) {
            packet.insert(packet.begin() + static_cast<std::ptrdiff_t>(i), datum);
          });
    }
  }
}

void MutateDatum(BurstMutator& mutator) {
  const BurstPacket& packet = mutator.packet();
  for (size_t i = 0; i < packet.size(); ++i) {
    const Alternative alternative = packet[i].getDiscriminator();
    for (size_t k = 0; k < BadDatums().size(); ++k) {
      const FmqRequestDatum& datum = BadDatums()[k];
      // Other dimensions are no matter of packets; slots and timing have families of their own.
      const bool is_value = alternative == Alternative::inputOperandDimensionValue ||
                            alternative == Alternative::outputOperandDimensionValue ||
                            alternative == Alternative::poolIdentifier ||
                            alternative == Alternative::measureTiming;
      if (is_value && datum.getDiscriminator() == alternative) continue;
      mutator.TellOf(i, k, datum, [&] { return absl::StrCat(NameOf(datum), " in its place"); });
    }
    // What is said stays, and is said of something else.
    for (const auto& [one, other] :
         {std::pair(Alternative::inputOperandInformation, Alternative::outputOperandInformation),
          std::pair(Alternative::inputOperandDimensionValue,
                    Alternative::outputOperandDimensionValue),
          std::pair(Alternative::poolIdentifier, Alternative::measureTiming)}) {
      if (alternative != one && alternative != other) continue;
      const FmqRequestDatum datum =
          WithAlternative(packet[i], static_cast<uint8_t>(alternative == one ? other : one));
      mutator.TellOf(i, BadDatums().size(), datum,
                     [&] { return absl::StrCat("the same as ", NameOf(datum)); });
    }
  }
}

void ExchangeDatums(BurstMutator& mutator) {
  const BurstPacket& packet = mutator.packet();
  for (size_t i = 0; i + 1 < packet.size(); ++i) {
    if (packet[i].getDiscriminator() == packet[i + 1].getDiscriminator()) continue;
    mutator.Tell(
        i, 0, [] { return std::string("exchanged with the next"); },
        [&](BurstPacket& changed) { std::swap(changed[i], changed[i + 1]); });
  }
}

void MutateDiscriminator(BurstMutator& mutator) {
  for (size_t i = 0; i < mutator.packet().size(); ++i) {
    for (const uint8_t alternative : {uint8_t{7}, uint8_t{255}}) {
      mutator.TellOf(i, alternative, WithAlternative(mutator.packet()[i], alternative),
                     [&] { return absl::StrCat("of alternative ", alternative); });
    }
  }
}

void MutatePacketSize(BurstMutator& mutator) {
  PacketInformation information = *mutator.packet()[0].packetInformation();
  const uint32_t size = information.packetSize;
  uint64_t variant = 0;
  for (const uint32_t other : {uint32_t{0}, uint32_t{1}, size - 1, size + 1, size + kCarry,
                               static_cast<uint32_t>(mutator.capacity()) + 1, kHuge}) {
    information.packetSize = other;
    mutator.TellOf(0, variant++, FmqRequestDatum::makePacketInformation(information),
                   [&] { return absl::StrCat("packetSize ", other, " in place of ", size); });
  }
}

// What a count may be in place of `count`.
std::vector<uint32_t> WrongCounts(uint32_t count) {
  std::vector<uint32_t> counts = {count + 1, count + kCarry, kHuge};
  if (count > 0) counts.push_back(count - 1);
  if (count > 1) counts.push_back(0);
  return counts;
}

void MutateCount(BurstMutator& mutator) {
  const PacketInformation before = *mutator.packet()[0].packetInformation();
  uint64_t variant = 0;
  for (const auto& [member, name] :
       {std::pair(&PacketInformation::numberOfInputOperands, "numberOfInputOperands"),
        std::pair(&PacketInformation::numberOfOutputOperands, "numberOfOutputOperands"),
        std::pair(&PacketInformation::numberOfPools, "numberOfPools")}) {
    variant += 16;
    for (const uint32_t count : WrongCounts(before.*member)) {
      PacketInformation information = before;
      information.*member = count;
      // What the lambda captures cannot be a structured binding.
      const char* const what = name;
      const uint32_t number = before.*member;
      mutator.TellOf(0, variant++, FmqRequestDatum::makePacketInformation(information),
                     [&] { return absl::StrCat(what, " ", count, " in place of ", number); });
    }
  }
}

void MutateDimensionCount(BurstMutator& mutator) {
  const BurstPacket& packet = mutator.packet();
  for (size_t i = 0; i < packet.size(); ++i) {
    const std::optional<OperandInformation> before = OperandOf(packet[i]);
    if (!before.has_value()) continue;
    const bool is_input = packet[i].inputOperandInformation().has_value();
    uint64_t variant = 0;
    for (const uint32_t count : WrongCounts(before->numberOfDimensions)) {
      OperandInformation operand = *before;
      operand.numberOfDimensions = count;
      mutator.TellOf(i, variant++,
                     is_input ? FmqRequestDatum::makeInputOperandInformation(operand)
                              : FmqRequestDatum::makeOutputOperandInformation(operand),
                     [&] {
                       return absl::StrCat("numberOfDimensions ", count, " in place of ",
                                           before->numberOfDimensions);
                     });
    }
  }
}

void MutateSlot(BurstMutator& mutator) {
  const std::vector<int32_t> slots = SlotsOf(mutator.packet());
  if (slots.empty()) return;
  const int32_t unused = *std::max_element(slots.begin(), slots.end()) + 1;
  for (size_t i = 0; i < mutator.packet().size(); ++i) {
    const std::optional<int32_t> before = mutator.packet()[i].poolIdentifier();
    if (!before.has_value()) continue;
    uint64_t variant = 0;
    for (const int32_t slot : {unused, -1, INT32_MAX, INT32_MIN}) {
      mutator.TellOf(i, variant++, FmqRequestDatum::makePoolIdentifier(slot),
                     [&] { return absl::StrCat("slot ", slot, " in place of ", *before); });
    }
  }
}

void MutateMeasureTiming(BurstMutator& mutator) {
  const size_t last = mutator.packet().size() - 1;
  for (const int32_t value : {2, -1, INT32_MIN}) {
    mutator.TellOf(last, static_cast<uint64_t>(value),
                   FmqRequestDatum::makeMeasureTiming(static_cast<MeasureTiming>(value)),
                   [&] { return absl::StrCat("the value ", value); });
  }
}

constexpr auto kFamilies = std::to_array<BurstMutationFamily>({
    {"removeDatumTest", "an element is missing", &RemoveDatum},
    {"addDatumTest", "there is one element too many", &AddDatum},
    {"mutateDatumTest", "an element is another than it should be", &MutateDatum},
    // What Android 10's suite does not look at.
    {"exchangeDatumsTest", "two elements are in the wrong order", &ExchangeDatums},
    {"mutateDiscriminatorTest", "an element is of no alternative", &MutateDiscriminator},
    {"mutatePacketSizeTest", "packetSize is not the number of elements", &MutatePacketSize},
    {"mutateCountTest", "a number of inputs, outputs or pools is wrong", &MutateCount},
    {"mutateDimensionCountTest", "a number of dimensions is wrong", &MutateDimensionCount},
    {"mutateSlotTest", "a slot is one that the client does not know", &MutateSlot},
    {"mutateMeasureTimingTest", "measureTiming is neither NO nor YES", &MutateMeasureTiming},
});

}  // namespace

void BurstMutator::Tell(size_t place, uint64_t variant, absl::FunctionRef<std::string()> what,
                        absl::FunctionRef<void(BurstPacket&)> apply) {
  const uint64_t kind =
      CombineKinds(CombineKinds(KindOfText(family_->name), shape_), CombineKinds(place, variant));
  const auto describe = [&] {
    if (place >= packet_.size()) return absl::StrCat("the end of the packet: ", what());
    return absl::StrCat("element ", place, ", ", NameOf(packet_[place]), ": ", what());
  };
  visit_({*family_, kind, describe, apply});
}

absl::Span<const BurstMutationFamily> BurstMutationFamilies() { return kFamilies; }

void ForEachBurstMutation(const BurstPacket& packet, size_t capacity,
                          absl::FunctionRef<void(const BurstMutation&)> visit) {
  BurstMutator mutator(packet, capacity, visit);
  for (const BurstMutationFamily& family : kFamilies) mutator.RunFamily(family);
}

uint64_t KindOfPacket(const BurstPacket& packet) {
  uint64_t kind = packet.size();
  for (const FmqRequestDatum& datum : packet) {
    kind = CombineKinds(kind, static_cast<uint64_t>(datum.getDiscriminator()));
  }
  return kind;
}

std::vector<int32_t> SlotsOf(const BurstPacket& packet) {
  std::vector<int32_t> slots;
  for (const FmqRequestDatum& datum : packet) {
    if (const std::optional<int32_t> slot = datum.poolIdentifier()) slots.push_back(*slot);
  }
  return slots;
}

void FillPadding(BurstPacket& packet) {
  for (FmqRequestDatum& datum : packet) {
    auto bytes = std::bit_cast<DatumBytes>(datum);
    std::fill(bytes.begin() + 1, bytes.begin() + 4, uint8_t{0xFF});
    // Behind the flag.
    if (OperandOf(datum).has_value()) {
      std::fill(bytes.begin() + 5, bytes.begin() + 8, uint8_t{0xFF});
    }
    std::fill(bytes.end() - static_cast<std::ptrdiff_t>(UnusedBytes(datum)), bytes.end(),
              uint8_t{0xFF});
    datum = std::bit_cast<FmqRequestDatum>(bytes);
  }
}

absl::Status WhyInvalid(const BurstPacket& packet, const Request& valid,
                        absl::Span<const int32_t> slots, const Model& model) {
  absl::StatusOr<BurstRequest> request = hal::deserializeBurstRequest(packet);
  if (!request.ok()) return request.status();
  for (const int32_t slot : request->slots) {
    const auto found = std::find(slots.begin(), slots.end(), slot);
    if (found == slots.end()) {
      return absl::InvalidArgumentError(absl::StrCat("slot ", slot, " stands for no memory"));
    }
    request->request.pools.push_back(valid.pools[static_cast<size_t>(found - slots.begin())]);
  }
  return WhyInvalid(request->request, model, hal::HalVersion::V1_2);
}

}  // namespace nncert
