// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/separable_network.h"

#include "mlts/training/shape_images.h"

namespace nncert {

size_t Layer::term_count() const {
  switch (kind) {
    case LayerKind::CONVOLUTION:
      return size_t{filter} * filter * input_depth;
    case LayerKind::DEPTHWISE:
      return size_t{filter} * filter;
    case LayerKind::AVERAGE_POOL:
      return 0;
    case LayerKind::FULLY_CONNECTED:
      return input_depth;
  }
  return 0;
}

uint64_t Layer::multiplications() const {
  return uint64_t{output_side()} * output_side() * weight_count();
}

size_t ParameterCount(const std::vector<Layer>& layers) {
  size_t count = 0;
  for (const Layer& layer : layers) count += layer.weight_count() + layer.bias_count();
  return count;
}

void LayerSequence::Add(LayerKind kind, uint32_t filter, uint32_t stride, uint32_t output_depth) {
  layers_.push_back({.kind = kind,
                     .filter = filter,
                     .stride = stride,
                     .input_side = side_,
                     .input_depth = depth_,
                     .output_depth = output_depth,
                     .has_relu6 = kind == LayerKind::CONVOLUTION || kind == LayerKind::DEPTHWISE});
  side_ = layers_.back().output_side();
  depth_ = output_depth;
}

std::vector<Layer> ShapeLayers() {
  LayerSequence layers(kShapeImageSide, kShapeImageDepth);
  layers.Add(LayerKind::CONVOLUTION, 3, 2, 16);
  struct Block {
    uint32_t stride;
    uint32_t output_depth;
  };
  for (const Block& block : {Block{1, 32}, Block{2, 48}, Block{1, 48}, Block{2, 64}}) {
    layers.Add(LayerKind::DEPTHWISE, 3, block.stride, layers.depth());
    layers.Add(LayerKind::CONVOLUTION, 1, 1, block.output_depth);
  }
  layers.Add(LayerKind::AVERAGE_POOL, layers.side(), layers.side(), layers.depth());
  layers.Add(LayerKind::FULLY_CONNECTED, 1, 1, kShapeCount);
  return layers.layers();
}

}  // namespace nncert
