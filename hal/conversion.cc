// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/conversion.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "glog/logging.h"
#include "hal/capabilities.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "hal/validate.h"

namespace nncert::hal {
namespace {

// Types that, before 1.2, perform as TENSOR_QUANT8_ASYMM does.
constexpr auto kAsQuantized8 = std::to_array<V1_2::OperandType>(
    {V1_2::OperandType::INT32, V1_2::OperandType::UINT32, V1_2::OperandType::TENSOR_INT32,
     V1_2::OperandType::OEM, V1_2::OperandType::TENSOR_OEM_BYTE});

bool AreUniformWithinQuantizedAndFloat(const V1_2::Capabilities& capabilities) {
  const auto& performance = capabilities.operandPerformance;
  const V1_2::PerformanceInfo quantized8 =
      lookup(performance, V1_2::OperandType::TENSOR_QUANT8_ASYMM);
  return std::all_of(
             kAsQuantized8.begin(), kAsQuantized8.end(),
             [&](V1_2::OperandType type) { return lookup(performance, type) == quantized8; }) &&
         lookup(performance, V1_2::OperandType::TENSOR_FLOAT32) ==
             lookup(performance, V1_2::OperandType::FLOAT32) &&
         capabilities.relaxedFloat32toFloat16PerformanceTensor ==
             capabilities.relaxedFloat32toFloat16PerformanceScalar;
}

void WarnOfLoss(const char* what, HalVersion version) {
  LOG(WARNING) << "this " << what << " has no exact equivalent in HAL " << version
               << ": information is lost";
}

// An operation, operand or the like of another version by the same fields.
template <typename ToOperation, typename FromOperation>
ToOperation ConvertOperation(const FromOperation& operation) {
  return {.type = static_cast<decltype(ToOperation::type)>(operation.type),
          .inputs = operation.inputs,
          .outputs = operation.outputs};
}

template <typename ToOperand, typename FromOperand>
ToOperand ConvertOperand(const FromOperand& operand) {
  ToOperand result;
  result.type = static_cast<decltype(ToOperand::type)>(operand.type);
  result.dimensions = operand.dimensions;
  result.numberOfConsumers = operand.numberOfConsumers;
  result.scale = operand.scale;
  result.zeroPoint = operand.zeroPoint;
  result.lifetime = operand.lifetime;
  result.location = operand.location;
  return result;
}

// The fields that models of every version have.
template <typename ToModel, typename FromModel>
ToModel ConvertModel(const FromModel& model) {
  using ToOperand = typename decltype(ToModel::operands)::value_type;
  using FromOperand = typename decltype(FromModel::operands)::value_type;
  using ToOperation = typename decltype(ToModel::operations)::value_type;
  ToModel result;
  if constexpr (std::is_same_v<ToOperand, FromOperand>) {
    result.operands = model.operands;
  } else {
    result.operands.reserve(model.operands.size());
    for (const auto& operand : model.operands) {
      result.operands.push_back(ConvertOperand<ToOperand>(operand));
    }
  }
  result.operations.reserve(model.operations.size());
  for (const auto& operation : model.operations) {
    result.operations.push_back(ConvertOperation<ToOperation>(operation));
  }
  result.inputIndexes = model.inputIndexes;
  result.outputIndexes = model.outputIndexes;
  result.operandValues = model.operandValues;
  result.pools = model.pools;
  return result;
}

V1_2::Capabilities CapabilitiesOf(const V1_2::PerformanceInfo& float32,
                                  const V1_2::PerformanceInfo& quantized8,
                                  const V1_2::PerformanceInfo& relaxed) {
  V1_2::Capabilities result = {.relaxedFloat32toFloat16PerformanceScalar = relaxed,
                               .relaxedFloat32toFloat16PerformanceTensor = relaxed,
                               .operandPerformance = {}};
  update(&result.operandPerformance, V1_2::OperandType::FLOAT32, float32);
  update(&result.operandPerformance, V1_2::OperandType::TENSOR_FLOAT32, float32);
  update(&result.operandPerformance, V1_2::OperandType::TENSOR_QUANT8_ASYMM, quantized8);
  for (const V1_2::OperandType type : kAsQuantized8) {
    update(&result.operandPerformance, type, quantized8);
  }
  return result;
}

}  // namespace

bool compliantWith(HalVersion version, V1_2::OperandType type) {
  return isOperandTypeOf(version, type);
}

bool compliantWith(HalVersion version, V1_2::OperationType type) {
  return isOperationTypeOf(version, type);
}

bool compliantWith(HalVersion version, const V1_2::Operand& operand) {
  if (!isOperandTypeOf(version, operand.type)) return false;
  if (version >= HalVersion::V1_2) return true;
  return (nonExtensionOperandTypeIsScalar(operand.type) || !operand.dimensions.empty()) &&
         std::holds_alternative<std::monostate>(operand.extraParams);
}

bool compliantWith(HalVersion version, const V1_2::Model& model,
                   std::set<uint32_t>* noncompliantOperations,
                   const OperationPredicate& isAllowed) {
  std::vector<bool> is_compliant(model.operands.size());
  for (size_t i = 0; i < model.operands.size(); ++i) {
    const V1_2::Operand& operand = model.operands[i];
    is_compliant[i] = compliantWith(version, operand);
    if (operand.lifetime == V1_2::OperandLifeTime::CONSTANT_REFERENCE) {
      const uint32_t pool = operand.location.poolIndex;
      is_compliant[i] = is_compliant[i] && pool < model.pools.size() &&
                        validatePool(model.pools[pool], version).ok();
    }
  }
  const auto are_compliant = [&](const std::vector<uint32_t>& indexes) {
    return std::all_of(indexes.begin(), indexes.end(), [&](uint32_t index) {
      return index < is_compliant.size() && is_compliant[index];
    });
  };
  bool all = true;
  for (uint32_t i = 0; i < model.operations.size(); ++i) {
    const V1_2::Operation& operation = model.operations[i];
    if (compliantWith(version, operation.type) && are_compliant(operation.inputs) &&
        are_compliant(operation.outputs) &&
        (isAllowed == nullptr || isAllowed(model, i, version))) {
      continue;
    }
    all = false;
    if (noncompliantOperations == nullptr) break;
    noncompliantOperations->insert(i);
  }
  return all;
}

bool compliantWithV1_0(const V1_2::Model& model, std::set<uint32_t>* noncompliantOperations,
                       const OperationPredicate& isAllowed) {
  return compliantWith(HalVersion::V1_0, model, noncompliantOperations, isAllowed);
}

bool compliantWithV1_1(const V1_2::Model& model, std::set<uint32_t>* noncompliantOperations,
                       const OperationPredicate& isAllowed) {
  return compliantWith(HalVersion::V1_1, model, noncompliantOperations, isAllowed);
}

bool compliantWithV1_0(const V1_1::Model& model, std::set<uint32_t>* noncompliantOperations,
                       const OperationPredicate& isAllowed) {
  return compliantWithV1_0(convertToV1_2(model), noncompliantOperations, isAllowed);
}

bool compliantWithV1_0(const V1_1::Capabilities& capabilities) {
  return capabilities.relaxedFloat32toFloat16Performance == capabilities.float32Performance;
}

bool compliantWithV1_0(const V1_2::Capabilities& capabilities) {
  return AreUniformWithinQuantizedAndFloat(capabilities) &&
         capabilities.relaxedFloat32toFloat16PerformanceTensor ==
             lookup(capabilities.operandPerformance, V1_2::OperandType::TENSOR_FLOAT32);
}

bool compliantWithV1_1(const V1_2::Capabilities& capabilities) {
  return AreUniformWithinQuantizedAndFloat(capabilities);
}

V1_0::OperandType convertToV1_0(V1_2::OperandType type) {
  if (!compliantWith(HalVersion::V1_0, type)) WarnOfLoss("operand type", HalVersion::V1_0);
  return static_cast<V1_0::OperandType>(type);
}

V1_2::OperandType convertToV1_2(V1_0::OperandType type) {
  return static_cast<V1_2::OperandType>(type);
}

V1_0::OperationType convertToV1_0(V1_1::OperationType type) {
  return convertToV1_0(convertToV1_2(type));
}

V1_0::OperationType convertToV1_0(V1_2::OperationType type) {
  if (!compliantWith(HalVersion::V1_0, type)) WarnOfLoss("operation type", HalVersion::V1_0);
  return static_cast<V1_0::OperationType>(type);
}

V1_1::OperationType convertToV1_1(V1_0::OperationType type) {
  return static_cast<V1_1::OperationType>(type);
}

V1_1::OperationType convertToV1_1(V1_2::OperationType type) {
  if (!compliantWith(HalVersion::V1_1, type)) WarnOfLoss("operation type", HalVersion::V1_1);
  return static_cast<V1_1::OperationType>(type);
}

V1_2::OperationType convertToV1_2(V1_0::OperationType type) {
  return static_cast<V1_2::OperationType>(type);
}

V1_2::OperationType convertToV1_2(V1_1::OperationType type) {
  return static_cast<V1_2::OperationType>(type);
}

V1_0::Operand convertToV1_0(const V1_2::Operand& operand) {
  if (!compliantWith(HalVersion::V1_0, operand)) WarnOfLoss("operand", HalVersion::V1_0);
  return ConvertOperand<V1_0::Operand>(operand);
}

V1_2::Operand convertToV1_2(const V1_0::Operand& operand) {
  return ConvertOperand<V1_2::Operand>(operand);
}

V1_0::Operation convertToV1_0(const V1_2::Operation& operation) {
  if (!compliantWith(HalVersion::V1_0, operation.type)) WarnOfLoss("operation", HalVersion::V1_0);
  return ConvertOperation<V1_0::Operation>(operation);
}

V1_1::Operation convertToV1_1(const V1_2::Operation& operation) {
  if (!compliantWith(HalVersion::V1_1, operation.type)) WarnOfLoss("operation", HalVersion::V1_1);
  return ConvertOperation<V1_1::Operation>(operation);
}

V1_2::Operation convertToV1_2(const V1_0::Operation& operation) {
  return ConvertOperation<V1_2::Operation>(operation);
}

V1_2::Operation convertToV1_2(const V1_1::Operation& operation) {
  return ConvertOperation<V1_2::Operation>(operation);
}

V1_0::Model convertToV1_0(const V1_1::Model& model) {
  if (!compliantWithV1_0(model)) WarnOfLoss("model", HalVersion::V1_0);
  return ConvertModel<V1_0::Model>(model);
}

V1_0::Model convertToV1_0(const V1_2::Model& model, Loss loss) {
  if (loss == Loss::WARNED && !compliantWithV1_0(model)) WarnOfLoss("model", HalVersion::V1_0);
  return ConvertModel<V1_0::Model>(model);
}

V1_1::Model convertToV1_1(const V1_0::Model& model) { return ConvertModel<V1_1::Model>(model); }

V1_1::Model convertToV1_1(const V1_2::Model& model, Loss loss) {
  if (loss == Loss::WARNED && !compliantWithV1_1(model)) WarnOfLoss("model", HalVersion::V1_1);
  V1_1::Model result = ConvertModel<V1_1::Model>(model);
  result.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
  return result;
}

V1_2::Model convertToV1_2(const V1_0::Model& model) { return ConvertModel<V1_2::Model>(model); }

V1_2::Model convertToV1_2(const V1_1::Model& model) {
  V1_2::Model result = ConvertModel<V1_2::Model>(model);
  result.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
  return result;
}

V1_0::Capabilities convertToV1_0(const V1_1::Capabilities& capabilities) {
  if (!compliantWithV1_0(capabilities)) WarnOfLoss("set of capabilities", HalVersion::V1_0);
  return {.float32Performance = capabilities.float32Performance,
          .quantized8Performance = capabilities.quantized8Performance};
}

V1_0::Capabilities convertToV1_0(const V1_2::Capabilities& capabilities) {
  if (!compliantWithV1_0(capabilities)) WarnOfLoss("set of capabilities", HalVersion::V1_0);
  const auto& performance = capabilities.operandPerformance;
  return {.float32Performance = lookup(performance, V1_2::OperandType::TENSOR_FLOAT32),
          .quantized8Performance = lookup(performance, V1_2::OperandType::TENSOR_QUANT8_ASYMM)};
}

V1_1::Capabilities convertToV1_1(const V1_0::Capabilities& capabilities) {
  return {.float32Performance = capabilities.float32Performance,
          .quantized8Performance = capabilities.quantized8Performance,
          .relaxedFloat32toFloat16Performance = capabilities.float32Performance};
}

V1_1::Capabilities convertToV1_1(const V1_2::Capabilities& capabilities) {
  if (!compliantWithV1_1(capabilities)) WarnOfLoss("set of capabilities", HalVersion::V1_1);
  const auto& performance = capabilities.operandPerformance;
  return {
      .float32Performance = lookup(performance, V1_2::OperandType::TENSOR_FLOAT32),
      .quantized8Performance = lookup(performance, V1_2::OperandType::TENSOR_QUANT8_ASYMM),
      .relaxedFloat32toFloat16Performance = capabilities.relaxedFloat32toFloat16PerformanceTensor};
}

V1_2::Capabilities convertToV1_2(const V1_0::Capabilities& capabilities) {
  return CapabilitiesOf(capabilities.float32Performance, capabilities.quantized8Performance,
                        capabilities.float32Performance);
}

V1_2::Capabilities convertToV1_2(const V1_1::Capabilities& capabilities) {
  return CapabilitiesOf(capabilities.float32Performance, capabilities.quantized8Performance,
                        capabilities.relaxedFloat32toFloat16Performance);
}

}  // namespace nncert::hal
