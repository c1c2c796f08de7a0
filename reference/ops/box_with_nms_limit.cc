// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// BOX_WITH_NMS_LIMIT: the best boxes of each image, without those that overlap better ones.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"
#include "reference/ops/suppression.h"

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

constexpr size_t kCorners = 4;

// Rows of the inputs that belong to one image.
struct Image {
  int32_t batch = 0;
  size_t first = 0;
  size_t count = 0;
};

// The runs of equal batch indexes.
std::vector<Image> ImagesOf(const OperationContext& context) {
  std::vector<Image> images;
  const std::vector<int32_t> batches = context.Int32s(kBatches);
  for (size_t i = 0; i < batches.size(); ++i) {
    if (images.empty() || images.back().batch != batches[i]) images.push_back({batches[i], i, 0});
    ++images.back().count;
  }
  return images;
}

bool BoxesOfAnImageStandTogether(const OperationContext& context) {
  std::vector<int32_t> batches;
  for (const Image& image : ImagesOf(context)) batches.push_back(image.batch);
  std::sort(batches.begin(), batches.end());
  return std::adjacent_find(batches.begin(), batches.end()) == batches.end();
}

// A row of the outputs.
template <class Number>
struct Detection {
  Number score{};
  Number corners[kCorners] = {};
  Number class_index{};
  int32_t batch = 0;
};

// A detection that holds both.
Detection<Ball> HullOf(const Detection<Ball>& a, const Detection<Ball>& b) {
  Detection<Ball> hull = a;
  hull.score = Hull(a.score, b.score);
  for (size_t i = 0; i < kCorners; ++i) hull.corners[i] = Hull(a.corners[i], b.corners[i]);
  hull.class_index = Hull(a.class_index, b.class_index);
  return hull;
}

// Scores, in descending order, that a class reaches whatever its outcome: the n-th greatest score
// of every outcome is at least the n-th of these.
std::vector<double> ReachedScores(const std::vector<Selected<Ball>>& outcomes) {
  std::vector<double> reached;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    std::vector<double> scores;
    for (const Candidate<Ball>& candidate : outcomes[i]) scores.push_back(candidate.score.Lower());
    std::sort(scores.begin(), scores.end(), std::greater<>());
    if (i == 0) reached = scores;
    reached.resize(std::min(reached.size(), scores.size()));
    for (size_t k = 0; k < reached.size(); ++k) reached[k] = std::min(reached[k], scores[k]);
  }
  return reached;
}

size_t GreatestSize(const std::vector<Selected<Ball>>& outcomes) {
  size_t size = 0;
  for (const Selected<Ball>& outcome : outcomes) size = std::max(size, outcome.size());
  return size;
}

// The operation on one set of inputs.
template <class A>
class Detector {
 public:
  using Number = typename A::Number;
  using Outcomes = std::vector<Selected<Number>>;

  Detector(const A& arithmetic, KernelContext<A>& context)
      : arithmetic_(arithmetic),
        context_(context),
        scores_(context.Input(kScores)),
        boxes_(context.Input(kBoxes)),
        box_elements_(context.IntegerInput(kBoxes)),
        classes_(scores_.dimensions[1]),
        settings_{.kernel = static_cast<SuppressionKernel>(context->Int32(kKernel)),
                  .score_threshold = Scalar(kScoreThreshold),
                  .overlap_threshold = Scalar(kOverlapThreshold),
                  .sigma = Scalar(kSigma),
                  .drop_threshold = Scalar(kDropThreshold),
                  .limit = context->Int32(kMaxDetections)},
        suppression_(arithmetic, settings_, CornersOf{boxes_.data}) {}

  absl::Status Run() {
    if (absl::Status status = CheckBoxes(); !status.ok()) return status;
    for (const Image& image : ImagesOf(context_.operation())) {
      std::vector<Outcomes> classes;
      for (size_t c = 1; c < classes_; ++c) {
        absl::StatusOr<Outcomes> outcomes = suppression_.Run(CandidatesOf(image, c));
        if (!outcomes.ok()) return outcomes.status();
        classes.push_back(*std::move(outcomes));
      }
      if constexpr (kIsEnclosure<A>) {
        if (absl::Status status = DetectInAnyOrder(image, classes); !status.ok()) return status;
      } else {
        Detect(image, classes);
      }
    }
    return WriteOutputs();
  }

