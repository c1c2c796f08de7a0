// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <farmhash.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

constexpr int32_t kSparseDeprecated = 1;
constexpr int32_t kDense = 2;
constexpr int32_t kSparse = 3;

struct Options {
  int32_t type = kDense;
  OperandType hash_type = kFloat32;
  OperandSpec input = {kInt32, {3, 2}};
  // The number of weights; 0 for none.
  uint32_t weights = 3;
  std::vector<uint32_t> hash = {4, 2};
  bool is_relaxed = false;
};

// Hash, input and weights are inputs of the model.
hal::V1_2::Model ModelOf(const Options& options = {}) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input({options.hash_type, options.hash}),
                                  builder.Input(options.input)};
  inputs.push_back(options.weights == 0 ? builder.Omitted({options.hash_type, {0}})
                                        : builder.Input({options.hash_type, {options.weights}}));
  inputs.push_back(builder.Int32(options.type));
  builder.Operation(OperationType::LSH_PROJECTION, inputs, {builder.Output({kInt32, {0}})})
      .Relaxed(options.is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const Options& options, const std::vector<std::vector<double>>& inputs) {
  return EvaluateDecided(ModelOf(options), inputs);
}

// The bit by its definition: the sign of the weighted fingerprints of seed and slice.
double BitOf(float seed, const std::vector<std::string>& slices,
             const std::vector<double>& weights) {
  long double score = 0;
  for (size_t i = 0; i < slices.size(); ++i) {
    std::string key(reinterpret_cast<const char*>(&seed), sizeof(seed));
    key += slices[i];
    const auto fingerprint = static_cast<int64_t>(util::Fingerprint64(key.data(), key.size()));
    score += (weights.empty() ? 1 : weights[i]) * static_cast<long double>(fingerprint);
  }
  return score > 0 ? 1 : 0;
}

// The bytes of the input's slices.
std::vector<std::string> SlicesOf(const OperandSpec& spec, const std::vector<double>& values) {
  const std::vector<uint8_t> bytes = BytesOf(spec.type, values);
  const size_t size = bytes.size() / spec.dimensions[0];
  std::vector<std::string> slices;
  for (size_t first = 0; first < bytes.size(); first += size) {
    slices.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                        bytes.begin() + static_cast<std::ptrdiff_t>(first + size));
  }
  return slices;
}

const std::vector<double> kSeeds = {0.5, -2.25, 3, 10.5, -0.125, 1.75, 42, -8};
const std::vector<double> kInput = {1, 2, -3, 4, 500, -600};
const std::vector<double> kWeights = {0.25, 0.5, 1.5};

std::vector<double> BitsOf(const OperandSpec& spec, const std::vector<double>& input,
                           const std::vector<double>& weights) {
  std::vector<double> bits;
  for (const double seed : kSeeds) {
    bits.push_back(BitOf(static_cast<float>(seed), SlicesOf(spec, input), weights));
  }
  return bits;
}

