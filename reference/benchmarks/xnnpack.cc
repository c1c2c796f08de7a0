// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/benchmarks/xnnpack.h"

#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace nncert::benchmarks {
namespace {

constexpr pthreadpool* kThisThreadAlone = nullptr;

absl::Status StatusOf(xnn_status status, absl::string_view what) {
  if (status == xnn_status_success) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("XNNPACK: ", what, " gives status ", status));
}

template <class T>
std::vector<T> As(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// The least and the greatest output of a layer, in its format.
struct Range {
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  uint8_t quantized_low = 0;
  uint8_t quantized_high = 255;
};

Range RangeOf(const Layer& layer) {
  Range range;
  if (!layer.has_relu6) return range;
  range.low = 0;
  range.high = 6;
  if (layer.output.is_quantized()) {
    const double highest = layer.output.zero_point + 6.0 / layer.output.scale + 0.5;
    range.quantized_low = static_cast<uint8_t>(layer.output.zero_point);
    range.quantized_high = static_cast<uint8_t>(std::min(255.0, highest));
  }
  return range;
}

const float* Floats(absl::Span<const uint8_t> bytes) {
  return reinterpret_cast<const float*>(bytes.data());
}

float* Floats(absl::Span<uint8_t> bytes) { return reinterpret_cast<float*>(bytes.data()); }

}  // namespace

void XnnpackNetwork::Delete::operator()(xnn_operator* pointer) const {
  xnn_delete_operator(pointer);
}

XnnpackNetwork::Room XnnpackNetwork::MakeRoom(size_t bytes) {
  constexpr size_t kAlignment = 64;
  Room room;
  room.storage.resize(bytes + kAlignment + XNN_EXTRA_BYTES);
  const auto address = reinterpret_cast<uintptr_t>(room.storage.data());
  const size_t offset = (kAlignment - address % kAlignment) % kAlignment;
  room.bytes = absl::MakeSpan(room.storage).subspan(offset, bytes);
  return room;
}

