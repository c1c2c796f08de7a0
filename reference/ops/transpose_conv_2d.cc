// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// TRANSPOSE_CONV_2D: the linear map that is the transpose of a CONV_2D.

#include "reference/ops/transpose_conv_2d.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/convolution.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum transpose_conv_2d::Slot;
using transpose_conv_2d::WindowOverOutput;

constexpr WindowSlots kImageSlots = transpose_conv_2d::kSlots.window;

bool HasOutputShape(const OperationContext& context) { return context.Has(kOutputShape); }

// The images that the values of outputShape describe; there must be four values.
ImageSizes RequestedImages(const OperationContext& context) {
  Shape dimensions;
  for (const int32_t value : context.Int32s(kOutputShape)) {
    dimensions.push_back(static_cast<uint32_t>(value));
  }
  return ImageSizesOf(dimensions, context.Bool(kLayout));
}

bool HasFourValuesFromZero(const OperationContext& context) {
  const std::vector<int32_t> values = context.Int32s(kOutputShape);
  return values.size() == 4 &&
         std::all_of(values.begin(), values.end(), [](int32_t value) { return value >= 0; });
}

}  // namespace

Window transpose_conv_2d::WindowOverOutput(const OperationContext& context) {
  const Shape& filter = context.Input(kFilter).dimensions;
  const ImageSizes images = InputImagesOf(context, kImageSlots);
  Window window;
  window.vertical.filter = filter[1];
  window.horizontal.filter = filter[2];
  window.vertical.stride = context.Int32(kStrideHeight);
  window.horizontal.stride = context.Int32(kStrideWidth);
  if (HasOutputShape(context)) {
    const ImageSizes requested = RequestedImages(context);
    const auto scheme = static_cast<PaddingScheme>(context.Int32(kPaddingScheme));
    window.vertical.image = static_cast<int64_t>(requested.height);
    window.horizontal.image = static_cast<int64_t>(requested.width);
    SetImplicitPadding(scheme, window.vertical);
    SetImplicitPadding(scheme, window.horizontal);
    return window;
  }
  window.vertical.padding_head = context.Int32(kPaddingTop);
  window.vertical.padding_tail = context.Int32(kPaddingBottom);
  window.horizontal.padding_head = context.Int32(kPaddingLeft);
  window.horizontal.padding_tail = context.Int32(kPaddingRight);
  // Below 2^63 for any dimensions and strides: (2^32 - 2) * (2^31 - 1) + 2^32 + 2^31.
  const auto set_image = [](WindowAxis& axis, size_t positions) {
    axis.image = (static_cast<int64_t>(positions) - 1) * axis.stride + axis.filter -
                 axis.padding_head - axis.padding_tail;
  };
  set_image(window.vertical, images.height);
  set_image(window.horizontal, images.width);
  return window;
}

