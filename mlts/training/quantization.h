// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Real numbers as the integers of quantized tensors, after training.

#ifndef NNCERT_MLTS_TRAINING_QUANTIZATION_H_
#define NNCERT_MLTS_TRAINING_QUANTIZATION_H_

#include <cstdint>

#include "absl/types/span.h"

namespace nncert {

/// The least and the greatest value of a tensor.
struct TensorRange {
  float lowest = 0;
  float highest = 0;
};

/// The range of values, of which there must be one or more.
TensorRange RangeOf(absl::Span<const float> values);

/// How integers stand for real numbers: (integer - zero_point) * scale.
struct Quantization {
  float scale = 1;
  int32_t zero_point = 0;
};

/// The quantization of TENSOR_QUANT8_ASYMM that covers a range, and zero, which is one of its
/// numbers: 255 steps from end to end.
Quantization AsymmetricQuantization(const TensorRange& range);

/// The scale of TENSOR_QUANT8_SYMM_PER_CHANNEL with which values up to this magnitude fit into
/// [-127, 127].
float SymmetricScale(float magnitude);

/// The integer nearest to a real number, halves away from zero; at the end of [lowest, highest]
/// what lies beyond. `value` must be finite.
int32_t Quantized(float value, const Quantization& quantization, int32_t lowest, int32_t highest);

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_QUANTIZATION_H_
