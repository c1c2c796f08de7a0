// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/case_elements.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/execution.h"
#include "hal/memory.h"
#include "hal/utils.h"
#include "reference/extension.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;

constexpr size_t kAlignment = 4;

// Which of the model's inputs an operand is.
size_t InputNumber(const Model& model, uint32_t index) {
  const std::vector<uint32_t>& inputs = model.inputIndexes;
  return static_cast<size_t>(std::find(inputs.begin(), inputs.end(), index) - inputs.begin());
}

// Appends bytes at a multiple of four. Gives where they begin.
uint32_t Append(absl::Span<const uint8_t> bytes, std::vector<uint8_t>& all) {
  all.resize((all.size() + kAlignment - 1) / kAlignment * kAlignment);
  const auto offset = static_cast<uint32_t>(all.size());
  all.insert(all.end(), bytes.begin(), bytes.end());
  return offset;
}

// Writes bytes where a constant begins.
absl::Status Overwrite(Model& model, const Operand& constant, absl::Span<const uint8_t> bytes) {
  const auto offset = static_cast<std::ptrdiff_t>(constant.location.offset);
  if (constant.lifetime == OperandLifeTime::CONSTANT_COPY) {
    std::copy(bytes.begin(), bytes.end(), model.operandValues.begin() + offset);
    return absl::OkStatus();
  }
  // Other cases may have the same pool.
  hal::Memory& pool = model.pools[constant.location.poolIndex];
  const absl::StatusOr<hal::Mapping> before = pool.Map(hal::MemoryAccess::READ_ONLY);
  if (!before.ok()) return before.status();
  absl::StatusOr<hal::Memory> memory = hal::Memory::AllocateCopy(before->bytes(), pool.name());
  if (!memory.ok()) return memory.status();
  const absl::StatusOr<hal::Mapping> mapping = memory->Map(hal::MemoryAccess::READ_WRITE);
  if (!mapping.ok()) return mapping.status();
  std::copy(bytes.begin(), bytes.end(), mapping->data() + offset);
  pool = *std::move(memory);
  return absl::OkStatus();
}

}  // namespace

bool HasElements(const Operand& operand) {
  return operand.lifetime == OperandLifeTime::MODEL_INPUT || hal::isConstant(operand.lifetime);
}

size_t ExamplesOf(const TestCase& test_case, uint32_t operand) {
  const bool is_input = test_case.model.operands[operand].lifetime == OperandLifeTime::MODEL_INPUT;
  return is_input ? test_case.examples.size() : 1;
}

std::vector<double> ElementsOf(const TestCase& test_case, uint32_t operand, size_t example) {
  const Operand& of_model = test_case.model.operands[operand];
  if (!HasElements(of_model) || IsOpaque(of_model.type)) return {};
  if (of_model.lifetime == OperandLifeTime::MODEL_INPUT) {
    const size_t input = InputNumber(test_case.model, operand);
    return NumbersOf(of_model.type, test_case.examples[example].inputs[input].data);
  }
  const absl::StatusOr<std::vector<uint8_t>> bytes = hal::constantBytes(test_case.model, operand);
  return bytes.ok() ? NumbersOf(of_model.type, *bytes) : std::vector<double>();
}

void SetElements(TestCase& test_case, uint32_t operand, size_t example,
                 const std::vector<uint32_t>& dimensions, const std::vector<double>& values) {
  Model& model = test_case.model;
  Operand& of_model = model.operands[operand];
  std::vector<uint8_t> bytes = BytesOf(of_model.type, values);
  if (of_model.lifetime == OperandLifeTime::MODEL_INPUT) {
    of_model.dimensions = dimensions;
    InputValue& input = test_case.examples[example].inputs[InputNumber(model, operand)];
    input.dimensions = dimensions;
    input.data = std::move(bytes);
    return;
  }
  if (!Overwrite(model, of_model, bytes).ok()) return;
  of_model.dimensions = dimensions;
  of_model.location.length = static_cast<uint32_t>(bytes.size());
}

void SetElements(TestCase& test_case, uint32_t operand, size_t example,
                 const std::vector<double>& values) {
  const std::vector<uint32_t> dimensions = test_case.model.operands[operand].dimensions;
  SetElements(test_case, operand, example, dimensions, values);
}

void SetType(TestCase& test_case, uint32_t operand, hal::V1_2::OperandType type) {
  Model& model = test_case.model;
  Operand& of_model = model.operands[operand];
  if (of_model.lifetime == OperandLifeTime::MODEL_INPUT) {
    const size_t input = InputNumber(model, operand);
    for (Example& example : test_case.examples) {
      std::vector<uint8_t>& data = example.inputs[input].data;
      data = BytesOf(type, NumbersOf(of_model.type, data));
    }
  } else if (hal::isConstant(of_model.lifetime)) {
    const std::vector<uint8_t> bytes = BytesOf(type, ElementsOf(test_case, operand));
    of_model.lifetime = OperandLifeTime::CONSTANT_COPY;
    of_model.location = {0, Append(bytes, model.operandValues),
                         static_cast<uint32_t>(bytes.size())};
  }
  of_model.type = type;
}

absl::Status TakeInConstant(Model& model, uint32_t operand) {
  Operand& constant = model.operands[operand];
  if (constant.lifetime != OperandLifeTime::CONSTANT_REFERENCE) return absl::OkStatus();
  const absl::StatusOr<std::vector<uint8_t>> bytes = hal::constantBytes(model, operand);
  if (!bytes.ok()) return bytes.status();
  constant.lifetime = OperandLifeTime::CONSTANT_COPY;
  constant.location = {0, Append(*bytes, model.operandValues), constant.location.length};
  return absl::OkStatus();
}

absl::Status TakeInConstants(Model& model) {
  for (uint32_t i = 0; i < model.operands.size(); ++i) {
    if (absl::Status status = TakeInConstant(model, i); !status.ok()) return status;
  }
  model.pools.clear();
  return absl::OkStatus();
}

absl::Status PackPools(Model& model) {
  // By the number of the old pool.
  std::map<uint32_t, std::vector<uint8_t>> contents;
  std::map<uint32_t, std::vector<uint32_t>> constants;
  for (uint32_t i = 0; i < model.operands.size(); ++i) {
    Operand& operand = model.operands[i];
    if (operand.lifetime != OperandLifeTime::CONSTANT_REFERENCE) continue;
    const absl::StatusOr<std::vector<uint8_t>> bytes = hal::constantBytes(model, i);
    if (!bytes.ok()) return bytes.status();
    const uint32_t pool = operand.location.poolIndex;
    operand.location.offset = Append(*bytes, contents[pool]);
    constants[pool].push_back(i);
  }
  std::vector<hal::Memory> pools;
  for (const auto& [old, content] : contents) {
    absl::StatusOr<hal::Memory> pool = hal::Memory::AllocateCopy(content, model.pools[old].name());
    if (!pool.ok()) return pool.status();
    for (const uint32_t constant : constants[old]) {
      model.operands[constant].location.poolIndex = static_cast<uint32_t>(pools.size());
    }
    pools.push_back(*std::move(pool));
  }
  model.pools = std::move(pools);
  return absl::OkStatus();
}

}  // namespace nncert