 private:
  // Boxes are called by their place among all boxes: row * number of classes + class.
  struct CornersOf {
    const Number* data;
    const Number* operator()(size_t box) const { return data + box * kCorners; }
  };

  Number Scalar(int slot) const { return arithmetic_.Constant(context_->Real(slot)); }

  absl::Status CheckBoxes() const {
    const auto are_in_order = [this](const Number& low, const Number& high) {
      if (std::isnan(LeastOf(low)) || std::isnan(LeastOf(high))) return false;
      return arithmetic_.Less(high, low) != Truth::kTrue;
    };
    for (size_t box = 0; box < boxes_.size / kCorners; ++box) {
      const Number* corners = boxes_.data + box * kCorners;
      if (are_in_order(corners[0], corners[2]) && are_in_order(corners[1], corners[3])) continue;
      return context_->InputError(
          kBoxes,
          absl::StrCat("row ", box / classes_, " class ", box % classes_, " is the box [",
                       LeastOf(corners[0]), ", ", LeastOf(corners[1]), ", ", GreatestOf(corners[2]),
                       ", ", GreatestOf(corners[3]), "]; expected x1 <= x2 and y1 <= y2"));
    }
    return absl::OkStatus();
  }

  Selected<Number> CandidatesOf(const Image& image, size_t class_index) const {
    Selected<Number> candidates;
    for (size_t row = image.first; row < image.first + image.count; ++row) {
      const size_t box = row * classes_ + class_index;
      Truth takes_part = suppression_.IsAtLeast(scores_[box], settings_.score_threshold);
      // Some implementations, Android's own among them, also leave out a score that is just the
      // threshold, which the documentation does not.
      if (kIsEnclosure<A> &&
          arithmetic_.Less(settings_.score_threshold, scores_[box]) != takes_part) {
        takes_part = Truth::kUndecided;
      }
      if (takes_part == Truth::kFalse) continue;
      candidates.push_back({box, scores_[box], takes_part == Truth::kUndecided});
    }
    return candidates;
  }

  Detection<Number> DetectionOf(const Image& image, const Candidate<Number>& candidate) const {
    Detection<Number> detection;
    detection.score = candidate.score;
    std::copy_n(box_elements_.data + candidate.box * kCorners, kCorners, detection.corners);
    detection.class_index = IndexNumber<Number>(candidate.box % classes_);
    detection.batch = image.batch;
    return detection;
  }

