// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/differences.h"

#include <cmath>
#include <limits>

namespace nncert {

double DifferenceOf(double actual, double expected) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return 0;
  if (std::isnan(actual) || std::isnan(expected)) return std::numeric_limits<double>::infinity();
  return actual - expected;
}

}  // namespace nncert
