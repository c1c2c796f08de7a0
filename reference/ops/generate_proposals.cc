// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// GENERATE_PROPOSALS: the best boxes of a grid of anchors, moved by deltas, without those that
// overlap better ones.

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/boxes.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/selected_rows.h"
#include "reference/ops/common/suppression.h"

namespace nncert {
namespace {

enum : int {
  kScores,
  kDeltas,
  kAnchors,
  kImageSizes,
  kHeightRatio,
  kWidthRatio,
  kMaxBefore,
  kMaxAfter,
  kOverlapThreshold,
  kMinSize,
  kLayout
};
enum : int { kScoresOutput, kBoxesOutput, kBatchesOutput };

// A limit that means "all" unless it is above 0.
int64_t LimitOf(const OperationContext& context, int slot) {
  return context.Int32(slot) > 0 ? context.Int32(slot) : -1;
}

// The operation on one set of inputs.
template <class A>
class Proposer {
 public:
  using Number = typename A::Number;

  Proposer(const A& arithmetic, KernelContext<A>& context)
      : arithmetic_(arithmetic),
        context_(context),
        grid_(ImageSizesOf(context->Input(kScores).dimensions, context->Bool(kLayout))),
        delta_grid_(ImageSizesOf(context->Input(kDeltas).dimensions, context->Bool(kLayout))),
        scores_(NhwcElements(context, kScores, grid_)),
        deltas_(NhwcElements(context, kDeltas, delta_grid_)),
        image_sizes_(context.Input(kImageSizes)),
        proposals_({kScoresOutput, {kBoxesOutput, kCorners}, kBatchesOutput}) {}

  absl::Status Run() {
    if (absl::Status status = PlaceAnchors(); !status.ok()) return status;
    const SuppressionSettings<Number> settings = {
        .kernel = SuppressionKernel::kHard,
        .drops_by_overlap_alone = true,
        .overlap_threshold = arithmetic_.Constant(context_->Real(kOverlapThreshold)),
        .limit = LimitOf(context_.operation(), kMaxAfter)};
    boxes_.resize(anchors_.size());
    const Suppression suppression(arithmetic_, settings, CornersOf{boxes_.data()});
    for (size_t batch = 0; batch < grid_.batches; ++batch) {
      const Number* deltas = deltas_ + batch * boxes_.size();
      const Number* size = image_sizes_.data + batch * 2;
      for (size_t i = 0; i < boxes_.size(); i += kCorners) {
        MoveBox(arithmetic_, anchors_.data() + i, deltas + i, size[0], size[1], boxes_.data() + i);
      }
      const Selection<Number> best =
          BestOf<Number>({suppression.Run(CandidatesOf(batch))}, settings.limit);
      proposals_.AddImage(best);
      for (const Candidate<Number>& candidate : best.boxes) {
        proposals_.Append(kScoresOutput, candidate.score);
        proposals_.Append(kBoxesOutput, {boxes_.data() + candidate.box * kCorners, kCorners});
        proposals_.Append(kBatchesOutput, IndexNumber<Number>(batch));
      }
    }
    return proposals_.Write(context_);
  }

 private:
  // Boxes are called by their place in an image, in the order row, column, anchor.
  struct CornersOf {
    const Number* data;
    const Number* operator()(size_t box) const { return data + box * kCorners; }
  };

  // Every anchor at every place of the grid.
  absl::Status PlaceAnchors() {
    const auto anchors = context_.Input(kAnchors);
    if (absl::Status status =
            CheckBoxes(arithmetic_, context_.operation(), kAnchors, anchors.elements());
        !status.ok()) {
      return status;
    }
    const Number height_ratio = arithmetic_.Constant(context_->Real(kHeightRatio));
    const Number width_ratio = arithmetic_.Constant(context_->Real(kWidthRatio));
    anchors_.reserve(grid_.height * grid_.width * anchors.size);
    for (size_t y = 0; y < grid_.height; ++y) {
      const Number down = arithmetic_.Multiply(IndexNumber<Number>(y), height_ratio);
      for (size_t x = 0; x < grid_.width; ++x) {
        const Number across = arithmetic_.Multiply(IndexNumber<Number>(x), width_ratio);
        for (size_t i = 0; i < anchors.size; ++i) {
          anchors_.push_back(arithmetic_.Add(anchors[i], i % 2 == 0 ? across : down));
        }
      }
    }
    return absl::OkStatus();
  }

