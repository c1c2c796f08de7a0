// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Every fast kernel against the definition that it stands for: the same model, executed with it and
// without, in every number system. One run is at one level of the processor; there is a test for
// each of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
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
#include "reference/fast/testing/fast_cases.h"
#include "reference/fast_kernel.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

// The level that the environment asks for is one that this machine has.
bool HasLevel() {
  const char* const wanted = std::getenv(hot::kLevelVariable);
  return wanted == nullptr ||
         std::any_of(hot::Levels().begin(), hot::Levels().end(), [&](const hot::Level& level) {
           return level.is_available && level.name == wanted;
         });
}

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

// The model in half precision, where every tensor that it is given is `cancelled` more, and less
// again: what the operation reads is then known to about cancelled / 1000.
hal::V1_2::Model Widened(const hal::V1_2::Model& model, float cancelled) {
  ModelBuilder builder(model);
  builder.Relaxed();
  std::map<uint32_t, uint32_t> wide_inputs;
  for (const uint32_t input : model.inputIndexes) {
    const OperandSpec spec = {model.operands[input].type, model.operands[input].dimensions};
    if (!IsFloatingPoint(spec.type) || spec.dimensions.empty()) continue;
    if (NumberOfElements(spec.dimensions) == 0) continue;
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

bool AreSame(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// How far roundings of doubles may move a bound of a ball: its own and, of sums, those of all that
// they add up, whose magnitudes the radius knows.
double Slack(const Ball& ball) { return 0x1p-20 * ball.radius + 0x1p-48 * std::abs(ball.midpoint); }

bool ContainsBall(const Ball& outer, const Ball& inner) {
  if (!outer.IsBounded()) return true;
  if (!inner.IsBounded()) return false;
  if (!std::isfinite(inner.midpoint)) return AreSame(outer.midpoint, inner.midpoint);
  return outer.Lower() <= inner.Lower() + Slack(inner) &&
         outer.Upper() >= inner.Upper() - Slack(inner);
}

// The parameter is a case's place among all.
class DefinitionsTest : public testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    if (!HasLevel()) GTEST_SKIP() << "this machine lacks " << std::getenv(hot::kLevelVariable);
    absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
        PreparedGraph::Create(fast_case().model);
    ASSERT_TRUE(graph.ok()) << graph.status();
    graph_ = *std::move(graph);
    for (size_t i = 0; i < fast_case().inputs.size(); ++i) {
      inputs_.push_back(BytesOf(graph_->model().operands[graph_->model().inputIndexes[i]].type,
                                fast_case().inputs[i]));
    }
  }

  static const FastCase& fast_case() { return FastCases()[GetParam()]; }

  Outputs RunIn(NumberSystem system, KernelChoice kernels, ThreadPool* pool = nullptr) const {
    return Execute(*graph_, inputs_, system, kernels, pool);
  }
  Outputs Defined(NumberSystem system) const { return RunIn(system, KernelChoice::kDefinitions); }
  // They take longest, and several tests ask for them.
  const Outputs& DefinedBalls() const {
    static auto* const found = new std::map<size_t, Outputs>();
    const auto known = found->find(GetParam());
    if (known != found->end()) return known->second;
    return found->emplace(GetParam(), Defined(NumberSystem::kBall)).first->second;
  }
  Outputs Fast(NumberSystem system) const { return RunIn(system, KernelChoice::kFast); }

  std::shared_ptr<const PreparedGraph> graph_;
  std::vector<std::vector<uint8_t>> inputs_;
};

TEST_P(DefinitionsTest, FloatsAndIntegersAreInTheEnclosureOfTheDefinition) {
  const Outputs& balls = DefinedBalls();
  const Outputs defined = Defined(NumberSystem::kFloat);
  const Outputs fast = Fast(NumberSystem::kFloat);
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

TEST_P(DefinitionsTest, DoublesAreThoseOfTheDefinition) {
  const Outputs& balls = DefinedBalls();
  const Outputs defined = Defined(NumberSystem::kDouble);
  const Outputs fast = Fast(NumberSystem::kDouble);
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
      const bool is_same = !fast_case().has_sums ? false
                           : is_rounded          ? ball.Contains(actual[k])
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
    std::vector<double> ratios;
    for (size_t k = 0; k < actual.size(); ++k) {
      ASSERT_TRUE(ContainsBall(actual[k], expected[k]))
          << "element " << k << " is " << actual[k].midpoint << " +/- " << actual[k].radius
          << ", by the definition " << expected[k].midpoint << " +/- " << expected[k].radius;
      if (!expected[k].IsBounded() || actual[k].radius == expected[k].radius) {
        ratios.push_back(1);
      } else {
        ratios.push_back(actual[k].IsBounded() ? actual[k].radius / expected[k].radius
                                               : std::numeric_limits<double>::infinity());
      }
    }
    if (ratios.empty()) continue;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    EXPECT_LE(*middle, 2);
  }
}

TEST_P(DefinitionsTest, BallsHoldThoseOfTheDefinitionAndAreHardlyWider) {
  ExpectHeldTightly(DefinedBalls(), Fast(NumberSystem::kBall));
}

TEST_P(DefinitionsTest, SoDoBallsOfWhatIsKnownAsBallsAlone) {
  // Known to hundredths, tenths or tens.
  constexpr float kCancelled[] = {4, 256, 16384};
  const float cancelled = kCancelled[fast_case().inputs[0].size() % std::size(kCancelled)];
  const auto graph = PreparedGraph::Create(Widened(fast_case().model, cancelled));
  ASSERT_TRUE(graph.ok()) << graph.status();
  ExpectHeldTightly(Execute(**graph, inputs_, NumberSystem::kBall, KernelChoice::kDefinitions),
                    Execute(**graph, inputs_, NumberSystem::kBall, KernelChoice::kFast));
}

TEST_P(DefinitionsTest, ThreadsMakeNoDifference) {
  ThreadPool pool(3);
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const Outputs alone = Fast(system);
    const Outputs shared = RunIn(system, KernelChoice::kFast, &pool);
    ASSERT_TRUE(alone.ok() && shared.ok()) << alone.status() << shared.status();
    for (size_t i = 0; i < alone->size(); ++i) {
      EXPECT_EQ((*alone)[i].elements, (*shared)[i].elements);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, DefinitionsTest, testing::Range<size_t>(0, FastCases().size()),
                         [](const testing::TestParamInfo<size_t>& place) {
                           return absl::StrCat(place.param, "_", FastCases()[place.param].name);
                         });

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
