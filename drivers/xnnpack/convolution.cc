// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// CONV_2D, DEPTHWISE_CONV_2D, GROUPED_CONV_2D, TRANSPOSE_CONV_2D and FULLY_CONNECTED.

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "drivers/xnnpack/operations.h"
#include "drivers/xnnpack/rules.h"
#include "drivers/xnnpack/sliding.h"

namespace nncert::xnnpack {
namespace {

using hal::V1_2::Operand;
using hal::V1_2::SymmPerChannelQuantParams;

enum class Arithmetic {
  FLOAT32,
  QUANT8,              // qu8
  QUANT8_PER_CHANNEL,  // qc8, on elements whose sign bit is turned
};

// The operands of a layer with weights, which XNNPACK gets by value.
struct Layer {
  Arithmetic arithmetic = Arithmetic::FLOAT32;
  Operand input;
  Operand filter;
  Operand output;
  Range range;
};

// What qu8 has to turn over to be qs8: 128 lies at zero, steps and their order stay.
constexpr uint8_t kSignBit = 0x80;

int8_t Signed(int32_t step) { return static_cast<int8_t>(step - 128); }

// Whether XNNPACK takes this product of scales; it aborts below 2^-32.
bool IsProductWithin(float input, float filter, float output) {
  if (!IsNormalScale(input) || !IsNormalScale(filter) || !IsNormalScale(output)) return false;
  const float ratio = input * filter / output;
  return ratio >= 0x1p-32f && ratio < 256;
}

const std::vector<float>& ScalesOf(const Operand& filter) {
  return std::get<SymmPerChannelQuantParams>(filter.extraParams).scales;
}

// Checks the types and scales of input, filter, bias and output, and the length of the bias.
// `channel_axis` is the axis of the filter along which its scales may differ, if any.
absl::StatusOr<Layer> CheckLayer(const OperationView& op, size_t channels, int channel_axis) {
  Layer layer = {
      .input = op.input(0), .filter = op.input(1), .output = op.output(), .range = Range()};
  const Operand& bias = op.input(2);
  if (absl::Status status = CheckOutput(op, layer.input.type); !status.ok()) return status;
  if (op.shape(2) != Dimensions{static_cast<uint32_t>(channels)}) {
    return Refuse("the bias has not one element for each channel of the output");
  }
  if (!IsQuantized(layer.input)) {
    if (layer.filter.type != layer.input.type || bias.type != layer.input.type) {
      return Refuse("filter or bias are not of the type of the input");
    }
    return layer;
  }
  if (bias.type != OperandType::TENSOR_INT32 || bias.zeroPoint != 0) {
    return Refuse("the bias is not a TENSOR_INT32 with zero point 0");
  }
  if (IsQuantized(layer.filter)) {
    layer.arithmetic = Arithmetic::QUANT8;
    const float product = layer.input.scale * layer.filter.scale;
    if (std::fabs(bias.scale - product) > 1e-5f * product) {
      return Refuse("the scale of the bias is not that of the products");
    }
    if (!IsProductWithin(layer.input.scale, layer.filter.scale, layer.output.scale)) {
      return Refuse("the ratio of the scales is not in [2^-32, 256)");
    }
    return layer;
  }
  if (layer.filter.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL ||
      !std::holds_alternative<SymmPerChannelQuantParams>(layer.filter.extraParams)) {
    return Refuse("the type of the filter does not fit");
  }
  layer.arithmetic = Arithmetic::QUANT8_PER_CHANNEL;
  const auto& params = std::get<SymmPerChannelQuantParams>(layer.filter.extraParams);
  if (static_cast<int>(params.channelDim) != channel_axis || params.scales.size() != channels) {
    return Refuse("the scales of the filter are not those of the channels of the output");
  }
  for (const float scale : params.scales) {
    if (!IsProductWithin(layer.input.scale, scale, layer.output.scale)) {
      return Refuse("the ratio of the scales of a channel is not in [2^-32, 256)");
    }
  }
  return layer;
}

// The channels of a convolution.
struct Channels {
  size_t groups = 1;
  size_t inputs_per_group = 0;
  size_t outputs_per_group = 0;
  bool is_depthwise = false;

