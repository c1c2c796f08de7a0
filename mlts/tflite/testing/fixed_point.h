// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Quantized operations by the fixed-point arithmetic of TensorFlow Lite, for comparison: a product
// with a multiplier of 31 bits is rounded, and its quotient by a power of two once more.

#ifndef NNCERT_MLTS_TFLITE_TESTING_FIXED_POINT_H_
#define NNCERT_MLTS_TFLITE_TESTING_FIXED_POINT_H_

#include <cstdint>
#include <map>
#include <vector>

#include "mlts/network.h"

namespace nncert {

/// The elements of a network's operands by their number, as integers.
using IntegersByOperand = std::map<uint32_t, std::vector<int32_t>>;

/// Executes the operation at `index` of a network on what `values` has of its inputs, and adds its
/// output: CONV_2D, DEPTHWISE_CONV_2D and AVERAGE_POOL_2D of one image of bytes with padding SAME
/// or VALID and no dilation, ADD of tensors of the same dimensions, RESHAPE. Constants must be
/// among the values. Whether it can do that.
bool ExecuteInFixedPoint(const Network& network, size_t index, IntegersByOperand& values);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_TESTING_FIXED_POINT_H_
