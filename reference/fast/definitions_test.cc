// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Every fast kernel against the definition that it stands for: the same model, executed with it and
// without, in every number system, at every level of the processor that this machine has.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/execution/thread_pool.h"
#include "reference/fast/hot/levels.h"
#include "reference/fast/hot/testing/level_test.h"
#include "reference/fast/testing/ball_comparison.h"
#include "reference/fast/testing/fast_cases.h"
#include "reference/fast_kernel.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using Outputs = absl::StatusOr<std::vector<OutputValue>>;

Outputs Execute(const PreparedGraph& graph, const std::vector<std::vector<uint8_t>>& inputs,
                NumberSystem system, KernelChoice kernels, ThreadPool* pool = nullptr) {
  std::vector<InputArgument> arguments(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    arguments[i].SetElements(inputs[i]);
    // A dimension of 0 in a model is one that it leaves open.
    const auto& dimensions = graph.model().operands[graph.model().inputIndexes[i]].dimensions;
    if (inputs[i].empty()) arguments[i].dimensions.assign(dimensions.begin(), dimensions.end());
  }
  return graph.Execute(system, arguments, {},
                       {.kernels = kernels, .thread_pool = pool, .fills_arbitrary_memory = true});
}

std::vector<double> NumbersIn(const OutputValue& output) {
  return NumbersOf(output.info.type, output.bytes());
}

// The inputs of a model that Widened can be asked for.
std::vector<uint32_t> InputsToWiden(const hal::V1_2::Model& model) {
  std::vector<uint32_t> inputs;
  for (const uint32_t input : model.inputIndexes) {
    const hal::V1_2::Operand& operand = model.operands[input];
    if (!IsFloatingPoint(operand.type) || operand.dimensions.empty()) continue;
    if (NumberOfElements(operand.dimensions) > 0) inputs.push_back(input);
  }
  return inputs;
}

// The model in half precision, where each of the inputs is `cancelled` more, and less again: what
// the operation reads is then known to about cancelled / 1000.
hal::V1_2::Model Widened(const hal::V1_2::Model& model, absl::Span<const uint32_t> inputs,
                         float cancelled) {
  ModelBuilder builder(model);
  builder.Relaxed();
  std::map<uint32_t, uint32_t> wide_inputs;
  for (const uint32_t input : inputs) {
    const OperandSpec spec = {model.operands[input].type, model.operands[input].dimensions};
    const uint32_t constant = builder.Constant({spec.type, {1}}, {cancelled});
    const uint32_t none = builder.Int32(0);
    const uint32_t sum = builder.Temporary(spec);
    const uint32_t wide = builder.Temporary(spec);
    builder.Operation(OperationType::ADD, {input, constant, none}, {sum});
    builder.Operation(OperationType::SUB, {sum, constant, none}, {wide});
    wide_inputs[input] = wide;
  }
  hal::V1_2::Model widened = builder.model();
  const auto own_end =
      widened.operations.begin() + static_cast<std::ptrdiff_t>(model.operations.size());
  for (auto operation = widened.operations.begin(); operation != own_end; ++operation) {
    for (uint32_t& input : operation->inputs) {
      const auto wide = wide_inputs.find(input);
      if (wide == wide_inputs.end()) continue;
      --widened.operands[input].numberOfConsumers;
      ++widened.operands[wide->second].numberOfConsumers;
      input = wide->second;
    }
  }
  // What makes an input wide comes before who reads it.
  std::rotate(widened.operations.begin(), own_end, widened.operations.end());
  return widened;
}

std::shared_ptr<const PreparedGraph> Prepare(const hal::V1_2::Model& model) {
  return PreparedGraph::Create(model).value();
}

