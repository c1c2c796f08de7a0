// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Every operation of the catalogue that maps one tensor to another element by element, on every
// value that an 8-bit, boolean or 16-bit floating-point element can have, and on 65,536 values all
// over the range of 32-bit ones: the fast backend lies in the enclosure, and the oracle agrees with
// a formula in long double that knows nothing of kernels.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "hal/float16.h"
#include "hal/to_string.h"
#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

constexpr long double kNaN = std::numeric_limits<long double>::quiet_NaN();

// What an operation makes of a number.
struct Formula {
  std::function<long double(long double)> function;
  // Quantized elements are taken and given as their integers.
  bool is_of_integers = false;
};

// The formulas of all unary operations of HAL 1.2 (types.hal).
const std::map<std::string, Formula>& Formulas() {
  static const auto* const formulas = new std::map<std::string, Formula>{
      {"ABS", {[](long double x) { return std::fabs(x); }}},
      {"CAST", {[](long double x) { return x; }, true}},
      {"DEQUANTIZE", {[](long double x) { return x; }}},
      {"EXP", {[](long double x) { return std::exp(x); }}},
      {"FLOOR", {[](long double x) { return std::floor(x); }}},
      {"LOG", {[](long double x) { return std::log(x); }}},
      {"LOGICAL_NOT", {[](long double x) { return x == 0 ? 1.0L : 0.0L; }}},
      {"LOGISTIC", {[](long double x) { return 1 / (1 + std::exp(-x)); }}},
      {"NEG", {[](long double x) { return -x; }}},
      {"QUANTIZE", {[](long double x) { return x; }}},
      {"RELU", {[](long double x) { return x < 0 ? 0 : x; }}},
      {"RELU1", {[](long double x) { return x < -1 ? -1 : (x > 1 ? 1 : x); }}},
      {"RELU6", {[](long double x) { return x < 0 ? 0 : (x > 6 ? 6 : x); }}},
      {"RSQRT", {[](long double x) { return 1 / std::sqrt(x); }}},
      {"SIN", {[](long double x) { return std::isinf(x) ? kNaN : std::sin(x); }}},
      {"SQRT", {[](long double x) { return std::sqrt(x); }}},
      {"TANH", {[](long double x) { return std::tanh(x); }}},
  };
  return *formulas;
}

bool IsUnary(const OperationDefinition& definition) {
  const Signature& signature = definition.signature;
  return signature.inputs.size() == 1 && signature.outputs.size() == 1 &&
         !signature.inputs[0].is_variadic() && !signature.outputs[0].is_variadic() &&
         definition.shape == SameShapeAsFirstInput;
}

struct ExhaustiveCase {
  const OperationDefinition* definition;
  OperandSpec input;
  OperandSpec output;
};

// Every bit pattern of an element; of 32 bits every pattern of the upper half, so every sign and
// exponent of a float, with zeros below the even ones and digits below the odd ones.
std::vector<uint8_t> AllElements(OperandType type) {
  std::vector<uint8_t> bytes;
  switch (ElementKindOf(type)) {
    case ElementKind::kBool:
      return {0, 1};
    case ElementKind::kFloat16:
      for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        bytes.push_back(static_cast<uint8_t>(bits));
        bytes.push_back(static_cast<uint8_t>(bits >> 8));
      }
      return bytes;
    case ElementKind::kFloat32:
    case ElementKind::kInt32:
      for (uint32_t upper = 0; upper < 0x10000; ++upper) {
        const uint32_t bits = upper << 16 | (upper % 2 == 0 ? 0 : upper * 40503 % 0x10000);
        for (int shift = 0; shift < 32; shift += 8) {
          bytes.push_back(static_cast<uint8_t>(bits >> shift));
        }
      }
      return bytes;
    default:
      for (int bits = 0; bits < 256; ++bits) bytes.push_back(static_cast<uint8_t>(bits));
      return bytes;
  }
}

hal::V1_2::Model ModelOf(const ExhaustiveCase& test_case) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(test_case.input);
  const uint32_t output = builder.Output(test_case.output);
  builder.Operation(test_case.definition->type, {input}, {output});
  return builder.model();
}

// The ways to give scale and zeroPoint to an operand of `type`.
std::vector<OperandSpec> InputSpecs(OperandType type) {
  const auto count =
      static_cast<uint32_t>(AllElements(type).size() / NativeElementSize(ElementKindOf(type)));
  switch (type) {
    case OperandType::TENSOR_QUANT8_ASYMM:
      return {{type, {count}, 0.0625F, 128}, {type, {count}, 0.1F, 77}, {type, {count}, 1.7F, 3}};
    case OperandType::TENSOR_QUANT8_SYMM:
      return {{type, {count}, 0.1F}};
    case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL: {
      // Every channel has a part of the values; both orders of the two dimensions.
      const hal::V1_2::SymmPerChannelQuantParams outer = {{0.5F, 0.1F, 3, 0.7F}, 0};
      const hal::V1_2::SymmPerChannelQuantParams inner = {{0.5F, 0.1F, 3, 0.7F}, 1};
      return {{type, {4, 64}, 0, 0, outer}, {type, {64, 4}, 0, 0, inner}};
    }
    default:
      return {{type, {count}}};
  }
}

