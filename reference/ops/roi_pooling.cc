// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// ROI_POOLING: regions of feature maps, scaled to one size by maxima.

#include <algorithm>
#include <cmath>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/roi.h"
#include "reference/ops/common/zero_element.h"

namespace nncert {
namespace {

enum : int { kLayout = kRoiWidthRatio + 1 };

// More ways than that to round a region are not followed.
constexpr size_t kMostWays = 16;

// The elements of a feature map along one axis that one output element is the greatest of: at least
// [inner_first, inner_end), at most [outer_first, outer_end). The two differ where the edge of a
// cell is so close to a whole number that rounding it may go either way.
struct Bin {
  int64_t inner_first = 0;
  int64_t inner_end = 0;
  int64_t outer_first = 0;
  int64_t outer_end = 0;
};

// Whole numbers nearest to x: one, or all that rounding may come to, ties either way. Empty when
// there are too many.
template <class A>
std::vector<int64_t> Nearest([[maybe_unused]] const A& arithmetic, const typename A::Number& x) {
  if constexpr (kIsEnclosure<A>) {
    if (!x.IsBounded()) return {};
    // A tie that is known exactly is still rounded one way here and another there.
    const double least = std::ceil(x.Lower() - 0.5);
    const double greatest = std::floor(x.Upper() + 0.5);
    std::vector<int64_t> nearest;
    if (greatest - least >= static_cast<double>(kMostWays)) return nearest;
    for (double value = least; value <= greatest; ++value) {
      nearest.push_back(static_cast<int64_t>(value));
    }
    return nearest;
  } else {
    return {static_cast<int64_t>(std::round(static_cast<double>(x)))};
  }
}

// The edge `numerator` / `denominator` + start of a cell, as the whole numbers not above and not
// below it: {at least, at most} each.
struct Edge {
  int64_t floor_least = 0;
  int64_t floor_greatest = 0;
  int64_t ceil_least = 0;
  int64_t ceil_greatest = 0;
};

// The edge between cells: `index` cells of length / count each after `start`.
template <class A>
Edge EdgeOf([[maybe_unused]] const A& arithmetic, int64_t start, int64_t length, int64_t count,
            int64_t index) {
  const int64_t floor = start + length * index / count;
  const bool is_whole = length * index % count == 0;
  const int64_t ceil = is_whole ? floor : floor + 1;
  Edge edge = {floor, floor, ceil, ceil};
  if constexpr (kIsEnclosure<A>) {
    const Precision& precision = arithmetic.precision();
    const double step = static_cast<double>(length) / static_cast<double>(count);
    // A step that every implementation holds, as it divides by a power of two, gives exact edges.
    const bool is_power = (count & (count - 1)) == 0;
    const bool is_held =
        is_power && IsHeldExactly(step, precision) &&
        IsHeldExactly(step * static_cast<double>(index), precision) &&
        IsHeldExactly(step * static_cast<double>(index) + static_cast<double>(start), precision);
    if (is_held || index == 0) return edge;
    // The step, its multiple and the sum are rounded.
    const double value = step * static_cast<double>(index);
    const double error = (2 * BallArithmetic::kQuotientUlps + 3) * precision.unit_roundoff *
                         (value + static_cast<double>(start) + 1);
    const double exact = value + static_cast<double>(start);
    edge.floor_least = std::min(edge.floor_least, static_cast<int64_t>(std::floor(exact - error)));
    edge.floor_greatest =
        std::max(edge.floor_greatest, static_cast<int64_t>(std::floor(exact + error)));
    edge.ceil_least = std::min(edge.ceil_least, static_cast<int64_t>(std::ceil(exact - error)));
    edge.ceil_greatest =
        std::max(edge.ceil_greatest, static_cast<int64_t>(std::ceil(exact + error)));
  }
  return edge;
}

// The bins of the region from element `start` to element `end`, both included.
template <class A>
std::vector<Bin> BinsOf(const A& arithmetic, int64_t start, int64_t end, size_t count,
                        size_t size) {
  const int64_t length = std::max<int64_t>(end - start + 1, 1);
  const auto limit = [size](int64_t index) {
    return std::clamp<int64_t>(index, 0, static_cast<int64_t>(size));
  };
  const auto cells = static_cast<int64_t>(count);
  std::vector<Bin> bins;
  for (int64_t i = 0; i < cells; ++i) {
    const Edge first = EdgeOf(arithmetic, start, length, cells, i);
    const Edge last = EdgeOf(arithmetic, start, length, cells, i + 1);
    bins.push_back({limit(first.floor_greatest), limit(last.ceil_least), limit(first.floor_least),
                    limit(last.ceil_greatest)});
  }
  return bins;
}

// The operation on one set of inputs.
template <class A>
class Pooler {
 public:
  using Number = typename A::Number;

  Pooler(const A& arithmetic, KernelContext<A>& context)
      : arithmetic_(arithmetic),
        context_(context),
        features_(ImageSizesOf(context->Input(kRoiFeatures).dimensions, context->Bool(kLayout))),
        elements_(NhwcElements(context, kRoiFeatures, features_)),
        boxes_(context.Input(kRoiBoxes)) {}

