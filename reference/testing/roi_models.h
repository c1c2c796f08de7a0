// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of ROI_ALIGN and ROI_POOLING have in common: models, and what both refuse.

#ifndef NNCERT_REFERENCE_TESTING_ROI_MODELS_H_
#define NNCERT_REFERENCE_TESTING_ROI_MODELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {

/// One operation on regions of feature maps, its inputs in numbers (integers for quantized types).
struct RegionModel {
  /// ROI_ALIGN or ROI_POOLING.
  hal::V1_2::OperationType operation;
  OperandSpec features = {hal::V1_2::OperandType::TENSOR_FLOAT32, {1, 4, 4, 1}};
  std::vector<double> values = {};
  std::vector<std::vector<double>> boxes = {};
  std::vector<double> batches = {};
  int32_t height = 1;
  int32_t width = 1;
  double height_ratio = 1;
  double width_ratio = 1;
  /// Of ROI_ALIGN alone.
  int32_t height_samples = 1;
  int32_t width_samples = 1;
  bool is_nchw = false;
  std::vector<uint32_t> output = {0, 0, 0, 0};
  float output_scale = 0;
  int32_t output_zero_point = 0;
  bool is_relaxed = false;
};

/// The model, whose inputs are features, boxes and batches.
hal::V1_2::Model ModelOf(const RegionModel& region);

/// The values of these inputs.
std::vector<std::vector<double>> InputsOf(const RegionModel& region);

/// EvaluateDecided for such a model.
Evaluated Evaluate(const RegionModel& region);

/// The elements of its output, from double.
std::vector<double> OutputOf(const RegionModel& region);

/// The message of the error that preparing or executing it ends with; empty when there is none.
std::string RunErrorOf(const RegionModel& region);

// What both operations refuse, each shown on a valid region: one box within one image of 4 x 4 with
// one channel, in TENSOR_FLOAT32.

/// Boxes whose first corner is not the lesser one.
void ExpectCornersInOrder(RegionModel valid);
/// Boxes that are not within the image.
void ExpectBoxesWithinTheImage(RegionModel valid);
/// C1: boxes of other than four numbers.
void ExpectBoxesOfFour(RegionModel valid);
/// C2: another number of batch indexes than of boxes.
void ExpectABatchForEachBox(RegionModel valid);
/// C3: batch indexes that are not of an image.
void ExpectBatchesInRange(RegionModel valid);
/// C4: boxes of one image that do not stand together.
void ExpectBatchesTogether(RegionModel valid);
/// C5: an output without height or width.
void ExpectOutputOfSomeSize(const RegionModel& valid);
/// C6: ratios that are not above 0.
void ExpectPositiveRatios(const RegionModel& valid);
/// Types and quantization that do not fit together, and HAL versions before 1.2.
void ExpectTypesQuantizationAndVersion(RegionModel valid);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TESTING_ROI_MODELS_H_