absl::Status XnnpackNetwork::Add(const Layer& layer, const Format& format, const Network& network,
                                 absl::Span<const uint8_t> from, absl::Span<uint8_t> to) {
  const bool is_quantized = network.is_quantized();
  const Range range = RangeOf(layer);
  const Format& output = layer.output;
  const auto zero_point = [](const Format& of) { return static_cast<uint8_t>(of.zero_point); };
  const size_t depth = format.dimensions.back();
  const size_t channels = output.dimensions.back();
  xnn_operator_t made = nullptr;
  xnn_status created = xnn_status_success;
  xnn_status set_up = xnn_status_success;
  const auto keep = [&] { operators_.emplace_back(made); };
  switch (layer.kind) {
    case LayerKind::kConvolution:
    case LayerKind::kDepthwiseConvolution: {
      const bool is_depthwise = layer.kind == LayerKind::kDepthwiseConvolution;
      const size_t groups = is_depthwise ? depth : 1;
      const uint32_t flags =
          XNN_FLAG_TENSORFLOW_SAME_PADDING | (is_depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0);
      const uint32_t height = format.dimensions[1];
      const uint32_t width = format.dimensions[2];
      if (is_quantized) {
        created = xnn_create_convolution2d_nhwc_qu8(
            0, 0, 0, 0, layer.filter_size, layer.filter_size, layer.stride, layer.stride, 1, 1,
            groups, depth / groups, channels / groups, depth, channels, zero_point(format),
            format.scale, zero_point(layer.weights_format), layer.weights_format.scale,
            As<uint8_t>(layer.weights).data(), As<int32_t>(layer.bias).data(), zero_point(output),
            output.scale, range.quantized_low, range.quantized_high, flags, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_convolution2d_nhwc_qu8(made, 1, height, width, from.data(), to.data(),
                                                  kThisThreadAlone);
      } else {
        created = xnn_create_convolution2d_nhwc_f32(
            0, 0, 0, 0, layer.filter_size, layer.filter_size, layer.stride, layer.stride, 1, 1,
            groups, depth / groups, channels / groups, depth, channels,
            As<float>(layer.weights).data(), As<float>(layer.bias).data(), range.low, range.high,
            flags, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_convolution2d_nhwc_f32(made, 1, height, width, Floats(from), Floats(to),
                                                  kThisThreadAlone);
      }
      break;
    }
    case LayerKind::kFullyConnected:
      if (is_quantized) {
        created = xnn_create_fully_connected_nc_qu8(
            depth, channels, depth, channels, zero_point(format), format.scale,
            zero_point(layer.weights_format), layer.weights_format.scale,
            As<uint8_t>(layer.weights).data(), As<int32_t>(layer.bias).data(), zero_point(output),
            output.scale, range.quantized_low, range.quantized_high, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up =
            xnn_setup_fully_connected_nc_qu8(made, 1, from.data(), to.data(), kThisThreadAlone);
      } else {
        created = xnn_create_fully_connected_nc_f32(
            depth, channels, depth, channels, As<float>(layer.weights).data(),
            As<float>(layer.bias).data(), range.low, range.high, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up =
            xnn_setup_fully_connected_nc_f32(made, 1, Floats(from), Floats(to), kThisThreadAlone);
      }
      break;
    case LayerKind::kAveragePool: {
      const size_t pixels = size_t{format.dimensions[1]} * format.dimensions[2];
      if (is_quantized) {
        created = xnn_create_global_average_pooling_nwc_qu8(
            depth, depth, depth, zero_point(format), format.scale, zero_point(output), output.scale,
            range.quantized_low, range.quantized_high, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_global_average_pooling_nwc_qu8(made, 1, pixels, from.data(), to.data(),
                                                          kThisThreadAlone);
      } else {
        created = xnn_create_global_average_pooling_nwc_f32(depth, depth, depth, range.low,
                                                            range.high, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_global_average_pooling_nwc_f32(made, 1, pixels, Floats(from), Floats(to),
                                                          kThisThreadAlone);
      }
      break;
    }
    case LayerKind::kSoftmax:
      if (is_quantized) {
        created = xnn_create_softmax_nc_qu8(depth, depth, depth, format.scale, zero_point(output),
                                            output.scale, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_softmax_nc_qu8(made, 1, from.data(), to.data(), kThisThreadAlone);
      } else {
        created = xnn_create_softmax_nc_f32(depth, depth, depth, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_softmax_nc_f32(made, 1, Floats(from), Floats(to), kThisThreadAlone);
      }
      break;
    case LayerKind::kAdd: {
      const Format& second = network.inputs[1];
      const absl::Span<const uint8_t> addend = inputs_[1].bytes;
      const std::vector<size_t> shape(format.dimensions.begin(), format.dimensions.end());
      const std::vector<size_t> second_shape(second.dimensions.begin(), second.dimensions.end());
      if (is_quantized) {
        created = xnn_create_add_nd_qu8(zero_point(format), format.scale, zero_point(second),
                                        second.scale, zero_point(output), output.scale,
                                        range.quantized_low, range.quantized_high, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_add_nd_qu8(made, shape.size(), shape.data(), second_shape.size(),
                                      second_shape.data(), from.data(), addend.data(), to.data(),
                                      kThisThreadAlone);
      } else {
        created = xnn_create_add_nd_f32(range.low, range.high, 0, &made);
        keep();
        if (created != xnn_status_success) break;
        set_up = xnn_setup_add_nd_f32(made, shape.size(), shape.data(), second_shape.size(),
                                      second_shape.data(), Floats(from), Floats(addend), Floats(to),
                                      kThisThreadAlone);
      }
      break;
    }
  }
  if (absl::Status status = StatusOf(created, "creating an operator"); !status.ok()) return status;
  return StatusOf(set_up, "setting up an operator");
}

absl::StatusOr<std::unique_ptr<XnnpackNetwork>> XnnpackNetwork::Create(const Network& network) {
  if (absl::Status status = StatusOf(xnn_initialize(nullptr), "initialization"); !status.ok()) {
    return status;
  }
  std::unique_ptr<XnnpackNetwork> made(new XnnpackNetwork());
  for (const Format& input : network.inputs) made->inputs_.push_back(MakeRoom(input.bytes()));
  const auto largest = static_cast<size_t>(network.largest_activation_bytes());
  for (int i = 0; i < 2; ++i) made->activations_.push_back(MakeRoom(largest));
  absl::Span<const uint8_t> from = made->inputs_[0].bytes;
  Format format = network.inputs[0];
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    const absl::Span<uint8_t> to = made->activations_[i % 2].bytes.subspan(0, layer.output.bytes());
    if (absl::Status status = made->Add(layer, format, network, from, to); !status.ok()) {
      return absl::InternalError(absl::StrCat("layer ", i, ": ", status.message()));
    }
    from = to;
    format = layer.output;
  }
  made->output_ = from;
  return made;
}

absl::Status XnnpackNetwork::Run() {
  for (const auto& each : operators_) {
    const xnn_status status = xnn_run_operator(each.get(), kThisThreadAlone);
    if (status != xnn_status_success) return StatusOf(status, "running an operator");
  }
  return absl::OkStatus();
}

}  // namespace nncert::benchmarks
