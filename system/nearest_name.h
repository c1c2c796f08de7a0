// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Names that somebody may have meant.

#ifndef NNCERT_SYSTEM_NEAREST_NAME_H_
#define NNCERT_SYSTEM_NEAREST_NAME_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace nncert {

/// The name among `names` that somebody who typed `typed` may have meant; empty when none is near:
/// more than a third of its letters would have to be typed differently.
std::string NearestName(absl::string_view typed, absl::Span<const std::string> names);

/// "; did you mean X?", the end of a message about `typed`, with the nearest name behind `prefix`;
/// empty when none is near.
std::string DidYouMean(absl::string_view typed, absl::Span<const std::string> names,
                       absl::string_view prefix = "");

}  // namespace nncert

#endif  // NNCERT_SYSTEM_NEAREST_NAME_H_
