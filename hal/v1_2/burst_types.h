// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The elements of burst channels in android.hardware.neuralnetworks@1.2 (types.hal).
//
// A request or a result crosses a message queue as a packet: a run of elements of which the first,
// the packet information, says how many there are. An element is one of several alternatives, told
// apart by a discriminator. Both sides of a channel share the memory, so an element may hold
// anything at all; the accessors therefore hand an alternative out only when the discriminator says
// so, and read flags as bytes.

#ifndef NNCERT_HAL_V1_2_BURST_TYPES_H_
#define NNCERT_HAL_V1_2_BURST_TYPES_H_

#include <cstdint>
#include <cstring>
#include <optional>

#include "hal/v1_2/types.h"

namespace nncert::hal::V1_2 {

/// One element of a request packet. In this order: packetInformation; for each input
/// inputOperandInformation and its inputOperandDimensionValues; for each output
/// outputOperandInformation and its outputOperandDimensionValues; a poolIdentifier for each pool;
/// measureTiming.
class FmqRequestDatum {
 public:
  /// Which alternative an element holds; numbered in the HAL's order.
  enum class Discriminator : uint8_t {
    packetInformation = 0,
    inputOperandInformation = 1,
    inputOperandDimensionValue = 2,
    outputOperandInformation = 3,
    outputOperandDimensionValue = 4,
    poolIdentifier = 5,
    measureTiming = 6,
  };

  /// What a packet consists of.
  struct PacketInformation {
    uint32_t packetSize = 0;  ///< elements, this one included
    uint32_t numberOfInputOperands = 0;
    uint32_t numberOfOutputOperands = 0;
    uint32_t numberOfPools = 0;

    bool operator==(const PacketInformation&) const = default;
  };

  /// One argument of the request.
  struct OperandInformation {
    bool hasNoValue = false;          ///< omitted; everything else is then 0
    DataLocation location;            ///< poolIndex counts the packet's pool identifiers
    uint32_t numberOfDimensions = 0;  ///< how many dimension values follow

    bool operator==(const OperandInformation&) const = default;
  };

  /// A packetInformation of zeros.
  FmqRequestDatum() = default;

  static FmqRequestDatum makePacketInformation(const PacketInformation& value) {
    return {Discriminator::packetInformation, value.packetSize, value.numberOfInputOperands,
            value.numberOfOutputOperands, value.numberOfPools};
  }
  static FmqRequestDatum makeInputOperandInformation(const OperandInformation& value) {
    return makeOperandInformation(Discriminator::inputOperandInformation, value);
  }
  static FmqRequestDatum makeInputOperandDimensionValue(uint32_t value) {
    return {Discriminator::inputOperandDimensionValue, value};
  }
  static FmqRequestDatum makeOutputOperandInformation(const OperandInformation& value) {
    return makeOperandInformation(Discriminator::outputOperandInformation, value);
  }
  static FmqRequestDatum makeOutputOperandDimensionValue(uint32_t value) {
    return {Discriminator::outputOperandDimensionValue, value};
  }
  /// An identifier ("slot") that IBurstCallback::getMemories turns into a pool.
  static FmqRequestDatum makePoolIdentifier(int32_t value) {
    return {Discriminator::poolIdentifier, static_cast<uint32_t>(value)};
  }
  static FmqRequestDatum makeMeasureTiming(MeasureTiming value) {
    return {Discriminator::measureTiming, static_cast<uint32_t>(value)};
  }

  /// Which alternative this is; a value without an enumerator when the memory was scribbled on.
  Discriminator getDiscriminator() const { return discriminator_; }

  // The alternatives. Each gives nothing when the element holds another.
  std::optional<PacketInformation> packetInformation() const {
    if (discriminator_ != Discriminator::packetInformation) return std::nullopt;
    return PacketInformation{words_[0], words_[1], words_[2], words_[3]};
  }
  std::optional<OperandInformation> inputOperandInformation() const {
    return operandInformation(Discriminator::inputOperandInformation);
  }
  std::optional<uint32_t> inputOperandDimensionValue() const {
    return word(Discriminator::inputOperandDimensionValue);
  }
  std::optional<OperandInformation> outputOperandInformation() const {
    return operandInformation(Discriminator::outputOperandInformation);
  }
  std::optional<uint32_t> outputOperandDimensionValue() const {
    return word(Discriminator::outputOperandDimensionValue);
  }
  std::optional<int32_t> poolIdentifier() const {
    if (discriminator_ != Discriminator::poolIdentifier) return std::nullopt;
    return static_cast<int32_t>(words_[0]);
  }
  std::optional<MeasureTiming> measureTiming() const {
    if (discriminator_ != Discriminator::measureTiming) return std::nullopt;
    return static_cast<MeasureTiming>(words_[0]);
  }

  bool operator==(const FmqRequestDatum&) const = default;

 private:
  FmqRequestDatum(Discriminator discriminator, uint32_t w0, uint32_t w1 = 0, uint32_t w2 = 0,
                  uint32_t w3 = 0, uint32_t w4 = 0)
      : discriminator_(discriminator), words_{w0, w1, w2, w3, w4} {}

