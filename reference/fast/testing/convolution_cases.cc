// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases of convolutions and poolings.

#include <limits>

#include "absl/strings/str_cat.h"
#include "reference/fast/testing/case_values.h"
#include "reference/fast/testing/fast_cases.h"
#include "reference/ops/common/image.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;

// A window over images, and what is done with it. For a depthwise convolution depth_out is a
// multiple of depth_in; in a transposed one the window is over the output.
struct Sizes {
  uint32_t batches = 1;
  uint32_t height = 5;
  uint32_t width = 6;
  uint32_t depth_in = 8;
  uint32_t depth_out = 8;
  uint32_t filter_height = 3;
  uint32_t filter_width = 3;
  int32_t stride_height = 1;
  int32_t stride_width = 1;
  int32_t dilation_height = 1;
  int32_t dilation_width = 1;
  int32_t left = 1;
  int32_t right = 1;
  int32_t top = 1;
  int32_t bottom = 1;
  int32_t groups = 1;
  bool is_nchw = false;
  int32_t activation = 0;
  bool is_constant = true;  // whether weights are
};

// What no convolution but a certain one can have.
bool IsDilated(const Sizes& sizes) { return sizes.dilation_height * sizes.dilation_width > 1; }

std::vector<uint32_t> Image(const Sizes& sizes, uint32_t height, uint32_t width, uint32_t depth) {
  if (sizes.is_nchw) return {sizes.batches, depth, height, width};
  return {sizes.batches, height, width, depth};
}

uint32_t LengthOf(OperationType operation, const WindowAxis& axis) {
  if (operation != OperationType::TRANSPOSE_CONV_2D) {
    return static_cast<uint32_t>(axis.Positions());
  }
  return static_cast<uint32_t>((axis.image - 1) * axis.stride + axis.filter - axis.padding_head -
                               axis.padding_tail);
}

OperandSpec OutputOf(OperationType operation, OperandType type, const Sizes& sizes, size_t terms) {
  const WindowAxis vertical = {sizes.height,          sizes.filter_height, sizes.stride_height,
                               sizes.dilation_height, sizes.top,           sizes.bottom};
  const WindowAxis horizontal = {sizes.width,          sizes.filter_width, sizes.stride_width,
                                 sizes.dilation_width, sizes.left,         sizes.right};
  return TensorOf(
      type,
      Image(sizes, LengthOf(operation, vertical), LengthOf(operation, horizontal), sizes.depth_out),
      0.05F * std::sqrt(static_cast<float>(terms)), 70);
}

// What takes the place of a number in the middle, where it is not 0.
struct Odd {
  double image = 0;
  double weight = 0;
  double bias = 0;
};

