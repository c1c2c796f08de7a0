// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// DETECTION_POSTPROCESSING: the best boxes around anchors, without those that overlap better ones.

#include <algorithm>
#include <functional>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/boxes.h"
#include "reference/ops/common/selected_rows.h"
#include "reference/ops/common/suppression.h"

namespace nncert {
namespace {

enum : int {
  kScores,
  kDeltas,
  kAnchors,
  kScaleY,
  kScaleX,
  kScaleHeight,
  kScaleWidth,
  kIsRegular,
  kMaxDetections,
  kMaxClassesPerDetection,
  kMaxDetectionsPerClass,
  kScoreThreshold,
  kOverlapThreshold,
  kHasBackground
};
enum : int { kScoresOutput, kBoxesOutput, kClassesOutput, kCountsOutput };

// The operation on one set of inputs.
template <class A>
class Detector {
 public:
  using Number = typename A::Number;

  Detector(const A& arithmetic, KernelContext<A>& context)
      : arithmetic_(arithmetic),
        context_(context),
        scores_(context.Input(kScores)),
        deltas_(context.Input(kDeltas)),
        anchors_(context.Input(kAnchors)),
        anchor_count_(scores_.dimensions[1]),
        classes_(scores_.dimensions[2]),
        score_threshold_(Scalar(kScoreThreshold)),
        corners_(anchors_.size),
        detections_({kScoresOutput, {kBoxesOutput, kCorners}, kClassesOutput}) {}

  absl::Status Run() {
    if (absl::Status status = CheckAnchors(); !status.ok()) return status;
    const size_t first_label = context_->Bool(kHasBackground) ? 1 : 0;
    for (size_t batch = 0; batch < scores_.dimensions[0]; ++batch) {
      PlaceBoxes(deltas_.data + batch * anchor_count_ * deltas_.dimensions[2]);
      const Number* batch_scores = scores_.data + batch * anchor_count_ * classes_;
      const Selection<Number> best =
          context_->Bool(kIsRegular) ? DetectByClass(batch_scores) : DetectByAnchor(batch_scores);
      detections_.AddImage(best);
      for (const Candidate<Number>& candidate : best.boxes) {
        const size_t pair = candidate.box;
        detections_.Append(kScoresOutput, candidate.score);
        detections_.Append(kBoxesOutput, {corners_.data() + pair / classes_ * kCorners, kCorners});
        detections_.Append(kClassesOutput, IndexNumber<Number>(pair % classes_ - 1 + first_label));
      }
    }
    return detections_.WriteWithCounts(
        arithmetic_, context_, static_cast<size_t>(context_->Int32(kMaxDetections)), kCountsOutput);
  }

 private:
  // Boxes are called by pairs, anchor * number of classes + class, or by anchors alone: `divisor`
  // gives the anchor.
  struct CornersOf {
    const Number* data;
    size_t divisor;
    const Number* operator()(size_t box) const { return data + box / divisor * kCorners; }
  };

  Number Scalar(int slot) const { return arithmetic_.Constant(context_->Real(slot)); }

  absl::Status CheckAnchors() const {
    for (size_t i = 0; i < anchors_.size; i += kCorners) {
      if (LeastOf(anchors_[i + 2]) >= 0 && LeastOf(anchors_[i + 3]) >= 0) continue;
      return context_->InputError(
          kAnchors, absl::StrCat("row ", i / kCorners, " has height ", LeastOf(anchors_[i + 2]),
                                 " and width ", LeastOf(anchors_[i + 3]), "; expected at least 0"));
    }
    return absl::OkStatus();
  }

  // Sets corners_ to the boxes that the deltas of one image make of the anchors.
  void PlaceBoxes(const Number* deltas) {
    const Number shift_scales[] = {Scalar(kScaleY), Scalar(kScaleX)};
    const Number size_scales[] = {Scalar(kScaleHeight), Scalar(kScaleWidth)};
    for (size_t i = 0; i < anchors_.size; i += kCorners, deltas += deltas_.dimensions[2]) {
      for (size_t axis = 0; axis < 2; ++axis) {
        const Extent<Number> extent =
            MovedExtent(arithmetic_, anchors_[i + axis], anchors_[i + axis + 2],
                        arithmetic_.Divide(deltas[axis], shift_scales[axis]),
                        arithmetic_.Divide(deltas[axis + 2], size_scales[axis]));
        corners_[i + axis] = extent.low;
        corners_[i + axis + 2] = extent.high;
      }
    }
  }