// Floats and integers are in the enclosure of the definition.
void ExpectInEnclosures(const Outputs& balls, const Outputs& defined, const Outputs& fast) {
  ASSERT_TRUE(balls.ok()) << balls.status();
  ASSERT_TRUE(defined.ok()) << defined.status();
  ASSERT_TRUE(fast.ok()) << fast.status();
  for (size_t i = 0; i < fast->size(); ++i) {
    EXPECT_EQ((*fast)[i].info.dimensions, (*defined)[i].info.dimensions);
    ASSERT_TRUE((*balls)[i].undecided.ok()) << (*balls)[i].undecided;
    const std::vector<double> expected = NumbersIn((*defined)[i]);
    const std::vector<double> actual = NumbersIn((*fast)[i]);
    ASSERT_EQ(actual.size(), expected.size());
    const bool is_quantized = IsQuantized((*fast)[i].info.type);
    size_t other_steps = 0;
    for (size_t k = 0; k < actual.size(); ++k) {
      if (AreSame(actual[k], expected[k])) continue;
      ASSERT_TRUE((*balls)[i].balls()[k].Contains(actual[k]))
          << "element " << k << " is " << actual[k] << ", by the definition " << expected[k]
          << " and in " << (*balls)[i].balls()[k].midpoint << " +/- "
          << (*balls)[i].balls()[k].radius;
      if (is_quantized) ++other_steps;
    }
    // Integers are rounded once, and exact before: the definition's products with scales are off by
    // roundings of doubles, which no tie survives, and nothing else comes near one.
    EXPECT_LE(other_steps, actual.size() / 50) << "of " << actual.size();
  }
}

// Doubles are those of the definition; sums, which are added up in another order, to their last
// bits.
void ExpectSameDoubles(const Outputs& balls, const Outputs& defined, const Outputs& fast,
                       bool has_sums) {
  ASSERT_TRUE(balls.ok()) << balls.status();
  ASSERT_TRUE(defined.ok()) << defined.status();
  ASSERT_TRUE(fast.ok()) << fast.status();
  for (size_t i = 0; i < fast->size(); ++i) {
    const absl::Span<const double> expected = (*defined)[i].doubles();
    const absl::Span<const double> actual = (*fast)[i].doubles();
    ASSERT_EQ(actual.size(), expected.size());
    // Outputs that are no doubles are rounded, and what is a rounding apart may be a step apart.
    const bool is_rounded = (*fast)[i].info.type != OperandType::TENSOR_FLOAT32;
    size_t other_steps = 0;
    for (size_t k = 0; k < actual.size(); ++k) {
      if (AreSame(actual[k], expected[k])) continue;
      const Ball& ball = (*balls)[i].balls()[k];
      const bool is_same = !has_sums    ? false
                           : is_rounded ? ball.Contains(actual[k])
                                        : std::abs(actual[k] - expected[k]) <= Slack(ball);
      ASSERT_TRUE(is_same) << "element " << k << " is " << actual[k] << ", by the definition "
                           << expected[k] << " and in " << ball.midpoint << " +/- " << ball.radius;
      ++other_steps;
    }
    if (is_rounded) {
      EXPECT_LE(other_steps, actual.size() / 50) << "of " << actual.size();
    }
  }
}

// Balls by fast kernels hold those of the definition, and are not much wider.
void ExpectHeldTightly(const Outputs& defined, const Outputs& fast) {
  ASSERT_TRUE(defined.ok()) << defined.status();
  ASSERT_TRUE(fast.ok()) << fast.status();
  for (size_t i = 0; i < fast->size(); ++i) {
    ASSERT_TRUE((*fast)[i].undecided.ok()) << (*fast)[i].undecided;
    const absl::Span<const Ball> expected = (*defined)[i].balls();
    const absl::Span<const Ball> actual = (*fast)[i].balls();
    ASSERT_EQ(actual.size(), expected.size());
    const BallComparison comparison = CompareBalls(actual, expected);
    if (comparison.first_not_held.has_value()) {
      const size_t k = *comparison.first_not_held;
      FAIL() << "element " << k << " is " << actual[k].midpoint << " +/- " << actual[k].radius
             << ", by the definition " << expected[k].midpoint << " +/- " << expected[k].radius;
    }
    EXPECT_LE(comparison.median_width, 2);
  }
}

void ExpectSameElements(const Outputs& alone, const Outputs& shared) {
  ASSERT_TRUE(alone.ok() && shared.ok()) << alone.status() << shared.status();
  for (size_t i = 0; i < alone->size(); ++i) {
    EXPECT_EQ((*alone)[i].elements, (*shared)[i].elements);
  }
}

// What a model comes to in each number system.
std::map<NumberSystem, Outputs> ExecuteInEach(const PreparedGraph& graph,
                                              const std::vector<std::vector<uint8_t>>& inputs,
                                              KernelChoice kernels, ThreadPool* pool = nullptr) {
  std::map<NumberSystem, Outputs> outputs;
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    outputs.emplace(system, Execute(graph, inputs, system, kernels, pool));
  }
  return outputs;
}