  absl::Status Run() {
    auto output = context_.Output(0);
    if (!output.ok()) return output.status();
    results_ = ImageSizesOf(output->dimensions, context_->Bool(kLayout));
    if (absl::Status status =
            CheckRegions(arithmetic_, context_.operation(), boxes_.elements(), features_);
        !status.ok()) {
      return status;
    }
    const std::vector<int32_t> batches = context_->Int32s(kRoiBatches);
    for (size_t roi = 0; roi < batches.size(); ++roi) {
      const Number* image = elements_ + static_cast<size_t>(batches[roi]) * features_.height *
                                            features_.width * features_.depth;
      const std::vector<std::vector<Bin>> down = WaysAlong(roi, 1);
      const std::vector<std::vector<Bin>> across = WaysAlong(roi, 0);
      bool is_first = true;
      for (const std::vector<Bin>& rows : down) {
        for (const std::vector<Bin>& columns : across) {
          Pool(image, rows, columns, roi, is_first, output->data);
          is_first = false;
        }
      }
      if (is_first) return UndecidedError(absl::StrCat("box ", roi, " rounds in too many ways"));
    }
    return absl::OkStatus();
  }

 private:
  // The bins along an axis, for every way to round the ends of the region.
  std::vector<std::vector<Bin>> WaysAlong(size_t roi, size_t axis) const {
    const Number* box = boxes_.data + roi * kCorners + axis;
    const Number ratio =
        arithmetic_.Constant(context_->Real(axis == 0 ? kRoiWidthRatio : kRoiHeightRatio));
    const std::vector<int64_t> starts = Nearest(arithmetic_, Ratio(arithmetic_, box[0], ratio));
    const std::vector<int64_t> ends = Nearest(arithmetic_, Ratio(arithmetic_, box[2], ratio));
    std::vector<std::vector<Bin>> ways;
    if (starts.size() * ends.size() > kMostWays) return ways;
    for (const int64_t start : starts) {
      for (const int64_t end : ends) {
        ways.push_back(BinsOf(arithmetic_, start, end, axis == 0 ? results_.width : results_.height,
                              axis == 0 ? features_.width : features_.height));
      }
    }
    return ways;
  }

  // Sets greatest_ to the greatest elements of each channel in a window, zeros when it is empty.
  void FindGreatest(const Number* image, int64_t top, int64_t bottom, int64_t left, int64_t right,
                    std::vector<Number>& greatest) const {
    greatest.assign(features_.depth, arithmetic_.Constant(0));
    bool is_first = true;
    for (int64_t y = top; y < bottom; ++y) {
      for (int64_t x = left; x < right; ++x) {
        const Number* pixel =
            image +
            (static_cast<size_t>(y) * features_.width + static_cast<size_t>(x)) * features_.depth;
        for (size_t c = 0; c < features_.depth; ++c) {
          greatest[c] = is_first ? pixel[c] : arithmetic_.Max(greatest[c], pixel[c]);
        }
        is_first = false;
      }
    }
  }

  // Sets the output of a region by one way to round it, or adds that to what it may be.
  void Pool(const Number* image, const std::vector<Bin>& rows, const std::vector<Bin>& columns,
            size_t roi, bool is_first, Number* output) {
    for (size_t y = 0; y < results_.height; ++y) {
      for (size_t x = 0; x < results_.width; ++x) {
        const Bin& row = rows[y];
        const Bin& column = columns[x];
        FindGreatest(image, row.inner_first, row.inner_end, column.inner_first, column.inner_end,
                     inner_);
        const bool is_open = row.inner_first != row.outer_first || row.inner_end != row.outer_end ||
                             column.inner_first != column.outer_first ||
                             column.inner_end != column.outer_end;
        if (is_open) {
          FindGreatest(image, row.outer_first, row.outer_end, column.outer_first, column.outer_end,
                       outer_);
        }
        Number* pixel =
            output + results_.PixelOffset((roi * results_.height + y) * results_.width + x);
        for (size_t c = 0; c < features_.depth; ++c) {
          Number greatest = inner_[c];
          if (is_open) greatest = arithmetic_.EitherOf(greatest, outer_[c]);
          Number& result = pixel[c * results_.ChannelStride()];
          result = is_first ? greatest : arithmetic_.EitherOf(result, greatest);
        }
      }
    }
  }

  const A& arithmetic_;
  KernelContext<A>& context_;
  const ImageSizes features_;
  const Number* elements_;  // in NHWC order
  const TensorView<const Number> boxes_;
  ImageSizes results_;
  std::vector<Number> inner_;
  std::vector<Number> outer_;
};

Signature RoiPoolingSignature() {
  Signature signature = {.inputs = RoiInputs(), .outputs = {RoiOutput().QuantizedLike(0)}};
  signature.inputs.push_back(LayoutScalar());
  return signature;
}

void ChooseRoiPooling(OperandChooser& choose) {
  ChooseRegions<kLayout>(choose);
  // A cell beyond the last element gives 0.
  choose.SetOutputRange(0, WithZeros(choose.SettledRange(kRoiFeatures)));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(ROI_POOLING) {
  return {
      .summary =
          "output[r, i, j, c] = the greatest element of channel c in cell (i, j) of a grid of "
          "outputHeight x outputWidth in box r",
      .description =
          "A box is divided by the ratios to come to the feature map of its image, and its corners "
          "are rounded to whole numbers: the elements that its first and last ones are. It is "
          "divided into cells of equal size, each of which takes every element that it is in at "
          "all: from its start rounded down to its end rounded up. Elements beyond the feature map "
          "do not count; a cell without elements gives 0. The reference rounds halves up; the "
          "documentation leaves that open.",
      .signature = RoiPoolingSignature(),
      .constraints = RoiConstraints(),
      .shape = RoiShape<kLayout>,
      .steps = RoiSteps<kLayout>,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Pooler<A>(arithmetic, context).Run();
      }),
      .choose = ChooseRoiPooling,
      .error_bound = "none, but for cells whose edge is so close to an element that it may be in",
      .source = "types.hal 1.2, OperationType::ROI_POOLING",
  };
}

}  // namespace nncert
