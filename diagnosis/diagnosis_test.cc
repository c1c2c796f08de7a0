// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "diagnosis/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/agreement.h"
#include "diagnosis/answer.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Answer AnswerOf(std::vector<double> values) {
  Answer answer;
  AnsweredOutput output;
  output.dimensions = {static_cast<uint32_t>(values.size())};
  output.values = std::move(values);
  AnsweredExecution& execution = answer.executions.emplace_back();
  execution.outputs = {output};
  return answer;
}

const std::vector<Criterion> kFloat = {{"fp32", 1e-5, 1e-5}};
const std::vector<Criterion> kQuantized = {{"quantized", 1, 0}};

TEST(AgreementTest, CountsWrongElementsThatAreAsPredicted) {
  const Agreement agreement = Compare(kFloat, AnswerOf({1, 5, 7, kNan}), AnswerOf({1, 2, 3, 4}),
                                      AnswerOf({1, 5.00001, 8, kNan}));
  EXPECT_EQ(agreement.of, 3);
  EXPECT_EQ(agreement.explained, 2);
  EXPECT_EQ(agreement.contradicted, 0);
  EXPECT_EQ(agreement.identical, 2);
  EXPECT_DOUBLE_EQ(agreement.Share(), 2.0 / 3);
}

TEST(AgreementTest, WhatIsRightContradictsAPredictionOfErrors) {
  const Agreement agreement = Compare(kFloat, AnswerOf({1, 5}), AnswerOf({1, 2}), AnswerOf({3, 5}));
  EXPECT_EQ(agreement.explained, 1);
  EXPECT_EQ(agreement.contradicted, 1);
  EXPECT_DOUBLE_EQ(agreement.Share(), 0.5);
}

// A step of tolerance does not make an error of three steps one of two.
TEST(AgreementTest, IsNearerToThePredictionThanToTheHonestAnswer) {
  const auto explained = [](double actual, double predicted) {
    return Compare(kQuantized, AnswerOf({actual}), AnswerOf({100}), AnswerOf({predicted}))
        .explained;
  };
  EXPECT_EQ(explained(103, 103), 1);
  EXPECT_EQ(explained(103, 102), 0);
  EXPECT_EQ(explained(120, 121), 1);
  EXPECT_EQ(explained(120, 122), 0);
}

TEST(AgreementTest, DimensionsHaveToBeThose) {
  Answer driver = AnswerOf({1, 2});
  driver.executions[0].outputs[0].dimensions = {1, 2};
  const Answer honest = AnswerOf({1, 2});
  EXPECT_EQ(Compare(kFloat, driver, honest, honest).explained, 0);
  EXPECT_EQ(Compare(kFloat, driver, honest, honest).of, 2);
  EXPECT_EQ(Compare(kFloat, driver, honest, driver).explained, 2);
}

TEST(AgreementTest, WaysToExecuteThatDifferAreComparedOneByOne) {
  Answer driver = AnswerOf({1});
  driver.ways = 2;
  driver.executions.push_back(AnswerOf({9}).executions[0]);
  const Agreement agreement = Compare(kFloat, driver, AnswerOf({1}), AnswerOf({9}));
  EXPECT_EQ(agreement.of, 1);
  EXPECT_EQ(agreement.explained, 1);
  EXPECT_EQ(agreement.contradicted, 1);
}

constexpr uint32_t kRepetitions = 4;

