// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Dimensions that are computed from others and from parameters.

#ifndef NNCERT_REFERENCE_OPS_COMMON_COMPUTED_SHAPE_H_
#define NNCERT_REFERENCE_OPS_COMMON_COMPUTED_SHAPE_H_

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "reference/operation_context.h"
#include "reference/tensor.h"

namespace nncert {

/// Sets `shape` to `dimensions`, which were computed in 64 bits. InvalidArgument, naming the
/// operation, when one of them does not fit the 32 bits of the HAL.
inline absl::Status SetComputedShape(const OperationContext& context,
                                     absl::Span<const uint64_t> dimensions, Shape& shape) {
  shape.clear();
  for (const uint64_t dimension : dimensions) {
    if (dimension > std::numeric_limits<uint32_t>::max()) {
      return context.Error(
          absl::StrCat("the output would have dimensions [", absl::StrJoin(dimensions, ", "),
                       "]; expected each to be at most ", std::numeric_limits<uint32_t>::max()));
    }
    shape.push_back(static_cast<uint32_t>(dimension));
  }
  return absl::OkStatus();
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_COMPUTED_SHAPE_H_
