// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What can be wrong with a request: changes that break a valid request in one place each.

#ifndef NNCERT_HAL_TESTS_MUTATIONS_REQUEST_MUTATIONS_H_
#define NNCERT_HAL_TESTS_MUTATIONS_REQUEST_MUTATIONS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert {

class RequestMutator;

/// Changes of one kind.
struct RequestMutationFamily {
  /// What Android's suite calls the check, "removeInputTest", or a name of that kind where it has
  /// none.
  std::string_view name;
  /// What is broken, and so has to be refused.
  std::string_view breaks;
  /// Tells a mutator of each change of a request.
  void (*mutate)(RequestMutator& mutator) = nullptr;
};

/// All families: those of Android 10's suite in its order, then the others.
absl::Span<const RequestMutationFamily> RequestMutationFamilies();

/// A change. Its functions live as long as the call that it is an argument of.
struct RequestMutation {
  /// One of RequestMutationFamilies.
  const RequestMutationFamily& family;
  /// The same for two changes that a driver which looks at operations and types cannot tell apart;
  /// see ModelMutation::kind.
  uint64_t kind;
  /// Where and what: "input 1: poolIndex 2 in place of 0".
  absl::FunctionRef<std::string()> describe;
  /// Makes the change in a copy of the request.
  absl::FunctionRef<void(hal::V1_0::Request&)> apply;
};

/// Calls visit with every change of a valid request of a valid model, in an order that depends on
/// nothing else. A few changes leave the request valid: see WhyInvalid.
void ForEachRequestMutation(const hal::V1_2::Model& model, const hal::V1_0::Request& request,
                            absl::FunctionRef<void(const RequestMutation&)> visit);

/// Why a device of `version` must refuse the request of this valid model; OK when it need not.
absl::Status WhyInvalid(const hal::V1_0::Request& request, const hal::V1_2::Model& model,
                        hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_MUTATIONS_REQUEST_MUTATIONS_H_
