// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant16 = OperandType::TENSOR_QUANT16_ASYMM;
constexpr OperandType kQuant16Symm = OperandType::TENSOR_QUANT16_SYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-5), expected); }

// One GENERATE_PROPOSALS, its inputs in numbers (integers for quantized types), NHWC unless
// is_nchw.
struct Proposal {
  std::vector<uint32_t> grid;  // batches, height, width, anchors
  std::vector<double> scores;
  std::vector<double> deltas;  // zeros when empty
  std::vector<double> anchors;
  std::vector<double> sizes;
  double height_ratio = 10;
  double width_ratio = 10;
  int32_t max_before = -1;
  int32_t max_after = 0;
  double overlap_threshold = 0.5;
  double min_size = 1;
  bool is_nchw = false;
  OperandType type = kFloat32;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Proposal& proposal) {
  const bool is_quantized = proposal.type == kQuant8;
  const OperandSpec scalar = {proposal.type == kFloat16 ? OperandType::FLOAT16
                                                        : OperandType::FLOAT32};
  const std::vector<uint32_t>& grid = proposal.grid;
  std::vector<uint32_t> score_dimensions = grid;
  std::vector<uint32_t> delta_dimensions = {grid[0], grid[1], grid[2], grid[3] * 4};
  if (proposal.is_nchw) {
    score_dimensions = {grid[0], grid[3], grid[1], grid[2]};
    delta_dimensions = {grid[0], grid[3] * 4, grid[1], grid[2]};
  }
  const auto type_of = [&](OperandType quantized) {
    return is_quantized ? quantized : proposal.type;
  };
  const float eighth = is_quantized ? 0.125f : 0;
  const float score_scale = is_quantized ? 0.01f : 0;
  const float delta_scale = is_quantized ? 0.05f : 0;
  const int32_t delta_zero = is_quantized ? 128 : 0;
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {
      builder.Input({proposal.type, score_dimensions, score_scale}),
      builder.Input({proposal.type, delta_dimensions, delta_scale, delta_zero}),
      builder.Input({type_of(kQuant16Symm), {grid[3], 4}, eighth}),
      builder.Input({type_of(kQuant16), {grid[0], 2}, eighth}),
      builder.Constant(scalar, {proposal.height_ratio}),
      builder.Constant(scalar, {proposal.width_ratio}),
      builder.Int32(proposal.max_before),
      builder.Int32(proposal.max_after),
      builder.Constant(scalar, {proposal.overlap_threshold}),
      builder.Constant(scalar, {proposal.min_size}),
      builder.Bool(proposal.is_nchw)};
  const std::vector<uint32_t> outputs = {builder.Output({proposal.type, {0}, score_scale}),
                                         builder.Output({type_of(kQuant16), {0, 4}, eighth}),
                                         builder.Output({kInt32, {0}})};
  builder.Operation(OperationType::GENERATE_PROPOSALS, inputs, outputs)
      .Relaxed(proposal.is_relaxed);
  return builder.model();
}

std::vector<std::vector<double>> InputsOf(const Proposal& proposal) {
  std::vector<double> deltas = proposal.deltas;
  if (deltas.empty()) {
    deltas.assign(proposal.scores.size() * 4, proposal.type == kQuant8 ? 128 : 0);
  }
  return {proposal.scores, deltas, proposal.anchors, proposal.sizes};
}

struct Proposed {
  Evaluated scores;
  Evaluated boxes;
  Evaluated batches;
  bool is_undecided = false;
};

Proposed Propose(const Proposal& proposal) {
  const auto results = EvaluateInAllSystems(ModelOf(proposal), InputsOf(proposal));
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  Proposed proposed = {(*results)[0], (*results)[1], (*results)[2], !(*results)[0].undecided.ok()};
  const auto count = static_cast<uint32_t>(proposed.scores.from_double.size());
  EXPECT_THAT(proposed.scores.dimensions, ElementsAre(count));
  EXPECT_THAT(proposed.boxes.dimensions, ElementsAre(count, 4));
  EXPECT_THAT(proposed.batches.dimensions, ElementsAre(count));
  return proposed;
}

std::string RunErrorOf(const Proposal& proposal) {
  return std::string(
      EvaluateInAllSystems(ModelOf(proposal), InputsOf(proposal)).status().message());
}

// Two places side by side, two anchors: a square and its upper half.
Proposal TwoPlaces() {
  Proposal proposal;
  proposal.grid = {1, 1, 2, 2};
  proposal.scores = {0.5, 0.6, 0.8, 0.7};
  proposal.anchors = {0, 0, 8, 8, 0, 0, 8, 4};
  proposal.sizes = {100, 100};
  return proposal;
}

