// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "reference/testing/evaluate.h"
#include "reference/testing/model_builder.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OperandSpec kRow = {OperandType::TENSOR_FLOAT32, {3}};

// output = (a + b) * a, with the sum between two operations.
hal::V1_2::Model SumThenProduct(const OperandSpec& sum, const OperandSpec& output) {
  ModelBuilder builder;
  const uint32_t a = builder.Input(kRow);
  const uint32_t b = builder.Input(kRow);
  const uint32_t none = builder.Int32(0);
  const uint32_t between = builder.Temporary(sum);
  const uint32_t result = builder.Output(output);
  builder.Operation(OperationType::ADD, {a, b, none}, {between});
  builder.Operation(OperationType::MUL, {between, a, none}, {result});
  return builder.model();
}

InputArgument Argument(const std::vector<float>& values) {
  InputArgument argument;
  argument.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(values.data()),
                                          values.size() * sizeof(float));
  return argument;
}

TEST(ExecutorTest, RunsOperationsInOrderInEveryNumberSystem) {
  const auto results = EvaluateInAllSystems(SumThenProduct(kRow, kRow), {{1, 2, 3}, {10, 20, 30}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].from_float, ElementsAre(11, 44, 99));
  EXPECT_THAT((*results)[0].from_double, ElementsAre(11, 44, 99));
  EXPECT_GT((*results)[0].enclosure[0].radius, 0);
  EXPECT_LT((*results)[0].enclosure[0].radius, 1e-5);
}

TEST(ExecutorTest, FindsDimensionsThatTheModelLeavesOpen) {
  const OperandSpec unknown_size = {OperandType::TENSOR_FLOAT32, {0}};
  const OperandSpec unknown_rank = {OperandType::TENSOR_FLOAT32, {}};
  const auto results =
      EvaluateInAllSystems(SumThenProduct(unknown_rank, unknown_size), {{1, 2, 3}, {0, 0, 0}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(3));
  EXPECT_THAT((*results)[0].from_float, ElementsAre(1, 4, 9));
}

TEST(ExecutorTest, TakesDimensionsOfInputsFromTheRequest) {
  ModelBuilder builder;
  const uint32_t a = builder.Input({OperandType::TENSOR_FLOAT32, {0, 2}});
  const uint32_t none = builder.Int32(0);
  const uint32_t result = builder.Output({OperandType::TENSOR_FLOAT32, {0, 0}});
  builder.Operation(OperationType::ADD, {a, a, none}, {result});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values = {1, 2, 3, 4};
  InputArgument argument = Argument(values);

  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {argument}).status().message(),
              HasSubstr("not fully specified"));
  argument.dimensions = {2, 3};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {argument}).status().message(),
              HasSubstr("the model declares [0, 2]"));
  argument.dimensions = {3, 2};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {argument}).status().message(),
              HasSubstr("expected 24"));
  argument.dimensions = {2, 2};
  const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {argument});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(2, 2));
  EXPECT_THAT((*outputs)[0].doubles(), ElementsAre(2, 4, 6, 8));
}

TEST(ExecutorTest, RefusesAnOutputThatDoesNotFitItsDeclaration) {
  const OperandSpec four = {OperandType::TENSOR_FLOAT32, {4}};
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, four));
  EXPECT_THAT(graph.status().message(), HasSubstr("operation 1: MUL output 0"));
}

TEST(ExecutorTest, RefusesAnOutputThatDoesNotFitOnceItIsKnown) {
  const OperandSpec unknown = {OperandType::TENSOR_FLOAT32, {0}};
  const OperandSpec four = {OperandType::TENSOR_FLOAT32, {4}};
  const auto graph = PreparedGraph::Create(SumThenProduct(unknown, four));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values = {1, 2, 3};
  const auto outputs =
      (*graph)->Execute(NumberSystem::kFloat, {Argument(values), Argument(values)});
  EXPECT_THAT(outputs.status().message(), HasSubstr("operation 1: MUL output 0"));
  EXPECT_THAT(outputs.status().message(), HasSubstr("[3]; the model declares [4]"));
}

