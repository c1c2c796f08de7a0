// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/burst_packet.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert::hal {
namespace {

using V1_2::ErrorStatus;
using V1_2::ExecuteSynchronouslyResult;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;

// Takes the elements of a packet one after the other. Every Take fails when the packet has come to
// its end or the next element is not of the alternative that is asked for.
template <typename Datum>
class PacketReader {
 public:
  explicit PacketReader(absl::Span<const Datum> packet) : packet_(packet) {}

  // `alternative` is the accessor of the alternative, such as &FmqRequestDatum::poolIdentifier.
  template <typename Value>
  absl::StatusOr<Value> Take(std::optional<Value> (Datum::*alternative)() const, const char* name) {
    if (next_ >= packet_.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the packet ends after ", next_, " elements; expected ", name));
    }
    const std::optional<Value> value = (packet_[next_].*alternative)();
    if (!value.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("packet element ", next_, " is of alternative ",
                       static_cast<int>(packet_[next_].getDiscriminator()), "; expected ", name));
    }
    ++next_;
    return *value;
  }

  // How many of `count` things there can be in what has not been taken yet.
  size_t MostOf(uint32_t count) const { return std::min<size_t>(count, packet_.size() - next_); }

  // Checks that the packet has as many elements as it says and that all have been taken.
  absl::Status Finish(uint32_t packet_size) const {
    if (packet_size != packet_.size() || next_ != packet_.size()) {
      return absl::InvalidArgumentError(absl::StrCat("the packet has ", packet_.size(),
                                                     " elements; it says ", packet_size,
                                                     ", and its parts are ", next_));
    }
    return absl::OkStatus();
  }

 private:
  const absl::Span<const Datum> packet_;
  size_t next_ = 0;
};

