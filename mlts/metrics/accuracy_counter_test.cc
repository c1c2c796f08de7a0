// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/accuracy_counter.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/metrics/speech.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using hal::testing::StatusIs;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const TensorFormat kFloats = {OperandType::TENSOR_FLOAT32};
const TensorFormat kSteps = {OperandType::TENSOR_QUANT8_ASYMM, {}, 0.5F, 10};

TensorBytes Floats(const std::vector<float>& values) {
  TensorBytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// A sequence of as many inferences as there are golden outputs, each of one output.
Sequence WithGolden(const std::vector<TensorBytes>& golden) {
  Sequence sequence;
  sequence.name = "arctic";
  for (const TensorBytes& output : golden) {
    sequence.inputs.push_back({{0}});
    sequence.golden_outputs.push_back({output});
  }
  return sequence;
}

Sequence Labelled(uint32_t label) {
  Sequence sequence;
  sequence.name = "image-7";
  sequence.inputs = {{{0}}};
  sequence.label = label;
  return sequence;
}

TEST(AccuracyCounterTest, OfNothingThereIsNothing) {
  const AccuracyResult result = AccuracyCounter("sample", {kFloats}, {}).Result();
  EXPECT_EQ(result.driver, "sample");
  EXPECT_EQ(result.sequences, 0);
  EXPECT_THAT(result.top_k, IsEmpty());
  EXPECT_EQ(result.mean_square_error, std::nullopt);
  EXPECT_THAT(result.off_by, IsEmpty());
}

TEST(AccuracyCounterTest, LabelsAreLookedForAmongTheHighest) {
  AccuracyCounter counter("sample", {kFloats}, {});
  const SequenceOutputs outputs = {{Floats({1, 6, 5, 4, 3, 2})}};
  for (uint32_t label = 0; label < 6; ++label) {
    ASSERT_TRUE(counter.Add(Labelled(label), outputs).ok());
  }
  const AccuracyResult result = counter.Result();
  EXPECT_EQ(result.sequences, 6);
  EXPECT_EQ(result.inferences, 6);
  ASSERT_THAT(result.top_k, SizeIs(5));
  for (size_t k = 0; k < 5; ++k) {
    EXPECT_DOUBLE_EQ(result.top_k[k].value, static_cast<double>(k + 1) / 6);
  }
  EXPECT_GT(result.top_k[0].high, 1.0 / 6);
  EXPECT_EQ(result.mean_square_error, std::nullopt);
}

TEST(AccuracyCounterTest, LowestIndexBreaksTies) {
  AccuracyCounter counter("sample", {kSteps}, {});
  const SequenceOutputs outputs = {{TensorBytes{3, 200, 200}}};
  ASSERT_TRUE(counter.Add(Labelled(2), outputs).ok());
  EXPECT_EQ(counter.Result().top_k[0].value, 0);
  EXPECT_EQ(counter.Result().top_k[1].value, 1);
  ASSERT_TRUE(counter.Add(Labelled(1), outputs).ok());
  EXPECT_EQ(counter.Result().top_k[0].value, 0.5);
}

TEST(AccuracyCounterTest, NanIsNeverAmongTheTop) {
  AccuracyCounter counter("sample", {kFloats}, {});
  ASSERT_TRUE(counter.Add(Labelled(0), {{Floats({kNan, kNan})}}).ok());
  for (const Estimate& share : counter.Result().top_k) EXPECT_EQ(share.value, 0);
  ASSERT_TRUE(counter.Add(Labelled(1), {{Floats({kNan, -1e30F})}}).ok());
  EXPECT_EQ(counter.Result().top_k[0].value, 0.5);
}

TEST(AccuracyCounterTest, LabelIsOfTheLastInference) {
  Sequence sequence = Labelled(1);
  sequence.inputs = {{{0}}, {{0}}};
  AccuracyCounter counter("sample", {kFloats}, {});
  ASSERT_TRUE(counter.Add(sequence, {{Floats({1, 0})}, {Floats({0, 1})}}).ok());
  EXPECT_EQ(counter.Result().top_k[0].value, 1);
  EXPECT_EQ(counter.Result().inferences, 2);
}

TEST(AccuracyCounterTest, SequencesWithoutLabelsDoNotCountForShares) {
  AccuracyCounter counter("sample", {kFloats}, {});
  ASSERT_TRUE(counter.Add(Labelled(0), {{Floats({1, 0})}}).ok());
  ASSERT_TRUE(counter.Add(WithGolden({Floats({1, 0})}), {{Floats({0, 1})}}).ok());
  EXPECT_EQ(counter.Result().sequences, 2);
  EXPECT_EQ(counter.Result().top_k[0].value, 1);
}

TEST(AccuracyCounterTest, ErrorsAreFromGoldenOutputs) {
  AccuracyCounter counter("sample", {kFloats}, {});
  ASSERT_TRUE(counter
                  .Add(WithGolden({Floats({1, 2}), Floats({3, 4})}),
                       {{Floats({1, 2.5F})}, {Floats({1, 4})}})
                  .ok());
  const AccuracyResult result = counter.Result();
  EXPECT_EQ(result.sequences, 1);
  EXPECT_EQ(result.inferences, 2);
  EXPECT_DOUBLE_EQ(*result.mean_square_error, (0.25 + 4) / 4);
  EXPECT_DOUBLE_EQ(*result.maximum_absolute_error, 2);
  EXPECT_DOUBLE_EQ(*result.maximum_signed_error, 0.5);
  EXPECT_THAT(result.off_by, IsEmpty());
}

TEST(AccuracyCounterTest, SignedErrorIsNotBelowZeroAsMltsHasIt) {
  AccuracyCounter counter("sample", {kFloats}, {});
  ASSERT_TRUE(counter.Add(WithGolden({Floats({1})}), {{Floats({-1})}}).ok());
  EXPECT_EQ(counter.Result().maximum_signed_error, 0);
  EXPECT_EQ(counter.Result().maximum_absolute_error, 2);
}

TEST(AccuracyCounterTest, QuantizedErrorsAreRealAndCountedInSteps) {
  AccuracyCounter counter("sample", {kSteps}, {});
  ASSERT_TRUE(counter
                  .Add(WithGolden({TensorBytes{10, 10, 10, 10, 10, 0}}),
                       {{TensorBytes{10, 10, 11, 8, 19, 255}}})
                  .ok());
  const AccuracyResult result = counter.Result();
  EXPECT_THAT(result.off_by, ElementsAre(2, 1, 1, 0, 0, 0, 0, 0, 0, 2));
  EXPECT_DOUBLE_EQ(*result.maximum_absolute_error, 127.5);
  EXPECT_DOUBLE_EQ(*result.mean_square_error, (0.25 + 1 + 4.5 * 4.5 + 127.5 * 127.5) / 6);
}

TEST(AccuracyCounterTest, EveryOutputCounts) {
  AccuracyCounter counter("sample", {kFloats, kSteps}, {});
  Sequence sequence = WithGolden({Floats({1})});
  sequence.golden_outputs[0].push_back(TensorBytes{4});
  ASSERT_TRUE(counter.Add(sequence, {{Floats({2}), TensorBytes{7}}}).ok());
  EXPECT_THAT(counter.Result().off_by, ElementsAre(0, 0, 0, 1, 0, 0, 0, 0, 0, 0));
  EXPECT_DOUBLE_EQ(*counter.Result().maximum_absolute_error, 1.5);
}

TEST(AccuracyCounterTest, NanInsteadOfANumberIsInfinitelyWrong) {
  AccuracyCounter counter("sample", {kFloats}, {});
  ASSERT_TRUE(counter.Add(WithGolden({Floats({1, kNan})}), {{Floats({kNan, kNan})}}).ok());
  EXPECT_EQ(counter.Result().mean_square_error, kInfinity);
  EXPECT_EQ(counter.Result().maximum_absolute_error, kInfinity);
  EXPECT_EQ(counter.Result().maximum_signed_error, kInfinity);
}

TEST(AccuracyCounterTest, SpeechIsComparedWithItsNormalizationUndone) {
  AccuracyCounter::Options options;
  options.evaluator = Evaluator::MEL_CEP_LOG_F0;
  options.output_mean.assign(kSpeechSize, -0.5F);
  options.output_deviation.assign(kSpeechSize, 4);
  AccuracyCounter counter("sample", {kFloats}, options);
  const std::vector<float> golden(kSpeechSize, 0.25F);
  std::vector<float> output = golden;
  // The first frame's second amplitude and pitch. Voicing is 0.25 * 4 - 0.5, above 0.
  output[1] += 1;
  output[47] -= 0.5F;
  ASSERT_TRUE(counter.Add(WithGolden({Floats(golden)}), {{Floats(output)}}).ok());
  // A better one changes nothing: the worst utterance counts.
  ASSERT_TRUE(counter.Add(WithGolden({Floats(golden)}), {{Floats(golden)}}).ok());
  const AccuracyResult result = counter.Result();
  EXPECT_DOUBLE_EQ(*result.mel_cepstral_distance, 4 / std::sqrt(4 * 39));
  EXPECT_DOUBLE_EQ(*result.log_f0_error, 2 / std::sqrt(4));
  EXPECT_EQ(result.phone_error_rate, std::nullopt);
  // The errors themselves are of what the network gives.
  EXPECT_DOUBLE_EQ(*result.maximum_absolute_error, 1);
}

TEST(AccuracyCounterTest, PhonesAreCountedBothWays) {
  AccuracyCounter::Options options;
  options.evaluator = Evaluator::PHONE_ERROR_RATE;
  AccuracyCounter counter("sample", {kFloats}, options);
  const TensorBytes blank = Floats({1, 0, 0});
  const TensorBytes one = Floats({0, 1, 0});
  const TensorBytes two = Floats({0, 0, 1});
  // Phones 1, 2, found as 1, 1: one step of five and one phone of two are wrong.
  ASSERT_TRUE(
      counter
          .Add(WithGolden({blank, one, blank, two, two}), {{blank}, {one}, {blank}, {one}, {two}})
          .ok());
  EXPECT_DOUBLE_EQ(*counter.Result().phone_error_rate_mlts, 20);
  EXPECT_DOUBLE_EQ(*counter.Result().phone_error_rate, 50);
  // Two right phones more: the worst utterance counts for MLTS, and one phone of four.
  ASSERT_TRUE(counter.Add(WithGolden({one, two}), {{one}, {two}}).ok());
  EXPECT_DOUBLE_EQ(*counter.Result().phone_error_rate_mlts, 20);
  EXPECT_DOUBLE_EQ(*counter.Result().phone_error_rate, 25);
  EXPECT_EQ(counter.Result().mel_cepstral_distance, std::nullopt);
}

TEST(AccuracyCounterTest, PhonesWhereThereAreNoneAreInfinitelyWrong) {
  AccuracyCounter::Options options;
  options.evaluator = Evaluator::PHONE_ERROR_RATE;
  AccuracyCounter counter("sample", {kFloats}, options);
  const TensorBytes blank = Floats({1, 0});
  ASSERT_TRUE(counter.Add(WithGolden({blank}), {{blank}}).ok());
  EXPECT_EQ(counter.Result().phone_error_rate, 0);
  ASSERT_TRUE(counter.Add(WithGolden({blank}), {{Floats({0, 1})}}).ok());
  EXPECT_EQ(counter.Result().phone_error_rate, kInfinity);
}

TEST(AccuracyCounterTest, WhatDoesNotFitIsRefusedAndNotCounted) {
  AccuracyCounter::Options options;
  options.output_mean = {1, 2};
  options.output_deviation = {1, 2};
  AccuracyCounter counter("sample", {kFloats}, options);
  const TensorBytes two = Floats({1, 2});
  const auto refused = [](const auto& message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, message);
  };
  EXPECT_THAT(counter.Add(Labelled(0), {{two}, {two}}),
              refused("image-7: the outputs of sample are of 2 inferences, not 1"));
  EXPECT_THAT(
      counter.Add(Labelled(0), {{two, two}}),
      refused("image-7: the outputs of sample of inference 0 are 2, where the network has 1 "
              "outputs"));
  EXPECT_THAT(counter.Add(Labelled(0), {{TensorBytes(7)}}), refused(HasSubstr("7 bytes")));
  EXPECT_THAT(counter.Add(Labelled(2), {{two}}),
              refused("image-7: its label is class 2, of an output that has 2 classes"));
  EXPECT_THAT(counter.Add(WithGolden({Floats({1})}), {{two}}),
              refused("arctic: the outputs of sample, output 0 of inference 0, has 2 elements; of "
                      "the golden outputs it has 1"));
  Sequence short_golden = WithGolden({two, two});
  short_golden.golden_outputs.pop_back();
  EXPECT_THAT(counter.Add(short_golden, {{two}, {two}}),
              refused("arctic: the golden outputs are of 1 inferences, not 2"));
  EXPECT_THAT(counter.Add(WithGolden({Floats({1, 2, 3})}), {{Floats({1, 2, 3})}}),
              refused("arctic: an output has 3 elements, where there are 2 means and 2 standard "
                      "deviations"));
  EXPECT_EQ(counter.Result().sequences, 0);
  EXPECT_EQ(counter.Result().mean_square_error, std::nullopt);
  EXPECT_THAT(counter.Result().top_k, IsEmpty());
}

TEST(AccuracyCounterTest, SpeechOfAnotherSizeIsRefused) {
  AccuracyCounter::Options options;
  options.evaluator = Evaluator::MEL_CEP_LOG_F0;
  AccuracyCounter counter("sample", {kFloats}, options);
  EXPECT_THAT(counter.Add(WithGolden({Floats({1})}), {{Floats({1})}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "arctic: an output has 1 elements; MEL_CEP_LOG_F0 wants 4 frames of 49"));
}

TEST(AccuracyCounterTest, OptionsAreThoseOfTheBenchmark) {
  Benchmark benchmark;
  benchmark.evaluator = Evaluator::MEL_CEP_LOG_F0;
  benchmark.output_mean = {1};
  benchmark.output_deviation = {2};
  const AccuracyCounter::Options options = AccuracyCounter::OptionsOf(benchmark);
  EXPECT_EQ(options.evaluator, Evaluator::MEL_CEP_LOG_F0);
  EXPECT_THAT(options.output_mean, ElementsAre(1));
  EXPECT_THAT(options.output_deviation, ElementsAre(2));
}

}  // namespace
}  // namespace nncert
