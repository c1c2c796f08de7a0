// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Counts what test cases ask of operations.

#ifndef NNCERT_CASES_COVERAGE_COVERAGE_COUNTER_H_
#define NNCERT_CASES_COVERAGE_COVERAGE_COUNTER_H_

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cases/coverage/coverage.h"
#include "cases/test_case.h"
#include "reference/calls/operation_call.h"

namespace nncert {

/// Which of CoverageConditions, by their places in that list, hold of an operation.
std::vector<size_t> ConditionsOf(const OperationCall& call);

/// Counts cases. It is made for thousands a second: names are made up when they are asked for.
class CoverageCounter {
 public:
  /// Counts the operations of a case with a valid model. What the model does not say, dimensions
  /// that come to light in an execution, counts as not there. Operations that the catalogue does
  /// not have are left out.
  void Add(const TestCase& test_case);

  /// All cases so far.
  Coverage Result() const;

 private:
  // What is counted of an operation and a type, by numbers.
  struct Counts {
    uint64_t count = 0;
    std::array<uint64_t, 3> versions = {};
    std::array<uint64_t, 8> ranks = {};
    std::vector<uint64_t> conditions;
    // By slot: how often there, and how often left out; how often a constant, and how often not.
    std::vector<std::array<uint64_t, 2>> presence;
    std::vector<std::array<uint64_t, 2>> constness;
    // By slot, and value as ClassOfValue has it.
    std::map<std::pair<size_t, int32_t>, uint64_t> values;
    // By slot, outputs behind inputs, of those whose types are a choice.
    std::map<std::pair<size_t, OperandType>, uint64_t> types;
    // By their place in the definition.
    std::vector<uint64_t> constraints;
  };

  void AddOperation(const TestCase& test_case, const OperationCall& call);
  static void AddOperands(const OperationCall& call, Counts& counts);

  uint64_t cases_ = 0;
  std::map<std::pair<const OperationDefinition*, OperandType>, Counts> counts_;
  std::map<std::pair<const OperationDefinition*, const OperationDefinition*>, uint64_t> edges_;
};

}  // namespace nncert

#endif  // NNCERT_CASES_COVERAGE_COVERAGE_COUNTER_H_
