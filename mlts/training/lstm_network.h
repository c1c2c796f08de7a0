// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The recurrent network of tones: what it is made of, for those who train it and for those who make
// a model of it.

#ifndef NNCERT_MLTS_TRAINING_LSTM_NETWORK_H_
#define NNCERT_MLTS_TRAINING_LSTM_NETWORK_H_

#include <cstddef>

#include "mlts/training/tone_frames.h"

namespace nncert {

/// An LSTM cell without peepholes, projection or clips, whose activation is tanh, and a fully
/// connected layer that makes logits of its output.
///
/// Gates stand in the order of the HAL: input, forget, cell, output. Parameters are, one after the
/// other: the weights of the input, [inputs, 4, units], those of the output state, [units, 4,
/// units], the biases of the gates, [4, units], the weights of the classifier, [units, classes],
/// and its biases, [classes].
struct LstmNetwork {
  size_t inputs = 0;
  size_t units = 0;
  size_t classes = 0;

  /// How many gates there are.
  static constexpr size_t kGates = 4;

  /// Where each group of parameters begins, and where the last ends.
  size_t recurrent_weights() const { return inputs * kGates * units; }
  size_t gate_biases() const { return recurrent_weights() + units * kGates * units; }
  size_t classifier_weights() const { return gate_biases() + kGates * units; }
  size_t classifier_biases() const { return classifier_weights() + units * classes; }
  size_t parameter_count() const { return classifier_biases() + classes; }
};

/// The network of tone_frames.h.
inline constexpr LstmNetwork kToneNetwork = {
    .inputs = kToneBands, .units = 32, .classes = kToneCount};

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_LSTM_NETWORK_H_