OperandSpec OutputSpec(const OperandRule& rule, const OperandSpec& input, OperandType type) {
  OperandSpec output = {type, input.dimensions};
  if (!IsQuantized(type)) return output;
  output.scale = 0.37F;
  output.zeroPoint = 91;
  for (const QuantizationRule& quantization : rule.quantization()) {
    if (quantization.only_type.has_value() && *quantization.only_type != type) continue;
    if (quantization.kind == QuantizationRule::Kind::kFixed) {
      output.scale = quantization.scale;
      output.zeroPoint = quantization.zeroPoint;
    } else if (quantization.kind == QuantizationRule::Kind::kSameAs) {
      output.scale = input.scale;
      output.zeroPoint = input.zeroPoint;
    }
  }
  return output;
}

// Every unary operation of the catalogue with every pair of types that it accepts.
std::vector<ExhaustiveCase> AllCases() {
  std::vector<ExhaustiveCase> cases;
  for (const OperationDefinition* definition : AllOperations()) {
    if (!IsUnary(*definition)) continue;
    for (const OperandType from :
         {OperandType::TENSOR_BOOL8, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT32,
          OperandType::TENSOR_INT32, OperandType::TENSOR_QUANT8_ASYMM,
          OperandType::TENSOR_QUANT8_SYMM, OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL}) {
      for (const OperandSpec& input : InputSpecs(from)) {
        for (const OperandType to :
             {OperandType::TENSOR_BOOL8, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT32,
              OperandType::TENSOR_INT32, OperandType::TENSOR_QUANT8_ASYMM}) {
          const ExhaustiveCase test_case = {
              definition, input, OutputSpec(definition->signature.outputs[0], input, to)};
          if (PreparedGraph::Create(ModelOf(test_case)).ok()) cases.push_back(test_case);
        }
      }
    }
  }
  return cases;
}

std::string NameOf(const testing::TestParamInfo<ExhaustiveCase>& info) {
  const ExhaustiveCase& test_case = info.param;
  // The number keeps the names of cases apart that differ in their quantization.
  return test_case.definition->name() + "_" + hal::toString(test_case.input.type) + "_to_" +
         hal::toString(test_case.output.type) + "_" + std::to_string(info.index);
}

// The number that element `index` of the input stands for.
long double NumberAt(const OperandSpec& spec, const std::vector<uint8_t>& bytes, size_t index,
                     bool as_integer) {
  if (spec.type == OperandType::TENSOR_BOOL8) return bytes[index];
  if (spec.type == OperandType::TENSOR_FLOAT16) {
    return hal::Float16ToDouble(static_cast<uint16_t>(index));
  }
  if (spec.type == OperandType::TENSOR_FLOAT32 || spec.type == OperandType::TENSOR_INT32) {
    return NumbersOf(spec.type, absl::MakeConstSpan(bytes).subspan(index * 4, 4))[0];
  }
  const int integer = spec.type == OperandType::TENSOR_QUANT8_ASYMM
                          ? bytes[index]
                          : static_cast<int8_t>(bytes[index]);
  if (as_integer) return integer;
  long double scale = spec.scale;
  if (const auto* channels = std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&spec.extraParams)) {
    scale = channels->scales[channels->channelDim == 0 ? index / 64 : index % 4];
  }
  return (integer - spec.zeroPoint) * scale;
}

// Half the distance of the halves around `value`.
long double HalfRoundoff(long double value) {
  const int exponent = value == 0 ? -14 : std::max(std::ilogb(value), -14);
  return std::ldexp(0.5L, exponent - 10);
}

