// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/to_string.h"

#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace nncert::hal {
namespace {

// A number without an enumerator.
template <typename Enumeration>
std::string Unnamed(const char* enumeration, Enumeration value) {
  const auto number = static_cast<int32_t>(value);
  if (static_cast<uint32_t>(number) > static_cast<uint32_t>(V1_2::OperandTypeRange::BASE_MAX)) {
    return absl::StrCat(enumeration, "(0x",
                        absl::Hex(static_cast<uint32_t>(number), absl::kZeroPad8), ")");
  }
  return absl::StrCat(enumeration, "(", number, ")");
}

std::string BoolToString(bool value) { return value ? "true" : "false"; }

std::string TimeToString(uint64_t microseconds) {
  return microseconds == std::numeric_limits<uint64_t>::max() ? "none" : absl::StrCat(microseconds);
}

}  // namespace

std::string dimensionsToString(const std::vector<uint32_t>& dimensions) {
  return absl::StrCat("[", absl::StrJoin(dimensions, ", "), "]");
}

std::optional<V1_2::OperandType> operandTypeFromString(std::string_view name) {
#define NNCERT_OPERAND_TYPE(NAME, ...) \
  if (name == #NAME) return V1_2::OperandType::NAME;
#include "hal/operand_types.def"
  return std::nullopt;
}

std::optional<V1_2::OperationType> operationTypeFromString(std::string_view name) {
#define NNCERT_OPERATION(NAME, ...) \
  if (name == #NAME) return V1_2::OperationType::NAME;
#include "hal/operations.def"
  return std::nullopt;
}

HalVersion IntroducedIn(V1_2::OperandType type) {
  switch (type) {
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, ...) \
  case V1_2::OperandType::NAME:                      \
    return HalVersion::V1_##SINCE;
#include "hal/operand_types.def"
  }
  return HalVersion::V1_2;
}

HalVersion IntroducedIn(V1_2::OperationType type) {
  switch (type) {
#define NNCERT_OPERATION(NAME, VALUE, SINCE) \
  case V1_2::OperationType::NAME:            \
    return HalVersion::V1_##SINCE;
#include "hal/operations.def"
  }
  return HalVersion::V1_2;
}

}  // namespace nncert::hal

// One case of a switch that turns enumerators into their names.
#define NNCERT_NAME(ENUMERATION, NAME) \
  case ENUMERATION::NAME:              \
    return #NAME;

namespace nncert::hal::V1_0 {

std::string toString(OperandType value) {
  return V1_2::toString(static_cast<V1_2::OperandType>(value));
}

std::string toString(OperationType value) {
  return V1_2::toString(static_cast<V1_2::OperationType>(value));
}

std::string toString(FusedActivationFunc value) {
  switch (value) {
    NNCERT_NAME(FusedActivationFunc, NONE)
    NNCERT_NAME(FusedActivationFunc, RELU)
    NNCERT_NAME(FusedActivationFunc, RELU1)
    NNCERT_NAME(FusedActivationFunc, RELU6)
  }
  return Unnamed("FusedActivationFunc", value);
}

std::string toString(OperandLifeTime value) {
  switch (value) {
    NNCERT_NAME(OperandLifeTime, TEMPORARY_VARIABLE)
    NNCERT_NAME(OperandLifeTime, MODEL_INPUT)
    NNCERT_NAME(OperandLifeTime, MODEL_OUTPUT)
    NNCERT_NAME(OperandLifeTime, CONSTANT_COPY)
    NNCERT_NAME(OperandLifeTime, CONSTANT_REFERENCE)
    NNCERT_NAME(OperandLifeTime, NO_VALUE)
  }
  return Unnamed("OperandLifeTime", value);
}

std::string toString(DeviceStatus value) {
  switch (value) {
    NNCERT_NAME(DeviceStatus, AVAILABLE)
    NNCERT_NAME(DeviceStatus, BUSY)
    NNCERT_NAME(DeviceStatus, OFFLINE)
    NNCERT_NAME(DeviceStatus, UNKNOWN)
  }
  return Unnamed("DeviceStatus", value);
}

std::string toString(ErrorStatus value) {
  switch (value) {
    NNCERT_NAME(ErrorStatus, NONE)
    NNCERT_NAME(ErrorStatus, DEVICE_UNAVAILABLE)
    NNCERT_NAME(ErrorStatus, GENERAL_FAILURE)
    NNCERT_NAME(ErrorStatus, OUTPUT_INSUFFICIENT_SIZE)
    NNCERT_NAME(ErrorStatus, INVALID_ARGUMENT)
  }
  return Unnamed("ErrorStatus", value);
}

std::string toString(const DataLocation& value) {
  return absl::StrCat("{.poolIndex = ", value.poolIndex, ", .offset = ", value.offset,
                      ", .length = ", value.length, "}");
}

std::string toString(const RequestArgument& value) {
  return absl::StrCat("{.hasNoValue = ", BoolToString(value.hasNoValue),
                      ", .location = ", toString(value.location),
                      ", .dimensions = ", dimensionsToString(value.dimensions), "}");
}

}  // namespace nncert::hal::V1_0

