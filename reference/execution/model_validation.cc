// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/model_validation.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "hal/validate.h"
#include "reference/catalogue.h"
#include "reference/extension.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::Operation;

// Whether bytes of a constant of an extension's type are as many as its dimensions say.
absl::Status CheckExtensionConstant(const Operand& operand, const ExtensionOperandType& type) {
  if (HasUnknownDimensions(operand)) {
    return absl::InvalidArgumentError(absl::StrCat("a constant has the dimensions ",
                                                   ShapeToString(operand.dimensions),
                                                   "; expected every one to be known"));
  }
  const uint64_t count = NumberOfElements(operand.dimensions);
  if (count <= kLargestTensorElements && count * type.byte_size() == operand.location.length) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the constant has ", operand.location.length, " bytes; expected ", type.byte_size(),
      " for each element of dimensions ", ShapeToString(operand.dimensions)));
}

// Checks what the HAL leaves to whoever knows the extension, and reads the extension's parameters.
absl::Status ReadExtensionOperand(const Operand& operand, const ExtensionOperandType& type,
                                  OperandInfo& info) {
  if (!type.is_tensor && !operand.dimensions.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a scalar has the dimensions ", ShapeToString(operand.dimensions), "; expected none"));
  }
  if (const auto* params = std::get_if<std::vector<uint8_t>>(&operand.extraParams)) {
    info.extensionParams = *params;
  }
  if (type.interpret != nullptr) {
    if (absl::Status status = type.interpret(info.extensionParams, info); !status.ok()) {
      return status;
    }
  } else if (!info.extensionParams.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("extraParams has ", info.extensionParams.size(),
                                                   " bytes; expected none for this type"));
  }
  return hal::isConstant(operand.lifetime) ? CheckExtensionConstant(operand, type)
                                           : absl::OkStatus();
}

// Whether everything that the shape function reads is known from the model.
bool IsShapeDecided(const OperationContext& context) {
  const std::vector<OperandRule>& rules = context.definition().signature.inputs;
  for (int slot = 0; slot < static_cast<int>(rules.size()); ++slot) {
    if (!context.IsShapeKnown(slot)) return false;
    if (rules[slot].is_parameter() && !context.IsValueKnown(slot)) return false;
  }
  return true;
}

// The model in the catalogue's numbering: itself, or `renumbered` where it uses extensions.
const Model& InCatalogueNumbers(const Model& model, std::optional<Model>& renumbered) {
  if (model.extensionNameToPrefix.empty()) return model;
  return renumbered.emplace(WithCataloguePrefixes(model));
}

absl::Status WithOperation(size_t index, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("operation ", index, ": ", status.message()));
}

}  // namespace

OperandInfo InfoOf(const Operand& operand) {
  OperandInfo info = {.type = operand.type,
                      .dimensions = Shape(operand.dimensions.begin(), operand.dimensions.end()),
                      .scale = operand.scale,
                      .zeroPoint = operand.zeroPoint,
                      .channelScales = {},
                      .extensionParams = {}};
  if (const auto* quantization =
          std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&operand.extraParams)) {
    info.channelScales = quantization->scales;
    info.channelDim = quantization->channelDim;
  }
  return info;
}

absl::StatusOr<ModelOperands> OperandsOf(const Model& model) {
  ModelOperands operands;
  for (const hal::Memory& pool : model.pools) {
    absl::StatusOr<hal::Mapping> mapping = pool.Map(hal::MemoryAccess::READ_ONLY);
    if (!mapping.ok()) return mapping.status();
    operands.pools.push_back(*std::move(mapping));
  }
  operands.infos.reserve(model.operands.size());
  operands.constants.reserve(model.operands.size());
  for (size_t i = 0; i < model.operands.size(); ++i) {
    const Operand& operand = model.operands[i];
    const uint8_t* data = nullptr;
    if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
      data = model.operandValues.data() + operand.location.offset;
    } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
      data = operands.pools[operand.location.poolIndex].data() + operand.location.offset;
    }
    OperandInfo& info = operands.infos.emplace_back(InfoOf(operand));
    if (const ExtensionOperandType* type = FindExtensionOperandType(operand.type)) {
      if (absl::Status status = ReadExtensionOperand(operand, *type, info); !status.ok()) {
        return absl::Status(status.code(), absl::StrCat("operand ", i, ", ", NameOf(operand.type),
                                                        ": ", status.message()));
      }
    }
    operands.constants.push_back(reinterpret_cast<const std::byte*>(data));
  }
  return operands;
}

OperationOperands StatesOf(const Operation& operation, const Model& model,
                           absl::Span<const OperandInfo> infos,
                           absl::Span<const std::byte* const> constants) {
  OperationOperands states;
  for (const uint32_t operand : operation.inputs) {
    states.inputs.push_back({&infos[operand], operand,
                             model.operands[operand].lifetime == OperandLifeTime::NO_VALUE,
                             constants.empty() ? nullptr : constants[operand]});
  }
  for (const uint32_t operand : operation.outputs) {
    states.outputs.push_back({&infos[operand], operand, false, nullptr});
  }
  return states;
}