  // The boxes, called with `divisor`, that suppression leaves of `candidates`.
  Selection<Number> Suppress(Selected<Number> candidates, size_t divisor, int64_t limit) const {
    const SuppressionSettings<Number> settings = {.kernel = SuppressionKernel::kHard,
                                                  .drops_by_overlap_alone = true,
                                                  .overlap_threshold = Scalar(kOverlapThreshold),
                                                  .limit = limit};
    const Suppression suppression(arithmetic_, settings, CornersOf{corners_.data(), divisor});
    return BestOf<Number>({suppression.Run(std::move(candidates))}, limit);
  }

  void AddCandidate(size_t box, const Number& score, Selected<Number>& candidates) const {
    const Truth takes_part = PassesThreshold(arithmetic_, score, score_threshold_);
    if (takes_part == Truth::kFalse) return;
    candidates.push_back({box, score, takes_part == Truth::kUndecided});
  }

  // Regular: suppression within each class, then the best of all. Gives pairs.
  Selection<Number> DetectByClass(const Number* scores) const {
    std::vector<Selection<Number>> classes;
    for (size_t c = 1; c < classes_; ++c) {
      Selected<Number> candidates;
      for (size_t pair = c; pair < anchor_count_ * classes_; pair += classes_) {
        AddCandidate(pair, scores[pair], candidates);
      }
      classes.push_back(
          Suppress(std::move(candidates), classes_, context_->Int32(kMaxDetectionsPerClass)));
    }
    return BestOf(classes, context_->Int32(kMaxDetections));
  }

  // Fast: suppression among anchors by their best class, then the best classes of each. Gives
  // pairs.
  Selection<Number> DetectByAnchor(const Number* scores) const {
    Selected<Number> candidates;
    for (size_t anchor = 0; anchor < anchor_count_; ++anchor) {
      const Number* of_anchor = scores + anchor * classes_;
      Number greatest = of_anchor[1];
      for (size_t c = 2; c < classes_; ++c) greatest = arithmetic_.Max(greatest, of_anchor[c]);
      AddCandidate(anchor, greatest, candidates);
    }
    const int64_t limit = context_->Int32(kMaxDetections);
    std::vector<Selection<Number>> anchors;
    for (const Candidate<Number>& anchor : Suppress(std::move(candidates), 1, limit).boxes) {
      anchors.push_back(BestClassesOf(anchor, scores));
    }
    return BestOf(anchors, limit);
  }

  // The pairs of an anchor and its best classes.
  Selection<Number> BestClassesOf(const Candidate<Number>& anchor, const Number* scores) const {
    Selection<Number> pairs;
    for (size_t c = 1; c < classes_; ++c) {
      const size_t pair = anchor.box * classes_ + c;
      const bool is_unordered = kIsEnclosure<A> && MayBeNaN(scores[pair]);
      pairs.boxes.push_back({pair, is_unordered ? arithmetic_.Unspecified() : scores[pair],
                             anchor.may_be_dropped || is_unordered});
    }
    pairs.most = pairs.boxes.size();
    pairs.least = anchor.may_be_dropped ? 0 : pairs.most;
    for (const Candidate<Number>& pair : pairs.boxes) {
      if (kIsEnclosure<A> && pairs.least > 0) pairs.reached.push_back(LeastOf(pair.score));
    }
    std::sort(pairs.reached.begin(), pairs.reached.end(), std::greater<>());
    return BestOf<Number>({std::move(pairs)}, context_->Int32(kMaxClassesPerDetection));
  }

