// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/model_values.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hal/memory.h"
#include "hal/to_string.h"

namespace nncert {

using hal::V1_2::Model;

absl::Status CheckOperandIndexes(const Model& model) {
  const auto check = [&](absl::string_view where, const std::vector<uint32_t>& indexes) {
    for (const uint32_t index : indexes) {
      if (index < model.operands.size()) continue;
      return absl::OutOfRangeError(absl::StrCat(where, " refer to operand ", index,
                                                "; the model has ", model.operands.size()));
    }
    return absl::OkStatus();
  };
  absl::Status status = check("the model's inputs", model.inputIndexes);
  status.Update(check("the model's outputs", model.outputIndexes));
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const std::string operation = absl::StrCat("operation ", i);
    status.Update(check(operation + "'s inputs", model.operations[i].inputs));
    status.Update(check(operation + "'s outputs", model.operations[i].outputs));
  }
  return status;
}

std::vector<uint32_t> CountConsumers(const Model& model) {
  std::vector<uint32_t> consumers(model.operands.size());
  for (const hal::V1_2::Operation& operation : model.operations) {
    for (const uint32_t input : operation.inputs) ++consumers[input];
  }
  return consumers;
}

absl::StatusOr<std::vector<uint8_t>> ConstantValue(const Model& model, uint32_t index) {
  const hal::V1_2::Operand& operand = model.operands[index];
  const hal::V1_2::DataLocation& location = operand.location;
  absl::Span<const uint8_t> bytes = model.operandValues;
  hal::Mapping mapping;
  if (operand.lifetime == hal::V1_2::OperandLifeTime::CONSTANT_REFERENCE) {
    if (location.poolIndex >= model.pools.size()) {
      return absl::OutOfRangeError(absl::StrCat("operand ", index, " is in pool ",
                                                location.poolIndex, " of ", model.pools.size()));
    }
    absl::StatusOr<hal::Mapping> mapped =
        model.pools[location.poolIndex].Map(hal::MemoryAccess::READ_ONLY);
    if (!mapped.ok()) return mapped.status();
    mapping = *std::move(mapped);
    bytes = mapping.bytes();
  }
  if (location.offset > bytes.size() || location.length > bytes.size() - location.offset) {
    return absl::OutOfRangeError(absl::StrCat("operand ", index, " is at ", hal::toString(location),
                                              " of ", bytes.size(), " bytes"));
  }
  const absl::Span<const uint8_t> value = bytes.subspan(location.offset, location.length);
  return std::vector<uint8_t>(value.begin(), value.end());
}

}  // namespace nncert
