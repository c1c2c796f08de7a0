// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/mutations/burst_mutations.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/burst_packet.h"
#include "harness/isolation/guarded_request.h"
#include "harness/isolation/spare_pools.h"

namespace nncert {
namespace {

using hal::V1_2::FmqRequestDatum;
using hal::V1_2::MeasureTiming;
using ::testing::HasSubstr;

const std::vector<int32_t> kSlots = {0, 1};

class BurstMutationsTest : public ::testing::Test {
 protected:
  // a + b, its request, and the packet of that.
  const TestCase add_ = AddCase();
  SparePools spares_;
  const GuardedRequest request_ =
      GuardedRequest::Create(add_.model, add_.examples[0], OutputSpecification::FULLY_SPECIFIED,
                             hal::HalVersion::V1_2, spares_)
          .value();
  const BurstPacket packet_ =
      hal::serializeBurstRequest(request_.request(), kSlots, MeasureTiming::YES);

  absl::Status Why(const BurstPacket& packet) const {
    return WhyInvalid(packet, request_.request(), kSlots, add_.model);
  }

  // The errors of all mutants by family and change: "family: change"; empty for legal ones.
  std::multimap<std::string, std::string> Errors() const {
    std::multimap<std::string, std::string> errors;
    ForEachBurstMutation(packet_, 64, [&](const BurstMutation& mutation) {
      BurstPacket mutant = packet_;
      mutation.apply(mutant);
      EXPECT_FALSE(mutant == packet_) << mutation.describe() << " changes nothing";
      errors.emplace(std::string(mutation.family.name) + ": " + mutation.describe(),
                     Why(mutant).message());
    });
    return errors;
  }
};

TEST_F(BurstMutationsTest, EachFamilyBreaksWhatItIsCalledFor) {
  ASSERT_TRUE(Why(packet_).ok()) << Why(packet_);
  const auto errors = Errors();
  const auto expect = [&](const std::string& mutation, const std::string& error) {
    const auto found = errors.find(mutation);
    ASSERT_NE(found, errors.end()) << mutation;
    EXPECT_THAT(found->second, HasSubstr(error)) << mutation;
  };
  expect("removeDatumTest: element 6, measureTiming: removed, and packetSize says so",
         "the packet ends after 6 elements; expected measureTiming");
  expect("addDatumTest: the end of the packet: poolIdentifier put before it",
         "the packet has 8 elements; it says 7, and its parts are 7");
  expect("mutateDatumTest: element 6, measureTiming: poolIdentifier in its place",
         "packet element 6 is of alternative 5; expected measureTiming");
  expect("exchangeDatumsTest: element 2, inputOperandInformation: exchanged with the next",
         "packet element 2 is of alternative 3; expected inputOperandInformation");
  expect("mutateDiscriminatorTest: element 4, poolIdentifier: of alternative 255",
         "packet element 4 is of alternative 255; expected poolIdentifier");
  expect("mutatePacketSizeTest: element 0, packetInformation: packetSize 65 in place of 7",
         "the packet has 7 elements; it says 65, and its parts are 7");
  expect("mutateCountTest: element 0, packetInformation: numberOfPools 3 in place of 2",
         "packet element 6 is of alternative 6; expected poolIdentifier");
  expect(
      "mutateDimensionCountTest: element 3, outputOperandInformation: numberOfDimensions "
      "4294967295 in place of 0",
      "packet element 4 is of alternative 5; expected outputOperandDimensionValue");
  expect("mutateSlotTest: element 5, poolIdentifier: slot 2 in place of 1",
         "slot 2 stands for no memory");
  expect("mutateMeasureTimingTest: element 6, measureTiming: the value -1", "measureTiming is -1");
}

TEST_F(BurstMutationsTest, EveryMutantOfAPacketWithoutDimensionsIsInvalid) {
  std::set<std::string> families;
  for (const auto& [mutation, error] : Errors()) {
    EXPECT_FALSE(error.empty()) << mutation;
    families.insert(mutation.substr(0, mutation.find(':')));
  }
  EXPECT_EQ(families.size(), BurstMutationFamilies().size());
}

TEST_F(BurstMutationsTest, PaddingMeansNothing) {
  BurstPacket packet = packet_;
  FillPadding(packet);
  for (size_t i = 0; i < packet.size(); ++i) EXPECT_FALSE(packet[i] == packet_[i]) << i;
  EXPECT_EQ(*hal::deserializeBurstRequest(packet), *hal::deserializeBurstRequest(packet_));
}

TEST_F(BurstMutationsTest, SlotsAndShapesOfPackets) {
  EXPECT_EQ(SlotsOf(packet_), kSlots);
  BurstPacket other = packet_;
  other.back() = FmqRequestDatum::makeMeasureTiming(MeasureTiming::NO);
  EXPECT_EQ(KindOfPacket(other), KindOfPacket(packet_));
  other.pop_back();
  EXPECT_NE(KindOfPacket(other), KindOfPacket(packet_));
}

}  // namespace
}  // namespace nncert
