// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operations that only move elements: RESHAPE, SQUEEZE, EXPAND_DIMS, CONCATENATION, SPLIT, PAD,
// PAD_V2, CHANNEL_SHUFFLE and DEPTH_TO_SPACE.

#include <bit>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "drivers/xnnpack/operations.h"
#include "drivers/xnnpack/rules.h"

namespace nncert::xnnpack {
namespace {

// The dimensions that `wanted` gives `count` elements; one of them may be -1, whatever is left.
absl::StatusOr<Dimensions> ReshapedTo(const std::vector<int32_t>& wanted, size_t count) {
  Dimensions dimensions;
  size_t known = 1;
  size_t unknown = wanted.size();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == -1 && unknown == wanted.size()) {
      unknown = i;
      dimensions.push_back(1);
      continue;
    }
    if (wanted[i] < 1 || static_cast<size_t>(wanted[i]) > kMaxElements / known) {
      return Refuse("the shape does not fit the input");
    }
    known *= static_cast<size_t>(wanted[i]);
    dimensions.push_back(static_cast<uint32_t>(wanted[i]));
  }
  if (unknown < wanted.size()) {
    dimensions[unknown] = static_cast<uint32_t>(count / known);
    known *= count / known;
  }
  if (known != count) return Refuse("the shape does not fit the input");
  return dimensions;
}

absl::StatusOr<Dimensions> SqueezedTo(const Dimensions& shape, const std::vector<int32_t>& named) {
  std::set<size_t> axes;
  for (const int32_t name : named) {
    const absl::StatusOr<size_t> axis = AxisOf(name, shape);
    if (!axis.ok()) return axis.status();
    if (shape[*axis] != 1) return Refuse("an axis is longer than 1");
    axes.insert(*axis);
  }
  Dimensions dimensions;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!axes.contains(i)) dimensions.push_back(shape[i]);
  }
  if (dimensions.empty()) return Refuse("no axis is left");
  return dimensions;
}

absl::StatusOr<Dimensions> ExpandedTo(const Dimensions& shape, int32_t name) {
  Dimensions dimensions = shape;
  dimensions.push_back(1);
  const absl::StatusOr<size_t> axis = AxisOf(name, dimensions);
  if (!axis.ok()) return axis.status();
  dimensions = shape;
  dimensions.insert(dimensions.begin() + static_cast<std::ptrdiff_t>(*axis), 1);
  return dimensions;
}

absl::StatusOr<Dimensions> MovedTo(OperationView& op) {
  switch (op.type()) {
    case OperationType::RESHAPE: {
      const std::vector<int32_t> wanted = op.integers(1);
      if (!op.status().ok()) return op.status();
      return ReshapedTo(wanted, CountElements(op.shape(0)));
    }
    case OperationType::SQUEEZE: {
      const std::vector<int32_t> axes = op.integers(1);
      if (!op.status().ok()) return op.status();
      return SqueezedTo(op.shape(0), axes);
    }
    default: {
      const int32_t axis = op.integer(1);
      if (!op.status().ok()) return op.status();
      return ExpandedTo(op.shape(0), axis);
    }
  }
}

// Where an axis lies in memory.
struct Lengths {
  size_t rows;   // the dimensions before the axis
  size_t axis;   // the axis
  size_t inner;  // the dimensions behind it
};

Lengths LengthsAt(const Dimensions& dimensions, size_t axis) {
  return {CountElements(dimensions, 0, axis), dimensions[axis],
          CountElements(dimensions, axis + 1, dimensions.size())};
}

}  // namespace

absl::StatusOr<Recipe> Reshape(OperationView& op) {
  absl::StatusOr<Dimensions> dimensions = MovedTo(op);
  if (!dimensions.ok()) return dimensions.status();
  if (!AreAlike(op.input(0), op.output())) {
    return Refuse("the output has another type or quantization");
  }
  const size_t element = ElementSize(op.input(0));
  const size_t bytes = CountElements(op.shape(0)) * element;
  return Recipe{.outputs = {*std::move(dimensions)}, .make = [element, bytes](Assembly& assembly) {
                  AddCopy(assembly, element, 1, bytes, assembly.Input<uint8_t>(0), bytes,
                          assembly.Output<uint8_t>(), bytes);
                }};
}

