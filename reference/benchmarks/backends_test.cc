// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the benchmarks compare computes the same thing.

#include "reference/benchmarks/backends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/types/span.h"
#include "reference/benchmarks/network.h"
#include "reference/benchmarks/xnnpack.h"

namespace nncert::benchmarks {
namespace {

struct Outputs {
  std::vector<uint8_t> ours;
  std::vector<uint8_t> theirs;
};

Outputs Run(const Network& network) {
  Outputs outputs;
  const auto prepared = Prepared::Create(HalModel(network));
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  const auto peer = XnnpackNetwork::Create(network);
  EXPECT_TRUE(peer.ok()) << peer.status();
  if (!prepared.ok() || !peer.ok()) return outputs;
  for (size_t i = 0; i < (*prepared)->inputs().size(); ++i) {
    const absl::Span<const uint8_t> input = (*prepared)->inputs()[i];
    EXPECT_EQ(input.size(), (*peer)->input(i).size());
    std::copy(input.begin(), input.end(), (*peer)->input(i).begin());
  }
  EXPECT_TRUE((*prepared)->Run(NumberSystem::kFloat).ok());
  EXPECT_TRUE((*peer)->Run().ok());
  outputs.ours.assign((*prepared)->output().begin(), (*prepared)->output().end());
  outputs.theirs.assign((*peer)->output().begin(), (*peer)->output().end());
  return outputs;
}

void ExpectAlike(const Network& network, double tolerance) {
  const Outputs outputs = Run(network);
  const Format& format = network.layers.back().output;
  ASSERT_EQ(outputs.ours.size(), format.bytes());
  ASSERT_EQ(outputs.theirs.size(), format.bytes());
  bool is_constant = true;
  for (size_t i = 0; i < format.count(); ++i) {
    float ours = outputs.ours[format.is_quantized() ? i : 0];
    float theirs = outputs.theirs[format.is_quantized() ? i : 0];
    if (!format.is_quantized()) {
      std::memcpy(&ours, outputs.ours.data() + i * sizeof(float), sizeof(float));
      std::memcpy(&theirs, outputs.theirs.data() + i * sizeof(float), sizeof(float));
    }
    ASSERT_LE(std::abs(ours - theirs), tolerance) << "element " << i;
    is_constant &=
        i == 0 || std::memcmp(outputs.ours.data(),
                              outputs.ours.data() + i * (format.bytes() / format.count()),
                              format.bytes() / format.count()) == 0;
  }
  EXPECT_FALSE(is_constant);
}

TEST(BackendsTest, ComputeTheSameInFloat) {
  ExpectAlike(Convolution(false), 1e-4);
  ExpectAlike(DepthwiseConvolution(false), 1e-5);
  ExpectAlike(FullyConnected(false), 1e-4);
  ExpectAlike(Addition(false, false), 0);
  ExpectAlike(Addition(false, true), 0);
  ExpectAlike(Softmax(false), 1e-6);
}

TEST(BackendsTest, ComputeTheSameInIntegers) {
  ExpectAlike(Convolution(true), 1);
  ExpectAlike(DepthwiseConvolution(true), 1);
  ExpectAlike(FullyConnected(true), 1);
  ExpectAlike(Addition(true, false), 1);
  ExpectAlike(Addition(true, true), 1);
  ExpectAlike(Softmax(true), 1);
}

TEST(BackendsTest, MobileNetsAgreeOnTheProbabilities) {
  ExpectAlike(MobileNetV1(false), 1e-5);
  ExpectAlike(MobileNetV1(true), 2);
}

TEST(NetworkTest, MobileNetHasTheSizeOfThePaper) {
  const Network network = MobileNetV1(false);
  EXPECT_EQ(network.layers.size(), 30);
  // 4.2 million parameters, 569 million multiplications and additions (table 8).
  EXPECT_NEAR(network.weight_bytes() / 4, 4.2e6, 0.1e6);
  EXPECT_NEAR(network.flops() / 2, 569e6, 2e6);
  EXPECT_EQ(network.largest_activation_bytes(), 112 * 112 * 64 * 4);
}

TEST(RandomNumbersTest, AreTheSameEverywhereAndSpread) {
  const std::vector<double> numbers = RandomNumbers(10000, false, 7);
  EXPECT_EQ(numbers, RandomNumbers(10000, false, 7));
  EXPECT_NE(numbers, RandomNumbers(10000, false, 8));
  double sum = 0;
  double squares = 0;
  for (const double number : numbers) {
    ASSERT_GE(number, -1);
    ASSERT_LT(number, 1);
    sum += number;
    squares += number * number;
  }
  // Four standard deviations of the mean, 1/sqrt(3 * 10000), and of the mean square.
  EXPECT_NEAR(sum / 10000, 0, 0.024);
  EXPECT_NEAR(squares / 10000, 1.0 / 3, 0.012);
}

TEST(PreparedTest, ArgumentsLieAtTheSamePlacesInTheirPagesEveryTime) {
  const auto places = [](const Prepared& prepared) {
    std::vector<uintptr_t> places = {reinterpret_cast<uintptr_t>(prepared.output().data()) % 4096};
    for (const absl::Span<const uint8_t> input : prepared.inputs()) {
      places.push_back(reinterpret_cast<uintptr_t>(input.data()) % 4096);
    }
    return places;
  };
  const hal::V1_2::Model model = HalModel(Addition(/*is_quantized=*/false, /*is_broadcast=*/false));
  const auto one = Prepared::Create(model);
  // What is allocated meanwhile is nothing to them.
  const std::vector<uint8_t> other(1000);
  const auto two = Prepared::Create(model);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(places(**one), places(**two));
  EXPECT_THAT(places(**one), testing::ElementsAre(2176, 0, 1088));
}

}  // namespace
}  // namespace nncert::benchmarks
