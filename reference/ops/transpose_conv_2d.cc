// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// TRANSPOSE_CONV_2D: the linear map that is the transpose of a CONV_2D.

#include <limits>

#include "absl/strings/str_cat.h"
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
  kOutputShape,
  kPaddingScheme,
  kStrideWidth,
  kStrideHeight,
  kActivation,
  kLayout
};

// The input images and the filter. The window itself slides over the output.
constexpr WindowSlots kSlots = {.input = kInput,
                                .filter = kFilter,
                                .padding_scheme = kPaddingScheme,
                                .stride_width = kStrideWidth,
                                .stride_height = kStrideHeight,
                                .layout = kLayout};

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

// The window of the convolution whose transpose this is: `image` is the output here, and the window
// takes one position for each pixel of the input. Strides must be above 0, outputShape valid.
Window OutputWindow(const OperationContext& context) {
  const Shape& filter = context.Input(kFilter).dimensions;
  const ImageSizes images = InputImagesOf(context, kSlots);
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

// Whether the sizes that a window is made of can be: what other constraints judge.
bool HasWindow(const OperationContext& context) {
  return ImagesAreNotEmpty(context, kSlots) && FilterIsNotEmpty(context, kSlots) &&
         StridesArePositive(context, kSlots);
}

// Whether the convolution makes the input's images of the requested ones.
bool RequestedImagesFit(const OperationContext& context) {
  if (!HasOutputShape(context) || !HasFourValuesFromZero(context)) return true;
  if (!HasWindow(context) || !PaddingSchemeIsKnown(context, kSlots)) return true;
  const ImageSizes requested = RequestedImages(context);
  const ImageSizes images = InputImagesOf(context, kSlots);
  if (requested.batches != images.batches ||
      requested.depth != context.Input(kFilter).dimensions[0]) {
    return false;
  }
  const auto fits = [](const WindowAxis& axis, size_t positions) {
    return axis.image > 0 && axis.image + axis.padding_head + axis.padding_tail >= axis.Span() &&
           axis.Positions() == static_cast<int64_t>(positions);
  };
  const Window window = OutputWindow(context);
  return fits(window.vertical, images.height) && fits(window.horizontal, images.width);
}

bool PaddingsAtTheHeadArePositive(const OperationContext& context) {
  return context.Int32(kPaddingLeft) >= 0 && context.Int32(kPaddingTop) >= 0;
}

bool ExplicitPaddingsLeaveAnOutput(const OperationContext& context) {
  if (HasOutputShape(context) || !HasWindow(context) || !PaddingsAtTheHeadArePositive(context)) {
    return true;
  }
  const Window window = OutputWindow(context);
  return window.vertical.image > 0 && window.horizontal.image > 0;
}

absl::Status OutputShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Window window = OutputWindow(context);
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

// Along one axis, the output elements `first`, `first` + stride, ... Each is a sum over the same
// taps of the filter, which are a stride apart: they are a convolution of the input without stride.
struct Phase {
  int64_t first = 0;
  int64_t tap = 0;    // the first of the taps
  WindowAxis window;  // over the input; the taps count backwards
};

Phase PhaseFrom(int64_t first, const WindowAxis& axis, size_t positions) {
  Phase phase;
  phase.first = first;
  phase.tap = (first + axis.padding_head) % axis.stride;
  WindowAxis& window = phase.window;
  window.image = static_cast<int64_t>(positions);
  window.filter = phase.tap < axis.filter ? (axis.filter - 1 - phase.tap) / axis.stride + 1 : 0;
  // The first tap multiplies the input element whose place in the output it is; later taps multiply
  // earlier elements.
  window.padding_head = window.filter - 1 - (first + axis.padding_head) / axis.stride;
  const int64_t count = (axis.image - 1 - first) / axis.stride + 1;
  window.padding_tail = count - 1 - window.image - window.padding_head + window.Span();
  return phase;
}

// The number of phases along an axis: each element of the output belongs to one.
int64_t PhasesOf(const WindowAxis& axis) { return std::min(axis.stride, axis.image); }

template <class A>
absl::Status Convolve(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ImageSizes images = InputImagesOf(operation, kSlots);
  const ImageSizes results = ImageSizesOf(output->dimensions, images.is_nchw);
  const Window window = OutputWindow(operation);
  ImageSizes nhwc = images;
  nhwc.is_nchw = false;
  const Number* elements = NhwcElements(context, kInput, images);
  const auto filter = context.Input(kFilter);
  const Number* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(operation, kActivation);

  const int64_t filter_height = window.vertical.filter;
  const int64_t filter_width = window.horizontal.filter;
  WindowProducts<A> products(arithmetic);
  Number* taps = context.Scratch(filter.size);
  for (int64_t top = 0; top < PhasesOf(window.vertical); ++top) {
    const Phase y = PhaseFrom(top, window.vertical, images.height);
    for (int64_t left = 0; left < PhasesOf(window.horizontal); ++left) {
      const Phase x = PhaseFrom(left, window.horizontal, images.width);
      // The taps of this phase, backwards.
      Number* to = taps;
      for (size_t c = 0; c < results.depth; ++c) {
        for (int64_t i = y.window.filter - 1; i >= 0; --i) {
          for (int64_t j = x.window.filter - 1; j >= 0; --j) {
            const int64_t row = y.tap + i * window.vertical.stride;
            const int64_t column = x.tap + j * window.horizontal.stride;
            const size_t tap =
                (c * filter_height + row) * static_cast<size_t>(filter_width) + column;
            to = std::copy_n(filter.data + tap * images.depth, images.depth, to);
          }
        }
      }
      const auto down = static_cast<size_t>(y.window.Positions());
      const auto across = static_cast<size_t>(x.window.Positions());
      const size_t terms = static_cast<size_t>(y.window.filter * x.window.filter) * images.depth;
      products({y.window, x.window}, nhwc, elements, taps, results.depth,
               [&](size_t position, const Number* sums) {
                 const size_t batch = position / across / down;
                 const size_t row = y.first + position / across % down * window.vertical.stride;
                 const size_t column = x.first + position % across * window.horizontal.stride;
                 const size_t pixel = (batch * results.height + row) * results.width + column;
                 AddBiasAndActivate(arithmetic, activation, results.depth, terms, sums, bias,
                                    output->data + results.PixelOffset(pixel),
                                    results.ChannelStride());
               });
    }
  }
  return absl::OkStatus();
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
          "dimensions, with this filter, these strides and this paddingScheme, gives images of "
          "the dimensions of the input.",
      .signature =
          {.inputs = {ConvolutionInput(),
                      ConvolutionFilter(kInput, "[depthOut, filterHeight, filterWidth, depthIn]",
                                        0),
                      BiasTensor(kInput, kFilter),
                      Int32Scalar("paddingLeft")
                          .Values(Uniform(0, 2))
                          .Describe("How many elements are cut off at the left; at least 0."),
                      Int32Scalar("paddingRight")
                          .Values(Uniform(0, 2))
                          .Describe("How many elements are cut off at the right, or, if negative, "
                                    "added."),
                      Int32Scalar("paddingTop")
                          .Values(Uniform(0, 2))
                          .Describe("How many elements are cut off at the top; at least 0."),
                      Int32Scalar("paddingBottom")
                          .Values(Uniform(0, 2))
                          .Describe("How many elements are cut off at the bottom, or, if "
                                    "negative, added."),
                      Int32Vector("outputShape")
                          .Values({ValueHint::Kind::kNone})
                          .Describe("[4]: the dimensions of the output, in its layout."),
                      PaddingSchemeScalar(), StrideScalar("strideWidth", "width"),
                      StrideScalar("strideHeight", "height"), ActivationScalar(), LayoutScalar()},
           .outputs = {ConvolutionOutput(kInput, "depthOut")},
           .forms = {{kInput, kFilter, kBias, kPaddingLeft, kPaddingRight, kPaddingTop,
                      kPaddingBottom, kStrideWidth, kStrideHeight, kActivation, kLayout},
                     {kInput, kFilter, kBias, kOutputShape, kPaddingScheme, kStrideWidth,
                      kStrideHeight, kActivation, kLayout}}},
      .constraints = {ImagesConstraint<kSlots>("C1"),
                      FilterConstraint<kSlots>("C2"),
                      FilterDepthConstraint<kSlots>("C3"),
                      BiasSizeConstraint<kFilter, kBias, 0>("C4"),
                      ChannelDimensionConstraint<kFilter, 0>("C5"),
                      PaddingSchemeConstraint<kSlots>("C6"),
                      StrideConstraint<kSlots>("C7"),
                      {"C8",
                       "paddingLeft and paddingTop are at least 0",
                       {},
                       {kPaddingLeft, kPaddingTop},
                       PaddingsAtTheHeadArePositive},
                      {"C9",
                       "explicit paddings are less than what the input spreads over",
                       {kInput, kFilter},
                       {kPaddingLeft, kPaddingRight, kPaddingTop, kPaddingBottom, kStrideWidth,
                        kStrideHeight, kLayout},
                       ExplicitPaddingsLeaveAnOutput},
                      {"C10",
                       "outputShape has four values, none of them negative",
                       {kOutputShape},
                       {kOutputShape},
                       [](const OperationContext& context) {
                         return !HasOutputShape(context) || HasFourValuesFromZero(context);
                       }},
                      {"C11",
                       "outputShape is a shape of which CONV_2D would make that of the input",
                       {kInput, kFilter, kOutputShape},
                       {kOutputShape, kPaddingScheme, kStrideWidth, kStrideHeight, kLayout},
                       RequestedImagesFit},
                      ActivationConstraint<kActivation>("C12")},
      .shape = OutputShape,
      // Every input element is multiplied by all of its weights, of which some are cut off.
      .steps =
          [](const OperationContext& context) {
            const Shape& filter = context.Input(kFilter).dimensions;
            return ElementCount(context.Input(kInput)) * filter[0] * filter[1] * filter[2];
          },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Convolve(arithmetic, context);
      }),
      .error_bound =
          "of a sum of up to filterHeight * filterWidth * depthIn products in any order, and of "
          "the addition of the bias",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::TRANSPOSE_CONV_2D",
  };
}

}  // namespace nncert
