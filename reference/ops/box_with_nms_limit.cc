// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// BOX_WITH_NMS_LIMIT: the best boxes of each image, without those that overlap better ones.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/boxes.h"
#include "reference/ops/common/selected_rows.h"
#include "reference/ops/common/suppression.h"

namespace nncert {
namespace {

enum : int {
  kScores,
  kBoxes,
  kBatches,
  kScoreThreshold,
  kMaxDetections,
  kKernel,
  kOverlapThreshold,
  kSigma,
  kDropThreshold
};
enum : int { kScoresOutput, kBoxesOutput, kClassesOutput, kBatchesOutput };

// The operation on one set of inputs.
template <class A>
class Detector {
 public:
  using Number = typename A::Number;

  Detector(const A& arithmetic, KernelContext<A>& context)
      : arithmetic_(arithmetic),
        context_(context),
        scores_(context.Input(kScores)),
        boxes_(context.Input(kBoxes)),
        box_elements_(context.IntegerInput(kBoxes)),
        classes_(scores_.dimensions[1]),
        settings_{.kernel = static_cast<SuppressionKernel>(context->Int32(kKernel)),
                  .overlap_threshold = Scalar(kOverlapThreshold),
                  .sigma = Scalar(kSigma),
                  .drop_threshold = Scalar(kDropThreshold),
                  .limit = context->Int32(kMaxDetections)},
        score_threshold_(Scalar(kScoreThreshold)),
        suppression_(arithmetic, settings_, CornersOf{boxes_.data}),
        detections_({kScoresOutput,
                     {kBoxesOutput, kCorners, LoadAs::kInteger},
                     kClassesOutput,
                     kBatchesOutput}) {}

  absl::Status Run() {
    if (absl::Status status =
            CheckBoxes(arithmetic_, context_.operation(), kBoxes, boxes_.elements(), classes_);
        !status.ok()) {
      return status;
    }
    for (const ImageRows& image : ImagesOf(context_->Int32s(kBatches))) {
      std::vector<Selection<Number>> classes;
      for (size_t c = 1; c < classes_; ++c) {
        classes.push_back(suppression_.Run(CandidatesOf(image, c)));
      }
      Selection<Number> best = BestOf(classes, settings_.limit);
      std::stable_sort(best.boxes.begin(), best.boxes.end(), [this](const auto& a, const auto& b) {
        return a.box % classes_ < b.box % classes_;
      });
      detections_.AddImage(best);
      for (const Candidate<Number>& candidate : best.boxes) {
        detections_.Append(kScoresOutput, candidate.score);
        detections_.Append(kBoxesOutput, {box_elements_.data + candidate.box * kCorners, kCorners});
        detections_.Append(kClassesOutput, IndexNumber<Number>(candidate.box % classes_));
        detections_.Append(kBatchesOutput, IndexNumber<Number>(static_cast<size_t>(image.batch)));
      }
    }
    return detections_.Write(context_);
  }

 private:
  // Boxes are called by their place among all boxes: row * number of classes + class.
  struct CornersOf {
    const Number* data;
    const Number* operator()(size_t box) const { return data + box * kCorners; }
  };

  Number Scalar(int slot) const { return arithmetic_.Constant(context_->Real(slot)); }

  Selected<Number> CandidatesOf(const ImageRows& image, size_t class_index) const {
    Selected<Number> candidates;
    for (size_t row = image.first; row < image.first + image.count; ++row) {
      const size_t box = row * classes_ + class_index;
      const Truth takes_part = PassesThreshold(arithmetic_, scores_[box], score_threshold_);
      if (takes_part == Truth::kFalse) continue;
      candidates.push_back({box, scores_[box], takes_part == Truth::kUndecided});
    }
    return candidates;
  }

