// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "hal/to_string.h"
#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// One pooling. `scalars` are its INT32 inputs: {left, right, top, bottom, stride width,
// stride height, filter width, filter height, activation} or {scheme, stride width, stride height,
// filter width, filter height, activation}.
struct Pooling {
  OperandSpec input;
  std::vector<int32_t> scalars;
  std::optional<bool> is_nchw = std::nullopt;
  OperandSpec output;
  OperationType type = OperationType::AVERAGE_POOL_2D;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Pooling& pooling) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(pooling.input)};
  for (const int32_t scalar : pooling.scalars) inputs.push_back(builder.Int32(scalar));
  if (pooling.is_nchw) inputs.push_back(builder.Bool(*pooling.is_nchw));
  const uint32_t output = builder.Output(pooling.output);
  builder.Operation(pooling.type, inputs, {output}).Relaxed(pooling.is_relaxed);
  return builder.model();
}

// The one output; the number systems are held against each other.
Evaluated Evaluate(const Pooling& pooling, const std::vector<double>& input) {
  return EvaluateDecided(ModelOf(pooling), {input});
}

std::vector<double> OutputOf(const Pooling& pooling, const std::vector<double>& input) {
  return Evaluate(pooling, input).from_double;
}

std::string ErrorOf(const Pooling& pooling, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(ModelOf(pooling), version).status().message());
}

// Executes a model whose input has these dimensions in the request, and no elements.
absl::StatusOr<std::vector<OutputValue>> RunEmpty(const Pooling& pooling, Shape dimensions,
                                                  NumberSystem system = NumberSystem::kFloat,
                                                  HalVersion version = HalVersion::V1_2) {
  const auto graph = PreparedGraph::Create(ModelOf(pooling), version);
  if (!graph.ok()) return graph.status();
  InputArgument argument;
  argument.dimensions = std::move(dimensions);
  return (*graph)->Execute(system, {argument});
}

const std::vector<double> kNine = {1, 2, 3, 4, 5, 6, 7, 8, 9};

// 2 x 2 windows over 3 x 3 pixels of one channel, without padding.
Pooling TwoByTwo() {
  return {.input = {kFloat32, {1, 3, 3, 1}},
          .scalars = {0, 0, 0, 0, 1, 1, 2, 2, 0},
          .output = {kFloat32, {1, 2, 2, 1}}};
}

TEST(AveragePool2dTest, AveragesEachWindow) {
  // (1 + 2 + 4 + 5) / 4 = 3.
  EXPECT_THAT(OutputOf(TwoByTwo(), kNine), ElementsAre(3, 4, 6, 7));
}

TEST(AveragePool2dTest, PaddingIsNotCounted) {
  Pooling pooling = TwoByTwo();
  pooling.scalars = {1, 1, 1, 1, 1, 1, 2, 2, 0};
  pooling.output.dimensions = {1, 4, 4, 1};
  EXPECT_THAT(OutputOf(pooling, kNine), ElementsAre(1, 1.5, 2.5, 3,  //
                                                    2.5, 3, 4, 4.5,  //
                                                    5.5, 6, 7, 7.5,  //
                                                    7, 7.5, 8.5, 9));
}

TEST(AveragePool2dTest, SamePaddingKeepsTheSizeAndIsNotCounted) {
  Pooling pooling = TwoByTwo();
  pooling.scalars = {1, 1, 1, 2, 2, 0};
  pooling.output.dimensions = {1, 3, 3, 1};
  EXPECT_THAT(OutputOf(pooling, kNine), ElementsAre(3, 4, 4.5, 6, 7, 7.5, 7.5, 8.5, 9));
}

TEST(AveragePool2dTest, ValidPaddingAndNonePadNothing) {
  for (const int32_t scheme : {0, 2}) {
    Pooling pooling = TwoByTwo();
    pooling.scalars = {scheme, 1, 1, 2, 2, 0};
    EXPECT_THAT(OutputOf(pooling, kNine), ElementsAre(3, 4, 6, 7));
  }
}

