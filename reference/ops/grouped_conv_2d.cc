// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// GROUPED_CONV_2D: convolutions side by side, each of a group of channels.

#include "reference/catalogue.h"
#include "reference/ops/convolution.h"
#include "reference/ops/image.h"
#include "reference/ops/weights.h"

namespace nncert {
namespace {

enum : int {
  kInput,
  kFilter,
  kBias,
  kPaddingLeft,
  kPaddingRight,
  kPaddingTop,
  kPaddingBottom,
  kPaddingScheme,
  kStrideWidth,
  kStrideHeight,
  kGroups,
  kActivation,
  kLayout
};

constexpr WindowSlots kWindow = {.input = kInput,
                                 .filter = kFilter,
                                 .padding_left = kPaddingLeft,
                                 .padding_right = kPaddingRight,
                                 .padding_top = kPaddingTop,
                                 .padding_bottom = kPaddingBottom,
                                 .padding_scheme = kPaddingScheme,
                                 .stride_width = kStrideWidth,
                                 .stride_height = kStrideHeight,
                                 .layout = kLayout};

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOf(operation, kWindow);
  const ImageSizes images = InputImagesOf(operation, kWindow);
  const ImageSizes results = ImageSizesOf(output->dimensions, images.is_nchw);
  const auto input = context.Input(kInput);
  const auto filter = context.Input(kFilter);
  const Number* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(operation, kActivation);

  const auto groups = static_cast<size_t>(operation.Int32(kGroups));
  ImageSizes group = images;  // the channels of one group alone, in NHWC order
  group.depth = images.depth / groups;
  group.is_nchw = false;
  const size_t filters = results.depth / groups;
  const size_t terms = filter.size / results.depth;
  Number* elements = context.Scratch(group.Pixels() * group.depth);
  WindowProducts<A> products(arithmetic);
  for (size_t g = 0; g < groups; ++g) {
    for (size_t pixel = 0; pixel < images.Pixels(); ++pixel) {
      const Number* from =
          input.data + images.PixelOffset(pixel) + g * group.depth * images.ChannelStride();
      Number* to = elements + pixel * group.depth;
      for (size_t k = 0; k < group.depth; ++k) to[k] = from[k * images.ChannelStride()];
    }
    const size_t first = g * filters;  // of the output channels of this group
    products(window, group, elements, filter.data + first * terms, filters,
             [&](size_t position, const Number* sums) {
               AddBiasAndActivate(
                   arithmetic, activation, filters, terms, sums, bias + first,
                   output->data + results.PixelOffset(position) + first * results.ChannelStride(),
                   results.ChannelStride());
             });
  }
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
          {.inputs = {ConvolutionInput(),
                      ConvolutionFilter(
                          kInput, "[depthOut, filterHeight, filterWidth, depthIn / groups]", 0),
                      BiasTensor(kInput, kFilter), PaddingScalar("paddingLeft", "left"),
                      PaddingScalar("paddingRight", "right"), PaddingScalar("paddingTop", "top"),
                      PaddingScalar("paddingBottom", "bottom"), PaddingSchemeScalar(),
                      StrideScalar("strideWidth", "width"), StrideScalar("strideHeight", "height"),
                      Int32Scalar("groups")
                          .Values(Uniform(1, 4))
                          .Describe("How many groups there are: above 0, a divisor of depthIn and "
                                    "of depthOut."),
                      ActivationScalar(), LayoutScalar()},
           .outputs = {ConvolutionOutput(kInput, "depthOut")},
           .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                      kPaddingBottom, kStrideWidth, kStrideHeight, kGroups, kActivation, kLayout},
                     {kInput, kFilter, kBias, kPaddingScheme, kStrideWidth, kStrideHeight, kGroups,
                      kActivation, kLayout}}},
      .constraints = {{"C1",
                       "groups is above 0",
                       {},
                       {kGroups},
                       [](const OperationContext& context) { return context.Int32(kGroups) > 0; }},
                      {"C2",
                       "the last dimension of the filter * groups is the depth of the input",
                       {kInput, kFilter},
                       {kGroups, kLayout},
                       [](const OperationContext& context) {
                         const int64_t groups = context.Int32(kGroups);
                         const auto depth =
                             static_cast<int64_t>(InputImagesOf(context, kWindow).depth);
                         return groups <= 0 ||
                                context.Input(kFilter).dimensions[3] * groups == depth;
                       }},
                      {"C3",
                       "the first dimension of the filter is a multiple of groups",
                       {kFilter},
                       {kGroups},
                       [](const OperationContext& context) {
                         const int64_t groups = context.Int32(kGroups);
                         return groups <= 0 || context.Input(kFilter).dimensions[0] % groups == 0;
                       }},
                      BiasSizeConstraint<kFilter, kBias, 0>("C4"),
                      ChannelDimensionConstraint<kFilter, 0>("C5"),
                      PaddingSchemeConstraint<kWindow>("C6"),
                      StrideConstraint<kWindow>("C7"),
                      PaddingConstraint<kWindow>("C8"),
                      WindowFitsConstraint<kWindow>("C9"),
                      ActivationConstraint<kActivation>("C10")},
      .shape = ConvolutionShape<kWindow, 0>,
      .steps = ConvolutionSteps<kFilter>,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Convolve(arithmetic, context);
      }),
      .error_bound =
          "of a sum of filterHeight * filterWidth * depthIn / groups products in any order, and of "
          "the addition of the bias",
      .source = "types.hal 1.2, OperationType::GROUPED_CONV_2D",
  };
}

}  // namespace nncert
