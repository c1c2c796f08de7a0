// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/testing/same_case.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cases/model_values.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert {
namespace {

std::string DifferenceOf(const hal::Memory& a, const hal::Memory& b) {
  if (a.name() != b.name()) return absl::StrCat("names ", a.name(), " and ", b.name());
  const auto a_bytes = a.Map(hal::MemoryAccess::READ_ONLY);
  const auto b_bytes = b.Map(hal::MemoryAccess::READ_ONLY);
  if (!a_bytes.ok() || !b_bytes.ok()) return "cannot be mapped";
  return a_bytes->bytes() == b_bytes->bytes() ? "" : "bytes";
}

std::string DifferenceOf(const hal::V1_2::Model& a, const hal::V1_2::Model& b) {
  if (a.operands.size() != b.operands.size()) return "number of operands";
  for (size_t i = 0; i < a.operands.size(); ++i) {
    if (a.operands[i] == b.operands[i]) continue;
    return absl::StrCat("operand ", i, ": ", hal::toString(a.operands[i]), " and ",
                        hal::toString(b.operands[i]));
  }
  if (a.operations != b.operations) return "operations";
  if (a.inputIndexes != b.inputIndexes) return "inputIndexes";
  if (a.outputIndexes != b.outputIndexes) return "outputIndexes";
  if (a.operandValues != b.operandValues) return "operandValues";
  if (a.pools.size() != b.pools.size()) return "number of pools";
  for (size_t i = 0; i < a.pools.size(); ++i) {
    const std::string difference = DifferenceOf(a.pools[i], b.pools[i]);
    if (!difference.empty()) return absl::StrCat("pool ", i, ": ", difference);
  }
  hal::V1_2::Model rest = b;
  rest.pools = a.pools;
  return a == rest ? "" : "something else in the model";
}

// The case without constants, and without the bytes of outputs that are not compared.
TestCase WithoutLayout(TestCase test_case) {
  for (hal::V1_2::Operand& operand : test_case.model.operands) {
    if (hal::isConstant(operand.lifetime)) operand.location = {};
  }
  test_case.model.operandValues = {};
  test_case.model.pools = {};
  for (Example& example : test_case.examples) {
    for (ExpectedOutput& output : example.outputs) {
      if (output.ignored) output.data.clear();
    }
  }
  return test_case;
}

}  // namespace

std::string DifferenceOf(const TestCase& a, const TestCase& b) {
  if (a.name != b.name) return absl::StrCat("names ", a.name, " and ", b.name);
  std::string model = DifferenceOf(a.model, b.model);
  if (!model.empty()) return model;
  if (a.examples.size() != b.examples.size()) return "number of examples";
  for (size_t i = 0; i < a.examples.size(); ++i) {
    if (a.examples[i].inputs != b.examples[i].inputs) {
      return absl::StrCat("inputs of example ", i);
    }
    if (a.examples[i].outputs != b.examples[i].outputs) {
      return absl::StrCat("outputs of example ", i);
    }
  }
  TestCase rest = b;
  rest.model = a.model;
  return a == rest ? "" : "something else in the case";
}

std::string DifferenceBesideLayout(const TestCase& a, const TestCase& b) {
  const size_t operands = std::min(a.model.operands.size(), b.model.operands.size());
  for (uint32_t i = 0; i < operands; ++i) {
    if (!hal::isConstant(a.model.operands[i].lifetime) ||
        !hal::isConstant(b.model.operands[i].lifetime))
      continue;
    const absl::StatusOr<std::vector<uint8_t>> of_a = ConstantValue(a.model, i);
    const absl::StatusOr<std::vector<uint8_t>> of_b = ConstantValue(b.model, i);
    if (!of_a.ok() || !of_b.ok()) return absl::StrCat("constant ", i, " lies nowhere");
    if (*of_a != *of_b) return absl::StrCat("the value of constant ", i);
  }
  return DifferenceOf(WithoutLayout(a), WithoutLayout(b));
}

}  // namespace nncert
