// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/mutations/model_mutations.h"

#include <array>

#include "hal/conversion.h"
#include "hal/validate.h"
#include "hal_tests/mutations/model_mutator.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::Model;

constexpr auto kFamilies = std::to_array<ModelMutationFamily>({
    {.name = "mutateOperandTypeTest",
     .breaks = "an operand has a type that no version has",
     .mutate = &MutateOperandType},
    {.name = "mutateOperandRankTest",
     .breaks = "a scalar has dimensions; before 1.2 a tensor has none",
     .mutate = &MutateOperandRank},
    {.name = "mutateOperandScaleTest",
     .breaks = "the scale of an operand is negative, zero, or there where its type has none",
     .mutate = &MutateOperandScale},
    {.name = "mutateOperandZeroPointTest",
     .breaks = "the zero point of an operand is outside of the range of its type",
     .mutate = &MutateOperandZeroPoint},
    {.name = "mutateOperationOperandTypeTest",
     .breaks = "an operand of an operation has a type that the operation does not take there",
     .mutate = &MutateOperationOperandType},
    {.name = "mutateOperationTypeTest",
     .breaks = "an operation has a type that no version has",
     .mutate = &MutateOperationType},
    {.name = "mutateOperationInputOperandIndexTest",
     .breaks = "an operation reads an operand that does not exist",
     .mutate = &MutateOperationInputIndex},
    {.name = "mutateOperationOutputOperandIndexTest",
     .breaks = "an operation writes an operand that does not exist",
     .mutate = &MutateOperationOutputIndex},
    {.name = "removeOperandTest",
     .breaks = "an operand is gone, with every reference to it",
     .mutate = &RemoveOperand},
    {.name = "removeOperationTest",
     .breaks = "an operation is gone, and nothing writes its outputs",
     .mutate = &RemoveOperation},
    {.name = "removeOperationInputTest",
     .breaks = "an input of an operation is gone",
     .mutate = &RemoveOperationInput},
    {.name = "removeOperationOutputTest",
     .breaks = "an output of an operation is gone",
     .mutate = &RemoveOperationOutput},
    {.name = "addOperationInputTest",
     .breaks = "an operation has one input too many",
     .mutate = &AddOperationInput},
    {.name = "addOperationOutputTest",
     .breaks = "an operation has one output too many",
     .mutate = &AddOperationOutput},
    {.name = "mutateExecutionPreferenceTest",
     .breaks = "the execution preference has no such enumerator",
     .is_of_model = false,
     .mutate = &MutateExecutionPreference},
    // What Android 10's suite does not look at.
    {.name = "mutateOperandScaleSpecialTest",
     .breaks = "the scale of an operand is NaN or infinite",
     .mutate = &MutateOperandScaleSpecial},
    {.name = "mutateOperandExtraParamsTest",
     .breaks = "the extra parameters of an operand are not those that its type wants",
     .mutate = &MutateOperandExtraParams},
    {.name = "mutateConstantRankTest",
     .breaks = "a constant tensor has rank 0, which stands for an unknown rank",
     .mutate = &MutateConstantRank},
    {.name = "mutateConstantSizeOverflowTest",
     .breaks = "the dimensions of a constant make its size only in 32-bit arithmetic",
     .mutate = &MutateConstantSizeOverflow},
    {.name = "mutateOperandLifeTimeTest",
     .breaks = "the lifetime of an operand is not how it comes by its value",
     .mutate = &MutateOperandLifeTime},
    {.name = "mutateNumberOfConsumersTest",
     .breaks = "numberOfConsumers is not how often operations read the operand",
     .mutate = &MutateNumberOfConsumers},
    {.name = "mutateOperandLocationTest",
     .breaks = "the location of an operand is not where its value is, or is outside of its memory",
     .mutate = &MutateOperandLocation},
    {.name = "mutatePoolTest",
     .breaks = "a pool has no memory, too little of it, or memory of a kind that nobody knows",
     .mutate = &MutatePools},
    {.name = "mutateModelInputIndexTest",
     .breaks = "inputIndexes does not list each model input once",
     .mutate = &MutateModelInputIndexes},
    {.name = "mutateModelOutputIndexTest",
     .breaks = "outputIndexes does not list each model output once",
     .mutate = &MutateModelOutputIndexes},
    {.name = "addUnwrittenOperandTest",
     .breaks = "a temporary or a model output is written by no operation",
     .mutate = &AddUnwrittenOperand},
    {.name = "addCycleTest",
     .breaks = "an operation reads what is made of its own output",
     .mutate = &AddCycle},
    {.name = "mutateExecutionOrderTest",
     .breaks = "an operation stands before one whose output it reads",
     .mutate = &MutateExecutionOrder},
    {.name = "addWriterTest",
     .breaks = "an operand is written twice, or is none that operations may write",
     .mutate = &AddWriter},
    {.name = "removeEverythingTest",
     .breaks = "the model has nothing in it",
     .mutate = &RemoveEverything},
    {.name = "mutateExtensionPrefixTest",
     .breaks = "prefixes and names of extensions do not belong together one to one",
     .mutate = &MutateExtensionPrefixes},
    {.name = "breakConstraintTest",
     .breaks = "parameters, dimensions or quantization are such that an operation has no meaning",
     .is_of_operation = true,
     .mutate = &BreakConstraints},
    {.name = "mutateOutputDimensionsTest",
     .breaks = "an output declares dimensions other than those that its operation gives",
     .is_of_operation = true,
     .mutate = &MutateOutputDimensions},
});

// What is left of a model in the form of a version.
Model InFormOf(HalVersion version, const Model& model) {
  switch (version) {
    case HalVersion::V1_0:
      return hal::convertToV1_2(hal::convertToV1_0(model, hal::Loss::EXPECTED));
    case HalVersion::V1_1:
      return hal::convertToV1_2(hal::convertToV1_1(model, hal::Loss::EXPECTED));
    case HalVersion::V1_2:
      break;
  }
  return model;
}

}  // namespace

absl::Span<const ModelMutationFamily> ModelMutationFamilies() { return kFamilies; }

void ForEachModelMutation(const Model& model, HalVersion version,
                          absl::FunctionRef<void(const ModelMutation&)> visit) {
  ModelMutator mutator(model, version, visit);
  for (const ModelMutationFamily& family : kFamilies) mutator.RunFamily(family);
}

absl::Status WhyInvalid(const ModelMutant& mutant, HalVersion version) {
  if (version == HalVersion::V1_2) {
    absl::Status status = ValidateModel(mutant.model, version);
    if (!status.ok()) return status;
  } else if (absl::Status status = ValidateModel(InFormOf(version, mutant.model), version);
             !status.ok()) {
    return status;
  }
  return hal::validateExecutionPreference(mutant.preference);
}

}  // namespace nncert
