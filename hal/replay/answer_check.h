// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Holds the outputs of an execution against what passes.

#ifndef NNCERT_HAL_REPLAY_ANSWER_CHECK_H_
#define NNCERT_HAL_REPLAY_ANSWER_CHECK_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/replay/case.h"

namespace nncert::hal::replay {

/// Checks the elements of all outputs; `answer` has the bytes of each, at least Output::size of
/// them. Internal says of the first output, or set of rows, that does not pass which element does
/// not, and how many.
absl::Status CheckAnswer(const Example& example,
                         absl::Span<const absl::Span<const uint8_t>> answer);

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_ANSWER_CHECK_H_
