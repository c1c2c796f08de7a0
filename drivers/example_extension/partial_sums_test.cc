// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "drivers/example_extension/testing.h"
#include "hal/extension.h"
#include "reference/catalogue.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;

hal::V1_2::Model ModelOf(const OperandSpec& terms, std::optional<bool> is_exclusive,
                         const OperandSpec& output) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(terms)};
  if (is_exclusive.has_value()) inputs.push_back(builder.Bool(*is_exclusive));
  const uint32_t sums = builder.Output(output);
  builder.Extension(kSequences)
      .Operation(CatalogueOperationType(kSequences, SEQUENCES_PARTIAL_SUMS), inputs, {sums});
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& terms) {
  const auto results = EvaluateInAllSystems(model, {terms});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

TEST(PartialSumsTest, SumsAlongTheLastDimension) {
  const Evaluated result =
      Evaluate(ModelOf(Float32({2, 3}), std::nullopt, Float32({2, 3})), {1, 2, 3, 10, 20, 30});
  EXPECT_THAT(result.from_float, ElementsAre(1, 3, 6, 10, 30, 60));
  EXPECT_THAT(result.from_double, ElementsAre(1, 3, 6, 10, 30, 60));
}

TEST(PartialSumsTest, ExclusiveSumsBeginWithNothing) {
  EXPECT_THAT(Evaluate(ModelOf(Float32({3}), true, Float32({3})), {1, 2, 3}).from_double,
              ElementsAre(0, 1, 3));
  EXPECT_THAT(Evaluate(ModelOf(Float32({3}), false, Float32({3})), {1, 2, 3}).from_double,
              ElementsAre(1, 3, 6));
}

TEST(PartialSumsTest, FixedPointSaturates) {
  // In halves 30000, 30000 and -30000; the second sum, 60000, is too large, the third is not.
  const Evaluated result =
      Evaluate(ModelOf(Fixed16({3}, 1), std::nullopt, Fixed16({3}, 1)), {30000, 30000, -30000});
  EXPECT_THAT(result.from_float, ElementsAre(30000, 32767, 30000));
  EXPECT_THAT(result.from_double, ElementsAre(30000, 32767, 30000));
}

TEST(PartialSumsTest, ConvertsBetweenFractionBits) {
  // 0.25, 0.5, 0.75 to quarters.
  EXPECT_THAT(
      Evaluate(ModelOf(Fixed16({3}, 4), std::nullopt, Fixed16({3}, 2)), {4, 4, 4}).from_double,
      ElementsAre(1, 2, 3));
}

TEST(PartialSumsTest, OperatesOnWhatOtherOperationsCompute) {
  // TENSOR_FLOAT32 [2, 2] -> NEG -> PARTIAL_SUMS.
  ModelBuilder builder;
  const uint32_t input = builder.Input(Float32({2, 2}));
  const uint32_t negated = builder.Temporary(Float32({2, 2}));
  const uint32_t sums = builder.Output(Fixed16({2, 2}, 3));
  builder.Extension(kSequences)
      .Operation(OperationType::NEG, {input}, {negated})
      .Operation(CatalogueOperationType(kSequences, SEQUENCES_PARTIAL_SUMS), {negated}, {sums});
  EXPECT_THAT(Evaluate(builder.model(), {1, 2, 0.5, -4}).from_double, ElementsAre(-8, -24, -4, 28));
}

TEST(PartialSumsTest, PrefixesAreTheModelsOwn) {
  // The same model with the prefix 7 for the extension, and 65535 for one that nobody knows.
  hal::V1_2::Model model = ModelOf(Fixed16({3}, 2), std::nullopt, Fixed16({3}, 2));
  for (hal::V1_2::Operand& operand : model.operands) {
    operand.type = hal::makeExtensionOperandType(7, hal::typeWithinExtension(operand.type));
  }
  model.operations[0].type = hal::makeExtensionOperationType(7, SEQUENCES_PARTIAL_SUMS);
  model.extensionNameToPrefix = {{"com.example.other", 65535}, {kSequences, 7}};
  EXPECT_THAT(Evaluate(model, {1, 2, 3}).from_double, ElementsAre(1, 3, 6));
  EXPECT_EQ(OperationName(model, model.operations[0].type), "com.example.sequences.PARTIAL_SUMS");
}

}  // namespace
}  // namespace nncert
