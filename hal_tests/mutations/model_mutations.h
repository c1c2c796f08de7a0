// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What can be wrong with a model: changes that break a valid model in one place each.

#ifndef NNCERT_HAL_TESTS_MUTATIONS_MODEL_MUTATIONS_H_
#define NNCERT_HAL_TESTS_MUTATIONS_MODEL_MUTATIONS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert {

class ModelMutator;

/// What prepareModel is called with.
struct ModelMutant {
  hal::V1_2::Model model;
  hal::V1_2::ExecutionPreference preference = hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER;
};

/// Changes of one kind.
struct ModelMutationFamily {
  /// What Android's suite calls the check, "mutateOperandScaleTest", or a name of that kind where
  /// it has none.
  std::string_view name;
  /// What is broken, and so has to be refused: "the scale of an operand".
  std::string_view breaks;
  /// Whether the model itself is broken, so that getSupportedOperations has to refuse it as well.
  bool is_of_model = true;
  /// Whether only who runs the operation has to know better: a driver that says that it does not
  /// support the operation, and prepares nothing, is right as well.
  bool is_of_operation = false;
  /// Tells a mutator of each change of a model.
  void (*mutate)(ModelMutator& mutator) = nullptr;
};

/// All families: those of Android 10's suite in its order, then the others.
absl::Span<const ModelMutationFamily> ModelMutationFamilies();

/// A change. Its functions live as long as the call that it is an argument of.
struct ModelMutation {
  /// One of ModelMutationFamilies.
  const ModelMutationFamily& family;
  /// The same for two changes when a driver that looks at operations and types cannot tell them
  /// apart: the same change of the same family, in the same place of an operation of the same type
  /// and types of operands. The same on every machine.
  uint64_t kind;
  /// Where and what: "operand 3 (input 1 of operation 0, CONV_2D): scale 0 in place of 0.5".
  absl::FunctionRef<std::string()> describe;
  /// Makes the change in a copy of the model.
  absl::FunctionRef<void(ModelMutant&)> apply;
};

/// Calls visit with every change of a valid model, in an order that depends on nothing else. The
/// model is to be given to a device by the methods of `version`, which knows all of its types.
/// Applying a change costs a little, hearing of it next to nothing. A few changes leave the model
/// valid: see WhyInvalid.
void ForEachModelMutation(const hal::V1_2::Model& model, hal::HalVersion version,
                          absl::FunctionRef<void(const ModelMutation&)> visit);

/// Why a device must refuse the mutant when it gets it by the methods of `version`: the error of
/// the reference's own validation, of what is left of the mutant in that version's form. OK when it
/// need not.
absl::Status WhyInvalid(const ModelMutant& mutant, hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_MUTATIONS_MODEL_MUTATIONS_H_