TEST(LshProjectionTest, DenseGivesBits) {
  const Evaluated result = Evaluate({}, {kSeeds, kInput, kWeights});
  EXPECT_THAT(result.dimensions, ElementsAre(8));
  const std::vector<double> bits = BitsOf({kInt32, {3, 2}}, kInput, kWeights);
  EXPECT_THAT(result.from_double, ElementsAreArray(bits));
  // The bits are not all the same, or the test would say little.
  EXPECT_THAT(bits, testing::AllOf(testing::Contains(0), testing::Contains(1)));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(LshProjectionTest, SparseGivesIntegersOfBits) {
  const std::vector<double> bits = BitsOf({kInt32, {3, 2}}, kInput, {});
  std::vector<double> deprecated, sparse;
  for (size_t hash = 0; hash < 4; ++hash) {
    deprecated.push_back(2 * bits[2 * hash] + bits[2 * hash + 1]);
    sparse.push_back(deprecated.back() + 4.0 * static_cast<double>(hash));
  }
  EXPECT_THAT(Evaluate({.type = kSparseDeprecated, .weights = 0}, {kSeeds, kInput}).from_double,
              ElementsAreArray(deprecated));
  EXPECT_THAT(Evaluate({.type = kSparse, .weights = 0}, {kSeeds, kInput}).from_double,
              ElementsAreArray(sparse));
}

TEST(LshProjectionTest, WeightsAreOptionalInEveryProjection) {
  EXPECT_THAT(Evaluate({.weights = 0}, {kSeeds, kInput}).from_double,
              ElementsAreArray(BitsOf({kInt32, {3, 2}}, kInput, {})));
  const std::vector<double> bits = BitsOf({kInt32, {3, 2}}, kInput, kWeights);
  EXPECT_THAT(Evaluate({.type = kSparse, .hash = {1, 8}}, {kSeeds, kInput, kWeights}).from_double,
              ElementsAre(128 * bits[0] + 64 * bits[1] + 32 * bits[2] + 16 * bits[3] + 8 * bits[4] +
                          4 * bits[5] + 2 * bits[6] + bits[7]));
}

TEST(LshProjectionTest, InputsOfEveryType) {
  for (const OperandSpec& spec : {OperandSpec{kFloat32, {3, 2}}, OperandSpec{kFloat16, {3, 1, 2}},
                                  OperandSpec{kQuant8, {3, 2}, 0.5, 3}, OperandSpec{kInt32, {6}}}) {
    const std::vector<double> input = {1, 2, 3, 4, 5, 6};
    const auto slices = spec.dimensions[0];
    const std::vector<double> weights(slices, 0.75);
    EXPECT_THAT(Evaluate({.input = spec, .weights = slices}, {kSeeds, input, weights}).from_double,
                ElementsAreArray(BitsOf(spec, input, weights)));
  }
}

TEST(LshProjectionTest, SeedsAndWeightsOfHalves) {
  EXPECT_THAT(Evaluate({.hash_type = kFloat16}, {kSeeds, kInput, kWeights}).from_double,
              ElementsAreArray(BitsOf({kInt32, {3, 2}}, kInput, kWeights)));
}

TEST(LshProjectionTest, RelaxedComputationHashesTheSameBytes) {
  const OperandSpec spec = {kFloat32, {3, 2}};
  const std::vector<double> input = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  EXPECT_THAT(Evaluate({.input = spec, .is_relaxed = true}, {kSeeds, input, kWeights}).from_double,
              ElementsAreArray(BitsOf(spec, input, kWeights)));
}

TEST(LshProjectionTest, ThirtyTwoBitsMakeANegativeInteger) {
  // 31 and 32 bits: the greatest numbers there are.
  std::vector<double> seeds;
  uint32_t expected = 0;
  for (int i = 0; i < 32; ++i) {
    seeds.push_back(0.5 * i - 7);
    const double bit = BitOf(static_cast<float>(seeds.back()), SlicesOf({kInt32, {1}}, {77}), {});
    expected = expected << 1 | static_cast<uint32_t>(bit);
  }
  const OperandSpec spec = {kInt32, {1}};
  EXPECT_THAT(
      Evaluate({.type = kSparse, .input = spec, .weights = 0, .hash = {1, 32}}, {seeds, {77}})
          .from_double,
      ElementsAre(static_cast<int32_t>(expected)));
  // Two hash functions of 31 bits: 2^31 is added to the second, and wraps.
  std::vector<double> twice(seeds.begin() + 1, seeds.end());
  twice.insert(twice.end(), seeds.begin() + 1, seeds.end());
  const auto low = static_cast<double>(expected & 0x7FFFFFFF);
  EXPECT_THAT(
      Evaluate({.type = kSparse, .input = spec, .weights = 0, .hash = {2, 31}}, {twice, {77}})
          .from_double,
      ElementsAre(low, low - 0x1p31));
}

TEST(LshProjectionTest, AScoreNearZeroLeavesTheBitOpen) {
  // Equal slices of opposite weights: the score is zero, or what rounding makes of it.
  const OperandSpec spec = {kInt32, {2}};
  const Options dense = {.input = spec, .weights = 2, .hash = {1, 1}};
  Evaluated result = Evaluate(dense, {{0.5}, {9, 9}, {0.1, -0.1}});
  EXPECT_THAT(result.from_double, ElementsAre(0));
  EXPECT_TRUE(result.enclosure[0].Contains(0));
  EXPECT_TRUE(result.enclosure[0].Contains(1));
  // Of 32 bits the first is the sign.
  Options sparse = dense;
  sparse.type = kSparse;
  sparse.hash = {1, 32};
  result = Evaluate(sparse, {std::vector<double>(32, 0.5), {9, 9}, {0.1, -0.1}});
  EXPECT_THAT(result.from_double, ElementsAre(0));
  EXPECT_EQ(result.enclosure[0].Lower(), -0x1p31);
  EXPECT_EQ(result.enclosure[0].Upper(), 0x1p31 - 1);
}

TEST(LshProjectionTest, lsh_projection_c1_rejects_an_unknown_type) {
  for (const int32_t type : {0, 4}) {
    EXPECT_TRUE(IsRefused(ModelOf({.type = type}), "C1"));
  }
  EXPECT_TRUE(IsRefused(ModelOf({.type = kSparse}), "C1", {}, HalVersion::V1_1));
}

TEST(LshProjectionTest, lsh_projection_c2_rejects_signatures_of_more_than_32_bits) {
  EXPECT_TRUE(IsRefused(ModelOf({.type = kSparse, .hash = {1, 33}}), "C2"));
  EXPECT_TRUE(IsRefused(ModelOf({.type = kSparse, .hash = {3, 31}}), "C2"));
  EXPECT_TRUE(IsRefused(ModelOf({.type = kSparseDeprecated, .hash = {5, 33}}), "C2"));
  // Without an offset, which type 3 alone has, all of them are for the signature.
  EXPECT_EQ(PreparedGraph::Create(ModelOf({.type = kSparseDeprecated, .hash = {5, 32}})).status(),
            absl::OkStatus());
  EXPECT_EQ(PreparedGraph::Create(ModelOf({.type = kSparse, .hash = {4, 30}})).status(),
            absl::OkStatus());
  EXPECT_EQ(PreparedGraph::Create(ModelOf({.hash = {1, 33}})).status(), absl::OkStatus());
}

TEST(LshProjectionTest, lsh_projection_c3_rejects_other_numbers_of_weights) {
  EXPECT_TRUE(IsRefused(ModelOf({.weights = 2}), "C3"));
}

TEST(LshProjectionTest, lsh_projection_c4_rejects_nothing_to_hash) {
  // The model leaves dimensions open; the request says that they are 0.
  const auto error_with = [](const Options& options, const Shape& hash, const Shape& input) {
    const auto graph = PreparedGraph::Create(ModelOf(options));
    EXPECT_TRUE(graph.ok()) << graph.status();
    std::vector<InputArgument> arguments(2);
    const std::vector<std::byte> zeros(32);
    arguments[0].dimensions = hash;
    arguments[0].elements = absl::MakeConstSpan(zeros).first(4 * NumberOfElements(hash));
    arguments[1].dimensions = input;
    arguments[1].elements = absl::MakeConstSpan(zeros).first(4 * NumberOfElements(input));
    return std::string((*graph)->Execute(NumberSystem::kBall, arguments).status().message());
  };
  EXPECT_THAT(error_with({.input = {kInt32, {3, 0}}, .weights = 0}, {4, 2}, {3, 0}),
              RefusedBy("LSH_PROJECTION", "C4"));
  EXPECT_THAT(error_with({.weights = 0, .hash = {0, 2}}, {0, 2}, {3, 2}),
              RefusedBy("LSH_PROJECTION", "C4"));
  EXPECT_EQ(error_with({.weights = 0}, {4, 2}, {3, 2}), "");
}

TEST(LshProjectionTest, HalvesCameWithHal12) {
  EXPECT_EQ(SignatureErrorOf(ModelOf(), HalVersion::V1_0), "");
  EXPECT_THAT(SignatureErrorOf(ModelOf({.hash_type = kFloat16}), HalVersion::V1_1),
              HasSubstr("'hash'"));
  EXPECT_THAT(SignatureErrorOf(ModelOf({.input = {kFloat16, {3, 2}}}), HalVersion::V1_1),
              HasSubstr("'input'"));
}

}  // namespace
}  // namespace nncert
