// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Batches of images and the windows that slide over them: what convolutions and poolings share.
//
// Formulas: types.hal 1.2 (CONV_2D, AVERAGE_POOL_2D) for the meaning of paddings, strides, dilation
// and layout. The documentation does not say how SAME divides its padding: as everywhere since
// TensorFlow, the smaller half comes first.

#ifndef NNCERT_REFERENCE_OPS_COMMON_IMAGE_H_
#define NNCERT_REFERENCE_OPS_COMMON_IMAGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "reference/kernel.h"
#include "reference/operation_definition.h"
#include "reference/tensor.h"

namespace nncert {

/// The sizes of a batch of images, and where their elements stand in a tensor: [batches, height,
/// width, depth] (NHWC), or [batches, depth, height, width] (NCHW).
struct ImageSizes {
  size_t batches = 0;
  size_t height = 0;
  size_t width = 0;
  size_t depth = 0;
  bool is_nchw = false;

  /// The number of pixels of the whole batch.
  size_t Pixels() const { return batches * height * width; }
  /// How far apart the channels of one pixel stand.
  size_t ChannelStride() const { return is_nchw ? height * width : 1; }
  /// Where channel 0 of a pixel stands; pixels are counted in the order batch, row, column.
  size_t PixelOffset(size_t pixel) const {
    if (!is_nchw) return pixel * depth;
    const size_t pixels_per_image = height * width;
    return pixel / pixels_per_image * pixels_per_image * depth + pixel % pixels_per_image;
  }
};

/// The sizes of images in a tensor of rank 4.
ImageSizes ImageSizesOf(const Shape& dimensions, bool is_nchw);

/// The dimensions of the tensor that holds a batch of images.
Shape ImageDimensions(uint32_t batches, uint32_t height, uint32_t width, uint32_t depth,
                      bool is_nchw);

/// A window that slides along one axis of an image. In a valid operation every number is within
/// 2^32, so the arithmetic below cannot overflow.
struct WindowAxis {
  int64_t image = 1;         ///< length of the image
  int64_t filter = 1;        ///< number of taps
  int64_t stride = 1;        ///< from one position to the next, in elements of the image
  int64_t dilation = 1;      ///< from one tap to the next, in elements of the image
  int64_t padding_head = 0;  ///< elements before the image (left or top)
  int64_t padding_tail = 0;  ///< elements behind it (right or bottom)

  /// How much of the padded image the filter covers.
  int64_t Span() const { return (filter - 1) * dilation + 1; }
  /// The number of positions, which is the length of the output: those where the filter is wholly
  /// inside the padded image. That image must not be smaller than Span().
  int64_t Positions() const { return (image + padding_head + padding_tail - Span()) / stride + 1; }
  /// Where tap `tap` of the filter stands in the image at a position in [0, Positions()): outside
  /// of it where that is below 0, or not below `image`.
  int64_t PlaceOf(int64_t position, int64_t tap) const {
    return position * stride + tap * dilation - padding_head;
  }
};

/// A window that slides over an image.
struct Window {
  WindowAxis vertical;
  WindowAxis horizontal;
};

/// The implicit paddings of the HAL (types.hal 1.0, CONV_2D). NONE pads nothing, as VALID does.
enum class PaddingScheme : int32_t { kNone = 0, kSame = 1, kValid = 2 };

/// Sets the paddings of `axis` by the scheme: under SAME the output has length ceil(image /
/// stride), and the paddings are the least that make it so, the smaller half first.
void SetImplicitPadding(PaddingScheme scheme, WindowAxis& axis);

/// The input slots that describe a window; -1 for those that an operation does not have. The size
/// of the filter is either that of a tensor [_, height, width, _] or given by two scalars; the
/// padding is given by four scalars or by a scheme, whichever is filled.
struct WindowSlots {
  int input = 0;
  int filter = -1;
  int filter_width = -1;
  int filter_height = -1;
  int padding_left = -1;
  int padding_right = -1;
  int padding_top = -1;
  int padding_bottom = -1;
  int padding_scheme = -1;
  int stride_width = -1;
  int stride_height = -1;
  int dilation_width = -1;
  int dilation_height = -1;
  int layout = -1;

