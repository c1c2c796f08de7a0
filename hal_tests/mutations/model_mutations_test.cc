// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/mutations/model_mutations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cases/case_source.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal_tests/testing/witness_cases.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::Model;
using hal::V1_2::OperandType;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A mutant, put into words.
struct Told {
  std::string family;
  std::string what;
  uint64_t kind = 0;
  std::string error;  // empty for a legal one
};

std::vector<Told> MutantsOf(const Model& model, HalVersion version = HalVersion::V1_2) {
  std::vector<Told> mutants;
  ForEachModelMutation(model, version, [&](const ModelMutation& mutation) {
    ModelMutant mutant = {.model = model};
    mutation.apply(mutant);
    EXPECT_FALSE(mutant.model == model && mutant.preference == ModelMutant().preference)
        << mutation.family.name << ": " << mutation.describe() << " changes nothing";
    mutants.push_back({std::string(mutation.family.name), mutation.describe(), mutation.kind,
                       std::string(WhyInvalid(mutant, version).message())});
  });
  return mutants;
}

// Models that have a mutant of every family between them.
std::vector<Model> SomeModels() {
  std::vector<Model> models;
  for (const LoadedCase& witness : WitnessCases()) models.push_back(witness.test_case.model);
  return models;
}

TEST(ModelMutationsTest, EachFamilyBreaksWhatItIsCalledFor) {
  struct Expectation {
    const char* family;
    const char* what;
    const char* error;
  };
  std::vector<Told> all;
  for (const Model& model : SomeModels()) {
    EXPECT_TRUE(WhyInvalid({.model = model}, HalVersion::V1_2).ok());
    for (Told& told : MutantsOf(model)) all.push_back(std::move(told));
  }
  const std::vector<Expectation> expectations = {
      {"mutateOperandTypeTest",
       "operand 0 (input 0 of operation 0, ADD): type 14 in place of "
       "TENSOR_FLOAT32",
       "operand 0: the type is OperandType(14); expected one of HAL 1.2"},
      {"mutateOperandRankTest", "(input 2 of operation 0, ADD): dimensions [0]",
       "the rank of a scalar is 1; expected 0"},
      {"mutateOperandScaleTest", "scale 0 in place of 1",
       "the scale is 0; expected more than 0 for TENSOR_QUANT8_ASYMM"},
      {"mutateOperandZeroPointTest", "zeroPoint 256 in place of 0",
       "the zeroPoint is 256; expected in [0, 255]"},
      {"mutateOperationOperandTypeTest", "type TENSOR_FLOAT16 in place of TENSOR_FLOAT32",
       "is TENSOR_FLOAT"},
      {"mutateOperationTypeTest", "operation 0, ADD: type 95 in its place",
       "operation 0: the type is OperationType(95)"},
      {"mutateOperationInputOperandIndexTest", "(input 1 of operation 0, ADD): operand 4 in its",
       "the operand index of input 1 is 4; expected less than 4"},
      {"mutateOperationOutputOperandIndexTest", "(output 0 of operation 0, ADD): operand 4 in its",
       "the operand index of output 0 is 4; expected less than 4"},
      {"removeOperandTest", "operand 2 (input 2 of operation 0, ADD): removed", "has 2 inputs"},
      {"removeOperationTest", "operation 0, ADD: removed", "the model has no operations"},
      {"removeOperationInputTest", "(input 2 of operation 0, ADD): removed", "has 2 inputs"},
      {"removeOperationOutputTest", "(output 0 of operation 0, ADD): removed",
       "no operation writes it"},
      {"addOperationInputTest", "operation 0, ADD: one more input", "has 4 inputs; expected 3"},
      {"addOperationOutputTest", "operation 0, ADD: one more output", "has 2 outputs; expected 1"},
      {"mutateExecutionPreferenceTest", "execution preference 3", "preference"},
      {"mutateOperandScaleSpecialTest", "scale nan in place of 1", "the scale is nan"},
      {"mutateOperandExtraParamsTest", "with a scale too few",
       "the number of channelQuant scales is 1; expected 2"},
      {"mutateConstantRankTest", "no dimensions in place of [2]",
       "the rank of a constant tensor is unknown"},
      {"mutateConstantSizeOverflowTest", "dimension 0 1073741826 in place of 2",
       "the length of the constant is 8; expected 4294967304"},
      {"mutateOperandLifeTimeTest", "lifetime OperandLifeTime(6) in place of MODEL_INPUT",
       "the lifetime is OperandLifeTime(6)"},
      {"mutateNumberOfConsumersTest", "numberOfConsumers 2 in place of 1",
       "numberOfConsumers is 2; expected 1"},
      {"mutateOperandLocationTest", "(input 1 of operation 0, CONV_2D): location",
       "the location ends at byte"},
      {"mutatePoolTest", "pool 0: a byte too few", "the pool has"},
      {"mutatePoolTest", "one more pool, 0: no memory", "the pool has no file descriptor"},
      {"mutateModelInputIndexTest", "inputIndexes[0]: listed again", "for the second time"},
      {"mutateModelOutputIndexTest", "outputIndexes is empty", "the model has no outputs"},
      {"addUnwrittenOperandTest", "one more temporary, which nobody writes",
       "no operation writes it"},
      {"addCycleTest", "an output of operation 0", "which the operation itself writes"},
      {"addCycleTest", "in its place, an output of operation 1",
       "expected operations in execution order"},
      {"mutateExecutionOrderTest", "operation 0, ADD: moved behind operation 1",
       "expected operations in execution order"},
      {"addWriterTest", "once more at the end", "writes already; expected exactly one writer"},
      {"removeEverythingTest", "a model without operands", "the model has no operands"},
      {"mutateExtensionPrefixTest", "two prefixes of one name", "has two prefixes"},
      {"breakConstraintTest", "(input 4 of operation 0, CONV_2D): the value 0 in place of 1",
       "does not hold"},
      {"mutateOutputDimensionsTest", "(output 0 of operation 0, ADD): dimensions [3, 2] in place",
       "the model declares [3, 2]"},
  };
  std::set<std::string> expected;
  for (const Expectation& expectation : expectations) {
    expected.insert(expectation.family);
    EXPECT_THAT(all, Contains(::testing::AllOf(
                         ::testing::Field(&Told::family, expectation.family),
                         ::testing::Field(&Told::what, HasSubstr(expectation.what)),
                         ::testing::Field(&Told::error, HasSubstr(expectation.error)))))
        << expectation.family << ": " << expectation.what;
  }
  for (const ModelMutationFamily& family : ModelMutationFamilies()) {
    EXPECT_THAT(expected, Contains(std::string(family.name)));
  }
}

