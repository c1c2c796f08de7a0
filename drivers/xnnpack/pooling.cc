// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D, MEAN and RESIZE_BILINEAR.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "drivers/xnnpack/operations.h"
#include "drivers/xnnpack/rules.h"
#include "drivers/xnnpack/sliding.h"

namespace nncert::xnnpack {
namespace {

using hal::V1_2::Operand;

// A pooling of images, which XNNPACK gets by value.
struct Pool {
  OperationType type;
  Operand input;
  Operand output;
  Windows windows;
  Range range;
  size_t batches = 0;
  size_t channels = 0;

  size_t height() const { return static_cast<size_t>(windows.height.image); }
  size_t width() const { return static_cast<size_t>(windows.width.image); }
  size_t inputElements() const { return batches * height() * width() * channels; }
  size_t outputElements() const {
    return batches * static_cast<size_t>(windows.height.output() * windows.width.output()) *
           channels;
  }
  bool hasOnePixel() const { return windows.height.window * windows.width.window == 1; }
};

uint32_t Unsigned(int64_t value) { return static_cast<uint32_t>(value); }

template <class Create, class... Last>
xnn_status CreateAverage(const Create& create, const Pool& pool, xnn_operator_t* made,
                         Last... last) {
  const auto& [height, width] = pool.windows;
  return create(Unsigned(height.before), Unsigned(width.after), Unsigned(height.after),
                Unsigned(width.before), Unsigned(height.window), Unsigned(width.window),
                Unsigned(height.stride), Unsigned(width.stride), pool.channels, pool.channels,
                pool.channels, last..., 0, made);
}

template <class Create, class... Last>
xnn_status CreateMaximum(const Create& create, const Pool& pool, xnn_operator_t* made,
                         Last... last) {
  const auto& [height, width] = pool.windows;
  return create(Unsigned(height.before), Unsigned(width.after), Unsigned(height.after),
                Unsigned(width.before), Unsigned(height.window), Unsigned(width.window),
                Unsigned(height.stride), Unsigned(width.stride), 1, 1, pool.channels, pool.channels,
                pool.channels, last..., 0, made);
}

void AddClamp(Assembly& assembly, const Range& range, size_t count, const float* from, float* to) {
  assembly.Add(
      "clamp_nc_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_clamp_nc_f32(count, count, count, range.low, range.high, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_clamp_nc_f32(made, 1, from, to, kThisThreadAlone);
      });
}

void AddClamp(Assembly& assembly, const Range& range, size_t count, const uint8_t* from,
              uint8_t* to) {
  assembly.Add(
      "clamp_nc_u8",
      [&](xnn_operator_t* made) {
        return xnn_create_clamp_nc_u8(count, count, count, range.quantized_low,
                                      range.quantized_high, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_clamp_nc_u8(made, 1, from, to, kThisThreadAlone);
      });
}

void AddFloatAverage(Assembly& assembly, const Pool& pool, const Range& range, const float* from,
                     float* to) {
  assembly.Add(
      "average_pooling2d_nhwc_f32",
      [&](xnn_operator_t* made) {
        return CreateAverage(xnn_create_average_pooling2d_nhwc_f32, pool, made, range.low,
                             range.high);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_average_pooling2d_nhwc_f32(made, pool.batches, pool.height(), pool.width(),
                                                    from, to, kThisThreadAlone);
      });
}

void MakeAverage(Assembly& assembly, const Pool& pool) {
  if (!IsQuantized(pool.input)) {
    AddFloatAverage(assembly, pool, pool.range, assembly.Input<float>(0), assembly.Output<float>());
    return;
  }
  const auto* from = assembly.Input<uint8_t>(0);
  auto* to = assembly.Output<uint8_t>();
  assembly.Add(
      "average_pooling2d_nhwc_qu8",
      [&](xnn_operator_t* made) {
        return CreateAverage(xnn_create_average_pooling2d_nhwc_qu8, pool, made,
                             ZeroPoint(pool.input), pool.input.scale, ZeroPoint(pool.output),
                             pool.output.scale, pool.range.quantized_low,
                             pool.range.quantized_high);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_average_pooling2d_nhwc_qu8(made, pool.batches, pool.height(), pool.width(),
                                                    from, to, kThisThreadAlone);
      });
}

void MakeMaximum(Assembly& assembly, const Pool& pool) {
  if (IsQuantized(pool.input)) {
    const auto* from = assembly.Input<uint8_t>(0);
    auto* to = assembly.Output<uint8_t>();
    assembly.Add(
        "max_pooling2d_nhwc_u8",
        [&](xnn_operator_t* made) {
          return CreateMaximum(xnn_create_max_pooling2d_nhwc_u8, pool, made,
                               pool.range.quantized_low, pool.range.quantized_high);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_max_pooling2d_nhwc_u8(made, pool.batches, pool.height(), pool.width(),
                                                 from, to, kThisThreadAlone);
        });
    return;
  }
  const auto* from = assembly.Input<float>(0);
  auto* to = assembly.Output<float>();
  assembly.Add(
      "max_pooling2d_nhwc_f32",
      [&](xnn_operator_t* made) {
        return CreateMaximum(xnn_create_max_pooling2d_nhwc_f32, pool, made, pool.range.low,
                             pool.range.high);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_max_pooling2d_nhwc_f32(made, pool.batches, pool.height(), pool.width(),
                                                from, to, kThisThreadAlone);
      });
}

// The root of the mean of the squares.
void MakeNorm(Assembly& assembly, const Pool& pool) {
  const size_t inputs = pool.inputElements();
  const size_t outputs = pool.outputElements();
  const auto* from = assembly.Input<float>(0);
  auto* to = assembly.Output<float>();
  auto* squares = assembly.Scratch<float>(inputs);
  auto* means = assembly.Scratch<float>(outputs);
  auto* roots = assembly.Scratch<float>(outputs);
  assembly.Add(
      "square_nc_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_square_nc_f32(inputs, inputs, inputs, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_square_nc_f32(made, 1, from, squares, kThisThreadAlone);
      });
  if (pool.hasOnePixel()) {
    means = squares;
  } else {
    AddFloatAverage(assembly, pool, Range(), squares, means);
  }
  assembly.Add(
      "square_root_nc_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_square_root_nc_f32(outputs, outputs, outputs, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_square_root_nc_f32(made, 1, means, roots, kThisThreadAlone);
      });
  AddClamp(assembly, pool.range, outputs, roots, to);
}

