// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How far numbers are apart that may be none.

#ifndef NNCERT_MLTS_METRICS_DIFFERENCES_H_
#define NNCERT_MLTS_METRICS_DIFFERENCES_H_

namespace nncert {

/// `actual` less `expected`; 0 when they are the same infinity or both NaN. Never NaN: where only
/// one is a finite number, or both are none and unlike, it is infinite, and negative when `actual`
/// is the lower infinity or `expected` the upper one.
double DifferenceOf(double actual, double expected);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_DIFFERENCES_H_