  /// Whether the taps of the filter may be apart.
  constexpr bool HasDilation() const { return dilation_width >= 0; }
  /// The slots among these that the operation has: those of values that position the window (all
  /// but layout), or of paddings alone, and of the filter's tensor.
  std::vector<int> WindowValues() const;
  std::vector<int> PaddingValues() const;
  std::vector<int> FilterTensor() const;
};

/// The window that the operation describes. Strides must be above 0.
Window WindowOf(const OperationContext& context, const WindowSlots& slots);

/// The sizes of the input images of the operation.
ImageSizes InputImagesOf(const OperationContext& context, const WindowSlots& slots);

/// The dimensions of the output: one pixel of `depth` channels for each position of the window.
/// InvalidArgument when a dimension would not fit 32 bits.
absl::StatusOr<Shape> WindowedShape(const OperationContext& context, const WindowSlots& slots,
                                    uint32_t depth);

// ---- Operand rules ----

/// The rules of paddingLeft, paddingRight, paddingTop and paddingBottom, paddingScheme, strideWidth
/// and strideHeight, in this order.
std::vector<OperandRule> WindowRules(const WindowSlots& slots);
/// The rules of dilationWidth and dilationHeight, which may be left out, but not one without the
/// other. Since HAL 1.2.
std::vector<OperandRule> DilationRules();
/// The rule of an INT32 scalar that is a PaddingScheme.
OperandRule PaddingSchemeScalar();
/// The rule of an INT32 scalar that is a stride along "width" or "height".
OperandRule StrideScalar(std::string_view name, std::string_view axis);
/// The rule of an INT32 scalar that is the width or height of a filter.
OperandRule FilterSizeScalar(std::string_view name);

// ---- Constraints ----
// What they decide, in one place for all operations; a definition takes them by templates over its
// slots. What presumes that another holds (a padding is compared to a filter that has a size) does
// not judge where the other does not.

bool ImagesAreNotEmpty(const OperationContext& context, const WindowSlots& slots);
bool FilterIsNotEmpty(const OperationContext& context, const WindowSlots& slots);
bool PaddingSchemeIsKnown(const OperationContext& context, const WindowSlots& slots);
bool StridesArePositive(const OperationContext& context, const WindowSlots& slots);
bool DilationsArePositive(const OperationContext& context, const WindowSlots& slots);
bool PaddingsAreBelowSpan(const OperationContext& context, const WindowSlots& slots);
bool FilterFitsPaddedImage(const OperationContext& context, const WindowSlots& slots);

/// Height, width and depth of the input are above 0; the batch may be empty since HAL 1.2.
template <WindowSlots kSlots>
Constraint ImagesConstraint() {
  return Constraint("every dimension of the input is above 0, except batches since HAL 1.2",
                    {.shapes = {kSlots.input}}, [](const OperationContext& context) {
                      return ImagesAreNotEmpty(context, kSlots);
                    });
}

/// The filter has a size.
template <WindowSlots kSlots>
Constraint FilterConstraint() {
  if constexpr (kSlots.filter >= 0) {
    return Constraint(
        "every dimension of the filter is above 0", {.shapes = {kSlots.filter}},
        [](const OperationContext& context) { return FilterIsNotEmpty(context, kSlots); });
  } else {
    return Constraint(
        "filterWidth and filterHeight are above 0",
        {.values = {kSlots.filter_width, kSlots.filter_height}},
        [](const OperationContext& context) { return FilterIsNotEmpty(context, kSlots); });
  }
}

/// The implicit padding is one of the three.
template <WindowSlots kSlots>
Constraint PaddingSchemeConstraint() {
  return Constraint(
      "paddingScheme is 0, 1 or 2", {.values = {kSlots.padding_scheme}},
      [](const OperationContext& context) { return PaddingSchemeIsKnown(context, kSlots); });
}

/// The window moves.
template <WindowSlots kSlots>
Constraint StrideConstraint() {
  return Constraint(
      "strideWidth and strideHeight are above 0",
      {.values = {kSlots.stride_width, kSlots.stride_height}},
      [](const OperationContext& context) { return StridesArePositive(context, kSlots); });
}

/// The taps of the filter are apart.
template <WindowSlots kSlots>
Constraint DilationConstraint() {
  return Constraint(
      "dilationWidth and dilationHeight are above 0",
      {.values = {kSlots.dilation_width, kSlots.dilation_height}},
      [](const OperationContext& context) { return DilationsArePositive(context, kSlots); });
}

/// Explicit paddings are such that every window has a tap inside the image. (The documentation is
/// silent; Android's own implementation demands it.)
template <WindowSlots kSlots>
Constraint PaddingConstraint() {
  return Constraint(
      kSlots.HasDilation() ? "each padding is at least 0 and less than the filter with its dilation"
                           : "each padding is at least 0 and less than the filter",
      {.shapes = kSlots.FilterTensor(), .values = kSlots.PaddingValues()},
      [](const OperationContext& context) { return PaddingsAreBelowSpan(context, kSlots); });
}

/// There is at least one position for the window.
template <WindowSlots kSlots>
Constraint WindowFitsConstraint() {
  std::vector<int> shapes = kSlots.FilterTensor();
  shapes.push_back(kSlots.input);
  std::vector<int> values = kSlots.WindowValues();
  values.push_back(kSlots.layout);
  return Constraint(
      kSlots.HasDilation() ? "the filter with its dilation is not greater than the padded image"
                           : "the filter is not greater than the padded image",
      {.shapes = shapes, .values = values},
      [](const OperationContext& context) { return FilterFitsPaddedImage(context, kSlots); });
}

/// What paddings, strides and dilations may be, the latter where the operation has them.
template <WindowSlots kSlots>
std::vector<Constraint> WindowConstraints() {
  std::vector<Constraint> constraints = {PaddingSchemeConstraint<kSlots>(),
                                         StrideConstraint<kSlots>()};
  if constexpr (kSlots.HasDilation()) constraints.push_back(DilationConstraint<kSlots>());
  constraints.push_back(PaddingConstraint<kSlots>());
  constraints.push_back(WindowFitsConstraint<kSlots>());
  return constraints;
}

// ---- Kernels ----

/// Images in the order of their tensor, by coordinates. T is const for those that are read.
template <class T>
struct Images {
  ImageSizes sizes;
  T* elements = nullptr;

