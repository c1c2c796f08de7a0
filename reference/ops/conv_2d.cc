// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// CONV_2D: a filter over all channels, swept over images.

#include "reference/catalogue.h"
#include "reference/ops/convolution.h"
#include "reference/ops/fast_convolution.h"
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
  kActivation,
  kLayout,
  kDilationWidth,
  kDilationHeight
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
                                 .dilation_width = kDilationWidth,
                                 .dilation_height = kDilationHeight,
                                 .layout = kLayout};

constexpr ConvolutionSlots kSlots = {.window = kWindow, .bias = kBias, .activation = kActivation};

// Numbers in the rows that are laid out at a time: few enough to stay in a cache until the product
// reads them.
constexpr size_t kNumbersAtATime = size_t{1} << 17;

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOf(operation, kWindow);
  const ImageSizes images = InputImagesOf(operation, kWindow);
  const ImageSizes results = ImageSizesOf(output->dimensions, images.is_nchw);
  const Number* elements = NhwcElements(context, kInput, images);
  const auto filter = context.Input(kFilter);
  const Number* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(operation, kActivation);

  // Each output pixel is a row of input elements times the transposed filter.
  const size_t depth = filter.size / results.depth;
  const size_t at_a_time = std::min(results.Pixels(), std::max<size_t>(1, kNumbersAtATime / depth));
  const bool is_every_pixel = window.IsEveryPixel();
  Number* gathered = context.Scratch(is_every_pixel ? 0 : at_a_time * depth);
  Number* scattered = context.Scratch(results.is_nchw ? at_a_time * results.depth : 0);
  for (size_t first = 0; first < results.Pixels(); first += at_a_time) {
    const size_t count = std::min(at_a_time, results.Pixels() - first);
    const Number* rows = is_every_pixel ? elements + first * depth : gathered;
    if (!is_every_pixel) {
      WindowsToRows(window, images, elements, first, count, arithmetic.Constant(0), gathered);
    }
    Number* sums = results.is_nchw ? scattered : output->data + first * results.depth;
    arithmetic.MatrixProduct({count, results.depth, depth}, rows, filter.data, sums);
    for (size_t i = 0; i < count; ++i) {
      AddBiasAndActivate(arithmetic, activation, results.depth, depth, sums + i * results.depth,
                         bias, output->data + results.PixelOffset(first + i),
                         results.ChannelStride());
    }
  }
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
      .signature =
          {.inputs = {ConvolutionInput(),
                      ConvolutionFilter(kInput, "[depthOut, filterHeight, filterWidth, depthIn]",
                                        0),
                      BiasTensor(kInput, kFilter), PaddingScalar("paddingLeft", "left"),
                      PaddingScalar("paddingRight", "right"), PaddingScalar("paddingTop", "top"),
                      PaddingScalar("paddingBottom", "bottom"), PaddingSchemeScalar(),
                      StrideScalar("strideWidth", "width"), StrideScalar("strideHeight", "height"),
                      ActivationScalar(), LayoutScalar().Trailing(),
                      DilationScalar("dilationWidth", "width").Trailing(/*with_next=*/true),
                      DilationScalar("dilationHeight", "height").Trailing()},
           .outputs = {ConvolutionOutput(kInput, "depthOut")},
           .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                      kPaddingBottom, kStrideWidth, kStrideHeight, kActivation, kLayout,
                      kDilationWidth, kDilationHeight},
                     {kInput, kFilter, kBias, kPaddingScheme, kStrideWidth, kStrideHeight,
                      kActivation, kLayout, kDilationWidth, kDilationHeight}}},
      .constraints = {ImagesConstraint<kWindow>("C1"), FilterConstraint<kWindow>("C2"),
                      FilterDepthConstraint<kWindow>("C3"),
                      BiasSizeConstraint<kFilter, kBias, 0>("C4"),
                      ChannelDimensionConstraint<kFilter, 0>("C5"),
                      OutputScaleConstraint<kInput, kFilter>("C6"),
                      PaddingSchemeConstraint<kWindow>("C7"), StrideConstraint<kWindow>("C8"),
                      DilationConstraint<kWindow>("C9"), PaddingConstraint<kWindow>("C10"),
                      WindowFitsConstraint<kWindow>("C11"),
                      ActivationConstraint<kActivation>("C12")},
      .shape = ConvolutionShape<kWindow, 0>,
      .steps = ConvolutionSteps<kFilter>,
      .kernel = Compute(
          []<class A>(const A& arithmetic, KernelContext<A>& context) {
            if constexpr (std::is_same_v<A, BallArithmetic>) {
              const absl::Status status = ConvolveBalls(kSlots, arithmetic, context);
              return IsDeclined(status) ? Convolve(arithmetic, context) : status;
            } else {
              return ConvolveReals(kSlots, context);
            }
          },
          [](IntegerContext& context) { return ConvolveIntegers(kSlots, context); }),
      .error_bound =
          "of a sum of filterHeight * filterWidth * depthIn products in any order, and of the "
          "addition of the bias",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.0 and 1.2, OperationType::CONV_2D",
  };
}

}  // namespace nncert
