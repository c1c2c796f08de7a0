// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "spec_tests/systematic/reach.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "cases/coverage/coverage_items.h"
#include "cases/coverage/coverage_report.h"
#include "reference/catalogue.h"
#include "reference/extension.h"
#include "reference/operand_types.h"

namespace nncert {
namespace {

// A condition, and the operations that the graph maker never has meet it.
struct Exception {
  std::string_view condition;
  std::set<std::string> operations;
};

const std::vector<Exception>& Exceptions() {
  static const auto* const all = new std::vector<Exception>{
      // There are four times as many numbers of boxes as scores; deltas that are boxes overflow.
      {"same_operand", {"BOX_WITH_NMS_LIMIT", "GENERATE_PROPOSALS", "AXIS_ALIGNED_BBOX_TRANSFORM"}},
  };
  return *all;
}

// The types that some operation has as an output.
bool IsWritten(OperandType type) {
  static const auto* const written = [] {
    auto* all = new std::set<OperandType>;
    for (const OperationDefinition* operation : AllOperations()) {
      for (const OperandTypes& types : TypeCombinations(*operation, HalVersion::V1_2)) {
        all->insert(types.outputs.begin(), types.outputs.end());
      }
    }
    return all;
  }();
  return written->contains(type);
}

// Whether some tensor, where the first input is of `type`, is of a type that operations write.
bool CanBeWritten(const OperationDefinition& operation, OperandType type) {
  for (const OperandTypes& types : TypeCombinations(operation, HalVersion::V1_2)) {
    if (types.inputs.front() != type) continue;
    for (size_t slot = 0; slot < types.inputs.size(); ++slot) {
      if (operation.signature.inputs[slot].is_tensor() && IsWritten(types.inputs[slot]))
        return true;
    }
  }
  return false;
}

}  // namespace

bool CanBeMadeToMeet(const OperationDefinition& definition, OperandType type,
                     std::string_view condition) {
  if (!CanMeet(definition, type, condition)) return false;
  if (condition == "internal") return CanBeWritten(definition, type);
  // The graph maker has no operand with a scale for each channel read twice.
  if (condition == "consumers>1" && type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
    return false;
  }
  return std::none_of(Exceptions().begin(), Exceptions().end(), [&](const Exception& exception) {
    return exception.condition == condition && exception.operations.contains(definition.name());
  });
}

std::vector<std::string> GapsOf(const Coverage& coverage) {
  std::vector<std::string> gaps;
  for (const MeasuredOperation& measured : MeasureCoverage(coverage)) {
    const std::string name = absl::StrCat(measured.operation, " ", measured.type);
    if (measured.count == 0) gaps.push_back(name);
    for (const MeasuredItem& item : measured.items) {
      if (item.count == 0) gaps.push_back(absl::StrCat(name, ": ", item.item.name));
    }
  }
  return gaps;
}

}  // namespace nncert