FastCase Convolution(OperationType operation, OperandType type, OperandType filter_type,
                     const Sizes& sizes, const std::string& name, const Odd& odd = {}) {
  const bool is_depthwise = operation == OperationType::DEPTHWISE_CONV_2D;
  const uint32_t depth_of_filter =
      is_depthwise ? 1 : sizes.depth_in / static_cast<uint32_t>(sizes.groups);
  const size_t terms = size_t{sizes.filter_height} * sizes.filter_width * depth_of_filter;
  ModelBuilder builder;
  const OperandSpec input = TensorOf(type, Image(sizes, sizes.height, sizes.width, sizes.depth_in));
  OperandSpec filter = TensorOf(
      type,
      is_depthwise
          ? std::vector<uint32_t>{1, sizes.filter_height, sizes.filter_width, sizes.depth_out}
          : std::vector<uint32_t>{sizes.depth_out, sizes.filter_height, sizes.filter_width,
                                  depth_of_filter},
      0.011F, 131);
  OperandSpec bias = {type == kQuant8 ? kInt32 : type, {sizes.depth_out}};
  if (filter_type == kPerChannel) {
    filter = {kPerChannel, filter.dimensions};
    std::vector<float> scales;
    for (uint32_t c = 0; c < sizes.depth_out; ++c) {
      scales.push_back(0.01F + 0.003F * static_cast<float>(c % 7));
    }
    filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{scales, is_depthwise ? 3U : 0U};
  } else if (type == kQuant8) {
    bias.scale = input.scale * filter.scale;
  }
  std::vector<std::vector<double>> values = {ValuesFor(input, 1)};
  std::vector<double> weights = ValuesFor(filter, 2);
  std::vector<double> biases = ValuesFor(bias, 3);
  for (const auto& [numbers, number] :
       {std::pair(&values[0], odd.image), {&weights, odd.weight}, {&biases, odd.bias}}) {
    if (number != 0) (*numbers)[numbers->size() / 2] = number;
  }
  std::vector<uint32_t> inputs = {builder.Input(input)};
  if (sizes.is_constant) {
    inputs.push_back(builder.Constant(filter, weights));
    inputs.push_back(builder.Constant(bias, biases));
  } else {
    inputs.push_back(builder.Input(filter));
    inputs.push_back(builder.Input(bias));
    values.push_back(weights);
    values.push_back(biases);
  }
  for (const int32_t scalar : {sizes.left, sizes.right, sizes.top, sizes.bottom, sizes.stride_width,
                               sizes.stride_height}) {
    inputs.push_back(builder.Int32(scalar));
  }
  if (is_depthwise) {
    inputs.push_back(builder.Int32(static_cast<int32_t>(sizes.depth_out / sizes.depth_in)));
  }
  if (operation == OperationType::GROUPED_CONV_2D) inputs.push_back(builder.Int32(sizes.groups));
  inputs.push_back(builder.Int32(sizes.activation));
  inputs.push_back(builder.Bool(sizes.is_nchw));
  if (IsDilated(sizes)) {
    inputs.push_back(builder.Int32(sizes.dilation_width));
    inputs.push_back(builder.Int32(sizes.dilation_height));
  }
  builder.Operation(operation, inputs, {builder.Output(OutputOf(operation, type, sizes, terms))});
  return {name, builder.model(), values};
}

FastCase Pooling(OperationType operation, OperandType type, const Sizes& sizes,
                 const std::string& name) {
  ModelBuilder builder;
  const OperandSpec input = TensorOf(type, Image(sizes, sizes.height, sizes.width, sizes.depth_in));
  OperandSpec output = OutputOf(operation, type, sizes, 1);
  output.scale = input.scale;
  output.zeroPoint = input.zeroPoint;
  std::vector<uint32_t> inputs = {builder.Input(input)};
  for (const int32_t scalar : {sizes.left, sizes.right, sizes.top, sizes.bottom, sizes.stride_width,
                               sizes.stride_height, static_cast<int32_t>(sizes.filter_width),
                               static_cast<int32_t>(sizes.filter_height), sizes.activation}) {
    inputs.push_back(builder.Int32(scalar));
  }
  inputs.push_back(builder.Bool(sizes.is_nchw));
  builder.Operation(operation, inputs, {builder.Output(output)});
  return {name, builder.model(), {ValuesFor(input, 1)}};
}

