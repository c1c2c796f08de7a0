// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/model_parts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cases/constant_input.h"
#include "hal/execution.h"
#include "hal/utils.h"

namespace nncert {
namespace {

using hal::V1_0::OperandLifeTime;
using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::Operation;

bool IsConstant(const Operand& operand) {
  return operand.lifetime == OperandLifeTime::CONSTANT_COPY ||
         operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE ||
         operand.lifetime == OperandLifeTime::NO_VALUE;
}

// The value that an operand has in an example; null when it is no model input.
const InputValue* FindInput(const Model& model, const Example& example, uint32_t operand) {
  const auto found = std::find(model.inputIndexes.begin(), model.inputIndexes.end(), operand);
  if (found == model.inputIndexes.end()) return nullptr;
  return &example.inputs[static_cast<size_t>(found - model.inputIndexes.begin())];
}

// Takes the value of a constant, which is in `whole`, along to `values`.
void CopyConstant(const Model& whole, Operand& constant, std::vector<uint8_t>& values) {
  constexpr size_t kAlignment = 4;
  const auto begin =
      whole.operandValues.begin() + static_cast<std::ptrdiff_t>(constant.location.offset);
  values.resize((values.size() + kAlignment - 1) / kAlignment * kAlignment);
  constant.location.offset = static_cast<uint32_t>(values.size());
  values.insert(values.end(), begin, begin + constant.location.length);
}

}  // namespace

std::vector<uint32_t> TemporariesOf(const Model& model) {
  std::vector<uint32_t> temporaries;
  for (const Operation& operation : model.operations) {
    for (const uint32_t output : operation.outputs) {
      if (model.operands[output].lifetime == OperandLifeTime::TEMPORARY_VARIABLE) {
        temporaries.push_back(output);
      }
    }
  }
  return temporaries;
}

Model WithExposed(Model model, absl::Span<const uint32_t> temporaries) {
  for (const uint32_t operand : temporaries) {
    model.operands[operand].lifetime = OperandLifeTime::MODEL_OUTPUT;
    model.outputIndexes.push_back(operand);
  }
  return model;
}

std::optional<TestCase> CaseOfOperations(const TestCase& test_case, size_t example,
                                         absl::Span<const size_t> operations,
                                         const OperandValues& values) {
  const Model& whole = test_case.model;
  TestCase part;
  part.name = absl::StrCat(test_case.name, "_operation_", absl::StrJoin(operations, "_"));
  part.quantizedTolerance = test_case.quantizedTolerance;
  part.multinomialDistributionTolerance = test_case.multinomialDistributionTolerance;
  part.model.pools = whole.pools;
  part.model.relaxComputationFloat32toFloat16 = whole.relaxComputationFloat32toFloat16;
  part.model.extensionNameToPrefix = whole.extensionNameToPrefix;
  Example& of_part = part.examples.emplace_back();

  std::set<uint32_t> written;
  std::set<uint32_t> read;
  for (const size_t operation : operations) {
    const Operation& of_whole = whole.operations[operation];
    written.insert(of_whole.outputs.begin(), of_whole.outputs.end());
    read.insert(of_whole.inputs.begin(), of_whole.inputs.end());
  }
  std::map<uint32_t, uint32_t> places;
  const auto place_of = [&](uint32_t operand) {
    const auto [place, is_new] =
        places.emplace(operand, static_cast<uint32_t>(part.model.operands.size()));
    if (is_new) {
      part.model.operands.push_back(whole.operands[operand]);
      part.model.operands.back().numberOfConsumers = 0;
      if (whole.operands[operand].lifetime == OperandLifeTime::CONSTANT_COPY) {
        CopyConstant(whole, part.model.operands.back(), part.model.operandValues);
      }
    }
    return std::pair(place->second, is_new);
  };
  for (const size_t operation : operations) {
    const Operation& of_whole = whole.operations[operation];
    Operation of_its_own = {of_whole.type, {}, {}};
    for (const uint32_t input : of_whole.inputs) {
      const auto [place, is_new] = place_of(input);
      Operand& operand = part.model.operands[place];
      of_its_own.inputs.push_back(place);
      ++operand.numberOfConsumers;
      if (!is_new || IsConstant(operand) || written.contains(input)) continue;
      operand.lifetime = OperandLifeTime::MODEL_INPUT;
      part.model.inputIndexes.push_back(place);
      if (const InputValue* const given = FindInput(whole, test_case.examples[example], input)) {
        of_part.inputs.push_back(*given);
        continue;
      }
      const auto value = values.find(input);
      if (value == values.end()) return std::nullopt;
      of_part.inputs.push_back({false, value->second.dimensions, value->second.data});
    }
    for (const uint32_t output : of_whole.outputs) {
      const uint32_t place = place_of(output).first;
      of_its_own.outputs.push_back(place);
      Operand& operand = part.model.operands[place];
      const bool is_output =
          operand.lifetime == OperandLifeTime::MODEL_OUTPUT || !read.contains(output);
      operand.lifetime =
          is_output ? OperandLifeTime::MODEL_OUTPUT : OperandLifeTime::TEMPORARY_VARIABLE;
      if (is_output) part.model.outputIndexes.push_back(place);
    }
    part.model.operations.push_back(std::move(of_its_own));
  }
  if (part.model.inputIndexes.empty() && !MakeConstantAnInput(part)) return std::nullopt;
  return part;
}

}  // namespace nncert
