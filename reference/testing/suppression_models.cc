// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/suppression_models.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/model_builder.h"

namespace nncert::suppression {
namespace {

using hal::V1_2::OperationType;
using ::testing::ElementsAre;

constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant16 = OperandType::TENSOR_QUANT16_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

std::vector<std::vector<double>> InputsOf(const Detection& detection) {
  return {detection.scores, detection.boxes, detection.batches};
}

}  // namespace

hal::V1_2::Model ModelOf(const Detection& detection) {
  const bool is_quantized = detection.type == kQuant8;
  const bool is_half = detection.type == kFloat16;
  const auto rows = static_cast<uint32_t>(detection.batches.size());
  OperandSpec scores = {detection.type, {rows, detection.classes}};
  if (is_quantized) {
    scores.scale = detection.score_scale;
    scores.zeroPoint = detection.score_zero_point;
  }
  OperandSpec boxes = {is_quantized ? kQuant16 : detection.type, {rows, 4 * detection.classes}};
  if (is_quantized) boxes.scale = 0.125f;
  const OperandSpec scalar = {is_half ? OperandType::FLOAT16 : OperandType::FLOAT32};
  ModelBuilder builder;
  const uint32_t score_input = builder.Input(scores);
  const uint32_t box_input = builder.Input(boxes);
  const uint32_t batch_input = builder.Input({kInt32, {rows}});
  const std::vector<uint32_t> inputs = {score_input,
                                        box_input,
                                        batch_input,
                                        builder.Constant(scalar, {detection.score_threshold}),
                                        builder.Int32(detection.max_detections),
                                        builder.Int32(detection.kernel),
                                        builder.Constant(scalar, {detection.overlap_threshold}),
                                        builder.Constant(scalar, {detection.sigma}),
                                        builder.Constant(scalar, {detection.drop_threshold})};
  scores.dimensions = {0};
  boxes.dimensions = {0, 4};
  const uint32_t score_output = builder.Output(scores);
  const uint32_t box_output = builder.Output(boxes);
  const uint32_t class_output = builder.Output({kInt32, {0}});
  const uint32_t batch_output = builder.Output({kInt32, {0}});
  builder
      .Operation(OperationType::BOX_WITH_NMS_LIMIT, inputs,
                 {score_output, box_output, class_output, batch_output})
      .Relaxed(detection.is_relaxed);
  return builder.model();
}

Detected Detect(const Detection& detection) {
  const auto results = EvaluateInAllSystems(ModelOf(detection), InputsOf(detection));
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  Detected detected = {(*results)[0], (*results)[1], (*results)[2], (*results)[3],
                       !(*results)[0].undecided.ok()};
  const auto count = static_cast<uint32_t>(detected.scores.from_double.size());
  EXPECT_THAT(detected.scores.dimensions, ElementsAre(count));
  EXPECT_THAT(detected.boxes.dimensions, ElementsAre(count, 4));
  EXPECT_THAT(detected.classes.dimensions, ElementsAre(count));
  EXPECT_THAT(detected.batches.dimensions, ElementsAre(count));
  return detected;
}

std::string ErrorOf(const Detection& detection, HalVersion version) {
  return nncert::ErrorOf(ModelOf(detection), version);
}

std::string RunErrorOf(const Detection& detection) {
  return std::string(
      EvaluateInAllSystems(ModelOf(detection), InputsOf(detection)).status().message());
}

Detection OneClass(const std::vector<double>& scores,
                   const std::vector<std::vector<double>>& boxes) {
  Detection detection;
  for (const double score : scores) {
    detection.scores.insert(detection.scores.end(), {1 - score, score});
  }
  for (const std::vector<double>& box : boxes) {
    for (int i = 0; i < 2; ++i) {
      detection.boxes.insert(detection.boxes.end(), box.begin(), box.end());
    }
  }
  detection.batches.assign(scores.size(), 0);
  return detection;
}

Detection ThreeBoxes() { return OneClass({0.8, 0.9, 0.7}, {kUpperHalf, kSquare, kElsewhere}); }

}  // namespace nncert::suppression
