// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models of BOX_WITH_NMS_LIMIT for tests.

#ifndef NNCERT_REFERENCE_TESTING_SUPPRESSION_MODELS_H_
#define NNCERT_REFERENCE_TESTING_SUPPRESSION_MODELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/testing/evaluate.h"

namespace nncert::suppression {

/// How the scores of boxes that overlap a selected one are lowered, by the HAL's numbers.
enum SuppressionKernel : int32_t { kHard, kLinear, kGaussian };

/// One BOX_WITH_NMS_LIMIT, its inputs in numbers (integers for quantized types).
struct Detection {
  std::vector<double> scores = {};   ///< [rows, classes]
  std::vector<double> boxes = {};    ///< [rows, 4 * classes]
  std::vector<double> batches = {};  ///< [rows]
  double score_threshold = 0.3;
  int32_t max_detections = -1;
  int32_t kernel = kHard;
  double overlap_threshold = 0.4;
  double sigma = 0.5;
  double drop_threshold = 0.3;
  uint32_t classes = 2;
  hal::V1_2::OperandType type = hal::V1_2::OperandType::TENSOR_FLOAT32;
  bool is_relaxed = false;
  float score_scale = 0.01f;
  int32_t score_zero_point = 10;
};

/// The model, whose inputs are scores, boxes and batches.
hal::V1_2::Model ModelOf(const Detection& detection);

/// Its four outputs.
struct Detected {
  Evaluated scores;
  Evaluated boxes;
  Evaluated classes;
  Evaluated batches;
  bool is_undecided = false;
};

/// Runs the model, which must succeed with as many boxes as scores, classes and batches.
Detected Detect(const Detection& detection);

/// The message of the error with which the model is refused; empty when it is accepted.
std::string ErrorOf(const Detection& detection, HalVersion version = HalVersion::V1_2);

/// The message of the error that preparing or executing it ends with; empty when there is none.
std::string RunErrorOf(const Detection& detection);

/// Boxes: the overlap of the first two is 50 / 100 = 0.5; the third is elsewhere.
inline const std::vector<double> kSquare = {0, 0, 10, 10};
inline const std::vector<double> kUpperHalf = {0, 0, 10, 5};
inline const std::vector<double> kElsewhere = {20, 20, 30, 30};

/// Rows of two classes in one image, the background's boxes like those of class 1, which has these
/// scores.
Detection OneClass(const std::vector<double>& scores,
                   const std::vector<std::vector<double>>& boxes);

/// The upper half, the square and the box elsewhere, of the scores 0.8, 0.9 and 0.7.
Detection ThreeBoxes();

}  // namespace nncert::suppression

#endif  // NNCERT_REFERENCE_TESTING_SUPPRESSION_MODELS_H_