absl::StatusOr<Recipe> Concatenation(OperationView& op) {
  const size_t count = op.inputCount() - 1;
  const int32_t name = op.integer(count);
  if (!op.status().ok()) return op.status();
  const absl::StatusOr<size_t> axis = AxisOf(name, op.shape(0));
  if (!axis.ok()) return axis.status();
  Dimensions output = op.shape(0);
  output[*axis] = 0;
  std::vector<size_t> lengths;  // of each input along the axis
  for (size_t i = 0; i < count; ++i) {
    if (!AreAlike(op.input(i), op.output())) {
      return Refuse("an input has another type or quantization than the output");
    }
    Dimensions shape = op.shape(i);
    if (shape.size() != output.size()) return Refuse("the ranks of the inputs differ");
    lengths.push_back(shape[*axis]);
    output[*axis] += shape[*axis];
    if (output[*axis] > kMaxElements) return Refuse("the output is too large");
    shape[*axis] = output[*axis];
    if (shape != output) return Refuse("the dimensions of the inputs differ");
  }
  const size_t element = ElementSize(op.output());
  const auto [rows, length, inner] = LengthsAt(output, *axis);
  const size_t stride = length * inner * element;
  return Recipe{.outputs = {output}, .make = [=, rows = rows, inner = inner](Assembly& assembly) {
                  auto* to = assembly.Output<uint8_t>();
                  for (size_t i = 0; i < lengths.size(); ++i) {
                    const size_t bytes = lengths[i] * inner * element;
                    AddCopy(assembly, element, rows, bytes, assembly.Input<uint8_t>(i), bytes, to,
                            stride);
                    if (to != nullptr) to += bytes;
                  }
                }};
}

absl::StatusOr<Recipe> Split(OperationView& op) {
  const int32_t name = op.integer(1);
  const int32_t count = op.integer(2);
  if (!op.status().ok()) return op.status();
  const absl::StatusOr<size_t> axis = AxisOf(name, op.shape(0));
  if (!axis.ok()) return axis.status();
  const auto parts = static_cast<size_t>(count);
  if (count < 1 || parts != op.outputCount() || op.shape(0)[*axis] % parts != 0) {
    return Refuse("the number of parts does not fit");
  }
  for (size_t i = 0; i < parts; ++i) {
    if (!AreAlike(op.input(0), op.output(i))) {
      return Refuse("an output has another type or quantization");
    }
  }
  Dimensions part = op.shape(0);
  part[*axis] /= static_cast<uint32_t>(parts);
  const size_t element = ElementSize(op.input(0));
  const auto [rows, length, inner] = LengthsAt(part, *axis);
  const size_t bytes = length * inner * element;
  return Recipe{.outputs = std::vector<Dimensions>(parts, part),
                .make = [=, rows = rows](Assembly& assembly) {
                  const auto* from = assembly.Input<uint8_t>(0);
                  for (size_t i = 0; i < parts; ++i) {
                    AddCopy(assembly, element, rows, bytes, from, bytes * parts,
                            assembly.Output<uint8_t>(i), bytes);
                    if (from != nullptr) from += bytes;
                  }
                }};
}

namespace {

// The element that PAD and PAD_V2 pad with, as it is stored.
absl::StatusOr<uint32_t> PaddingElement(OperationView& op) {
  const hal::V1_2::Operand& input = op.input(0);
  if (op.type() == OperationType::PAD) {
    return static_cast<uint32_t>(IsQuantized(input) ? input.zeroPoint : 0);
  }
  if (!IsQuantized(input)) return std::bit_cast<uint32_t>(op.real(2));
  const int32_t step = op.integer(2);
  if (step < 0 || step > 255) return Refuse("the padding is not a step of the input");
  return static_cast<uint32_t>(step);
}

struct Padded {
  std::vector<size_t> shape;
  std::vector<size_t> before;
  std::vector<size_t> after;
  uint32_t element;
};

void MakePad(Assembly& assembly, const Padded& padded, bool is_quantized) {
  const auto* from = assembly.Input<uint8_t>(0);
  auto* to = assembly.Output<uint8_t>();
  const size_t rank = padded.shape.size();
  if (is_quantized) {
    const auto element = static_cast<uint8_t>(padded.element);
    assembly.Add(
        "constant_pad_nd_x8",
        [&](xnn_operator_t* made) { return xnn_create_constant_pad_nd_x8(&element, 0, made); },
        [&](xnn_operator_t made) {
          return xnn_setup_constant_pad_nd_x8(made, rank, padded.shape.data(), padded.before.data(),
                                              padded.after.data(), from, to, kThisThreadAlone);
        });
    return;
  }
  assembly.Add(
      "constant_pad_nd_x32",
      [&](xnn_operator_t* made) {
        return xnn_create_constant_pad_nd_x32(&padded.element, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_constant_pad_nd_x32(made, rank, padded.shape.data(), padded.before.data(),
                                             padded.after.data(), from, to, kThisThreadAlone);
      });
}

}  // namespace

absl::StatusOr<Recipe> Pad(OperationView& op) {
  const Dimensions& shape = op.shape(0);
  const std::vector<int32_t> paddings = op.integers(1);
  const absl::StatusOr<uint32_t> element = PaddingElement(op);
  if (!op.status().ok()) return op.status();
  if (!element.ok()) return element.status();
  if (shape.size() > XNN_MAX_TENSOR_DIMS) return Refuse("the rank is above 6");
  if (op.shape(1) != Dimensions{static_cast<uint32_t>(shape.size()), 2}) {
    return Refuse("the paddings are not [rank, 2]");
  }
  if (!AreAlike(op.input(0), op.output())) {
    return Refuse("the output has another type or quantization");
  }
  Padded padded{
      .shape = {shape.begin(), shape.end()}, .before = {}, .after = {}, .element = *element};
  Dimensions output;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int32_t before = paddings[2 * i];
    const int32_t after = paddings[2 * i + 1];
    if (before < 0 || after < 0) return Refuse("a padding is negative");
    const int64_t length = int64_t{shape[i]} + before + after;
    if (length > static_cast<int64_t>(kMaxElements)) return Refuse("the output is too large");
    padded.before.push_back(static_cast<size_t>(before));
    padded.after.push_back(static_cast<size_t>(after));
    output.push_back(static_cast<uint32_t>(length));
  }
  return Recipe{.outputs = {output},
                .make = [padded, is_quantized = IsQuantized(op.input(0))](Assembly& assembly) {
                  MakePad(assembly, padded, is_quantized);
                }};
}

