// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/random_elements.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

std::vector<uint8_t> RandomElements(const ChosenOperand& operand, ElementClass elements,
                                    SplitMix64& random) {
  const OperandInfo& info = operand.info;
  const bool is_quantized = IsQuantized(info.type);
  std::vector<double> values = operand.values;
  if (!values.empty()) {
    if (is_quantized) Quantize(info, values);
    return BytesOf(info.type, values);
  }
  values.resize(NumberOfElements(info.dimensions));
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
    } else if (is_integral) {
      value = static_cast<double>(
          random.Between(static_cast<int64_t>(range.lowest), static_cast<int64_t>(range.highest)));
    } else if (is_wide) {
      value = std::exp(random.Uniform(std::log(range.lowest), std::log(range.highest)));
    } else {
      value = random.Uniform(range.lowest, range.highest);
    }
  }
  return BytesOf(info.type, values);
}

}  // namespace nncert
