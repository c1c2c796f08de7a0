// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The depthwise separable network of shapes: what it is made of, for those who train it and for
// those who make a model of it.

#ifndef NNCERT_MLTS_TRAINING_SEPARABLE_NETWORK_H_
#define NNCERT_MLTS_TRAINING_SEPARABLE_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nncert {

/// What a layer computes.
enum class LayerKind {
  CONVOLUTION,      ///< CONV_2D
  DEPTHWISE,        ///< DEPTHWISE_CONV_2D with a depth multiplier of 1
  AVERAGE_POOL,     ///< AVERAGE_POOL_2D over the whole image
  FULLY_CONNECTED,  ///< FULLY_CONNECTED on an image of one pixel
};

/// A layer of a network of square images. Filters are padded as the scheme SAME has it: as much on
/// both sides, and one more at the end where that does not come out even.
struct Layer {
  LayerKind kind = LayerKind::CONVOLUTION;
  /// The height and width of the filter, which is odd, or of the window.
  uint32_t filter = 1;
  /// How many pixels the filter moves at a time, at most as many as it is wide.
  uint32_t stride = 1;
  /// The height and width of its input in pixels, and its channels.
  uint32_t input_side = 1;
  uint32_t input_depth = 1;
  /// The channels of its output.
  uint32_t output_depth = 1;
  /// Whether results are limited to [0, 6].
  bool has_relu6 = false;

  /// The height and width of its output.
  uint32_t output_side() const { return (input_side + stride - 1) / stride; }
  /// How far the first window reaches out of the image.
  uint32_t padding() const {
    const uint32_t covered = (output_side() - 1) * stride + filter;
    return covered > input_side ? (covered - input_side) / 2 : 0;
  }
  /// How many elements its input and its output have, of one image.
  size_t input_size() const { return size_t{input_side} * input_side * input_depth; }
  size_t output_size() const { return size_t{output_side()} * output_side() * output_depth; }
  /// How many weights it has. Those of convolutions are [filter, filter, input_depth,
  /// output_depth], of depthwise ones [filter, filter, output_depth], of fully connected layers
  /// [input_depth, output_depth].
  size_t weight_count() const { return term_count() * output_depth; }
  /// How many weights an element of its output takes: as many as it is a sum of products.
  size_t term_count() const;
  /// How many biases it has: one a channel of the output, but for a pool.
  size_t bias_count() const { return kind == LayerKind::AVERAGE_POOL ? 0 : output_depth; }
  /// How many products it takes of one image, those with padding included.
  uint64_t multiplications() const;
};

/// Layers one after the other, each of which takes what the one before it gives.
class LayerSequence {
 public:
  /// The first one takes images of `side` by `side` pixels with `depth` channels.
  LayerSequence(uint32_t side, uint32_t depth) : side_(side), depth_(depth) {}

  /// Adds a layer with `output_depth` channels; convolutions are limited to [0, 6].
  void Add(LayerKind kind, uint32_t filter, uint32_t stride, uint32_t output_depth);

  /// The height and width, and the channels, of what the last one gives.
  uint32_t side() const { return side_; }
  uint32_t depth() const { return depth_; }
  const std::vector<Layer>& layers() const { return layers_; }

 private:
  uint32_t side_;
  uint32_t depth_;
  std::vector<Layer> layers_;
};

/// The parameters of all layers: of one after the other, weights and then biases.
size_t ParameterCount(const std::vector<Layer>& layers);

/// The network of shape_images.h. Its input is [side, side, depth] real numbers, by
/// ShapeInputValue; its output a logit for each shape.
std::vector<Layer> ShapeLayers();

/// The real number that stands for a byte of an image: in [-1, 1), and exact in half precision.
constexpr float ShapeInputValue(uint8_t byte) { return (static_cast<float>(byte) - 128.F) / 128.F; }

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_SEPARABLE_NETWORK_H_
