// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kBool8 = OperandType::TENSOR_BOOL8;
constexpr OperationType kReductions[] = {OperationType::REDUCE_ALL,  OperationType::REDUCE_ANY,
                                         OperationType::REDUCE_MAX,  OperationType::REDUCE_MIN,
                                         OperationType::REDUCE_PROD, OperationType::REDUCE_SUM};

bool IsLogical(OperationType type) {
  return type == OperationType::REDUCE_ALL || type == OperationType::REDUCE_ANY;
}

hal::V1_2::Model ModelOf(OperationType type, const OperandSpec& input,
                         const std::vector<int32_t>& axes, bool keep_dims,
                         const OperandSpec& output, bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t data = builder.Input(input);
  const uint32_t axes_operand = builder.Int32Vector(axes);
  const uint32_t keep_dims_operand = builder.Bool(keep_dims);
  const uint32_t result = builder.Output(output);
  builder.Operation(type, {data, axes_operand, keep_dims_operand}, {result}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(OperationType type, const OperandSpec& input, const std::vector<int32_t>& axes,
                   bool keep_dims, const std::vector<double>& values, bool is_relaxed = false) {
  OperandSpec output = input;
  output.dimensions = {};
  const auto results =
      EvaluateInAllSystems(ModelOf(type, input, axes, keep_dims, output, is_relaxed), {values});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

std::vector<double> ValuesOf(OperationType type, const OperandSpec& input,
                             const std::vector<int32_t>& axes, const std::vector<double>& values) {
  return Evaluate(type, input, axes, false, values).from_double;
}

const OperandSpec kInput = {kFloat32, {2, 3, 2}};
const std::vector<double> kValues = {1, -2, 3, 4, 0.5, -1, 2, 2, -3, 8, 0.25, 5};

TEST(ReduceTest, AddsUp) {
  constexpr OperationType kType = OperationType::REDUCE_SUM;
  EXPECT_THAT(ValuesOf(kType, kInput, {0}, kValues), ElementsAre(3, 0, 0, 12, 0.75, 4));
  EXPECT_THAT(ValuesOf(kType, kInput, {1}, kValues), ElementsAre(4.5, 1, -0.75, 15));
  EXPECT_THAT(ValuesOf(kType, kInput, {2}, kValues), ElementsAre(-1, 7, -0.5, 4, 5, 5.25));
  EXPECT_THAT(ValuesOf(kType, kInput, {0, 2}, kValues), ElementsAre(3, 12, 4.75));
  EXPECT_THAT(ValuesOf(kType, kInput, {0, 1, 2}, kValues), ElementsAre(19.75));
}

TEST(ReduceTest, MultipliesUp) {
  constexpr OperationType kType = OperationType::REDUCE_PROD;
  EXPECT_THAT(ValuesOf(kType, kInput, {0}, kValues), ElementsAre(2, -4, -9, 32, 0.125, -5));
  EXPECT_THAT(ValuesOf(kType, kInput, {1}, kValues), ElementsAre(1.5, 8, -1.5, 80));
  EXPECT_THAT(ValuesOf(kType, kInput, {0, 1, 2}, kValues), ElementsAre(-1440));
}

TEST(ReduceTest, FindsTheGreatestAndTheLeast) {
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_MAX, kInput, {1}, kValues), ElementsAre(3, 4, 2, 8));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_MIN, kInput, {1}, kValues),
              ElementsAre(0.5, -2, -3, 2));
  // All are negative: nothing but elements is compared.
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_MAX, {kFloat32, {3}}, {0}, {-5, -3, -4}),
              ElementsAre(-3));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_MIN, {kFloat32, {3}}, {0}, {5, 3, 4}), ElementsAre(3));
}

TEST(ReduceTest, AllAndAny) {
  const OperandSpec input = {kBool8, {2, 2, 2}};
  const std::vector<double> values = {1, 1, 1, 0, 0, 0, 1, 0};
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_ALL, input, {2}, values), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_ANY, input, {2}, values), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_ALL, input, {0}, values), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_ANY, input, {0}, values), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_ALL, input, {0, 1, 2}, values), ElementsAre(0));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_ANY, input, {0, 1, 2}, values), ElementsAre(1));
}

