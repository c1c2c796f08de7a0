// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/case_mutator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "cases/case_file.h"
#include "hal/utils.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;
using hal::V1_2::Operation;
using hal::V1_2::OperationType;

// Types of the HAL, the OEM ones, and one that only an extension could give a meaning.
constexpr std::array kOperandTypes = {
#define NNCERT_OPERAND_TYPE(NAME, ...) OperandType::NAME,
#include "hal/operand_types.def"
    static_cast<OperandType>(0x10003)};

constexpr std::array kOperationTypes = {
#define NNCERT_OPERATION(NAME, ...) OperationType::NAME,
#include "hal/operations.def"
    static_cast<OperationType>(0x10001)};

constexpr std::array<uint32_t, 12> kDimensions = {
    0, 1, 2, 3, 4, 5, 7, 8, 16, 65536, 0x7FFFFFFF, std::numeric_limits<uint32_t>::max()};

constexpr std::array<int32_t, 14> kIntegers = {0,
                                               1,
                                               2,
                                               3,
                                               4,
                                               6,
                                               127,
                                               128,
                                               255,
                                               256,
                                               -1,
                                               -2,
                                               std::numeric_limits<int32_t>::min(),
                                               std::numeric_limits<int32_t>::max()};

constexpr std::array<float, 14> kReals = {0.F,
                                          -0.F,
                                          1.F,
                                          -1.F,
                                          0.5F,
                                          1.F / 256,
                                          1.F / 128,
                                          1e-30F,
                                          1e30F,
                                          65504.F,
                                          std::numeric_limits<float>::denorm_min(),
                                          std::numeric_limits<float>::infinity(),
                                          -std::numeric_limits<float>::infinity(),
                                          std::numeric_limits<float>::quiet_NaN()};

// Small changes lead from one valid model to the next; great ones to what nobody thought of.
void MutateDimensions(std::vector<uint32_t>& dimensions, SplitMix64& random) {
  const size_t place = random.Below(dimensions.size());
  switch (random.Below(6)) {
    case 0:
      dimensions.insert(dimensions.begin() + static_cast<ptrdiff_t>(place), 1);
      return;
    case 1:
      if (!dimensions.empty()) dimensions.erase(dimensions.begin() + static_cast<ptrdiff_t>(place));
      return;
    case 2:
      if (!dimensions.empty()) ++dimensions[place];
      return;
    case 3:
      if (!dimensions.empty()) --dimensions[place];
      return;
    case 4:
      if (!dimensions.empty())
        std::swap(dimensions[place], dimensions[random.Below(dimensions.size())]);
      return;
    default:
      if (!dimensions.empty()) dimensions[place] = random.OneOf(kDimensions);
      return;
  }
}

// Overwrites one aligned word of `bytes` with an integer or a real worth trying.
void MutateWord(std::vector<uint8_t>& bytes, SplitMix64& random) {
  if (bytes.size() < sizeof(int32_t)) return;
  const size_t offset = random.Below(bytes.size() / sizeof(int32_t)) * sizeof(int32_t);
  const int32_t integer = random.OneOf(kIntegers);
  const float real = random.OneOf(kReals);
  std::memcpy(bytes.data() + offset, random.OneIn(2) ? static_cast<const void*>(&integer) : &real,
              sizeof(int32_t));
}

void MutateData(std::vector<uint8_t>& bytes, SplitMix64& random, const ByteMutation& mutate_bytes) {
  if (random.OneIn(2)) {
    MutateWord(bytes, random);
  } else {
    // The number of bytes is what the dimensions ask for; a change of it is rarely of interest.
    const size_t size = bytes.size();
    mutate_bytes(bytes);
    if (!random.OneIn(16)) bytes.resize(size);
  }
}

void MutateExtraParams(Operand& operand, SplitMix64& random) {
  switch (random.Below(3)) {
    case 0:
      operand.extraParams = {};
      return;
    case 1: {
      hal::V1_2::SymmPerChannelQuantParams parameters;
      parameters.channelDim = static_cast<uint32_t>(random.Below(5));
      parameters.scales.assign(random.Below(6), random.OneOf(kReals));
      operand.extraParams = std::move(parameters);
      return;
    }
    default:
      operand.extraParams = std::vector<uint8_t>(random.Below(9), 7);
      return;
  }
}