  const A& arithmetic_;
  KernelContext<A>& context_;
  const TensorView<const Number> scores_;
  const TensorView<const Number> deltas_;
  const TensorView<const Number> anchors_;
  const size_t anchor_count_;
  const size_t classes_;
  const Number score_threshold_;
  std::vector<Number> corners_;  // of one image: [y1, x1, y2, x2] for each anchor
  SelectedRows<A> detections_;
};

OperandRule ScaleScalar(std::string_view name, std::string_view delta) {
  return FloatScalarBeside(name, kScores)
      .Values(Uniform(1, 10))
      .Describe(absl::StrCat("What ", std::string(delta), " is divided by; above 0."));
}

Signature DetectionSignature() {
  return {
      .inputs =
          {FloatTensor("scores")
               .Ranks({3})
               .Values(Uniform(0, 1))
               .Describe("[batches, anchors, classes]: how likely each anchor is to be of each "
                         "class. Class 0 is the background."),
           Tensor("deltas")
               .TypeLike(kScores)
               .Ranks({3})
               .Values(Uniform(-1, 1))
               .Describe("[batches, anchors, at least 4]: [dy, dx, dh, dw, ...] for each anchor; "
                         "shifts in units of its size, logarithms of factors. Whatever else there "
                         "is does not count."),
           Tensor("anchors").TypeLike(kScores).Ranks({2}).Values(kNoValues).Describe(
               "[anchors, 4]: [center y, center x, height, width] of each anchor. A "
               "negative size is an error."),
           ScaleScalar("scaleY", "dy"), ScaleScalar("scaleX", "dx"),
           ScaleScalar("scaleHeight", "dh"), ScaleScalar("scaleWidth", "dw"),
           BoolScalar("isRegular")
               .Describe("Whether each class is judged on its own, or anchors by their best class "
                         "alone."),
           Int32Scalar("maxDetections")
               .Values(Uniform(1, 10))
               .Describe("How many detections to keep for each image; above 0."),
           Int32Scalar("maxClassesPerDetection")
               .Values(Uniform(1, 3))
               .Describe("How many classes an anchor may have if not regular; then above 0."),
           Int32Scalar("maxDetectionsPerClass")
               .Values(Uniform(1, 10))
               .Describe("How many detections to keep for each class if regular; then above 0."),
           FloatScalarLike("scoreThreshold", kScores)
               .Values(Uniform(0, 0.5))
               .Describe("Lower scores take no part; at least 0."),
           FloatScalarLike("overlapThreshold", kScores)
               .Values(Uniform(0.2, 0.8))
               .Describe("Intersection over union from which on a box is left out; at least 0."),
           BoolScalar("hasBackground")
               .Describe(
                   "Whether classes are counted with the background, which is 0, or without it.")},
      .outputs = {
          Tensor("scores").TypeLike(kScores).Ranks({2}).Describe(
              "[batches, maxDetections]: the score of each detection."),
          Tensor("boxes").TypeLike(kScores).Ranks({3}).Describe(
              "[batches, maxDetections, 4]: its box, [y1, x1, y2, x2]."),
          Tensor("classes")
              .Types({OperandType::TENSOR_INT32})
              .Ranks({2})
              .Describe("[batches, maxDetections]: its class."),
          Int32Output("counts").Describe("[batches]: how many detections there are. What is behind "
                                         "them in the other outputs means nothing.")}};
}

std::vector<Constraint> DetectionConstraints() {
  return {
      Constraint("deltas has at least four numbers for each anchor of scores",
                 {.shapes = {kScores, kDeltas}},
                 [](const OperationContext& context) {
                   const Shape& scores = context.Input(kScores).dimensions;
                   const Shape& deltas = context.Input(kDeltas).dimensions;
                   return deltas[0] == scores[0] && deltas[1] == scores[1] && deltas[2] >= kCorners;
                 }),
      Constraint(
          "anchors has four numbers for each anchor of scores", {.shapes = {kScores, kAnchors}},
          [](const OperationContext& context) {
            const Shape& anchors = context.Input(kAnchors).dimensions;
            return anchors[0] == context.Input(kScores).dimensions[1] && anchors[1] == kCorners;
          }),
      Constraint("there are at least two classes", {.shapes = {kScores}},
                 [](const OperationContext& context) {
                   return context.Input(kScores).dimensions[2] >= 2;
                 }),
      Constraint("scaleY, scaleX, scaleHeight and scaleWidth are above 0",
                 {.values = {kScaleY, kScaleX, kScaleHeight, kScaleWidth}},
                 [](const OperationContext& context) {
                   return context.Real(kScaleY) > 0 && context.Real(kScaleX) > 0 &&
                          context.Real(kScaleHeight) > 0 && context.Real(kScaleWidth) > 0;
                 }),
      Constraint("maxDetections is above 0", {.values = {kMaxDetections}},
                 [](const OperationContext& context) { return context.Int32(kMaxDetections) > 0; }),
      Constraint("maxClassesPerDetection is above 0 unless isRegular",
                 {.values = {kIsRegular, kMaxClassesPerDetection}},
                 [](const OperationContext& context) {
                   return context.Bool(kIsRegular) || context.Int32(kMaxClassesPerDetection) > 0;
                 }),
      Constraint("maxDetectionsPerClass is above 0 if isRegular",
                 {.values = {kIsRegular, kMaxDetectionsPerClass}},
                 [](const OperationContext& context) {
                   return !context.Bool(kIsRegular) || context.Int32(kMaxDetectionsPerClass) > 0;
                 }),
      Constraint(
          "scoreThreshold and overlapThreshold are at least 0",
          {.values = {kScoreThreshold, kOverlapThreshold}}, [](const OperationContext& context) {
            return context.Real(kScoreThreshold) >= 0 && context.Real(kOverlapThreshold) >= 0;
          })};
}

// The elements of "anchors" by chance.
std::vector<double> RandomAnchors(const OperandChooser& choose, size_t count, double image) {
  std::vector<double> anchors = RandomBoxes(choose, count, {0, image}, {0, image});
  for (size_t i = 0; i < anchors.size(); i += kCorners) {
    for (double* first = &anchors[i]; first != &anchors[i] + 2; ++first) {
      const Extent<double> extent = {first[0], first[2]};
      first[0] = (extent.low + extent.high) / 2;
      first[2] = extent.high - extent.low;
    }
  }
  return anchors;
}

void ChooseDetectionPostprocessing(OperandChooser& choose) {
  const bool is_by_deltas = choose.IsGiven(kDeltas);
  const Shape whole = choose.Dimensions(is_by_deltas ? kDeltas : kScores);
  const uint32_t anchors = whole[1];
  const uint32_t classes = std::max(is_by_deltas ? choose.Size(8) : whole[2], 2U);
  choose.SetDimensions(kScores, {whole[0], anchors, classes});
  ChooseScores(choose, kScores);
  choose.SetReal(kScoreThreshold, RandomThreshold(choose, kScores));
  const uint32_t numbers = is_by_deltas ? whole[2] : (choose.OneIn(4) ? choose.Size(8) : 0);
  choose.SetDimensions(kDeltas, {whole[0], anchors, std::max(numbers, uint32_t{kCorners})});
  // Divided by these, deltas are at most 1.
  const double least_scale = std::max(choose.Range(kDeltas).Magnitude(), 1.0);
  for (const int slot : {kScaleY, kScaleX, kScaleHeight, kScaleWidth}) {
    choose.SetRange(slot, {least_scale, 10 * least_scale});
  }
  const double image = 16 * ImageScale(choose);
  choose.SetDimensions(kAnchors, {anchors, kCorners});
  choose.SetValues(kAnchors, RandomAnchors(choose, anchors, image));
  choose.SetRange(kAnchors, {0, image});
  const int64_t detections = choose.Between(1, int64_t{anchors} + 2);
  choose.SetInt32(kMaxDetections, detections);
  choose.SetInt32(kMaxClassesPerDetection, choose.Between(1, int64_t{classes}));
  choose.SetInt32(kMaxDetectionsPerClass, choose.Between(1, int64_t{anchors} + 1));
  // The reference gives zeros where there is no detection.
  choose.SetOutputRange(kScoresOutput, {0, choose.Range(kScores).highest});
  choose.SetOutputRange(kBoxesOutput, {-image / 2, image * 1.5});
  choose.SetOutputRange(kClassesOutput, {0, static_cast<double>(classes - 1)});
  choose.SetOutputRange(kCountsOutput, {0, static_cast<double>(detections)});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(DETECTION_POSTPROCESSING) {
  return {
      .summary =
          "the detections of the greatest scores, of boxes around anchors, those left out that "
          "overlap better ones",
      .description =
          "The box of an anchor of size (h, w) has the size (h * exp(dh / scaleHeight), w * exp(dw "
          "/ scaleWidth)), and its center is the anchor's, moved by (h * dy / scaleY, w * dx / "
          "scaleX). Boxes with a score of at least scoreThreshold are selected one after another, "
          "always the one with the greatest score; boxes whose intersection over union with it is "
          "not below overlapThreshold are then left out. If isRegular, that is done for each class "
          "but the background, and leaves up to maxDetectionsPerClass detections of each. "
          "Otherwise it is done once, by the greatest score of each box among these classes, and "
          "every box that is selected, up to maxDetections, gives detections of its "
          "maxClassesPerDetection best classes. An image keeps the maxDetections greatest scores. "
          "The documentation does not say in which order; the reference gives them by score. Which "
          "of several equal scores comes first is up to the implementation.",
      .signature = DetectionSignature(),
      .constraints = DetectionConstraints(),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const uint32_t batches = context.Input(kScores).dimensions[0];
        const auto detections = static_cast<uint32_t>(context.Int32(kMaxDetections));
        outputs[kScoresOutput] = {batches, detections};
        outputs[kBoxesOutput] = {batches, detections, kCorners};
        outputs[kClassesOutput] = {batches, detections};
        outputs[kCountsOutput] = {batches};
        return absl::OkStatus();
      },
      // Every box may be held against every other, in every class.
      .steps =
          [](const OperationContext& context) {
            return ElementCount(context.Input(kScores)) * context.Input(kAnchors).dimensions[0];
          },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Detector<A>(arithmetic, context).Run();
      }),
      .choose = ChooseDetectionPostprocessing,
      .error_bound = "of an exponential and the few sums, products and quotients around it",
      .unordered_rows = {.outputs = {kScoresOutput, kBoxesOutput, kClassesOutput},
                         .counts = kCountsOutput},
      .source = "types.hal 1.2, OperationType::DETECTION_POSTPROCESSING",
  };
}

}  // namespace nncert