TEST(ReduceTest, AnyOfElementsThatAreNotCertain) {
  // 1/3 * 3 is 1 or a neighbour of it: whether it is equal to 1 is not certain.
  ModelBuilder builder;
  const OperandSpec two = {kFloat32, {2}};
  const OperandSpec two_truths = {kBool8, {2}};
  const uint32_t product = builder.Temporary(two);
  builder.Operation(OperationType::MUL,
                    {builder.Input(two), builder.Constant(two, {3, 3}), builder.Int32(0)},
                    {product});
  const uint32_t is_one = builder.Temporary(two_truths);
  builder.Operation(OperationType::EQUAL, {builder.Constant(two, {1, 1}), product}, {is_one});
  const uint32_t axes = builder.Int32Vector({0});
  const uint32_t keep_dims = builder.Bool(false);
  builder.Operation(OperationType::REDUCE_ANY, {is_one, axes, keep_dims},
                    {builder.Output({kBool8, {1}})});
  builder.Operation(OperationType::REDUCE_ALL, {is_one, axes, keep_dims},
                    {builder.Output({kBool8, {1}})});
  const auto uncertain = EvaluateInAllSystems(builder.model(), {{1.f / 3, 2}});
  ASSERT_TRUE(uncertain.ok()) << uncertain.status();
  EXPECT_TRUE((*uncertain)[0].enclosure[0].Contains(0) && (*uncertain)[0].enclosure[0].Contains(1));
  EXPECT_TRUE((*uncertain)[1].enclosure[0].IsExact() && (*uncertain)[1].enclosure[0].Contains(0));
  const auto certain = EvaluateInAllSystems(builder.model(), {{0.25, 2}});
  ASSERT_TRUE(certain.ok()) << certain.status();
  EXPECT_TRUE((*certain)[0].enclosure[0].IsExact() && (*certain)[0].enclosure[0].Contains(0));
}

TEST(ReduceTest, AxesThatAreKeptHaveOneElement) {
  for (const OperationType type : kReductions) {
    OperandSpec input = kInput;
    if (IsLogical(type)) input.type = kBool8;
    EXPECT_THAT(Evaluate(type, input, {0, 2}, true, kValues).dimensions, ElementsAre(1, 3, 1));
    EXPECT_THAT(Evaluate(type, input, {0, 2}, false, kValues).dimensions, ElementsAre(3));
    EXPECT_THAT(Evaluate(type, input, {0, 1, 2}, true, kValues).dimensions, ElementsAre(1, 1, 1));
    // There is no rank 0.
    EXPECT_THAT(Evaluate(type, input, {0, 1, 2}, false, kValues).dimensions, ElementsAre(1));
  }
}

TEST(ReduceTest, NegativeAxesCountFromTheEndAndRepeatedOnesCountOnce) {
  const Evaluated result =
      Evaluate(OperationType::REDUCE_SUM, kInput, {0, -3, -1, 2, 0}, false, kValues);
  EXPECT_THAT(result.dimensions, ElementsAre(3));
  EXPECT_THAT(result.from_double, ElementsAre(3, 12, 4.75));
}

TEST(ReduceTest, NoAxesGiveTheInput) {
  for (const OperationType type : kReductions) {
    const OperandType element = IsLogical(type) ? kBool8 : kFloat32;
    const std::vector<double> values =
        IsLogical(type) ? std::vector<double>{1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0} : kValues;
    // The axes are an input of the request: a constant cannot be empty.
    ModelBuilder builder;
    const uint32_t data = builder.Input({element, {2, 3, 2}});
    const uint32_t axes = builder.Input({OperandType::TENSOR_INT32, {0}});
    const uint32_t keep_dims = builder.Bool(false);
    const uint32_t result = builder.Output({element, {0, 0, 0}});
    builder.Operation(type, {data, axes, keep_dims}, {result});
    const auto graph = PreparedGraph::Create(builder.model());
    ASSERT_TRUE(graph.ok()) << graph.status();
    const std::vector<uint8_t> bytes = BytesOf(element, values);
    InputArgument elements;
    elements.elements =
        absl::MakeConstSpan(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
    InputArgument no_axes;
    no_axes.dimensions = {0};
    const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {elements, no_axes});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(2, 3, 2));
    EXPECT_THAT((*outputs)[0].doubles(), ElementsAreArray(values));
  }
}

