// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_OPS_COMMON_SAME_ELEMENTS_H_
#define NNCERT_REFERENCE_OPS_COMMON_SAME_ELEMENTS_H_

#include <cstring>

#include "reference/kernel.h"

namespace nncert {

/// The kernel of operations whose output has the elements of input 0 in the same order, in other
/// dimensions.
inline Kernel SameElements() {
  return Move([](MoveContext& context) -> absl::Status {
    const ElementsView input = context.Input(0);
    auto output = context.Output(0);
    if (!output.ok()) return output.status();
    std::memcpy(output->data, input.data, NumberOfElements(input.dimensions) * input.element_size);
    return absl::OkStatus();
  });
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_SAME_ELEMENTS_H_