  // Real numbers: the greatest scores of the one outcome of each class, by class and then in
  // descending order.
  void Detect(const Image& image, const std::vector<Outcomes>& classes) {
    Selected<Number> selected;
    for (const Outcomes& outcomes : classes) {
      selected.insert(selected.end(), outcomes[0].begin(), outcomes[0].end());
    }
    std::stable_sort(selected.begin(), selected.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    if (settings_.limit >= 0 && selected.size() > static_cast<size_t>(settings_.limit)) {
      selected.resize(static_cast<size_t>(settings_.limit));
    }
    std::stable_sort(selected.begin(), selected.end(), [this](const auto& a, const auto& b) {
      return a.box % classes_ < b.box % classes_;
    });
    for (const auto& candidate : selected) detections_.push_back(DetectionOf(image, candidate));
  }

  // Enclosures: the order within an image is not guaranteed, so each detection of an image may be
  // any of those that may be among its greatest scores. Only their number has to be certain.
  absl::Status DetectInAnyOrder(const Image& image, const std::vector<Outcomes>& classes) {
    const size_t limit = settings_.limit < 0 ? std::numeric_limits<size_t>::max()
                                             : static_cast<size_t>(settings_.limit);
    std::vector<double> reached;
    size_t greatest_count = 0;
    for (const Outcomes& outcomes : classes) {
      const std::vector<double> reached_in_class = ReachedScores(outcomes);
      reached.insert(reached.end(), reached_in_class.begin(), reached_in_class.end());
      greatest_count += GreatestSize(outcomes);
    }
    const size_t count = std::min(reached.size(), limit);
    if (count != std::min(greatest_count, limit)) {
      return UndecidedError(absl::StrCat("batch ", image.batch, " may have from ", count, " to ",
                                         std::min(greatest_count, limit), " boxes"));
    }
    if (count == 0) return absl::OkStatus();
    // A lower score is not among the greatest, as many others are certain to be above it.
    std::sort(reached.begin(), reached.end(), std::greater<>());
    const double bar = reached[count - 1];
    std::optional<Detection<Number>> any;
    for (const Outcomes& outcomes : classes) {
      for (const Selected<Number>& outcome : outcomes) {
        for (const Candidate<Number>& candidate : outcome) {
          if (reached.size() > count && GreatestOf(candidate.score) < bar) continue;
          const Detection<Number> detection = DetectionOf(image, candidate);
          any = any.has_value() ? HullOf(*any, detection) : detection;
        }
      }
    }
    detections_.insert(detections_.end(), count, *any);
    return absl::OkStatus();
  }

  absl::Status WriteOutputs() {
    const auto count = static_cast<uint32_t>(detections_.size());
    auto scores = context_.Output(kScoresOutput, {count});
    if (!scores.ok()) return scores.status();
    auto boxes = context_.Output(kBoxesOutput, {count, kCorners}, LoadAs::kInteger);
    if (!boxes.ok()) return boxes.status();
    auto classes = context_.Output(kClassesOutput, {count});
    if (!classes.ok()) return classes.status();
    auto batches = context_.Output(kBatchesOutput, {count});
    if (!batches.ok()) return batches.status();
    for (size_t i = 0; i < detections_.size(); ++i) {
      const Detection<Number>& detection = detections_[i];
      (*scores)[i] = detection.score;
      std::copy_n(detection.corners, kCorners, boxes->data + i * kCorners);
      (*classes)[i] = detection.class_index;
      (*batches)[i] = IndexNumber<Number>(static_cast<size_t>(detection.batch));
    }
    return absl::OkStatus();
  }

  const A& arithmetic_;
  KernelContext<A>& context_;
  const TensorView<const Number> scores_;
  const TensorView<const Number> boxes_;
  const TensorView<const Number> box_elements_;  // as they are kept, to be passed on
  const size_t classes_;
  const SuppressionSettings<Number> settings_;
  const Suppression<A, CornersOf> suppression_;
  std::vector<Detection<Number>> detections_;
};

OperandRule BoxTensor(std::string_view name) {
  constexpr HalVersion kSince = HalVersion::V1_2;
  return Tensor(name)
      .TypeWhen(kScores, OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT32, kSince)
      .TypeWhen(kScores, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT16, kSince)
      .TypeWhen(kScores, OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT16_ASYMM,
                kSince)
      .Ranks({2})
      .Quantized(0.125f, 0, OperandType::TENSOR_QUANT16_ASYMM);
}

OperandRule IntegerOutput(std::string_view name) {
  return Tensor(name).Types(HalVersion::V1_2, {OperandType::TENSOR_INT32}).Ranks({1});
}

Signature BoxWithNmsLimitSignature() {
  return {
      .inputs =
          {Tensor("scores")
               .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                         OperandType::TENSOR_QUANT8_ASYMM})
               .Ranks({2})
               .Values(Uniform(0, 1))
               .Describe("[boxes, classes]: how likely each box is to be of each class. Class 0 is "
                         "the background."),
           BoxTensor("boxes")
               .Values({ValueHint::Kind::kNone})
               .Describe("[boxes, classes * 4]: for each class a box [x1, y1, x2, y2], x1 <= x2 "
                         "and y1 <= y2. Anything else is an error."),
           Int32Vector("batches")
               .Values({ValueHint::Kind::kNone})
               .Describe("[boxes]: the image that each box is of."),
           FloatScalarLike("scoreThreshold", kScores)
               .Values(Uniform(0, 0.5))
               .Describe("Boxes with lower scores take no part."),
           Int32Scalar("maxDetections")
               .Values(Uniform(-1, 20))
               .Describe("How many boxes to keep for each image; negative for all."),
           Int32Scalar("kernel")
               .Values(Uniform(0, 2))
               .Describe("What overlap does to a score: 0 hard, 1 linear, 2 Gaussian."),
           FloatScalarLike("overlapThreshold", kScores)
               .Values(Uniform(0.2, 0.8))
               .Describe("Intersection over union from which on the hard and the linear kernel "
                         "lower a score."),
           FloatScalarLike("sigma", kScores)
               .Values(LogUniform(0.1, 2))
               .Describe("The width of the Gaussian kernel; above 0 if that is used."),
           FloatScalarLike("dropThreshold", kScores)
               .Values(Uniform(0, 0.5))
               .Describe("Boxes are dropped when their score gets lower than that.")},
      .outputs = {Tensor("scores").TypeLike(kScores).Ranks({1}).QuantizedLike(kScores).Describe(
                      "[detections]: the score of each box that was selected, as lowered."),
                  BoxTensor("boxes").Describe("[detections, 4]: its corners."),
                  IntegerOutput("classes").Describe("[detections]: its class."),
                  IntegerOutput("batches").Describe("[detections]: its image.")}};
}

