// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_OPS_COMMON_RANKS_H_
#define NNCERT_REFERENCE_OPS_COMMON_RANKS_H_

#include <numeric>
#include <vector>

namespace nncert {

/// The ranks from `lowest` on that an OperandRule can tell apart, for operands whose rank the HAL
/// does not limit from above.
inline std::vector<int> RanksFrom(int lowest) {
  std::vector<int> ranks(static_cast<size_t>(32 - lowest));
  std::iota(ranks.begin(), ranks.end(), lowest);
  return ranks;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_RANKS_H_