namespace nncert::hal::V1_1 {

std::string toString(OperationType value) {
  return V1_2::toString(static_cast<V1_2::OperationType>(value));
}

std::string toString(ExecutionPreference value) {
  switch (value) {
    NNCERT_NAME(ExecutionPreference, LOW_POWER)
    NNCERT_NAME(ExecutionPreference, FAST_SINGLE_ANSWER)
    NNCERT_NAME(ExecutionPreference, SUSTAINED_SPEED)
  }
  return Unnamed("ExecutionPreference", value);
}

}  // namespace nncert::hal::V1_1

namespace nncert::hal::V1_2 {

std::string toString(OperandType value) {
  switch (value) {
#define NNCERT_OPERAND_TYPE(NAME, ...) NNCERT_NAME(OperandType, NAME)
#include "hal/operand_types.def"
  }
  return Unnamed("OperandType", value);
}

std::string toString(OperationType value) {
  switch (value) {
#define NNCERT_OPERATION(NAME, ...) NNCERT_NAME(OperationType, NAME)
#include "hal/operations.def"
  }
  return Unnamed("OperationType", value);
}

std::string toString(DeviceType value) {
  switch (value) {
    NNCERT_NAME(DeviceType, OTHER)
    NNCERT_NAME(DeviceType, CPU)
    NNCERT_NAME(DeviceType, GPU)
    NNCERT_NAME(DeviceType, ACCELERATOR)
  }
  return Unnamed("DeviceType", value);
}

std::string toString(MeasureTiming value) {
  switch (value) {
    NNCERT_NAME(MeasureTiming, NO)
    NNCERT_NAME(MeasureTiming, YES)
  }
  return Unnamed("MeasureTiming", value);
}

std::string toString(const Operand& value) {
  std::string text = absl::StrCat("{.type = ", toString(value.type),
                                  ", .dimensions = ", dimensionsToString(value.dimensions),
                                  ", .lifetime = ", toString(value.lifetime));
  if (value.numberOfConsumers != 0) {
    absl::StrAppend(&text, ", .numberOfConsumers = ", value.numberOfConsumers);
  }
  if (value.scale != 0) absl::StrAppend(&text, ", .scale = ", value.scale);
  if (value.zeroPoint != 0) absl::StrAppend(&text, ", .zeroPoint = ", value.zeroPoint);
  if (value.location != DataLocation{}) {
    absl::StrAppend(&text, ", .location = ", toString(value.location));
  }
  if (const auto* quantization = std::get_if<SymmPerChannelQuantParams>(&value.extraParams)) {
    absl::StrAppend(&text, ", .extraParams.channelQuant = {.scales = [",
                    absl::StrJoin(quantization->scales, ", "),
                    "], .channelDim = ", quantization->channelDim, "}");
  } else if (const auto* extension = std::get_if<std::vector<uint8_t>>(&value.extraParams)) {
    absl::StrAppend(&text, ", .extraParams.extension = ", extension->size(), " bytes");
  }
  return text + "}";
}

std::string toString(const Operation& value) {
  return absl::StrCat(toString(value.type), "(", absl::StrJoin(value.inputs, ", "), ") -> (",
                      absl::StrJoin(value.outputs, ", "), ")");
}

std::string toString(const OutputShape& value) {
  return absl::StrCat("{.dimensions = ", dimensionsToString(value.dimensions),
                      ", .isSufficient = ", BoolToString(value.isSufficient), "}");
}

std::string toString(const Timing& value) {
  return absl::StrCat("{.timeOnDevice = ", TimeToString(value.timeOnDevice),
                      ", .timeInDriver = ", TimeToString(value.timeInDriver), "}");
}

}  // namespace nncert::hal::V1_2

#undef NNCERT_NAME