TEST(ExecutorTest, RefusesEmptyInputsOfOperationsThatDoNotTakeThem) {
  ModelBuilder builder;
  const uint32_t a = builder.Input({OperandType::TENSOR_FLOAT32, {0}});
  const uint32_t shape = builder.Int32Vector({1});
  const uint32_t result = builder.Output({OperandType::TENSOR_FLOAT32, {1}});
  builder.Operation(OperationType::RESHAPE, {a, shape}, {result});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
              HasSubstr("RESHAPE input 0 (operand 0) is empty"));
}

TEST(ExecutorTest, EmptyTensorsPassThroughOperationsThatTakeThem) {
  ModelBuilder builder;
  const uint32_t a = builder.Input({OperandType::TENSOR_FLOAT32, {0, 2}});
  const uint32_t none = builder.Int32(0);
  const uint32_t result = builder.Output({OperandType::TENSOR_FLOAT32, {0, 2}});
  builder.Operation(OperationType::ADD, {a, a, none}, {result});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 2};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = (*graph)->Execute(system, {empty});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2));
    EXPECT_TRUE((*outputs)[0].elements.empty());
  }
}

TEST(ExecutorTest, ParametersMayBeComputedByTheModel) {
  // The shape of RESHAPE is the result of a CAST.
  ModelBuilder builder;
  const uint32_t data = builder.Input({OperandType::TENSOR_FLOAT32, {2, 3}});
  const uint32_t shape_as_float = builder.Input({OperandType::TENSOR_FLOAT32, {2}});
  const uint32_t shape = builder.Temporary({OperandType::TENSOR_INT32, {2}});
  const uint32_t result = builder.Output({OperandType::TENSOR_FLOAT32, {0, 0}});
  builder.Operation(OperationType::CAST, {shape_as_float}, {shape});
  builder.Operation(OperationType::RESHAPE, {data, shape}, {result});
  const auto results = EvaluateInAllSystems(builder.model(), {{1, 2, 3, 4, 5, 6}, {3, 2}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(3, 2));
}

TEST(ExecutorTest, AParameterThatIsOnlyEnclosedIsUndecided) {
  // The square of the float nearest to the root of 3 may come out as 3 or a little less, and CAST
  // then gives 3 or 2: which row is looked up cannot be said.
  ModelBuilder builder;
  const uint32_t table = builder.Input({OperandType::TENSOR_FLOAT32, {4, 1}});
  const uint32_t root = builder.Input({OperandType::TENSOR_FLOAT32, {1}});
  const uint32_t none = builder.Int32(0);
  const uint32_t product = builder.Temporary({OperandType::TENSOR_FLOAT32, {1}});
  const uint32_t row = builder.Temporary({OperandType::TENSOR_INT32, {1}});
  const uint32_t result = builder.Output({OperandType::TENSOR_FLOAT32, {1, 1}});
  builder.Operation(OperationType::MUL, {root, root, none}, {product});
  builder.Operation(OperationType::CAST, {product}, {row});
  builder.Operation(OperationType::EMBEDDING_LOOKUP, {row, table}, {result});
  const auto results = EvaluateInAllSystems(builder.model(), {{1, 2, 3, 4}, {1.7320508075688772}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(IsUndecided((*results)[0].undecided)) << (*results)[0].undecided;
}

TEST(ExecutorTest, ServesSeveralThreadsAtOnce) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::vector<float> a = {static_cast<float>(t), 2, 3};
      for (int i = 0; i < 50; ++i) {
        const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {Argument(a), Argument(a)});
        if (!outputs.ok() || (*outputs)[0].doubles()[0] != 2.0 * t * t) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ExecutorTest, NamesTheRequestInputThatIsWrong) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> three = {1, 2, 3};
  const std::vector<float> two = {1, 2};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {Argument(three)}).status().message(),
              HasSubstr("the request has 1 inputs; the model has 2"));
  EXPECT_THAT(
      (*graph)->Execute(NumberSystem::kFloat, {Argument(three), Argument(two)}).status().message(),
      HasSubstr("request input 1 (operand 1): has 8 bytes; expected 12"));
}

}  // namespace
}  // namespace nncert
