// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What samples of a distribution come to.

#include <cmath>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::HasSubstr;
using testing::StartsWith;

TestCase MultinomialCase(float tolerance) {
  ModelBuilder builder;
  const uint32_t logits = builder.Input({OperandType::TENSOR_FLOAT32, {2, 3}});
  const uint32_t count = builder.Int32(4);
  const uint32_t seeds = builder.Constant({OperandType::TENSOR_INT32, {2}}, {37, 42});
  const uint32_t samples = builder.Output({OperandType::TENSOR_INT32, {2, 4}});
  builder.Operation(OperationType::RANDOM_MULTINOMIAL, {logits, count, seeds}, {samples});
  // Half of the first two classes, then the last class alone.
  TestCase test_case =
      CaseWith(builder.model(), {{0, 0, -1000, -1000, -1000, 0}}, {{0, 0, 0, 0, 0, 0, 0, 0}});
  test_case.examples[0].outputs[0].ignored = true;
  test_case.multinomialDistributionTolerance = tolerance;
  return test_case;
}

Lies Samples(const std::vector<int32_t>& samples) {
  Lies lies;
  lies.compute = [samples](FakeExecution& execution) {
    for (size_t i = 0; i < samples.size(); ++i) SetElement(execution, 0, i, samples[i]);
  };
  return lies;
}

TEST(RunCase, SamplesAreComparedByFrequency) {
  const CaseResult right = RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, 2}), MultinomialCase(0.025F));
  EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
  EXPECT_EQ(right.compared_elements, 48U);
  const CaseResult wrong = RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), MultinomialCase(0.025F));
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(wrong), StartsWith("RANDOM_MULTINOMIAL output 0: class 0 has frequency"));
  EXPECT_EQ(RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), MultinomialCase(0.3F)).verdict,
            Verdict::PASS);
}

TEST(RunCase, ADumpOfSamplesSaysThatItHasNoSource) {
  RunOptions options;
  options.dump_directory = ::testing::TempDir() + "/samples";
  const CaseResult result = RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, 3}), MultinomialCase(0.9F),
                                      TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(result.dumped_files, testing::SizeIs(3));
  EXPECT_THAT(result.detail, HasSubstr("\n  the failure dump is incomplete: no GoogleTest source: "
                                       "RANDOM_MULTINOMIAL output 0 is of samples"));
}

TEST(RunCase, SamplesMustBeClasses) {
  for (const int32_t sample : {3, -1, 1024}) {
    const CaseResult result =
        RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, sample}), MultinomialCase(0.9F));
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_THAT(FirstLine(result), HasSubstr("sample [1, 3] is"));
  }
}

TEST(RunCase, SamplesAreComparedWithConstantLogits) {
  TestCase test_case = MultinomialCase(0.025F);
  hal::V1_2::Model& model = test_case.model;
  // The logits become a constant, and the seeds an input in their place.
  hal::V1_2::Operand& logits = model.operands[model.inputIndexes[0]];
  logits.lifetime = hal::V1_2::OperandLifeTime::CONSTANT_COPY;
  logits.location = {0, static_cast<uint32_t>(model.operandValues.size()), 24};
  const std::vector<uint8_t>& values = test_case.examples[0].inputs[0].data;
  model.operandValues.insert(model.operandValues.end(), values.begin(), values.end());
  const uint32_t seeds = model.operations[0].inputs[2];
  model.operands[seeds].lifetime = hal::V1_2::OperandLifeTime::MODEL_INPUT;
  model.operands[seeds].location = {};
  model.inputIndexes = {seeds};
  test_case.examples[0].inputs[0] = {false, {2}, BytesOf(OperandType::TENSOR_INT32, {1, 2})};
  const CaseResult right = RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, 2}), test_case);
  EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
  EXPECT_EQ(RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), test_case).verdict, Verdict::FAIL);
}

TEST(RunCase, SamplesOfAnUnknownDistributionAreUndecided) {
  TestCase test_case = MultinomialCase(0.025F);
  test_case.examples[0].inputs[0].data =
      BytesOf(OperandType::TENSOR_FLOAT32, {0, 0, -INFINITY, -1000, -1000, 0});
  const CaseResult result = RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, 2}), test_case);
  EXPECT_EQ(result.verdict, Verdict::UNDECIDED) << result.detail;
  EXPECT_THAT(result.detail, HasSubstr("cannot be compared with their distribution"));
}

TEST(RunCase, SamplesWithoutAToleranceAreTestedStatistically) {
  const CaseResult right = RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), MultinomialCase(0));
  EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
  EXPECT_EQ(right.compared_elements, 48U);
  // The last class alone can be in the second row.
  const CaseResult wrong = RunOnFake(Samples({0, 1, 1, 1, 0, 1, 1, 1}), MultinomialCase(0));
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(wrong), HasSubstr("not drawn from the softmax of the logits"));
}

TEST(RunCase, SamplesOfTheReferencePass) {
  for (const float tolerance : {0.0F, 1.0F}) {
    const CaseResult result = RunOnFake({}, MultinomialCase(tolerance));
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
}

TEST(RunCase, DimensionsOfSamplesAreCompared) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    if (!execution.result.outputShapes.empty()) execution.result.outputShapes[0].dimensions = {8};
  };
  const CaseResult result = RunOnFake(lies, MultinomialCase(0), TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), HasSubstr("has the dimensions [8]; expected [2, 4]"));
}

}  // namespace
}  // namespace nncert