  static FmqRequestDatum makeOperandInformation(Discriminator discriminator,
                                                const OperandInformation& value) {
    return {discriminator,         value.hasNoValue ? 1U : 0U, value.location.poolIndex,
            value.location.offset, value.location.length,      value.numberOfDimensions};
  }
  std::optional<OperandInformation> operandInformation(Discriminator discriminator) const {
    if (discriminator_ != discriminator) return std::nullopt;
    return OperandInformation{.hasNoValue = (words_[0] & 0xFFU) != 0,
                              .location = {words_[1], words_[2], words_[3]},
                              .numberOfDimensions = words_[4]};
  }
  std::optional<uint32_t> word(Discriminator discriminator) const {
    if (discriminator_ != discriminator) return std::nullopt;
    return words_[0];
  }

  Discriminator discriminator_ = Discriminator::packetInformation;
  uint8_t padding_[3] = {};
  // The alternative as the HIDL compiler lays it out; a flag is the lowest byte of its word.
  uint32_t words_[5] = {};
};

/// One element of a result packet. In this order: packetInformation; for each output
/// operandInformation and its operandDimensionValues; executionTiming.
class FmqResultDatum {
 public:
  /// Which alternative an element holds; numbered in the HAL's order.
  enum class Discriminator : uint8_t {
    packetInformation = 0,
    operandInformation = 1,
    operandDimensionValue = 2,
    executionTiming = 3,
  };

  /// What a packet consists of.
  struct PacketInformation {
    uint32_t packetSize = 0;  ///< elements, this one included
    ErrorStatus errorStatus = ErrorStatus::NONE;
    uint32_t numberOfOperands = 0;

    bool operator==(const PacketInformation&) const = default;
  };

  /// The shape of one output.
  struct OperandInformation {
    bool isSufficient = false;        ///< whether the buffer was large enough
    uint32_t numberOfDimensions = 0;  ///< how many dimension values follow

    bool operator==(const OperandInformation&) const = default;
  };

  /// A packetInformation of zeros.
  FmqResultDatum() = default;

  static FmqResultDatum makePacketInformation(const PacketInformation& value) {
    return {Discriminator::packetInformation, value.packetSize,
            static_cast<uint32_t>(value.errorStatus), value.numberOfOperands};
  }
  static FmqResultDatum makeOperandInformation(const OperandInformation& value) {
    return {Discriminator::operandInformation, value.isSufficient ? 1U : 0U,
            value.numberOfDimensions};
  }
  static FmqResultDatum makeOperandDimensionValue(uint32_t value) {
    return {Discriminator::operandDimensionValue, value};
  }
  static FmqResultDatum makeExecutionTiming(const Timing& value) {
    return {Discriminator::executionTiming, static_cast<uint32_t>(value.timeOnDevice),
            static_cast<uint32_t>(value.timeOnDevice >> 32),
            static_cast<uint32_t>(value.timeInDriver),
            static_cast<uint32_t>(value.timeInDriver >> 32)};
  }

  /// Which alternative this is; a value without an enumerator when the memory was scribbled on.
  Discriminator getDiscriminator() const { return discriminator_; }

  // The alternatives. Each gives nothing when the element holds another.
  std::optional<PacketInformation> packetInformation() const {
    if (discriminator_ != Discriminator::packetInformation) return std::nullopt;
    return PacketInformation{words_[0], static_cast<ErrorStatus>(words_[1]), words_[2]};
  }
  std::optional<OperandInformation> operandInformation() const {
    if (discriminator_ != Discriminator::operandInformation) return std::nullopt;
    return OperandInformation{.isSufficient = (words_[0] & 0xFFU) != 0,
                              .numberOfDimensions = words_[1]};
  }
  std::optional<uint32_t> operandDimensionValue() const {
    if (discriminator_ != Discriminator::operandDimensionValue) return std::nullopt;
    return words_[0];
  }
  std::optional<Timing> executionTiming() const {
    if (discriminator_ != Discriminator::executionTiming) return std::nullopt;
    return Timing{.timeOnDevice = words_[0] | uint64_t{words_[1]} << 32,
                  .timeInDriver = words_[2] | uint64_t{words_[3]} << 32};
  }

  /// Whether every byte that no field of the alternative uses is zero. A driver that does not clear
  /// them leaks its memory to the client.
  bool paddingIsZero() const {
    for (const uint8_t byte : padding_) {
      if (byte != 0) return false;
    }
    return discriminator_ != Discriminator::operandInformation || (words_[0] & ~0xFFU) == 0;
  }

  bool operator==(const FmqResultDatum&) const = default;

 private:
  FmqResultDatum(Discriminator discriminator, uint32_t w0, uint32_t w1 = 0, uint32_t w2 = 0,
                 uint32_t w3 = 0)
      : discriminator_(discriminator), words_{w0, w1, w2, w3} {}

  Discriminator discriminator_ = Discriminator::packetInformation;
  uint8_t padding_[7] = {};
  // The alternative as the HIDL compiler lays it out; a flag is the lowest byte of its word.
  uint32_t words_[4] = {};
};

static_assert(sizeof(FmqRequestDatum) == 24 && sizeof(FmqResultDatum) == 24);

}  // namespace nncert::hal::V1_2

#endif  // NNCERT_HAL_V1_2_BURST_TYPES_H_
