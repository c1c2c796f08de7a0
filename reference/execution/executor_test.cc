// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <vector>

#include "hal/memory.h"
#include "hal/testing/status_is.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
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

OutputBuffer BufferOf(std::vector<float>& values) {
  return {reinterpret_cast<std::byte*>(values.data()), values.size() * sizeof(float)};
}

TEST(ExecutorTest, WritesOutputsIntoTheBuffersThatAreGiven) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> a = {1, 2, 3};
  const std::vector<float> b = {10, 20, 30};
  std::vector<float> result(4, -1.f);
  const auto outputs =
      (*graph)->Execute(NumberSystem::kFloat, {Argument(a), Argument(b)}, {BufferOf(result)});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_TRUE((*outputs)[0].is_in_buffer);
  EXPECT_TRUE((*outputs)[0].elements.empty());
  EXPECT_THAT(result, ElementsAre(11, 44, 99, -1));
}

TEST(ExecutorTest, WritesOutputsOfOtherNumberSystemsAsTheyKeepThem) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> a = {1, 2, 3};
  const std::vector<float> b = {10, 20, 30};
  std::vector<double> doubles(4, -1.0);
  const auto in_double =
      (*graph)->Execute(NumberSystem::kDouble, {Argument(a), Argument(b)},
                        {{reinterpret_cast<std::byte*>(doubles.data()), 4 * sizeof(double)}});
  ASSERT_TRUE(in_double.ok()) << in_double.status();
  EXPECT_TRUE((*in_double)[0].is_in_buffer);
  EXPECT_THAT(doubles, ElementsAre(11, 44, 99, -1));
  std::vector<Ball> balls(3);
  const OutputBuffer whole = {reinterpret_cast<std::byte*>(balls.data()), 3 * sizeof(Ball)};
  const auto in_balls = (*graph)->Execute(NumberSystem::kBall, {Argument(a), Argument(b)}, {whole});
  ASSERT_TRUE(in_balls.ok()) << in_balls.status();
  EXPECT_TRUE((*in_balls)[0].is_in_buffer);
  EXPECT_EQ(balls[1].midpoint, 44);
  EXPECT_GT(balls[1].radius, 0);
  // Room for the floats is not room for the balls.
  const auto too_small = (*graph)->Execute(NumberSystem::kBall, {Argument(a), Argument(b)},
                                           {whole.subspan(0, 3 * sizeof(float))});
  ASSERT_TRUE(too_small.ok()) << too_small.status();
  EXPECT_FALSE((*too_small)[0].is_in_buffer);
  EXPECT_EQ((*too_small)[0].balls()[1].midpoint, 44);
}

// What SumThenProduct gives for {1, 2, 3} and {10, 20, 30}, when the buffer cannot be used.
void ExpectNotInBuffer(const std::vector<InputArgument>& inputs, OutputBuffer buffer) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto outputs = (*graph)->Execute(NumberSystem::kFloat, inputs, {buffer});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_FALSE((*outputs)[0].is_in_buffer);
  ASSERT_EQ((*outputs)[0].elements.size(), 3 * sizeof(float));
  std::vector<float> elements(3);
  std::memcpy(elements.data(), (*outputs)[0].elements.data(), 3 * sizeof(float));
  EXPECT_THAT(elements, ElementsAre(11, 44, 99));
}

TEST(ExecutorTest, LeavesABufferAloneThatIsTooSmall) {
  const std::vector<float> a = {1, 2, 3};
  const std::vector<float> b = {10, 20, 30};
  std::vector<float> result(2, -1.f);
  ExpectNotInBuffer({Argument(a), Argument(b)}, BufferOf(result));
  EXPECT_THAT(result, ElementsAre(-1, -1));
}

TEST(ExecutorTest, LeavesABufferAloneThatIsNotAligned) {
  const std::vector<float> a = {1, 2, 3};
  const std::vector<float> b = {10, 20, 30};
  std::vector<float> result(4, -1.f);
  ExpectNotInBuffer({Argument(a), Argument(b)}, BufferOf(result).subspan(2));
  EXPECT_THAT(result, ElementsAre(-1, -1, -1, -1));
}

