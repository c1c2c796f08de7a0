// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// ROI_ALIGN: regions of feature maps, scaled to one size by averages of interpolated samples.

#include <algorithm>
#include <cmath>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/roi.h"

namespace nncert {
namespace {

enum : int { kHeightSamples = kRoiWidthRatio + 1, kWidthSamples, kLayout };

// A position that may be in more pixels than that is not resolved.
constexpr double kMostPixels = 4;

// The weights of neighbouring elements of a feature map, along one axis, in an average of samples.
template <class Number>
struct Weights {
  size_t first = 0;
  std::vector<Number> weights;
};

// One way to sample a region along one axis: the weights of each output element.
template <class Number>
struct Sampling {
  size_t samples = 0;
  std::vector<Weights<Number>> bins;
};

// The samples of a region along one axis of a feature map.
//
// A sample between two elements is their weighted sum, so it is a sum over all elements with
// weights that fall linearly from 1 where the sample is on the element to 0 a pixel beside it. That
// separates the axes: the average over samples in both directions is a product of averages.
template <class A>
class Axis {
 public:
  using Number = typename A::Number;

  // `start` and `end` are ends of the region in elements of the map, which is `size` elements long.
  Axis(const A& arithmetic, const Number& start, const Number& end, size_t bins, int32_t samples,
       size_t size)
      : arithmetic_(arithmetic),
        start_(start),
        step_(Ratio(arithmetic,
                    arithmetic.Max(Length(arithmetic, start, end), arithmetic.Constant(1)),
                    IndexNumber<Number>(bins))),
        bins_(bins),
        samples_(samples),
        size_(size) {}

  // The ways to sample the region: one, or two where it is open how many samples are enough. None
  // when there is no saying.
  std::vector<Sampling<Number>> Samplings() const {
    const double least = samples_ > 0 ? samples_ : std::ceil(LeastOf(step_));
    const double greatest = samples_ > 0 ? samples_ : std::ceil(GreatestOf(step_));
    std::vector<Sampling<Number>> samplings;
    if (!(least >= 1 && greatest <= least + 1)) return samplings;
    for (double samples = least; samples <= greatest; ++samples) {
      Sampling<Number> sampling = {static_cast<size_t>(samples), {}};
      for (size_t bin = 0; bin < bins_; ++bin) {
        sampling.bins.emplace_back();
        if (!Average(bin, sampling.samples, sampling.bins.back())) return {};
      }
      samplings.push_back(std::move(sampling));
    }
    return samplings;
  }

 private:
  // The elements whose weight in a sample may be above 0.
  struct Reach {
    Number position{};
    double first = 0;
    double last = 0;
  };

  // Where sample number `sample` of `samples` of a bin is; false when there is no saying.
  bool Sample(size_t bin, size_t sample, size_t samples, Reach& reach) const {
    const A& a = arithmetic_;
    const Number spacing = Ratio(a, step_, IndexNumber<Number>(samples));
    const Number from_start =
        a.Add(a.Multiply(step_, IndexNumber<Number>(bin)),
              a.Multiply(spacing, a.Add(IndexNumber<Number>(sample), a.Constant(0.5))));
    const Number last = IndexNumber<Number>(size_ - 1);
    // The sum may also be of the start of the bin and the place in it.
    reach.position = a.Min(a.Loosen(a.Add(start_, from_start), from_start, 1), last);
    if (MayBeNaN(reach.position)) return false;
    const double greatest_index = static_cast<double>(size_ - 1);
    reach.first = std::clamp(std::floor(LeastOf(reach.position)), 0.0, greatest_index);
    reach.last = std::clamp(std::floor(GreatestOf(reach.position)) + 1, 0.0, greatest_index);
    return reach.last - reach.first <= kMostPixels;
  }

  // The weight of an element in a sample.
  Number WeightOf(const Reach& reach, double element) const {
    const A& a = arithmetic_;
    const Number distance =
        a.Subtract(reach.position, IndexNumber<Number>(static_cast<size_t>(element)));
    return a.Max(a.Subtract(a.Constant(1), a.Max(distance, a.Negate(distance))), a.Constant(0));
  }

