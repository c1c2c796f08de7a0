// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/judgement.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"

namespace nncert {

Judgement Fail(std::string text) { return {Verdict::FAIL, std::move(text), std::nullopt, 0}; }

std::string ProducerOf(const hal::V1_2::Model& model, uint32_t operand) {
  for (const hal::V1_2::Operation& operation : model.operations) {
    if (std::find(operation.outputs.begin(), operation.outputs.end(), operand) !=
        operation.outputs.end()) {
      return OperationName(model, operation.type);
    }
  }
  return "";
}

std::string NameOfOutput(const hal::V1_2::Model& model, size_t output) {
  return absl::StrCat(ProducerOf(model, model.outputIndexes[output]), " output ", output);
}

}  // namespace nncert