absl::Status TakeArguments(PacketReader<FmqRequestDatum>& reader, uint32_t count, bool is_input,
                           std::vector<V1_2::RequestArgument>& arguments) {
  const auto information_of = is_input ? &FmqRequestDatum::inputOperandInformation
                                       : &FmqRequestDatum::outputOperandInformation;
  const auto dimension_of = is_input ? &FmqRequestDatum::inputOperandDimensionValue
                                     : &FmqRequestDatum::outputOperandDimensionValue;
  arguments.reserve(reader.MostOf(count));
  for (uint32_t i = 0; i < count; ++i) {
    const auto information = reader.Take(
        information_of, is_input ? "inputOperandInformation" : "outputOperandInformation");
    if (!information.ok()) return information.status();
    V1_2::RequestArgument argument = {
        .hasNoValue = information->hasNoValue, .location = information->location, .dimensions = {}};
    for (uint32_t j = 0; j < information->numberOfDimensions; ++j) {
      const absl::StatusOr<uint32_t> dimension = reader.Take(
          dimension_of, is_input ? "inputOperandDimensionValue" : "outputOperandDimensionValue");
      if (!dimension.ok()) return dimension.status();
      argument.dimensions.push_back(*dimension);
    }
    arguments.push_back(std::move(argument));
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<FmqRequestDatum> serializeBurstRequest(const BurstRequest& request) {
  return serializeBurstRequest(request.request, request.slots, request.measure);
}

std::vector<FmqRequestDatum> serializeBurstRequest(const V1_2::Request& request,
                                                   absl::Span<const int32_t> slots,
                                                   V1_2::MeasureTiming measure) {
  std::vector<FmqRequestDatum> packet;
  packet.reserve(kUsualBurstElements);
  packet.emplace_back();
  for (const V1_2::RequestArgument& input : request.inputs) {
    packet.push_back(FmqRequestDatum::makeInputOperandInformation(
        {.hasNoValue = input.hasNoValue,
         .location = input.location,
         .numberOfDimensions = static_cast<uint32_t>(input.dimensions.size())}));
    for (const uint32_t dimension : input.dimensions) {
      packet.push_back(FmqRequestDatum::makeInputOperandDimensionValue(dimension));
    }
  }
  for (const V1_2::RequestArgument& output : request.outputs) {
    packet.push_back(FmqRequestDatum::makeOutputOperandInformation(
        {.hasNoValue = output.hasNoValue,
         .location = output.location,
         .numberOfDimensions = static_cast<uint32_t>(output.dimensions.size())}));
    for (const uint32_t dimension : output.dimensions) {
      packet.push_back(FmqRequestDatum::makeOutputOperandDimensionValue(dimension));
    }
  }
  for (const int32_t slot : slots) {
    packet.push_back(FmqRequestDatum::makePoolIdentifier(slot));
  }
  packet.push_back(FmqRequestDatum::makeMeasureTiming(measure));
  packet[0] = FmqRequestDatum::makePacketInformation(
      {.packetSize = static_cast<uint32_t>(packet.size()),
       .numberOfInputOperands = static_cast<uint32_t>(request.inputs.size()),
       .numberOfOutputOperands = static_cast<uint32_t>(request.outputs.size()),
       .numberOfPools = static_cast<uint32_t>(slots.size())});
  return packet;
}

void correctPacketSize(std::vector<FmqRequestDatum>& packet) {
  if (packet.empty()) return;
  std::optional<FmqRequestDatum::PacketInformation> information = packet[0].packetInformation();
  if (!information.has_value()) return;
  information->packetSize = static_cast<uint32_t>(packet.size());
  packet[0] = FmqRequestDatum::makePacketInformation(*information);
}

absl::StatusOr<BurstRequest> deserializeBurstRequest(absl::Span<const FmqRequestDatum> packet) {
  PacketReader<FmqRequestDatum> reader(packet);
  const auto information = reader.Take(&FmqRequestDatum::packetInformation, "packetInformation");
  if (!information.ok()) return information.status();
  BurstRequest result;
  if (absl::Status status =
          TakeArguments(reader, information->numberOfInputOperands, true, result.request.inputs);
      !status.ok()) {
    return status;
  }
  if (absl::Status status =
          TakeArguments(reader, information->numberOfOutputOperands, false, result.request.outputs);
      !status.ok()) {
    return status;
  }
  result.slots.reserve(reader.MostOf(information->numberOfPools));
  for (uint32_t i = 0; i < information->numberOfPools; ++i) {
    const absl::StatusOr<int32_t> slot =
        reader.Take(&FmqRequestDatum::poolIdentifier, "poolIdentifier");
    if (!slot.ok()) return slot.status();
    result.slots.push_back(*slot);
  }
  const auto measure = reader.Take(&FmqRequestDatum::measureTiming, "measureTiming");
  if (!measure.ok()) return measure.status();
  if (*measure != V1_2::MeasureTiming::NO && *measure != V1_2::MeasureTiming::YES) {
    return absl::InvalidArgumentError(absl::StrCat(
        "measureTiming is ", static_cast<int32_t>(*measure), "; expected NO (0) or YES (1)"));
  }
  result.measure = *measure;
  if (absl::Status status = reader.Finish(information->packetSize); !status.ok()) return status;
  return result;
}

std::vector<FmqResultDatum> serializeBurstResult(const ExecuteSynchronouslyResult& result) {
  std::vector<FmqResultDatum> packet;
  packet.reserve(kUsualBurstElements);
  packet.emplace_back();
  for (const V1_2::OutputShape& shape : result.outputShapes) {
    packet.push_back(FmqResultDatum::makeOperandInformation(
        {.isSufficient = shape.isSufficient,
         .numberOfDimensions = static_cast<uint32_t>(shape.dimensions.size())}));
    for (const uint32_t dimension : shape.dimensions) {
      packet.push_back(FmqResultDatum::makeOperandDimensionValue(dimension));
    }
  }
  packet.push_back(FmqResultDatum::makeExecutionTiming(result.timing));
  packet[0] = FmqResultDatum::makePacketInformation(
      {.packetSize = static_cast<uint32_t>(packet.size()),
       .errorStatus = result.status,
       .numberOfOperands = static_cast<uint32_t>(result.outputShapes.size())});
  return packet;
}

absl::StatusOr<ExecuteSynchronouslyResult> deserializeBurstResult(
    absl::Span<const FmqResultDatum> packet) {
  PacketReader<FmqResultDatum> reader(packet);
  const auto information = reader.Take(&FmqResultDatum::packetInformation, "packetInformation");
  if (!information.ok()) return information.status();
  if (information->errorStatus < ErrorStatus::NONE ||
      information->errorStatus > ErrorStatus::INVALID_ARGUMENT) {
    return absl::InvalidArgumentError(absl::StrCat("the packet has the errorStatus ",
                                                   static_cast<int32_t>(information->errorStatus),
                                                   "; expected one of the HAL's, 0 to 4"));
  }
  ExecuteSynchronouslyResult result;
  result.status = information->errorStatus;
  result.outputShapes.reserve(reader.MostOf(information->numberOfOperands));
  for (uint32_t i = 0; i < information->numberOfOperands; ++i) {
    const auto operand = reader.Take(&FmqResultDatum::operandInformation, "operandInformation");
    if (!operand.ok()) return operand.status();
    V1_2::OutputShape shape = {.dimensions = {}, .isSufficient = operand->isSufficient};
    for (uint32_t j = 0; j < operand->numberOfDimensions; ++j) {
      const absl::StatusOr<uint32_t> dimension =
          reader.Take(&FmqResultDatum::operandDimensionValue, "operandDimensionValue");
      if (!dimension.ok()) return dimension.status();
      shape.dimensions.push_back(*dimension);
    }
    result.outputShapes.push_back(std::move(shape));
  }
  const auto timing = reader.Take(&FmqResultDatum::executionTiming, "executionTiming");
  if (!timing.ok()) return timing.status();
  result.timing = *timing;
  if (absl::Status status = reader.Finish(information->packetSize); !status.ok()) return status;
  return result;
}

}  // namespace nncert::hal
