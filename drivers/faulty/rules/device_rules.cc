// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about what a device says of itself, and about models of operations and operand types that
// are not the HAL's.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "drivers/faulty/rules/rule.h"
#include "hal/extension.h"
#include "hal/utils.h"

namespace nncert::faulty {
namespace {

using hal::V1_2::Model;

// No type of the HAL but those of OEMs has a greater number.
constexpr uint16_t kGreatestNumber = 0xff;

// The answer, if it is one of this type.
template <typename Answer>
Answer* As(DeviceAnswer answer) {
  Answer* const* const found = std::get_if<Answer*>(&answer);
  return found == nullptr ? nullptr : *found;
}

// Whether a type is one of the extension that the model lists, which is a single one, and has a
// number as the HAL's have.
template <typename Type>
bool IsOfExtension(const Model& model, Type type, bool is_near) {
  if (model.extensionNameToPrefix.size() != 1) return false;
  const uint16_t prefix = model.extensionNameToPrefix.front().prefix;
  return prefix != 0 && prefix == hal::extensionPrefix(type) &&
         (hal::typeWithinExtension(type) <= kGreatestNumber) == is_near;
}

bool HasExtensionOperation(const Model& model, bool is_near) {
  return !model.operations.empty() && IsOfExtension(model, model.operations.front().type, is_near);
}

// Whether an operand of a model of the HAL's operations is of such a type.
bool HasExtensionOperand(const Model& model, bool is_near) {
  if (model.operations.empty()) return false;
  if (hal::isExtensionOperationType(model.operations.front().type)) return false;
  return std::any_of(model.operands.begin(), model.operands.end(), [&](const auto& operand) {
    return IsOfExtension(model, operand.type, is_near);
  });
}

bool HasOemOperand(const Model& model) {
  return std::any_of(model.operands.begin(), model.operands.end(), [](const auto& operand) {
    return operand.type == hal::V1_2::OperandType::TENSOR_OEM_BYTE;
  });
}

// Whether the model is one of the HAL's types alone, and lists a single extension all the same.
bool ListsUnusedExtension(const Model& model) {
  return model.extensionNameToPrefix.size() == 1 &&
         model.extensionNameToPrefix.front().prefix != 0 && hal::extensionsUsed(model).empty();
}

Treatment SupportedIf(bool holds) { return holds ? Treatment::kSupported : Treatment::kAsItIs; }

constexpr Rule kRules[] = {
    {.name = "status_busy_later",
     .fault_class = FaultClass::kDevice,
     .breaks = "Says that the device is BUSY from the second time on that it is asked.",
     .about_device =
         [](DeviceAnswer answer, uint64_t count) {
           auto* const status = As<hal::V1_0::DeviceStatus>(answer);
           if (status != nullptr && count >= 1) *status = hal::V1_0::DeviceStatus::BUSY;
         },
     .passes = true},
    {.name = "performance_zero",
     .fault_class = FaultClass::kDevice,
     .breaks = "Gives an execTime of 0 in getCapabilities.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           auto* const capabilities = As<hal::V1_0::Capabilities>(answer);
           if (capabilities != nullptr) capabilities->float32Performance.execTime = 0;
         },
     .passes = true},
    {.name = "performance_1_1_negative",
     .fault_class = FaultClass::kDevice,
     .breaks = "Gives a negative powerUsage for relaxed execution in getCapabilities_1_1.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           auto* const capabilities = As<hal::V1_1::Capabilities>(answer);
           if (capabilities != nullptr) {
             capabilities->relaxedFloat32toFloat16Performance.powerUsage = -1;
           }
         },
     .passes = true},
    {.name = "performance_1_2_infinite",
     .fault_class = FaultClass::kDevice,
     .breaks = "Gives an infinite execTime for relaxed tensors in getCapabilities_1_2.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           auto* const capabilities = As<hal::V1_2::Capabilities>(answer);
           if (capabilities != nullptr) {
             capabilities->relaxedFloat32toFloat16PerformanceTensor.execTime =
                 std::numeric_limits<float>::infinity();
           }
         },
     .passes = true},
    {.name = "operand_performance_zero",
     .fault_class = FaultClass::kDevice,
     .breaks = "Gives an execTime of 0 for the last operand type.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           auto* const capabilities = As<hal::V1_2::Capabilities>(answer);
           if (capabilities != nullptr) capabilities->operandPerformance.back().info.execTime = 0;
         },
     .passes = true},
    {.name = "operand_performance_unsorted",
     .fault_class = FaultClass::kDevice,
     .breaks = "Gives the figures of the first two operand types in the wrong order.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           auto* const capabilities = As<hal::V1_2::Capabilities>(answer);
           if (capabilities == nullptr) return;
           std::swap(capabilities->operandPerformance[0], capabilities->operandPerformance[1]);
         },
     .passes = true},
    {.name = "version_empty",
     .fault_class = FaultClass::kDevice,
     .breaks = "Gives an empty version string.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           if (auto* const version = As<std::string>(answer)) version->clear();
         },
     .passes = true},
    {.name = "type_unknown",
     .fault_class = FaultClass::kDevice,
     .breaks = "Is of a type that there is not.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           auto* const type = As<hal::V1_2::DeviceType>(answer);
           if (type != nullptr) *type = static_cast<hal::V1_2::DeviceType>(0);
         },
     .passes = true},
    {.name = "extension_name",
     .fault_class = FaultClass::kDevice,
     .breaks = "Lists an extension whose name has no dot.",
     .about_device =
         [](DeviceAnswer answer, uint64_t /*count*/) {
           auto* const extensions = As<std::vector<hal::V1_2::Extension>>(answer);
           if (extensions != nullptr)
             extensions->push_back({.name = "fibonacci", .operandTypes = {}});
         },
     .passes = true},
    {.name = "version_changes",
     .fault_class = FaultClass::kDevice,
     .breaks = "Gives another version string every time.",
     .about_device =
         [](DeviceAnswer answer, uint64_t count) {
           if (auto* const version = As<std::string>(answer)) absl::StrAppend(version, count);
         },
     .passes = true},
    {.name = "any_extension_operation",
     .fault_class = FaultClass::kDevice,
     .breaks = "Takes an operation of an extension that it does not know for one that it has.",
     .treats = [](const Model& model) { return SupportedIf(HasExtensionOperation(model, false)); },
     .passes = true},
    {.name = "operation_prefix_ignored",
     .fault_class = FaultClass::kDevice,
     .breaks = "Takes an operation of an extension for the HAL's of the same number.",
     .treats = [](const Model& model) { return SupportedIf(HasExtensionOperation(model, true)); },
     .passes = true},
    {.name = "any_extension_operand",
     .fault_class = FaultClass::kDevice,
     .breaks = "Takes operands of an extension that it does not know.",
     .treats = [](const Model& model) { return SupportedIf(HasExtensionOperand(model, false)); },
     .passes = true},
    {.name = "operand_prefix_ignored",
     .fault_class = FaultClass::kDevice,
     .breaks = "Takes an operand type of an extension for the HAL's of the same number.",
     .treats = [](const Model& model) { return SupportedIf(HasExtensionOperand(model, true)); },
     .passes = true},
    {.name = "unused_extension_refused",
     .fault_class = FaultClass::kDevice,
     .breaks = "Does not support models that list an extension and do not use it.",
     .treats =
         [](const Model& model) {
           return ListsUnusedExtension(model) ? Treatment::kUnsupported : Treatment::kAsItIs;
         },
     .passes = true},
    {.name = "oem_operation_prepared",
     .fault_class = FaultClass::kDevice,
     .breaks = "Prepares OEM_OPERATION, which it says that it does not support.",
     .treats =
         [](const Model& model) {
           return !model.operations.empty() &&
                          hal::isOemOperationType(model.operations.front().type)
                      ? Treatment::kPrepared
                      : Treatment::kAsItIs;
         },
     .passes = true},
    {.name = "oem_operand_supported",
     .fault_class = FaultClass::kDevice,
     .breaks = "Takes a TENSOR_OEM_BYTE for any tensor.",
     .treats = [](const Model& model) { return SupportedIf(HasOemOperand(model)); },
     .passes = true},
};

}  // namespace

absl::Span<const Rule> DeviceRules() { return kRules; }

}  // namespace nncert::faulty
