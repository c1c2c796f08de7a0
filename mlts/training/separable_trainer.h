// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Gradients of separable networks.

#ifndef NNCERT_MLTS_TRAINING_SEPARABLE_TRAINER_H_
#define NNCERT_MLTS_TRAINING_SEPARABLE_TRAINER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mlts/training/separable_network.h"
#include "random/split_mix.h"

namespace nncert {

/// How the results of layers with an activation are kept in its range during training.
enum class Normalization {
  NONE,
  /// Over the images of a batch, each channel is brought to mean 0 and variance 1, multiplied by a
  /// trained scale, and then gets its bias. Ioffe and Szegedy, "Batch normalization", ICML 2015.
  /// What it comes to can be folded into weights and biases afterwards.
  BATCH,
};

/// Runs a network on batches of images, and back. Instantiated for float, and for double, which
/// gradients are checked in.
template <class Number>
class SeparableTrainer {
 public:
  /// For a network whose last layer's outputs are logits.
  SeparableTrainer(std::vector<Layer> layers, Normalization normalization);

  /// How many parameters it has: those of ParameterCount, and then a scale for each channel that is
  /// normalized, layer by layer.
  size_t parameter_count() const { return scale_offsets_.back(); }

  /// Parameters to begin with: weights of a variance that keeps that of the values, biases of 0,
  /// scales of 1.
  std::vector<Number> InitialParameters(SplitMix64& random) const;

  /// Computes the values of all layers on images, [images, side, side, depth], of which there must
  /// be one or more. Gives the logits, [images, classes], which stay until the next call.
  const std::vector<Number>& Run(const std::vector<Number>& parameters,
                                 const std::vector<Number>& images);

  /// What layer number `layer` made in the last Run: [images, side, side, depth].
  const std::vector<Number>& output(size_t layer) const { return values_[layer + 1]; }

  /// Runs the network, gives the loss (softmax_loss.h) on these images, whose labels are `labels`,
  /// and puts its derivative with respect to each parameter into `gradient`, of their size.
  Number Gradient(const std::vector<Number>& parameters, const std::vector<Number>& images,
                  const std::vector<uint32_t>& labels, std::vector<Number>& gradient);

  /// The parameters, as many as ParameterCount says, with which the network does without
  /// normalization what it did with these in the last Run, and on other images about that.
  std::vector<Number> Folded(const std::vector<Number>& parameters) const;

 private:
  // What the normalization of a layer found in the last Run, by channel.
  struct Statistics {
    std::vector<Number> mean;
    std::vector<Number> inverse_deviation;
    std::vector<Number> normalized;  // all values, before the scale
  };

  void Normalize(size_t layer, const std::vector<Number>& parameters);
  void NormalizeBack(size_t layer, const std::vector<Number>& parameters,
                     std::vector<Number>& derivatives, std::vector<Number>& gradient) const;
  bool is_normalized(size_t layer) const {
    return scale_offsets_[layer] != scale_offsets_[layer + 1];
  }

  std::vector<Layer> layers_;
  std::vector<size_t> offsets_;              // of each layer's weights and biases
  std::vector<size_t> scale_offsets_;        // of each layer's scales, and where the last end
  std::vector<std::vector<Number>> values_;  // the images, and what each layer makes
  std::vector<Statistics> statistics_;
  std::vector<Number> patches_;  // what the filters of a convolution see, row by row
};

extern template class SeparableTrainer<float>;
extern template class SeparableTrainer<double>;

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_SEPARABLE_TRAINER_H_