namespace {

// Whether the sizes that a window is made of can be: what other constraints judge.
bool HasWindow(const OperationContext& context) {
  return ImagesAreNotEmpty(context, kImageSlots) && FilterIsNotEmpty(context, kImageSlots) &&
         StridesArePositive(context, kImageSlots);
}

// Whether the convolution makes the input's images of the requested ones.
bool RequestedImagesFit(const OperationContext& context) {
  if (!HasOutputShape(context) || !HasFourValuesFromZero(context)) return true;
  if (!HasWindow(context) || !PaddingSchemeIsKnown(context, kImageSlots)) return true;
  const ImageSizes requested = RequestedImages(context);
  const ImageSizes images = InputImagesOf(context, kImageSlots);
  if (requested.batches != images.batches ||
      requested.depth != context.Input(kFilter).dimensions[0]) {
    return false;
  }
  const auto fits = [](const WindowAxis& axis, size_t positions) {
    return axis.image > 0 && axis.image + axis.padding_head + axis.padding_tail >= axis.Span() &&
           axis.Positions() == static_cast<int64_t>(positions);
  };
  const Window window = WindowOverOutput(context);
  return fits(window.vertical, images.height) && fits(window.horizontal, images.width);
}

bool PaddingsAtTheHeadArePositive(const OperationContext& context) {
  return context.Int32(kPaddingLeft) >= 0 && context.Int32(kPaddingTop) >= 0;
}

bool ExplicitPaddingsLeaveAnOutput(const OperationContext& context) {
  if (HasOutputShape(context) || !HasWindow(context) || !PaddingsAtTheHeadArePositive(context)) {
    return true;
  }
  const Window window = WindowOverOutput(context);
  return window.vertical.image > 0 && window.horizontal.image > 0;
}

absl::Status OutputShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Window window = WindowOverOutput(context);
  constexpr int64_t kGreatest = std::numeric_limits<uint32_t>::max();
  if (window.vertical.image > kGreatest || window.horizontal.image > kGreatest) {
    return context.Error(absl::StrCat("the output would have height ", window.vertical.image,
                                      " and width ", window.horizontal.image, "; expected at most ",
                                      kGreatest));
  }
  outputs[0] = ImageDimensions(context.Input(kInput).dimensions[0],
                               static_cast<uint32_t>(window.vertical.image),
                               static_cast<uint32_t>(window.horizontal.image),
                               context.Input(kFilter).dimensions[0], context.Bool(kLayout));
  return absl::OkStatus();
}

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOverOutput(context.operation());
  const auto images = ImagesIn(context.Input(kInput), context->Bool(kLayout));
  const auto results = ImagesIn(*output, images.sizes.is_nchw);
  const auto filter = context.Input(kFilter);  // [depthOut, filterHeight, filterWidth, depthIn]
  const auto* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  const size_t depth = images.sizes.depth;
  const int64_t height = window.vertical.filter;
  const int64_t width = window.horizontal.filter;
  // The taps of a filter that meet an output element are a stride apart.
  const auto first_tap = [](const WindowAxis& axis, size_t place) {
    return (static_cast<int64_t>(place) + axis.padding_head) % axis.stride;
  };
  ForEachPixel(results.sizes, [&](size_t batch, size_t y, size_t x) {
    for (size_t c = 0; c < results.sizes.depth; ++c) {
      typename A::Accumulator sum;
      size_t terms = 0;
      for (int64_t i = first_tap(window.vertical, y); i < height; i += window.vertical.stride) {
        const int64_t v =
            (static_cast<int64_t>(y) + window.vertical.padding_head - i) / window.vertical.stride;
        for (int64_t j = first_tap(window.horizontal, x); j < width;
             j += window.horizontal.stride) {
          const int64_t w = (static_cast<int64_t>(x) + window.horizontal.padding_head - j) /
                            window.horizontal.stride;
          for (size_t k = 0; k < depth; ++k, ++terms) {
            const auto& weight = filter[((c * height + i) * width + j) * depth + k];
            images.AddProduct(sum, weight, batch, v, w, k);
          }
        }
      }
      const auto total = arithmetic.AddToSum(arithmetic.Finish(sum), bias[c], terms);
      results.At(batch, y, x, c) = Activate(arithmetic, activation, total);
    }
  });
  return absl::OkStatus();
}

// Along one axis: filter, stride, and paddings or, where outputShape is given, the length of the
// output, of which a convolution makes `image`.
WindowAxis ChooseAxis(OperandChooser& choose, size_t image, uint32_t given_filter) {
  WindowAxis axis;
  const auto input = static_cast<int64_t>(image);
  axis.filter = given_filter > 0 ? given_filter : choose.Between(1, 4);
  axis.stride = choose.Between(1, 3);
  const int64_t spread = (input - 1) * axis.stride;
  const bool is_same = choose.Int32(kPaddingScheme) == static_cast<int64_t>(PaddingScheme::kSame);
  // A stride has as many lengths that come to the same.
  axis.image = spread + (is_same ? 1 : axis.filter) + choose.Between(0, axis.stride - 1);
  const int64_t most = spread + axis.filter - 1;
  axis.padding_head = choose.Between(0, std::min(axis.filter, most));
  axis.padding_tail = choose.Between(-2, std::min(axis.filter, most - axis.padding_head));
  return axis;
}

