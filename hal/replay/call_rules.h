// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the HAL demands of calls and of the callbacks that they are given. Each function says what
// is wrong, a sentence without a full stop; empty when nothing is.

#ifndef NNCERT_HAL_REPLAY_CALL_RULES_H_
#define NNCERT_HAL_REPLAY_CALL_RULES_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "hal/replay/callbacks.h"
#include "hal/v1_0/interfaces.h"
#include "hal/version.h"

namespace nncert::hal::replay {

/// An answer about a valid model of so many operations.
std::string WrongSupport(absl::string_view call, const V1_0::GetSupportedOperationsResult& result,
                         size_t operations);

/// What a launch returned against what its callback was called with, which it must have been.
std::string WrongCallback(absl::string_view call, V1_0::ErrorStatus launched,
                          std::optional<V1_0::ErrorStatus> called);

/// What a device of `version` gave to the callback of a preparation: a prepared model of that
/// version together with NONE, or else none.
std::string WrongPreparation(absl::string_view call, const PrepareCallback::Result& result,
                             HalVersion version);

/// How often a callback was called that is to be called once.
std::string WrongCalls(absl::string_view call, int calls);

/// How often a callback has been called, when its prepared model has been given back: no more than
/// once, and not afterwards, if the last call `is_late` (OnceCalled::is_late).
std::string WrongCallsAtEnd(absl::string_view call, int calls, bool is_late);

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_CALL_RULES_H_
