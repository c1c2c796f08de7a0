// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "spec_tests/systematic/case_changes.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "cases/case_elements.h"
#include "reference/execution/model_validation.h"
#include "reference/operand_types.h"

namespace nncert {
namespace {

// By what large elements are larger than those of the range that the signature hints at.
constexpr double kMagnitude = 512;

// What outputs hold of the range of results that are to saturate, and of those that are not. Steps
// of inputs then lie anywhere between those of outputs, so that rounding shows.
constexpr float kShareThatSaturates = 0.23F;
constexpr float kShareBetween = 1.37F;

}  // namespace

bool Enlarge(uint32_t operand, TestCase& test_case) {
  const hal::V1_2::Operand& of_model = test_case.model.operands[operand];
  if (!IsFloatingPoint(of_model.type) || !HasElements(of_model)) return false;
  if (of_model.lifetime == hal::V1_2::OperandLifeTime::CONSTANT_REFERENCE) return false;
  for (size_t example = 0; example < ExamplesOf(test_case, operand); ++example) {
    std::vector<double> values = ElementsOf(test_case, operand, example);
    for (double& value : values) value *= kMagnitude;
    SetElements(test_case, operand, example, values);
  }
  return true;
}

int ChangeScales(HalVersion version, SplitMix64& random, TestCase& test_case) {
  hal::V1_2::Model& model = test_case.model;
  const uint64_t change = random.Below(6);
  if (change < 1 || change > 3) return 0;
  std::vector<float> before;
  bool is_changed = false;
  for (hal::V1_2::Operand& operand : model.operands) {
    before.push_back(operand.scale);
    if (!(operand.scale > 0)) continue;
    if (change == 2) {
      operand.scale = std::exp2(std::ceil(std::log2(operand.scale)));
    } else if (operand.lifetime == hal::V1_2::OperandLifeTime::MODEL_OUTPUT) {
      operand.scale *= change == 1 ? kShareThatSaturates : kShareBetween;
    }
    is_changed |= operand.scale != before.back();
  }
  if (is_changed && ValidateModel(model, version).ok()) return static_cast<int>(change);
  for (size_t i = 0; i < before.size(); ++i) model.operands[i].scale = before[i];
  return 0;
}

int LeaveOpen(HalVersion version, SplitMix64& random, TestCase& test_case) {
  hal::V1_2::Model& model = test_case.model;
  if (model.operations.size() != 1) return 0;
  const uint32_t input = random.OneOf(model.inputIndexes);
  std::vector<uint32_t>& dimensions = model.operands[input].dimensions;
  if (dimensions.empty()) return 0;
  std::vector<uint32_t> before = dimensions;
  const bool is_all = version >= HalVersion::V1_2 && random.OneIn(2);
  if (is_all) {
    dimensions.clear();
  } else {
    dimensions[random.Below(dimensions.size())] = 0;
  }
  if (ValidateModel(model, version).ok()) return is_all ? 2 : 1;
  dimensions = std::move(before);
  return 0;
}

}  // namespace nncert