TEST(ReduceTest, ReducesTheMiddleOfFourAxes) {
  const OperandSpec input = {kFloat32, {2, 2, 2, 1}};
  const std::vector<double> values = {1, 3, 5, 9, -1, 1, 0, 1};
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_SUM, input, {1, 2}, values), ElementsAre(18, 1));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_MAX, input, {-3}, values), ElementsAre(5, 9, 0, 1));
}

TEST(ReduceTest, QuantizedElementsAreComparedAsTheyAre) {
  const OperandSpec input = {kQuant8, {2, 3}, 0.3f, 77};
  for (const auto& [type, expected] :
       {std::pair<OperationType, std::vector<double>>{OperationType::REDUCE_MAX, {255, 9}},
        {OperationType::REDUCE_MIN, {0, 7}}}) {
    const Evaluated result = Evaluate(type, input, {1}, false, {0, 255, 128, 8, 9, 7});
    EXPECT_THAT(result.from_double, ElementsAreArray(expected));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(ReduceTest, HalvesAreRoundedToHalves) {
  const OperandSpec input = {kFloat16, {3}};
  // 2049 is between two halves, and rounded to the even one.
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_SUM, input, {0}, {2048, 0.5, 0.5}), ElementsAre(2048));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_PROD, input, {0}, {3, 0.5, 683}), ElementsAre(1024));
  EXPECT_THAT(ValuesOf(OperationType::REDUCE_MAX, input, {0}, {1, 1.0009765625, 0.5}),
              ElementsAre(1.0009765625));
}

TEST(ReduceTest, EnclosuresAreTight) {
  const OperandSpec input = {kFloat32, {4}};
  const std::vector<double> values = {1, 2, 3, 5};
  const Evaluated sum = Evaluate(OperationType::REDUCE_SUM, input, {0}, false, values);
  EXPECT_GT(sum.enclosure[0].radius, 0);
  EXPECT_LE(sum.enclosure[0].radius, 11 * 5.01 * 0x1p-24);
  const Evaluated product = Evaluate(OperationType::REDUCE_PROD, input, {0}, false, values);
  EXPECT_GT(product.enclosure[0].radius, 0);
  EXPECT_LE(product.enclosure[0].radius, 30 * 3.01 * 0x1p-24);
  for (const OperationType type : {OperationType::REDUCE_MAX, OperationType::REDUCE_MIN}) {
    EXPECT_TRUE(Evaluate(type, input, {0}, false, values).enclosure[0].IsExact());
    // Halves hold these numbers too.
    EXPECT_TRUE(Evaluate(type, input, {0}, false, values, true).enclosure[0].IsExact());
  }
  const Evaluated relaxed = Evaluate(OperationType::REDUCE_SUM, input, {0}, false, values, true);
  EXPECT_GT(relaxed.enclosure[0].radius, 11 * 0x1p-11);
  EXPECT_LT(relaxed.enclosure[0].radius, 11 * 6 * 0x1p-11);
}

TEST(ReduceTest, EnclosuresHoldProductsInAnyOrder) {
  TestRandom random(75);
  for (const bool is_half : {false, true}) {
    for (const bool flushes : {false, true}) {
      const HonestMachine machine(is_half, flushes);
      for (int repetition = 0; repetition < 100; ++repetition) {
        // Exponents so large that intermediate products may underflow, but not overflow.
        const int highest = repetition % 3;
        const int lowest = is_half ? -4 : -30;
        std::vector<double> values(6);
        for (double& value : values) {
          value = machine.Round(random.WithExponent(lowest, highest));
        }
        const Ball ball = Evaluate(OperationType::REDUCE_PROD, {is_half ? kFloat16 : kFloat32, {6}},
                                   {0}, false, values)
                              .enclosure[0];
        ASSERT_TRUE(ball.IsBounded());
        const double forward =
            std::accumulate(values.begin(), values.end(), 1.0,
                            [&](double product, double x) { return machine.Multiply(product, x); });
        const double backward =
            std::accumulate(values.rbegin(), values.rend(), 1.0,
                            [&](double product, double x) { return machine.Multiply(product, x); });
        const double by_threes =
            machine.Multiply(machine.Multiply(machine.Multiply(values[0], values[3]), values[5]),
                             machine.Multiply(machine.Multiply(values[1], values[4]), values[2]));
        for (const double product : {forward, backward, by_threes}) {
          EXPECT_TRUE(ball.Contains(product)) << machine.name() << ": " << product << " is not in "
                                              << ball.midpoint << " +/- " << ball.radius;
        }
      }
    }
  }
}