void ChooseTransposed(OperandChooser& choose) {
  const bool is_given = choose.IsGiven(kFilter);
  Shape filter = is_given ? choose.Dimensions(kFilter) : Shape();
  const ImageSizes images = ChooseConvolvedImages(choose, kImageSlots, is_given ? filter[3] : 0);
  choose.SetInt32(kPaddingScheme, choose.Between(0, 2));
  const WindowAxis vertical = ChooseAxis(choose, images.height, is_given ? filter[1] : 0);
  const WindowAxis horizontal = ChooseAxis(choose, images.width, is_given ? filter[2] : 0);
  choose.SetInt32(kStrideHeight, vertical.stride);
  choose.SetInt32(kStrideWidth, horizontal.stride);
  choose.SetInt32(kPaddingTop, vertical.padding_head);
  choose.SetInt32(kPaddingBottom, vertical.padding_tail);
  choose.SetInt32(kPaddingLeft, horizontal.padding_head);
  choose.SetInt32(kPaddingRight, horizontal.padding_tail);
  if (!is_given) {
    filter = {0, static_cast<uint32_t>(vertical.filter), static_cast<uint32_t>(horizontal.filter),
              static_cast<uint32_t>(images.depth)};
    filter[0] = ChooseChannels(choose, uint64_t{filter[1]} * filter[2] * filter[3]);
  }
  const Shape output =
      ImageDimensions(static_cast<uint32_t>(images.batches), static_cast<uint32_t>(vertical.image),
                      static_cast<uint32_t>(horizontal.image), filter[0], images.is_nchw);
  choose.SetInt32s(kOutputShape, {output.begin(), output.end()});
  // How many taps meet at an output element.
  const auto taps = [](const WindowAxis& axis) {
    return static_cast<uint64_t>((axis.filter + axis.stride - 1) / axis.stride);
  };
  ChooseWeights(choose, transpose_conv_2d::kSlots, filter, 0,
                taps(vertical) * taps(horizontal) * filter[3]);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(TRANSPOSE_CONV_2D) {
  return {
      .summary =
          "output[b, y, x, c] = activation(bias[c] + sum of filter[c, i, j, k] * input[b, v, w, k] "
          "over all v, w, i, j, k where y = v * strideHeight + i - paddingTop and x = w * "
          "strideWidth + j - paddingLeft)",
      .description =
          "Every input pixel adds its multiple of the filter to the output, a stride apart from "
          "its neighbours. With explicit paddings, the output has (image - 1) * stride + filter - "
          "both paddings elements along an axis; paddingRight and paddingBottom may be negative, "
          "which adds elements that only the bias reaches. Otherwise outputShape says the "
          "dimensions, and the paddings are those by which a CONV_2D of images of these "
          "dimensions, with this filter, these strides and this paddingScheme, gives images of the "
          "dimensions of the input.",
      .signature =
          {.inputs =
               {ConvolutionInput(),
                ConvolutionFilter(kInput, "[depthOut, filterHeight, filterWidth, depthIn]", 0),
                BiasTensor(kInput, kFilter),
                Int32Scalar("paddingLeft")
                    .Values(Uniform(0, 2))
                    .Describe("How many elements are cut off at the left; at least 0."),
                Int32Scalar("paddingRight")
                    .Values(Uniform(0, 2))
                    .Describe(
                        "How many elements are cut off at the right, or, if negative, added."),
                Int32Scalar("paddingTop")
                    .Values(Uniform(0, 2))
                    .Describe("How many elements are cut off at the top; at least 0."),
                Int32Scalar("paddingBottom")
                    .Values(Uniform(0, 2))
                    .Describe(
                        "How many elements are cut off at the bottom, or, if negative, added."),
                Int32Vector("outputShape")
                    .Describe("[4]: the dimensions of the output, in its layout."),
                PaddingSchemeScalar(), StrideScalar("strideWidth", "width"),
                StrideScalar("strideHeight", "height"), ActivationScalar(), LayoutScalar()},
           .outputs = {ConvolutionOutput(kInput, "depthOut")},
           .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                      kPaddingBottom, kStrideWidth, kStrideHeight, kActivation, kLayout},
                     {kInput, kFilter, kBias, kOutputShape, kPaddingScheme, kStrideWidth,
                      kStrideHeight, kActivation, kLayout}}},
      .constraints =
          {ImagesConstraint<kImageSlots>(), FilterConstraint<kImageSlots>(),
           FilterDepthConstraint<kImageSlots>(), BiasSizeConstraint<kFilter, kBias, 0>(),
           ChannelDimensionConstraint<kFilter, 0>(), PaddingSchemeConstraint<kImageSlots>(),
           StrideConstraint<kImageSlots>(),
           Constraint("paddingLeft and paddingTop are at least 0",
                      {.values = {kPaddingLeft, kPaddingTop}}, PaddingsAtTheHeadArePositive),
           Constraint("explicit paddings are less than what the input spreads over",
                      {.shapes = {kInput, kFilter},
                       .values = {kPaddingLeft, kPaddingRight, kPaddingTop, kPaddingBottom,
                                  kStrideWidth, kStrideHeight, kLayout}},
                      ExplicitPaddingsLeaveAnOutput),
           Constraint("outputShape has four values, none of them negative",
                      {.shapes = {kOutputShape}, .values = {kOutputShape}},
                      [](const OperationContext& context) {
                        return !HasOutputShape(context) || HasFourValuesFromZero(context);
                      }),
           Constraint(
               "outputShape is a shape of which CONV_2D would make that of the input",
               {.shapes = {kInput, kFilter, kOutputShape},
                .values = {kOutputShape, kPaddingScheme, kStrideWidth, kStrideHeight, kLayout}},
               RequestedImagesFit),
           ActivationConstraint<kActivation>()},
      .shape = OutputShape,
      // Every input element is multiplied by all of its weights, of which some are cut off.
      .steps =
          [](const OperationContext& context) {
            const Shape& filter = context.Input(kFilter).dimensions;
            return ElementCount(context.Input(kInput)) * filter[0] * filter[1] * filter[2];
          },
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return Convolve(arithmetic, context); }),
      .choose = ChooseTransposed,
      .error_bound =
          "of a sum of up to filterHeight * filterWidth * depthIn products in any order, and of "
          "the addition of the bias",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::TRANSPOSE_CONV_2D",
  };
}

}  // namespace nncert