TEST(ExecutorTest, LeavesABufferAloneThatHoldsAnInput) {
  std::vector<float> a = {1, 2, 3, 4};
  const std::vector<float> b = {10, 20, 30};
  InputArgument first = Argument(a);
  first.elements = first.elements.subspan(0, 3 * sizeof(float));
  ExpectNotInBuffer({first, Argument(b)}, BufferOf(a).subspan(sizeof(float)));
  EXPECT_THAT(a, ElementsAre(1, 2, 3, 4));
}

TEST(ExecutorTest, OutputsThatOverlapAreKeptApart) {
  ModelBuilder builder;
  const uint32_t a = builder.Input(kRow);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Output(kRow);
  const uint32_t product = builder.Output(kRow);
  builder.Operation(OperationType::ADD, {a, a, none}, {sum});
  builder.Operation(OperationType::MUL, {a, a, none}, {product});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values = {1, 3, 5};
  std::vector<float> result(5);
  const auto outputs =
      (*graph)->Execute(NumberSystem::kFloat, {Argument(values)},
                        {BufferOf(result).subspan(0, 12), BufferOf(result).subspan(8, 12)});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  for (const OutputValue& output : *outputs) EXPECT_FALSE(output.is_in_buffer);
  EXPECT_EQ((*outputs)[0].elements.size(), 12);
}

TEST(ExecutorTest, BuffersAreOneForEachOutput) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> a = {1, 2, 3};
  EXPECT_THAT((*graph)
                  ->Execute(NumberSystem::kFloat, {Argument(a), Argument(a)}, {{}, {}})
                  .status()
                  .message(),
              HasSubstr("has 2 output buffers; the model has 1 outputs"));
}

TEST(ExecutorTest, InputsMayLieAtAnyAddress) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> a = {1, 2, 3};
  std::vector<std::byte> shifted(3 * sizeof(float) + 1);
  std::memcpy(shifted.data() + 1, a.data(), 3 * sizeof(float));
  InputArgument argument;
  argument.elements = absl::MakeConstSpan(shifted).subspan(1);
  std::vector<float> result(3);
  const auto outputs =
      (*graph)->Execute(NumberSystem::kFloat, {argument, argument}, {BufferOf(result)});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT(result, ElementsAre(2, 8, 18));
}

TEST(ExecutorTest, ConstantsMayLieAtAnyAddress) {
  ModelBuilder builder;
  const uint32_t a = builder.Input(kRow);
  const uint32_t none = builder.Int32(0);
  const uint32_t addend = builder.Constant(kRow, {10, 20, 30});
  const uint32_t sum = builder.Output(kRow);
  builder.Operation(OperationType::ADD, {a, addend, none}, {sum});
  hal::V1_2::Model model = builder.model();
  hal::V1_2::DataLocation& location = model.operands[addend].location;
  const std::vector<uint8_t> bytes(model.operandValues.begin() + location.offset,
                                   model.operandValues.begin() + location.offset + 12);
  model.operandValues.push_back(0);
  location.offset = static_cast<uint32_t>(model.operandValues.size());
  model.operandValues.insert(model.operandValues.end(), bytes.begin(), bytes.end());
  ASSERT_NE(location.offset % 4, 0);
  const auto results = EvaluateInAllSystems(model, {{1, 2, 3}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].from_float, ElementsAre(11, 22, 33));
}

