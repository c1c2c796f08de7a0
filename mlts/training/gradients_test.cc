// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Gradients against differences of the loss, in double.

#include <cmath>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlts/training/adam.h"
#include "mlts/training/lstm_trainer.h"
#include "mlts/training/separable_trainer.h"

namespace nncert {
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

// The loss of these parameters.
using Loss = std::function<double(const std::vector<double>& parameters)>;

// Holds each derivative against the difference that a small step of its parameter makes.
void ExpectDerivativesOf(const Loss& loss, std::vector<double> parameters,
                         const std::vector<double>& gradient) {
  ASSERT_EQ(gradient.size(), parameters.size());
  constexpr double kStep = 1e-6;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const double parameter = parameters[i];
    parameters[i] = parameter + kStep;
    const double above = loss(parameters);
    parameters[i] = parameter - kStep;
    const double below = loss(parameters);
    parameters[i] = parameter;
    // The rounding of a loss, 1e-16, by the step, and much more for safety.
    EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-8) << "of parameter " << i;
  }
}

std::vector<double> Noise(SplitMix64& random, size_t count, double magnitude) {
  std::vector<double> values(count);
  for (double& value : values) value = random.Uniform(-magnitude, magnitude);
  return values;
}

// Every kind of layer; strides that divide the image and one that does not; depths that fill the
// vectors of products and depths that do not.
std::vector<Layer> LayersOfAllKinds() {
  LayerSequence layers(9, 2);
  layers.Add(LayerKind::CONVOLUTION, 3, 2, 5);   // 9 pixels to 5
  layers.Add(LayerKind::DEPTHWISE, 3, 1, 5);     // 5
  layers.Add(LayerKind::CONVOLUTION, 1, 1, 9);   // 5
  layers.Add(LayerKind::DEPTHWISE, 3, 2, 9);     // 3
  layers.Add(LayerKind::CONVOLUTION, 1, 2, 8);   // 2
  layers.Add(LayerKind::CONVOLUTION, 3, 1, 4);   // 2
  layers.Add(LayerKind::AVERAGE_POOL, 2, 2, 4);  // 1
  layers.Add(LayerKind::FULLY_CONNECTED, 1, 1, 3);
  return layers.layers();
}

// Images for these layers, parameters that reach both ends of the activation, and labels.
struct SeparableExample {
  SeparableTrainer<double> trainer;
  std::vector<double> parameters;
  std::vector<double> images;
  std::vector<uint32_t> labels = {0, 1, 2, 1, 0};
};

SeparableExample MakeExample(Normalization normalization) {
  SeparableExample example = {SeparableTrainer<double>(LayersOfAllKinds(), normalization), {}, {}};
  SplitMix64 random(3);
  example.parameters = example.trainer.InitialParameters(random);
  for (double& parameter : example.parameters) parameter += random.Uniform(-0.2, 0.2);
  const Layer first = LayersOfAllKinds().front();
  example.images = Noise(random, example.labels.size() * first.input_size(), 4);
  return example;
}

class SeparableGradientTest : public ::testing::TestWithParam<Normalization> {};

TEST_P(SeparableGradientTest, is_the_derivative_of_the_loss) {
  SeparableExample example = MakeExample(GetParam());
  std::vector<double> gradient;
  example.trainer.Gradient(example.parameters, example.images, example.labels, gradient);
  std::vector<double> ignored;
  ExpectDerivativesOf(
      [&](const std::vector<double>& parameters) {
        return example.trainer.Gradient(parameters, example.images, example.labels, ignored);
      },
      example.parameters, gradient);
}

INSTANTIATE_TEST_SUITE_P(Normalizations, SeparableGradientTest,
                         ::testing::Values(Normalization::NONE, Normalization::BATCH),
                         [](const ::testing::TestParamInfo<Normalization>& param) {
                           return param.param == Normalization::NONE ? "none" : "batch";
                         });

TEST(SeparableTrainerTest, activations_of_the_example_reach_both_ends) {
  SeparableExample example = MakeExample(Normalization::NONE);
  example.trainer.Run(example.parameters, example.images);
  const std::vector<double>& values = example.trainer.output(0);
  EXPECT_THAT(values, ::testing::Contains(0));
  EXPECT_THAT(values, ::testing::Contains(6));
  EXPECT_THAT(values, ::testing::Contains(::testing::AllOf(::testing::Gt(0), ::testing::Lt(6))));
}

TEST(SeparableTrainerTest, folded_parameters_do_without_normalization_what_it_did) {
  SeparableExample example = MakeExample(Normalization::BATCH);
  const std::vector<double> logits = example.trainer.Run(example.parameters, example.images);
  const std::vector<double> folded = example.trainer.Folded(example.parameters);
  EXPECT_EQ(folded.size(), ParameterCount(LayersOfAllKinds()));
  SeparableTrainer<double> plain(LayersOfAllKinds(), Normalization::NONE);
  EXPECT_THAT(plain.Run(folded, example.images), Pointwise(::testing::DoubleNear(1e-9), logits));
}

TEST(SeparableTrainerTest, images_of_a_batch_do_not_know_of_each_other) {
  SeparableExample example = MakeExample(Normalization::NONE);
  const std::vector<double> all = example.trainer.Run(example.parameters, example.images);
  const size_t size = LayersOfAllKinds().front().input_size();
  std::vector<double> one_by_one;
  for (size_t i = 0; i < example.images.size(); i += size) {
    const std::vector<double> image(example.images.begin() + static_cast<std::ptrdiff_t>(i),
                                    example.images.begin() + static_cast<std::ptrdiff_t>(i + size));
    const std::vector<double>& logits = example.trainer.Run(example.parameters, image);
    one_by_one.insert(one_by_one.end(), logits.begin(), logits.end());
  }
  EXPECT_EQ(one_by_one, all);
}

TEST(LstmGradientTest, is_the_derivative_of_the_loss) {
  constexpr LstmNetwork kNetwork = {.inputs = 3, .units = 5, .classes = 4};
  constexpr size_t kSteps = 6;
  const std::vector<uint32_t> labels = {2, 0, 3};
  LstmTrainer<double> trainer(kNetwork);
  SplitMix64 random(4);
  const std::vector<double> parameters = trainer.InitialParameters(random);
  const std::vector<double> frames = Noise(random, kSteps * labels.size() * kNetwork.inputs, 1.5);
  std::vector<double> gradient;
  trainer.Gradient(parameters, frames, labels, gradient);
  std::vector<double> ignored;
  ExpectDerivativesOf(
      [&](const std::vector<double>& moved) {
        return trainer.Gradient(moved, frames, labels, ignored);
      },
      parameters, gradient);
}

TEST(AdamTest, first_steps_are_of_the_rate_whatever_the_gradient) {
  std::vector<float> parameters = {1, 1, 1};
  Adam(3).Step({100, -0.001F, 0}, 0.5F, parameters);
  EXPECT_THAT(parameters, Pointwise(FloatNear(1e-4F), {0.5F, 1.5F, 1.F}));
}

TEST(AdamTest, finds_the_least_of_a_square) {
  std::vector<float> parameters = {5, -3};
  Adam adam(2);
  for (int i = 0; i < 500; ++i) {
    const std::vector<float> gradient = {2 * (parameters[0] - 1), 20 * (parameters[1] - 2)};
    adam.Step(gradient, 0.1F * static_cast<float>(500 - i) / 500, parameters);
  }
  EXPECT_THAT(parameters, Pointwise(FloatNear(0.01F), {1.F, 2.F}));
}

}  // namespace
}  // namespace nncert
