// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/separable_trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mlts/training/matrix_product.h"
#include "mlts/training/softmax_loss.h"

namespace nncert {
namespace {

// Calls `function` with the pixel of the output, the position in the filter and the pixel of the
// input, each counted row by row from the first image on, wherever a filter meets the image.
template <class Function>
void ForEachMeeting(const Layer& layer, size_t images, Function function) {
  const uint32_t output_side = layer.output_side();
  // The positions of the filter at this place that are within the image.
  const auto range = [&](uint32_t place) {
    const uint32_t start = place * layer.stride;
    const uint32_t padding = layer.padding();
    const uint32_t first = start < padding ? padding - start : 0;
    return std::pair(first, std::min(layer.filter, layer.input_side + padding - start));
  };
  size_t output = 0;
  for (size_t image = 0; image < images; ++image) {
    const size_t first_pixel = image * layer.input_side * layer.input_side;
    for (uint32_t y = 0; y < output_side; ++y) {
      const std::pair<uint32_t, uint32_t> rows = range(y);
      for (uint32_t x = 0; x < output_side; ++x, ++output) {
        const std::pair<uint32_t, uint32_t> columns = range(x);
        for (uint32_t i = rows.first; i < rows.second; ++i) {
          const size_t row = y * layer.stride + i - layer.padding();
          for (uint32_t j = columns.first; j < columns.second; ++j) {
            const size_t column = x * layer.stride + j - layer.padding();
            function(output, size_t{i} * layer.filter + j,
                     first_pixel + row * layer.input_side + column);
          }
        }
      }
    }
  }
}

size_t OutputPixels(const Layer& layer, size_t images) {
  return images * layer.output_side() * layer.output_side();
}

// Whether each pixel of the output is made of one of the input, and of all its channels.
bool IsPointwise(const Layer& layer) {
  return layer.kind == LayerKind::FULLY_CONNECTED || (layer.filter == 1 && layer.stride == 1);
}

// sums[i] += a[i] * b[i]
template <class Number>
void MultiplyAdd(const Number* __restrict a, const Number* __restrict b, size_t count,
                 Number* __restrict sums) {
  for (size_t i = 0; i < count; ++i) sums[i] += a[i] * b[i];
}

// The values that the filters of a convolution see: a row for each pixel of the output, zero where
// a filter is outside the image.
template <class Number>
void GatherPatches(const Layer& layer, size_t images, const std::vector<Number>& input,
                   std::vector<Number>& patches) {
  const size_t depth = layer.input_depth;
  const size_t row = size_t{layer.filter} * layer.filter * depth;
  patches.assign(OutputPixels(layer, images) * row, 0);
  ForEachMeeting(layer, images, [&](size_t output, size_t tap, size_t pixel) {
    std::copy_n(input.data() + pixel * depth, depth, patches.data() + output * row + tap * depth);
  });
}

// What a layer makes before normalization, biases and activation.
template <class Number>
void RunLayer(const Layer& layer, size_t images, const Number* weights,
              const std::vector<Number>& input, std::vector<Number>& patches,
              std::vector<Number>& output) {
  const size_t pixels = OutputPixels(layer, images);
  const size_t depth = layer.output_depth;
  output.assign(pixels * depth, 0);
  switch (layer.kind) {
    case LayerKind::CONVOLUTION:
    case LayerKind::FULLY_CONNECTED: {
      if (!IsPointwise(layer)) GatherPatches(layer, images, input, patches);
      const Number* const rows = IsPointwise(layer) ? input.data() : patches.data();
      const size_t terms = layer.term_count();
      AddProduct(RowMajor(rows, terms), weights, pixels, terms, depth, output.data());
      break;
    }
    case LayerKind::DEPTHWISE:
      ForEachMeeting(layer, images, [&](size_t to, size_t tap, size_t from) {
        MultiplyAdd(input.data() + from * depth, weights + tap * depth, depth,
                    output.data() + to * depth);
      });
      break;
    case LayerKind::AVERAGE_POOL: {
      const Number share = Number{1} / static_cast<Number>(layer.filter * layer.filter);
      const std::vector<Number> shares(depth, share);
      ForEachMeeting(layer, images, [&](size_t to, size_t /*tap*/, size_t from) {
        MultiplyAdd(input.data() + from * depth, shares.data(), depth, output.data() + to * depth);
      });
      break;
    }
  }
}

// From derivatives with respect to what RunLayer makes to those with respect to weights and, unless
// it is null, the input.
template <class Number>
void RunLayerBack(const Layer& layer, size_t images, const Number* weights,
                  const std::vector<Number>& input, const Number* derivatives,
                  std::vector<Number>& patches, Number* weight_derivatives,
                  std::vector<Number>* input_derivatives) {
  const size_t pixels = OutputPixels(layer, images);
  const size_t depth = layer.output_depth;
  if (input_derivatives != nullptr) input_derivatives->assign(input.size(), 0);
  switch (layer.kind) {
    case LayerKind::CONVOLUTION:
    case LayerKind::FULLY_CONNECTED: {
      if (!IsPointwise(layer)) GatherPatches(layer, images, input, patches);
      const Number* const rows = IsPointwise(layer) ? input.data() : patches.data();
      const size_t terms = layer.term_count();
      AddProduct(TransposeOf(rows, terms), derivatives, terms, pixels, depth, weight_derivatives);
      if (input_derivatives == nullptr) break;
      const std::vector<Number> transposed = Transposed(weights, terms, depth);
      if (IsPointwise(layer)) {
        AddProduct(RowMajor(derivatives, depth), transposed.data(), pixels, depth, terms,
                   input_derivatives->data());
        break;
      }
      patches.assign(pixels * terms, 0);
      AddProduct(RowMajor(derivatives, depth), transposed.data(), pixels, depth, terms,
                 patches.data());
      const size_t input_depth = layer.input_depth;
      ForEachMeeting(layer, images, [&](size_t to, size_t tap, size_t from) {
        const Number* const patch = patches.data() + to * terms + tap * input_depth;
        Number* const sums = input_derivatives->data() + from * input_depth;
        for (size_t i = 0; i < input_depth; ++i) sums[i] += patch[i];
      });
      break;
    }
    case LayerKind::DEPTHWISE:
      ForEachMeeting(layer, images, [&](size_t to, size_t tap, size_t from) {
        MultiplyAdd(input.data() + from * depth, derivatives + to * depth, depth,
                    weight_derivatives + tap * depth);
        if (input_derivatives == nullptr) return;
        MultiplyAdd(weights + tap * depth, derivatives + to * depth, depth,
                    input_derivatives->data() + from * depth);
      });
      break;
    case LayerKind::AVERAGE_POOL: {
      if (input_derivatives == nullptr) break;
      const Number share = Number{1} / static_cast<Number>(layer.filter * layer.filter);
      const std::vector<Number> shares(depth, share);
      ForEachMeeting(layer, images, [&](size_t to, size_t /*tap*/, size_t from) {
        MultiplyAdd(derivatives + to * depth, shares.data(), depth,
                    input_derivatives->data() + from * depth);
      });
      break;
    }
  }
}

}  // namespace

template <class Number>
SeparableTrainer<Number>::SeparableTrainer(std::vector<Layer> layers, Normalization normalization)
    : layers_(std::move(layers)), values_(layers_.size() + 1), statistics_(layers_.size()) {
  size_t offset = 0;
  for (const Layer& layer : layers_) {
    offsets_.push_back(offset);
    offset += layer.weight_count() + layer.bias_count();
  }
  scale_offsets_.push_back(offset);
  for (const Layer& layer : layers_) {
    if (layer.has_relu6 && normalization == Normalization::BATCH) offset += layer.output_depth;
    scale_offsets_.push_back(offset);
  }
}

template <class Number>
std::vector<Number> SeparableTrainer<Number>::InitialParameters(SplitMix64& random) const {
  std::vector<Number> parameters(scale_offsets_.front());
  for (size_t i = 0; i < layers_.size(); ++i) {
    const size_t weights = layers_[i].weight_count();
    if (weights == 0) continue;
    // Of so many terms, each output is the sum. He et al., "Delving deep into rectifiers", ICCV
    // 2015: of a variance of 2 / terms, uniform.
    const size_t terms = weights / layers_[i].output_depth;
    const double limit = std::sqrt(6 / static_cast<double>(terms));
    for (size_t k = 0; k < weights; ++k) {
      parameters[offsets_[i] + k] = static_cast<Number>(random.Uniform(-limit, limit));
    }
  }
  parameters.resize(parameter_count(), 1);
  return parameters;
}

template <class Number>
void SeparableTrainer<Number>::Normalize(size_t layer, const std::vector<Number>& parameters) {
  const size_t depth = layers_[layer].output_depth;
  std::vector<Number>& values = values_[layer + 1];
  const size_t pixels = values.size() / depth;
  const auto count = static_cast<Number>(pixels);
  std::vector<Number> mean(depth);
  std::vector<Number> variance(depth);
  for (size_t i = 0; i < values.size(); i += depth) {
    for (size_t c = 0; c < depth; ++c) mean[c] += values[i + c];
  }
  for (Number& number : mean) number /= count;
  for (size_t i = 0; i < values.size(); i += depth) {
    for (size_t c = 0; c < depth; ++c) {
      const Number difference = values[i + c] - mean[c];
      variance[c] += difference * difference;
    }
  }
  // Of a channel that is the same everywhere, too, there is a quotient.
  constexpr auto kLeastVariance = static_cast<Number>(1e-5);
  std::vector<Number> inverse_deviation(depth);
  for (size_t c = 0; c < depth; ++c) {
    inverse_deviation[c] = 1 / std::sqrt(variance[c] / count + kLeastVariance);
  }
  const Number* const scales = parameters.data() + scale_offsets_[layer];
  std::vector<Number>& normalized = statistics_[layer].normalized;
  normalized.resize(values.size());
  for (size_t i = 0; i < values.size(); i += depth) {
    for (size_t c = 0; c < depth; ++c) {
      normalized[i + c] = (values[i + c] - mean[c]) * inverse_deviation[c];
      values[i + c] = normalized[i + c] * scales[c];
    }
  }
  statistics_[layer].mean = std::move(mean);
  statistics_[layer].inverse_deviation = std::move(inverse_deviation);
}

template <class Number>
void SeparableTrainer<Number>::NormalizeBack(size_t layer, const std::vector<Number>& parameters,
                                             std::vector<Number>& derivatives,
                                             std::vector<Number>& gradient) const {
  const size_t depth = layers_[layer].output_depth;
  const Statistics& statistics = statistics_[layer];
  const std::vector<Number>& normalized = statistics.normalized;
  std::vector<Number> sum(depth);
  std::vector<Number> weighted_sum(depth);
  for (size_t i = 0; i < derivatives.size(); i += depth) {
    for (size_t c = 0; c < depth; ++c) {
      sum[c] += derivatives[i + c];
      weighted_sum[c] += derivatives[i + c] * normalized[i + c];
    }
  }
  const size_t scales = scale_offsets_[layer];
  std::copy(weighted_sum.begin(), weighted_sum.end(), gradient.begin() + scales);
  // Mean and deviation depend on each value, too.
  const size_t pixels = derivatives.size() / depth;
  const auto count = static_cast<Number>(pixels);
  std::vector<Number> factor(depth);
  for (size_t c = 0; c < depth; ++c) {
    factor[c] = parameters[scales + c] * statistics.inverse_deviation[c];
    sum[c] /= count;
    weighted_sum[c] /= count;
  }
  for (size_t i = 0; i < derivatives.size(); i += depth) {
    for (size_t c = 0; c < depth; ++c) {
      derivatives[i + c] =
          factor[c] * (derivatives[i + c] - sum[c] - normalized[i + c] * weighted_sum[c]);
    }
  }
}

template <class Number>
const std::vector<Number>& SeparableTrainer<Number>::Run(const std::vector<Number>& parameters,
                                                         const std::vector<Number>& images) {
  const size_t count = images.size() / layers_.front().input_size();
  values_.front() = images;
  for (size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    std::vector<Number>& values = values_[i + 1];
    const Number* const weights = parameters.data() + offsets_[i];
    RunLayer(layer, count, weights, values_[i], patches_, values);
    if (is_normalized(i)) Normalize(i, parameters);
    const size_t depth = layer.bias_count();
    const Number* const biases = weights + layer.weight_count();
    for (size_t k = 0; depth != 0 && k < values.size(); k += depth) {
      for (size_t c = 0; c < depth; ++c) values[k + c] += biases[c];
    }
    if (!layer.has_relu6) continue;
    for (Number& value : values) value = std::min(std::max(value, Number{0}), Number{6});
  }
  return values_.back();
}

template <class Number>
Number SeparableTrainer<Number>::Gradient(const std::vector<Number>& parameters,
                                          const std::vector<Number>& images,
                                          const std::vector<uint32_t>& labels,
                                          std::vector<Number>& gradient) {
  const std::vector<Number>& logits = Run(parameters, images);
  gradient.assign(parameters.size(), 0);
  std::vector<Number> derivatives(logits.size());
  const Number loss = SoftmaxLoss(logits, labels, derivatives);
  std::vector<Number> input_derivatives;
  for (size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const std::vector<Number>& values = values_[i + 1];
    Number* const weight_derivatives = gradient.data() + offsets_[i];
    if (layer.has_relu6) {
      for (size_t k = 0; k < values.size(); ++k) {
        derivatives[k] = values[k] > 0 && values[k] < 6 ? derivatives[k] : Number{0};
      }
    }
    const size_t depth = layer.bias_count();
    Number* const bias_derivatives = weight_derivatives + layer.weight_count();
    for (size_t k = 0; depth != 0 && k < derivatives.size(); k += depth) {
      for (size_t c = 0; c < depth; ++c) bias_derivatives[c] += derivatives[k + c];
    }
    if (is_normalized(i)) NormalizeBack(i, parameters, derivatives, gradient);
    RunLayerBack(layer, labels.size(), parameters.data() + offsets_[i], values_[i],
                 derivatives.data(), patches_, weight_derivatives,
                 i == 0 ? nullptr : &input_derivatives);
    std::swap(derivatives, input_derivatives);
  }
  return loss;
}

template <class Number>
std::vector<Number> SeparableTrainer<Number>::Folded(const std::vector<Number>& parameters) const {
  std::vector<Number> folded(parameters.begin(), parameters.begin() + scale_offsets_.front());
  for (size_t i = 0; i < layers_.size(); ++i) {
    if (!is_normalized(i)) continue;
    const Layer& layer = layers_[i];
    for (size_t c = 0; c < layer.output_depth; ++c) {
      const Number factor = parameters[scale_offsets_[i] + c] * statistics_[i].inverse_deviation[c];
      // Channels of the output are the last dimension of all weights.
      for (size_t k = c; k < layer.weight_count(); k += layer.output_depth) {
        folded[offsets_[i] + k] *= factor;
      }
      folded[offsets_[i] + layer.weight_count() + c] -= statistics_[i].mean[c] * factor;
    }
  }
  return folded;
}

template class SeparableTrainer<float>;
template class SeparableTrainer<double>;

}  // namespace nncert