TEST(ExecutorTest, AnExecutionLeavesNothingBehindForTheNext) {
  // A tensor of any size, and one between two operations.
  const OperandSpec rows = {OperandType::TENSOR_FLOAT32, {0}};
  ModelBuilder builder;
  const uint32_t a = builder.Input(rows);
  const uint32_t none = builder.Int32(0);
  const uint32_t between = builder.Temporary(rows);
  const uint32_t result = builder.Output(rows);
  builder.Operation(OperationType::ADD, {a, a, none}, {between});
  builder.Operation(OperationType::MUL, {between, a, none}, {result});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    for (const uint32_t size : {3, 1000, 0, 2}) {
      const std::vector<float> values(size, 3.f);
      InputArgument argument = Argument(values);
      argument.dimensions = {size};
      const auto outputs = (*graph)->Execute(system, {argument});
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(size));
      if (system == NumberSystem::kDouble) {
        EXPECT_EQ((*outputs)[0].doubles(), absl::MakeConstSpan(std::vector<double>(size, 18)));
      }
      // Fails, and is forgotten.
      EXPECT_THAT((*graph)->Execute(system, {Argument(values)}),
                  StatusIs(absl::StatusCode::kInvalidArgument,
                           HasSubstr("the model's dimensions [0] are not fully specified")));
    }
  }
}

TEST(ExecutorTest, ARequiredInputThatARequestLeavesOutIsMissedThatTimeOnly) {
  const auto graph = PreparedGraph::Create(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> a = {1, 2, 3};
  InputArgument omitted;
  omitted.has_no_value = true;
  EXPECT_TRUE((*graph)->Execute(NumberSystem::kFloat, {Argument(a), Argument(a)}).ok());
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {Argument(a), omitted}).status().message(),
              HasSubstr("ADD input 1 (operand 1) has no value; it is not optional"));
  EXPECT_TRUE((*graph)->Execute(NumberSystem::kFloat, {Argument(a), Argument(a)}).ok());
}

TEST(ExecutorTest, ParametersInAPoolAreThoseThatWereValidated) {
  // A client that writes to a pool of its model breaks the rules, but nothing else.
  ModelBuilder builder;
  const uint32_t a = builder.Input(kRow);
  const uint32_t activation = builder.Int32(0);
  const uint32_t sum = builder.Output(kRow);
  builder.Operation(OperationType::ADD, {a, a, activation}, {sum});
  hal::V1_2::Model model = builder.model();
  const absl::StatusOr<hal::Memory> pool = hal::Memory::Allocate(16);
  ASSERT_TRUE(pool.ok()) << pool.status();
  absl::StatusOr<hal::Mapping> mapping = pool->Map(hal::MemoryAccess::READ_WRITE);
  ASSERT_TRUE(mapping.ok()) << mapping.status();
  std::memset(mapping->data(), 0, 16);
  model.pools.push_back(*pool);
  model.operands[activation].lifetime = hal::V1_2::OperandLifeTime::CONSTANT_REFERENCE;
  model.operands[activation].location = {.poolIndex = 0, .offset = 4, .length = 4};
  const auto graph = PreparedGraph::CreateValidated(model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::memset(mapping->data(), 0x7f, 16);
  const std::vector<float> values = {-1, 2, 3};
  std::vector<float> result(3);
  ASSERT_TRUE((*graph)->Execute(NumberSystem::kFloat, {Argument(values)}, {BufferOf(result)}).ok());
  EXPECT_THAT(result, ElementsAre(-2, 4, 6));
  // What has changed before the graph is made is found.
  EXPECT_THAT(PreparedGraph::CreateValidated(model).status().message(),
              HasSubstr("activation is 0, 1, 2 or 3"));
}

TEST(ExecutorTest, AModelOfWhichTheGraphIsMadeWithoutValidationIsExecutedAlike) {
  const auto graph = PreparedGraph::CreateValidated(SumThenProduct(kRow, kRow));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> a = {1, 2, 3};
  const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {Argument(a), Argument(a)});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].doubles(), ElementsAre(2, 8, 18));
}