TEST(AveragePool2dTest, SidesStridesAndSizesAreInTheOrderOfTheHal) {
  // Left 1, right 0, top 0, bottom 2; stride 2 across and 1 down; windows 2 wide and 3 high:
  // columns -1..0 and 1..2, rows 0..2, 1..3 and 2..4.
  Pooling pooling = TwoByTwo();
  pooling.scalars = {1, 0, 0, 2, 2, 1, 2, 3, 0};
  pooling.output.dimensions = {1, 3, 2, 1};
  EXPECT_THAT(OutputOf(pooling, kNine), ElementsAre(4, 5.5, 5.5, 7, 7, 8.5));
}

TEST(AveragePool2dTest, ChannelsAndBatchesStayApart) {
  // Two images of 2 x 1 pixels with two channels.
  Pooling pooling = {.input = {kFloat32, {2, 2, 1, 2}},
                     .scalars = {2, 1, 1, 1, 2, 0},
                     .output = {kFloat32, {2, 1, 1, 2}}};
  EXPECT_THAT(OutputOf(pooling, {1, 10, 3, 20, 5, 30, 6, 50}), ElementsAre(2, 15, 5.5, 40));
  pooling.input.dimensions = {2, 2, 2, 1};
  pooling.output.dimensions = {2, 2, 1, 1};
  pooling.is_nchw = true;
  EXPECT_THAT(OutputOf(pooling, {1, 3, 10, 20, 5, 6, 30, 50}), ElementsAre(2, 15, 5.5, 40));
}

TEST(AveragePool2dTest, NchwPutsResultsWhereTheirChannelIs) {
  const Pooling pooling = {.input = {kFloat32, {1, 2, 2, 3}},
                           .scalars = {0, 0, 0, 0, 1, 1, 2, 2, 0},
                           .is_nchw = true,
                           .output = {kFloat32, {1, 2, 1, 2}}};
  EXPECT_THAT(OutputOf(pooling, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60}),
              ElementsAre(3, 4, 30, 40));
}

TEST(AveragePool2dTest, AppliesTheActivation) {
  const std::vector<double> input = {-5, 0.5, 3, 10};
  const std::vector<std::vector<double>> expected = {
      {-5, 0.5, 3, 10}, {0, 0.5, 3, 10}, {-1, 0.5, 1, 1}, {0, 0.5, 3, 6}};
  for (int32_t activation = 0; activation < 4; ++activation) {
    const Pooling pooling = {.input = {kFloat32, {1, 2, 2, 1}},
                             .scalars = {2, 1, 1, 1, 1, activation},
                             .output = {kFloat32, {1, 2, 2, 1}}};
    EXPECT_THAT(OutputOf(pooling, input), ElementsAreArray(expected[activation]));
  }
}

TEST(AveragePool2dTest, HalvesAreRoundedToHalves) {
  const Pooling pooling = {.input = {kFloat16, {1, 1, 3, 1}},
                           .scalars = {2, 1, 1, 3, 1, 0},
                           .output = {kFloat16, {1, 1, 1, 1}}};
  // A third, to 11 bits: 1365 / 4096.
  EXPECT_THAT(OutputOf(pooling, {0, 0, 1}), ElementsAre(1365.0 / 4096));
}

TEST(AveragePool2dTest, QuantizedMeansAreRoundedToNearest) {
  const Pooling pooling = {.input = {kQuant8, {1, 1, 3, 1}, 0.5, 100},
                           .scalars = {2, 1, 1, 3, 1, 0},
                           .output = {kQuant8, {1, 1, 1, 1}, 0.5, 100}};
  EXPECT_THAT(OutputOf(pooling, {3, 3, 5}), ElementsAre(4));  // 3 2/3
  EXPECT_THAT(OutputOf(pooling, {3, 3, 4}), ElementsAre(3));  // 3 1/3
  EXPECT_THAT(OutputOf(pooling, {255, 255, 0}), ElementsAre(170));
}