absl::StatusOr<SlotBindings> ValidateOperation(const Model& model, size_t operation_index,
                                               HalVersion version,
                                               absl::Span<const OperandInfo> infos,
                                               absl::Span<const std::byte* const> constants) {
  const Operation& operation = model.operations[operation_index];
  const OperationDefinition* definition = FindOperation(operation.type);
  if (definition == nullptr) {
    return absl::UnimplementedError(absl::StrCat("operation ", operation_index,
                                                 ": the catalogue has no ",
                                                 OperationName(model, operation.type)));
  }
  const OperationOperands states = StatesOf(operation, model, infos, constants);
  absl::StatusOr<SlotBindings> bindings =
      MatchSignature(*definition, version, states.inputs, states.outputs);
  if (!bindings.ok()) return WithOperation(operation_index, bindings.status());
  const OperationContext context(*definition, Stage::kModel, version, *bindings, states.inputs,
                                 states.outputs);
  if (absl::Status status = CheckConstraints(context); !status.ok()) {
    return WithOperation(operation_index, status);
  }
  if (definition->shape != nullptr && IsShapeDecided(context)) {
    std::vector<Shape> shapes(operation.outputs.size());
    absl::Status status = definition->shape(context, shapes);
    for (size_t i = 0; i < shapes.size() && status.ok(); ++i) {
      status = CheckDeclaredDimensions(infos[operation.outputs[i]].dimensions, shapes[i]);
      if (!status.ok()) {
        status =
            absl::InvalidArgumentError(absl::StrCat(definition->name(), " output ", i, " (operand ",
                                                    operation.outputs[i], "): ", status.message()));
      }
    }
    if (!status.ok()) return WithOperation(operation_index, status);
  }
  return bindings;
}

absl::Status ValidateModel(const Model& stated_model, HalVersion version) {
  if (absl::Status status = hal::validateModelStructure(stated_model, version); !status.ok()) {
    return status;
  }
  std::optional<Model> renumbered;
  const Model& model = InCatalogueNumbers(stated_model, renumbered);
  const absl::StatusOr<ModelOperands> operands = OperandsOf(model);
  if (!operands.ok()) return operands.status();
  for (size_t i = 0; i < model.operations.size(); ++i) {
    absl::StatusOr<SlotBindings> bindings =
        ValidateOperation(model, i, version, operands->infos, operands->constants);
    if (!bindings.ok() && !absl::IsUnimplemented(bindings.status())) return bindings.status();
  }
  return absl::OkStatus();
}

absl::Status ValidateOmittedInputs(const Model& stated_model, const hal::V1_0::Request& request,
                                   HalVersion version) {
  const auto is_omitted = [](const auto& argument) { return argument.hasNoValue; };
  if (std::none_of(request.inputs.begin(), request.inputs.end(), is_omitted)) {
    return absl::OkStatus();
  }
  std::optional<Model> renumbered;
  const Model& model = InCatalogueNumbers(stated_model, renumbered);
  const absl::StatusOr<ModelOperands> operands = OperandsOf(model);
  if (!operands.ok()) return operands.status();
  // The values of constants, which may be many, stay where they are.
  Model graph;
  graph.operands = model.operands;
  graph.operations = model.operations;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    Operand& operand = graph.operands[model.inputIndexes[i]];
    if (request.inputs[i].hasNoValue) operand.lifetime = OperandLifeTime::NO_VALUE;
  }
  for (size_t i = 0; i < graph.operations.size(); ++i) {
    const absl::Status status =
        ValidateOperation(graph, i, version, operands->infos, operands->constants).status();
    if (status.ok() || absl::IsUnimplemented(status)) continue;
    return absl::Status(status.code(),
                        absl::StrCat("with the inputs that are omitted: ", status.message()));
  }
  return absl::OkStatus();
}

bool IsCompliantWith(const Model& stated_model, HalVersion version,
                     std::set<uint32_t>* noncompliant) {
  bool is_compliant = hal::validateModelStructure(stated_model, version).ok();
  // A model that is invalid in itself complies with nothing, and must not be looked into.
  if (!is_compliant && !hal::validateModelStructure(stated_model, HalVersion::V1_2).ok()) {
    return false;
  }
  std::optional<Model> renumbered;
  const Model& model = InCatalogueNumbers(stated_model, renumbered);
  const absl::StatusOr<ModelOperands> operands = OperandsOf(model);
  if (!operands.ok()) return false;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    // Every version has it, and its rules are the vendor's.
    if (hal::isOemOperationType(model.operations[i].type)) continue;
    if (ValidateOperation(model, i, version, operands->infos, operands->constants).ok()) continue;
    is_compliant = false;
    if (noncompliant != nullptr) noncompliant->insert(static_cast<uint32_t>(i));
  }
  return is_compliant;
}

absl::Status CheckDeclaredDimensions(absl::Span<const uint32_t> declared,
                                     absl::Span<const uint32_t> found) {
  if (declared.empty()) return absl::OkStatus();
  bool fits = declared.size() == found.size();
  for (size_t i = 0; i < declared.size() && fits; ++i)
    fits = declared[i] == 0 || declared[i] == found[i];
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("dimensions are ", ShapeToString(found),
                                                 "; the model declares ", ShapeToString(declared)));
}

}  // namespace nncert