TEST(ModelMutationsTest, OnlyTheseFamiliesHaveLegalMutants) {
  std::set<std::string> legal;
  for (const Model& model : SomeModels()) {
    for (const Told& told : MutantsOf(model)) {
      if (told.error.empty()) legal.insert(told.family);
    }
  }
  // Parameters and dimensions that are as good as those before them.
  EXPECT_EQ(legal, std::set<std::string>({"breakConstraintTest"}));
}

TEST(ModelMutationsTest, EveryVersionHasUnknownTypesOfItsOwn) {
  const auto types = [](HalVersion version) {
    std::set<std::string> found;
    for (const Told& told : MutantsOf(AddCase().model, version)) {
      if (told.family != "mutateOperandTypeTest" && told.family != "mutateOperationTypeTest") {
        continue;
      }
      EXPECT_THAT(told.error, HasSubstr("the type is")) << told.what;
      const std::vector<std::string> words = absl::StrSplit(told.what, "): type ");
      if (words.size() > 1)
        found.insert(std::vector<std::string>(absl::StrSplit(words[1], ' '))[0]);
      const std::vector<std::string> others = absl::StrSplit(told.what, "ADD: type ");
      if (others.size() > 1) {
        found.insert(std::vector<std::string>(absl::StrSplit(others[1], ' '))[0]);
      }
    }
    return found;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(types(HalVersion::V1_2), Names({"-1", "14", "9999", "10002", "95", "10001"}));
  EXPECT_EQ(types(HalVersion::V1_1), Names({"-1", "6", "9999", "10002", "38", "10001"}));
  EXPECT_EQ(types(HalVersion::V1_0), Names({"-1", "6", "9999", "10002", "29", "10001"}));
}

TEST(ModelMutationsTest, FamiliesThatAVersionDoesNotKnowHaveNoMutants) {
  const auto families = [](HalVersion version) {
    std::set<std::string> found;
    for (const Told& told : MutantsOf(AddCase().model, version)) found.insert(told.family);
    return found;
  };
  EXPECT_THAT(families(HalVersion::V1_1), Contains("mutateExecutionPreferenceTest"));
  EXPECT_THAT(families(HalVersion::V1_0), Not(Contains("mutateExecutionPreferenceTest")));
  EXPECT_THAT(families(HalVersion::V1_1), Not(Contains("mutateExtensionPrefixTest")));
  EXPECT_THAT(families(HalVersion::V1_1), Not(Contains("mutateOperandExtraParamsTest")));
}

TEST(ModelMutationsTest, KindsAreThoseOfOperationsAndTypes) {
  const auto kinds = [](const Model& model) {
    std::set<uint64_t> found;
    for (const Told& told : MutantsOf(model)) found.insert(told.kind);
    return found;
  };
  Model other_values = ConvModel();
  other_values.operandValues[0] += 1;
  EXPECT_EQ(kinds(ConvModel()), kinds(other_values));
  std::vector<uint64_t> common;
  const std::set<uint64_t> floats = kinds(AddCase().model);
  const std::set<uint64_t> halves = kinds(AddCase(OperandType::TENSOR_FLOAT16).model);
  std::set_intersection(floats.begin(), floats.end(), halves.begin(), halves.end(),
                        std::back_inserter(common));
  EXPECT_THAT(common, IsEmpty());
}

TEST(ModelMutationsTest, MutationsOfOneModelAreOfDifferentKinds) {
  for (const Model& model : SomeModels()) {
    std::map<uint64_t, Told> seen;
    for (const Told& told : MutantsOf(model)) {
      // Operations of one type and types are alike.
      if (model.operations.size() > 1) continue;
      const auto [before, is_new] = seen.try_emplace(told.kind, told);
      if (is_new || before->second.family != told.family) continue;
      EXPECT_EQ(before->second.what, told.what) << told.family;
    }
  }
}

// What Android's families leave legal in the bundled cases is what Android's suite leaves out, and
// FLOAT32 scalars beside tensors of halves, which the documentation has (docs/deviations.md).
TEST(ModelMutationsTest, WhatIsLegalIsWhatAndroidDoesNotSend) {
  const std::set<std::string> android_leaves_out = {
      "addOperationInputTest: L2_NORMALIZATION",
      "addOperationInputTest: LOCAL_RESPONSE_NORMALIZATION",
      "addOperationInputTest: SOFTMAX",
      "mutateOperationOperandTypeTest: input 0 ARGMAX",
      "mutateOperationOperandTypeTest: input 0 ARGMIN",
      "mutateOperationOperandTypeTest: input 0 CAST",
      "mutateOperationOperandTypeTest: input 0 DEQUANTIZE",
      "mutateOperationOperandTypeTest: input 0 QUANTIZE",
      "mutateOperationOperandTypeTest: input 0 RANDOM_MULTINOMIAL",
      "mutateOperationOperandTypeTest: input 1 LSH_PROJECTION",
      "mutateOperationOperandTypeTest: output 0 CAST",
      "mutateOperationOperandTypeTest: output 0 DEQUANTIZE",
      "removeOperationInputTest: input 0 CONCATENATION",
      "removeOperationInputTest: input 1 CONCATENATION",
      "removeOperationInputTest: input 1 L2_NORMALIZATION",
      "removeOperationInputTest: input 10 AVERAGE_POOL_2D",
      "removeOperationInputTest: input 10 CONV_2D",
      "removeOperationInputTest: input 10 L2_POOL_2D",
      "removeOperationInputTest: input 10 MAX_POOL_2D",
      "removeOperationInputTest: input 11 DEPTHWISE_CONV_2D",
      "removeOperationInputTest: input 2 BATCH_TO_SPACE_ND",
      "removeOperationInputTest: input 2 CONCATENATION",
      "removeOperationInputTest: input 2 DEPTH_TO_SPACE",
      "removeOperationInputTest: input 2 SOFTMAX",
      "removeOperationInputTest: input 2 SPACE_TO_DEPTH",
      "removeOperationInputTest: input 3 RESIZE_BILINEAR",
      "removeOperationInputTest: input 3 SPACE_TO_BATCH_ND",
      "removeOperationInputTest: input 5 LOCAL_RESPONSE_NORMALIZATION",
      "removeOperationInputTest: input 7 AVERAGE_POOL_2D",
      "removeOperationInputTest: input 7 CONV_2D",
      "removeOperationInputTest: input 7 L2_POOL_2D",
      "removeOperationInputTest: input 7 MAX_POOL_2D",
      "removeOperationInputTest: input 8 DEPTHWISE_CONV_2D",
  };
  const absl::StatusOr<LoadedCases> loaded = LoadCases({"spec_tests/specs"});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_THAT(loaded->cases, Not(IsEmpty()));
  std::set<uint64_t> kinds;
  std::map<std::string, std::string> unexpected;
  for (const LoadedCase& each : loaded->cases) {
    const Model& model = each.test_case.model;
    if (model.operations.size() > 1) continue;
    ForEachModelMutation(model, HalVersion::V1_2, [&](const ModelMutation& mutation) {
      const std::ptrdiff_t number = &mutation.family - ModelMutationFamilies().data();
      constexpr std::ptrdiff_t kFamiliesOfAndroid = 15;
      // An input that is removed with its operand is one that is removed.
      if (number >= kFamiliesOfAndroid || mutation.family.name == "removeOperandTest") return;
      if (!kinds.insert(mutation.kind).second) return;
      ModelMutant mutant = {.model = model};
      mutation.apply(mutant);
      if (!WhyInvalid(mutant, HalVersion::V1_2).ok()) return;
      const std::string what = mutation.describe();
      if (what.find("type FLOAT32 in place of FLOAT16") != what.npos) return;
      // "operand 1 (input 1 of operation 0, CAST): ..." or "operation 0, SOFTMAX: ...".
      const size_t open = what.find('(');
      const size_t comma = what.find(", ");
      const std::string operation =
          what.substr(comma + 2, what.find_first_of("):", comma) - comma - 2);
      const std::string position =
          open < comma ? absl::StrCat(what.substr(open + 1, what.find(" of ") - open - 1), " ")
                       : "";
      const std::string place =
          absl::StrCat(std::string(mutation.family.name), ": ", position, operation);
      if (android_leaves_out.count(place) == 0) unexpected[place] = what;
    });
  }
  for (const auto& [place, what] : unexpected) ADD_FAILURE() << place << ", as in " << what;
}

// The constraints of an operation that an error names: {"C3"}.
std::vector<std::string> ConstraintsIn(const std::string& error) {
  std::vector<std::string> labels;
  const std::vector<std::string> parts = absl::StrSplit(error, "constraint ");
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t end = parts[i].find(" does not hold");
    if (end != std::string::npos) labels.push_back(parts[i].substr(0, end));
  }
  return labels;
}

