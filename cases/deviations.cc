// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/deviations.h"

#include <algorithm>
#include <deque>

#include "re2/re2.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;

constexpr Deviation kDeviations[] = {
    {"INSTANCE_NORMALIZATION-variance", OperationType::INSTANCE_NORMALIZATION,
     "instance_normalization_n(hwc|chw)(_relaxed|_float16)?(_2)?"},
    {"QUANTIZED_16BIT_LSTM-weights", OperationType::QUANTIZED_16BIT_LSTM,
     "quantized_lstm(_constant_weights)?(_relaxed)?"},
    {"STRIDED_SLICE-backwards", OperationType::STRIDED_SLICE, "strided_slice_invalid_neg_stride"},
};

// The expressions of kDeviations, which take their time to compile.
const std::deque<re2::RE2>& Expressions() {
  static const auto* const expressions = [] {
    auto* compiled = new std::deque<re2::RE2>();
    for (const Deviation& deviation : kDeviations) {
      compiled->emplace_back(std::string(deviation.cases));
    }
    return compiled;
  }();
  return *expressions;
}

}  // namespace

absl::Span<const Deviation> KnownDeviations() { return kDeviations; }

std::string FindDeviation(const TestCase& test_case) {
  const auto& operations = test_case.model.operations;
  for (size_t i = 0; i < std::size(kDeviations); ++i) {
    const bool has_operation = std::any_of(
        operations.begin(), operations.end(),
        [&](const auto& operation) { return operation.type == kDeviations[i].operation; });
    if (has_operation && re2::RE2::FullMatch(test_case.name, Expressions()[i])) {
      return std::string(kDeviations[i].name);
    }
  }
  return "";
}

}  // namespace nncert