  size_t inputs() const { return groups * inputs_per_group; }
  size_t outputs() const { return groups * outputs_per_group; }
};

uint32_t Unsigned(int64_t value) { return static_cast<uint32_t>(value); }

template <class Create, class... Middle>
xnn_status CreateConvolution(const Create& create, const Windows& windows, const Channels& channels,
                             xnn_operator_t* made, Middle... middle) {
  const auto& [height, width] = windows;
  return create(Unsigned(height.before), Unsigned(width.after), Unsigned(height.after),
                Unsigned(width.before), Unsigned(height.window), Unsigned(width.window),
                Unsigned(height.stride), Unsigned(width.stride), Unsigned(height.dilation),
                Unsigned(width.dilation), static_cast<uint32_t>(channels.groups),
                channels.inputs_per_group, channels.outputs_per_group, channels.inputs(),
                channels.outputs(), middle...,
                channels.is_depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0u, made);
}

// Turns the sign bits of elements.
void TurnSigns(const uint8_t* from, size_t count, uint8_t* to) {
  std::transform(from, from + count, to,
                 [](uint8_t step) { return static_cast<uint8_t>(step ^ kSignBit); });
}

void MakeConvolution(Assembly& assembly, const Layer& layer, const Windows& windows,
                     const Channels& channels, size_t batches) {
  const Operand& input = layer.input;
  const Operand& filter = layer.filter;
  const Operand& output = layer.output;
  const Range& range = layer.range;
  const auto height = static_cast<size_t>(windows.height.image);
  const auto width = static_cast<size_t>(windows.width.image);
  switch (layer.arithmetic) {
    case Arithmetic::FLOAT32: {
      const auto* weights = assembly.Packed<float>(1);
      const auto* bias = assembly.Packed<float>(2);
      const auto* from = assembly.Input<float>(0);
      auto* to = assembly.Output<float>();
      assembly.Add(
          "convolution2d_nhwc_f32",
          [&](xnn_operator_t* made) {
            return CreateConvolution(xnn_create_convolution2d_nhwc_f32, windows, channels, made,
                                     weights, bias, range.low, range.high);
          },
          [&](xnn_operator_t made) {
            return xnn_setup_convolution2d_nhwc_f32(made, batches, height, width, from, to,
                                                    kThisThreadAlone);
          });
      break;
    }
    case Arithmetic::QUANT8: {
      const auto* weights = assembly.Packed<uint8_t>(1);
      const auto* bias = assembly.Packed<int32_t>(2);
      const auto* from = assembly.Input<uint8_t>(0);
      auto* to = assembly.Output<uint8_t>();
      assembly.Add(
          "convolution2d_nhwc_qu8",
          [&](xnn_operator_t* made) {
            return CreateConvolution(xnn_create_convolution2d_nhwc_qu8, windows, channels, made,
                                     ZeroPoint(input), input.scale, ZeroPoint(filter), filter.scale,
                                     weights, bias, ZeroPoint(output), output.scale,
                                     range.quantized_low, range.quantized_high);
          },
          [&](xnn_operator_t made) {
            return xnn_setup_convolution2d_nhwc_qu8(made, batches, height, width, from, to,
                                                    kThisThreadAlone);
          });
      break;
    }
    case Arithmetic::QUANT8_PER_CHANNEL: {
      const size_t count = batches * height * width * channels.inputs();
      const size_t results = batches * static_cast<size_t>(windows.height.output()) *
                             static_cast<size_t>(windows.width.output()) * channels.outputs();
      const auto* weights = assembly.Packed<int8_t>(1);
      const auto* bias = assembly.Packed<int32_t>(2);
      const auto* from = assembly.Input<uint8_t>(0);
      auto* turned = assembly.Scratch<int8_t>(count);
      auto* to = assembly.Output<uint8_t>();
      assembly.Add([=] { TurnSigns(from, count, reinterpret_cast<uint8_t*>(turned)); });
      assembly.Add(
          "convolution2d_nhwc_qc8",
          [&](xnn_operator_t* made) {
            return CreateConvolution(xnn_create_convolution2d_nhwc_qc8, windows, channels, made,
                                     Signed(input.zeroPoint), input.scale, ScalesOf(filter).data(),
                                     weights, bias, Signed(output.zeroPoint), output.scale,
                                     Signed(range.quantized_low), Signed(range.quantized_high));
          },
          [&](xnn_operator_t made) {
            return xnn_setup_convolution2d_nhwc_qc8(made, batches, height, width, turned,
                                                    reinterpret_cast<int8_t*>(to),
                                                    kThisThreadAlone);
          });
      assembly.Add([=] { TurnSigns(to, results, to); });
      break;
    }
  }
}

// Whether packed weights stay within bounds: XNNPACK rounds channels up to at most 64.
bool IsPackable(const Channels& channels, size_t window) {
  size_t count = channels.groups;
  for (const size_t factor :
       {window, channels.inputs_per_group + 64, channels.outputs_per_group + 64}) {
    if (count > kMaxElements / factor) return false;
    count *= factor;
  }
  return true;
}

bool IsBool(const OperationView& op, size_t number) {
  return number < op.inputCount() && op.input(number).type == OperandType::BOOL;
}

// Whether the paddings are given by a scheme.
bool IsImplicit(const OperationView& op) {
  switch (op.type()) {
    case OperationType::CONV_2D:
      return op.inputCount() == 7 || IsBool(op, 7);
    case OperationType::DEPTHWISE_CONV_2D:
      return op.inputCount() == 8 || IsBool(op, 8);
    default:
      return op.inputCount() == 9;
  }
}

absl::Status CheckOutputSize(int64_t height, int64_t width, size_t batches, size_t channels) {
  constexpr auto kMost = static_cast<int64_t>(kMaxElements);
  if (height < 1 || width < 1) return Refuse("no window fits into the image");
  if (height > kMost || width > kMost || height * width > kMost ||
      static_cast<size_t>(height * width) > kMaxElements / batches ||
      static_cast<size_t>(height * width) * batches > kMaxElements / channels) {
    return Refuse("the output is too large");
  }
  return absl::OkStatus();
}

Dimensions Images(size_t batches, int64_t height, int64_t width, size_t channels) {
  return {static_cast<uint32_t>(batches), Unsigned(height), Unsigned(width),
          static_cast<uint32_t>(channels)};
}

// Finds the channels of a convolution in the dimensions of its filter.
absl::StatusOr<Channels> FindChannels(const OperationView& op, int32_t groups, int32_t multiplier) {
  const Dimensions& filter = op.shape(1);
  const size_t depth = op.shape(0)[3];
  if (op.type() == OperationType::DEPTHWISE_CONV_2D) {
    if (multiplier < 1 || filter[0] != 1 || filter[3] != depth * static_cast<size_t>(multiplier)) {
      return Refuse("the filter is not [1, height, width, depth * multiplier]");
    }
    return Channels{depth, 1, static_cast<size_t>(multiplier), true};
  }
  const auto count = static_cast<size_t>(groups);
  if (groups < 1 || filter[0] % count != 0 || depth != count * filter[3]) {
    return Refuse("groups, filter and depth of the image do not fit");
  }
  return Channels{count, filter[3], filter[0] / count, false};
}

}  // namespace

absl::StatusOr<Recipe> Convolution(OperationView& op) {
  if (op.shape(0).size() != 4 || op.shape(1).size() != 4) {
    return Refuse("input or filter have not 4 dimensions");
  }
  Windows windows;
  windows.height.image = op.shape(0)[1];
  windows.width.image = op.shape(0)[2];
  windows.height.window = op.shape(1)[1];
  windows.width.window = op.shape(1)[2];
  OperandReader reader(op, 3);
  const Padding padding = reader.ReadPaddingsAndStrides(IsImplicit(op), windows);
  const bool is_depthwise = op.type() == OperationType::DEPTHWISE_CONV_2D;
  const bool is_grouped = op.type() == OperationType::GROUPED_CONV_2D;
  const int32_t multiplier = is_depthwise ? reader.integer() : 1;
  const int32_t groups = is_grouped ? reader.integer() : 1;
  const int32_t activation = reader.integer();
  if (reader.ReadLayout()) return Refuse("the layout is NCHW");
  reader.ReadDilations(windows);
  if (absl::Status status = Complete(op, padding, windows); !status.ok()) return status;

  const absl::StatusOr<Channels> channels = FindChannels(op, groups, multiplier);
  if (!channels.ok()) return channels.status();
  if (channels->outputs() > kMaxChannels || channels->inputs() > kMaxChannels) {
    return Refuse("there are too many channels");
  }
  absl::StatusOr<Layer> layer = CheckLayer(op, channels->outputs(), is_depthwise ? 3 : 0);
  if (!layer.ok()) return layer.status();
  const absl::StatusOr<Range> range = RangeOf(activation, op.output());
  if (!range.ok()) return range.status();
  layer->range = *range;

  const size_t batches = op.shape(0)[0];
  const int64_t height = windows.height.output();
  const int64_t width = windows.width.output();
  absl::Status size = CheckOutputSize(height, width, batches, channels->outputs());
  if (!size.ok()) return size;
  const auto window = static_cast<size_t>(windows.height.window * windows.width.window);
  if (static_cast<size_t>(height * width) > kMaxPointers / window) {
    return Refuse("the windows have too many pixels in all");
  }
  if (!IsPackable(*channels, window)) return Refuse("the filter is too large");
  return Recipe{.outputs = {Images(batches, height, width, channels->outputs())},
                .make =
                    [layer = *layer, windows, channels = *channels, batches](Assembly& assembly) {
                      MakeConvolution(assembly, layer, windows, channels, batches);
                    },
                .packs = {1, 2}};
}

namespace {

// Finds what a transposed convolution cuts off of an output of `size` elements, as the convolution
// of that output would have padded it. `axis.image` is the input's.
void CutAsConvolutionPads(Padding padding, int64_t size, Sliding& axis) {
  const int64_t spread = (axis.image - 1) * axis.stride + axis.window;
  if (padding == Padding::SAME) axis.before = std::max<int64_t>(0, spread - size) / 2;
  axis.after = spread - size - axis.before;
}

// Checks one axis of a transposed convolution and returns the size of its output.
absl::StatusOr<int64_t> TransposedSize(const Sliding& axis) {
  const int64_t spread = (axis.image - 1) * axis.stride + axis.window;
  const int64_t size = spread - axis.before - axis.after;
  if (size < 1) return Refuse("the paddings leave nothing of the output");
  if (-axis.after >= axis.stride) {
    return Refuse("as many rows or columns are added to the output as the stride, or more");
  }
  return size;
}

// Whether XNNPACK would split the filter into parts, one for each remainder of a row or column by
// the stride, some of which begin behind the end of the output. It takes their lengths modulo 2^64
// then, and writes out of bounds.
bool HasPartsBehindTheEnd(const Windows& windows, int64_t height, int64_t width) {
  const bool is_split = std::max(windows.height.stride, windows.width.stride) > 1 &&
                        windows.height.stride <= windows.height.window &&
                        windows.width.stride <= windows.width.window;
  return is_split && (height < windows.height.stride - 1 || width < windows.width.stride - 1);
}

void MakeTransposeConvolution(Assembly& assembly, const Layer& layer, const Windows& windows,
                              const Channels& channels, size_t batches) {
  const Operand& input = layer.input;
  const Operand& filter = layer.filter;
  const Operand& output = layer.output;
  const Range& range = layer.range;
  Windows cut = windows;
  cut.height.after = std::max<int64_t>(0, windows.height.after);
  cut.width.after = std::max<int64_t>(0, windows.width.after);
  const uint32_t added_height = Unsigned(cut.height.after - windows.height.after);
  const uint32_t added_width = Unsigned(cut.width.after - windows.width.after);
  const auto height = static_cast<size_t>(windows.height.image);
  const auto width = static_cast<size_t>(windows.width.image);
  if (layer.arithmetic == Arithmetic::FLOAT32) {
    const auto* weights = assembly.Packed<float>(1);
    const auto* bias = assembly.Packed<float>(2);
    const auto* from = assembly.Input<float>(0);
    auto* to = assembly.Output<float>();
    assembly.Add(
        "deconvolution2d_nhwc_f32",
        [&](xnn_operator_t* made) {
          return CreateConvolution(xnn_create_deconvolution2d_nhwc_f32, cut, channels, made,
                                   weights, bias, range.low, range.high);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_deconvolution2d_nhwc_f32(made, batches, height, width, added_height,
                                                    added_width, from, to, kThisThreadAlone);
        });
    return;
  }
  const auto* weights = assembly.Packed<uint8_t>(1);
  const auto* bias = assembly.Packed<int32_t>(2);
  const auto* from = assembly.Input<uint8_t>(0);
  auto* to = assembly.Output<uint8_t>();
  assembly.Add(
      "deconvolution2d_nhwc_qu8",
      [&](xnn_operator_t* made) {
        return CreateConvolution(xnn_create_deconvolution2d_nhwc_qu8, cut, channels, made,
                                 ZeroPoint(input), input.scale, ZeroPoint(filter), filter.scale,
                                 weights, bias, ZeroPoint(output), output.scale,
                                 range.quantized_low, range.quantized_high);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_deconvolution2d_nhwc_qu8(made, batches, height, width, added_height,
                                                  added_width, from, to, kThisThreadAlone);
      });
}

}  // namespace

absl::StatusOr<Recipe> TransposeConvolution(OperationView& op) {
  const Dimensions& image = op.shape(0);
  const Dimensions& filter = op.shape(1);
  if (image.size() != 4 || filter.size() != 4) {
    return Refuse("input or filter have not 4 dimensions");
  }
  Windows windows;
  windows.height.image = image[1];
  windows.width.image = image[2];
  windows.height.window = filter[1];
  windows.width.window = filter[2];
  const bool is_implicit = IsImplicit(op);
  const std::vector<int32_t> wanted = is_implicit ? op.integers(3) : std::vector<int32_t>();
  OperandReader reader(op, is_implicit ? 4 : 3);
  const Padding padding = reader.ReadPaddingsAndStrides(is_implicit, windows);
  const int32_t activation = reader.integer();
  if (reader.ReadLayout()) return Refuse("the layout is NCHW");
  if (!op.status().ok()) return op.status();
  if (padding == Padding::UNKNOWN) return Refuse("the padding scheme is unknown");
  if (windows.height.stride < 1 || windows.width.stride < 1) return Refuse("a stride is below 1");
  if (windows.height.before < 0 || windows.width.before < 0) return Refuse("a padding is negative");

  const size_t batches = image[0];
  const size_t outputs = filter[0];
  if (is_implicit) {
    if (wanted.size() != 4 || wanted[0] != static_cast<int64_t>(batches) ||
        wanted[3] != static_cast<int64_t>(outputs)) {
      return Refuse("the shape of the output does not fit");
    }
    CutAsConvolutionPads(padding, wanted[1], windows.height);
    CutAsConvolutionPads(padding, wanted[2], windows.width);
  }
  const absl::StatusOr<int64_t> height = TransposedSize(windows.height);
  if (!height.ok()) return height.status();
  const absl::StatusOr<int64_t> width = TransposedSize(windows.width);
  if (!width.ok()) return width.status();
  if (HasPartsBehindTheEnd(windows, *height, *width)) {
    return Refuse("the output is shorter than the stride by two or more");
  }
  absl::Status size = CheckOutputSize(*height, *width, batches, outputs);
  if (!size.ok()) return size;
  const auto window = static_cast<size_t>(windows.height.window * windows.width.window);
  const auto strides = static_cast<size_t>(windows.height.stride * windows.width.stride);
  if (static_cast<size_t>(*height * *width) > kMaxPointers / window || strides > kMaxPointers) {
    return Refuse("the windows have too many pixels in all");
  }
  if (filter[3] != image[3]) return Refuse("the depths of filter and image differ");
  if (image[3] > kMaxChannels || outputs > kMaxChannels) return Refuse("too many channels");
  absl::StatusOr<Layer> layer = CheckLayer(op, outputs, -1);
  if (!layer.ok()) return layer.status();
  const absl::StatusOr<Range> range = RangeOf(activation, op.output());
  if (!range.ok()) return range.status();
  layer->range = *range;
  const Channels channels = {1, image[3], outputs, false};
  if (!IsPackable(channels, window)) return Refuse("the filter is too large");
  return Recipe{.outputs = {Images(batches, *height, *width, outputs)},
                .make =
                    [layer = *layer, windows, channels, batches](Assembly& assembly) {
                      MakeTransposeConvolution(assembly, layer, windows, channels, batches);
                    },
                .packs = {1, 2}};
}

namespace {

void MakeFullyConnected(Assembly& assembly, const Layer& layer, size_t batches, size_t inputs,
                        size_t units) {
  const Operand& input = layer.input;
  const Operand& filter = layer.filter;
  const Operand& output = layer.output;
  const Range& range = layer.range;
  if (layer.arithmetic == Arithmetic::FLOAT32) {
    const auto* weights = assembly.Packed<float>(1);
    const auto* bias = assembly.Packed<float>(2);
    const auto* from = assembly.Input<float>(0);
    auto* to = assembly.Output<float>();
    assembly.Add(
        "fully_connected_nc_f32",
        [&](xnn_operator_t* made) {
          return xnn_create_fully_connected_nc_f32(inputs, units, inputs, units, weights, bias,
                                                   range.low, range.high, 0, made);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_fully_connected_nc_f32(made, batches, from, to, kThisThreadAlone);
        });
    return;
  }
  const auto* weights = assembly.Packed<uint8_t>(1);
  const auto* bias = assembly.Packed<int32_t>(2);
  const auto* from = assembly.Input<uint8_t>(0);
  auto* to = assembly.Output<uint8_t>();
  assembly.Add(
      "fully_connected_nc_qu8",
      [&](xnn_operator_t* made) {
        return xnn_create_fully_connected_nc_qu8(
            inputs, units, inputs, units, ZeroPoint(input), input.scale, ZeroPoint(filter),
            filter.scale, weights, bias, ZeroPoint(output), output.scale, range.quantized_low,
            range.quantized_high, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_fully_connected_nc_qu8(made, batches, from, to, kThisThreadAlone);
      });
}

}  // namespace

absl::StatusOr<Recipe> FullyConnected(OperationView& op) {
  const Dimensions& weights = op.shape(1);
  if (op.shape(0).size() < 2 || weights.size() != 2) return Refuse("a rank does not fit");
  const size_t count = CountElements(op.shape(0));
  const size_t units = weights[0];
  const size_t inputs = weights[1];
  if (count % inputs != 0) return Refuse("the input is not made of rows as long as the weights'");
  const size_t batches = count / inputs;
  if (batches > kMaxElements / units) return Refuse("the output is too large");
  if (!IsPackable({1, inputs, units, false}, 1)) return Refuse("the weights are too large");
  const int32_t activation = op.integer(3);
  if (!op.status().ok()) return op.status();
  absl::StatusOr<Layer> layer = CheckLayer(op, units, -1);
  if (!layer.ok()) return layer.status();
  const absl::StatusOr<Range> range = RangeOf(activation, op.output());
  if (!range.ok()) return range.status();
  layer->range = *range;
  return Recipe{.outputs = {{static_cast<uint32_t>(batches), static_cast<uint32_t>(units)}},
                .make =
                    [layer = *layer, batches, inputs, units](Assembly& assembly) {
                      MakeFullyConnected(assembly, layer, batches, inputs, units);
                    },
                .packs = {1, 2}};
}

}  // namespace nncert::xnnpack
