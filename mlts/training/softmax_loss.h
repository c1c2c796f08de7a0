// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What training minimizes: how surprising labels are to a classifier.

#ifndef NNCERT_MLTS_TRAINING_SOFTMAX_LOSS_H_
#define NNCERT_MLTS_TRAINING_SOFTMAX_LOSS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nncert {

/// The mean of -log(probability of the label) over samples, whose probabilities are the softmax of
/// `logits`, [labels.size(), classes]. Its derivative with respect to each logit goes to
/// `derivatives`, of the same size.
template <class Number>
Number SoftmaxLoss(const std::vector<Number>& logits, const std::vector<uint32_t>& labels,
                   std::vector<Number>& derivatives) {
  const size_t classes = logits.size() / labels.size();
  const auto samples = static_cast<Number>(labels.size());
  Number loss = 0;
  for (size_t sample = 0; sample < labels.size(); ++sample) {
    const Number* const in = logits.data() + sample * classes;
    Number* const out = derivatives.data() + sample * classes;
    const Number greatest = *std::max_element(in, in + classes);
    Number sum = 0;
    for (size_t i = 0; i < classes; ++i) {
      out[i] = std::exp(in[i] - greatest);
      sum += out[i];
    }
    const uint32_t label = labels[sample];
    loss += std::log(sum) - (in[label] - greatest);
    for (size_t i = 0; i < classes; ++i) out[i] /= sum * samples;
    out[label] -= 1 / samples;
  }
  return loss / samples;
}

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_SOFTMAX_LOSS_H_
