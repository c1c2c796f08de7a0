// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/capabilities.h"

#include <algorithm>
#include <limits>

namespace nncert::hal {
namespace {

using OperandPerformance = V1_2::Capabilities::OperandPerformance;

bool IsBefore(const OperandPerformance& entry, V1_2::OperandType type) { return entry.type < type; }

}  // namespace

std::vector<OperandPerformance> nonExtensionOperandPerformance(
    const V1_2::PerformanceInfo& performance) {
  std::vector<OperandPerformance> result = {
#define NNCERT_OPERAND_TYPE(NAME, ...) {.type = V1_2::OperandType::NAME, .info = performance},
#include "hal/operand_types.def"
  };
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return a.type < b.type; });
  return result;
}

void update(std::vector<OperandPerformance>* operandPerformance, V1_2::OperandType type,
            const V1_2::PerformanceInfo& performance) {
  const auto place =
      std::lower_bound(operandPerformance->begin(), operandPerformance->end(), type, IsBefore);
  if (place != operandPerformance->end() && place->type == type) {
    place->info = performance;
  } else {
    operandPerformance->insert(place, {.type = type, .info = performance});
  }
}

V1_2::PerformanceInfo lookup(const std::vector<OperandPerformance>& operandPerformance,
                             V1_2::OperandType type) {
  const auto place =
      std::lower_bound(operandPerformance.begin(), operandPerformance.end(), type, IsBefore);
  if (place != operandPerformance.end() && place->type == type) return place->info;
  constexpr float kUnknown = std::numeric_limits<float>::max();
  return {.execTime = kUnknown, .powerUsage = kUnknown};
}

}  // namespace nncert::hal
