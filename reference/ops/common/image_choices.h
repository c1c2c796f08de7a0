// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Images, windows and convolutions by chance: what the recipes of their operations share.

#ifndef NNCERT_REFERENCE_OPS_COMMON_IMAGE_CHOICES_H_
#define NNCERT_REFERENCE_OPS_COMMON_IMAGE_CHOICES_H_

#include <cstdint>

#include "reference/operand_chooser.h"
#include "reference/ops/common/convolution.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/weights.h"

namespace nncert {

/// Settles the layout, and the dimensions of the images in `slot`. -1 for no slot of a layout.
ImageSizes ChooseImages(OperandChooser& choose, int slot, int layout_slot);

/// The same for images whose sizes are multiples of those of `block`, unless they are given.
ImageSizes ChooseImagesOfBlocks(OperandChooser& choose, int slot, int layout_slot,
                                const ImageSizes& block);

/// Settles strides, dilations and paddings of a window over images of these sizes, and the sizes of
/// the filter where scalars give them. Where a tensor does, its sizes are those of the result: they
/// are by chance, unless the tensor is given, or `filter` is what its dimensions shall be.
Window ChooseWindow(OperandChooser& choose, const WindowSlots& slots, const ImageSizes& images,
                    Shape filter = {});

/// The images of a convolution: of `given_depth` when the filter is given, and then at least as
/// large as that.
ImageSizes ChooseConvolvedImages(OperandChooser& choose, const WindowSlots& slots,
                                 uint32_t given_depth);

/// How many output channels a filter may have whose channels have `weights` weights each.
uint32_t ChooseChannels(OperandChooser& choose, uint64_t weights);

/// Settles the filter of a convolution, its bias, its activation, and what comes of `terms`
/// products; the bias has an element for each index of `channel_dimension` of the filter.
void ChooseWeights(OperandChooser& choose, const ConvolutionSlots& slots, const Shape& filter,
                   uint32_t channel_dimension, uint64_t terms);

/// Settles all operands of a convolution whose filter is [depthOut, height, width, depthIn /
/// groups]; -1 for no slot of groups.
void ChooseConvolutionOperands(OperandChooser& choose, const ConvolutionSlots& slots,
                               int groups_slot);

/// The recipe of such a convolution.
template <ConvolutionSlots kSlots, int kGroupsSlot = -1>
void ChooseConvolution(OperandChooser& choose) {
  ChooseConvolutionOperands(choose, kSlots, kGroupsSlot);
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_IMAGE_CHOICES_H_
