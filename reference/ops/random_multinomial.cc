// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// RANDOM_MULTINOMIAL: samples of classes whose log-probabilities are given.

#include <algorithm>
#include <cmath>
#include <vector>

#include "random/split_mix.h"
#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/selection.h"

namespace nncert {
namespace {

enum : int { kLogits, kSamples, kSeeds };

// Classes to be drawn with the probabilities of logits.
class Distribution {
 public:
  // `classes` logits. Those that are not finite have probability 0; if none is finite, the class
  // that is drawn is 0.
  template <class Number>
  void Set(const Number* logits, size_t classes) {
    double greatest = -HUGE_VAL;
    for (size_t i = 0; i < classes; ++i) {
      const auto logit = static_cast<double>(logits[i]);
      if (std::isfinite(logit)) greatest = std::max(greatest, logit);
    }
    cumulative_.resize(classes);
    last_possible_ = 0;
    double total = 0;
    for (size_t i = 0; i < classes; ++i) {
      const auto logit = static_cast<double>(logits[i]);
      const double weight = std::isfinite(logit) ? std::exp(logit - greatest) : 0;
      if (weight > 0) last_possible_ = i;
      total += weight;
      cumulative_[i] = total;
    }
  }

  // The class of a random number in [0, 1).
  size_t Draw(double random) const {
    const double target = random * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), target);
    // The product may be rounded to the sum of all weights.
    return std::min(static_cast<size_t>(found - cumulative_.begin()), last_possible_);
  }

 private:
  std::vector<double> cumulative_;
  size_t last_possible_ = 0;
};

template <class A>
absl::Status DrawSamples(const A&, KernelContext<A>& context) {
  using Number = typename A::Number;
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Shape& dimensions = context->Input(kLogits).dimensions;
  const size_t classes = dimensions[1];
  if constexpr (kIsEnclosure<A>) {
    std::fill_n(output->data, output->size, IndexRange<Number>(0, classes - 1));
  } else {
    const auto logits = context.Input(kLogits);
    const std::vector<int32_t> seeds = context->Int32s(kSeeds);
    const uint64_t seed =
        uint64_t{static_cast<uint32_t>(seeds[0])} << 32 | static_cast<uint32_t>(seeds[1]);
    // Not the generator of the seed itself: those of two seeds may be a few steps apart.
    SplitMix64 random(SplitMix64(seed).Bits());
    const size_t samples = output->dimensions[1];
    Distribution distribution;
    for (size_t batch = 0; batch < dimensions[0]; ++batch) {
      distribution.Set(logits.data + batch * classes, classes);
      for (size_t i = batch * samples; i < (batch + 1) * samples; ++i) {
        (*output)[i] = IndexNumber<Number>(distribution.Draw(random.Unit()));
      }
    }
  }
  return absl::OkStatus();
}

void ChooseDraw(OperandChooser& choose) {
  const Shape& logits = choose.Dimensions(kLogits);
  const uint32_t most = MostTimes(choose, logits[0]);
  // Few samples tell little of what they are drawn from.
  choose.SetInt32(kSamples, choose.OneIn(2) ? most : choose.Between(1, most));
  const auto any = [&choose] { return static_cast<int32_t>(choose.random().Bits()); };
  choose.SetInt32s(kSeeds, {any(), any()});
  choose.SetOutputRange(0, {0, logits[1] - 1.0});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(RANDOM_MULTINOMIAL) {
  return {
      .summary = "output[b, s] = c with probability exp(logits[b, c]) / sum_k exp(logits[b, k])",
      .description =
          "Draws classes, independently of each other. The seeds choose the random numbers, but "
          "not how they are made from them, so implementations draw different samples: only the "
          "distribution of many can be compared. The same seeds give the same samples here.",
      .signature =
          {.inputs = {FloatTensor("logits")
                          .Ranks({2})
                          .Values(Uniform(-2, 2))
                          .Describe(
                              "Logarithms of the probabilities of the classes, but for a number "
                              "that may be added to all of a row: [batches, classes]."),
                      Int32Scalar("samples").Values(kNoValues).Describe(
                          "How many samples to draw for each row."),
                      Int32Vector("seeds").Describe("Two seeds of the random numbers.")},
           .outputs = {Tensor("output")
                           .Types({OperandType::TENSOR_INT32})
                           .Ranks({2})
                           .Describe("Classes, from 0 to classes - 1: [batches, samples].")}},
      .constraints = {Constraint("samples is above 0", {.values = {kSamples}},
                                 [](const OperationContext& context) {
                                   return context.Int32(kSamples) > 0;
                                 }),
                      Constraint("there are two seeds", {.shapes = {kSeeds}},
                                 [](const OperationContext& context) {
                                   return context.Input(kSeeds).dimensions[0] == 2;
                                 })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = {context.Input(kLogits).dimensions[0],
                      static_cast<uint32_t>(context.Int32(kSamples))};
        return absl::OkStatus();
      },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return DrawSamples(arithmetic, context);
      }),
      .choose = ChooseDraw,
      .error_bound = "none for one sample: it may be any class",
      .outputs_are_random = true,
      .source = "types.hal 1.2, OperationType::RANDOM_MULTINOMIAL",
  };
}

}  // namespace nncert