TEST(AveragePool2dTest, QuantizedActivationsClampReals) {
  const Pooling pooling = {.input = {kQuant8, {1, 1, 3, 1}, 0.5, 100},
                           .scalars = {2, 1, 1, 1, 1, 3},
                           .output = {kQuant8, {1, 1, 3, 1}, 0.5, 100}};
  EXPECT_THAT(OutputOf(pooling, {90, 106, 200}), ElementsAre(100, 106, 112));
}

TEST(AveragePool2dTest, LargeWindowsAverageWhatIsInside) {
  // A window of 100 x 100 padded by 50 over 52 x 60 pixels of 1.5.
  const Pooling pooling = {.input = {kFloat32, {1, 52, 60, 1}},
                           .scalars = {50, 50, 50, 50, 5, 5, 100, 100, 0},
                           .output = {kFloat32, {1, 11, 13, 1}}};
  const std::vector<double> result = OutputOf(pooling, std::vector<double>(52 * 60, 1.5));
  EXPECT_THAT(result, ElementsAreArray(std::vector<double>(11 * 13, 1.5)));
}

TEST(AveragePool2dTest, HugeWindowsAreServed) {
  constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();
  Pooling pooling = TwoByTwo();
  pooling.scalars = {1, kGreatest, kGreatest, kGreatest, kGreatest, 0};
  pooling.output.dimensions = {1, 1, 1, 1};
  EXPECT_THAT(OutputOf(pooling, kNine), ElementsAre(DoubleNear(5, 1e-12)));
}

TEST(AveragePool2dTest, FindsDimensionsThatTheModelLeavesOpen) {
  Pooling pooling = TwoByTwo();
  for (const std::vector<uint32_t>& output :
       {std::vector<uint32_t>{0, 0, 0, 0}, std::vector<uint32_t>{}}) {
    pooling.output.dimensions = output;
    const auto results = EvaluateInAllSystems(ModelOf(pooling), {kNine});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_THAT((*results)[0].dimensions, ElementsAre(1, 2, 2, 1));
  }
}

TEST(AveragePool2dTest, RejectsAnOutputOfOtherQuantization) {
  Pooling pooling = {.input = {kQuant8, {1, 1, 3, 1}, 0.5, 100},
                     .scalars = {2, 1, 1, 3, 1, 0},
                     .output = {kQuant8, {1, 1, 1, 1}, 0.25, 100}};
  EXPECT_THAT(ErrorOf(pooling),
              AllOf(HasSubstr("AVERAGE_POOL_2D output 0 'output'"), HasSubstr("scale 0.5")));
}

// ---- L2_POOL_2D ----

// 2 x 2 windows over 2 x 3 pixels of one channel.
Pooling RootMeanSquares() {
  return {.input = {kFloat32, {1, 2, 3, 1}},
          .scalars = {2, 1, 1, 2, 2, 0},
          .output = {kFloat32, {1, 1, 2, 1}},
          .type = OperationType::L2_POOL_2D};
}

TEST(L2Pool2dTest, TakesTheRootMeanSquareOfEachWindow) {
  // (1 + 9 + 9 + 81) / 4 = 25; (9 + 0 + 81 + 10) / 4 = 25.
  const std::vector<double> output = OutputOf(RootMeanSquares(), {-1, 3, 0, 3, 9, std::sqrt(10.0)});
  EXPECT_THAT(output, ElementsAre(DoubleNear(5, 1e-6), DoubleNear(5, 1e-6)));
  EXPECT_THAT(OutputOf(RootMeanSquares(), {0, 0, 0, 0, 0, 0}), ElementsAre(0, 0));
}

TEST(L2Pool2dTest, PaddingIsNotCounted) {
  Pooling pooling = RootMeanSquares();
  pooling.input.dimensions = {1, 1, 2, 1};
  pooling.scalars = {1, 1, 1, 1, 1, 1, 2, 2, 0};
  pooling.output.dimensions = {1, 2, 3, 1};
  // sqrt((1 + 49) / 2) = 5.
  EXPECT_THAT(OutputOf(pooling, {1, -7}), ElementsAre(1, 5, 7, 1, 5, 7));
}

