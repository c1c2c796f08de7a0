// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/separable_network.h"

#include "mlts/training/shape_images.h"

namespace nncert {

size_t Layer::weight_count() const {
  switch (kind) {
    case LayerKind::CONVOLUTION:
      return size_t{filter} * filter * input_depth * output_depth;
    case LayerKind::DEPTHWISE:
      return size_t{filter} * filter * output_depth;
    case LayerKind::AVERAGE_POOL:
      return 0;
    case LayerKind::FULLY_CONNECTED:
      return size_t{input_depth} * output_depth;
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

std::vector<Layer> ShapeLayers() {
  std::vector<Layer> layers;
  uint32_t side = kShapeImageSide;
  uint32_t depth = kShapeImageDepth;
  const auto add = [&](LayerKind kind, uint32_t filter, uint32_t stride, uint32_t output_depth,
                       bool has_relu6) {
    layers.push_back({.kind = kind,
                      .filter = filter,
                      .stride = stride,
                      .input_side = side,
                      .input_depth = depth,
                      .output_depth = output_depth,
                      .has_relu6 = has_relu6});
    side = layers.back().output_side();
    depth = output_depth;
  };
  add(LayerKind::CONVOLUTION, 3, 2, 16, true);
  struct Block {
    uint32_t stride;
    uint32_t output_depth;
  };
  for (const Block& block : {Block{1, 32}, Block{2, 48}, Block{1, 48}, Block{2, 64}}) {
    add(LayerKind::DEPTHWISE, 3, block.stride, depth, true);
    add(LayerKind::CONVOLUTION, 1, 1, block.output_depth, true);
  }
  add(LayerKind::AVERAGE_POOL, side, side, depth, false);
  add(LayerKind::FULLY_CONNECTED, 1, 1, kShapeCount, false);
  return layers;
}

}  // namespace nncert
