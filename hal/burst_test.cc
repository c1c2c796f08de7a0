// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Packets; driver_base_test.cc tests whole bursts.

#include "hal/burst.h"

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

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

TEST(BurstPacketTest, a_packet_with_an_element_too_few_or_too_many_is_invalid) {
  const std::vector<FmqRequestDatum> request = serializeBurstRequest(SomeRequest());
  for (size_t i = 0; i < request.size(); ++i) {
    std::vector<FmqRequestDatum> packet = request;
    packet.erase(packet.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(deserializeBurstRequest(packet).ok()) << i;
    packet = request;
    packet.insert(packet.begin() + static_cast<std::ptrdiff_t>(i), request[i]);
    EXPECT_FALSE(deserializeBurstRequest(packet).ok()) << i;
  }
  const std::vector<FmqResultDatum> result = serializeBurstResult(SomeResult());
  for (size_t i = 0; i < result.size(); ++i) {
    std::vector<FmqResultDatum> packet = result;
    packet.erase(packet.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(deserializeBurstResult(packet).ok()) << i;
    packet = result;
    packet.insert(packet.begin() + static_cast<std::ptrdiff_t>(i), result[i]);
    EXPECT_FALSE(deserializeBurstResult(packet).ok()) << i;
  }
  EXPECT_FALSE(deserializeBurstRequest({}).ok());
  EXPECT_FALSE(deserializeBurstResult({}).ok());
}

TEST(BurstPacketTest, counts_that_the_packet_does_not_keep_are_invalid) {
  std::vector<FmqRequestDatum> packet = serializeBurstRequest(SomeRequest());
  const uint32_t most = 0xFFFFFFFF;
  for (const FmqRequestDatum::PacketInformation& information :
       {FmqRequestDatum::PacketInformation{11, 2, 1, 2},
        FmqRequestDatum::PacketInformation{10, 1, 2, 2},
        FmqRequestDatum::PacketInformation{10, 2, 1, 1},
        FmqRequestDatum::PacketInformation{most, most, most, most}}) {
    packet[0] = FmqRequestDatum::makePacketInformation(information);
    EXPECT_EQ(deserializeBurstRequest(packet).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(BurstPacketTest, an_unknown_measure_timing_is_invalid) {
  std::vector<FmqRequestDatum> packet = serializeBurstRequest(SomeRequest());
  packet.back() = FmqRequestDatum::makeMeasureTiming(static_cast<V1_2::MeasureTiming>(2));
  EXPECT_FALSE(deserializeBurstRequest(packet).ok());
}

}  // namespace
}  // namespace nncert::hal