TEST(L2Pool2dTest, SumsAreScaledInHalves) {
  Pooling pooling = RootMeanSquares();
  pooling.input.type = pooling.output.type = kFloat16;
  EXPECT_THAT(OutputOf(pooling, {-1, 3, 1, 3, 9, 3}), ElementsAre(5, 5));
}

TEST(L2Pool2dTest, NchwAndActivations) {
  Pooling pooling = RootMeanSquares();
  pooling.input.dimensions = {1, 2, 1, 2};
  pooling.is_nchw = true;
  pooling.scalars = {2, 1, 1, 2, 1, 0};
  pooling.output.dimensions = {1, 2, 1, 1};
  const std::vector<std::vector<double>> expected = {{5, 13}, {5, 13}, {1, 1}, {5, 6}};
  for (int32_t activation = 0; activation < 4; ++activation) {
    pooling.scalars.back() = activation;
    EXPECT_THAT(OutputOf(pooling, {1, -7, 7, 17}), ElementsAreArray(expected[activation]));
  }
}

TEST(L2Pool2dTest, EnclosuresAreTightAndNeverBelowZero) {
  Pooling pooling = RootMeanSquares();
  const Evaluated result = Evaluate(pooling, {-1, 3, 1, 3, 9, 3});
  // Half of a sum's five roundings and a division's five, and six of a root: 11 of 5.
  EXPECT_GT(result.enclosure[0].radius, 5 * 0x1p-24);
  EXPECT_LT(result.enclosure[0].radius, 5 * 12 * 0x1p-24);
  // Squares of these are below the normal range, and may all be flushed to zero.
  const Evaluated tiny = Evaluate(pooling, std::vector<double>(6, 1e-21f));
  EXPECT_TRUE(tiny.enclosure[0].Contains(0));
  EXPECT_LT(tiny.enclosure[0].radius, 1e-18);
  pooling.is_relaxed = true;
  const Evaluated relaxed = Evaluate(pooling, {-1, 3, 1, 3, 9, 3});
  EXPECT_LT(relaxed.enclosure[0].radius, 5 * 12.1 * 0x1p-11);
}

TEST(L2Pool2dTest, HasNoQuantizedType) {
  Pooling pooling = RootMeanSquares();
  pooling.input = {kQuant8, {1, 2, 3, 1}, 0.5, 3};
  pooling.output = {kQuant8, {1, 1, 2, 1}, 0.5, 3};
  EXPECT_THAT(ErrorOf(pooling), HasSubstr("L2_POOL_2D input 0 'input'"));
}

// ---- MAX_POOL_2D ----

Pooling Greatest() {
  Pooling pooling = TwoByTwo();
  pooling.type = OperationType::MAX_POOL_2D;
  return pooling;
}

TEST(MaxPool2dTest, FindsTheGreatestOfEachWindow) {
  EXPECT_THAT(OutputOf(Greatest(), {9, 2, -3, 4, 5, 6, 7, 8, 1}), ElementsAre(9, 6, 8, 8));
}

TEST(MaxPool2dTest, PaddingIsNeverTheGreatest) {
  Pooling pooling = Greatest();
  pooling.scalars = {1, 1, 1, 1, 1, 1, 2, 2, 0};
  pooling.output.dimensions = {1, 4, 4, 1};
  EXPECT_THAT(OutputOf(pooling, {-1, -2, -3, -4, -5, -6, -7, -8, -9}),
              ElementsAre(-1, -1, -2, -3,  //
                          -1, -1, -2, -3,  //
                          -4, -4, -5, -6,  //
                          -7, -7, -8, -9));
  pooling.scalars = {1, 1, 1, 2, 2, 0};
  pooling.output.dimensions = {1, 3, 3, 1};
  EXPECT_THAT(OutputOf(pooling, {-1, -2, -3, -4, -5, -6, -7, -8, -9}),
              ElementsAre(-1, -2, -3, -4, -5, -6, -7, -8, -9));
}