  bool Average(size_t bin, size_t samples, Weights<Number>& result) const {
    double first = static_cast<double>(size_);
    double last = 0;
    Reach reach;
    for (size_t sample = 0; sample < samples; ++sample) {
      if (!Sample(bin, sample, samples, reach)) return false;
      first = std::min(first, reach.first);
      last = std::max(last, reach.last);
    }
    result.first = static_cast<size_t>(first);
    std::vector<typename A::Accumulator> sums(static_cast<size_t>(last - first) + 1);
    for (size_t sample = 0; sample < samples; ++sample) {
      Sample(bin, sample, samples, reach);
      for (double element = reach.first; element <= reach.last; ++element) {
        sums[static_cast<size_t>(element - first)].Add(WeightOf(reach, element));
      }
    }
    const Number count = IndexNumber<Number>(samples);
    for (const auto& sum : sums) {
      result.weights.push_back(arithmetic_.Divide(arithmetic_.Finish(sum), count));
    }
    return true;
  }

  const A& arithmetic_;
  const Number start_;
  const Number step_;
  const size_t bins_;
  const int32_t samples_;
  const size_t size_;
};

// The operation on one set of inputs.
template <class A>
class Aligner {
 public:
  using Number = typename A::Number;

  Aligner(const A& arithmetic, KernelContext<A>& context)
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
      const auto down = SamplingsOf(roi, 1);
      const auto across = SamplingsOf(roi, 0);
      bool is_first = true;
      for (const Sampling<Number>& y : down) {
        for (const Sampling<Number>& x : across) {
          Align(image, y, x, roi, is_first, output->data);
          is_first = false;
        }
      }
      if (is_first) LeaveOpen(roi, output->data);
    }
    return absl::OkStatus();
  }

 private:
  std::vector<Sampling<Number>> SamplingsOf(size_t roi, size_t axis) const {
    const Number* box = boxes_.data + roi * kCorners + axis;
    const Number ratio =
        arithmetic_.Constant(context_->Real(axis == 0 ? kRoiWidthRatio : kRoiHeightRatio));
    return Axis<A>(arithmetic_, Ratio(arithmetic_, box[0], ratio),
                   Ratio(arithmetic_, box[2], ratio), axis == 0 ? results_.width : results_.height,
                   context_->Int32(axis == 0 ? kWidthSamples : kHeightSamples),
                   axis == 0 ? features_.width : features_.height)
        .Samplings();
  }

  Number* OutputPixel(size_t roi, size_t y, size_t x, Number* output) const {
    return output + results_.PixelOffset((roi * results_.height + y) * results_.width + x);
  }

  void LeaveOpen(size_t roi, Number* output) const {
    for (size_t i = 0; i < results_.height * results_.width; ++i) {
      Number* pixel = OutputPixel(roi, 0, i, output);
      for (size_t c = 0; c < results_.depth; ++c) {
        pixel[c * results_.ChannelStride()] = arithmetic_.Unspecified();
      }
    }
  }

  // Sets the output of a region by one way to sample it, or adds that to what it may be.
  void Align(const Number* image, const Sampling<Number>& down, const Sampling<Number>& across,
             size_t roi, bool is_first, Number* output) {
    const size_t depth = features_.depth;
    const size_t stride = results_.ChannelStride();
    for (size_t y = 0; y < results_.height; ++y) {
      const Weights<Number>& rows = down.bins[y];
      for (size_t x = 0; x < results_.width; ++x) {
        const Weights<Number>& columns = across.bins[x];
        sums_.assign(depth, {});
        magnitudes_.assign(depth, 0);
        for (size_t i = 0; i < rows.weights.size(); ++i) {
          for (size_t j = 0; j < columns.weights.size(); ++j) {
            const Number weight = arithmetic_.Multiply(rows.weights[i], columns.weights[j]);
            const Number* pixel =
                image + ((rows.first + i) * features_.width + columns.first + j) * depth;
            for (size_t c = 0; c < depth; ++c) sums_[c].MultiplyAdd(weight, pixel[c]);
            if constexpr (kIsEnclosure<A>) AddMagnitudes(weight, pixel);
          }
        }
        Number* pixel = OutputPixel(roi, y, x, output);
        // Summed up sample by sample, there is a rounding for each sample, and for its weights.
        const size_t roundings = down.samples * across.samples + 4;
        for (size_t c = 0; c < depth; ++c) {
          const Number average =
              arithmetic_.Loosen(arithmetic_.Finish(sums_[c]), Exactly(magnitudes_[c]), roundings);
          Number& result = pixel[c * stride];
          result = is_first ? average : arithmetic_.EitherOf(result, average);
        }
      }
    }
  }