std::vector<Constraint> BoxWithNmsLimitConstraints() {
  return {
      {"C1",
       "boxes has a row for each row of scores, with four numbers for each class",
       {kScores, kBoxes},
       {},
       [](const OperationContext& context) {
         const Shape& scores = context.Input(kScores).dimensions;
         const Shape& boxes = context.Input(kBoxes).dimensions;
         return boxes[0] == scores[0] && boxes[1] == uint64_t{scores[1]} * kCorners;
       }},
      {"C2",
       "batches has an entry for each row of scores",
       {kScores, kBatches},
       {},
       [](const OperationContext& context) {
         return context.Input(kBatches).dimensions[0] == context.Input(kScores).dimensions[0];
       }},
      {"C3",
       "there are at least two classes",
       {kScores},
       {},
       [](const OperationContext& context) { return context.Input(kScores).dimensions[1] >= 2; }},
      {"C4",
       "no batch is negative",
       {kBatches},
       {kBatches},
       [](const OperationContext& context) {
         const std::vector<int32_t> batches = context.Int32s(kBatches);
         return std::all_of(batches.begin(), batches.end(),
                            [](int32_t batch) { return batch >= 0; });
       }},
      {"C5",
       "rows of the same batch stand together",
       {kBatches},
       {kBatches},
       BoxesOfAnImageStandTogether},
      {"C6",
       "kernel is 0, 1 or 2",
       {},
       {kKernel},
       [](const OperationContext& context) {
         return context.Int32(kKernel) >= 0 && context.Int32(kKernel) <= 2;
       }},
      {"C7",
       "sigma is above zero when the kernel is Gaussian",
       {},
       {kKernel, kSigma},
       [](const OperationContext& context) {
         return context.Int32(kKernel) != static_cast<int32_t>(SuppressionKernel::kGaussian) ||
                context.Real(kSigma) > 0;
       }}};
}

}  // namespace

NNCERT_OPERATION_DEFINITION(BOX_WITH_NMS_LIMIT) {
  return {
      .summary = "boxes in descending order of score, those left out that overlap better ones",
      .description =
          "For each image and each class but the background: boxes with a score of at least "
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
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Detector<A>(arithmetic, context).Run();
      }),
      .error_bound =
          "of the intersections over union, and of a product (and an exponential) each time a "
          "score is lowered; boxes of an image may come in any order",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::BOX_WITH_NMS_LIMIT",
  };
}

}  // namespace nncert
