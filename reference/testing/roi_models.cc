// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/roi_models.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::AllOf;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// How messages begin that are about the boxes.
std::string BoxesOf(const RegionModel& region) {
  return hal::toString(region.operation) + std::string(" input 1 'boxes'");
}

}  // namespace

hal::V1_2::Model ModelOf(const RegionModel& region) {
  const OperandType type = region.features.type;
  const bool is_quantized = type == OperandType::TENSOR_QUANT8_ASYMM;
  const OperandSpec scalar = {type == OperandType::TENSOR_FLOAT16 ? OperandType::FLOAT16
                                                                  : OperandType::FLOAT32};
  const auto rows = static_cast<uint32_t>(region.boxes.size());
  const auto columns = static_cast<uint32_t>(rows == 0 ? 4 : region.boxes[0].size());
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {
      builder.Input(region.features),
      builder.Input({is_quantized ? OperandType::TENSOR_QUANT16_ASYMM : type,
                     {rows, columns},
                     is_quantized ? 0.125f : 0.0f}),
      builder.Input({OperandType::TENSOR_INT32, {static_cast<uint32_t>(region.batches.size())}}),
      builder.Int32(region.height),
      builder.Int32(region.width),
      builder.Constant(scalar, {region.height_ratio}),
      builder.Constant(scalar, {region.width_ratio})};
  if (region.operation == OperationType::ROI_ALIGN) {
    inputs.push_back(builder.Int32(region.height_samples));
    inputs.push_back(builder.Int32(region.width_samples));
  }
  inputs.push_back(builder.Bool(region.is_nchw));
  const uint32_t output =
      builder.Output({type, region.output, region.output_scale, region.output_zero_point});
  builder.Operation(region.operation, inputs, {output}).Relaxed(region.is_relaxed);
  return builder.model();
}

std::vector<std::vector<double>> InputsOf(const RegionModel& region) {
  std::vector<double> boxes;
  for (const std::vector<double>& box : region.boxes) {
    boxes.insert(boxes.end(), box.begin(), box.end());
  }
  return {region.values, boxes, region.batches};
}

Evaluated Evaluate(const RegionModel& region) {
  return EvaluateDecided(ModelOf(region), InputsOf(region));
}

std::vector<double> OutputOf(const RegionModel& region) { return Evaluate(region).from_double; }

std::string RunErrorOf(const RegionModel& region) {
  return std::string(EvaluateInAllSystems(ModelOf(region), InputsOf(region)).status().message());
}

void ExpectCornersInOrder(RegionModel valid) {
  for (const std::vector<double>& wrong :
       std::vector<std::vector<double>>{{2, 0, 1, 1}, {0, 2, 1, 1}, {0, kNaN, 1, 1}}) {
    valid.boxes[0] = wrong;
    EXPECT_THAT(RunErrorOf(valid),
                AllOf(HasSubstr(BoxesOf(valid) + " (operand 1): row 0 is the box"),
                      HasSubstr("expected x1 <= x2 and y1 <= y2")));
  }
}

void ExpectBoxesWithinTheImage(RegionModel valid) {
  for (const std::vector<double>& wrong : std::vector<std::vector<double>>{
           {-1, 0, 1, 1}, {0, -1, 1, 1}, {0, 0, 4.5, 1}, {0, 0, 1, 5}}) {
    valid.boxes[0] = wrong;
    EXPECT_THAT(RunErrorOf(valid), AllOf(HasSubstr(BoxesOf(valid) + " (operand 1): row 0"),
                                         HasSubstr("inside of the image, [0, 0, 4, 4]")));
  }
  // However large the image is said to be.
  valid.width_ratio = kInfinity;
  valid.boxes[0] = {0, 0, kInfinity, 1};
  EXPECT_THAT(RunErrorOf(valid), HasSubstr("expected one inside of the image"));
}

void ExpectBoxesOfFour(RegionModel valid) {
  valid.boxes[0].push_back(1);
  EXPECT_TRUE(IsRefused(ModelOf(valid), "C1"));
}

void ExpectABatchForEachBox(RegionModel valid) {
  valid.batches.push_back(0);
  EXPECT_TRUE(IsRefused(ModelOf(valid), "C2"));
}

void ExpectBatchesInRange(RegionModel valid) {
  for (const double batch : {-1.0, 1.0}) {
    valid.batches[0] = batch;
    EXPECT_TRUE(IsRefused(ModelOf(valid), "C3", InputsOf(valid)));
  }
}

void ExpectBatchesTogether(RegionModel valid) {
  valid.features.dimensions[0] = 2;
  valid.values.resize(32);
  valid.boxes.assign(3, valid.boxes[0]);
  valid.batches = {0, 1, 0};
  EXPECT_TRUE(IsRefused(ModelOf(valid), "C4", InputsOf(valid)));
}

void ExpectOutputOfSomeSize(const RegionModel& valid) {
  for (const int32_t wrong : {0, -2}) {
    RegionModel region = valid;
    region.height = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C5"));
    region = valid;
    region.width = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C5"));
  }
}

void ExpectPositiveRatios(const RegionModel& valid) {
  for (const double wrong : {0.0, -2.0, kNaN}) {
    RegionModel region = valid;
    region.height_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C6"));
    region = valid;
    region.width_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C6"));
  }
}

void ExpectTypesQuantizationAndVersion(RegionModel valid) {
  hal::V1_2::Model model = ModelOf(valid);
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_1),
              HasSubstr("was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_EQ(SignatureErrorOf(model, HalVersion::V1_2), "");
  model.operands[1].type = OperandType::TENSOR_FLOAT16;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2), HasSubstr(BoxesOf(valid)));
  valid.features = {OperandType::TENSOR_QUANT8_ASYMM, {1, 4, 4, 1}, 0.5f, 10};
  valid.output_scale = 0.5f;
  valid.output_zero_point = 10;
  model = ModelOf(valid);
  EXPECT_EQ(SignatureErrorOf(model, HalVersion::V1_2), "");
  model.operands[1].scale = 0.25f;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2),
              HasSubstr("expected scale 0.125 and zeroPoint 0"));
}

}  // namespace nncert