  void AddMagnitudes(const Number& weight, const Number* pixel) {
    for (size_t c = 0; c < features_.depth; ++c) {
      magnitudes_[c] += std::max(std::abs(LeastOf(weight)), std::abs(GreatestOf(weight))) *
                        std::max(std::abs(LeastOf(pixel[c])), std::abs(GreatestOf(pixel[c])));
    }
  }

  static Number Exactly(double value) {
    if constexpr (kIsEnclosure<A>) {
      return {value, 0};
    } else {
      return static_cast<Number>(value);
    }
  }

  const A& arithmetic_;
  KernelContext<A>& context_;
  const ImageSizes features_;
  const Number* elements_;  // in NHWC order
  const TensorView<const Number> boxes_;
  ImageSizes results_;
  std::vector<typename A::Accumulator> sums_;
  std::vector<double> magnitudes_;  // of what the sums add up, in an enclosure
};

Signature RoiAlignSignature() {
  const auto samples = [](std::string_view name, std::string_view axis) {
    return Int32Scalar(name)
        .Values(Uniform(0, 4))
        .Describe(absl::StrCat("How many samples each output element is the average of along ",
                               std::string(axis),
                               "; 0 for as many as it has feature map elements, rounded up."));
  };
  Signature signature = {.inputs = RoiInputs(), .outputs = {RoiOutput()}};
  signature.inputs.push_back(samples("heightSamples", "the height"));
  signature.inputs.push_back(samples("widthSamples", "the width"));
  signature.inputs.push_back(LayoutScalar());
  return signature;
}

std::vector<Constraint> RoiAlignConstraints() {
  std::vector<Constraint> constraints = RoiConstraints();
  constraints.push_back(
      Constraint("heightSamples and widthSamples are at least 0",
                 {.values = {kHeightSamples, kWidthSamples}}, [](const OperationContext& context) {
                   return context.Int32(kHeightSamples) >= 0 && context.Int32(kWidthSamples) >= 0;
                 }));
  constraints.push_back(Constraint("every dimension of features is above 0",
                                   {.shapes = {kRoiFeatures}}, [](const OperationContext& context) {
                                     const Shape& features = context.Input(kRoiFeatures).dimensions;
                                     return std::count(features.begin(), features.end(), 0U) == 0;
                                   }));
  return constraints;
}

}  // namespace

NNCERT_OPERATION_DEFINITION(ROI_ALIGN) {
  return {
      .summary =
          "output[r, i, j, c] = the average of samples of channel c, interpolated bilinearly, "
          "evenly spread over cell (i, j) of a grid of outputHeight x outputWidth in box r",
      .description =
          "A box is divided by the ratios to come to the feature map of its image, and is at least "
          "one element wide and high there. Each cell of the grid has heightSamples x widthSamples "
          "samples, or, where that is 0, the cell's height and width rounded up: sample s of n is "
          "at (s + 1/2) / n of the cell. A sample is interpolated between the four elements around "
          "it, elements being at whole numbers; one beyond the last element is like that.",
      .signature = RoiAlignSignature(),
      .constraints = RoiAlignConstraints(),
      .shape = RoiShape<kLayout>,
      // The weights of every sample are computed along each axis, before they are multiplied.
      .steps =
          [](const OperationContext& context) {
            const double samples =
                1.0 * context.Int32(kRoiOutputHeight) * context.Int32(kHeightSamples) +
                1.0 * context.Int32(kRoiOutputWidth) * context.Int32(kWidthSamples);
            return RoiSteps<kLayout>(context) + context.Input(kRoiBoxes).dimensions[0] * samples;
          },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Aligner<A>(arithmetic, context).Run();
      }),
      .choose = ChooseRegions<kLayout>,
      .error_bound =
          "of the positions of the samples, and of a sum of four products for each sample",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::ROI_ALIGN",
  };
}

}  // namespace nncert