TEST(ModelMutationsTest, ConstraintsOfTheCatalogueAreBrokenOneAtATime) {
  const absl::StatusOr<LoadedCases> loaded = LoadCases({"spec_tests/specs"});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  std::set<uint64_t> kinds;
  std::set<std::string> broken;
  for (const LoadedCase& each : loaded->cases) {
    const Model& model = each.test_case.model;
    if (model.operations.size() > 1) continue;
    ForEachModelMutation(model, HalVersion::V1_2, [&](const ModelMutation& mutation) {
      if (!kinds.insert(mutation.kind).second) return;
      ModelMutant mutant = {.model = model};
      mutation.apply(mutant);
      const std::string error(WhyInvalid(mutant, HalVersion::V1_2).message());
      const std::vector<std::string> labels = ConstraintsIn(error);
      if (labels.size() != 1) return;
      broken.insert(absl::StrCat(OperationName(model, model.operations[0].type), " ", labels[0]));
    });
  }
  // These are about values and empty tensors that come with requests, or take two changes at once.
  const std::map<std::string, std::set<std::string>> not_by_one_change_of_a_model = {
      {"AVERAGE_POOL_2D", {"C1"}},
      {"CONCATENATION", {"C2"}},
      {"CONV_2D", {"C1", "C2", "C6"}},
      {"DEPTHWISE_CONV_2D", {"C5"}},
      {"EMBEDDING_LOOKUP", {"C2"}},
      {"FULLY_CONNECTED", {"C1", "C4"}},
      {"HASHTABLE_LOOKUP", {"C2", "C3"}},
      {"L2_POOL_2D", {"C1"}},
      {"LSH_PROJECTION", {"C2", "C4"}},
      {"LSTM", {"C1", "C2", "C3", "C4", "C6", "C12", "C14"}},
      {"MAX_POOL_2D", {"C1"}},
      {"MUL", {"C2"}},
      {"RESHAPE", {"C1"}},
      {"RESIZE_BILINEAR", {"C1"}},
      {"PAD", {"C3"}},
      {"SPACE_TO_BATCH_ND", {"C6"}},
      {"AXIS_ALIGNED_BBOX_TRANSFORM", {"C5", "C6"}},
      {"BIDIRECTIONAL_SEQUENCE_LSTM", {"C4", "C5", "C6", "C17", "C21", "C22"}},
      {"BIDIRECTIONAL_SEQUENCE_RNN", {"C1", "C6"}},
      {"BOX_WITH_NMS_LIMIT", {"C3", "C4", "C5", "C7"}},
      {"DETECTION_POSTPROCESSING", {"C6"}},
      {"GROUPED_CONV_2D", {"C3"}},
      {"HEATMAP_MAX_KEYPOINT", {"C2"}},
      {"ROI_ALIGN", {"C4", "C8"}},
      {"ROI_POOLING", {"C4"}},
      {"TRANSPOSE_CONV_2D", {"C1", "C2"}},
      {"UNIDIRECTIONAL_SEQUENCE_LSTM", {"C3", "C4"}},
      {"RESIZE_NEAREST_NEIGHBOR", {"C1"}},
  };
  for (const OperationDefinition* definition : AllOperations()) {
    const auto exceptions = not_by_one_change_of_a_model.find(definition->name());
    for (const Constraint& constraint : definition->constraints) {
      const bool is_exception = exceptions != not_by_one_change_of_a_model.end() &&
                                exceptions->second.count(constraint.label) > 0;
      EXPECT_TRUE(is_exception ||
                  broken.count(absl::StrCat(definition->name(), " ", constraint.label)) > 0)
          << definition->name() << " " << constraint.label << ": " << constraint.text;
    }
  }
}

}  // namespace
}  // namespace nncert