TEST(ExecutorTest, SaysWhenThereIsNotMemoryEnough) {
  // 65 values of 2^30 elements, all needed at the end.
  ModelBuilder builder;
  const OperandSpec huge = {OperandType::TENSOR_FLOAT32, {1u << 15, 1u << 15}};
  const uint32_t a = builder.Input({OperandType::TENSOR_FLOAT32, {1}});
  const uint32_t none = builder.Int32(0);
  const uint32_t zeros = builder.Input(huge);
  std::vector<uint32_t> all;
  for (int i = 0; i < 65; ++i) {
    all.push_back(builder.Temporary(huge));
    builder.Operation(OperationType::ADD, {zeros, a, none}, {all.back()});
  }
  all.push_back(builder.Int32(0));
  builder.Operation(OperationType::CONCATENATION, all,
                    {builder.Output({OperandType::TENSOR_FLOAT32, {}})});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> one = {1};
  InputArgument unreadable;
  unreadable.elements =
      absl::MakeConstSpan(reinterpret_cast<const std::byte*>(4096), size_t{4} << 30);
  const auto outputs = (*graph)->Execute(NumberSystem::kFloat, {Argument(one), unreadable});
  EXPECT_EQ(outputs.status().code(), absl::StatusCode::kResourceExhausted) << outputs.status();
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

// Scores of boxes that do not overlap, in images 7 and 3, through BOX_WITH_NMS_LIMIT and then ADD
// to themselves.
hal::V1_2::Model DetectThenAdd() {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({OperandType::TENSOR_FLOAT32, {3, 2}}),
                                        builder.Input({OperandType::TENSOR_FLOAT32, {3, 8}}),
                                        builder.Input({OperandType::TENSOR_INT32, {3}}),
                                        builder.Float32(0.25F),
                                        builder.Int32(-1),
                                        builder.Int32(0),
                                        builder.Float32(0.5F),
                                        builder.Float32(1),
                                        builder.Float32(0.25F)};
  const uint32_t scores = builder.Output({OperandType::TENSOR_FLOAT32, {3}});
  const uint32_t boxes = builder.Temporary({OperandType::TENSOR_FLOAT32, {3, 4}});
  const uint32_t classes = builder.Temporary({OperandType::TENSOR_INT32, {3}});
  const uint32_t batches = builder.Temporary({OperandType::TENSOR_INT32, {3}});
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Output({OperandType::TENSOR_FLOAT32, {3}});
  builder.Operation(OperationType::BOX_WITH_NMS_LIMIT, inputs, {scores, boxes, classes, batches});
  builder.Operation(OperationType::ADD, {scores, scores, none}, {sum});
  return builder.model();
}

// output = (a + b) * a, of which the sum (operand 4) is an output as well.
hal::V1_2::Model SumAndProduct(const OperandSpec& spec = kRow) {
  ModelBuilder builder;
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Output(spec);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::MUL, {sum, a, none}, {builder.Output(spec)});
  return builder.model();
}

constexpr uint32_t kSum = 3;

TEST(ExecutorTest, OperationsReadWhatIsToBeReadInstead) {
  const auto graph = PreparedGraph::Create(SumAndProduct());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> a = {1, 2, 3};
  const std::vector<float> b = {10, 20, 30};
  const std::vector<float> sum = {5, 6, 7};
  std::map<uint32_t, InputArgument> read_instead = {{kSum, Argument(sum)}};
  read_instead[kSum].dimensions = {3};
  const auto execute = [&](NumberSystem system, bool reads_instead) {
    return (*graph)->Execute(system, {Argument(a), Argument(b)}, {},
                             {.read_instead = reads_instead ? &read_instead : nullptr});
  };
  // The second operation, and that alone, sees it; and not the next time.
  for (const bool reads_instead : {true, false}) {
    const double first = reads_instead ? 5 : 11;
    const double last = reads_instead ? 21 : 99;
    const auto in_double = execute(NumberSystem::kDouble, reads_instead);
    ASSERT_TRUE(in_double.ok()) << in_double.status();
    EXPECT_THAT((*in_double)[0].doubles(), ElementsAre(11, 22, 33));
    EXPECT_EQ((*in_double)[1].doubles()[0], first);
    EXPECT_EQ((*in_double)[1].doubles()[2], last);
    const auto in_balls = execute(NumberSystem::kBall, reads_instead);
    ASSERT_TRUE(in_balls.ok()) << in_balls.status();
    EXPECT_TRUE((*in_balls)[0].balls()[0].Contains(11));
    EXPECT_TRUE((*in_balls)[1].balls()[2].Contains(last));
    // An element that is given is known exactly: one rounding is all that is lost.
    EXPECT_LT((*in_balls)[1].balls()[2].radius, last * 2e-7 * (reads_instead ? 0.6 : 1));
  }
  EXPECT_THAT(execute(NumberSystem::kFloat, true),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("in kFloat")));
}

