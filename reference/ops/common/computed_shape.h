// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Dimensions that are computed from others and from parameters.

#ifndef NNCERT_REFERENCE_OPS_COMMON_COMPUTED_SHAPE_H_
#define NNCERT_REFERENCE_OPS_COMMON_COMPUTED_SHAPE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "reference/operand_chooser.h"
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

// ---- Recipes ----

/// The most that a length is which is chosen before others that it multiplies.
inline constexpr uint32_t kMostEarly = 64;

/// How many times `elements` elements fit into a tensor that is as large as it should be; at least
/// 1.
inline uint32_t MostTimes(const OperandChooser& choose, uint64_t elements) {
  return static_cast<uint32_t>(
      std::max<uint64_t>(choose.most_elements() / std::max<uint64_t>(elements, 1), 1));
}

/// `rank` dimensions by chance that make `elements` elements, which are one or more.
inline Shape DimensionsOfElements(OperandChooser& choose, uint32_t elements, size_t rank) {
  Shape dimensions(rank);
  const size_t last = choose.random().Below(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (i == last) continue;
    dimensions[i] = choose.DivisorOf(elements);
    elements /= dimensions[i];
  }
  dimensions[last] = elements;
  return dimensions;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_COMPUTED_SHAPE_H_
