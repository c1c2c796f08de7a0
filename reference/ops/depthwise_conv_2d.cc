// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// DEPTHWISE_CONV_2D: filters over one channel each, swept over images.

#include "reference/ops/depthwise_conv_2d.h"

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/convolution.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum depthwise_conv_2d::Slot;

constexpr WindowSlots kWindow = depthwise_conv_2d::kSlots.window;

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOf(context.operation(), kWindow);
  const auto images = ImagesIn(context.Input(kInput), context->Bool(kLayout, false));
  const auto results = ImagesIn(*output, images.sizes.is_nchw);
  const auto filter = context.Input(kFilter);  // [1, filterHeight, filterWidth, depthOut]
  const auto* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const auto multiplier = static_cast<size_t>(context->Int32(kDepthMultiplier));
  const size_t depth = results.sizes.depth;
  const size_t width = filter.dimensions[2];
  ForEachPixel(results.sizes, [&](size_t batch, size_t y, size_t x) {
    for (size_t c = 0; c < depth; ++c) {
      typename A::Accumulator sum;
      ForEachTap(window, y, x, [&](size_t i, size_t j, int64_t row, int64_t column) {
        const auto& weight = filter[(i * width + j) * depth + c];
        if (!images.Contains(row, column)) return sum.LeaveOutZeroTimes(weight);
        sum.MultiplyAdd(weight, images.At(batch, row, column, c / multiplier));
      });
      const size_t terms = filter.size / depth;
      const auto total = arithmetic.AddToSum(arithmetic.Finish(sum), bias[c], terms);
      results.At(batch, y, x, c) = Activate(arithmetic, activation, total);
    }
  });
  return absl::OkStatus();
}

void ChooseDepthwise(OperandChooser& choose) {
  // An image is a filter of itself.
  const bool is_alike =
      choose.wants_alike() && !choose.IsGiven(kFilter) && !choose.IsGiven(kWindow.input);
  if (is_alike) {
    const uint32_t height = choose.Size();
    const uint32_t width = choose.Size();
    choose.SetDimensions(kWindow.input, {1, height, width, choose.Size()});
  }
  const bool is_given = choose.IsGiven(kFilter);
  Shape filter = is_given ? choose.Dimensions(kFilter) : Shape();
  uint32_t multiplier = is_given   ? choose.DivisorOf(filter[3])
                        : is_alike ? 1
                                   : static_cast<uint32_t>(choose.Between(1, 3));
  const ImageSizes images =
      ChooseConvolvedImages(choose, kWindow, is_given ? filter[3] / multiplier : 0);
  if (is_alike && !images.is_nchw) filter = choose.Dimensions(kWindow.input);
  const Window window = ChooseWindow(choose, kWindow, images, filter);
  choose.SetInt32(kDepthMultiplier, multiplier);
  const auto height = static_cast<uint32_t>(window.vertical.filter);
  const auto width = static_cast<uint32_t>(window.horizontal.filter);
  ChooseWeights(choose, depthwise_conv_2d::kSlots,
                {1, height, width, static_cast<uint32_t>(images.depth) * multiplier}, 3,
                uint64_t{height} * width);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(DEPTHWISE_CONV_2D) {
  return {
      .summary =
          "output[b, y, x, k * depthMultiplier + q] = activation(bias[k * depthMultiplier + q] + "
          "sum_{i, j} filter[0, i, j, k * depthMultiplier + q] * input[b, y * strideHeight + i * "
          "dilationHeight - paddingTop, x * strideWidth + j * dilationWidth - paddingLeft, k])",
      .description =
          "Each input channel has depthMultiplier filters of its own. Elements outside the image "
          "are zero; those of a quantized image are real zeros. The output has the size that "
          "CONV_2D would give.",
      .signature =
          {.inputs =
               Joined({{ConvolutionInput(),
                        ConvolutionFilter(
                            kInput, "[1, filterHeight, filterWidth, depthIn * depthMultiplier]", 3),
                        BiasTensor(kInput, kFilter)},
                       WindowRules(kWindow),
                       {Int32Scalar("depthMultiplier")
                            .Values(Uniform(1, 3))
                            .Describe("How many output channels each input channel has; above 0."),
                        ActivationScalar(), LayoutScalar().Trailing()},
                       DilationRules()}),
           .outputs = {ConvolutionOutput(kInput, "depthIn * depthMultiplier")},
           .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                      kPaddingBottom, kStrideWidth, kStrideHeight, kDepthMultiplier, kActivation,
                      kLayout, kDilationWidth, kDilationHeight},
                     {kInput, kFilter, kBias, kPaddingScheme, kStrideWidth, kStrideHeight,
                      kDepthMultiplier, kActivation, kLayout, kDilationWidth, kDilationHeight}}},
      .constraints = Joined(
          {{Constraint("the first dimension of the filter is 1", {.shapes = {kFilter}},
                       [](const OperationContext& context) {
                         return context.Input(kFilter).dimensions[0] == 1;
                       }),
            Constraint("the last dimension of the filter is the depth of the input * "
                       "depthMultiplier, which is above 0",
                       {.shapes = {kInput, kFilter}, .values = {kDepthMultiplier, kLayout}},
                       [](const OperationContext& context) {
                         const int64_t multiplier = context.Int32(kDepthMultiplier);
                         const auto depth =
                             static_cast<int64_t>(InputImagesOf(context, kWindow).depth);
                         return multiplier > 0 &&
                                context.Input(kFilter).dimensions[3] == depth * multiplier;
                       }),
            BiasSizeConstraint<kFilter, kBias, 3>(), ChannelDimensionConstraint<kFilter, 3>(),
            OutputScaleConstraint<kInput, kFilter>()},
           WindowConstraints<kWindow>(),
           {ActivationConstraint<kActivation>()}}),
      .shape = ConvolutionShape<kWindow, 3>,
      .steps = ConvolutionSteps<kFilter, 3>,
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return Convolve(arithmetic, context); }),
      .choose = ChooseDepthwise,
      .error_bound =
          "of a sum of filterHeight * filterWidth products in any order, and of the addition of "
          "the bias",
      .source = "types.hal 1.0 and 1.2, OperationType::DEPTHWISE_CONV_2D",
  };
}

}  // namespace nncert