namespace {

void MakeShuffle(Assembly& assembly, size_t element, size_t rows, size_t groups, size_t channels) {
  const auto* from = assembly.Input<uint8_t>(0);
  auto* to = assembly.Output<uint8_t>();
  const size_t total = groups * channels;
  if (groups == 1) {
    // XNNPACK shuffles two groups or more.
    AddCopy(assembly, element, rows, total * element, from, total * element, to, total * element);
  } else if (element == 1) {
    assembly.Add(
        "channel_shuffle_nc_x8",
        [&](xnn_operator_t* made) {
          return xnn_create_channel_shuffle_nc_x8(groups, channels, total, total, 0, made);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_channel_shuffle_nc_x8(made, rows, from, to, kThisThreadAlone);
        });
  } else {
    assembly.Add(
        "channel_shuffle_nc_x32",
        [&](xnn_operator_t* made) {
          return xnn_create_channel_shuffle_nc_x32(groups, channels, total, total, 0, made);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_channel_shuffle_nc_x32(made, rows, from, to, kThisThreadAlone);
        });
  }
}

}  // namespace

absl::StatusOr<Recipe> ChannelShuffle(OperationView& op) {
  const int32_t groups = op.integer(1);
  const int32_t name = op.integer(2);
  if (!op.status().ok()) return op.status();
  const absl::StatusOr<size_t> axis = AxisOf(name, op.shape(0));
  if (!axis.ok()) return axis.status();
  const auto [rows, length, inner] = LengthsAt(op.shape(0), *axis);
  const auto count = static_cast<size_t>(groups);
  if (inner != 1) return Refuse("the axis is not the last");
  if (groups < 1 || length % count != 0) return Refuse("the groups do not divide the axis");
  if (!AreAlike(op.input(0), op.output())) {
    return Refuse("the output has another type or quantization");
  }
  return Recipe{
      .outputs = {op.shape(0)},
      .make = [element = ElementSize(op.input(0)), rows = rows, count, channels = length / count](
                  Assembly& assembly) { MakeShuffle(assembly, element, rows, count, channels); }};
}

absl::StatusOr<Recipe> DepthToSpace(OperationView& op) {
  const Dimensions& image = op.shape(0);
  if (image.size() != 4) return Refuse("the input has not 4 dimensions");
  const int32_t size = op.integer(1);
  if (op.inputCount() == 3 && op.flag(2)) return Refuse("the layout is NCHW");
  if (!op.status().ok()) return op.status();
  const auto block = static_cast<uint32_t>(size);
  // A block is no larger than the square root of the depth.
  if (size < 1 || uint64_t{block} * block > image[3] || image[3] % (block * block) != 0) {
    return Refuse("the block does not divide the depth");
  }
  if (absl::Status status = CheckOutput(op, op.input(0).type); !status.ok()) return status;
  const size_t depth = image[3] / (block * block);
  const size_t count = CountElements(image);
  return Recipe{
      .outputs = {{image[0], image[1] * block, image[2] * block, static_cast<uint32_t>(depth)}},
      .make = [image, block, depth, count](Assembly& assembly) {
        const auto* from = assembly.Input<uint8_t>(0);
        auto* to = assembly.Output<uint8_t>();
        if (block == 1) {
          // XNNPACK's blocks have two rows or more.
          AddCopy(assembly, sizeof(float), 1, count * sizeof(float), from, count * sizeof(float),
                  to, count * sizeof(float));
          return;
        }
        assembly.Add(
            "depth_to_space_nhwc_x32",
            [&](xnn_operator_t* made) {
              return xnn_create_depth_to_space_nhwc_x32(depth, image[3], depth, block, 0, made);
            },
            [&](xnn_operator_t made) {
              return xnn_setup_depth_to_space_nhwc_x32(made, image[0], image[1], image[2], from, to,
                                                       kThisThreadAlone);
            });
      }};
}

}  // namespace nncert::xnnpack
