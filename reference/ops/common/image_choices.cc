// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/image_choices.h"

#include <algorithm>
#include <array>

namespace nncert {
namespace {

// Filters are at most so long, and strides so wide.
constexpr int64_t kMostTaps = 5;
constexpr int64_t kMostStride = 4;
constexpr int64_t kMostDilation = 3;

bool HasExplicitPadding(const OperandChooser& choose, const WindowSlots& slots) {
  return choose.Has(slots.padding_left);
}

// A window along one axis. With explicit paddings any filter fits; without any, only one that is no
// longer than the image.
WindowAxis ChooseAxis(OperandChooser& choose, size_t image, int64_t given_filter, bool has_dilation,
                      bool is_padded) {
  WindowAxis axis;
  axis.image = static_cast<int64_t>(image);
  axis.stride = choose.OneIn(2) ? 1 : choose.Between(1, kMostStride);
  if (has_dilation && choose.OneIn(2)) axis.dilation = choose.Between(1, kMostDilation);
  axis.filter = given_filter > 0 ? given_filter : choose.Between(1, kMostTaps);
  if (is_padded) return axis;
  if (given_filter == 0) axis.filter = std::min(axis.filter, axis.image);
  while (axis.Span() > axis.image && axis.dilation > 1) --axis.dilation;
  return axis;
}

// Explicit paddings: none at times, else any that leave a tap inside the image, and the filter
// inside the padded image.
void ChoosePadding(OperandChooser& choose, WindowAxis& axis) {
  if (axis.Span() <= axis.image && choose.OneIn(3)) return;
  axis.padding_head = choose.Between(0, axis.Span() - 1);
  const int64_t least = std::max<int64_t>(0, axis.Span() - axis.image - axis.padding_head);
  axis.padding_tail = choose.Between(least, axis.Span() - 1);
}

}  // namespace

ImageSizes ChooseImages(OperandChooser& choose, int slot, int layout_slot) {
  if (layout_slot >= 0) choose.SetInt32(layout_slot, choose.OneIn(2) ? 1 : 0);
  const bool is_nchw = layout_slot >= 0 && choose.Int32(layout_slot) != 0;
  return ImageSizesOf(choose.Dimensions(slot), is_nchw);
}

ImageSizes ChooseImagesOfBlocks(OperandChooser& choose, int slot, int layout_slot,
                                const ImageSizes& block) {
  if (choose.IsGiven(slot)) return ChooseImages(choose, slot, layout_slot);
  const bool is_nchw = choose.OneIn(2) && choose.Has(layout_slot);
  choose.SetInt32(layout_slot, is_nchw ? 1 : 0);
  // From one of them on, so that any may be the long one, with what is left of the elements.
  const std::array<size_t, 4> units = {block.batches, block.height, block.width, block.depth};
  std::array<uint32_t, 4> sizes = {};
  const size_t first = choose.random().Below(units.size());
  uint64_t left = choose.most_elements();
  for (size_t i = 0; i < units.size(); ++i) {
    const size_t axis = (first + i) % units.size();
    const auto most = static_cast<uint32_t>(std::max<uint64_t>(1, left / units[axis]));
    sizes[axis] = static_cast<uint32_t>(units[axis]) * choose.Size(most);
    left = std::max<uint64_t>(1, left / sizes[axis]);
  }
  const auto [batches, height, width, depth] = sizes;
  const Shape dimensions = ImageDimensions(batches, height, width, depth, is_nchw);
  choose.SetDimensions(slot, dimensions);
  return ImageSizesOf(dimensions, is_nchw);
}

Window ChooseWindow(OperandChooser& choose, const WindowSlots& slots, const ImageSizes& images,
                    Shape filter) {
  const bool has_dilation = slots.HasDilation() && choose.Has(slots.dilation_width);
  const bool is_explicit = HasExplicitPadding(choose, slots);
  choose.SetInt32(slots.padding_scheme, choose.Between(0, 2));
  const bool is_same = !is_explicit && choose.Int32(slots.padding_scheme) ==
                                           static_cast<int64_t>(PaddingScheme::kSame);
  if (slots.filter >= 0 && choose.IsGiven(slots.filter)) filter = choose.Dimensions(slots.filter);
  const auto axis = [&](size_t image, size_t dimension) {
    return ChooseAxis(choose, image, filter.empty() ? 0 : filter[dimension], has_dilation,
                      is_explicit || is_same);
  };
  Window window = {.vertical = axis(images.height, 1), .horizontal = axis(images.width, 2)};
  if (is_explicit) {
    ChoosePadding(choose, window.vertical);
    ChoosePadding(choose, window.horizontal);
    choose.SetInt32(slots.padding_left, window.horizontal.padding_head);
    choose.SetInt32(slots.padding_right, window.horizontal.padding_tail);
    choose.SetInt32(slots.padding_top, window.vertical.padding_head);
    choose.SetInt32(slots.padding_bottom, window.vertical.padding_tail);
  }
  choose.SetInt32(slots.stride_width, window.horizontal.stride);
  choose.SetInt32(slots.stride_height, window.vertical.stride);
  if (has_dilation) {
    choose.SetInt32(slots.dilation_width, window.horizontal.dilation);
    choose.SetInt32(slots.dilation_height, window.vertical.dilation);
  }
  if (slots.filter < 0) {
    choose.SetInt32(slots.filter_width, window.horizontal.filter);
    choose.SetInt32(slots.filter_height, window.vertical.filter);
  }
  return window;
}

ImageSizes ChooseConvolvedImages(OperandChooser& choose, const WindowSlots& slots,
                                 uint32_t given_depth) {
  if (!choose.IsGiven(slots.filter)) return ChooseImages(choose, slots.input, slots.layout);
  choose.SetInt32(slots.layout, choose.OneIn(2) ? 1 : 0);
  const Shape& filter = choose.Dimensions(slots.filter);
  const bool is_nchw = choose.Int32(slots.layout) != 0;
  const uint32_t batches = choose.Size(3);
  const uint32_t height = filter[1] + choose.Size() - 1;
  const uint32_t width = filter[2] + choose.Size() - 1;
  const Shape dimensions = ImageDimensions(batches, height, width, given_depth, is_nchw);
  choose.SetDimensions(slots.input, dimensions);
  return ImageSizesOf(dimensions, is_nchw);
}

void ChooseWeights(OperandChooser& choose, const ConvolutionSlots& slots, const Shape& filter,
                   uint32_t channel_dimension, uint64_t terms) {
  choose.SetDimensions(slots.window.filter, filter);
  choose.SetChannelDimension(slots.window.filter, channel_dimension);
  choose.SetDimensions(slots.bias, {filter[channel_dimension]});
  SetRangeOfProducts(choose, slots.window.input, slots.window.filter, slots.bias, slots.activation,
                     terms);
}

void ChooseConvolutionOperands(OperandChooser& choose, const ConvolutionSlots& slots,
                               int groups_slot) {
  constexpr int64_t kMostGroups = 4;
  const WindowSlots& window_slots = slots.window;
  const bool has_groups = groups_slot >= 0;
  uint32_t groups = 1;
  ImageSizes images;
  Shape filter;
  if (choose.IsGiven(window_slots.filter)) {
    filter = choose.Dimensions(window_slots.filter);
    if (has_groups) groups = choose.DivisorOf(filter[0]);
    images = ChooseConvolvedImages(choose, window_slots, filter[3] * groups);
  } else if (has_groups && !choose.IsGiven(window_slots.input)) {
    groups = choose.wants_alike() ? 1 : static_cast<uint32_t>(choose.Between(1, kMostGroups));
    images = ChooseImagesOfBlocks(choose, window_slots.input, window_slots.layout,
                                  {1, 1, 1, groups, false});
  } else {
    images = ChooseImages(choose, window_slots.input, window_slots.layout);
    if (has_groups) groups = choose.DivisorOf(static_cast<uint32_t>(images.depth));
  }
  if (has_groups) choose.SetInt32(groups_slot, groups);
  // The images are a filter of themselves.
  if (choose.wants_alike() && filter.empty() && !images.is_nchw && groups == 1) {
    filter = choose.Dimensions(window_slots.input);
  }
  const Window window = ChooseWindow(choose, window_slots, images, filter);
  const auto height = static_cast<uint32_t>(window.vertical.filter);
  const auto width = static_cast<uint32_t>(window.horizontal.filter);
  const auto depth = static_cast<uint32_t>(images.depth) / groups;
  const uint64_t terms = uint64_t{height} * width * depth;
  if (filter.empty()) {
    filter = {ChooseChannels(choose, terms * groups) * groups, height, width, depth};
  }
  ChooseWeights(choose, slots, filter, 0, terms);
}

uint32_t ChooseChannels(OperandChooser& choose, uint64_t weights) {
  constexpr uint64_t kMostWeights = 1 << 14;
  return choose.Size(static_cast<uint32_t>(std::max<uint64_t>(1, kMostWeights / weights)));
}

}  // namespace nncert
