// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The method by which parameters follow the gradient.

#ifndef NNCERT_MLTS_TRAINING_ADAM_H_
#define NNCERT_MLTS_TRAINING_ADAM_H_

#include <cstddef>
#include <vector>

namespace nncert {

/// Takes steps against gradients, each parameter's scaled by how large its own were of late. Kingma
/// and Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1.
class Adam {
 public:
  /// For so many parameters.
  explicit Adam(size_t parameters) : mean_(parameters), square_(parameters) {}

  /// Moves parameters by about `rate` each; `gradient` has as many elements.
  void Step(const std::vector<float>& gradient, float rate, std::vector<float>& parameters);

 private:
  std::vector<float> mean_;
  std::vector<float> square_;
  // The decays, to the power of the steps taken.
  double mean_decay_ = 1;
  double square_decay_ = 1;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_ADAM_H_