  const A& arithmetic_;
  KernelContext<A>& context_;
  const TensorView<const Number> scores_;
  const TensorView<const Number> boxes_;
  const TensorView<const Number> box_elements_;  // as they are kept, to be passed on
  const size_t classes_;
  const SuppressionSettings<Number> settings_;
  const Number score_threshold_;
  const Suppression<A, CornersOf> suppression_;
  SelectedRows<A> detections_;
};

Signature BoxWithNmsLimitSignature() {
  return {.inputs = {FloatOrQuantizedTensor("scores")
                         .Ranks({2})
                         .Values(Uniform(0, 1))
                         .Describe("[boxes, classes]: how likely each box is to be of each class. "
                                   "Class 0 is the background."),
                     PixelTensor("boxes", kScores)
                         .Ranks({2})
                         .Values(kNoValues)
                         .Describe("[boxes, classes * 4]: for each class a box [x1, y1, x2, y2], "
                                   "x1 <= x2 and y1 <= y2. Anything else is an error."),
                     BatchIndexes(),
                     FloatScalarBeside("scoreThreshold", kScores)
                         .Values(Uniform(0, 0.5))
                         .Describe("Boxes with lower scores take no part."),
                     Int32Scalar("maxDetections")
                         .Values(Uniform(-1, 20))
                         .Describe("How many boxes to keep for each image; negative for all."),
                     Int32Scalar("kernel")
                         .Values(Uniform(0, 2))
                         .Describe("What overlap does to a score: 0 hard, 1 linear, 2 Gaussian."),
                     FloatScalarBeside("overlapThreshold", kScores)
                         .Values(Uniform(0.2, 0.8))
                         .Describe("Intersection over union from which on the hard and the linear "
                                   "kernel lower a score."),
                     FloatScalarBeside("sigma", kScores)
                         .Values(LogUniform(0.1, 2))
                         .Describe("The width of the Gaussian kernel; above 0 if that is used."),
                     FloatScalarBeside("dropThreshold", kScores)
                         .Values(Uniform(0, 0.5))
                         .Describe("Boxes are dropped when their score gets lower than that.")},
          .outputs = {
              Tensor("scores").TypeLike(kScores).Ranks({1}).QuantizedLike(kScores).Describe(
                  "[detections]: the score of each box that was selected, as lowered."),
              PixelTensor("boxes", kScores).Ranks({2}).Describe("[detections, 4]: its corners."),
              Int32Output("classes").Describe("[detections]: its class."),
              Int32Output("batches").Describe("[detections]: its image.")}};
}

std::vector<Constraint> BoxWithNmsLimitConstraints() {
  return {Constraint("boxes has a row for each row of scores, with four numbers for each class",
                     {.shapes = {kScores, kBoxes}},
                     [](const OperationContext& context) {
                       const Shape& scores = context.Input(kScores).dimensions;
                       const Shape& boxes = context.Input(kBoxes).dimensions;
                       return boxes[0] == scores[0] && boxes[1] == uint64_t{scores[1]} * kCorners;
                     }),
          BatchCountConstraint<kScores, kBatches>(),
          Constraint("there are at least two classes", {.shapes = {kScores}},
                     [](const OperationContext& context) {
                       return context.Input(kScores).dimensions[1] >= 2;
                     }),
          Constraint("no batch is negative", {.shapes = {kBatches}, .values = {kBatches}},
                     [](const OperationContext& context) {
                       const std::vector<int32_t> batches = context.Int32s(kBatches);
                       return std::all_of(batches.begin(), batches.end(),
                                          [](int32_t batch) { return batch >= 0; });
                     }),
          BatchOrderConstraint<kBatches>(),
          Constraint("kernel is 0, 1 or 2", {.values = {kKernel}},
                     [](const OperationContext& context) {
                       return context.Int32(kKernel) >= 0 && context.Int32(kKernel) <= 2;
                     }),
          Constraint("sigma is above zero when the kernel is Gaussian",
                     {.values = {kKernel, kSigma}}, [](const OperationContext& context) {
                       return context.Int32(kKernel) !=
                                  static_cast<int32_t>(SuppressionKernel::kGaussian) ||
                              context.Real(kSigma) > 0;
                     })};
}

void ChooseBoxWithNmsLimit(OperandChooser& choose) {
  const Shape& scores = choose.Dimensions(kScores);
  const uint32_t rows = scores[0];
  const uint32_t classes = std::max(scores[1], 2U);
  choose.SetDimensions(kScores, {rows, classes});
  ChooseScores(choose, kScores);
  const double scale = ImageScale(choose);
  ChooseBoxes(choose, kBoxes, rows, {0, 64 * scale}, {0, 48 * scale}, classes);
  ChooseBatches(choose, kBatches, rows, choose.OneIn(2) ? 1 : choose.Size(4));
  choose.SetInt32(kMaxDetections, RandomLimit(choose, int64_t{rows} * (classes - 1)));
  double score_threshold = RandomThreshold(choose, kScores);
  if (choose.wants_no_rows()) {
    // Of no box, with what half precision may add to a score.
    score_threshold = 2 * choose.SettledRange(kScores).highest;
    choose.SetOutputDimensions(kScoresOutput, {0});
    choose.SetOutputDimensions(kBoxesOutput, {0, kCorners});
    choose.SetOutputDimensions(kClassesOutput, {0});
    choose.SetOutputDimensions(kBatchesOutput, {0});
  }
  choose.SetReal(kScoreThreshold, score_threshold);
  const int64_t kernel = choose.Between(0, 2);
  choose.SetInt32(kKernel, kernel);
  // Whether hard suppression drops what is between the two thresholds is open (see Suppression).
  const bool is_hard = kernel == static_cast<int64_t>(SuppressionKernel::kHard);
  choose.SetReal(kDropThreshold, is_hard && !choose.OneIn(8)
                                     ? choose.random().Uniform(0, score_threshold)
                                     : RandomThreshold(choose, kScores));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(BOX_WITH_NMS_LIMIT) {
  return {
      .summary = "boxes in descending order of score, those left out that overlap better ones",
      .description =
          "For each image and each class but the background (class 0, which the documentation does "
          "not tell apart, and Android's specs do): boxes with a score of at least "
          "scoreThreshold are selected one after another, always the one with the greatest score. "
          "The scores of those still waiting are then lowered by their intersection over union "
          "with it, and boxes whose score is below dropThreshold are dropped. The hard kernel "
          "makes a score 0 where the overlap is not below overlapThreshold, the linear one "
          "multiplies it by 1 - overlap there, and the Gaussian one by exp(-overlap^2 / sigma) "
          "everywhere. Of all classes together, an image keeps the maxDetections greatest scores. "
          "The outputs are grouped by images, in the order of the inputs; the order within an "
          "image is not guaranteed. The reference gives it by class and then by score. Which of "
          "several equal scores comes first is up to the implementation.",
      .signature = BoxWithNmsLimitSignature(),
      .constraints = BoxWithNmsLimitConstraints(),
      // Every box may be held against every other, in every class.
      .steps =
          [](const OperationContext& context) {
            return ElementCount(context.Input(kScores)) * context.Input(kScores).dimensions[0];
          },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Detector<A>(arithmetic, context).Run();
      }),
      .choose = ChooseBoxWithNmsLimit,
      .error_bound =
          "of the intersections over union, and of a product (and an exponential) each time a "
          "score is lowered",
      .unordered_rows = {.outputs = {kScoresOutput, kBoxesOutput, kClassesOutput, kBatchesOutput},
                         .group = kBatchesOutput},
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::BOX_WITH_NMS_LIMIT",
  };
}

}  // namespace nncert