void MutateOperand(Model& model, SplitMix64& random) {
  if (model.operands.empty()) return;
  Operand& operand = model.operands[random.Below(model.operands.size())];
  switch (random.Below(10)) {
    case 0:
      operand.type = random.OneOf(kOperandTypes);
      return;
    case 1:
      operand.scale = random.OneOf(kReals);
      return;
    case 2:
      operand.zeroPoint = random.OneOf(kIntegers);
      return;
    case 3:
      operand.lifetime = static_cast<OperandLifeTime>(random.Below(7));
      return;
    case 4:
      MutateExtraParams(operand, random);
      return;
    case 5: {
      const std::array<uint32_t*, 3> fields = {&operand.location.poolIndex,
                                               &operand.location.offset, &operand.location.length};
      *random.OneOf(fields) = random.OneOf(kDimensions);
      return;
    }
    case 6:
      operand.numberOfConsumers = random.OneOf(kDimensions);
      return;
    case 7: {
      // The same type everywhere is what makes a model of another type.
      const OperandType from = operand.type;
      const OperandType to = random.OneOf(kOperandTypes);
      for (Operand& other : model.operands) {
        if (other.type == from) other.type = to;
      }
      return;
    }
    default:
      MutateDimensions(operand.dimensions, random);
      return;
  }
}

void MutateIndexes(std::vector<uint32_t>& indexes, size_t operands, SplitMix64& random) {
  const size_t place = random.Below(indexes.size());
  const auto operand = static_cast<uint32_t>(random.Below(operands + 1));
  switch (random.Below(4)) {
    case 0:
      indexes.insert(indexes.begin() + static_cast<ptrdiff_t>(place), operand);
      return;
    case 1:
      if (!indexes.empty()) indexes.erase(indexes.begin() + static_cast<ptrdiff_t>(place));
      return;
    case 2:
      if (!indexes.empty()) std::swap(indexes[place], indexes[random.Below(indexes.size())]);
      return;
    default:
      if (!indexes.empty()) indexes[place] = operand;
      return;
  }
}

// The numbers of consumers that the operations make, so that a model with other operands can be
// valid.
void CountConsumers(Model& model) {
  for (Operand& operand : model.operands) operand.numberOfConsumers = 0;
  for (const Operation& operation : model.operations) {
    for (const uint32_t input : operation.inputs) {
      if (input < model.operands.size()) ++model.operands[input].numberOfConsumers;
    }
  }
}

void MutateOperation(Model& model, SplitMix64& random) {
  if (model.operations.empty()) return;
  const size_t index = random.Below(model.operations.size());
  Operation& operation = model.operations[index];
  switch (random.Below(5)) {
    case 0:
      operation.type = random.OneOf(kOperationTypes);
      return;
    case 1:
      MutateIndexes(operation.inputs, model.operands.size(), random);
      break;
    case 2:
      MutateIndexes(operation.outputs, model.operands.size(), random);
      break;
    case 3:
      model.operations.erase(model.operations.begin() + static_cast<ptrdiff_t>(index));
      break;
    default: {
      // The same operation once more, on the first one's result and with operands of its own.
      Operation next = operation;
      for (uint32_t& output : next.outputs) {
        if (output >= model.operands.size()) continue;
        Operand copy = model.operands[output];
        Operand& between = model.operands[output];
        if (!next.inputs.empty() && copy.lifetime == OperandLifeTime::MODEL_OUTPUT) {
          between.lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
        }
        model.operands.push_back(copy);
        const auto added = static_cast<uint32_t>(model.operands.size() - 1);
        std::replace(model.outputIndexes.begin(), model.outputIndexes.end(), output, added);
        if (!next.inputs.empty()) next.inputs[0] = output;
        output = added;
      }
      model.operations.push_back(std::move(next));
      break;
    }
  }
  if (!random.OneIn(8)) CountConsumers(model);
}

