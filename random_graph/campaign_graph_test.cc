// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign_graph.h"

#include <gtest/gtest.h>

#include <string>

#include "generators/graphs/random_elements.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

// The logarithm of the exponential of a number: itself, unless the exponential is too large.
CampaignGraph LogarithmOfExponential(OperandType type, double number, bool is_relaxed = false) {
  ModelBuilder builder;
  builder.Relaxed(is_relaxed);
  const OperandSpec spec = {type, {1}};
  const uint32_t input = builder.Input(spec);
  const uint32_t exponential = builder.Temporary(spec);
  builder.Operation(OperationType::EXP, {input}, {exponential});
  builder.Operation(OperationType::LOG, {exponential}, {builder.Output(spec)});
  CampaignGraph graph;
  graph.test_case.model = builder.model();
  graph.test_case.examples = {{.inputs = {{false, {1}, BytesOf(type, {number})}}, .outputs = {}}};
  return graph;
}

TEST(CampaignGraphTest, AValueInBetweenThatIsTooLargeMakesAGraphHostile) {
  CampaignGraph graph = LogarithmOfExponential(OperandType::TENSOR_FLOAT32, 100);
  EXPECT_TRUE(NoticeExtremes(graph));
  EXPECT_TRUE(graph.is_hostile());
  EXPECT_EQ(graph.hostile_class, "overflow");
}

TEST(CampaignGraphTest, SoDoesOneWhoseSquareIsTooSmall) {
  CampaignGraph graph = LogarithmOfExponential(OperandType::TENSOR_FLOAT32, -45);
  EXPECT_TRUE(NoticeExtremes(graph));
  EXPECT_EQ(graph.hostile_class, "underflow");
  CampaignGraph larger = LogarithmOfExponential(OperandType::TENSOR_FLOAT32, -40);
  EXPECT_FALSE(NoticeExtremes(larger));
}

// The sign of the difference of 1 + `addend` and 1, as a vector of one number is normalized.
CampaignGraph NormalizedDifference(double addend) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1, 1, 1, 1}};
  const uint32_t none = builder.Int32(0);
  const uint32_t one = builder.Constant(spec, {1});
  const uint32_t sum = builder.Temporary(spec);
  const uint32_t difference = builder.Temporary(spec);
  builder.Operation(OperationType::ADD, {builder.Input(spec), one, none}, {sum});
  builder.Operation(OperationType::SUB, {sum, one, none}, {difference});
  builder.Operation(OperationType::L2_NORMALIZATION, {difference}, {builder.Output(spec)});
  CampaignGraph graph;
  graph.test_case.model = builder.model();
  graph.test_case.examples = {
      {.inputs = {{false, spec.dimensions, BytesOf(spec.type, {addend})}}, .outputs = {}}};
  return graph;
}

TEST(CampaignGraphTest, SoDoesOneThatCancelsOutInSinglePrecisionAndIsDividedBy) {
  CampaignGraph graph = NormalizedDifference(1e-9);
  EXPECT_TRUE(NoticeExtremes(graph));
  EXPECT_EQ(graph.hostile_class, "undefined");
  CampaignGraph larger = NormalizedDifference(1e-6);
  EXPECT_FALSE(NoticeExtremes(larger));
}

TEST(CampaignGraphTest, ALargeOneDoesNot) {
  CampaignGraph graph = LogarithmOfExponential(OperandType::TENSOR_FLOAT32, 80);
  EXPECT_FALSE(NoticeExtremes(graph));
  EXPECT_FALSE(graph.is_hostile());
}

TEST(CampaignGraphTest, HalvesAndWhatMayBeHalvesHoldLess) {
  CampaignGraph halves = LogarithmOfExponential(OperandType::TENSOR_FLOAT16, 9);
  EXPECT_TRUE(NoticeExtremes(halves));
  CampaignGraph relaxed =
      LogarithmOfExponential(OperandType::TENSOR_FLOAT32, 9, /*is_relaxed=*/true);
  EXPECT_TRUE(NoticeExtremes(relaxed));
  CampaignGraph floats = LogarithmOfExponential(OperandType::TENSOR_FLOAT32, 9);
  EXPECT_FALSE(NoticeExtremes(floats));
}

TEST(CampaignGraphTest, WhatIsHostileByItsElementsStaysSo) {
  GraphPlan plan(/*seed=*/1, hal::HalVersion::V1_2);
  uint64_t number = 0;
  while (!IsHostile(plan.WishesOf(number).elements)) ++number;
  CampaignGraph graph = MakeGraph(plan, number);
  const std::string hostile_class = graph.hostile_class;
  EXPECT_EQ(hostile_class, toString(plan.WishesOf(number).elements));
  EXPECT_FALSE(NoticeExtremes(graph));
  EXPECT_EQ(graph.hostile_class, hostile_class);
}

}  // namespace
}  // namespace nncert
