// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The HAL's names of its enumerators, both ways, and the versions that introduced them.
//
// toString gives an enumerator's name as types.hal has it ("TENSOR_FLOAT32"). A number without an
// enumerator, which any field may hold, is given as such: "OperationType(95)", an extension's in
// hexadecimal: "OperationType(0x00010003)". Every such type can be written to a stream.

#ifndef NNCERT_HAL_TO_STRING_H_
#define NNCERT_HAL_TO_STRING_H_

#include <concepts>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "hal/v1_0/types.h"
#include "hal/v1_1/types.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal::V1_0 {

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(FusedActivationFunc value);
std::string toString(OperandLifeTime value);
std::string toString(DeviceStatus value);
std::string toString(ErrorStatus value);

/// "{.poolIndex = 0, .offset = 16, .length = 4}".
std::string toString(const DataLocation& value);

/// Every field of an argument, as a designated initializer.
std::string toString(const RequestArgument& value);

/// Writes toString(value), for whatever in this namespace has it.
template <typename Value>
requires requires(const Value& value) {
  { toString(value) } -> std::same_as<std::string>;
}
std::ostream& operator<<(std::ostream& stream, const Value& value) {
  return stream << toString(value);
}

}  // namespace nncert::hal::V1_0

namespace nncert::hal::V1_1 {

std::string toString(OperationType value);
std::string toString(ExecutionPreference value);
using V1_0::toString;

/// Writes toString(value), for whatever in this namespace has it.
template <typename Value>
requires requires(const Value& value) {
  { toString(value) } -> std::same_as<std::string>;
}
std::ostream& operator<<(std::ostream& stream, const Value& value) {
  return stream << toString(value);
}

}  // namespace nncert::hal::V1_1

namespace nncert::hal::V1_2 {

std::string toString(OperandType value);
std::string toString(OperationType value);
std::string toString(DeviceType value);
std::string toString(MeasureTiming value);

/// Every field of an operand, as a designated initializer: the type, dimensions and lifetime
/// always, the others when they are not zero.
std::string toString(const Operand& value);

/// "ADD(0, 1, 2) -> (3)": the type and the operand indexes.
std::string toString(const Operation& value);

/// "{.dimensions = [2, 3], .isSufficient = true}".
std::string toString(const OutputShape& value);

/// "{.timeOnDevice = 10, .timeInDriver = 12}" in microseconds, or "none" for UINT64_MAX.
std::string toString(const Timing& value);

using V1_0::toString;
using V1_1::toString;

/// Writes toString(value), for whatever in this namespace has it.
template <typename Value>
requires requires(const Value& value) {
  { toString(value) } -> std::same_as<std::string>;
}
std::ostream& operator<<(std::ostream& stream, const Value& value) {
  return stream << toString(value);
}

}  // namespace nncert::hal::V1_2

namespace nncert::hal {

using V1_2::toString;  // brings those of 1.0 and 1.1 along

/// The operand type with this name; nothing when there is none.
std::optional<V1_2::OperandType> operandTypeFromString(std::string_view name);

/// The operation type with this name; nothing when there is none.
std::optional<V1_2::OperationType> operationTypeFromString(std::string_view name);

/// The HAL version that introduced a type. Extension types, and numbers that no version knows, give
/// the latest version.
HalVersion IntroducedIn(V1_2::OperandType type);
HalVersion IntroducedIn(V1_2::OperationType type);

/// Dimensions as people write them: "[2, 3]", "[]".
std::string dimensionsToString(const std::vector<uint32_t>& dimensions);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_TO_STRING_H_