TEST(ReduceTest, ProductsThatMayOverflowInSomeOrderAreOpen) {
  const OperandSpec input = {kFloat32, {3}};
  const auto ball_of = [&](const std::vector<double>& values) {
    return Evaluate(OperationType::REDUCE_PROD, input, {0}, false, values).enclosure[0];
  };
  EXPECT_FALSE(ball_of({1e30f, 1e-30f, 1e30f}).IsBounded());
  EXPECT_TRUE(ball_of({1e18f, 1e-30f, 1e18f}).IsBounded());
  // Infinity times zero.
  EXPECT_FALSE(ball_of({1e30f, 1e30f, 0}).IsBounded());
  const Ball zero = ball_of({1e10f, 1e10f, 0});
  EXPECT_TRUE(zero.IsExact());
  EXPECT_EQ(zero.midpoint, 0);
}

TEST(ReduceTest, ProductsThatMayUnderflowInSomeOrderLoseWhatThatLoses) {
  // 1e-30 * 1e-30 is zero in binary32, and so is zero times 1e20.
  const Ball ball =
      Evaluate(OperationType::REDUCE_PROD, {kFloat32, {3}}, {0}, false, {1e-30f, 1e-10f, 1e20f})
          .enclosure[0];
  EXPECT_TRUE(ball.Contains(0));
  EXPECT_LT(ball.radius, 1e-17);
  // Nothing below one, nothing lost but roundings.
  const Ball large =
      Evaluate(OperationType::REDUCE_PROD, {kFloat16, {3}}, {0}, false, {30, 30, 30}).enclosure[0];
  EXPECT_LT(large.radius, 27000 * 3.1 * 0x1p-11);
}

TEST(ReduceTest, InfinitiesAndNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const OperandSpec input = {kFloat32, {3}};
  const auto ball_of = [&](OperationType type, const std::vector<double>& values) {
    return Evaluate(type, input, {0}, false, values).enclosure[0];
  };
  const Ball product = ball_of(OperationType::REDUCE_PROD, {infinity, -2, 3});
  EXPECT_TRUE(product.IsExact());
  EXPECT_EQ(product.midpoint, -infinity);
  EXPECT_FALSE(ball_of(OperationType::REDUCE_PROD, {infinity, 0, 3}).IsBounded());
  EXPECT_FALSE(ball_of(OperationType::REDUCE_PROD, {infinity, 1e-30f, 1e-30f}).IsBounded());
  const Ball not_a_number = ball_of(OperationType::REDUCE_PROD, {nan, 0, 3});
  EXPECT_TRUE(not_a_number.IsExactSpecial() && std::isnan(not_a_number.midpoint));
  EXPECT_EQ(ball_of(OperationType::REDUCE_MAX, {1, infinity, 3}).midpoint, infinity);
  EXPECT_EQ(ball_of(OperationType::REDUCE_MIN, {1, -infinity, 3}).midpoint, -infinity);
  EXPECT_FALSE(ball_of(OperationType::REDUCE_MAX, {1, nan, 3}).IsBounded());
  EXPECT_EQ(ball_of(OperationType::REDUCE_SUM, {1, -infinity, 3}).midpoint, -infinity);
}

TEST(ReduceTest, RejectsEmptyInputs) {
  for (const OperationType type : kReductions) {
    const OperandType element = IsLogical(type) ? kBool8 : kFloat32;
    const auto graph =
        PreparedGraph::Create(ModelOf(type, {element, {0, 2}}, {1}, false, {element, {0}}));
    ASSERT_TRUE(graph.ok()) << graph.status();
    InputArgument empty;
    empty.dimensions = {0, 2};
    EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
                HasSubstr("input 0 (operand 0) is empty"));
  }
}

