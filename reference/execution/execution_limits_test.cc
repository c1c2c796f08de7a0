// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What becomes of executions that would take more time or memory than there is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/execution/thread_pool.h"
#include "reference/extension.h"
#include "reference/fast_kernel.h"
#include "reference/kernel.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/moves.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

constexpr char kName[] = "com.example.greedy";
constexpr uint16_t kCopy = 1;
constexpr size_t kMoreThanThereIs = size_t{1} << 60;
constexpr size_t kRanges = 64;

enum Greed : int32_t { kModest, kScratch, kContainer };

NNCERT_EXTENSION_DEFINITION(GREEDY) { return {.name = kName, .description = "For tests."}; }

// output = input, by way of more memory than there is if `greed` says so.
NNCERT_EXTENSION_OPERATION_DEFINITION(kName, kCopy, COPY) {
  return {
      .summary = "output = input",
      .description = "For tests.",
      .signature = {.inputs = {Tensor("input")
                                   .Types({OperandType::TENSOR_FLOAT32})
                                   .Describe("The elements."),
                               Int32Scalar("greed").Describe("How memory is asked for.")},
                    .outputs = {Tensor("output").TypeLike(0).Describe("The elements.")}},
      .shape = SameShapeAsFirstInput,
      .kernel = Compute([]<class A>(const A&, KernelContext<A>& context) -> absl::Status {
        const auto input = context.Input(0);
        auto output = context.Output(0);
        if (!output.ok()) return output.status();
        const int32_t greed = context->Int32(1);
        if (greed == kScratch) context.UninitializedScratch(kMoreThanThereIs / 1024);
        if (greed == kContainer) std::vector<char>().reserve(kMoreThanThereIs * 8);
        std::copy_n(input.data, input.size, output->data);
        return absl::OkStatus();
      }),
      .error_bound = "none",
      .source = "this test",
  };
}

// The threads of a fast kernel of NEG ask for as much.
template <class A>
absl::Status NegateGreedily(const A&, FastContext<A>& context) {
  context.ParallelFor(kRanges, 1,
                      [](size_t, size_t) { std::vector<char>().reserve(kMoreThanThereIs * 8); });
  return absl::OkStatus();
}

NNCERT_FAST_KERNEL(NEG, {.with_float = NegateGreedily<FloatArithmetic>,
                         .with_double = NegateGreedily<DoubleArithmetic>,
                         .with_ball = NegateGreedily<BallArithmetic>});

hal::V1_2::Model GreedyModel() {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {2}});
  const uint32_t greed = builder.Input({OperandType::INT32});
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT32, {2}});
  builder.Extension(kName).Operation(CatalogueOperationType(kName, kCopy), {input, greed},
                                     {output});
  return builder.model();
}

template <class T>
InputArgument Argument(const std::vector<T>& values) {
  InputArgument argument;
  argument.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(values.data()),
                                          values.size() * sizeof(T));
  return argument;
}

constexpr NumberSystem kNumberSystems[] = {NumberSystem::kFloat, NumberSystem::kDouble,
                                           NumberSystem::kBall};

TEST(ExecutionLimitsTest, MemoryThatThereIsNotIsAnErrorOfTheExecutionAlone) {
  const auto graph = PreparedGraph::Create(GreedyModel());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values = {1, 2};
  for (const NumberSystem system : kNumberSystems) {
    for (const int32_t greed : {kScratch, kContainer, kModest}) {
      const auto outputs =
          (*graph)->Execute(system, {Argument(values), Argument(std::vector<int32_t>{greed})});
      EXPECT_EQ(outputs.status().code(),
                greed == kModest ? absl::StatusCode::kOk : absl::StatusCode::kResourceExhausted)
          << greed << ": " << outputs.status();
    }
  }
}

TEST(ExecutionLimitsTest, SoIsMemoryThatThreadsDoNotGet) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {2}});
  builder.Operation(OperationType::NEG, {input},
                    {builder.Output({OperandType::TENSOR_FLOAT32, {2}})});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  ThreadPool pool(3);
  const std::vector<float> values = {1, 2};
  for (const NumberSystem system : kNumberSystems) {
    for (ThreadPool* const threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
      for (const KernelChoice kernels : {KernelChoice::kFast, KernelChoice::kDefinitions}) {
        const auto outputs = (*graph)->Execute(system, {Argument(values)}, {},
                                               {.kernels = kernels, .thread_pool = threads});
        EXPECT_EQ(outputs.status().code(), kernels == KernelChoice::kDefinitions
                                               ? absl::StatusCode::kOk
                                               : absl::StatusCode::kResourceExhausted)
            << outputs.status();
      }
    }
  }
}