// Whether `element`, as the oracle gives it, is what storing `expected` comes to.
bool Agrees(const OperandSpec& output, bool as_integer, long double expected, double element) {
  switch (output.type) {
    case OperandType::TENSOR_FLOAT32:
      if (std::isnan(expected)) return std::isnan(element);
      // Even a double may overflow, or be subnormal.
      if (std::fabs(expected) > std::numeric_limits<double>::max()) {
        return std::isinf(element) && std::signbit(element) == std::signbit(expected);
      }
      return std::fabs(element - expected) <= 4e-16L * std::fabs(expected) + 0x1p-1074L;
    case OperandType::TENSOR_FLOAT16:
      if (std::isnan(expected)) return std::isnan(element);
      if (std::fabs(expected) >= 65520) {
        return std::isinf(element) && std::signbit(element) == std::signbit(expected);
      }
      return std::fabs(element - expected) <= HalfRoundoff(expected) * (1 + 1e-12L);
    case OperandType::TENSOR_BOOL8:
      return element == static_cast<double>(expected);
    default: {
      // An integer: any answers what is not a number.
      if (std::isnan(expected)) return element == std::trunc(element);
      const IntegerRange range = RangeOf(output.type);
      const long double steps = IsQuantized(output.type) && !as_integer
                                    ? expected / output.scale + output.zeroPoint
                                    : std::trunc(expected);
      const long double limited =
          std::fmin(std::fmax(steps, static_cast<long double>(range.lowest)),
                    static_cast<long double>(range.highest));
      return element == std::trunc(element) && std::fabs(element - limited) <= 0.5L + 1e-9L;
    }
  }
}

class UnaryExhaustiveTest : public testing::TestWithParam<ExhaustiveCase> {};

INSTANTIATE_TEST_SUITE_P(Catalogue, UnaryExhaustiveTest, testing::ValuesIn(AllCases()), NameOf);

TEST_P(UnaryExhaustiveTest, EveryValueIsEnclosedAndAgreesWithTheFormula) {
  const ExhaustiveCase& test_case = GetParam();
  const auto found = Formulas().find(test_case.definition->name());
  ASSERT_NE(found, Formulas().end())
      << "this test has no formula for " << test_case.definition->name();
  const Formula& formula = found->second;

  const auto graph = PreparedGraph::Create(ModelOf(test_case));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<uint8_t> bytes = AllElements(test_case.input.type);
  InputArgument argument;
  argument.SetElements(bytes);
  const auto floats = (*graph)->Execute(NumberSystem::kFloat, {argument});
  const auto doubles = (*graph)->Execute(NumberSystem::kDouble, {argument});
  const auto balls = (*graph)->Execute(NumberSystem::kBall, {argument});
  ASSERT_TRUE(floats.ok()) << floats.status();
  ASSERT_TRUE(doubles.ok()) << doubles.status();
  ASSERT_TRUE(balls.ok()) << balls.status();
  ASSERT_TRUE((*balls)[0].undecided.ok()) << (*balls)[0].undecided;
  const std::vector<double> from_float = NumbersOf(test_case.output.type, (*floats)[0].bytes());
  const absl::Span<const double> from_double = (*doubles)[0].doubles();
  const absl::Span<const Ball> enclosure = (*balls)[0].balls();
  ASSERT_EQ(from_float.size(), NumberOfElements(test_case.input.dimensions));
  ASSERT_EQ(from_double.size(), from_float.size());
  ASSERT_EQ(enclosure.size(), from_float.size());

  const bool is_half = test_case.input.type == OperandType::TENSOR_FLOAT16 ||
                       test_case.output.type == OperandType::TENSOR_FLOAT16;
  const long double least_normal = is_half ? 0x1p-14L : 0x1p-126L;
  for (size_t i = 0; i < from_float.size(); ++i) {
    const long double x = NumberAt(test_case.input, bytes, i, formula.is_of_integers);
    const long double y = formula.function(x);
    ASSERT_TRUE(enclosure[i].Contains(from_float[i]))
        << "f(" << x << ") is " << from_float[i] << " in float, not in " << enclosure[i].midpoint
        << " +/- " << enclosure[i].radius;
    ASSERT_TRUE(enclosure[i].Contains(from_double[i]))
        << "f(" << x << ") is " << from_double[i] << " in double, not in " << enclosure[i].midpoint
        << " +/- " << enclosure[i].radius;
    ASSERT_TRUE(Agrees(test_case.output, formula.is_of_integers, y, from_double[i]))
        << "f(" << x << ") is " << from_double[i] << " in double; by the formula " << y;
    // Nothing excuses an enclosure of everything where all is well within range.
    const bool is_subnormal = x != 0 && std::fabs(x) < least_normal;
    if (std::isfinite(x) && !is_subnormal && std::isfinite(y) && std::fabs(y) < 60000) {
      ASSERT_TRUE(enclosure[i].IsBounded()) << "f(" << x << ")";
    }
  }
}

TEST(UnaryCatalogueTest, FindsTheUnaryOperationsOfTheCatalogue) {
  std::vector<std::string> names;
  for (const ExhaustiveCase& test_case : AllCases()) names.push_back(test_case.definition->name());
  for (const char* expected :
       {"ABS", "CAST", "DEQUANTIZE", "EXP", "FLOOR", "LOG", "LOGICAL_NOT", "LOGISTIC", "NEG",
        "QUANTIZE", "RELU", "RELU1", "RELU6", "RSQRT", "SIN", "SQRT", "TANH"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), expected), names.end()) << expected;
  }
}

}  // namespace
}  // namespace nncert
