// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Regions of interest of feature maps: what ROI_ALIGN and ROI_POOLING share.
//
// Rules: types.hal 1.2, ROI_ALIGN and ROI_POOLING. The documentation does not say what regions
// outside of the image give; like every implementation known to us, the reference refuses them.

#ifndef NNCERT_REFERENCE_OPS_COMMON_ROI_H_
#define NNCERT_REFERENCE_OPS_COMMON_ROI_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/operation_definition.h"
#include "reference/ops/common/boxes.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/selection.h"

namespace nncert {

/// The input slots of operations on regions of interest that both have, in their order.
enum RoiSlots : int {
  kRoiFeatures,
  kRoiBoxes,
  kRoiBatches,
  kRoiOutputHeight,
  kRoiOutputWidth,
  kRoiHeightRatio,
  kRoiWidthRatio
};

/// The rules of these inputs.
inline std::vector<OperandRule> RoiInputs() {
  const auto size = [](std::string_view name, std::string_view axis) {
    return Int32Scalar(name)
        .Values(Uniform(1, 4))
        .Describe(absl::StrCat("The ", std::string(axis), " of the output; above 0."));
  };
  const auto ratio = [](std::string_view name, std::string_view axis) {
    return FloatScalarBeside(name, kRoiFeatures)
        .Values(Uniform(1, 4))
        .Describe(absl::StrCat(
            "The ", std::string(axis),
            " of the images that boxes refer to, divided by that of the feature maps; above 0."));
  };
  return {FloatOrQuantizedTensor("features")
              .Ranks({4})
              .Describe("The feature maps, [images, height, width, depth] or, for NCHW, [images, "
                        "depth, height, width]."),
          PixelTensor("boxes", kRoiFeatures)
              .Ranks({2})
              .Values(kNoValues)
              .Describe("[boxes, 4]: regions [x1, y1, x2, y2] of an image, x1 <= x2 and y1 <= y2, "
                        "inside of the image. Anything else is an error."),
          BatchIndexes(),
          size("outputHeight", "height"),
          size("outputWidth", "width"),
          ratio("heightRatio", "height"),
          ratio("widthRatio", "width")};
}

/// The rule of the output.
inline OperandRule RoiOutput() {
  return Tensor("output")
      .TypeLike(kRoiFeatures)
      .Ranks({4})
      .Describe(
          "[boxes, outputHeight, outputWidth, depth] or, for NCHW, [boxes, depth, outputHeight, "
          "outputWidth].");
}

/// Constraints C1 to C6 of both.
inline std::vector<Constraint> RoiConstraints() {
  return {BoxRowsConstraint<kRoiBoxes>(),
          BatchCountConstraint<kRoiBoxes, kRoiBatches>(),
          BatchRangeConstraint<kRoiFeatures, kRoiBatches>(),
          BatchOrderConstraint<kRoiBatches>(),
          Constraint("outputHeight and outputWidth are above 0",
                     {.values = {kRoiOutputHeight, kRoiOutputWidth}},
                     [](const OperationContext& context) {
                       return context.Int32(kRoiOutputHeight) > 0 &&
                              context.Int32(kRoiOutputWidth) > 0;
                     }),
          Constraint("heightRatio and widthRatio are above 0",
                     {.values = {kRoiHeightRatio, kRoiWidthRatio}},
                     [](const OperationContext& context) {
                       return context.Real(kRoiHeightRatio) > 0 && context.Real(kRoiWidthRatio) > 0;
                     })};
}

/// The shape of the output.
template <int kLayout>
absl::Status RoiShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const bool is_nchw = context.Bool(kLayout);
  const ImageSizes features = ImageSizesOf(context.Input(kRoiFeatures).dimensions, is_nchw);
  outputs[0] = ImageDimensions(context.Input(kRoiBoxes).dimensions[0],
                               static_cast<uint32_t>(context.Int32(kRoiOutputHeight)),
                               static_cast<uint32_t>(context.Int32(kRoiOutputWidth)),
                               static_cast<uint32_t>(features.depth), is_nchw);
  return absl::OkStatus();
}

/// How many times the elements of the feature maps are read: those of a whole image for each box,
/// and at the edges of a cell once more for its neighbours.
template <int kLayout>
double RoiSteps(const OperationContext& context) {
  const ImageSizes features =
      ImageSizesOf(context.Input(kRoiFeatures).dimensions, context.Bool(kLayout));
  return static_cast<double>(context.Input(kRoiBoxes).dimensions[0]) *
         (static_cast<double>(features.height) + 2.0 * context.Int32(kRoiOutputHeight)) *
         (static_cast<double>(features.width) + 2.0 * context.Int32(kRoiOutputWidth)) *
         static_cast<double>(features.depth);
}