void MutateExample(TestCase& test_case, SplitMix64& random, const ByteMutation& mutate_bytes) {
  if (test_case.examples.empty()) {
    test_case.examples.emplace_back();
    return;
  }
  Example& example = test_case.examples[random.Below(test_case.examples.size())];
  if (example.inputs.empty() || random.OneIn(16)) {
    example.inputs.emplace_back();
    return;
  }
  InputValue& input = example.inputs[random.Below(example.inputs.size())];
  switch (random.Below(6)) {
    case 0:
      input.hasNoValue = !input.hasNoValue;
      return;
    case 1:
      MutateDimensions(input.dimensions, random);
      return;
    default:
      MutateData(input.data, random, mutate_bytes);
      return;
  }
}

// Makes the requests fit the model's inputs again: as many values, of their dimensions and sizes.
void FitExamples(TestCase& test_case) {
  constexpr uint64_t kGreatestInput = 1 << 16;
  const Model& model = test_case.model;
  for (Example& example : test_case.examples) {
    example.inputs.resize(model.inputIndexes.size());
    example.outputs.clear();
    for (size_t i = 0; i < example.inputs.size(); ++i) {
      if (model.inputIndexes[i] >= model.operands.size()) continue;
      const Operand& operand = model.operands[model.inputIndexes[i]];
      InputValue& input = example.inputs[i];
      if (input.hasNoValue) {
        input = {.hasNoValue = true, .dimensions = {}, .data = {}};
        continue;
      }
      input.dimensions = operand.dimensions;
      std::replace(input.dimensions.begin(), input.dimensions.end(), 0U, 2U);
      uint64_t bytes = hal::nonExtensionElementSize(operand.type);
      for (const uint32_t dimension : input.dimensions) {
        bytes = std::min(bytes, kGreatestInput) * dimension;
      }
      if (bytes <= kGreatestInput) input.data.resize(bytes);
    }
  }
}

}  // namespace

void MutateCase(TestCase& test_case, SplitMix64& random, const ByteMutation& mutate_bytes) {
  switch (random.Below(12)) {
    case 0:
    case 1:
    case 2:
      MutateOperand(test_case.model, random);
      break;
    case 3:
    case 4:
      MutateOperation(test_case.model, random);
      break;
    case 5:
    case 6:
      MutateData(test_case.model.operandValues, random, mutate_bytes);
      break;
    case 7:
      MutateIndexes(random.OneIn(2) ? test_case.model.inputIndexes : test_case.model.outputIndexes,
                    test_case.model.operands.size(), random);
      break;
    case 8:
      test_case.model.relaxComputationFloat32toFloat16 =
          !test_case.model.relaxComputationFloat32toFloat16;
      break;
    default:
      MutateExample(test_case, random, mutate_bytes);
      break;
  }
  if (!random.OneIn(8)) FitExamples(test_case);
}

std::vector<uint8_t> MutateCaseFile(absl::Span<const uint8_t> bytes, size_t greatest_size,
                                    SplitMix64& random, const ByteMutation& mutate_bytes) {
  const auto mutated_bytes = [&] {
    std::vector<uint8_t> mutated(bytes.begin(), bytes.end());
    mutate_bytes(mutated);
    if (mutated.size() > greatest_size) mutated.resize(greatest_size);
    return mutated;
  };
  if (random.OneIn(32)) return mutated_bytes();
  absl::StatusOr<CaseFile> file = ParseCaseFile(bytes);
  if (!file.ok() || file->cases.empty()) return mutated_bytes();
  TestCase& test_case = file->cases[random.Below(file->cases.size())];
  const uint64_t changes = 1 + random.Below(3);
  for (uint64_t i = 0; i < changes; ++i) MutateCase(test_case, random, mutate_bytes);
  absl::StatusOr<std::vector<uint8_t>> serialized = SerializeCaseFile(file->origin, file->cases);
  if (!serialized.ok() || serialized->size() > greatest_size) return mutated_bytes();
  return *std::move(serialized);
}

}  // namespace nncert
