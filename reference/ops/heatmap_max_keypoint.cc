// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// HEATMAP_MAX_KEYPOINT: where heat maps have their maxima, between the pixels.
//
// Around its greatest pixel, a map is taken for the quadratic function that has its values and
// central differences there (Taylor's expansion up to the quadratic term; types.hal 1.2).

#include <algorithm>
#include <cmath>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/boxes.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/image.h"

namespace nncert {
namespace {

enum : int { kHeatmaps, kBoxes, kLayout };
enum : int { kScoresOutput, kKeypointsOutput };

// How far a maximum may be from the greatest pixel along an axis: where it comes out farther, it is
// pulled back in its direction. The documentation does not mention it; every implementation known
// to us does it.
constexpr double kFarthest = 1.5;

// A curvature whose determinant is below f + f * (product of the diagonal) has no maximum to go to.
// The documentation does not mention it either. This f is that of the reference, for maps of halves
// a greater one; in an enclosure, it may be anything up to that.
constexpr double kFlat = 1e-5;
constexpr double kFlatHalf = 1e-3;

// More pixels than that which may be the greatest leave nothing to say.
constexpr size_t kMostPeaks = 16;

// One heat map, a pixel `stride` numbers after the one before.
template <class Number>
struct Heatmap {
  const Number* data;
  size_t size;
  size_t stride;

  const Number& At(size_t y, size_t x) const { return data[(y * size + x) * stride]; }
  // The pixel beside `index`; at an edge, the one on the other side.
  size_t Before(size_t index) const { return index == 0 ? 1 : index - 1; }
  size_t After(size_t index) const { return index + 1 == size ? size - 2 : index + 1; }
};

template <class Number>
struct Keypoint {
  Number score{};
  Number x{};  // in pixels of the map, from its left edge
  Number y{};
};

// Finds the maximum of the quadratic function around a pixel.
template <class A>
class Expansion {
 public:
  using Number = typename A::Number;

  Expansion(const A& arithmetic, const Heatmap<Number>& map, double flat, size_t y, size_t x)
      : arithmetic_(arithmetic), flat_(flat), x_index_(x), y_index_(y), center_(map.At(y, x)) {
    const size_t x0 = map.Before(x);
    const size_t x1 = map.After(x);
    const size_t y0 = map.Before(y);
    const size_t y1 = map.After(y);
    const Number half = arithmetic.Constant(0.5);
    const Number quarter = arithmetic.Constant(0.25);
    slope_x_ = arithmetic.Multiply(arithmetic.Subtract(map.At(y, x1), map.At(y, x0)), half);
    slope_y_ = arithmetic.Multiply(arithmetic.Subtract(map.At(y1, x), map.At(y0, x)), half);
    xx_ = SecondDifference(map.At(y, x0), map.At(y, x1));
    yy_ = SecondDifference(map.At(y0, x), map.At(y1, x));
    xy_ = arithmetic.Multiply(
        arithmetic.Subtract(arithmetic.Subtract(map.At(y1, x1), map.At(y1, x0)),
                            arithmetic.Subtract(map.At(y0, x1), map.At(y0, x0))),
        quarter);
  }

  Keypoint<Number> Maximum() const {
    const A& a = arithmetic_;
    const Number product = a.Multiply(xx_, yy_);
    const Number determinant = a.Subtract(product, a.Square(xy_));
    const Number across = a.Subtract(a.Multiply(xy_, slope_y_), a.Multiply(yy_, slope_x_));
    const Number down = a.Subtract(a.Multiply(xy_, slope_x_), a.Multiply(xx_, slope_y_));
    if (MayBeSpecial(determinant) || MayBeSpecial(across) || MayBeSpecial(down)) {
      return {a.Unspecified(), a.Unspecified(), a.Unspecified()};
    }
    Number x = a.Divide(across, determinant);
    Number y = a.Divide(down, determinant);
    PullBack(x, y);
    const Truth is_flat = IsFlat(product, determinant);
    x = a.Select(is_flat, a.Constant(0), x);
    y = a.Select(is_flat, a.Constant(0), y);
    // The value is the center's plus the slopes' part plus half of the curvature's.
    const Number slopes = a.Add(a.Multiply(slope_x_, x), a.Multiply(slope_y_, y));
    const Number row_x = a.Add(a.Multiply(xx_, x), a.Multiply(xy_, y));
    const Number row_y = a.Add(a.Multiply(xy_, x), a.Multiply(yy_, y));
    const Number curvature =
        a.Multiply(a.Add(a.Multiply(row_x, x), a.Multiply(row_y, y)), a.Constant(0.5));
    return {a.Add(a.Add(center_, slopes), curvature), Position(x_index_, x), Position(y_index_, y)};
  }

