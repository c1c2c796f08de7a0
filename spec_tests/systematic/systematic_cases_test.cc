// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The systematic cases have all that the catalogue knows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cases/case_source.h"
#include "cases/coverage/coverage.h"
#include "cases/coverage/coverage_counter.h"
#include "cases/spec_writer.h"
#include "cases/testing/same_case.h"
#include "reference/calls/operation_call.h"
#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"
#include "reference/extension.h"
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

// What no case has although coverage asks for it, for the reason beside it: most of it nothing can
// have, for constraints on several tensors that coverage does not ask.
const std::set<std::string>& KnownGaps() {
  static const auto* const gaps = new std::set<std::string>{
      // The multiplier is how many times the output has as many channels as the input.
      "DEPTHWISE_CONV_2D TENSOR_FLOAT32: depthMultiplier: <0",
      "DEPTHWISE_CONV_2D TENSOR_FLOAT32: depthMultiplier: 0",
      "DEPTHWISE_CONV_2D TENSOR_QUANT8_ASYMM: depthMultiplier: <0",
      "DEPTHWISE_CONV_2D TENSOR_QUANT8_ASYMM: depthMultiplier: 0",
      "DEPTHWISE_CONV_2D TENSOR_FLOAT16: depthMultiplier: <0",
      "DEPTHWISE_CONV_2D TENSOR_FLOAT16: depthMultiplier: 0",
      // There are sums of one element at the least, and numbers of boxes and classes to keep.
      "LOCAL_RESPONSE_NORMALIZATION TENSOR_FLOAT32: radius: <0",
      "LOCAL_RESPONSE_NORMALIZATION TENSOR_FLOAT16: radius: <0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT32: maxClassesPerDetection: <0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT32: maxClassesPerDetection: 0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT32: maxDetectionsPerClass: <0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT32: maxDetectionsPerClass: 0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT16: maxClassesPerDetection: <0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT16: maxClassesPerDetection: 0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT16: maxDetectionsPerClass: <0",
      "DETECTION_POSTPROCESSING TENSOR_FLOAT16: maxDetectionsPerClass: 0",
      // Whether dimensions are kept, and masks, are whole numbers: recipes have 0 and 1, and bits
      // of the dimensions that there are.
      "MEAN TENSOR_FLOAT32: keepDims: <0",
      "MEAN TENSOR_FLOAT32: keepDims: >1",
      "MEAN TENSOR_QUANT8_ASYMM: keepDims: <0",
      "MEAN TENSOR_QUANT8_ASYMM: keepDims: >1",
      "MEAN TENSOR_FLOAT16: keepDims: <0",
      "MEAN TENSOR_FLOAT16: keepDims: >1",
      "STRIDED_SLICE TENSOR_FLOAT32: beginMask: <0",
      "STRIDED_SLICE TENSOR_FLOAT32: endMask: <0",
      "STRIDED_SLICE TENSOR_FLOAT32: shrinkAxisMask: <0",
      "STRIDED_SLICE TENSOR_QUANT8_ASYMM: beginMask: <0",
      "STRIDED_SLICE TENSOR_QUANT8_ASYMM: endMask: <0",
      "STRIDED_SLICE TENSOR_QUANT8_ASYMM: shrinkAxisMask: <0",
      "STRIDED_SLICE TENSOR_FLOAT16: beginMask: <0",
      "STRIDED_SLICE TENSOR_FLOAT16: endMask: <0",
      "STRIDED_SLICE TENSOR_FLOAT16: shrinkAxisMask: <0",
      // No operation writes it; the graph maker has no operand with a scale for each channel read
      // twice.
      "DEQUANTIZE TENSOR_QUANT8_SYMM: internal",
      "DEQUANTIZE TENSOR_QUANT8_SYMM_PER_CHANNEL: consumers>1",
      "DEQUANTIZE TENSOR_QUANT8_SYMM_PER_CHANNEL: internal",
      // There are four times as many numbers of boxes as scores; deltas that are boxes overflow.
      "AXIS_ALIGNED_BBOX_TRANSFORM TENSOR_FLOAT32: same_operand",
      "AXIS_ALIGNED_BBOX_TRANSFORM TENSOR_FLOAT16: same_operand",
      "GENERATE_PROPOSALS TENSOR_FLOAT32: same_operand",
      "GENERATE_PROPOSALS TENSOR_QUANT8_ASYMM: same_operand",
      "GENERATE_PROPOSALS TENSOR_FLOAT16: same_operand",
  };
  return *gaps;
}

TEST(SystematicCasesTest, HaveEveryOperationTypeVersionConditionAndSettingOfTheCatalogue) {
  const std::vector<std::string> gaps = GapsOf(AllCoverage());
  for (const std::string& gap : gaps) {
    EXPECT_TRUE(KnownGaps().contains(gap)) << gap << " is in no case";
  }
  for (const std::string& gap : KnownGaps()) {
    EXPECT_THAT(gaps, ::testing::Contains(gap)) << gap << " is in a case after all";
  }
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

// How far apart cases are that are written as specs: all of them take minutes, which
// NNCERT_SPEC_STRIDE=1 is for.
size_t SpecStride() {
  constexpr size_t kStride = 101;
  size_t stride = kStride;
  const char* const asked = std::getenv("NNCERT_SPEC_STRIDE");
  if (asked != nullptr && !absl::SimpleAtoi(asked, &stride)) {
    ADD_FAILURE() << "NNCERT_SPEC_STRIDE: expected a number, not " << asked;
  }
  return std::max<size_t>(1, stride);
}

TEST(SystematicCasesTest, AreReadBackFromTheirSpecs) {
  const std::string folder = testing::TempDir() + "/specs";
  std::filesystem::create_directories(folder);
  std::map<std::string, const TestCase*> written;
  for (size_t i = 0; i < AllCases().size(); i += SpecStride()) {
    const TestCase& test_case = AllCases()[i].test_case;
    const absl::StatusOr<std::string> spec = WriteSpec(test_case);
    ASSERT_TRUE(spec.ok()) << test_case.name << ": " << spec.status();
    std::ofstream(absl::StrCat(folder, "/", test_case.name, ".mod.py")) << *spec;
    written[test_case.name] = &test_case;
  }
  const absl::StatusOr<LoadedCases> read =
      LoadCases({folder}, {.spec_reader = "generators/spec_reader"});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->errors, IsEmpty());
  EXPECT_EQ(read->cases.size(), written.size());
  for (const LoadedCase& loaded : read->cases) {
    ASSERT_TRUE(written.contains(loaded.test_case.name)) << loaded.test_case.name;
    EXPECT_EQ(DifferenceBesideLayout(*written[loaded.test_case.name], loaded.test_case), "")
        << loaded.test_case.name;
  }
  std::cout << written.size() << " cases read back from their specs" << std::endl;
  std::filesystem::remove_all(folder);
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
