// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/paired_counter.h"

#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

using hal::testing::StatusIs;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const TensorFormat kFloats = {OperandType::TENSOR_FLOAT32};
const TensorFormat kSteps = {OperandType::TENSOR_QUANT8_ASYMM, {}, 0.5F, 10};

SequenceOutputs Floats(const std::vector<float>& values) {
  TensorBytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return {{bytes}};
}

Sequence Labelled(std::optional<uint32_t> label) {
  Sequence sequence;
  sequence.name = "image-7";
  sequence.inputs = {{{0}}};
  sequence.label = label;
  return sequence;
}

TEST(PairedCounterTest, OfNothingThereIsNoDifference) {
  const PairedComparison result = PairedCounter("xnnpack", {kFloats}, Evaluator::TOP_K).Result();
  EXPECT_EQ(result.baseline, "xnnpack");
  EXPECT_EQ(result.sequences, 0);
  EXPECT_EQ(result.mcnemar_p, 1);
  EXPECT_FALSE(result.top_1_difference.has_value());
  EXPECT_FALSE(result.maximum_steps.has_value());
}

TEST(PairedCounterTest, SamplesAreCountedByWhoIsRight) {
  PairedCounter counter("xnnpack", {kFloats}, Evaluator::TOP_K);
  const SequenceOutputs zero = Floats({1, 0, 0});
  const SequenceOutputs one = Floats({0, 1, 0});
  const SequenceOutputs two = Floats({0, 0, 1});
  const auto add = [&counter](const SequenceOutputs& driver, const SequenceOutputs& baseline,
                              int times) {
    for (int i = 0; i < times; ++i) {
      ASSERT_TRUE(counter.Add(Labelled(0), driver, baseline).ok());
    }
  };
  add(zero, zero, 36);
  add(zero, one, 12);
  add(two, zero, 2);
  // Both wrong, in different ways.
  add(one, two, 1);
  const PairedComparison result = counter.Result();
  EXPECT_EQ(result.sequences, 51);
  EXPECT_EQ(result.changed, 15);
  EXPECT_EQ(result.driver_alone_right, 12);
  EXPECT_EQ(result.baseline_alone_right, 2);
  // 2 * (1 + 14 + 91) / 2^14.
  EXPECT_NEAR(result.mcnemar_p, 212.0 / 16384, 1e-12);
  ASSERT_TRUE(result.top_1_difference.has_value());
  EXPECT_DOUBLE_EQ(result.top_1_difference->value, 10.0 / 51);
  EXPECT_GT(result.top_1_difference->low, 0);
  EXPECT_EQ(result.maximum_absolute_difference, 1);
}

TEST(PairedCounterTest, NanIsNoClass) {
  PairedCounter counter("xnnpack", {kFloats}, Evaluator::TOP_K);
  ASSERT_TRUE(counter.Add(Labelled(0), Floats({kNan, kNan}), Floats({1, 0})).ok());
  const PairedComparison result = counter.Result();
  EXPECT_EQ(result.changed, 1);
  EXPECT_EQ(result.baseline_alone_right, 1);
  EXPECT_EQ(result.maximum_absolute_difference, std::numeric_limits<double>::infinity());
}

TEST(PairedCounterTest, ClassesAreComparedWithoutLabelsToo) {
  PairedCounter classes("xnnpack", {kFloats}, Evaluator::TOP_K);
  ASSERT_TRUE(classes.Add(Labelled({}), Floats({0, 1}), Floats({1, 0})).ok());
  EXPECT_EQ(classes.Result().changed, 1);
  EXPECT_FALSE(classes.Result().top_1_difference.has_value());
}

TEST(PairedCounterTest, SpeechHasNoClasses) {
  PairedCounter speech("xnnpack", {kFloats}, Evaluator::MEL_CEP_LOG_F0);
  ASSERT_TRUE(speech.Add(Labelled({}), Floats({0, 1}), Floats({1, 0})).ok());
  EXPECT_EQ(speech.Result().changed, 0);
  EXPECT_EQ(speech.Result().maximum_absolute_difference, 1);
}

TEST(PairedCounterTest, StepsAreThoseOfQuantizedOutputs) {
  PairedCounter counter("xnnpack", {kFloats, kSteps}, Evaluator::NONE);
  SequenceOutputs driver = Floats({4});
  SequenceOutputs baseline = Floats({1});
  driver[0].push_back({10, 14});
  baseline[0].push_back({11, 10});
  ASSERT_TRUE(counter.Add(Labelled({}), driver, baseline).ok());
  EXPECT_EQ(counter.Result().maximum_steps, 4);
  EXPECT_EQ(counter.Result().maximum_absolute_difference, 3);
}

TEST(PairedCounterTest, WhatDoesNotFitIsRefusedAndNotCounted) {
  PairedCounter counter("xnnpack", {kFloats}, Evaluator::TOP_K);
  EXPECT_THAT(counter.Add(Labelled(0), Floats({1, 2}), Floats({1})),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "image-7: the outputs of the driver, output 0 of inference 0, has 2 "
                       "elements; of the outputs of xnnpack it has 1"));
  EXPECT_THAT(counter.Add(Labelled(0), Floats({1}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "image-7: the outputs of xnnpack are of 0 inferences, not 1"));
  EXPECT_EQ(counter.Result().sequences, 0);
}

}  // namespace
}  // namespace nncert