TEST(GenerateProposalsTest, AnchorsStandAtEveryPlaceAndOverlappingOnesAreLeftOut) {
  // The overlap of the two anchors is just the threshold or above; they are selected by score.
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.4;
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.6}));
  EXPECT_THAT(result.boxes.from_double, Near({10, 0, 18, 8, 0, 0, 8, 4}));
  EXPECT_THAT(result.batches.from_double, ElementsAre(0, 0));
  for (const Ball& ball : result.boxes.enclosure) EXPECT_LT(ball.radius, 1e-4);
}

TEST(GenerateProposalsTest, AnOverlapBelowTheThresholdLeavesAll) {
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.6;
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.7, 0.6, 0.5}));
  // Just the threshold, it may or may not count.
  proposal.overlap_threshold = 0.5;
  EXPECT_TRUE(Propose(proposal).is_undecided);
}

TEST(GenerateProposalsTest, DeltasMoveAndScaleAndTheImageCutsOff) {
  Proposal proposal = TwoPlaces();
  proposal.grid = {1, 2, 1, 1};
  proposal.scores = {0.9, 0.8};
  proposal.anchors = {0, 0, 8, 4};
  // At (0, 0): to the right by 8 and down by 1. At (0, 10), twice as wide.
  proposal.deltas = {1, 0.25, 0, 0, 0, 0, std::log(2), 0};
  proposal.sizes = {13, 20};
  const Proposed result = Propose(proposal);
  EXPECT_THAT(result.boxes.from_double, Near({8, 1, 16, 5, 0, 10, 12, 13}));
}

TEST(GenerateProposalsTest, NchwHoldsOneAnchorAfterAnother) {
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.6;
  proposal.is_nchw = true;
  proposal.scores = {0.5, 0.8, 0.6, 0.7};
  // dx of anchor 0, dy of anchor 1, at the second place.
  proposal.deltas.assign(16, 0);
  proposal.deltas[1] = 1;
  proposal.deltas[11] = 1;
  const Proposed result = Propose(proposal);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.7, 0.6, 0.5}));
  EXPECT_THAT(result.boxes.from_double, Near({18, 0, 26, 8, 10, 4, 18, 8, 0, 0, 8, 4, 0, 0, 8, 8}));
}

TEST(GenerateProposalsTest, ImagesAreJudgedApart) {
  Proposal proposal = TwoPlaces();
  proposal.grid = {2, 1, 2, 2};
  proposal.scores = {0.5, 0.6, 0.8, 0.7, 0.9, 0.1, 0.3, 0.4};
  proposal.sizes = {100, 100, 100, 14};
  proposal.overlap_threshold = 0.4;
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.6, 0.9, 0.4}));
  EXPECT_THAT(result.batches.from_double, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(result.boxes.from_double, Near({10, 0, 18, 8, 0, 0, 8, 4,  //
                                              0, 0, 8, 8, 10, 0, 14, 4}));
}

TEST(GenerateProposalsTest, LimitsKeepTheGreatestScores) {
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.6;
  proposal.max_after = 3;
  EXPECT_THAT(Propose(proposal).scores.from_double, Near({0.8, 0.7, 0.6}));
  proposal.max_before = 2;
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.7}));
  // The limit before suppression counts boxes that are then left out.
  proposal.overlap_threshold = 0.4;
  EXPECT_THAT(Propose(proposal).scores.from_double, Near({0.8}));
  proposal.max_before = 100;
  EXPECT_THAT(Propose(proposal).scores.from_double, Near({0.8, 0.6}));
}

TEST(GenerateProposalsTest, SmallBoxesTakeNoPart) {
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.6;
  proposal.min_size = 5;
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.5}));
  // Just the size, a box does by the documentation, but not everywhere.
  proposal.min_size = 4;
  EXPECT_THAT(Propose(proposal).scores.from_double, Near({0.8, 0.7, 0.6, 0.5}));
  EXPECT_TRUE(Propose(proposal).is_undecided);
  proposal.min_size = 20;
  EXPECT_THAT(Propose(proposal).scores.from_double, IsEmpty());
}

TEST(GenerateProposalsTest, EqualScoresThatDoNotOverlapAreDecided) {
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.6;
  proposal.scores = {0.5, 0.5, 0.5, 0.5};
  EXPECT_FALSE(Propose(proposal).is_undecided);
  // Of those that overlap, either may be left; of those at a limit, too.
  proposal.overlap_threshold = 0.4;
  EXPECT_TRUE(Propose(proposal).is_undecided);
  proposal.overlap_threshold = 0.6;
  proposal.max_after = 2;
  EXPECT_TRUE(Propose(proposal).is_undecided);
  proposal.max_after = -1;
  proposal.max_before = 2;
  EXPECT_TRUE(Propose(proposal).is_undecided);
}

