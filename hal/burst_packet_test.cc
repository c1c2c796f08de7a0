// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/burst_packet.h"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::StatusIs;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;

BurstRequest SomeRequest() {
  return {.request = {.inputs = {{.hasNoValue = false, .location = {0, 4, 8}, .dimensions = {2, 1}},
                                 {.hasNoValue = true, .location = {}, .dimensions = {}}},
                      .outputs = {{.hasNoValue = false, .location = {1, 0, 8}, .dimensions = {0}}},
                      .pools = {}},
          .slots = {5, -6},
          .measure = V1_2::MeasureTiming::YES};
}

V1_2::ExecuteSynchronouslyResult SomeResult() {
  return {.status = V1_2::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
          .outputShapes = {{.dimensions = {2, 0}, .isSufficient = true},
                           {.dimensions = {}, .isSufficient = false}},
          .timing = {.timeOnDevice = 3, .timeInDriver = 0x1'0000'0000}};
}

// Invalid, because of packet element `index`, where `expected` should be.
auto IsMisplaced(size_t index, const std::string& expected) {
  return StatusIs(
      absl::StatusCode::kInvalidArgument,
      AllOf(StartsWith("packet element " + std::to_string(index) + " is of alternative "),
            HasSubstr("; expected " + expected)));
}

auto IsInvalid(const std::string& message) {
  return StatusIs(absl::StatusCode::kInvalidArgument, message);
}

template <class Datum>
std::vector<Datum> Without(std::vector<Datum> packet, size_t index) {
  packet.erase(packet.begin() + static_cast<std::ptrdiff_t>(index));
  return packet;
}

template <class Datum>
std::vector<Datum> WithTwice(std::vector<Datum> packet, size_t index) {
  const Datum datum = packet[index];
  packet.insert(packet.begin() + static_cast<std::ptrdiff_t>(index), datum);
  return packet;
}

TEST(BurstPacketTest, a_request_comes_back_from_its_packet) {
  const std::vector<FmqRequestDatum> packet = serializeBurstRequest(SomeRequest());
  // Packet information, three arguments, three dimensions, two pools, timing.
  EXPECT_EQ(packet.size(), 10);
  const auto request = deserializeBurstRequest(packet);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(*request, SomeRequest());
}

TEST(BurstPacketTest, a_result_comes_back_from_its_packet) {
  const std::vector<FmqResultDatum> packet = serializeBurstResult(SomeResult());
  EXPECT_EQ(packet.size(), 6);
  const auto result = deserializeBurstResult(packet);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->status, SomeResult().status);
  EXPECT_EQ(result->outputShapes, SomeResult().outputShapes);
  EXPECT_EQ(result->timing, SomeResult().timing);
}

TEST(BurstPacketTest, a_request_with_an_element_too_few_is_invalid) {
  const std::vector<FmqRequestDatum> packet = serializeBurstRequest(SomeRequest());
  const std::pair<size_t, std::string> found[] = {{0, "packetInformation"},
                                                  {1, "inputOperandInformation"},
                                                  {3, "inputOperandDimensionValue"},
                                                  {3, "inputOperandDimensionValue"},
                                                  {4, "inputOperandInformation"},
                                                  {5, "outputOperandInformation"},
                                                  {6, "outputOperandDimensionValue"},
                                                  {8, "poolIdentifier"},
                                                  {8, "poolIdentifier"}};
  for (size_t i = 0; i < std::size(found); ++i) {
    EXPECT_THAT(deserializeBurstRequest(Without(packet, i)),
                IsMisplaced(found[i].first, found[i].second))
        << i;
  }
  EXPECT_THAT(deserializeBurstRequest(Without(packet, 9)),
              IsInvalid("the packet ends after 9 elements; expected measureTiming"));
  EXPECT_THAT(deserializeBurstRequest({}),
              IsInvalid("the packet ends after 0 elements; expected packetInformation"));
}

