// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/adam.h"

#include <cmath>

namespace nncert {

void Adam::Step(const std::vector<float>& gradient, float rate, std::vector<float>& parameters) {
  constexpr float kMeanDecay = 0.9F;
  constexpr float kSquareDecay = 0.99F;
  constexpr float kLeast = 1e-8F;
  mean_decay_ *= kMeanDecay;
  square_decay_ *= kSquareDecay;
  const auto mean_scale = static_cast<float>(1 / (1 - mean_decay_));
  const auto square_scale = static_cast<float>(1 / (1 - square_decay_));
  for (size_t i = 0; i < parameters.size(); ++i) {
    mean_[i] = kMeanDecay * mean_[i] + (1 - kMeanDecay) * gradient[i];
    square_[i] = kSquareDecay * square_[i] + (1 - kSquareDecay) * gradient[i] * gradient[i];
    parameters[i] -= rate * mean_[i] * mean_scale / (std::sqrt(square_[i] * square_scale) + kLeast);
  }
}

}  // namespace nncert
