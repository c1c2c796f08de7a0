// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Building and reading V1_2::Capabilities::operandPerformance, which is sorted by operand type.

#ifndef NNCERT_HAL_CAPABILITIES_H_
#define NNCERT_HAL_CAPABILITIES_H_

#include <vector>

#include "hal/v1_2/types.h"

namespace nncert::hal {

/// An entry for every operand type that is not an extension's, OEM types included, all with the
/// same figures; sorted by type.
std::vector<V1_2::Capabilities::OperandPerformance> nonExtensionOperandPerformance(
    const V1_2::PerformanceInfo& performance);

/// Sets the figures of one type, in a vector that is sorted by type and stays so. A type that has
/// no entry gets one.
void update(std::vector<V1_2::Capabilities::OperandPerformance>* operandPerformance,
            V1_2::OperandType type, const V1_2::PerformanceInfo& performance);

/// The figures of one type, in a vector that is sorted by type; FLT_MAX in both when the type has
/// no entry, as types.hal says. (Android 10's own helper gives the next greater type's figures
/// then.)
V1_2::PerformanceInfo lookup(
    const std::vector<V1_2::Capabilities::OperandPerformance>& operandPerformance,
    V1_2::OperandType type);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_CAPABILITIES_H_