TEST(GenerateProposalsTest, ScoresMayBeNegativeButNotNaN) {
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.4;
  proposal.scores = {-0.5, -0.6, -0.8, -0.7};
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({-0.5, -0.7}));
  proposal.scores[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(Propose(proposal).is_undecided);
  proposal.max_before = 2;
  EXPECT_TRUE(Propose(proposal).is_undecided);
}

TEST(GenerateProposalsTest, TakesHalves) {
  Proposal proposal = TwoPlaces();
  proposal.type = kFloat16;
  proposal.overlap_threshold = 0.25;
  proposal.scores = {0.5, 0.625, 0.875, 0.75};
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_float, ElementsAre(0.875, 0.625));
  EXPECT_THAT(result.boxes.from_float, ElementsAre(10, 0, 18, 8, 0, 0, 8, 4));
  EXPECT_GT(result.boxes.enclosure[2].radius, 18 / 2048.0);
  EXPECT_LT(result.boxes.enclosure[2].radius, 18 * 20 / 2048.0);
}

TEST(GenerateProposalsTest, RelaxedComputationMayNotSeparateScores) {
  Proposal proposal = TwoPlaces();
  proposal.overlap_threshold = 0.4;
  proposal.scores = {0.5, 0.6, 0.80005, 0.8};
  EXPECT_FALSE(Propose(proposal).is_undecided);
  proposal.is_relaxed = true;
  EXPECT_TRUE(Propose(proposal).is_undecided);
}

TEST(GenerateProposalsTest, TakesQuantizedOperands) {
  Proposal proposal = TwoPlaces();
  proposal.type = kQuant8;
  proposal.overlap_threshold = 0.4;
  proposal.scores = {50, 60, 80, 70};
  // Anchors may have negative corners: four pixels to the left, cut off at the first place.
  proposal.anchors = {-32, 0, 64, 64, 0, 0, 64, 32};
  proposal.deltas.assign(16, 128);
  proposal.deltas[8] = 138;  // half of the size of anchor 0 at the second place, to the right
  proposal.sizes = {800, 160};
  const Proposed result = Propose(proposal);
  EXPECT_FALSE(result.is_undecided);
  // [6, 18] by 6 is [12, 24], cut off at 20. Beside it, [10, 18] x [0, 4] has 24 of 72 in common:
  // a third.
  EXPECT_THAT(result.scores.from_float, ElementsAre(80, 70, 60));
  EXPECT_THAT(result.boxes.from_float, ElementsAre(96, 0, 160, 64, 80, 0, 144, 32, 0, 0, 64, 32));
}

TEST(GenerateProposalsTest, WhatOtherOrdersGiveIsTheSameSetWhenDecided) {
  // Few different scores make ties, which the order of the anchors breaks.
  std::mt19937 random(5);
  int decided = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const size_t anchors = 3 + random() % 4;
    Proposal proposal;
    proposal.grid = {1, 1, 1, static_cast<uint32_t>(anchors)};
    proposal.sizes = {99, 99};
    proposal.max_before = static_cast<int32_t>(random() % 6);
    proposal.max_after = static_cast<int32_t>(random() % 4);
    std::vector<std::vector<double>> rows;
    for (size_t i = 0; i < anchors; ++i) {
      const double left = 3.0 * (random() % 8);
      const double top = 3.0 * (random() % 4);
      rows.push_back({0.25 * (1 + random() % 3), left, top, left + 10, top + 10});
    }
    const auto propose = [&] {
      proposal.scores.clear();
      proposal.anchors.clear();
      for (const std::vector<double>& row : rows) {
        proposal.scores.push_back(row[0]);
        proposal.anchors.insert(proposal.anchors.end(), row.begin() + 1, row.end());
      }
      return Propose(proposal);
    };
    const auto rows_of = [](const Proposed& proposed) {
      std::vector<std::vector<double>> result;
      for (size_t i = 0; i < proposed.scores.from_double.size(); ++i) {
        result.push_back({proposed.scores.from_double[i]});
        for (size_t k = 0; k < 4; ++k) {
          result.back().push_back(std::round(proposed.boxes.from_double[4 * i + k]));
        }
      }
      std::sort(result.begin(), result.end());
      return result;
    };
    const Proposed proposed = propose();
    if (proposed.is_undecided) continue;
    ++decided;
    for (int i = 0; i < 5; ++i) {
      for (size_t k = rows.size(); k > 1; --k) std::swap(rows[k - 1], rows[random() % k]);
      EXPECT_EQ(rows_of(propose()), rows_of(proposed));
    }
  }
  EXPECT_GT(decided, 40);
  EXPECT_LT(decided, 180);
}

