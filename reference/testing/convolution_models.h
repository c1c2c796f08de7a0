// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models of one convolution, for the tests of CONV_2D, DEPTHWISE_CONV_2D, GROUPED_CONV_2D and
// TRANSPOSE_CONV_2D.

#ifndef NNCERT_REFERENCE_TESTING_CONVOLUTION_MODELS_H_
#define NNCERT_REFERENCE_TESTING_CONVOLUTION_MODELS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {

/// One convolution, its operands in numbers (integers for quantized types).
struct ConvolutionModel {
  hal::V1_2::OperationType operation;
  OperandSpec input;
  OperandSpec filter;
  std::vector<double> weights;
  OperandSpec bias;
  std::vector<double> biases;
  /// Of TRANSPOSE_CONV_2D alone: the output shape, where there is one.
  std::vector<int32_t> shape = {};
  /// The other INT32 inputs but dilations, in their order: {left, right, top, bottom, stride width,
  /// stride height, ..., activation} or {scheme, stride width, stride height, ..., activation}.
  /// DEPTHWISE_CONV_2D has the multiplier, GROUPED_CONV_2D the number of groups before the
  /// activation.
  std::vector<int32_t> scalars;
  /// Whether the layout is NCHW; nothing where the operand is left out.
  std::optional<bool> is_nchw = std::nullopt;
  std::vector<int32_t> dilations = {};
  OperandSpec output;
  /// Whether filter and bias are constants, or else inputs of the model.
  bool has_constant_weights = true;
  /// Whether the output shape is a constant.
  bool has_constant_shape = true;
  bool is_relaxed = false;
};

/// The model. Its inputs are the image, then filter and bias, then the shape, as far as they are no
/// constants.
hal::V1_2::Model ModelOf(const ConvolutionModel& convolution);

/// The values of these inputs, of the image `input`.
std::vector<std::vector<double>> InputsOf(const ConvolutionModel& convolution,
                                          const std::vector<double>& input);

/// EvaluateDecided for such a model.
Evaluated Evaluate(const ConvolutionModel& convolution, const std::vector<double>& input);

/// The elements of its output in double; the other number systems are held against them.
std::vector<double> OutputOf(const ConvolutionModel& convolution, const std::vector<double>& input);

/// The message of the error with which the model is refused; empty when it is accepted.
std::string ErrorOf(const ConvolutionModel& convolution, HalVersion version = HalVersion::V1_2);

/// CONV_2D in TENSOR_FLOAT32: a 2 x 2 filter of 1 2 3 4 over 3 x 3 pixels of one channel, without
/// padding.
ConvolutionModel TwoByTwoConv2d();

/// CONV_2D of one quantized pixel of two channels, with three filters.
ConvolutionModel QuantizedConv2d();

/// CONV_2D of one quantized pixel with three filters of 1 2 that have a scale each, and biases
/// of 4.
ConvolutionModel PerChannelConv2d();

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TESTING_CONVOLUTION_MODELS_H_
