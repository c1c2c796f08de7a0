// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nncert {
namespace {

constexpr double kHighest = 1e100;
// Below this, a value is no more than nothing to a logarithm that is to be read.
constexpr double kLowestPositive = 1e-100;

// The range of the values that are at least `lowest`; nothing is a range whose high is below low.
Extent RangeOf(absl::Span<const double> values, double lowest) {
  Extent extent{kHighest, -kHighest};
  for (const double value : values) {
    if (!std::isfinite(value) || value < lowest) continue;
    const double bounded = std::clamp(value, -kHighest, kHighest);
    extent.low = std::min(extent.low, bounded);
    extent.high = std::max(extent.high, bounded);
  }
  return extent;
}

// 1, 2 or 5 times a power of ten, at least `step`, which is above 0.
double RoundUp(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= step) return digit * power;
  }
  return 10 * power;
}

}  // namespace

Extent ExtentOf(absl::Span<const double> values) {
  Extent extent = RangeOf(values, -std::numeric_limits<double>::infinity());
  if (extent.high < extent.low) return {0, 1};
  if (extent.high - extent.low <= 1e-9 * std::max(std::abs(extent.low), std::abs(extent.high))) {
    const double margin = extent.low == 0 ? 0.5 : 0.1 * std::abs(extent.low);
    return {extent.low - margin, extent.high + margin};
  }
  return extent;
}

Extent PositiveExtentOf(absl::Span<const double> values) {
  const Extent extent = RangeOf(values, kLowestPositive);
  if (extent.high < extent.low) return {1, 10};
  if (extent.high / extent.low < 1.02) return {extent.low / 1.1, extent.high * 1.1};
  return extent;
}

Axis::Axis(Extent extent, double from, double to, bool is_logarithmic)
    : extent_(extent), from_(from), to_(to), is_logarithmic_(is_logarithmic) {}

Axis Axis::Linear(Extent extent, double from, double to) {
  const bool is_usable = extent.low < extent.high && std::isfinite(extent.high - extent.low);
  return Axis(is_usable ? extent : Extent{0, 1}, from, to, /*is_logarithmic=*/false);
}

Axis Axis::Logarithmic(Extent extent, double from, double to) {
  const bool is_usable = 0 < extent.low && extent.low < extent.high && std::isfinite(extent.high);
  return Axis(is_usable ? extent : Extent{1, 10}, from, to, /*is_logarithmic=*/true);
}

double Axis::At(double value) const {
  double share = 0;
  if (value >= extent_.high) {
    share = 1;
  } else if (value > extent_.low) {
    share = is_logarithmic_ ? std::log(value / extent_.low) / std::log(extent_.high / extent_.low)
                            : (value - extent_.low) / (extent_.high - extent_.low);
  }
  return from_ + share * (to_ - from_);
}

std::vector<double> Axis::Ticks(size_t count) const {
  count = std::max<size_t>(count, 2);
  std::vector<double> ticks;
  const double decades = std::log10(extent_.high) - std::log10(std::max(extent_.low, 1e-300));
  if (is_logarithmic_ && decades >= 1) {
    // Powers of ten, or every so many of them; with 2 and 5 between where there is room.
    const double most = static_cast<double>(count);
    const bool has_room = 3 * decades <= most;
    const int step = std::max(static_cast<int>(std::ceil(decades / most)), 1);
    const int first = static_cast<int>(std::floor(std::log10(extent_.low)));
    const int last = static_cast<int>(std::ceil(std::log10(extent_.high)));
    for (int exponent = first; exponent <= last; ++exponent) {
      if (exponent % step != 0) continue;
      for (const double digit : {1.0, 2.0, 5.0}) {
        if (digit > 1 && !has_room) break;
        const double tick = digit * std::pow(10.0, exponent);
        if (tick >= extent_.low && tick <= extent_.high) ticks.push_back(tick);
      }
    }
    return ticks;
  }
  const double step = RoundUp((extent_.high - extent_.low) / static_cast<double>(count));
  // Counted in steps, so that rounding does not add up.
  const double first = std::ceil(extent_.low / step - 1e-9);
  for (double i = first; i * step <= extent_.high + 1e-9 * step; ++i) {
    if (ticks.size() > 2 * count) break;
    ticks.push_back(i * step);
  }
  return ticks;
}

}  // namespace nncert
