// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The conditions that faults are measured under: those that coverage counts, and two types.

#ifndef NNCERT_DRIVERS_FAULTY_KILL_RATES_CONDITIONS_H_
#define NNCERT_DRIVERS_FAULTY_KILL_RATES_CONDITIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "reference/calls/operation_call.h"
#include "reference/operation_definition.h"

namespace nncert::faulty {

/// All of them, as behind the @ in the name of a fault.
const std::vector<std::string>& MeasuredConditions();

/// Which of them hold of an operation of a model, by their places in that list.
std::vector<size_t> MeasuredConditionsOf(const OperationCall& call);

/// Whether an operation with a first input of this type can meet a condition, as far as the
/// catalogue says.
bool CanMeetMeasured(const OperationDefinition& definition, OperandType type,
                     std::string_view condition);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_KILL_RATES_CONDITIONS_H_