// The sizes that tell one thing from another: strides, dilations and paddings that differ by
// direction, remainders of vectors, several batches, several pieces of work.
std::vector<Sizes> AllSizes() {
  return {
      {},
      {.filter_height = 1, .filter_width = 1, .left = 0, .right = 0, .top = 0, .bottom = 0},
      {.depth_in = 3, .depth_out = 33, .is_constant = false},
      {.depth_in = 3,
       .depth_out = 3,
       .filter_height = 1,
       .filter_width = 1,
       .left = 0,
       .right = 0,
       .top = 0,
       .bottom = 0},
      {.batches = 2,
       .height = 9,
       .width = 7,
       .depth_in = 18,
       .depth_out = 18,
       .stride_height = 2,
       .stride_width = 3,
       .activation = 1},
      {.height = 11,
       .width = 12,
       .depth_in = 9,
       .depth_out = 9,
       .dilation_height = 2,
       .dilation_width = 3,
       .left = 4,
       .right = 0,
       .top = 3,
       .bottom = 2},
      {.batches = 2, .depth_in = 10, .depth_out = 20, .top = 2, .is_nchw = true, .activation = 2},
      {.depth_in = 2,
       .depth_out = 6,
       .filter_width = 4,
       .left = 0,
       .right = 3,
       .is_nchw = true,
       .is_constant = false},
      {.batches = 3, .height = 21, .width = 22, .depth_in = 12, .depth_out = 36, .activation = 3},
      {.height = 40, .width = 41, .depth_in = 2, .depth_out = 4},
      {.batches = 2,
       .height = 40,
       .width = 33,
       .depth_in = 34,
       .depth_out = 34,
       .is_constant = false},
      {.height = 12,
       .width = 13,
       .depth_in = 16,
       .depth_out = 16,
       .filter_height = 5,
       .filter_width = 2,
       .stride_height = 3,
       .left = 0,
       .right = 0,
       .top = 4,
       .bottom = 0},
      // Of a transposed convolution, some windows have no taps.
      {.depth_in = 6,
       .depth_out = 6,
       .filter_height = 2,
       .filter_width = 1,
       .stride_height = 3,
       .stride_width = 4,
       .left = 0,
       .right = 0,
       .top = 0,
       .bottom = 0},
      {.batches = 2,
       .height = 10,
       .width = 11,
       .depth_in = 3,
       .depth_out = 9,
       .stride_height = 2,
       .stride_width = 2,
       .left = 0,
       .top = 0},
      {.height = 11,
       .width = 12,
       .depth_in = 2,
       .depth_out = 4,
       .dilation_height = 2,
       .dilation_width = 3,
       .left = 4,
       .right = 0,
       .top = 3,
       .bottom = 2},
      {.height = 3,
       .width = 130,
       .depth_in = 65,
       .depth_out = 65,
       .filter_height = 2,
       .filter_width = 1,
       .left = 0,
       .right = 0,
       .top = 0,
       .bottom = 0},
      // Strides that leave pixels out at the right.
      {.batches = 2,
       .height = 5,
       .width = 10,
       .depth_in = 11,
       .depth_out = 22,
       .filter_height = 2,
       .filter_width = 2,
       .stride_height = 2,
       .stride_width = 3,
       .left = 0,
       .right = 0,
       .top = 0},
  };
}

bool HasMultiple(const Sizes& sizes) { return sizes.depth_out % sizes.depth_in == 0; }

}  // namespace