void MakePool(Assembly& assembly, const Pool& pool) {
  if (pool.type == OperationType::L2_POOL_2D) {
    MakeNorm(assembly, pool);
  } else if (pool.hasOnePixel()) {
    // XNNPACK finds pooling of single pixels meaningless, and refuses it.
    const size_t count = pool.inputElements();
    if (IsQuantized(pool.input)) {
      AddClamp(assembly, pool.range, count, assembly.Input<uint8_t>(0), assembly.Output<uint8_t>());
    } else {
      AddClamp(assembly, pool.range, count, assembly.Input<float>(0), assembly.Output<float>());
    }
  } else if (pool.type == OperationType::AVERAGE_POOL_2D) {
    MakeAverage(assembly, pool);
  } else {
    MakeMaximum(assembly, pool);
  }
}

bool IsPadded(const Windows& windows) {
  return windows.height.before != 0 || windows.height.after != 0 || windows.width.before != 0 ||
         windows.width.after != 0;
}

// Checks what XNNPACK makes of one axis: a window that lies wholly in the padding has no mean and
// no greatest element, and stacks and tables must stay within bounds.
absl::Status CheckPoolAxis(const Sliding& axis) {
  if (axis.before >= axis.window || axis.after >= axis.window) {
    return Refuse("a padding is as large as the window, or larger");
  }
  if (axis.output() < 1) return Refuse("no window fits into the image");
  if (axis.output() > static_cast<int64_t>(kMaxElements)) return Refuse("the output is too large");
  return absl::OkStatus();
}