 private:
  Number SecondDifference(const Number& before, const Number& after) const {
    const Number twice = arithmetic_.Multiply(center_, arithmetic_.Constant(2));
    return arithmetic_.Add(arithmetic_.Subtract(before, twice), after);
  }

  // Whether an implementation may come to an infinity or a NaN, in an enclosure: the quotient of
  // two of them is a NaN, which nothing pulls back.
  static bool MayBeSpecial([[maybe_unused]] const Number& x) {
    if constexpr (kIsEnclosure<A>) {
      return !x.IsBounded() || !std::isfinite(x.midpoint);
    } else {
      return false;
    }
  }

  Number Magnitude(const Number& x) const { return arithmetic_.Max(x, arithmetic_.Negate(x)); }

  // Scales a shift that is too far along an axis.
  void PullBack(Number& x, Number& y) const {
    const A& a = arithmetic_;
    double limit = kFarthest;
    if constexpr (kIsEnclosure<A>) {
      // What divides by nearly zero comes to the farthest there is, in any direction; and pulling
      // back leaves nothing farther away, but for roundings.
      limit *= 1 + 16 * a.precision().unit_roundoff;
      if (!x.IsBounded() || !y.IsBounded()) {
        x = y = Ball::FromBounds(-limit, limit);
        return;
      }
    }
    const Number farthest = a.Constant(kFarthest);
    const Number distance = a.Max(Magnitude(x), Magnitude(y));
    const Truth is_far = a.Less(farthest, distance);
    if (is_far == Truth::kFalse) return;
    const Number factor = a.Select(is_far, a.Divide(farthest, distance), a.Constant(1));
    for (Number* shift : {&x, &y}) {
      *shift = a.Multiply(*shift, factor);
      if constexpr (kIsEnclosure<A>) {
        *shift = shift->IsBounded() ? Ball::FromBounds(std::clamp(shift->Lower(), -limit, limit),
                                                       std::clamp(shift->Upper(), -limit, limit))
                                    : Ball::FromBounds(-limit, limit);
      }
    }
  }

  // Whether there is no maximum to go to.
  Truth IsFlat(const Number& product, const Number& determinant) const {
    const auto threshold = [&](double figure) {
      return arithmetic_.Add(arithmetic_.Constant(figure),
                             arithmetic_.Multiply(arithmetic_.Constant(figure), product));
    };
    const Number magnitude = Magnitude(determinant);
    if constexpr (kIsEnclosure<A>) {
      if (determinant.IsExact() && determinant.midpoint == 0) return Truth::kTrue;
      const Number most = arithmetic_.Max(threshold(kFlatHalf), arithmetic_.Constant(kFlatHalf));
      return arithmetic_.Less(most, magnitude) == Truth::kTrue ? Truth::kFalse : Truth::kUndecided;
    } else {
      return arithmetic_.Less(magnitude, threshold(flat_));
    }
  }

  Number Position(size_t index, const Number& shift) const {
    return arithmetic_.Add(arithmetic_.Add(IndexNumber<Number>(index), shift),
                           arithmetic_.Constant(0.5));
  }

