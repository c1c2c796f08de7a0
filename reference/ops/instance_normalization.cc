// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// INSTANCE_NORMALIZATION: each channel of each image, brought to mean beta and deviation gamma.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/image.h"

namespace nncert {
namespace {

enum : int { kInput, kGamma, kBeta, kEpsilon, kLayout };

// Numbers of one channel of one image: `count` of them, `stride` apart.
template <class Number>
struct Channel {
  const Number* first;
  size_t stride;
  size_t count;

  const Number& operator[](size_t i) const { return first[i * stride]; }
};

template <class Number>
struct Moments {
  Number mean;
  Number variance;
};

// The mean and the variance of a channel. An implementation may take the variance from the mean of
// squares and the square of the mean, with each of which it loses `count` + 1 roundings of a sum,
// five of a division and a few more, all of the size of the mean of squares.
template <class A>
Moments<typename A::Number> MomentsOf(const A& arithmetic,
                                      const Channel<typename A::Number>& channel) {
  typename A::Accumulator sum;
  typename A::Accumulator sum_of_squares;
  for (size_t i = 0; i < channel.count; ++i) {
    sum.Add(channel[i]);
    sum_of_squares.MultiplyAdd(channel[i], channel[i]);
  }
  const auto count = arithmetic.Constant(static_cast<double>(channel.count));
  const auto mean = arithmetic.Divide(arithmetic.Finish(sum), count);
  const auto mean_of_squares = arithmetic.Divide(arithmetic.Finish(sum_of_squares), count);
  typename A::Accumulator sum_of_deviations;
  for (size_t i = 0; i < channel.count; ++i) {
    sum_of_deviations.Add(arithmetic.Square(arithmetic.Subtract(channel[i], mean)));
  }
  const auto variance = arithmetic.Divide(arithmetic.Finish(sum_of_deviations), count);
  return {mean, arithmetic.Loosen(variance, mean_of_squares, 3 * channel.count + 20)};
}

template <class A>
absl::Status Normalize(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ImageSizes images = ImageSizesOf(input.dimensions, context->Bool(kLayout));
  const Number gamma = arithmetic.Constant(context->Real(kGamma));
  const Number beta = arithmetic.Constant(context->Real(kBeta));
  const Number epsilon = arithmetic.Constant(context->Real(kEpsilon));
  const size_t count = images.height * images.width;
  const size_t pixel_stride = images.is_nchw ? 1 : images.depth;
  for (size_t batch = 0; batch < images.batches; ++batch) {
    for (size_t c = 0; c < images.depth; ++c) {
      const size_t first = images.PixelOffset(batch * count) + c * images.ChannelStride();
      const Channel<Number> channel = {input.data + first, pixel_stride, count};
      const auto [mean, variance] = MomentsOf(arithmetic, channel);
      const Number deviation = arithmetic.Sqrt(arithmetic.Add(variance, epsilon));
      const Number scale = arithmetic.Abs(arithmetic.Divide(gamma, deviation));
      for (size_t i = 0; i < count; ++i) {
        const Number centered = arithmetic.Subtract(channel[i], mean);
        const Number result = arithmetic.Add(
            arithmetic.Divide(arithmetic.Multiply(centered, gamma), deviation), beta);
        // An implementation may multiply by gamma / deviation and add what that and the mean make
        // of beta: numbers of this size, with four roundings.
        const Number magnitude = arithmetic.Add(
            arithmetic.Multiply(arithmetic.Add(arithmetic.Abs(channel[i]), arithmetic.Abs(mean)),
                                scale),
            arithmetic.Abs(beta));
        (*output)[first + i * pixel_stride] = arithmetic.Loosen(result, magnitude, 4);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(INSTANCE_NORMALIZATION) {
  return {
      .summary =
          "output[b, y, x, c] = (input[b, y, x, c] - mean[b, c]) * gamma / sqrt(variance[b, c] + "
          "epsilon) + beta",
      .description =
          "Mean and variance are those of the pixels of one channel of one image: mean[b, c] = "
          "mean_{y, x} input[b, y, x, c], and variance[b, c] = mean_{y, x} (input[b, y, x, c] - "
          "mean[b, c])^2.",
      .signature = {.inputs = {FloatTensor("input")
                                   .Ranks({4})
                                   .Values(Uniform(-2, 2))
                                   .Describe(
                                       "The images, [batches, height, width, depth] or, for NCHW, "
                                       "[batches, depth, height, width]."),
                               FloatScalarLike("gamma", kInput)
                                   .Values(Uniform(-2, 2))
                                   .Describe("The scale of the output."),
                               FloatScalarLike("beta", kInput)
                                   .Values(Uniform(-2, 2))
                                   .Describe("The offset of the output."),
                               FloatScalarLike("epsilon", kInput)
                                   .Values(LogUniform(1e-3, 1))
                                   .Describe("What is added to the variance, so that a channel of "
                                             "equal elements is not divided by zero."),
                               LayoutScalar()},
                    .outputs = {Tensor("output").TypeLike(kInput).Ranks({4}).Describe(
                        "The normalized images, of the dimensions of the input.")}},
      .shape = SameShapeAsFirstInput,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Normalize(arithmetic, context);
      }),
      .choose =
          [](OperandChooser& choose) {
            ChooseAlike(choose);
            // Few elements are further from the mean than three deviations.
            const double reach = 3 * choose.Range(kGamma).Magnitude();
            choose.SetOutputRange(
                0, {choose.Range(kBeta).lowest - reach, choose.Range(kBeta).highest + reach});
          },
      .error_bound =
          "of the mean and of the variance, either as the mean of the squared distances from the "
          "mean or as the mean of the squares less the square of the mean, of a square root, a "
          "division and a product",
      .source = "types.hal 1.2, OperationType::INSTANCE_NORMALIZATION",
  };
}

}  // namespace nncert