  // The boxes of the greatest scores, up to the limit before suppression, without the small ones.
  Selected<Number> CandidatesOf(size_t batch) const {
    const size_t count = boxes_.size() / kCorners;
    const Number* scores = scores_ + batch * count;
    Selected<Number> candidates;
    const Number min_size = arithmetic_.Constant(context_->Real(kMinSize));
    std::vector<Truth> is_in = AreAmongTheBest(scores, count);
    for (size_t box = 0; box < count; ++box) {
      Truth takes_part = is_in[box];
      const Number* corners = boxes_.data() + box * kCorners;
      for (size_t axis = 0; axis < 2; ++axis) {
        const Number size = arithmetic_.Subtract(corners[axis + 2], corners[axis]);
        const Truth is_large = PassesThreshold(arithmetic_, size, min_size);
        if (is_large == Truth::kFalse || takes_part == Truth::kFalse) {
          takes_part = Truth::kFalse;
        } else if (is_large == Truth::kUndecided) {
          takes_part = Truth::kUndecided;
        }
      }
      const bool is_nan = !kIsEnclosure<A> && MayBeNaN(scores[box]);
      if (takes_part == Truth::kFalse || is_nan) continue;
      candidates.push_back({box, scores[box], takes_part == Truth::kUndecided});
    }
    return candidates;
  }

  // Whether each box has one of the scores that the limit before suppression lets through.
  std::vector<Truth> AreAmongTheBest(const Number* scores, size_t count) const {
    const int64_t limit = LimitOf(context_.operation(), kMaxBefore);
    if (limit < 0 || static_cast<size_t>(limit) >= count) {
      return std::vector<Truth>(count, Truth::kTrue);
    }
    const auto most = static_cast<size_t>(limit);
    std::vector<Truth> is_in(count, Truth::kFalse);
    if constexpr (kIsEnclosure<A>) {
      std::vector<double> lowest(count);
      std::vector<double> highest(count);
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < count; ++i) {
        lowest[i] = MayBeNaN(scores[i]) ? -kInfinity : LeastOf(scores[i]);
        highest[i] = MayBeNaN(scores[i]) ? kInfinity : GreatestOf(scores[i]);
      }
      std::sort(lowest.begin(), lowest.end(), std::greater<>());
      std::sort(highest.begin(), highest.end(), std::greater<>());
      // `most` scores reach the one, and no more than that can exceed the other.
      const double reached = lowest[most - 1];
      const double exceeded = highest[most];
      for (size_t i = 0; i < count; ++i) {
        if (MayBeNaN(scores[i])) {
          is_in[i] = Truth::kUndecided;
        } else if (GreatestOf(scores[i]) >= reached) {
          is_in[i] = LeastOf(scores[i]) > exceeded ? Truth::kTrue : Truth::kUndecided;
        }
      }
    } else {
      std::vector<size_t> order(count);
      std::iota(order.begin(), order.end(), size_t{0});
      // A NaN counts as the least.
      std::stable_sort(order.begin(), order.end(), [scores](size_t a, size_t b) {
        if (MayBeNaN(scores[a]) || MayBeNaN(scores[b])) {
          return !MayBeNaN(scores[a]) && MayBeNaN(scores[b]);
        }
        return scores[a] > scores[b];
      });
      for (size_t i = 0; i < most; ++i) is_in[order[i]] = Truth::kTrue;
    }
    return is_in;
  }

