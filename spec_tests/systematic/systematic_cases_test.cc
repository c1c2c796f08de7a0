// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The systematic cases have all that the catalogue knows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cases/case_source.h"
#include "cases/coverage/coverage.h"
#include "cases/coverage/coverage_counter.h"
#include "reference/calls/operation_call.h"
#include "reference/catalogue.h"
#include "reference/extension.h"
#include "reference/model_validation.h"
#include "reference/operand_types.h"
#include "spec_tests/systematic/operation_cases.h"
#include "spec_tests/systematic/reach.h"

namespace nncert {
namespace {

using ::testing::IsEmpty;

constexpr size_t kLeastCases = 10000;

const std::vector<LoadedCase>& AllCases() {
  static const auto* const cases = [] {
    absl::StatusOr<LoadedCases> loaded = LoadCases({"spec_tests/systematic"});
    std::vector<LoadedCase> all;
    EXPECT_TRUE(loaded.ok()) << loaded.status();
    if (loaded.ok()) {
      EXPECT_THAT(loaded->errors, IsEmpty());
      all = std::move(loaded->cases);
    }
    return new std::vector<LoadedCase>(std::move(all));
  }();
  return *cases;
}

const Coverage& AllCoverage() {
  static const auto* const coverage = [] {
    CoverageCounter counter;
    for (const LoadedCase& loaded : AllCases()) counter.Add(loaded.test_case);
    return new Coverage(counter.Result());
  }();
  return *coverage;
}

TEST(SystematicCasesTest, AreManyAndHaveNamesOfTheirOwn) {
  EXPECT_GE(AllCases().size(), kLeastCases);
  std::set<std::string> names;
  for (const LoadedCase& loaded : AllCases()) names.insert(loaded.test_case.name);
  EXPECT_EQ(names.size(), AllCases().size());
  std::cout << AllCases().size() << " cases: " << DescribeCoverage(AllCoverage()) << std::endl;
}

// What no case has although the signature allows it, for the reason beside it.
const std::set<std::string>& KnownGaps() {
  static const auto* const gaps = new std::set<std::string>{
      // What is divided is around zero, and what it is divided by is not.
      "DIV TENSOR_FLOAT16: same_operand",
      // Of so many elements of 256 values several are the greatest, and any of them may be the
      // keypoint.
      "HEATMAP_MAX_KEYPOINT TENSOR_QUANT8_ASYMM: elements>4096",
      // No candidate of 2,000 is certain in half precision: sums of thousands of terms.
      "RNN TENSOR_FLOAT16: elements>4096",
      // No candidate of 2,000 has an image and a filter that are alike, in scales as well.
      "TRANSPOSE_CONV_2D TENSOR_QUANT8_ASYMM: same_operand",
  };
  return *gaps;
}

TEST(SystematicCasesTest, HaveEveryOperationTypeVersionConditionAndSettingOfTheCatalogue) {
  const std::vector<std::string> gaps = GapsOf(AllCoverage(), GapScope::kTypes);
  EXPECT_THAT(gaps, ::testing::UnorderedElementsAreArray(KnownGaps()));
}

TEST(SystematicCasesTest, WhatCannotBeMetIsNot) {
  EXPECT_THAT(WronglyListed(AllCoverage()), IsEmpty());
}

// The types of an operation's operands by slot, as far as they are there.
using Types = std::vector<std::optional<OperandType>>;

Types TypesOf(const OperationCall& call) {
  Types types;
  for (const SlotBinding& binding : call.slots) {
    types.emplace_back();
    if (binding.count > 0) {
      types.back() = call.inputs[static_cast<size_t>(binding.first)].operand.type;
    }
  }
  for (const ValuedOperand& output : call.outputs) types.emplace_back(output.operand.type);
  return types;
}

// Whether a case has operands of these types, wherever it has any.
bool Agree(const OperandTypes& combination, const Types& types) {
  const size_t inputs = combination.inputs.size();
  for (size_t i = 0; i < types.size(); ++i) {
    const OperandType type =
        i < inputs ? combination.inputs[i]
                   : combination.outputs[std::min(i - inputs, combination.outputs.size() - 1)];
    if (types[i].has_value() && *types[i] != type) return false;
  }
  return true;
}

TEST(SystematicCasesTest, HaveEveryCombinationOfTypesAtEveryVersion) {
  std::map<std::pair<const OperationDefinition*, HalVersion>, std::set<Types>> met;
  for (const LoadedCase& loaded : AllCases()) {
    const hal::V1_2::Model& model = loaded.test_case.model;
    for (size_t i = 0; i < model.operations.size(); ++i) {
      const absl::StatusOr<OperationCall> call = CallOf(model, i, /*largest_constant=*/8);
      ASSERT_TRUE(call.ok()) << loaded.test_case.name << ": " << call.status();
      met[{call->definition, *loaded.test_case.minimumVersion}].insert(TypesOf(*call));
    }
  }
  size_t count = 0;
  for (const OperationDefinition* definition : AllOperations()) {
    for (const HalVersion version : hal::kHalVersions) {
      for (const OperandTypes& types : TypeCombinations(*definition, version)) {
        ++count;
        const std::set<Types>& candidates = met[{definition, version}];
        EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(),
                                [&](const Types& its) { return Agree(types, its); }))
            << definition->name() << " at " << version << " with first input "
            << NameOf(types.inputs.front());
      }
    }
  }
  std::cout << count << " combinations of operation, version and types" << std::endl;
}

// What a case says of itself is so.
TEST(SystematicCasesTest, AreValidAtTheirVersions) {
  for (const LoadedCase& loaded : AllCases()) {
    const absl::Status status =
        ValidateModel(loaded.test_case.model, *loaded.test_case.minimumVersion);
    EXPECT_TRUE(status.ok()) << loaded.test_case.name << ": " << status;
  }
}

// The build makes the same cases wherever and whenever it runs.
TEST(SystematicCasesTest, AreMadeAgainAsTheyAre) {
  const OperationDefinition& definition = *FindOperation(OperationType::MAXIMUM);
  const std::vector<TestCase> again = MakeOperationCases(definition).cases;
  std::map<std::string, const TestCase*> built;
  for (const LoadedCase& loaded : AllCases()) {
    if (absl::StartsWith(loaded.test_case.name, "systematic_maximum_")) {
      built[loaded.test_case.name] = &loaded.test_case;
    }
  }
  EXPECT_EQ(built.size(), again.size());
  for (const TestCase& test_case : again) {
    ASSERT_TRUE(built.contains(test_case.name)) << test_case.name;
    EXPECT_EQ(built[test_case.name]->examples, test_case.examples) << test_case.name;
  }
}

}  // namespace
}  // namespace nncert