TEST(MaxPool2dTest, StepsOfQuantizedElementsArePassedOn) {
  Pooling pooling = Greatest();
  pooling.input = {kQuant8, {1, 3, 3, 1}, 0.7f, 200};
  pooling.output = {kQuant8, {1, 2, 2, 1}, 0.7f, 200};
  const Evaluated result = Evaluate(pooling, {0, 2, 3, 255, 5, 6, 7, 8, 201});
  EXPECT_THAT(result.from_double, ElementsAre(255, 6, 255, 201));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  // RELU1 is at most 1, one step and a half above 200.
  pooling.scalars.back() = 2;
  EXPECT_THAT(OutputOf(pooling, {0, 2, 3, 255, 5, 6, 7, 8, 201}), ElementsAre(201, 199, 201, 201));
}

TEST(MaxPool2dTest, NchwChannelsAndBatchesStayApart) {
  const Pooling pooling = {.input = {kFloat16, {2, 2, 1, 2}},
                           .scalars = {2, 1, 1, 2, 1, 0},
                           .is_nchw = true,
                           .output = {kFloat16, {2, 2, 1, 1}},
                           .type = OperationType::MAX_POOL_2D};
  const Evaluated result = Evaluate(pooling, {1, 3, 20, 10, 6, 5, -30, -50});
  EXPECT_THAT(result.from_double, ElementsAre(3, 20, 6, -30));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(MaxPool2dTest, InfinitiesAndNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> input = {1, 2, -infinity, infinity, 3, -infinity, 1, 1, 1};
  Pooling pooling = Greatest();
  EXPECT_THAT(OutputOf(pooling, input), ElementsAre(infinity, 3, infinity, 3));
  EXPECT_THAT(OutputOf(pooling, std::vector<double>(9, -infinity)),
              ElementsAreArray(std::vector<double>(4, -infinity)));
  const Evaluated result = Evaluate(pooling, {1, 1, std::nan(""), 1, 1, 1, 1, 1, 1});
  EXPECT_TRUE(result.enclosure[0].IsExact());
  EXPECT_FALSE(result.enclosure[1].IsBounded());
}

// ---- Negative cases of all three ----

constexpr OperationType kPoolings[] = {OperationType::AVERAGE_POOL_2D, OperationType::L2_POOL_2D,
                                       OperationType::MAX_POOL_2D};

// TwoByTwo() as each of the operations.
std::vector<Pooling> AllPoolings() {
  std::vector<Pooling> poolings;
  for (const OperationType type : kPoolings) {
    poolings.push_back(TwoByTwo());
    poolings.back().type = type;
  }
  return poolings;
}

TEST(PoolingTest, pooling_c1_rejects_images_without_pixels_or_channels) {
  for (Pooling pooling : AllPoolings()) {
    const std::string name = hal::toString(pooling.type);
    pooling.input.dimensions = {0, 0, 0, 0};
    pooling.output.dimensions = {0, 0, 0, 0};
    for (const Shape& dimensions : {Shape{1, 0, 3, 1}, Shape{1, 3, 0, 1}, Shape{1, 3, 3, 0}}) {
      EXPECT_THAT(RunEmpty(pooling, dimensions).status().message(),
                  AllOf(RefusedBy(name, "C1"), HasSubstr("input 0 'input' (operand 0)")));
    }
    const auto outputs = RunEmpty(pooling, {0, 3, 3, 1}, NumberSystem::kFloat, HalVersion::V1_1);
    EXPECT_THAT(outputs.status().message(), RefusedBy(name, "C1"));
  }
}

TEST(PoolingTest, pooling_c2_rejects_windows_without_pixels) {
  for (Pooling pooling : AllPoolings()) {
    for (const int position : {6, 7}) {
      for (const int32_t size : {0, -1}) {
        pooling.scalars = TwoByTwo().scalars;
        pooling.scalars[position] = size;
        EXPECT_THAT(ErrorOf(pooling), AllOf(RefusedBy(hal::toString(pooling.type), "C2"),
                                            HasSubstr("input 7 'filterWidth' (operand 7)")));
      }
    }
  }
}

TEST(PoolingTest, pooling_c3_rejects_unknown_padding_schemes) {
  for (Pooling pooling : AllPoolings()) {
    for (const int32_t scheme : {-1, 3}) {
      pooling.scalars = {scheme, 1, 1, 2, 2, 0};
      EXPECT_THAT(ErrorOf(pooling), AllOf(RefusedBy(hal::toString(pooling.type), "C3"),
                                          HasSubstr("input 1 'paddingScheme' (operand 1)")));
    }
  }
}

TEST(PoolingTest, pooling_c4_rejects_strides_below_one) {
  for (Pooling pooling : AllPoolings()) {
    for (const int position : {4, 5}) {
      pooling.scalars = TwoByTwo().scalars;
      pooling.scalars[position] = 0;
      EXPECT_THAT(ErrorOf(pooling), AllOf(RefusedBy(hal::toString(pooling.type), "C4"),
                                          HasSubstr("input 5 'strideWidth' (operand 5)")));
    }
  }
}

TEST(PoolingTest, pooling_c5_rejects_paddings_of_the_size_of_the_window) {
  for (Pooling pooling : AllPoolings()) {
    for (int side = 0; side < 4; ++side) {
      for (const int32_t padding : {-1, 2}) {
        pooling.scalars = TwoByTwo().scalars;
        pooling.scalars[side] = padding;
        EXPECT_THAT(ErrorOf(pooling), AllOf(RefusedBy(hal::toString(pooling.type), "C5"),
                                            HasSubstr("input 1 'paddingLeft' (operand 1)")));
      }
    }
  }
}

TEST(PoolingTest, pooling_c6_rejects_windows_greater_than_the_padded_image) {
  for (Pooling pooling : AllPoolings()) {
    pooling.scalars = {2, 1, 1, 4, 1, 0};
    EXPECT_THAT(ErrorOf(pooling), AllOf(RefusedBy(hal::toString(pooling.type), "C6"),
                                        HasSubstr("input 0 'input' (operand 0)")));
  }
}

TEST(PoolingTest, pooling_c7_rejects_unknown_activations) {
  for (Pooling pooling : AllPoolings()) {
    for (const int32_t activation : {-1, 4}) {
      pooling.scalars.back() = activation;
      EXPECT_THAT(ErrorOf(pooling), AllOf(RefusedBy(hal::toString(pooling.type), "C7"),
                                          HasSubstr("input 9 'activation' (operand 9)")));
    }
  }
}

TEST(PoolingTest, EmptyBatchesGiveEmptyBatches) {
  for (Pooling pooling : AllPoolings()) {
    pooling.input.dimensions = {0, 0, 0, 0};
    pooling.output.dimensions = {0, 0, 0, 0};
    for (const NumberSystem system :
         {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
      // So many channels that nothing could be kept for each of them.
      const auto outputs = RunEmpty(pooling, {0, 3, 3, 4'000'000'000}, system);
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2, 2, 4'000'000'000));
      EXPECT_TRUE((*outputs)[0].elements.empty());
    }
  }
}

TEST(PoolingTest, TakesLayoutAndHalvesSince1_2) {
  for (const Pooling& pooling : AllPoolings()) {
    Pooling with_layout = pooling;
    with_layout.is_nchw = false;
    Pooling halves = pooling;
    halves.input.type = halves.output.type = kFloat16;
    for (const hal::V1_2::Model& model : {ModelOf(with_layout), ModelOf(halves)}) {
      EXPECT_EQ(SignatureErrorOf(model, HalVersion::V1_2), "");
      EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_1),
                  HasSubstr("operation 0: " + hal::toString(pooling.type)));
    }
    EXPECT_EQ(ErrorOf(pooling, HalVersion::V1_0), "");
  }
}

}  // namespace
}  // namespace nncert