std::vector<FastCase> ConvolutionCases() {
  std::vector<FastCase> cases;
  const std::vector<Sizes> all = AllSizes();
  const std::pair<OperandType, OperandType> kTypes[] = {
      {kFloat32, kFloat32}, {kFloat16, kFloat16}, {kQuant8, kQuant8}, {kQuant8, kPerChannel}};
  for (size_t i = 0; i < all.size(); ++i) {
    for (const auto& [type, filter_type] : kTypes) {
      const std::string name = absl::StrCat(i, type == kFloat32             ? "_float32"
                                               : type == kFloat16           ? "_float16"
                                               : filter_type == kPerChannel ? "_per_channel"
                                                                            : "_quant8");
      Sizes sizes = all[i];
      cases.push_back(Convolution(OperationType::CONV_2D, type, filter_type, sizes,
                                  absl::StrCat("conv_2d_", name)));
      if (HasMultiple(sizes)) {
        cases.push_back(Convolution(OperationType::DEPTHWISE_CONV_2D, type, filter_type, sizes,
                                    absl::StrCat("depthwise_conv_2d_", name)));
      }
      if (IsDilated(sizes)) continue;
      sizes.groups = sizes.depth_in % 3 == 0 ? 3 : sizes.depth_in % 2 == 0 ? 2 : 1;
      cases.push_back(Convolution(OperationType::GROUPED_CONV_2D, type, filter_type, sizes,
                                  absl::StrCat("grouped_conv_2d_", name)));
      sizes.groups = 1;
      cases.push_back(Convolution(OperationType::TRANSPOSE_CONV_2D, type, filter_type, sizes,
                                  absl::StrCat("transpose_conv_2d_", name)));
      if (filter_type == kPerChannel) continue;
      sizes.depth_out = sizes.depth_in;
      for (const OperationType operation :
           {OperationType::AVERAGE_POOL_2D, OperationType::MAX_POOL_2D}) {
        cases.push_back(
            Pooling(operation, type, sizes,
                    absl::StrCat(operation == OperationType::MAX_POOL_2D ? "max" : "average",
                                 "_pool_2d_", name)));
        cases.back().has_sums = operation == OperationType::AVERAGE_POOL_2D;
      }
    }
  }
  // More padding beside the images than images.
  const Sizes narrow = {.height = 4,
                        .width = 1,
                        .depth_in = 7,
                        .depth_out = 7,
                        .filter_width = 9,
                        .left = 8,
                        .right = 8};
  for (const auto& [type, filter_type] : kTypes) {
    cases.push_back(
        Convolution(OperationType::DEPTHWISE_CONV_2D, type, filter_type, narrow,
                    absl::StrCat("depthwise_conv_2d_narrow_", static_cast<int>(filter_type))));
  }
  // What kernels decline: numbers that no sum in single precision bounds, too many terms.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const OperationType kBoth[] = {OperationType::CONV_2D, OperationType::DEPTHWISE_CONV_2D};
  for (const OperationType operation : kBoth) {
    const std::string name = operation == OperationType::CONV_2D ? "conv_2d" : "depthwise_conv_2d";
    const std::pair<std::string, Odd> kOdd[] = {
        {"infinite_image", {.image = kInfinity}}, {"large_image", {.image = 1e30}},
        {"tiny_image", {.image = 1e-40}},         {"large_weight", {.weight = 1e30}},
        {"subnormal_weight", {.weight = 1e-40}},  {"infinite_weight", {.weight = kInfinity}},
        {"infinite_bias", {.bias = kInfinity}}};
    for (const auto& [what, odd] : kOdd) {
      cases.push_back(
          Convolution(operation, kFloat32, kFloat32, all[0], absl::StrCat(name, "_", what), odd));
    }
    // Beside these, no sum of 32 bits holds what the products add up to.
    for (const double bias : {2147483647.0, -2147483648.0}) {
      for (const OperandType filter : {kQuant8, kPerChannel}) {
        cases.push_back(Convolution(operation, kQuant8, filter, all[0],
                                    absl::StrCat(name, bias > 0 ? "_greatest" : "_least", "_bias_",
                                                 static_cast<int>(filter)),
                                    {.bias = bias}));
      }
    }
    const Sizes wide = {.height = 150,
                        .width = 140,
                        .depth_in = 1,
                        .depth_out = 1,
                        .filter_height = 140,
                        .filter_width = 129};
    for (const OperandType type : {kFloat32, kQuant8}) {
      cases.push_back(Convolution(operation, type, type, wide,
                                  absl::StrCat(name, "_wide_", type == kQuant8 ? "q" : "f")));
    }
  }
  const Sizes deep = {.height = 2,
                      .width = 1,
                      .depth_in = 33000,
                      .depth_out = 3,
                      .filter_height = 1,
                      .filter_width = 1,
                      .left = 0,
                      .right = 0,
                      .top = 0,
                      .bottom = 0};
  for (const OperandType type : {kFloat32, kQuant8}) {
    cases.push_back(Convolution(OperationType::CONV_2D, type, type, deep,
                                absl::StrCat("conv_2d_deep_", type == kQuant8 ? "q" : "f")));
  }
  const Sizes huge = {.height = 260,
                      .width = 270,
                      .depth_in = 1,
                      .depth_out = 1,
                      .filter_height = 257,
                      .filter_width = 258};
  cases.push_back(Pooling(OperationType::AVERAGE_POOL_2D, kQuant8, huge, "average_pool_huge"));
  cases.push_back(Pooling(OperationType::MAX_POOL_2D, kQuant8, huge, "max_pool_huge"));
  Sizes empty = all[0];
  empty.batches = 0;
  for (const auto& [type, filter_type] : kTypes) {
    cases.push_back(Convolution(OperationType::CONV_2D, type, filter_type, empty,
                                absl::StrCat("conv_2d_empty_", static_cast<int>(filter_type))));
    if (filter_type == kPerChannel) continue;
    cases.push_back(Pooling(OperationType::AVERAGE_POOL_2D, type, empty,
                            absl::StrCat("average_pool_empty_", static_cast<int>(type))));
  }
  return cases;
}

}  // namespace nncert
