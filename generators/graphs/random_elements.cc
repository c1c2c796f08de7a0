// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/graphs/random_elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/model_builder.h"

namespace nncert {
namespace {

constexpr int kLatticeSteps = 8;
// Positive numbers whose least and greatest are farther apart than that have uniform logarithms.
constexpr double kWide = 8;

// The integers that stand for reals; each channel of a per-channel operand has a scale.
void Quantize(const OperandInfo& info, std::vector<double>& values) {
  const IntegerRange integers = RangeOf(info.type);
  size_t inner = 1;
  for (size_t i = info.channelDim + 1; i < info.dimensions.size(); ++i) inner *= info.dimensions[i];
  for (size_t i = 0; i < values.size(); ++i) {
    const double scale = info.channelScales.empty()
                             ? info.scale
                             : info.channelScales[i / inner % info.channelScales.size()];
    values[i] =
        std::clamp(std::round(values[i] / scale) + info.zeroPoint,
                   static_cast<double>(integers.lowest), static_cast<double>(integers.highest));
  }
}

// One element in so many is of a hostile class.
constexpr uint64_t kHostileEvery = 4;

// Exponents of a floating-point type: of its least subnormal, least normal and greatest numbers.
struct Exponents {
  int least_subnormal;
  int least_normal;
  int greatest;
};

constexpr Exponents kFloat = {-149, -126, 127};
constexpr Exponents kHalf = {-24, -14, 15};

// A number of a hostile class, with either sign.
double HostileElement(ElementClass elements, const Exponents& exponents, SplitMix64& random) {
  // From where on products of two overflow, or underflow.
  const int half_way = exponents.greatest / 2 + 1;
  const double sign = random.OneIn(2) ? -1 : 1;
  switch (elements) {
    case ElementClass::kLarge:
      return random.WithExponent(half_way, exponents.greatest - 1);
    case ElementClass::kTiny:
      return random.WithExponent(exponents.least_normal, -half_way);
    case ElementClass::kSubnormal:
      return random.WithExponent(exponents.least_subnormal, exponents.least_normal - 2);
    case ElementClass::kInfinite:
      return sign * std::numeric_limits<double>::infinity();
    case ElementClass::kNaN:
      return std::numeric_limits<double>::quiet_NaN();
    default:
      return sign * 0.0;
  }
}

// Makes some elements hostile.
void AddHostileElements(ElementClass elements, OperandType type, bool is_positive,
                        std::vector<double>& values, SplitMix64& random) {
  if (values.empty()) return;
  const Exponents& exponents = ElementKindOf(type) == ElementKind::kFloat16 ? kHalf : kFloat;
  const size_t certain = random.Below(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != certain && !random.OneIn(kHostileEvery)) continue;
    const double value = HostileElement(elements, exponents, random);
    values[i] = is_positive ? std::abs(value) : value;
  }
}

}  // namespace

bool IsHostile(ElementClass elements) {
  return std::find(kHostileClasses.begin(), kHostileClasses.end(), elements) !=
         kHostileClasses.end();
}

std::string_view toString(ElementClass elements) {
  switch (elements) {
    case ElementClass::kAny:
      return "any";
    case ElementClass::kLattice:
      return "lattice";
    case ElementClass::kExtreme:
      return "extreme";
    case ElementClass::kLarge:
      return "large";
    case ElementClass::kTiny:
      return "tiny";
    case ElementClass::kSubnormal:
      return "subnormal";
    case ElementClass::kZero:
      return "zero";
    case ElementClass::kInfinite:
      return "infinite";
    case ElementClass::kNaN:
      return "nan";
  }
  return "";
}

std::vector<uint8_t> RandomElements(const ChosenOperand& operand, ElementClass elements,
                                    SplitMix64& random) {
  const OperandInfo& info = operand.info;
  if (!operand.opaque_value.empty()) return operand.opaque_value;
  const bool is_quantized = IsQuantized(info.type);
  if (!operand.values.empty()) {
    if (!is_quantized) return BytesOf(info.type, operand.values);
    std::vector<double> values = operand.values;
    Quantize(info, values);
    return BytesOf(info.type, values);
  }
  std::vector<double> values(NumberOfElements(info.dimensions));
  ValueRange range = operand.range;
  bool is_integral = is_quantized;
  if (is_quantized) {
    const IntegerRange integers = RangeOf(info.type);
    range = {static_cast<double>(integers.lowest), static_cast<double>(integers.highest)};
  } else {
    is_integral = !IsFloatingPoint(info.type);
  }
  // As many small numbers as large ones.
  const bool is_wide = range.lowest > 0 && range.highest > kWide * range.lowest;
  for (double& value : values) {
    if (elements == ElementClass::kLattice) {
      value = range.lowest + (range.highest - range.lowest) *
                                 static_cast<double>(random.Between(0, kLatticeSteps)) /
                                 kLatticeSteps;
      if (is_integral) value = std::round(value);
    } else if (elements == ElementClass::kExtreme) {
      value = random.OneIn(2) ? range.lowest : range.highest;
    } else if (is_integral) {
      value = static_cast<double>(
          random.Between(static_cast<int64_t>(range.lowest), static_cast<int64_t>(range.highest)));
    } else if (is_wide) {
      value = std::exp(random.Uniform(std::log(range.lowest), std::log(range.highest)));
    } else {
      value = random.Uniform(range.lowest, range.highest);
    }
  }
  if (IsHostile(elements) && IsFloatingPoint(info.type)) {
    AddHostileElements(elements, info.type, range.lowest >= 0, values, random);
  }
  return BytesOf(info.type, values);
}

}  // namespace nncert
