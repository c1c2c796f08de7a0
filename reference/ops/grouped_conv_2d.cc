// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// GROUPED_CONV_2D: convolutions side by side, each of a group of channels.

#include "reference/ops/grouped_conv_2d.h"

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/convolution.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum grouped_conv_2d::Slot;

constexpr WindowSlots kWindow = grouped_conv_2d::kSlots.window;

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOf(context.operation(), kWindow);
  const auto images = ImagesIn(context.Input(kInput), context->Bool(kLayout));
  const auto results = ImagesIn(*output, images.sizes.is_nchw);
  const auto filter = context.Input(kFilter);  // [depthOut, filterHeight, filterWidth, depthGroup]
  const auto* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const auto groups = static_cast<size_t>(context->Int32(kGroups));
  const size_t depth = filter.dimensions[3];
  const size_t terms = filter.size / filter.dimensions[0];
  ForEachPixel(results.sizes, [&](size_t batch, size_t y, size_t x) {
    for (size_t c = 0; c < results.sizes.depth; ++c) {
      const size_t group = c * groups / results.sizes.depth;
      const auto* weight = filter.data + c * terms;
      typename A::Accumulator sum;
      ForEachTap(window, y, x, [&](size_t /*i*/, size_t /*j*/, int64_t row, int64_t column) {
        for (size_t k = 0; k < depth; ++k, ++weight) {
          images.AddProduct(sum, *weight, batch, row, column, group * depth + k);
        }
      });
      const auto total = arithmetic.AddToSum(arithmetic.Finish(sum), bias[c], terms);
      results.At(batch, y, x, c) = Activate(arithmetic, activation, total);
    }
  });
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(GROUPED_CONV_2D) {
  return {
      .summary =
          "output[b, y, x, c] = activation(bias[c] + sum_{i, j, k} filter[c, i, j, k] * input[b, y "
          "* strideHeight + i - paddingTop, x * strideWidth + j - paddingLeft, g * depthGroup + "
          "k]), where c is in group g = floor(c * groups / depthOut)",
      .description =
          "Input and output channels are divided into groups of equal size, in order. Each group "
          "of output channels is the CONV_2D of its group of input channels. Elements outside the "
          "image are zero; those of a quantized image are real zeros. The output has the size that "
          "CONV_2D would give.",
      .signature =
          {.inputs = Joined(
               {{ConvolutionInput(),
                 ConvolutionFilter(kInput,
                                   "[depthOut, filterHeight, filterWidth, depthIn / groups]", 0),
                 BiasTensor(kInput, kFilter)},
                WindowRules(kWindow),
                {Int32Scalar("groups")
                     .Values(Uniform(1, 4))
                     .Describe("How many groups there are: above 0, a divisor of depthIn and "
                               "of depthOut."),
                 ActivationScalar(), LayoutScalar()}}),
           .outputs = {ConvolutionOutput(kInput, "depthOut")},
           .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                      kPaddingBottom, kStrideWidth, kStrideHeight, kGroups, kActivation, kLayout},
                     {kInput, kFilter, kBias, kPaddingScheme, kStrideWidth, kStrideHeight, kGroups,
                      kActivation, kLayout}}},
      .constraints = Joined(
          {{Constraint("groups is above 0", {.values = {kGroups}},
                       [](const OperationContext& context) { return context.Int32(kGroups) > 0; }),
            FilterDepthConstraint<kWindow, kGroups>(),
            Constraint("the first dimension of the filter is a multiple of groups",
                       {.shapes = {kFilter}, .values = {kGroups}},
                       [](const OperationContext& context) {
                         const int64_t groups = context.Int32(kGroups);
                         return groups <= 0 || context.Input(kFilter).dimensions[0] % groups == 0;
                       }),
            BiasSizeConstraint<kFilter, kBias, 0>(), ChannelDimensionConstraint<kFilter, 0>()},
           WindowConstraints<kWindow>(),
           {ActivationConstraint<kActivation>()}}),
      .shape = ConvolutionShape<kWindow, 0>,
      .steps = ConvolutionSteps<kFilter, 0>,
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return Convolve(arithmetic, context); }),
      .choose = ChooseConvolution<grouped_conv_2d::kSlots, kGroups>,
      .error_bound =
          "of a sum of filterHeight * filterWidth * depthIn / groups products in any order, and of "
          "the addition of the bias",
      .source = "types.hal 1.2, OperationType::GROUPED_CONV_2D",
  };
}

}  // namespace nncert