template <class Number>
std::vector<Number> Repeated(const std::vector<Number>& some) {
  std::vector<Number> all;
  for (uint32_t i = 0; i < kRepetitions; ++i) all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::vector<uint8_t> BytesOf(const std::vector<float>& floats) {
  const auto* const first = reinterpret_cast<const uint8_t*>(floats.data());
  return {first, first + floats.size() * sizeof(float)};
}

// {-3, 0.5, 4, 6} + {1, 1, 1, 2.5}, four times, with a fused activation; a driver gave `values`
// each time.
Failure FailureOfAdd(int32_t activation, const std::vector<double>& values) {
  const std::vector<uint32_t> dimensions = {4 * kRepetitions};
  ModelBuilder builder;
  const OperandSpec vector = {OperandType::TENSOR_FLOAT32, {4 * kRepetitions}};
  const uint32_t a = builder.Input(vector);
  const uint32_t b = builder.Input(vector);
  builder.Operation(OperationType::ADD, {a, b, builder.Int32(activation)},
                    {builder.Output(vector)});
  Failure failure;
  failure.operation = "ADD";
  failure.test_case.model = builder.model();
  Example example;
  example.inputs = {{false, dimensions, BytesOf(Repeated<float>({-3, 0.5, 4, 6}))},
                    {false, dimensions, BytesOf(Repeated<float>({1, 1, 1, 2.5}))}};
  example.outputs = {{false, dimensions, BytesOf(Repeated<float>({0, 0, 0, 0}))}};
  failure.test_case.examples = {example};
  failure.answer = AnswerOf(Repeated(values));
  return failure;
}

std::vector<std::string> NamesOf(const std::vector<Cause>& causes) {
  std::vector<std::string> names;
  for (const Cause& cause : causes) names.push_back(cause.rule);
  return names;
}

TEST(DiagnosisTest, NamesTheRuleThatGivesTheSame) {
  // RELU6 of {-2, 1.5, 5, 8.5}, taken for RELU, by other arithmetic.
  const std::vector<Cause> causes = Diagnose({FailureOfAdd(3, {0, 1.5000001, 5, 8.5000005})});
  ASSERT_THAT(causes, Not(IsEmpty()));
  EXPECT_THAT(NamesOf(causes), Contains("relu6_as_relu"));
  EXPECT_EQ(causes[0].explained, 4);
  EXPECT_EQ(causes[0].of, 4);
  EXPECT_EQ(causes[0].rivals, causes.size() - 1);
}

TEST(DiagnosisTest, NamesTwoRulesWhereOneIsNotEnough) {
  const std::vector<Cause> causes =
      Diagnose({FailureOfAdd(3, {0, 1.5, 5, 8.5}), FailureOfAdd(0, {2, 1.5, 5, 8.5})});
  // Nothing gives the wrong activation here and the absolute value there, but the two together.
  ASSERT_THAT(causes, Not(IsEmpty()));
  EXPECT_THAT(causes[0].rule, AllOf(HasSubstr("+"), HasSubstr("sign_lost")));
  EXPECT_EQ(causes[0].failures, 2);
}

TEST(DiagnosisTest, KnowsWhenItKnowsNothing) {
  EXPECT_THAT(Diagnose({FailureOfAdd(0, {17, -3, 0.25, 1e6})}), IsEmpty());
  EXPECT_EQ(DescribeCauses({}), "Likely cause: none known\n");
  EXPECT_EQ(CausesToJson({}), "[]\n");
}

TEST(DiagnosisTest, RulesWithTheSameResultsCannotBeToldApart) {
  const OperationDiagnosis diagnosis({FailureOfAdd(0, {0, 0, 0, 0})});
  EXPECT_THAT(diagnosis.Twins("all_zero"), AllOf(Contains("all_zero"), Contains("all_bytes_zero")));
  EXPECT_THAT(diagnosis.Twins("all_zero"), Not(Contains("all_nan")));
  EXPECT_THAT(NamesOf(diagnosis.Causes({"all_zero", "all_bytes_zero"})), Not(Contains("all_zero")));
}

TEST(DiagnosisTest, IsWrittenForProgramsAndForPeople) {
  const std::vector<Cause> causes = {{.cause = "Swaps \"a\".",
                                      .rule = "swapped",
                                      .operations = {"ADD", "MUL"},
                                      .explained = 63,
                                      .of = 64,
                                      .identical = 0,
                                      .failures = 2,
                                      .rivals = 0}};
  EXPECT_EQ(CausesToJson(causes),
            "[\n  {\"cause\": \"Swaps \\\"a\\\".\", \"rule\": \"swapped\", \"explained\": 63, "
            "\"of\": 64, \"rivals\": 0, \"failures\": 2, \"operations\": [\"ADD\", \"MUL\"]}\n]\n");
  EXPECT_THAT(DescribeCauses(causes),
              HasSubstr("swapped: 63 of 64 wrong elements agree, in 2 failures of ADD, MUL; "));
}

}  // namespace
}  // namespace nncert
