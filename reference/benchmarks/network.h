// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the benchmarks compute: small networks, described once and built for every backend.

#ifndef NNCERT_REFERENCE_BENCHMARKS_NETWORK_H_
#define NNCERT_REFERENCE_BENCHMARKS_NETWORK_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "reference/model_builder.h"

namespace nncert::benchmarks {

/// A tensor of 32-bit floats, or of 8-bit integers when it has a scale.
struct Format {
  std::vector<uint32_t> dimensions;
  float scale = 0;
  int32_t zero_point = 0;

  bool is_quantized() const { return scale != 0; }
  /// Elements, and bytes of them.
  uint64_t count() const;
  uint64_t bytes() const;
  /// The same as an operand.
  OperandSpec operand() const;
};

enum class LayerKind {
  kConvolution,           ///< SAME padding, one bias an output channel
  kDepthwiseConvolution,  ///< the same, of multiplier 1
  kFullyConnected,
  kAveragePool,  ///< over the whole image
  kSoftmax,      ///< over the last dimension, beta 1
  kAdd           ///< of the network's second input, broadcast
};

struct Layer {
  LayerKind kind;
  Format output;
  /// Of a convolution: the side of its square filter, and the stride along both axes.
  uint32_t filter_size = 1;
  uint32_t stride = 1;
  /// Whether the output is limited to [0, 6].
  bool has_relu6 = false;
  /// Filter or weights, and bias: numbers, or integers of a quantized network.
  Format weights_format = {};
  std::vector<double> weights = {};
  std::vector<double> bias = {};
};

/// Layers in a row.
struct Network {
  std::vector<Format> inputs;
  std::vector<Layer> layers;

  bool is_quantized() const { return inputs[0].is_quantized(); }
  /// Additions and multiplications of the layers with weights.
  double flops() const;
  /// Bytes that are read and written at least once: inputs, weights, and the last output.
  double bytes() const;
  /// Bytes of all weights, and of the largest output of a layer.
  double weight_bytes() const;
  double largest_activation_bytes() const;
};

/// `count` numbers in [-1, 1), or integers in [0, 256), which depend on nothing but `seed`.
std::vector<double> RandomNumbers(uint64_t count, bool is_quantized, uint32_t seed);

/// CONV_2D 1x56x56x64 to 64 channels, 3x3, or DEPTHWISE_CONV_2D 1x112x112x32, 3x3.
Network Convolution(bool is_quantized);
Network DepthwiseConvolution(bool is_quantized);
/// FULLY_CONNECTED 1024 to 1000, of one batch.
Network FullyConnected(bool is_quantized);
/// ADD of 1x224x224x32 and the same, or a vector of 32.
Network Addition(bool is_quantized, bool is_broadcast);
/// SOFTMAX of 1001 numbers.
Network Softmax(bool is_quantized);
/// MobileNetV1 (Howard et al., "MobileNets", 2017, table 1), with batch normalization folded into
/// the weights, which are random: of 224x224 images at width 1.0, or another `side` with
/// `thirty_seconds` / 32 of the channels.
Network MobileNetV1(bool is_quantized, uint32_t side = 224, uint32_t thirty_seconds = 32);

/// The network as a model of the HAL.
hal::V1_2::Model HalModel(const Network& network);

}  // namespace nncert::benchmarks

#endif  // NNCERT_REFERENCE_BENCHMARKS_NETWORK_H_
