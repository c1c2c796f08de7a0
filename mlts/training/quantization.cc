// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/quantization.h"

#include <algorithm>
#include <cmath>

namespace nncert {

TensorRange RangeOf(absl::Span<const float> values) {
  const auto ends = std::minmax_element(values.begin(), values.end());
  return {*ends.first, *ends.second};
}

Quantization AsymmetricQuantization(const TensorRange& range) {
  const float lowest = std::min(range.lowest, 0.F);
  const float highest = std::max(range.highest, 0.F);
  // All values are zero: any scale will do.
  if (lowest == highest) return {};
  Quantization quantization = {.scale = (highest - lowest) / 255.F, .zero_point = 0};
  quantization.zero_point = Quantized(-lowest, quantization, 0, 255);
  return quantization;
}

float SymmetricScale(float magnitude) { return magnitude > 0 ? magnitude / 127.F : 1.F; }

int32_t Quantized(float value, const Quantization& quantization, int32_t lowest, int32_t highest) {
  const double steps =
      std::round(double{value} / double{quantization.scale}) + quantization.zero_point;
  return static_cast<int32_t>(
      std::clamp(steps, static_cast<double>(lowest), static_cast<double>(highest)));
}

}  // namespace nncert
