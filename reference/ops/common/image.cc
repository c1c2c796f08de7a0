// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/image.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

// The value of an INT32 slot, 1 when the operation has no such slot or it is not filled.
int64_t ValueOrOne(const OperationContext& context, int slot) {
  return slot < 0 ? 1 : context.Int32(slot, 1);
}

std::vector<int> ExistingOf(std::initializer_list<int> slots) {
  std::vector<int> existing;
  for (const int slot : slots) {
    if (slot >= 0) existing.push_back(slot);
  }
  return existing;
}

// The window without its paddings and the image.
Window FilterOf(const OperationContext& context, const WindowSlots& slots) {
  Window window;
  if (slots.filter >= 0) {
    const Shape& filter = context.Input(slots.filter).dimensions;
    window.vertical.filter = filter[1];
    window.horizontal.filter = filter[2];
  } else {
    window.vertical.filter = context.Int32(slots.filter_height);
    window.horizontal.filter = context.Int32(slots.filter_width);
  }
  window.vertical.dilation = ValueOrOne(context, slots.dilation_height);
  window.horizontal.dilation = ValueOrOne(context, slots.dilation_width);
  return window;
}

bool HasExplicitPadding(const OperationContext& context, const WindowSlots& slots) {
  return context.Has(slots.padding_left);
}

bool IsPaddingBelowSpan(const WindowAxis& axis) {
  return axis.padding_head >= 0 && axis.padding_head < axis.Span() && axis.padding_tail >= 0 &&
         axis.padding_tail < axis.Span();
}

void SetExplicitPadding(const OperationContext& context, const WindowSlots& slots, Window& window) {
  window.vertical.padding_head = context.Int32(slots.padding_top);
  window.vertical.padding_tail = context.Int32(slots.padding_bottom);
  window.horizontal.padding_head = context.Int32(slots.padding_left);
  window.horizontal.padding_tail = context.Int32(slots.padding_right);
}

}  // namespace

ImageSizes ImageSizesOf(const Shape& dimensions, bool is_nchw) {
  if (is_nchw) return {dimensions[0], dimensions[2], dimensions[3], dimensions[1], true};
  return {dimensions[0], dimensions[1], dimensions[2], dimensions[3], false};
}

Shape ImageDimensions(uint32_t batches, uint32_t height, uint32_t width, uint32_t depth,
                      bool is_nchw) {
  if (is_nchw) return {batches, depth, height, width};
  return {batches, height, width, depth};
}

void SetImplicitPadding(PaddingScheme scheme, WindowAxis& axis) {
  axis.padding_head = 0;
  axis.padding_tail = 0;
  if (scheme != PaddingScheme::kSame) return;
  const int64_t positions = (axis.image + axis.stride - 1) / axis.stride;
  const int64_t covered = (positions - 1) * axis.stride + axis.Span();
  const int64_t padding = std::max<int64_t>(0, covered - axis.image);
  axis.padding_head = padding / 2;
  axis.padding_tail = padding - axis.padding_head;
}

std::vector<int> WindowSlots::WindowValues() const {
  return ExistingOf({filter_width, filter_height, padding_left, padding_right, padding_top,
                     padding_bottom, padding_scheme, stride_width, stride_height, dilation_width,
                     dilation_height});
}

std::vector<int> WindowSlots::PaddingValues() const {
  return ExistingOf({filter_width, filter_height, padding_left, padding_right, padding_top,
                     padding_bottom, dilation_width, dilation_height});
}

std::vector<int> WindowSlots::FilterTensor() const { return ExistingOf({filter}); }

Window WindowOf(const OperationContext& context, const WindowSlots& slots) {
  Window window = FilterOf(context, slots);
  const ImageSizes images = InputImagesOf(context, slots);
  window.vertical.image = static_cast<int64_t>(images.height);
  window.horizontal.image = static_cast<int64_t>(images.width);
  window.vertical.stride = context.Int32(slots.stride_height);
  window.horizontal.stride = context.Int32(slots.stride_width);
  if (HasExplicitPadding(context, slots)) {
    SetExplicitPadding(context, slots, window);
  } else {
    const auto scheme = static_cast<PaddingScheme>(context.Int32(slots.padding_scheme));
    SetImplicitPadding(scheme, window.vertical);
    SetImplicitPadding(scheme, window.horizontal);
  }
  return window;
}

ImageSizes InputImagesOf(const OperationContext& context, const WindowSlots& slots) {
  return ImageSizesOf(context.Input(slots.input).dimensions, context.Bool(slots.layout));
}

absl::StatusOr<Shape> WindowedShape(const OperationContext& context, const WindowSlots& slots,
                                    uint32_t depth) {
  const Window window = WindowOf(context, slots);
  const int64_t height = window.vertical.Positions();
  const int64_t width = window.horizontal.Positions();
  constexpr int64_t kGreatest = std::numeric_limits<uint32_t>::max();
  if (height > kGreatest || width > kGreatest) {
    return context.Error(absl::StrCat("the output would have height ", height, " and width ", width,
                                      "; expected at most ", kGreatest));
  }
  return ImageDimensions(context.Input(slots.input).dimensions[0], static_cast<uint32_t>(height),
                         static_cast<uint32_t>(width), depth, context.Bool(slots.layout));
}

