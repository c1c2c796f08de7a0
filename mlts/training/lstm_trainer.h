// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A recurrent network of one LSTM cell and a classifier on what the cell puts out: its gradients.

#ifndef NNCERT_MLTS_TRAINING_LSTM_TRAINER_H_
#define NNCERT_MLTS_TRAINING_LSTM_TRAINER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mlts/training/lstm_network.h"
#include "random/split_mix.h"

namespace nncert {

/// Runs a network on batches of sequences of the same length, and back through time. States begin
/// at 0. Instantiated for float, and for double, which gradients are checked in.
template <class Number>
class LstmTrainer {
 public:
  explicit LstmTrainer(const LstmNetwork& network) : network_(network) {}

  /// Parameters to begin with: small weights, and forget gates that are open.
  std::vector<Number> InitialParameters(SplitMix64& random) const;

  /// Runs the network on sequences, [steps, sequences, inputs], of which there must be one or more.
  /// Gives the logits after the last step, [sequences, classes], which stay until the next call.
  /// `parameters` must be as many as LstmNetwork::parameter_count.
  const std::vector<Number>& Run(const std::vector<Number>& parameters,
                                 const std::vector<Number>& frames, size_t sequences);

  /// Runs the network, gives the loss (softmax_loss.h) on these sequences, whose labels are
  /// `labels`, and puts its derivative with respect to each parameter into `gradient`, of their
  /// size.
  Number Gradient(const std::vector<Number>& parameters, const std::vector<Number>& frames,
                  const std::vector<uint32_t>& labels, std::vector<Number>& gradient);

 private:
  LstmNetwork network_;
  // Of the last Run, for each step: the activated gates, [sequences, 4 * units], the cell state
  // and the output, [sequences, units]; these two begin with those before the first step.
  std::vector<std::vector<Number>> gates_;
  std::vector<std::vector<Number>> cell_states_;
  std::vector<std::vector<Number>> outputs_;
  std::vector<Number> logits_;
};

extern template class LstmTrainer<float>;
extern template class LstmTrainer<double>;

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_LSTM_TRAINER_H_