  const A& arithmetic_;
  const double flat_;
  const size_t x_index_;
  const size_t y_index_;
  const Number center_;
  Number slope_x_{};
  Number slope_y_{};
  Number xx_{};
  Number xy_{};
  Number yy_{};
};

// The first of the greatest pixels; in an enclosure, all that may be the greatest. Nothing when
// there is no saying.
template <class Number>
std::vector<size_t> PeaksOf(const Heatmap<Number>& map) {
  const size_t pixels = map.size * map.size;
  size_t leader = 0;
  for (size_t i = 0; i < pixels; ++i) {
    const Number& value = map.data[i * map.stride];
    if constexpr (std::is_same_v<Number, Ball>) {
      if (MayBeNaN(value)) return {};
    }
    // What comes after a NaN is greater.
    if (LeastOf(value) > LeastOf(map.data[leader * map.stride]) ||
        (MayBeNaN(map.data[leader * map.stride]) && !MayBeNaN(value))) {
      leader = i;
    }
  }
  if constexpr (!std::is_same_v<Number, Ball>) return {leader};
  std::vector<size_t> peaks;
  for (size_t i = 0; i < pixels; ++i) {
    if (GreatestOf(map.data[i * map.stride]) < LeastOf(map.data[leader * map.stride])) continue;
    peaks.push_back(i);
    if (peaks.size() > kMostPeaks) return {};
  }
  return peaks;
}

template <class A>
Keypoint<typename A::Number> KeypointOf(const A& arithmetic, const Heatmap<typename A::Number>& map,
                                        double flat) {
  const std::vector<size_t> peaks = PeaksOf(map);
  if (peaks.empty()) {
    return {arithmetic.Unspecified(), arithmetic.Unspecified(), arithmetic.Unspecified()};
  }
  Keypoint<typename A::Number> keypoint;
  for (size_t i = 0; i < peaks.size(); ++i) {
    const auto found =
        Expansion<A>(arithmetic, map, flat, peaks[i] / map.size, peaks[i] % map.size).Maximum();
    if (i == 0) {
      keypoint = found;
    } else {
      keypoint = {arithmetic.EitherOf(keypoint.score, found.score),
                  arithmetic.EitherOf(keypoint.x, found.x),
                  arithmetic.EitherOf(keypoint.y, found.y)};
    }
  }
  return keypoint;
}

template <class A>
absl::Status Localize(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  auto scores = context.Output(kScoresOutput);
  if (!scores.ok()) return scores.status();
  auto keypoints = context.Output(kKeypointsOutput);
  if (!keypoints.ok()) return keypoints.status();
  const auto boxes = context.Input(kBoxes);
  if (absl::Status status = CheckBoxes(arithmetic, context.operation(), kBoxes, boxes.elements());
      !status.ok()) {
    return status;
  }
  const ImageSizes sizes =
      ImageSizesOf(context->Input(kHeatmaps).dimensions, context->Bool(kLayout));
  const Number* elements = NhwcElements(context, kHeatmaps, sizes);
  const Number size = IndexNumber<Number>(sizes.height);
  const bool is_half = context->Input(kHeatmaps).type == OperandType::TENSOR_FLOAT16;
  const double flat = is_half ? kFlatHalf : kFlat;
  for (size_t i = 0; i < scores->size; ++i) {
    const size_t box = i / sizes.depth;
    const Heatmap<Number> map = {
        elements + box * sizes.height * sizes.width * sizes.depth + i % sizes.depth, sizes.height,
        sizes.depth};
    const Keypoint<Number> keypoint = KeypointOf(arithmetic, map, flat);
    (*scores)[i] = keypoint.score;
    for (size_t axis = 0; axis < 2; ++axis) {
      const Number* corners = boxes.data + box * kCorners + axis;
      const Number share = arithmetic.Divide(axis == 0 ? keypoint.x : keypoint.y, size);
      (*keypoints)[2 * i + axis] = arithmetic.Add(
          arithmetic.Multiply(share, arithmetic.Subtract(corners[2], corners[0])), corners[0]);
    }
  }
  return absl::OkStatus();
}

ImageSizes HeatmapSizes(const OperationContext& context) {
  return ImageSizesOf(context.Input(kHeatmaps).dimensions, context.Bool(kLayout));
}

void ChooseHeatmapMaxKeypoint(OperandChooser& choose) {
  bool is_nchw = choose.OneIn(2);
  if (choose.IsGiven(kHeatmaps)) {
    // The layout in which the maps are square, if there is one.
    const Shape& maps = choose.Dimensions(kHeatmaps);
    is_nchw = maps[1] != maps[2] || (is_nchw && maps[2] == maps[3]);
    const ImageSizes sizes = ImageSizesOf(maps, is_nchw);
    if (sizes.height != sizes.width || sizes.height < 2) return choose.Decline();
  } else {
    // Of the lengths any may be the long one.
    const uint32_t early = choose.OneIn(2) ? choose.Size(kMostEarly) : 0;
    const uint32_t boxes = choose.Size();
    const uint64_t most = choose.most_elements() / boxes;
    const auto most_across = static_cast<uint32_t>(std::sqrt(static_cast<double>(most)));
    const uint32_t size = std::max(choose.Size(most_across), 2U);
    const uint32_t keypoints =
        early > 0 ? early : choose.Size(static_cast<uint32_t>(most / size / size));
    choose.SetDimensions(kHeatmaps, ImageDimensions(boxes, size, size, keypoints, is_nchw));
  }
  choose.SetInt32(kLayout, is_nchw ? 1 : 0);
  constexpr double kImage = 64;
  const Extent<double> across = {-kImage / 8, kImage};
  ChooseBoxes(choose, kBoxes, choose.Dimensions(kHeatmaps)[0], across, {0, kImage});
  choose.SetOutputRange(kKeypointsOutput, {across.low, across.high});
  // The maximum is above the greatest pixel.
  const ValueRange map = choose.Range(kHeatmaps);
  choose.SetOutputRange(kScoresOutput, {map.lowest, map.highest + (map.highest - map.lowest) / 4});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(HEATMAP_MAX_KEYPOINT) {
  return {
      .summary =
          "score and keypoint: the maximum, and where it is in its box, of the quadratic function "
          "that each heat map is like around its greatest pixel",
      .description =
          "Around its greatest pixel, a map m is taken for m(0, 0) + g d + d' H d / 2, where d is "
          "the way from the middle of the pixel, g the slopes (m(1, 0) - m(-1, 0)) / 2 and (m(0, "
          "1) - m(0, -1)) / 2, and H the second differences m(-1, 0) - 2 m(0, 0) + m(1, 0), the "
          "same along y, and (m(1, 1) - m(-1, 1) - m(1, -1) + m(-1, -1)) / 4. Beyond an edge of "
          "the map, its neighbours are mirrored. The maximum is at d = -H^-1 g. If that is farther "
          "than 1.5 pixels along an axis, it is scaled back to 1.5; if the determinant of H is "
          "below f + f * H_xx * H_yy, d is 0, with f of 1e-5, or of 1e-3 for halves. The map "
          "covers its box: the keypoint is at the same share of the box's width and height as the "
          "maximum is of the map's.",
      .signature =
          {.inputs = {FloatOrQuantizedTensor("heatmaps")
                          .Ranks({4})
                          .Describe("[boxes, size, size, keypoints] or, for NCHW, [boxes, "
                                    "keypoints, size, size]: a map for each keypoint of each box."),
                      PixelTensor("boxes", kHeatmaps)
                          .Ranks({2})
                          .Values(kNoValues)
                          .Describe("[boxes, 4]: [x1, y1, x2, y2], x1 <= x2 and y1 <= y2. Anything "
                                    "else is an error."),
                      LayoutScalar()},
           .outputs = {Tensor("scores").TypeLike(kHeatmaps).Ranks({2}).Describe(
                           "[boxes, keypoints]: the maximum of each map."),
                       PixelTensor("keypoints", kHeatmaps)
                           .Ranks({3})
                           .Describe("[boxes, keypoints, 2]: [x, y], where the maximum is.")}},
      .constraints = {Constraint("heat maps are as high as wide",
                                 {.shapes = {kHeatmaps}, .values = {kLayout}},
                                 [](const OperationContext& context) {
                                   return HeatmapSizes(context).height ==
                                          HeatmapSizes(context).width;
                                 }),
                      Constraint("heat maps are at least 2 pixels high and wide",
                                 {.shapes = {kHeatmaps}, .values = {kLayout}},
                                 [](const OperationContext& context) {
                                   const ImageSizes sizes = HeatmapSizes(context);
                                   return sizes.height != sizes.width || sizes.height >= 2;
                                 }),
                      BoxRowsConstraint<kBoxes>(),
                      Constraint("boxes has a row for each box of heatmaps",
                                 {.shapes = {kHeatmaps, kBoxes}},
                                 [](const OperationContext& context) {
                                   return context.Input(kBoxes).dimensions[0] ==
                                          context.Input(kHeatmaps).dimensions[0];
                                 })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const uint32_t boxes = context.Input(kHeatmaps).dimensions[0];
        const auto keypoints = static_cast<uint32_t>(HeatmapSizes(context).depth);
        outputs[kScoresOutput] = {boxes, keypoints};
        outputs[kKeypointsOutput] = {boxes, keypoints, 2};
        return absl::OkStatus();
      },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Localize(arithmetic, context);
      }),
      .choose = ChooseHeatmapMaxKeypoint,
      .error_bound =
          "of the differences, of the solution of two linear equations, and of which of several "
          "close pixels is the greatest",
      .source = "types.hal 1.2, OperationType::HEATMAP_MAX_KEYPOINT",
  };
}

}  // namespace nncert
