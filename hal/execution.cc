// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/execution.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert::hal {
namespace {

const std::vector<uint32_t>& KnownDimensions(const V1_2::RequestArgument& argument,
                                             const V1_2::Operand& operand) {
  return argument.dimensions.empty() ? operand.dimensions : argument.dimensions;
}

}  // namespace

absl::StatusOr<Execution> Execution::Open(const V1_2::Request& request, const V1_2::Model& model) {
  Execution execution;
  std::vector<MemoryAccess> access(request.pools.size(), MemoryAccess::READ_ONLY);
  for (const V1_2::RequestArgument& output : request.outputs) {
    if (!output.hasNoValue) access[output.location.poolIndex] = MemoryAccess::READ_WRITE;
  }
  execution.mappings_.reserve(request.pools.size());
  execution.inputs_.reserve(request.inputs.size());
  execution.outputs_.reserve(request.outputs.size());
  for (size_t i = 0; i < request.pools.size(); ++i) {
    absl::StatusOr<Mapping> mapping = request.pools[i].Map(access[i]);
    if (!mapping.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("request pool ", i, ": ", mapping.status().message()));
    }
    execution.mappings_.push_back(*std::move(mapping));
  }
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const V1_2::RequestArgument& argument = request.inputs[i];
    const V1_2::Operand& operand = model.operands[model.inputIndexes[i]];
    Input& input = execution.inputs_.emplace_back();
    input.is_omitted = argument.hasNoValue;
    if (argument.hasNoValue) continue;
    input.dimensions = KnownDimensions(argument, operand);
    input.bytes = execution.mappings_[argument.location.poolIndex].bytes().subspan(
        argument.location.offset, argument.location.length);
    if (!isExtensionOperandType(operand.type) && !isOemOperandType(operand.type)) {
      const std::optional<uint64_t> size = nonExtensionSizeOfData(operand.type, input.dimensions);
      if (size.has_value() && *size < input.bytes.size()) {
        input.bytes = input.bytes.subspan(0, static_cast<size_t>(*size));
      }
    }
  }
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    const V1_2::RequestArgument& argument = request.outputs[i];
    Output& output = execution.outputs_.emplace_back();
    output.is_omitted = argument.hasNoValue;
    output.dimensions = KnownDimensions(argument, model.operands[model.outputIndexes[i]]);
    if (argument.hasNoValue) continue;
    output.buffer = execution.mappings_[argument.location.poolIndex].bytes().subspan(
        argument.location.offset, argument.location.length);
  }
  return execution;
}

bool Execution::setOutputShape(size_t output, const std::vector<uint32_t>& dimensions,
                               size_t bytes) {
  Output& target = outputs_.at(output);
  target.is_set = true;
  // An output that the client does not want is as good as stored, but nothing is stored.
  target.shape = {.dimensions = dimensions,
                  .isSufficient = target.is_omitted || bytes <= target.buffer.size()};
  return !target.is_omitted && target.shape.isSufficient;
}

uint64_t Execution::timeOnDeviceInMicroseconds() const {
  if (time_on_device_ == absl::InfiniteDuration()) return std::numeric_limits<uint64_t>::max();
  return static_cast<uint64_t>(std::max<int64_t>(0, absl::ToInt64Microseconds(time_on_device_)));
}

absl::StatusOr<std::vector<V1_2::OutputShape>> Execution::outputShapes() const {
  std::vector<V1_2::OutputShape> shapes;
  shapes.reserve(outputs_.size());
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].is_set) {
      return absl::InternalError(absl::StrCat("the driver has not written output ", i));
    }
    shapes.push_back(outputs_[i].shape);
  }
  return shapes;
}

absl::StatusOr<std::vector<uint8_t>> constantBytes(const V1_2::Model& model,
                                                   uint32_t operandIndex) {
  if (operandIndex >= model.operands.size()) {
    return absl::InvalidArgumentError(absl::StrCat("there is no operand ", operandIndex,
                                                   "; the model has ", model.operands.size()));
  }
  const V1_2::Operand& operand = model.operands[operandIndex];
  Mapping mapping;
  absl::Span<const uint8_t> pool;
  if (operand.lifetime == V1_2::OperandLifeTime::CONSTANT_COPY) {
    pool = model.operandValues;
  } else if (operand.lifetime == V1_2::OperandLifeTime::CONSTANT_REFERENCE) {
    if (operand.location.poolIndex >= model.pools.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("operand ", operandIndex, " lies in pool ", operand.location.poolIndex,
                       "; the model has ", model.pools.size(), " pools: ", toString(operand)));
    }
    absl::StatusOr<Mapping> mapped =
        model.pools[operand.location.poolIndex].Map(MemoryAccess::READ_ONLY);
    if (!mapped.ok()) return mapped.status();
    mapping = *std::move(mapped);
    pool = mapping.bytes();
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("operand ", operandIndex, " is not a constant: ", toString(operand)));
  }
  if (uint64_t{operand.location.offset} + operand.location.length > pool.size()) {
    return absl::InvalidArgumentError(absl::StrCat("operand ", operandIndex, " lies outside of ",
                                                   "its pool of ", pool.size(),
                                                   " bytes: ", toString(operand)));
  }
  const auto bytes = pool.subspan(operand.location.offset, operand.location.length);
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

}  // namespace nncert::hal