TEST(ReduceTest, RejectsAnOutputOfOtherDimensionsTypeOrQuantization) {
  const auto error_of = [](OperationType type, const OperandSpec& input,
                           const OperandSpec& output) {
    return std::string(
        PreparedGraph::Create(ModelOf(type, input, {1}, false, output)).status().message());
  };
  EXPECT_THAT(error_of(OperationType::REDUCE_SUM, kInput, {kFloat32, {2, 3}}),
              AllOf(HasSubstr("REDUCE_SUM output 0"), HasSubstr("[2, 2]")));
  EXPECT_THAT(error_of(OperationType::REDUCE_ALL, {kBool8, {2, 2}}, {kFloat32, {2}}),
              HasSubstr("REDUCE_ALL output 0"));
  EXPECT_THAT(
      error_of(OperationType::REDUCE_MIN, {kQuant8, {2, 2}, 0.5, 3}, {kQuant8, {2}, 0.5, 4}),
      AllOf(HasSubstr("REDUCE_MIN output 0 'output'"), HasSubstr("zeroPoint 3")));
}

TEST(ReduceTest, TakesTheTypesOfTheHal) {
  const auto error_of = [](OperationType type, OperandType element) {
    const float scale = element == kQuant8 ? 0.5f : 0;
    return SignatureErrorOf(
        ModelOf(type, {element, {2, 2}, scale}, {1}, false, {element, {2}, scale}),
        HalVersion::V1_2);
  };
  for (const OperationType type : kReductions) {
    const bool is_order = type == OperationType::REDUCE_MAX || type == OperationType::REDUCE_MIN;
    EXPECT_EQ(error_of(type, kFloat32).empty(), !IsLogical(type));
    EXPECT_EQ(error_of(type, kFloat16).empty(), !IsLogical(type));
    EXPECT_EQ(error_of(type, kQuant8).empty(), is_order);
    EXPECT_EQ(error_of(type, kBool8).empty(), IsLogical(type));
    EXPECT_THAT(error_of(type, OperandType::TENSOR_INT32),
                HasSubstr("(operand 0) is TENSOR_INT32; expected "));
    const OperandType element = IsLogical(type) ? kBool8 : kFloat32;
    EXPECT_THAT(SignatureErrorOf(ModelOf(type, {element, {2, 2}}, {1}, false, {element, {2}}),
                                 HalVersion::V1_1),
                HasSubstr("was introduced in HAL 1.2; the model is held to HAL 1.1"));
    EXPECT_THAT(
        SignatureErrorOf(ModelOf(type, {element, {1, 1, 1, 1, 2}}, {1}, false, {element, {}}),
                         HalVersion::V1_2),
        HasSubstr("has rank 5; expected rank "));
  }
}

// Both ways of saying an axis wrong, for a type.
void ExpectAxesAreRefused(OperationType type) {
  const OperandType element = IsLogical(type) ? kBool8 : kFloat32;
  for (const std::vector<int32_t>& axes :
       {std::vector<int32_t>{3}, std::vector<int32_t>{-4}, std::vector<int32_t>{0, 3},
        std::vector<int32_t>{std::numeric_limits<int32_t>::min()}}) {
    for (const bool keep_dims : {false, true}) {
      EXPECT_TRUE(
          IsRefused(ModelOf(type, {element, {2, 3, 2}}, axes, keep_dims, {element, {0, 0}}), "C1"));
    }
  }
}

TEST(ReduceTest, reduce_all_c1_rejects_axes_that_the_input_does_not_have) {
  ExpectAxesAreRefused(OperationType::REDUCE_ALL);
}

TEST(ReduceTest, reduce_any_c1_rejects_axes_that_the_input_does_not_have) {
  ExpectAxesAreRefused(OperationType::REDUCE_ANY);
}

TEST(ReduceTest, reduce_max_c1_rejects_axes_that_the_input_does_not_have) {
  ExpectAxesAreRefused(OperationType::REDUCE_MAX);
}

TEST(ReduceTest, reduce_min_c1_rejects_axes_that_the_input_does_not_have) {
  ExpectAxesAreRefused(OperationType::REDUCE_MIN);
}

TEST(ReduceTest, reduce_prod_c1_rejects_axes_that_the_input_does_not_have) {
  ExpectAxesAreRefused(OperationType::REDUCE_PROD);
}

TEST(ReduceTest, reduce_sum_c1_rejects_axes_that_the_input_does_not_have) {
  ExpectAxesAreRefused(OperationType::REDUCE_SUM);
}

}  // namespace
}  // namespace nncert
