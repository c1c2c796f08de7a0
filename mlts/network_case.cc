// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/network_case.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "harness/judging/oracle.h"
#include "random/split_mix.h"
#include "reference/execution/model_validation.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::Operation;
using hal::V1_2::OperationType;

// Of integers that are no indexes of anything.
constexpr uint32_t kIntegersBelow = 16;

// A name that tests and specs may have.
std::string CaseName(const std::string& name) {
  std::string letters = name;
  for (char& letter : letters) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  if (letters.empty() || std::isdigit(static_cast<unsigned char>(letters[0])) != 0) {
    letters.insert(0, "network_");
  }
  return letters;
}

// The first dimension of what an operation looks elements of an operand up in, or fewer.
uint32_t IndexesBelow(const Model& model, uint32_t operand) {
  uint32_t below = kIntegersBelow;
  for (const Operation& operation : model.operations) {
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      if (operation.inputs[i] != operand) continue;
      std::optional<uint32_t> table;
      if (operation.type == OperationType::GATHER && i == 2) table = operation.inputs[0];
      if (operation.type == OperationType::EMBEDDING_LOOKUP && i == 0) table = operation.inputs[1];
      if (!table.has_value()) continue;
      // Whichever dimension it is, the least of them will do.
      for (const uint32_t dimension : model.operands[*table].dimensions) {
        below = std::min(below, std::max(dimension, 1U));
      }
    }
  }
  return below;
}

std::vector<uint8_t> RandomElements(const Model& model, uint32_t index, const InputRange& range,
                                    SplitMix64& random) {
  const Operand& operand = model.operands[index];
  std::vector<double> values(NumberOfElements(operand.dimensions));
  const uint32_t below = operand.type == OperandType::TENSOR_INT32 ? IndexesBelow(model, index) : 0;
  for (double& value : values) {
    if (operand.type == OperandType::TENSOR_BOOL8) {
      value = random.OneIn(2) ? 1 : 0;
    } else if (operand.type == OperandType::TENSOR_INT32) {
      value = static_cast<double>(random.Below(below));
    } else if (IsQuantized(operand.type)) {
      const IntegerRange integers = RangeOf(operand.type);
      value = static_cast<double>(random.Between(integers.lowest, integers.highest));
    } else {
      value = random.Uniform(range.lowest, range.highest);
    }
  }
  return BytesOf(operand.type, values);
}

// The lowest version that can run a valid model.
hal::HalVersion LowestVersion(const Model& model) {
  for (const hal::HalVersion version : {hal::HalVersion::V1_0, hal::HalVersion::V1_1}) {
    if (IsCompliantWith(model, version)) return version;
  }
  return hal::HalVersion::V1_2;
}

absl::Status CheckInputs(const Network& network, size_t ranges) {
  const std::vector<uint32_t>& inputs = network.model.inputIndexes;
  if (ranges != inputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat(network.name, " has ", inputs.size(),
                                                   " inputs; there are ranges of ", ranges));
  }
  uint64_t bytes = 0;
  for (const uint32_t input : inputs) {
    const Operand& operand = network.model.operands[input];
    const uint64_t size = hal::nonExtensionOperandSizeOfData(operand).value_or(kMostInputBytes + 1);
    bytes += std::min(size, kMostInputBytes + 1);
    if (size == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(network.name, ": the dimensions of input operand ", input,
                       " are not known, or its type has no elements"));
    }
  }
  if (bytes <= kMostInputBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(network.name, ": its inputs come to more than ", kMostInputBytes, " bytes"));
}

}  // namespace

std::vector<InputRange> InputRangesOf(const Network& network) {
  std::vector<InputRange> ranges;
  for (const uint32_t input : network.model.inputIndexes) {
    const Operand& operand = network.model.operands[input];
    InputRange range;
    if (IsQuantized(operand.type)) {
      const IntegerRange integers = RangeOf(operand.type);
      const double scale = operand.scale;
      range.lowest = static_cast<double>(integers.lowest - operand.zeroPoint) * scale;
      range.highest = static_cast<double>(integers.highest - operand.zeroPoint) * scale;
    }
    ranges.push_back(range);
  }
  return ranges;
}

absl::StatusOr<TestCase> CaseOf(const Network& network, const std::vector<InputRange>& ranges,
                                uint64_t seed) {
  if (absl::Status status = ValidateModel(network.model); !status.ok()) return status;
  if (absl::Status status = CheckInputs(network, ranges.size()); !status.ok()) return status;
  TestCase test_case;
  test_case.name = CaseName(network.name);
  test_case.dynamicOutputShapeName = absl::StrCat(test_case.name, "_dynamic_output_shape");
  test_case.model = network.model;
  test_case.minimumVersion = LowestVersion(network.model);
  SplitMix64 random(seed);
  Example& example = test_case.examples.emplace_back();
  for (size_t i = 0; i < network.model.inputIndexes.size(); ++i) {
    const uint32_t index = network.model.inputIndexes[i];
    InputValue& input = example.inputs.emplace_back();
    input.dimensions = network.model.operands[index].dimensions;
    input.data = RandomElements(network.model, index, ranges[i], random);
  }
  Oracle oracle(test_case, {.validation = Validation::kDone});
  absl::StatusOr<std::vector<ExpectedOutput>> outputs = oracle.Expected(0);
  if (!outputs.ok()) {
    return absl::Status(outputs.status().code(),
                        absl::StrCat(network.name, ": ", outputs.status().message()));
  }
  for (const uint32_t unused : network.unusedOutputs) (*outputs)[unused].ignored = true;
  example.outputs = *std::move(outputs);
  return test_case;
}

}  // namespace nncert
