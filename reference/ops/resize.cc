// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The operations that resize images: a table, an entry an operation.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/sampling.h"
#include "reference/ops/common/selection.h"

namespace nncert {
namespace {

enum : int { kInput, kWidth, kHeight, kWidthScale, kHeightScale, kLayout };

constexpr WindowSlots kImages = {.input = kInput, .layout = kLayout};

constexpr double kGreatestLength = std::numeric_limits<int32_t>::max();

// An image's length multiplied by a scale and rounded down; NaN and infinities included.
double ScaledLength(const OperationContext& context, size_t length, int scale_slot) {
  // The scale is a binary32 number, or fewer bits of one, and so is the product.
  const auto scale = static_cast<float>(context.Real(scale_slot));
  return std::floor(static_cast<float>(length) * scale);
}

bool ScaledLengthsAreInRange(const OperationContext& context) {
  if (!context.Has(kWidthScale) || !ImagesAreNotEmpty(context, kImages)) return true;
  const ImageSizes images = InputImagesOf(context, kImages);
  const auto is_in_range = [](double length) { return length >= 1 && length <= kGreatestLength; };
  return is_in_range(ScaledLength(context, images.width, kWidthScale)) &&
         is_in_range(ScaledLength(context, images.height, kHeightScale));
}

absl::Status ResizedShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const ImageSizes images = InputImagesOf(context, kImages);
  const bool is_by_scale = context.Has(kWidthScale);
  const double width = is_by_scale ? ScaledLength(context, images.width, kWidthScale)
                                   : static_cast<double>(context.Int32(kWidth));
  const double height = is_by_scale ? ScaledLength(context, images.height, kHeightScale)
                                    : static_cast<double>(context.Int32(kHeight));
  outputs[0] = ImageDimensions(static_cast<uint32_t>(images.batches), static_cast<uint32_t>(height),
                               static_cast<uint32_t>(width), static_cast<uint32_t>(images.depth),
                               images.is_nchw);
  return absl::OkStatus();
}

// One channel of the four pixels around a position.
template <class Number>
struct Corners {
  Number top_left;
  Number top_right;
  Number bottom_left;
  Number bottom_right;
};

// The function that is linear along both axes and takes these values at the corners.
template <class T>
T Interpolated(const RealArithmetic<T>& /*arithmetic*/, const Corners<T>& corners, T down,
               T across) {
  const T top = corners.top_left + (corners.top_right - corners.top_left) * across;
  const T bottom = corners.bottom_left + (corners.bottom_right - corners.bottom_left) * across;
  return top + (bottom - top) * down;
}

// How far apart two numbers in the balls may be.
double GreatestDistance(const Ball& x, const Ball& y) {
  return std::abs(x.midpoint - y.midpoint) + x.radius + y.radius;
}

// The same with all that an implementation may answer, from weights for the four corners or from
// interpolations one after the other.
Ball Interpolated(const BallArithmetic& arithmetic, const Corners<Ball>& corners, const Ball& down,
                  const Ball& across) {
  const Precision& precision = arithmetic.precision();
  const double y = down.midpoint;
  const double x = across.midpoint;
  const std::pair<Ball, double> weighted[] = {{corners.top_left, (1 - y) * (1 - x)},
                                              {corners.top_right, (1 - y) * x},
                                              {corners.bottom_left, y * (1 - x)},
                                              {corners.bottom_right, y * x}};
  double midpoint = 0;
  double radius = 0;
  double reach = 0;
  for (const auto& [corner, weight] : weighted) {
    midpoint += corner.midpoint * weight;
    radius += corner.radius * weight;
    const double corner_reach = std::abs(corner.midpoint) + corner.radius;
    // Differences of corners must not overflow, and infinities times a weight of zero are NaN.
    if (!(2 * corner_reach <= precision.largest_finite)) return Ball::Anything();
    reach = std::max(reach, corner_reach);
  }
  if (down.IsExact() && across.IsExact() && y == 0 && x == 0) return corners.top_left;
  // The slope along one axis is between those of the two edges.
  radius += across.radius * std::max(GreatestDistance(corners.top_left, corners.top_right),
                                     GreatestDistance(corners.bottom_left, corners.bottom_right));
  radius += down.radius * std::max(GreatestDistance(corners.top_left, corners.bottom_left),
                                   GreatestDistance(corners.top_right, corners.bottom_right));
  // A weight takes three roundings, its product one, and their sum three; the other way, each of
  // the two interpolations that follow each other takes three, two of them of a difference, which
  // may be twice as large.
  return arithmetic.Loosen({midpoint, radius * (1 + 0x1p-50)}, {reach, 0}, 10);
}

// What tells the two operations apart.

struct Bilinear {
  template <class A>
  static auto SamplingOf(const A& arithmetic, size_t input, size_t output) {
    return LinearSampling(arithmetic, input, output);
  }
  template <class A>
  static typename A::Number Sample(const A& arithmetic, const Corners<typename A::Number>& corners,
                                   const typename A::Number& down, const typename A::Number& across,
                                   double step) {
    const auto value = Interpolated(arithmetic, corners, down, across);
    if constexpr (kIsEnclosure<A>) {
      // An implementation may round down to a step, where storing rounds to the nearest one.
      const bool is_pixel =
          down.IsExact() && across.IsExact() && down.midpoint == 0 && across.midpoint == 0;
      if (step != 0 && !is_pixel) {
        return Hull(arithmetic.Subtract(value, arithmetic.Constant(step / 2)), value);
      }
    }
    return value;
  }
};

struct NearestNeighbor {
  template <class A>
  static auto SamplingOf(const A& arithmetic, size_t input, size_t output) {
    return FloorSampling(arithmetic, input, output);
  }
  template <class A>
  static typename A::Number Sample(const A& /*arithmetic*/,
                                   const Corners<typename A::Number>& corners,
                                   const typename A::Number& /*down*/,
                                   const typename A::Number& /*across*/, double /*step*/) {
    return corners.top_left;
  }
};

template <class Method, class A>
absl::Status Resize(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  // Without batches nothing bounds the other dimensions.
  if (output->size == 0) return absl::OkStatus();
  const ImageSizes images = InputImagesOf(context.operation(), kImages);
  const ImageSizes results = ImageSizesOf(output->dimensions, images.is_nchw);
  const Number* elements = NhwcElements(context, kInput, images);
  const OperandInfo& info = context->Output(0);
  const double step = IsQuantized(info.type) ? info.scale : 0;
  const Sampling<Number> rows = Method::SamplingOf(arithmetic, images.height, results.height);
  const Sampling<Number> columns = Method::SamplingOf(arithmetic, images.width, results.width);

  size_t position = 0;
  for (size_t batch = 0; batch < results.batches; ++batch) {
    const Number* image = elements + batch * images.height * images.width * images.depth;
    const auto pixel = [&](size_t y, size_t x) {
      return image + (y * images.width + x) * images.depth;
    };
    for (size_t y = 0; y < results.height; ++y) {
      for (size_t x = 0; x < results.width; ++x, ++position) {
        Number* result = output->data + results.PixelOffset(position);
        const size_t stride = results.ChannelStride();
        bool is_first = true;
        for (const auto* row = rows.begin(y); row != rows.end(y); ++row) {
          for (const auto* column = columns.begin(x); column != columns.end(x); ++column) {
            const Number* top_left = pixel(row->low, column->low);
            const Number* top_right = pixel(row->low, column->high);
            const Number* bottom_left = pixel(row->high, column->low);
            const Number* bottom_right = pixel(row->high, column->high);
            for (size_t c = 0; c < images.depth; ++c) {
              const Number sample = Method::Sample(
                  arithmetic,
                  Corners<Number>{top_left[c], top_right[c], bottom_left[c], bottom_right[c]},
                  row->fraction, column->fraction, step);
              Number& element = result[c * stride];
              element = is_first ? sample : arithmetic.EitherOf(element, sample);
            }
            is_first = false;
          }
        }
        if (is_first) {
          for (size_t c = 0; c < images.depth; ++c) result[c * stride] = arithmetic.Unspecified();
        }
      }
    }
  }
  return absl::OkStatus();
}

// Along one axis: a length in pixels, or as a factor of that of the image.
void ChooseLength(OperandChooser& choose, int length_slot, int scale_slot, size_t image) {
  const int64_t length = choose.Between(1, std::min<int64_t>(2 * static_cast<int64_t>(image), 32));
  choose.SetInt32(length_slot, length);
  // Away from where a rounding of the factor decides about a pixel.
  choose.SetReal(scale_slot, (static_cast<double>(length) + choose.random().Uniform(0.1, 0.9)) /
                                 static_cast<double>(image));
}

void ChooseSize(OperandChooser& choose) {
  const ImageSizes images = ChooseImages(choose, kInput, kLayout);
  ChooseLength(choose, kWidth, kWidthScale, images.width);
  ChooseLength(choose, kHeight, kHeightScale, images.height);
}

OperandRule LengthScalar(std::string_view name, std::string_view axis) {
  return Int32Scalar(name)
      .Values(Uniform(1, 8))
      .Describe(absl::StrCat("The ", std::string(axis), " of the output, in pixels; above 0."));
}

OperandRule ScaleScalar(std::string_view name, std::string_view axis) {
  return FloatScalarLike(name, kInput)
      .Since(HalVersion::V1_2)
      .Values(LogUniform(0.5, 3))
      .Describe(absl::StrCat("What the ", std::string(axis),
                             " of the input is multiplied by to give that of the output: the "
                             "binary32 product, rounded down."));
}

// What tells one operation from the other, but for its method.
struct ResizeOperation {
  std::string_view summary;
  std::string_view description;
  bool has_optional_layout;
  std::string_view error_bound;
  std::string_view source;
};

template <class Method>
OperationDefinition Resizing(const ResizeOperation& operation) {
  OperandRule layout = LayoutScalar();
  if (operation.has_optional_layout) layout.Trailing();
  return {
      .summary = operation.summary,
      .description = operation.description,
      .signature =
          {.inputs = {FloatTensor("input")
                          .Types(HalVersion::V1_2, {OperandType::TENSOR_QUANT8_ASYMM})
                          .Ranks({4})
                          .Describe("The images, [batches, height, width, depth] or, for NCHW, "
                                    "[batches, depth, height, width]."),
                      LengthScalar("width", "width"), LengthScalar("height", "height"),
                      ScaleScalar("widthScale", "width"), ScaleScalar("heightScale", "height"),
                      std::move(layout)},
           .outputs = {Tensor("output").TypeLike(kInput).Ranks({4}).QuantizedLike(kInput).Describe(
               "The resized images, in the layout of the input.")},
           .forms = {{kInput, kWidth, kHeight, kLayout},
                     {kInput, kWidthScale, kHeightScale, kLayout}}},
      .constraints =
          {ImagesConstraint<kImages>(),
           Constraint("width and height are above 0", {.values = {kWidth, kHeight}},
                      [](const OperationContext& context) {
                        return context.Int32(kWidth, 1) > 0 && context.Int32(kHeight, 1) > 0;
                      }),
           Constraint(
               "width * widthScale and height * heightScale are at least 1 and less than 2^31",
               {.shapes = {kInput}, .values = {kWidthScale, kHeightScale, kLayout}},
               ScaledLengthsAreInRange)},
      .shape = ResizedShape,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Resize<Method>(arithmetic, context);
      }),
      .choose = ChooseSize,
      .error_bound = operation.error_bound,
      .accepts_empty_tensors = true,
      .source = operation.source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(RESIZE_BILINEAR) {
  return Resizing<Bilinear>({
      .summary = "output[b, y, x, c] = input[b, y * inputHeight / outputHeight, x * inputWidth / "
                 "outputWidth, c], interpolated linearly along both axes",
      .description =
          "A position between pixels takes from those around it, the more the nearer they are; "
          "behind the last pixel it is the last. Pixel 0 stays where it is, and the last one "
          "usually does not: neither corners nor centers of pixels are aligned. The size of the "
          "output is given in pixels, or by factors for the width and the height of the input.",
      .has_optional_layout = true,
      .error_bound =
          "of a correctly rounded quotient and product for each position, which move it; of the "
          "weights and the sum; a quantized result may be rounded down instead of to nearest",
      .source = "types.hal 1.0 and 1.2, OperationType::RESIZE_BILINEAR; the positions are those of "
                "Android's CPU implementation, on which the documentation is silent",
  });
}

NNCERT_OPERATION_DEFINITION(RESIZE_NEAREST_NEIGHBOR) {
  return Resizing<NearestNeighbor>({
      .summary = "output[b, y, x, c] = input[b, floor(y * inputHeight / outputHeight), floor(x * "
                 "inputWidth / outputWidth), c]",
      .description =
          "Each pixel is the one at or before its position in the input. The size of the output is "
          "given in pixels, or by factors for the width and the height of the input.",
      .has_optional_layout = false,
      .error_bound =
          "none, but for positions that a correctly rounded quotient and product move over a pixel",
      .source = "types.hal 1.2, OperationType::RESIZE_NEAREST_NEIGHBOR; that positions are rounded "
                "down is as in Android's CPU implementation, on which the documentation is silent",
  });
}

}  // namespace nncert