// What executing `model` on `inputs` comes to when it may take `most_steps`, in `system`.
absl::Status ExecuteWithin(double most_steps, const hal::V1_2::Model& model,
                           const std::vector<InputArgument>& inputs,
                           NumberSystem system = NumberSystem::kFloat) {
  const auto graph = PreparedGraph::Create(model);
  if (!graph.ok()) return graph.status();
  // Steps are remembered from one execution to the next, and do not add up.
  absl::Status first = (*graph)->Execute(system, inputs, {}, {.most_steps = most_steps}).status();
  absl::Status second = (*graph)->Execute(system, inputs, {}, {.most_steps = most_steps}).status();
  EXPECT_EQ(first, second);
  return second;
}

TEST(ExecutionLimitsTest, CountsTheElementsOfEveryOperation) {
  // Twice 3 + 3 + 1 elements read and 3 written.
  for (const bool is_decided : {false, true}) {
    const OperandSpec row = {OperandType::TENSOR_FLOAT32, {3}};
    const OperandSpec between = is_decided ? row : OperandSpec{OperandType::TENSOR_FLOAT32, {}};
    ModelBuilder builder;
    const uint32_t a = builder.Input(row);
    const uint32_t none = builder.Int32(0);
    const uint32_t sum = builder.Temporary(between);
    builder.Operation(OperationType::ADD, {a, a, none}, {sum});
    builder.Operation(OperationType::MUL, {sum, a, none}, {builder.Output(row)});
    const std::vector<float> values = {1, 2, 3};
    EXPECT_TRUE(ExecuteWithin(20, builder.model(), {Argument(values)}).ok());
    const absl::Status status = ExecuteWithin(19, builder.model(), {Argument(values)});
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(status.message()), HasSubstr("operation 1: MUL"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("20"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("19"));
  }
}

TEST(ExecutionLimitsTest, CountsTheProductsOfAConvolution) {
  // Reads 9 + 4 + 1 elements and 4 scalars, writes 2 x 2 elements, each of 4 products.
  ModelBuilder builder;
  const uint32_t image = builder.Input({OperandType::TENSOR_FLOAT32, {1, 3, 3, 1}});
  const uint32_t filter =
      builder.Constant({OperandType::TENSOR_FLOAT32, {1, 2, 2, 1}}, Counting(4));
  const uint32_t bias = builder.Constant({OperandType::TENSOR_FLOAT32, {1}}, {0});
  const uint32_t valid = builder.Int32(2);
  const uint32_t one = builder.Int32(1);
  const uint32_t none = builder.Int32(0);
  builder.Operation(OperationType::CONV_2D, {image, filter, bias, valid, one, one, none},
                    {builder.Output({OperandType::TENSOR_FLOAT32, {1, 2, 2, 1}})});
  const std::vector<float> values(9, 1);
  EXPECT_TRUE(ExecuteWithin(38, builder.model(), {Argument(values)}).ok());
  EXPECT_EQ(ExecuteWithin(37, builder.model(), {Argument(values)}).code(),
            absl::StatusCode::kResourceExhausted);
}

// ROI_ALIGN of one box with so many samples down and across.
hal::V1_2::Model AlignModel(int32_t samples) {
  ModelBuilder builder;
  const uint32_t features = builder.Input({OperandType::TENSOR_FLOAT32, {1, 2, 2, 1}});
  const uint32_t boxes = builder.Constant({OperandType::TENSOR_FLOAT32, {1, 4}}, {0, 0, 2, 2});
  const uint32_t batches = builder.Int32Vector({0});
  const uint32_t one = builder.Int32(1);
  const uint32_t ratio = builder.Float32(1);
  const uint32_t count = builder.Int32(samples);
  builder.Operation(
      OperationType::ROI_ALIGN,
      {features, boxes, batches, one, one, ratio, ratio, count, count, builder.Bool(false)},
      {builder.Output({OperandType::TENSOR_FLOAT32, {1, 1, 1, 1}})});
  return builder.model();
}

TEST(ExecutionLimitsTest, RefusesToTakeMoreSamplesThanAnybodyNeeds) {
  const std::vector<float> values = {1, 2, 3, 4};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    EXPECT_TRUE(ExecuteWithin(1e6, AlignModel(1000), {Argument(values)}, system).ok());
    // A valid model, whose execution would not end today.
    const absl::Status status = ExecuteWithin(1e6, AlignModel(std::numeric_limits<int32_t>::max()),
                                              {Argument(values)}, system);
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(status.message()), HasSubstr("ROI_ALIGN takes about 4.29497e+09"));
  }
}

TEST(ExecutionLimitsTest, OutputsThatAreTooLargeAreRefusedByTheirDimensions) {
  // 2^30 x 2^31 elements of a row that is read over and over.
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {1, 1}});
  const uint32_t multiples = builder.Int32Vector({1 << 30, std::numeric_limits<int32_t>::max()});
  builder.Operation(OperationType::TILE, {input, multiples},
                    {builder.Output({OperandType::TENSOR_FLOAT32, {0, 0}})});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> value = {1};
  const absl::Status status = (*graph)->Execute(NumberSystem::kFloat, {Argument(value)}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("would have dimensions [1073741824, 2147483647]; expected at most"));
}

}  // namespace
}  // namespace nncert