/// Settles the ratio of images to feature maps of `size` elements along one axis, and gives the
/// extent of the images.
inline Extent<double> ChooseImageExtent(OperandChooser& choose, int slot, size_t size) {
  // Every type holds eighths; quotients by powers of two are exact, others are not.
  constexpr std::array<double, 4> kPowers = {0.5, 1, 2, 4};
  const double ratio = choose.OneIn(2) ? choose.random().OneOf(kPowers)
                                       : static_cast<double>(choose.Between(4, 32)) / 8;
  choose.SetReal(slot, ratio);
  // Boxes up to the edge are inside of the image only if halves, of 11 binary digits, hold it.
  const double edge = static_cast<double>(size) * ratio;
  const double unit = std::exp2(std::max(std::ilogb(edge) - 10, -3));
  return {0, std::floor(edge / unit) * unit};
}

/// Settles everything that both operations have: feature maps, regions within their images, and
/// what size these are scaled to.
template <int kLayout>
void ChooseRegions(OperandChooser& choose) {
  const bool is_nchw = choose.OneIn(2);
  choose.SetInt32(kLayout, is_nchw ? 1 : 0);
  const ImageSizes features = ImageSizesOf(choose.Dimensions(kRoiFeatures), is_nchw);
  const uint32_t boxes = choose.Size();
  const auto most = static_cast<uint32_t>(choose.most_elements() / boxes / features.depth);
  const uint32_t height = choose.Size(most);
  choose.SetInt32(kRoiOutputHeight, height);
  choose.SetInt32(kRoiOutputWidth, choose.Size(most / height));
  const Extent<double> down = ChooseImageExtent(choose, kRoiHeightRatio, features.height);
  const Extent<double> across = ChooseImageExtent(choose, kRoiWidthRatio, features.width);
  ChooseBoxes(choose, kRoiBoxes, boxes, across, down);
  ChooseBatches(choose, kRoiBatches, boxes, static_cast<uint32_t>(features.batches));
}

/// An error unless every box is a region of its image.
template <class A>
absl::Status CheckRegions(const A& arithmetic, const OperationContext& context,
                          absl::Span<const typename A::Number> boxes, const ImageSizes& features) {
  if (absl::Status status = CheckBoxes(arithmetic, context, kRoiBoxes, boxes); !status.ok()) {
    return status;
  }
  const double width = static_cast<double>(features.width) * context.Real(kRoiWidthRatio);
  const double height = static_cast<double>(features.height) * context.Real(kRoiHeightRatio);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < boxes.size(); i += kCorners) {
    const bool is_finite = LeastOf(boxes[i + 2]) < kInfinity && LeastOf(boxes[i + 3]) < kInfinity;
    if (is_finite && GreatestOf(boxes[i]) >= 0 && GreatestOf(boxes[i + 1]) >= 0 &&
        LeastOf(boxes[i + 2]) <= width && LeastOf(boxes[i + 3]) <= height) {
      continue;
    }
    return context.InputError(
        kRoiBoxes,
        absl::StrCat("row ", i / kCorners, " is the box [", LeastOf(boxes[i]), ", ",
                     LeastOf(boxes[i + 1]), ", ", GreatestOf(boxes[i + 2]), ", ",
                     GreatestOf(boxes[i + 3]), "]; expected one inside of the image, [0, 0, ",
                     width, ", ", height, "]"));
  }
  return absl::OkStatus();
}

/// A result that every implementation gives exactly when its operands are known exactly and it can
/// be held; otherwise `rounded`. For sums and differences, and quotients by powers of two.
template <class A>
typename A::Number ExactIfHeld([[maybe_unused]] const A& arithmetic,
                               [[maybe_unused]] bool has_exact_operands,
                               [[maybe_unused]] double exact, const typename A::Number& rounded) {
  if constexpr (kIsEnclosure<A>) {
    if (has_exact_operands && IsHeldExactly(exact, arithmetic.precision())) return {exact, 0};
  }
  return rounded;
}

/// x / y, where y is above 0.
template <class A>
typename A::Number Ratio(const A& arithmetic, const typename A::Number& x,
                         const typename A::Number& y) {
  bool is_exact = false;
  double exact = 0;
  if constexpr (kIsEnclosure<A>) {
    int exponent = 0;
    is_exact = x.IsExact() && y.IsExact() && std::isfinite(x.midpoint) &&
               std::frexp(y.midpoint, &exponent) == 0.5;
    exact = x.midpoint / y.midpoint;
  }
  return ExactIfHeld(arithmetic, is_exact, exact, arithmetic.Divide(x, y));
}

/// high - low.
template <class A>
typename A::Number Length(const A& arithmetic, const typename A::Number& low,
                          const typename A::Number& high) {
  bool is_exact = false;
  double exact = 0;
  if constexpr (kIsEnclosure<A>) {
    exact = high.midpoint - low.midpoint;
    // What the difference loses in double precision is not held either.
    is_exact = low.IsExact() && high.IsExact() && exact + low.midpoint == high.midpoint &&
               high.midpoint - exact == low.midpoint;
  }
  return ExactIfHeld(arithmetic, is_exact, exact, arithmetic.Subtract(high, low));
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_ROI_H_
