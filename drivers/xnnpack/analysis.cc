// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/analysis.h"

#include <optional>
#include <utility>

#include "hal/utils.h"

namespace nncert::xnnpack {

std::vector<size_t> Analysis::SizesOf(const hal::V1_2::Model& model) const {
  std::vector<size_t> sizes;
  for (size_t i = 0; i < model.operands.size(); ++i) {
    const std::optional<uint64_t> size =
        hal::nonExtensionSizeOfData(model.operands[i].type, shapes[i]);
    sizes.push_back(static_cast<size_t>(size.value_or(0)));
  }
  return sizes;
}

Analysis Analyze(const hal::V1_2::Model& model) {
  Analysis analysis;
  for (const hal::V1_2::Operand& operand : model.operands) {
    analysis.shapes.push_back(operand.dimensions);
  }
  for (size_t i = 0; i < model.operations.size(); ++i) {
    OperationView view(model, i, analysis.shapes);
    absl::StatusOr<Recipe> recipe = DecideOn(view);
    if (recipe.ok()) {
      const std::vector<uint32_t>& outputs = model.operations[i].outputs;
      for (size_t j = 0; j < outputs.size(); ++j) {
        analysis.shapes[outputs[j]] = recipe->outputs[j];
      }
    }
    analysis.recipes.push_back(std::move(recipe));
  }
  return analysis;
}

}  // namespace nncert::xnnpack
