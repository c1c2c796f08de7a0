// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// CONV_2D: a filter over all channels, swept over images.

#include "reference/ops/conv_2d.h"

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/convolution.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum conv_2d::Slot;

constexpr WindowSlots kWindow = conv_2d::kSlots.window;

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOf(context.operation(), kWindow);
  const auto images = ImagesIn(context.Input(kInput), context->Bool(kLayout, false));
  const auto results = ImagesIn(*output, images.sizes.is_nchw);
  const auto filter = context.Input(kFilter);  // [depthOut, filterHeight, filterWidth, depthIn]
  const auto* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const size_t depth = images.sizes.depth;
  const size_t terms = filter.size / filter.dimensions[0];
  ForEachPixel(results.sizes, [&](size_t batch, size_t y, size_t x) {
    for (size_t c = 0; c < results.sizes.depth; ++c) {
      const auto* weight = filter.data + c * terms;
      typename A::Accumulator sum;
      ForEachTap(window, y, x, [&](size_t /*i*/, size_t /*j*/, int64_t row, int64_t column) {
        for (size_t k = 0; k < depth; ++k, ++weight) {
          images.AddProduct(sum, *weight, batch, row, column, k);
        }
      });
      const auto total = arithmetic.AddToSum(arithmetic.Finish(sum), bias[c], terms);
      results.At(batch, y, x, c) = Activate(arithmetic, activation, total);
    }
  });
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(CONV_2D) {
  return {
      .summary =
          "output[b, y, x, c] = activation(bias[c] + sum_{i, j, k} filter[c, i, j, k] * input[b, y "
          "* strideHeight + i * dilationHeight - paddingTop, x * strideWidth + j * dilationWidth - "
          "paddingLeft, k])",
      .description =
          "Elements outside the image are zero; those of a quantized image are real zeros. With s "
          "= (filter - 1) * dilation + 1, the output has (image + both paddings - s) / stride + 1 "
          "elements along an axis, rounded down.",
      .signature = {.inputs =
                        Joined({{ConvolutionInput(),
                                 ConvolutionFilter(
                                     kInput, "[depthOut, filterHeight, filterWidth, depthIn]", 0),
                                 BiasTensor(kInput, kFilter)},
                                WindowRules(kWindow),
                                {ActivationScalar(), LayoutScalar().Trailing()},
                                DilationRules()}),
                    .outputs = {ConvolutionOutput(kInput, "depthOut")},
                    .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                               kPaddingBottom, kStrideWidth, kStrideHeight, kActivation, kLayout,
                               kDilationWidth, kDilationHeight},
                              {kInput, kFilter, kBias, kPaddingScheme, kStrideWidth, kStrideHeight,
                               kActivation, kLayout, kDilationWidth, kDilationHeight}}},
      .constraints = Joined(
          {{ImagesConstraint<kWindow>(), FilterConstraint<kWindow>(),
            FilterDepthConstraint<kWindow>(), BiasSizeConstraint<kFilter, kBias, 0>(),
            ChannelDimensionConstraint<kFilter, 0>(), OutputScaleConstraint<kInput, kFilter>()},
           WindowConstraints<kWindow>(),
           {ActivationConstraint<kActivation>()}}),
      .shape = ConvolutionShape<kWindow, 0>,
      .steps = ConvolutionSteps<kFilter, 0>,
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return Convolve(arithmetic, context); }),
      .choose = ChooseConvolution<conv_2d::kSlots>,
      .error_bound =
          "of a sum of filterHeight * filterWidth * depthIn products in any order, and of the "
          "addition of the bias",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.0 and 1.2, OperationType::CONV_2D",
  };
}

}  // namespace nncert
