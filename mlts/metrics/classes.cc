// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/classes.h"

#include <cmath>

namespace nncert {

std::optional<size_t> TopClass(absl::Span<const double> values) {
  std::optional<size_t> top;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (!top || values[i] > values[*top]) top = i;
  }
  return top;
}

std::optional<size_t> RankOf(absl::Span<const double> values, size_t index) {
  const double value = values[index];
  if (std::isnan(value)) return std::nullopt;
  size_t rank = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    // False for NaN.
    if (values[i] > value || (values[i] == value && i < index)) ++rank;
  }
  return rank;
}

}  // namespace nncert