  /// Whether there is a pixel in `row` and `column`.
  bool Contains(int64_t row, int64_t column) const {
    return row >= 0 && row < static_cast<int64_t>(sizes.height) && column >= 0 &&
           column < static_cast<int64_t>(sizes.width);
  }
  /// An element of a pixel that there is.
  T& At(size_t batch, size_t row, size_t column, size_t channel) const {
    return sizes.is_nchw
               ? elements[((batch * sizes.depth + channel) * sizes.height + row) * sizes.width +
                          column]
               : elements[((batch * sizes.height + row) * sizes.width + column) * sizes.depth +
                          channel];
  }
  /// Adds `weight` times an element to `sum`: one that is zero where there is no such pixel.
  template <class Accumulator>
  void AddProduct(Accumulator& sum, const T& weight, size_t batch, int64_t row, int64_t column,
                  size_t channel) const {
    if (!Contains(row, column)) return sum.AddZeroTimes(weight);
    sum.MultiplyAdd(weight,
                    At(batch, static_cast<size_t>(row), static_cast<size_t>(column), channel));
  }
};

/// The images in a tensor of rank 4.
template <class T>
Images<T> ImagesIn(const TensorView<T>& tensor, bool is_nchw) {
  return {ImageSizesOf(tensor.dimensions, is_nchw), tensor.data};
}

/// Calls visit(batch, row, column) for every pixel.
template <class Visitor>
void ForEachPixel(const ImageSizes& sizes, Visitor visit) {
  for (size_t batch = 0; batch < sizes.batches; ++batch) {
    for (size_t row = 0; row < sizes.height; ++row) {
      for (size_t column = 0; column < sizes.width; ++column) visit(batch, row, column);
    }
  }
}

/// Calls visit(i, j, row, column) for every tap of the filter of `window`, in row i and column j of
/// it, with the place in the image that it is over at position (y, x); which may be outside.
template <class Visitor>
void ForEachTap(const Window& window, size_t y, size_t x, Visitor visit) {
  for (int64_t i = 0; i < window.vertical.filter; ++i) {
    for (int64_t j = 0; j < window.horizontal.filter; ++j) {
      visit(static_cast<size_t>(i), static_cast<size_t>(j),
            window.vertical.PlaceOf(static_cast<int64_t>(y), i),
            window.horizontal.PlaceOf(static_cast<int64_t>(x), j));
    }
  }
}

/// The elements of input images in NHWC order, whatever their layout in the tensor.
template <class A>
const typename A::Number* NhwcElements(KernelContext<A>& context, int slot,
                                       const ImageSizes& sizes) {
  const auto input = context.Input(slot);
  if (!sizes.is_nchw) return input.data;
  typename A::Number* elements = context.Scratch(input.size);
  const size_t stride = sizes.ChannelStride();
  for (size_t pixel = 0; pixel < sizes.Pixels(); ++pixel) {
    const auto* from = input.data + sizes.PixelOffset(pixel);
    auto* to = elements + pixel * sizes.depth;
    for (size_t channel = 0; channel < sizes.depth; ++channel) to[channel] = from[channel * stride];
  }
  return elements;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_IMAGE_H_
