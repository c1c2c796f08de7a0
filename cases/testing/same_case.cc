// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/testing/same_case.h"

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"

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

}  // namespace nncert
