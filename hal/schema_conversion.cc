// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/schema_conversion.h"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hal/memory.h"
#include "hal/schema_values.h"

namespace nncert::hal {
namespace {

#define NNCERT_RETURN_IF_ERROR(expression) \
  if (absl::Status error = (expression); !error.ok()) return error

void WriteLocation(const V1_2::DataLocation& location, schema::DataLocation::Builder builder) {
  builder.setPoolIndex(location.poolIndex);
  builder.setOffset(location.offset);
  builder.setLength(location.length);
}

V1_2::DataLocation ReadLocation(schema::DataLocation::Reader reader) {
  return {.poolIndex = reader.getPoolIndex(),
          .offset = reader.getOffset(),
          .length = reader.getLength()};
}

absl::Status WriteOperand(const V1_2::Operand& operand, schema::Operand::Builder builder) {
  const auto lifetime = static_cast<int32_t>(operand.lifetime);
  if (lifetime < 0 || lifetime > UINT16_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("the lifetime ", lifetime, " cannot be written; expected [0, 65535]"));
  }
  builder.setType(static_cast<uint32_t>(operand.type));
  CopyList(operand.dimensions,
           builder.initDimensions(static_cast<unsigned>(operand.dimensions.size())));
  builder.setNumberOfConsumers(operand.numberOfConsumers);
  builder.setScale(operand.scale);
  builder.setZeroPoint(operand.zeroPoint);
  builder.setLifetime(static_cast<schema::OperandLifeTime>(lifetime));
  if (operand.location != V1_2::DataLocation{}) {
    WriteLocation(operand.location, builder.initLocation());
  }
  if (const auto* params = std::get_if<V1_2::SymmPerChannelQuantParams>(&operand.extraParams)) {
    auto channel_quant = builder.initExtraParams().initChannelQuant();
    CopyList(params->scales,
             channel_quant.initScales(static_cast<unsigned>(params->scales.size())));
    channel_quant.setChannelDim(params->channelDim);
  } else if (const auto* extension = std::get_if<std::vector<uint8_t>>(&operand.extraParams)) {
    builder.initExtraParams().setExtension(ToData(*extension));
  }
  return absl::OkStatus();
}

absl::StatusOr<V1_2::Operand> ReadOperand(schema::Operand::Reader reader) {
  V1_2::Operand operand;
  operand.type = static_cast<V1_2::OperandType>(reader.getType());
  operand.dimensions = ToVector<uint32_t>(reader.getDimensions());
  operand.numberOfConsumers = reader.getNumberOfConsumers();
  operand.scale = reader.getScale();
  operand.zeroPoint = reader.getZeroPoint();
  operand.lifetime = static_cast<V1_2::OperandLifeTime>(reader.getLifetime());
  operand.location = ReadLocation(reader.getLocation());
  const auto extra_params = reader.getExtraParams();
  switch (extra_params.which()) {
    case schema::Operand::ExtraParams::NONE:
      return operand;
    case schema::Operand::ExtraParams::CHANNEL_QUANT: {
      const auto channel_quant = extra_params.getChannelQuant();
      operand.extraParams =
          V1_2::SymmPerChannelQuantParams{.scales = ToVector<float>(channel_quant.getScales()),
                                          .channelDim = channel_quant.getChannelDim()};
      return operand;
    }
    case schema::Operand::ExtraParams::EXTENSION:
      operand.extraParams = ToBytes(extra_params.getExtension());
      return operand;
  }
  return absl::InvalidArgumentError(absl::StrCat("the extra parameters are of the unknown kind ",
                                                 static_cast<int>(extra_params.which())));
}

absl::Status WritePools(absl::Span<const Memory> pools,
                        capnp::List<schema::MemoryPool>::Builder builder) {
  for (size_t i = 0; i < pools.size(); ++i) {
    const absl::StatusOr<Mapping> mapping = pools[i].Map(MemoryAccess::READ_ONLY);
    if (!mapping.ok()) return About(absl::StrCat("pool ", i), mapping.status());
    auto pool = builder[static_cast<unsigned>(i)];
    pool.setName(pools[i].name());
    pool.setContent(ToData(mapping->bytes()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Memory>> ReadPools(capnp::List<schema::MemoryPool>::Reader reader) {
  std::vector<Memory> pools;
  for (const auto pool : reader) {
    const std::string name = ToText(pool.getName());
    const capnp::Data::Reader content = pool.getContent();
    absl::StatusOr<Memory> memory =
        Memory::AllocateCopy(absl::MakeSpan(content.begin(), content.size()),
                             name.empty() ? kAshmem : std::string_view(name));
    if (!memory.ok()) return memory.status();
    pools.push_back(*std::move(memory));
  }
  return pools;
}

void WriteArguments(const std::vector<V1_2::RequestArgument>& arguments,
                    capnp::List<schema::RequestArgument>::Builder builder) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto argument = builder[static_cast<unsigned>(i)];
    argument.setHasNoValue(arguments[i].hasNoValue);
    WriteLocation(arguments[i].location, argument.initLocation());
    CopyList(arguments[i].dimensions,
             argument.initDimensions(static_cast<unsigned>(arguments[i].dimensions.size())));
  }
}

std::vector<V1_2::RequestArgument> ReadArguments(
    capnp::List<schema::RequestArgument>::Reader reader) {
  std::vector<V1_2::RequestArgument> arguments;
  for (const auto argument : reader) {
    arguments.push_back({.hasNoValue = argument.getHasNoValue(),
                         .location = ReadLocation(argument.getLocation()),
                         .dimensions = ToVector<uint32_t>(argument.getDimensions())});
  }
  return arguments;
}

absl::Status WriteModel(const V1_2::Model& model, absl::Span<const Memory> pools,
                        schema::Model::Builder builder) {
  auto operands = builder.initOperands(static_cast<unsigned>(model.operands.size()));
  for (size_t i = 0; i < model.operands.size(); ++i) {
    NNCERT_RETURN_IF_ERROR(WriteOperand(model.operands[i], operands[static_cast<unsigned>(i)]));
  }
  auto operations = builder.initOperations(static_cast<unsigned>(model.operations.size()));
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const V1_2::Operation& from = model.operations[i];
    auto operation = operations[static_cast<unsigned>(i)];
    operation.setType(static_cast<uint32_t>(from.type));
    CopyList(from.inputs, operation.initInputs(static_cast<unsigned>(from.inputs.size())));
    CopyList(from.outputs, operation.initOutputs(static_cast<unsigned>(from.outputs.size())));
  }
  CopyList(model.inputIndexes,
           builder.initInputIndexes(static_cast<unsigned>(model.inputIndexes.size())));
  CopyList(model.outputIndexes,
           builder.initOutputIndexes(static_cast<unsigned>(model.outputIndexes.size())));
  builder.setOperandValues(ToData(model.operandValues));
  NNCERT_RETURN_IF_ERROR(WritePools(pools, builder.initPools(static_cast<unsigned>(pools.size()))));
  builder.setRelaxComputationFloat32toFloat16(model.relaxComputationFloat32toFloat16);
  auto extensions =
      builder.initExtensionNameToPrefix(static_cast<unsigned>(model.extensionNameToPrefix.size()));
  for (size_t i = 0; i < model.extensionNameToPrefix.size(); ++i) {
    auto extension = extensions[static_cast<unsigned>(i)];
    extension.setName(model.extensionNameToPrefix[i].name);
    extension.setPrefix(model.extensionNameToPrefix[i].prefix);
  }
  return absl::OkStatus();
}

absl::StatusOr<V1_2::Model> ReadModel(schema::Model::Reader reader) {
  V1_2::Model model;
  for (const auto from : reader.getOperands()) {
    absl::StatusOr<V1_2::Operand> operand = ReadOperand(from);
    if (!operand.ok()) return operand.status();
    model.operands.push_back(*std::move(operand));
  }
  for (const auto operation : reader.getOperations()) {
    model.operations.push_back({.type = static_cast<V1_2::OperationType>(operation.getType()),
                                .inputs = ToVector<uint32_t>(operation.getInputs()),
                                .outputs = ToVector<uint32_t>(operation.getOutputs())});
  }
  model.inputIndexes = ToVector<uint32_t>(reader.getInputIndexes());
  model.outputIndexes = ToVector<uint32_t>(reader.getOutputIndexes());
  model.operandValues = ToBytes(reader.getOperandValues());
  absl::StatusOr<std::vector<Memory>> pools = ReadPools(reader.getPools());
  if (!pools.ok()) return pools.status();
  model.pools = *std::move(pools);
  model.relaxComputationFloat32toFloat16 = reader.getRelaxComputationFloat32toFloat16();
  for (const auto extension : reader.getExtensionNameToPrefix()) {
    model.extensionNameToPrefix.push_back(
        {.name = ToText(extension.getName()), .prefix = extension.getPrefix()});
  }
  return model;
}

}  // namespace

absl::Status ToSchema(const V1_2::Model& model, schema::Model::Builder builder) {
  return WithoutExceptions([&] { return WriteModel(model, model.pools, builder); });
}

absl::Status ToSchemaWithoutPools(const V1_2::Model& model, schema::Model::Builder builder) {
  return WithoutExceptions([&] { return WriteModel(model, {}, builder); });
}

absl::Status ToSchema(const V1_2::Request& request, schema::Request::Builder builder) {
  return WithoutExceptions([&]() -> absl::Status {
    WriteArguments(request.inputs,
                   builder.initInputs(static_cast<unsigned>(request.inputs.size())));
    WriteArguments(request.outputs,
                   builder.initOutputs(static_cast<unsigned>(request.outputs.size())));
    return WritePools(request.pools,
                      builder.initPools(static_cast<unsigned>(request.pools.size())));
  });
}

absl::StatusOr<V1_2::Model> FromSchema(schema::Model::Reader reader) {
  return WithoutExceptions([&] { return ReadModel(reader); });
}

absl::StatusOr<V1_2::Request> FromSchema(schema::Request::Reader reader) {
  return WithoutExceptions([&]() -> absl::StatusOr<V1_2::Request> {
    V1_2::Request request;
    request.inputs = ReadArguments(reader.getInputs());
    request.outputs = ReadArguments(reader.getOutputs());
    absl::StatusOr<std::vector<Memory>> pools = ReadPools(reader.getPools());
    if (!pools.ok()) return pools.status();
    request.pools = *std::move(pools);
    return request;
  });
}

#undef NNCERT_RETURN_IF_ERROR

}  // namespace nncert::hal