std::vector<OperandRule> WindowRules(const WindowSlots& slots) {
  const auto padding = [&](std::string_view name, absl::string_view side) {
    return Int32Scalar(name)
        .Describe(absl::StrCat("How far the image is padded at the ", side, ", in pixels",
                               // Poolings leave paddings out.
                               slots.filter >= 0 ? ", with zeros" : "", "; less than the filter",
                               slots.HasDilation() ? " with its dilation." : "."))
        .Values(Uniform(0, 2));
  };
  return {padding("paddingLeft", "left"),
          padding("paddingRight", "right"),
          padding("paddingTop", "top"),
          padding("paddingBottom", "bottom"),
          PaddingSchemeScalar(),
          StrideScalar("strideWidth", "width"),
          StrideScalar("strideHeight", "height")};
}

std::vector<OperandRule> DilationRules() {
  const auto dilation = [](std::string_view name, absl::string_view axis) {
    return Int32Scalar(name)
        .Since(HalVersion::V1_2)
        .Describe(absl::StrCat("How far neighbouring elements of the filter are apart along ", axis,
                               ", in pixels; above 0. Default 1."))
        .Values(Uniform(1, 3));
  };
  return {dilation("dilationWidth", "width").Trailing(/*with_next=*/true),
          dilation("dilationHeight", "height").Trailing()};
}

OperandRule PaddingSchemeScalar() {
  return Int32Scalar("paddingScheme")
      .Describe(
          "The implicit padding: 1 SAME, as little as gives an output of the size of the input "
          "divided by the stride, rounded up, the smaller half at the left and the top; 2 VALID, "
          "none; 0 NONE, none.")
      .Values(Uniform(1, 2));
}

OperandRule StrideScalar(std::string_view name, std::string_view axis) {
  return Int32Scalar(name)
      .Describe(absl::StrCat("How far the filter moves from one output element to the next along ",
                             std::string(axis), ", in pixels; above 0."))
      .Values(Uniform(1, 3));
}

OperandRule FilterSizeScalar(std::string_view name) {
  return Int32Scalar(name)
      .Describe("The size of the windows along this axis, in pixels; above 0.")
      .Values(Uniform(1, 4));
}

bool ImagesAreNotEmpty(const OperationContext& context, const WindowSlots& slots) {
  const Shape& input = context.Input(slots.input).dimensions;
  const bool batches_are_fine = input[0] > 0 || context.version() >= HalVersion::V1_2;
  return batches_are_fine && input[1] > 0 && input[2] > 0 && input[3] > 0;
}

bool FilterIsNotEmpty(const OperationContext& context, const WindowSlots& slots) {
  if (slots.filter < 0) {
    return context.Int32(slots.filter_width) > 0 && context.Int32(slots.filter_height) > 0;
  }
  const Shape& filter = context.Input(slots.filter).dimensions;
  return std::all_of(filter.begin(), filter.end(), [](uint32_t size) { return size > 0; });
}

bool PaddingSchemeIsKnown(const OperationContext& context, const WindowSlots& slots) {
  const int32_t scheme = context.Int32(slots.padding_scheme);
  return scheme >= 0 && scheme <= 2;
}

bool StridesArePositive(const OperationContext& context, const WindowSlots& slots) {
  return context.Int32(slots.stride_width) > 0 && context.Int32(slots.stride_height) > 0;
}

bool DilationsArePositive(const OperationContext& context, const WindowSlots& slots) {
  return ValueOrOne(context, slots.dilation_width) > 0 &&
         ValueOrOne(context, slots.dilation_height) > 0;
}

bool PaddingsAreBelowSpan(const OperationContext& context, const WindowSlots& slots) {
  if (!HasExplicitPadding(context, slots) || !FilterIsNotEmpty(context, slots) ||
      !DilationsArePositive(context, slots)) {
    return true;
  }
  Window window = FilterOf(context, slots);
  SetExplicitPadding(context, slots, window);
  return IsPaddingBelowSpan(window.vertical) && IsPaddingBelowSpan(window.horizontal);
}

bool FilterFitsPaddedImage(const OperationContext& context, const WindowSlots& slots) {
  const bool has_scheme =
      HasExplicitPadding(context, slots) || PaddingSchemeIsKnown(context, slots);
  if (!has_scheme || !ImagesAreNotEmpty(context, slots) || !FilterIsNotEmpty(context, slots) ||
      !StridesArePositive(context, slots) || !DilationsArePositive(context, slots) ||
      !PaddingsAreBelowSpan(context, slots)) {
    return true;
  }
  const Window window = WindowOf(context, slots);
  const auto fits = [](const WindowAxis& axis) {
    return axis.image + axis.padding_head + axis.padding_tail >= axis.Span();
  };
  return fits(window.vertical) && fits(window.horizontal);
}

}  // namespace nncert