  const A& arithmetic_;
  KernelContext<A>& context_;
  const ImageSizes grid_;        // the depth is the number of anchors
  const ImageSizes delta_grid_;  // the depth is four times that
  const Number* scores_;
  const Number* deltas_;
  const TensorView<const Number> image_sizes_;
  std::vector<Number> anchors_;  // of one image, before the deltas
  std::vector<Number> boxes_;    // of one image, after the deltas
  SelectedRows<A> proposals_;
};

OperandRule ImageSizeTensor(std::string_view name) { return PixelTensor(name, kScores).Ranks({2}); }

Signature GenerateProposalsSignature() {
  return {
      .inputs = {FloatOrQuantizedTensor("scores")
                     .Ranks({4})
                     .Values(Uniform(0, 1))
                     .Describe("[batches, height, width, anchors] or, for NCHW, [batches, anchors, "
                               "height, width]: how good each anchor is at each place."),
                 Tensor("deltas")
                     .TypeLike(kScores)
                     .Ranks({4})
                     .Values(Uniform(-1, 1))
                     .Describe("[batches, height, width, anchors * 4] or, for NCHW, [batches, "
                               "anchors * 4, height, width]: [dx, dy, dw, dh] for each anchor at "
                               "each place; shifts in units of its size, logarithms of factors."),
                 Tensor("anchors")
                     .TypeWhen(kScores, OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT32)
                     .TypeWhen(kScores, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT16)
                     .TypeWhen(kScores, OperandType::TENSOR_QUANT8_ASYMM,
                               OperandType::TENSOR_QUANT16_SYMM)
                     .Ranks({2})
                     .Quantized(0.125f, 0)
                     .Values(kNoValues)
                     .Describe("[anchors, 4]: the box [x1, y1, x2, y2] of each anchor at the first "
                               "place, x1 <= x2 and y1 <= y2. Anything else is an error."),
                 ImageSizeTensor("imageSizes")
                     .Values(kNoValues)
                     .Describe("[batches, 2]: [height, width] of each image."),
                 FloatScalarBeside("heightRatio", kScores)
                     .Values(Uniform(1, 8))
                     .Describe("How far places are apart down the image; above 0."),
                 FloatScalarBeside("widthRatio", kScores)
                     .Values(Uniform(1, 8))
                     .Describe("How far places are apart across the image; above 0."),
                 Int32Scalar("maxBefore")
                     .Values(Uniform(-1, 40))
                     .Describe("How many boxes of an image, those of the greatest scores, take "
                               "part; all if not above 0."),
                 Int32Scalar("maxAfter")
                     .Values(Uniform(-1, 20))
                     .Describe("How many boxes to keep for each image; all if not above 0."),
                 FloatScalarBeside("overlapThreshold", kScores)
                     .Values(Uniform(0.2, 0.8))
                     .Describe("Intersection over union from which on a box is left out."),
                 FloatScalarBeside("minSize", kScores)
                     .Values(Uniform(0, 4))
                     .Describe("Boxes with a smaller width or height take no part."),
                 LayoutScalar()},
      .outputs = {Tensor("scores").TypeLike(kScores).Ranks({1}).QuantizedLike(kScores).Describe(
                      "[proposals]: the score of each box that was selected."),
                  PixelTensor("boxes", kScores).Ranks({2}).Describe("[proposals, 4]: its corners."),
                  Int32Output("batches").Describe("[proposals]: its image.")}};
}

std::vector<Constraint> GenerateProposalsConstraints() {
  return {Constraint(
              "deltas has the dimensions of scores with four channels for each one",
              {.shapes = {kScores, kDeltas}, .values = {kLayout}},
              [](const OperationContext& context) {
                const bool is_nchw = context.Bool(kLayout);
                const ImageSizes scores = ImageSizesOf(context.Input(kScores).dimensions, is_nchw);
                const ImageSizes deltas = ImageSizesOf(context.Input(kDeltas).dimensions, is_nchw);
                return deltas.batches == scores.batches && deltas.height == scores.height &&
                       deltas.width == scores.width && deltas.depth == scores.depth * kCorners;
              }),
          BoxRowsConstraint<kAnchors>(),
          Constraint("anchors has a row for each channel of scores",
                     {.shapes = {kScores, kAnchors}, .values = {kLayout}},
                     [](const OperationContext& context) {
                       const ImageSizes scores =
                           ImageSizesOf(context.Input(kScores).dimensions, context.Bool(kLayout));
                       return context.Input(kAnchors).dimensions[0] == scores.depth;
                     }),
          Constraint("imageSizes has two numbers for each batch of scores",
                     {.shapes = {kScores, kImageSizes}},
                     [](const OperationContext& context) {
                       const Shape& sizes = context.Input(kImageSizes).dimensions;
                       return sizes[0] == context.Input(kScores).dimensions[0] && sizes[1] == 2;
                     }),
          Constraint("heightRatio and widthRatio are above 0",
                     {.values = {kHeightRatio, kWidthRatio}}, [](const OperationContext& context) {
                       return context.Real(kHeightRatio) > 0 && context.Real(kWidthRatio) > 0;
                     })};
}

// Settles the layout and all dimensions, and gives the grid.
ImageSizes ChooseGrid(OperandChooser& choose) {
  ImageSizes grid = {.is_nchw = choose.OneIn(2)};
  if (choose.IsGiven(kScores)) {
    grid = ImageSizesOf(choose.Dimensions(kScores), grid.is_nchw);
  } else if (choose.IsGiven(kDeltas)) {
    // The layout in which they come in fours, if there is one.
    const Shape& deltas = choose.Dimensions(kDeltas);
    if (deltas[grid.is_nchw ? 1 : 3] % kCorners != 0) grid.is_nchw = !grid.is_nchw;
    grid = ImageSizesOf(deltas, grid.is_nchw);
    grid.depth = std::max<size_t>(grid.depth / kCorners, 1);
  } else {
    // There are more deltas than anything else.
    grid.depth = choose.Size();
    auto left = static_cast<uint32_t>(choose.most_elements() / kCorners / grid.depth);
    for (size_t* size : {&grid.height, &grid.width, &grid.batches}) {
      *size = choose.Size(left);
      left /= static_cast<uint32_t>(*size);
    }
  }
  choose.SetInt32(kLayout, grid.is_nchw ? 1 : 0);
  const auto batches = static_cast<uint32_t>(grid.batches);
  const auto dimensions = [&](size_t depth) {
    return ImageDimensions(batches, static_cast<uint32_t>(grid.height),
                           static_cast<uint32_t>(grid.width), static_cast<uint32_t>(depth),
                           grid.is_nchw);
  };
  choose.SetDimensions(kScores, dimensions(grid.depth));
  choose.SetDimensions(kDeltas, dimensions(grid.depth * kCorners));
  choose.SetDimensions(kImageSizes, {batches, 2});
  return grid;
}

void ChooseGenerateProposals(OperandChooser& choose) {
  if (choose.IsGiven(kDeltas) && choose.Range(kDeltas).Magnitude() > kGreatestDelta) {
    return choose.Decline();
  }
  const ImageSizes grid = ChooseGrid(choose);
  ChooseScores(choose, kScores);
  const double down = choose.random().Uniform(1, 8);
  const double across = choose.random().Uniform(1, 8);
  choose.SetReal(kHeightRatio, down);
  choose.SetReal(kWidthRatio, across);
  choose.SetReal(kMinSize, choose.random().Uniform(0, std::min(down, across) / 2));
  ChooseBoxes(choose, kAnchors, static_cast<uint32_t>(grid.depth), {-2 * across, 2 * across},
              {-2 * down, 2 * down});
  // The grid covers more than the image, or less.
  std::vector<double> sizes;
  for (size_t batch = 0; batch < grid.batches; ++batch) {
    const double share = choose.random().Uniform(0.75, 1.25);
    sizes.push_back(static_cast<double>(grid.height) * down * share);
    sizes.push_back(static_cast<double>(grid.width) * across * share);
  }
  choose.SetRange(kImageSizes, {0, *std::max_element(sizes.begin(), sizes.end())});
  choose.SetValues(kImageSizes, std::move(sizes));
  const auto boxes = static_cast<int64_t>(grid.height * grid.width * grid.depth);
  // Few more often than many: in halves it is soon open whether one of many overlaps too much.
  choose.SetInt32(kMaxBefore, RandomLimit(choose, choose.Between(0, boxes)));
  choose.SetInt32(kMaxAfter, RandomLimit(choose, boxes));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(GENERATE_PROPOSALS) {
  return {
      .summary =
          "the boxes of the greatest scores of anchors at every place of a grid, moved by their "
          "deltas, those left out that overlap better ones",
      .description =
          "The anchors stand at every place of a grid, heightRatio and widthRatio apart. Each is "
          "moved and scaled by its deltas and cut off at the edges of its image, as by "
          "AXIS_ALIGNED_BBOX_TRANSFORM. Of each image the maxBefore greatest scores take part, and "
          "of these the boxes that are at least minSize high and wide. They are selected one after "
          "another, always the one with the greatest score; boxes whose intersection over union "
          "with it is not below overlapThreshold are then left out. An image keeps the first "
          "maxAfter. The outputs are grouped by images, in order; the order within an image is not "
          "guaranteed. The reference gives it by score. Which of several equal scores comes first "
          "is up to the implementation.",
      .signature = GenerateProposalsSignature(),
      .constraints = GenerateProposalsConstraints(),
      // Every box of an image may be held against every other.
      .steps =
          [](const OperationContext& context) {
            const double boxes = ElementCount(context.Input(kScores));
            return boxes * boxes / std::max(1U, context.Input(kScores).dimensions[0]);
          },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Proposer<A>(arithmetic, context).Run();
      }),
      .choose = ChooseGenerateProposals,
      .error_bound = "of an exponential and the few sums and products around it",
      .unordered_rows = {.outputs = {kScoresOutput, kBoxesOutput, kBatchesOutput},
                         .group = kBatchesOutput},
      .source = "types.hal 1.2, OperationType::GENERATE_PROPOSALS",
  };
}

}  // namespace nncert