TEST(GenerateProposalsTest, SaysWhichRowsHaveNoOrder) {
  const UnorderedRows& rows = FindOperation(OperationType::GENERATE_PROPOSALS)->unordered_rows;
  EXPECT_THAT(rows.outputs, ElementsAre(0, 1, 2));
  EXPECT_EQ(rows.group, 2);
  EXPECT_EQ(rows.counts, -1);
}

TEST(GenerateProposalsTest, RefusesAnAnchorWhoseCornersAreNotInOrder) {
  Proposal proposal = TwoPlaces();
  proposal.anchors[6] = -1;
  EXPECT_THAT(RunErrorOf(proposal),
              AllOf(HasSubstr("GENERATE_PROPOSALS input 2 'anchors' (operand 2): row 1 is the box"),
                    HasSubstr("expected x1 <= x2 and y1 <= y2")));
}

TEST(GenerateProposalsTest, RefusesEmptyGrids) {
  Proposal proposal = TwoPlaces();
  hal::V1_2::Model model = ModelOf(proposal);
  model.operands[0].dimensions = {1, 0, 2, 2};
  model.operands[1].dimensions = {1, 0, 2, 8};
  const auto graph = PreparedGraph::Create(model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument scores;
  scores.dimensions = {1, 0, 2, 2};
  InputArgument deltas;
  deltas.dimensions = {1, 0, 2, 8};
  const std::vector<float> zeros(8);
  InputArgument anchors;
  anchors.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(zeros.data()), 32);
  InputArgument sizes;
  sizes.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(zeros.data()), 8);
  EXPECT_THAT(
      (*graph)->Execute(NumberSystem::kFloat, {scores, deltas, anchors, sizes}).status().message(),
      HasSubstr("is empty"));
}

TEST(GenerateProposalsTest, generate_proposals_c1_rejects_deltas_that_do_not_fit) {
  for (const std::vector<uint32_t>& wrong :
       std::vector<std::vector<uint32_t>>{{2, 1, 2, 8}, {1, 2, 2, 8}, {1, 1, 1, 8}, {1, 1, 2, 4}}) {
    hal::V1_2::Model model = ModelOf(TwoPlaces());
    model.operands[1].dimensions = wrong;
    EXPECT_TRUE(IsRefused(model, "C1"));
  }
}

TEST(GenerateProposalsTest, generate_proposals_c2_rejects_anchors_not_of_four) {
  hal::V1_2::Model model = ModelOf(TwoPlaces());
  model.operands[2].dimensions = {2, 3};
  EXPECT_TRUE(IsRefused(model, "C2"));
}

TEST(GenerateProposalsTest, generate_proposals_c3_rejects_another_number_of_anchors) {
  hal::V1_2::Model model = ModelOf(TwoPlaces());
  model.operands[2].dimensions = {3, 4};
  EXPECT_TRUE(IsRefused(model, "C3"));
}

TEST(GenerateProposalsTest, generate_proposals_c4_rejects_sizes_that_do_not_fit) {
  for (const std::vector<uint32_t>& wrong : std::vector<std::vector<uint32_t>>{{2, 2}, {1, 3}}) {
    hal::V1_2::Model model = ModelOf(TwoPlaces());
    model.operands[3].dimensions = wrong;
    EXPECT_TRUE(IsRefused(model, "C4"));
  }
}

TEST(GenerateProposalsTest, generate_proposals_c5_rejects_ratios_that_are_not_positive) {
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Proposal proposal = TwoPlaces();
    proposal.height_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(proposal), "C5"));
    proposal = TwoPlaces();
    proposal.width_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(proposal), "C5"));
  }
}

TEST(GenerateProposalsTest, RefusesOtherTypesQuantizationAndVersions) {
  EXPECT_THAT(
      SignatureErrorOf(ModelOf(TwoPlaces()), HalVersion::V1_1),
      HasSubstr("GENERATE_PROPOSALS was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_EQ(SignatureErrorOf(ModelOf(TwoPlaces()), HalVersion::V1_2), "");
  Proposal proposal = TwoPlaces();
  proposal.type = kQuant8;
  EXPECT_EQ(SignatureErrorOf(ModelOf(proposal), HalVersion::V1_2), "");
  hal::V1_2::Model model = ModelOf(proposal);
  model.operands[2].type = kQuant16;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2),
              HasSubstr("GENERATE_PROPOSALS input 2 'anchors'"));
  model = ModelOf(proposal);
  model.operands[3].scale = 0.25f;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2),
              HasSubstr("GENERATE_PROPOSALS input 3 'imageSizes'"));
  model = ModelOf(proposal);
  model.operands[model.outputIndexes[0]].zeroPoint = 1;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2),
              HasSubstr("GENERATE_PROPOSALS output 0 'scores'"));
}

}  // namespace
}  // namespace nncert