TEST(ExecutorTest, WhatIsToBeReadInsteadMustBeAnOperationsAndFit) {
  const auto graph = PreparedGraph::Create(SumAndProduct({OperandType::TENSOR_FLOAT32, {0}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values = {1, 2, 3};
  InputArgument row = Argument(values);
  row.dimensions = {3};
  const auto execute = [&](uint32_t operand, const InputArgument& argument) {
    const std::map<uint32_t, InputArgument> read_instead = {{operand, argument}};
    return (*graph)->Execute(NumberSystem::kDouble, {row, row}, {},
                             {.read_instead = &read_instead});
  };
  EXPECT_TRUE(execute(kSum, row).ok());
  EXPECT_THAT(execute(0, row),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no operation writes")));
  EXPECT_THAT(execute(99, row),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no operation writes")));
  InputArgument other = row;
  other.dimensions = {2};
  EXPECT_THAT(execute(kSum, other),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("12 bytes; expected 8")));
  other.elements = other.elements.subspan(0, 8);
  EXPECT_THAT(execute(kSum, other),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("has the dimensions [3]; it is to be read with [2]")));
}

TEST(ExecutorTest, OnlyTheOperationsThatAreWantedAreComputed) {
  const auto graph = PreparedGraph::Create(SumAndProduct());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values = {1, 2, 3};
  std::map<uint32_t, InputArgument> read_instead = {{kSum, Argument(values)}};
  read_instead[kSum].dimensions = {3};
  const std::vector<bool> only = {false, true};
  const auto results =
      (*graph)->Execute(NumberSystem::kDouble, {Argument(values), Argument(values)}, {},
                        {.read_instead = &read_instead, .only_operations = &only});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_FALSE((*results)[0].undecided.ok());
  EXPECT_THAT((*results)[1].doubles(), ElementsAre(1, 4, 9));
  // Who reads what nobody has computed comes to nothing either.
  const auto without = (*graph)->Execute(
      NumberSystem::kDouble, {Argument(values), Argument(values)}, {}, {.only_operations = &only});
  ASSERT_TRUE(without.ok()) << without.status();
  EXPECT_FALSE((*without)[1].undecided.ok());
}

TEST(ExecutorTest, WhoReadsRowsWithoutAnOrderSeesWhatAnyOfTheirGroupMayBe) {
  const auto results = EvaluateInAllSystems(
      DetectThenAdd(), {{0, 0.875, 0, 0.5, 0, 0.75},
                        {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3, 4, 4, 5, 5, 4, 4, 5, 5},
                        {7, 7, 3}});
  ASSERT_TRUE(results.ok()) << results.status();
  // As an output of the model, a row is known exactly.
  EXPECT_THAT((*results)[0].from_double, ElementsAre(0.875, 0.5, 0.75));
  for (const Ball& ball : (*results)[0].enclosure) EXPECT_TRUE(ball.IsExact());
  // Another implementation may hand on the rows of image 7 the other way round.
  EXPECT_THAT((*results)[1].from_double, ElementsAre(1.75, 1, 1.5));
  for (size_t row = 0; row < 2; ++row) {
    EXPECT_TRUE((*results)[1].enclosure[row].Contains(1.75));
    EXPECT_TRUE((*results)[1].enclosure[row].Contains(1));
    EXPECT_FALSE((*results)[1].enclosure[row].Contains(1.8));
  }
  EXPECT_TRUE((*results)[1].enclosure[2].Contains(1.5));
  EXPECT_LT((*results)[1].enclosure[2].radius, 1e-6);
}

}  // namespace
}  // namespace nncert