TEST(BurstPacketTest, a_request_with_an_element_too_many_is_invalid) {
  const std::vector<FmqRequestDatum> packet = serializeBurstRequest(SomeRequest());
  const std::pair<size_t, std::string> found[] = {{1, "inputOperandInformation"},
                                                  {2, "inputOperandDimensionValue"},
                                                  {4, "inputOperandInformation"},
                                                  {4, "inputOperandInformation"},
                                                  {5, "outputOperandInformation"},
                                                  {6, "outputOperandDimensionValue"},
                                                  {7, "poolIdentifier"},
                                                  {9, "measureTiming"},
                                                  {9, "measureTiming"}};
  for (size_t i = 0; i < std::size(found); ++i) {
    EXPECT_THAT(deserializeBurstRequest(WithTwice(packet, i)),
                IsMisplaced(found[i].first, found[i].second))
        << i;
  }
  EXPECT_THAT(deserializeBurstRequest(WithTwice(packet, 9)),
              IsInvalid("the packet has 11 elements; it says 10, and its parts are 10"));
}

TEST(BurstPacketTest, a_result_with_an_element_too_few_or_too_many_is_invalid) {
  const std::vector<FmqResultDatum> packet = serializeBurstResult(SomeResult());
  const std::pair<size_t, std::string> without[] = {{0, "packetInformation"},
                                                    {1, "operandInformation"},
                                                    {3, "operandDimensionValue"},
                                                    {3, "operandDimensionValue"},
                                                    {4, "operandInformation"}};
  const std::pair<size_t, std::string> with_twice[] = {{1, "operandInformation"},
                                                       {2, "operandDimensionValue"},
                                                       {4, "operandInformation"},
                                                       {4, "operandInformation"},
                                                       {5, "executionTiming"}};
  for (size_t i = 0; i < std::size(without); ++i) {
    EXPECT_THAT(deserializeBurstResult(Without(packet, i)),
                IsMisplaced(without[i].first, without[i].second))
        << i;
    EXPECT_THAT(deserializeBurstResult(WithTwice(packet, i)),
                IsMisplaced(with_twice[i].first, with_twice[i].second))
        << i;
  }
  EXPECT_THAT(deserializeBurstResult(Without(packet, 5)),
              IsInvalid("the packet ends after 5 elements; expected executionTiming"));
  EXPECT_THAT(deserializeBurstResult(WithTwice(packet, 5)),
              IsInvalid("the packet has 7 elements; it says 6, and its parts are 6"));
  EXPECT_THAT(deserializeBurstResult({}),
              IsInvalid("the packet ends after 0 elements; expected packetInformation"));
}

TEST(BurstPacketTest, counts_that_the_packet_does_not_keep_are_invalid) {
  const auto with = [](const FmqRequestDatum::PacketInformation& information) {
    std::vector<FmqRequestDatum> packet = serializeBurstRequest(SomeRequest());
    packet[0] = FmqRequestDatum::makePacketInformation(information);
    return deserializeBurstRequest(packet);
  };
  const uint32_t most = 0xFFFFFFFF;
  EXPECT_THAT(with({11, 2, 1, 2}),
              IsInvalid("the packet has 10 elements; it says 11, and its parts are 10"));
  EXPECT_THAT(with({10, 1, 2, 2}), IsMisplaced(4, "outputOperandInformation"));
  EXPECT_THAT(with({10, 2, 1, 1}), IsMisplaced(8, "measureTiming"));
  EXPECT_THAT(with({most, most, most, most}), IsMisplaced(5, "inputOperandInformation"));
}

TEST(BurstPacketTest, an_unknown_error_status_is_invalid) {
  for (const uint32_t status : {5U, 77U, 0xFFFFFFFFU}) {
    std::vector<FmqResultDatum> packet = serializeBurstResult(SomeResult());
    FmqResultDatum::PacketInformation information = *packet[0].packetInformation();
    information.errorStatus = static_cast<V1_2::ErrorStatus>(status);
    packet[0] = FmqResultDatum::makePacketInformation(information);
    EXPECT_THAT(
        deserializeBurstResult(packet),
        IsInvalid("the packet has the errorStatus " + std::to_string(static_cast<int32_t>(status)) +
                  "; expected one of the HAL's, 0 to 4"));
  }
}

TEST(BurstPacketTest, an_unknown_measure_timing_is_invalid) {
  std::vector<FmqRequestDatum> packet = serializeBurstRequest(SomeRequest());
  packet.back() = FmqRequestDatum::makeMeasureTiming(static_cast<V1_2::MeasureTiming>(2));
  EXPECT_THAT(deserializeBurstRequest(packet),
              IsInvalid("measureTiming is 2; expected NO (0) or YES (1)"));
}

}  // namespace
}  // namespace nncert::hal