// The parameter is a case's place among all. One test for each, since what the definition gives
// takes longest, and all levels are compared with it.
class DefinitionsTest : public testing::TestWithParam<size_t> {};

TEST_P(DefinitionsTest, FastKernelsComeToTheSameAtEveryLevel) {
  const FastCase& fast_case = FastCases()[GetParam()];
  const auto prepared = Prepare(fast_case.model);
  std::vector<std::vector<uint8_t>> inputs;
  for (size_t i = 0; i < fast_case.inputs.size(); ++i) {
    inputs.push_back(BytesOf(prepared->model().operands[prepared->model().inputIndexes[i]].type,
                             fast_case.inputs[i]));
  }
  const auto defined = ExecuteInEach(*prepared, inputs, KernelChoice::kDefinitions);
  const Outputs& balls = defined.at(NumberSystem::kBall);

  // With inputs that are known to hundredths, tenths or tens: all of them, and the last one alone,
  // which may be a bias that is lost among the others.
  constexpr float kCancelled[] = {4, 256, 16384};
  const float cancelled = kCancelled[fast_case.inputs[0].size() % std::size(kCancelled)];
  const std::vector<uint32_t> all = InputsToWiden(fast_case.model);
  std::vector<hal::V1_2::Model> wide_models = {Widened(fast_case.model, all, cancelled)};
  if (all.size() > 1) wide_models.push_back(Widened(fast_case.model, {all.back()}, cancelled));
  std::vector<Outputs> wide_balls;
  for (const hal::V1_2::Model& wide : wide_models) {
    wide_balls.push_back(
        Execute(*Prepare(wide), inputs, NumberSystem::kBall, KernelChoice::kDefinitions));
  }

  ThreadPool pool(3);
  for (const hot::Level& level : hot::Levels()) {
    if (!level.is_available) continue;
    SCOPED_TRACE(level.name);
    const hot::OnLevel scope(level);
    // Prepared anew, since weights are packed as the level has it.
    const auto graph = Prepare(fast_case.model);
    const auto fast = ExecuteInEach(*graph, inputs, KernelChoice::kFast);
    ExpectInEnclosures(balls, defined.at(NumberSystem::kFloat), fast.at(NumberSystem::kFloat));
    ExpectSameDoubles(balls, defined.at(NumberSystem::kDouble), fast.at(NumberSystem::kDouble),
                      fast_case.has_sums);
    ExpectHeldTightly(balls, fast.at(NumberSystem::kBall));
    for (size_t i = 0; i < wide_models.size(); ++i) {
      ExpectHeldTightly(wide_balls[i], Execute(*Prepare(wide_models[i]), inputs,
                                               NumberSystem::kBall, KernelChoice::kFast));
    }
    for (const auto& [system, shared] : ExecuteInEach(*graph, inputs, KernelChoice::kFast, &pool)) {
      ExpectSameElements(fast.at(system), shared);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, DefinitionsTest, testing::Range<size_t>(0, FastCases().size()),
                         [](const testing::TestParamInfo<size_t>& place) {
                           return absl::StrCat(place.param, "_", FastCases()[place.param].name);
                         });

// Says which levels are compared, and which cannot be.
using DefinitionsLevelTest = hot::LevelTest;
NNCERT_TEST_EVERY_LEVEL(DefinitionsLevelTest);
TEST_P(DefinitionsLevelTest, IsCompared) {}

TEST(FastKernelsTest, EachHasCasesOfEveryTypeOfItsOperation) {
  std::set<std::pair<OperationType, OperandType>> seen;
  for (const FastCase& fast_case : FastCases()) {
    for (const auto& operation : fast_case.model.operations) {
      seen.emplace(operation.type, fast_case.model.operands[operation.inputs[0]].type);
    }
  }
  for (const OperationType type : OperationsWithFastKernels()) {
    const OperationDefinition& definition = *FindOperation(type);
    for (const TypeAlternative& alternative : definition.signature.inputs[0].types()) {
      EXPECT_EQ(seen.count({type, alternative.type}), 1)
          << definition.name() << " of " << hal::toString(alternative.type);
    }
  }
}

}  // namespace
}  // namespace nncert