absl::Status CheckPool(const Pool& pool) {
  if (absl::Status status = CheckPoolAxis(pool.windows.height); !status.ok()) return status;
  if (absl::Status status = CheckPoolAxis(pool.windows.width); !status.ok()) return status;
  const auto& [height, width] = pool.windows;
  if (pool.hasOnePixel() && (height.stride != 1 || width.stride != 1)) {
    return Refuse("the window has one pixel, and the stride is not 1");
  }
  const auto pixels = static_cast<size_t>(height.output() * width.output());
  const auto window = static_cast<size_t>(height.window * width.window);
  if (window >= (1u << 20) || pixels > kMaxPointers / window) {
    return Refuse("the windows have too many pixels in all");
  }
  if (pool.channels > kMaxChannels) return Refuse("there are too many channels");
  if (pixels * pool.channels > kMaxElements / pool.batches)
    return Refuse("the output is too large");
  if (IsQuantized(pool.input)) {
    if (!AreAlike(pool.input, pool.output)) return Refuse("the output is quantized in another way");
    if (!IsNormalScale(pool.input.scale)) return Refuse("the scale is subnormal");
    if (pool.type == OperationType::AVERAGE_POOL_2D && IsPadded(pool.windows)) {
      return Refuse("XNNPACK counts the padding of quantized images");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Recipe> Pooling(OperationView& op) {
  const Dimensions& image = op.shape(0);
  if (image.size() != 4) return Refuse("the input has not 4 dimensions");
  Pool pool{.type = op.type(),
            .input = op.input(0),
            .output = op.output(),
            .windows = {},
            .range = {},
            .batches = image[0],
            .channels = image[3]};
  Windows& windows = pool.windows;
  windows.height.image = image[1];
  windows.width.image = image[2];
  const bool is_implicit = op.inputCount() <= 8;
  OperandReader reader(op, 1);
  const Padding padding = reader.ReadPaddingsAndStrides(is_implicit, windows);
  windows.width.window = reader.integer();
  windows.height.window = reader.integer();
  const int32_t activation = reader.integer();
  if (reader.ReadLayout()) return Refuse("the layout is NCHW");
  if (absl::Status status = Complete(op, padding, windows); !status.ok()) return status;
  if (absl::Status status = CheckOutput(op, pool.input.type); !status.ok()) return status;
  if (absl::Status status = CheckPool(pool); !status.ok()) return status;
  const absl::StatusOr<Range> range = RangeOf(activation, op.output());
  if (!range.ok()) return range.status();
  pool.range = *range;
  return Recipe{.outputs = {{image[0], Unsigned(windows.height.output()),
                             Unsigned(windows.width.output()), image[3]}},
                .make = [pool](Assembly& assembly) { MakePool(assembly, pool); }};
}

namespace {

// A mean over `width` elements that lie `channels` apart.
struct Average {
  Operand input;
  Operand output;
  size_t batches = 0;
  size_t width = 0;
  size_t channels = 0;
};

void MakeMean(Assembly& assembly, const Average& mean) {
  const size_t channels = mean.channels;
  if (!IsQuantized(mean.input)) {
    const auto* from = assembly.Input<float>(0);
    auto* to = assembly.Output<float>();
    const Range range;
    assembly.Add(
        "global_average_pooling_nwc_f32",
        [&](xnn_operator_t* made) {
          return xnn_create_global_average_pooling_nwc_f32(channels, channels, channels, range.low,
                                                           range.high, 0, made);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_global_average_pooling_nwc_f32(made, mean.batches, mean.width, from, to,
                                                          kThisThreadAlone);
        });
    return;
  }
  const auto* from = assembly.Input<uint8_t>(0);
  auto* to = assembly.Output<uint8_t>();
  assembly.Add(
      "global_average_pooling_nwc_qu8",
      [&](xnn_operator_t* made) {
        return xnn_create_global_average_pooling_nwc_qu8(
            channels, channels, channels, ZeroPoint(mean.input), mean.input.scale,
            ZeroPoint(mean.output), mean.output.scale, 0, 255, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_global_average_pooling_nwc_qu8(made, mean.batches, mean.width, from, to,
                                                        kThisThreadAlone);
      });
}

}  // namespace

absl::StatusOr<Recipe> Mean(OperationView& op) {
  constexpr size_t kMaxWidth = size_t{1} << 20;
  const Dimensions& shape = op.shape(0);
  const std::vector<int32_t> named = op.integers(1);
  const bool keeps_dimensions = op.integer(2) > 0;
  if (!op.status().ok()) return op.status();
  std::set<size_t> axes;
  for (const int32_t name : named) {
    const absl::StatusOr<size_t> axis = AxisOf(name, shape);
    if (!axis.ok()) return axis.status();
    axes.insert(*axis);
  }
  if (axes.empty()) return Refuse("there are no axes");
  const size_t first = *axes.begin();
  const size_t end = *axes.rbegin() + 1;
  if (end - first != axes.size()) return Refuse("the axes do not follow one another");
  Average mean{.input = op.input(0),
               .output = op.output(),
               .batches = CountElements(shape, 0, first),
               .width = CountElements(shape, first, end),
               .channels = CountElements(shape, end, shape.size())};
  if (absl::Status status = CheckOutput(op, mean.input.type); !status.ok()) return status;
  if (IsQuantized(mean.input) && !AreAlike(mean.input, mean.output)) {
    return Refuse("the output is quantized in another way");
  }
  if (IsQuantized(mean.input) && !IsNormalScale(mean.input.scale)) {
    return Refuse("the scale is subnormal");
  }
  if (mean.width >= kMaxWidth) return Refuse("the mean has too many elements");
  if (mean.channels > kMaxChannels) return Refuse("there are too many channels");
  Dimensions output;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!axes.contains(i)) {
      output.push_back(shape[i]);
    } else if (keeps_dimensions) {
      output.push_back(1);
    }
  }
  if (output.empty()) output = {1};
  return Recipe{.outputs = {output},
                .make = [mean](Assembly& assembly) { MakeMean(assembly, mean); }};
}

namespace {

// The size of the output along an axis: a number of pixels, or a factor.
absl::StatusOr<uint32_t> ResizedTo(OperationView& op, size_t number, uint32_t image) {
  // XNNPACK's limit.
  constexpr float kMost = 1 << 24;
  float size = 0;
  if (op.input(number).type == OperandType::FLOAT32) {
    size = std::floor(static_cast<float>(image) * op.real(number));
  } else {
    size = static_cast<float>(op.integer(number));
  }
  if (!op.status().ok()) return op.status();
  if (!(size >= 1 && size < kMost && image < kMost)) return Refuse("a size is out of bounds");
  return static_cast<uint32_t>(size);
}

struct Resizing {
  size_t batches, height, width, new_height, new_width, channels;
};

void MakeResize(Assembly& assembly, const Resizing& to_size, bool is_quantized) {
  if (is_quantized) {
    const auto* from = assembly.Input<uint8_t>(0);
    auto* to = assembly.Output<uint8_t>();
    assembly.Add(
        "resize_bilinear2d_nhwc_u8",
        [&](xnn_operator_t* made) {
          return xnn_create_resize_bilinear2d_nhwc_u8(to_size.channels, to_size.channels,
                                                      to_size.channels,
                                                      XNN_FLAG_TENSORFLOW_LEGACY_MODE, made);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_resize_bilinear2d_nhwc_u8(made, to_size.batches, to_size.height,
                                                     to_size.width, to_size.new_height,
                                                     to_size.new_width, from, to, kThisThreadAlone);
        });
    return;
  }
  const auto* from = assembly.Input<float>(0);
  auto* to = assembly.Output<float>();
  assembly.Add(
      "resize_bilinear2d_nhwc_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_resize_bilinear2d_nhwc_f32(to_size.channels, to_size.channels,
                                                     to_size.channels,
                                                     XNN_FLAG_TENSORFLOW_LEGACY_MODE, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_resize_bilinear2d_nhwc_f32(made, to_size.batches, to_size.height,
                                                    to_size.width, to_size.new_height,
                                                    to_size.new_width, from, to, kThisThreadAlone);
      });
}

}  // namespace

absl::StatusOr<Recipe> ResizeBilinear(OperationView& op) {
  const Dimensions& image = op.shape(0);
  if (image.size() != 4) return Refuse("the input has not 4 dimensions");
  const absl::StatusOr<uint32_t> width = ResizedTo(op, 1, image[2]);
  if (!width.ok()) return width.status();
  const absl::StatusOr<uint32_t> height = ResizedTo(op, 2, image[1]);
  if (!height.ok()) return height.status();
  if (op.inputCount() == 4 && op.flag(3)) return Refuse("the layout is NCHW");
  if (!op.status().ok()) return op.status();
  if (!AreAlike(op.input(0), op.output())) {
    return Refuse("the output has another type or quantization");
  }
  if (size_t{*height} * *width > kMaxPointers / 4) return Refuse("the output has too many pixels");
  const Resizing size = {image[0], image[1], image[2], *height, *width, image[3]};
  return Recipe{.outputs = {{image[0], *height, *width, image[3]}},
                .make = [size, is_quantized = IsQuantized(op.input(0))](Assembly& assembly) {
                  MakeResize(assembly, size, is_quantized);
                }};
}

}  // namespace nncert::xnnpack
