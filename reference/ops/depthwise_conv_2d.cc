// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// DEPTHWISE_CONV_2D: filters over one channel each, swept over images.

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
  kDepthMultiplier,
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

// Adds the products of one pixel and one tap of the filter to the sums of all output channels.
template <class Number, class Accumulator>
void AddTap(size_t depth, size_t multiplier, const Number* pixel, const Number* filter,
            Accumulator* sums) {
  if (multiplier == 1) {
    for (size_t k = 0; k < depth; ++k) sums[k].MultiplyAdd(pixel[k], filter[k]);
    return;
  }
  for (size_t k = 0; k < depth; ++k) {
    for (size_t q = 0; q < multiplier; ++q) (sums++)->MultiplyAdd(pixel[k], *filter++);
  }
}

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  using Accumulator = typename A::Accumulator;
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
  const size_t multiplier = results.depth / images.depth;
  const size_t taps = filter.size / results.depth;

  std::vector<Accumulator> sums(results.depth);
  std::vector<Number> finished(results.depth);
  size_t position = 0;
  for (size_t batch = 0; batch < results.batches; ++batch) {
    for (size_t y = 0; y < results.height; ++y) {
      const WindowTaps down = window.vertical.TapsAt(static_cast<int64_t>(y));
      for (size_t x = 0; x < results.width; ++x, ++position) {
        const WindowTaps across = window.horizontal.TapsAt(static_cast<int64_t>(x));
        std::fill(sums.begin(), sums.end(), Accumulator());
        for (int64_t i = down.first; i < down.end; ++i) {
          const size_t row =
              batch * images.height + down.image + (i - down.first) * window.vertical.dilation;
          for (int64_t j = across.first; j < across.end; ++j) {
            const size_t column = across.image + (j - across.first) * window.horizontal.dilation;
            AddTap(images.depth, multiplier,
                   elements + (row * images.width + column) * images.depth,
                   filter.data + (i * window.horizontal.filter + j) * results.depth, sums.data());
          }
        }
        for (size_t c = 0; c < results.depth; ++c) finished[c] = arithmetic.Finish(sums[c]);
        AddBiasAndActivate(arithmetic, activation, results.depth, taps, finished.data(), bias,
                           output->data + results.PixelOffset(position), results.ChannelStride());
      }
    }
  }
  return absl::OkStatus();
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
          {.inputs = {ConvolutionInput(),
                      ConvolutionFilter(
                          kInput, "[1, filterHeight, filterWidth, depthIn * depthMultiplier]", 3),
                      BiasTensor(kInput, kFilter), PaddingScalar("paddingLeft", "left"),
                      PaddingScalar("paddingRight", "right"), PaddingScalar("paddingTop", "top"),
                      PaddingScalar("paddingBottom", "bottom"), PaddingSchemeScalar(),
                      StrideScalar("strideWidth", "width"), StrideScalar("strideHeight", "height"),
                      Int32Scalar("depthMultiplier")
                          .Values(Uniform(1, 3))
                          .Describe("How many output channels each input channel has; above 0."),
                      ActivationScalar(), LayoutScalar().Trailing(),
                      DilationScalar("dilationWidth", "width").Trailing(/*with_next=*/true),
                      DilationScalar("dilationHeight", "height").Trailing()},
           .outputs = {ConvolutionOutput(kInput, "depthIn * depthMultiplier")},
           .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                      kPaddingBottom, kStrideWidth, kStrideHeight, kDepthMultiplier, kActivation,
                      kLayout, kDilationWidth, kDilationHeight},
                     {kInput, kFilter, kBias, kPaddingScheme, kStrideWidth, kStrideHeight,
                      kDepthMultiplier, kActivation, kLayout, kDilationWidth, kDilationHeight}}},
      .constraints = {{"C1",
                       "the first dimension of the filter is 1",
                       {kFilter},
                       {},
                       [](const OperationContext& context) {
                         return context.Input(kFilter).dimensions[0] == 1;
                       }},
                      {"C2",
                       "the last dimension of the filter is the depth of the input * "
                       "depthMultiplier, which is above 0",
                       {kInput, kFilter},
                       {kDepthMultiplier, kLayout},
                       [](const OperationContext& context) {
                         const int64_t multiplier = context.Int32(kDepthMultiplier);
                         const auto depth =
                             static_cast<int64_t>(InputImagesOf(context, kWindow).depth);
                         return multiplier > 0 &&
                                context.Input(kFilter).dimensions[3] == depth * multiplier;
                       }},
                      BiasSizeConstraint<kFilter, kBias, 3>("C3"),
                      ChannelDimensionConstraint<kFilter, 3>("C4"),
                      OutputScaleConstraint<kInput, kFilter>("C5"),
                      PaddingSchemeConstraint<kWindow>("C6"),
                      StrideConstraint<kWindow>("C7"),
                      DilationConstraint<kWindow>("C8"),
                      PaddingConstraint<kWindow>("C9"),
                      WindowFitsConstraint<kWindow>("C10"),
                      ActivationConstraint<kActivation>("C11")},
      .shape = ConvolutionShape<kWindow, 3>,
      .steps =
          [](const OperationContext& context) {
            const Shape& filter = context.Input(kFilter).dimensions;
            return ElementCount(context.Output(0)) * filter[1] * filter[2];
          },
      .kernel = Compute(
          []<class A>(const A& arithmetic, KernelContext<A>& context) {
            if constexpr (std::is_same_v<A, BallArithmetic>) {
              const absl::Status status = ConvolveDepthwiseBalls(kSlots, arithmetic, context);
              return IsDeclined(status) ? Convolve(arithmetic, context) : status;
            } else {
              return ConvolveDepthwiseReals(kSlots, context);
            }
          },
          [](IntegerContext& context) { return ConvolveDepthwiseIntegers(kSlots, context); }),
      .error_bound =
          "of a sum of filterHeight * filterWidth products in any order, and of the addition of "
          "the bias",
      .source = "types.hal 1.0 and 1.2, OperationType::DEPTHWISE_CONV_2D",
  };
}

}  // namespace nncert
