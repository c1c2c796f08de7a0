// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Helpers that let the enumerations of one HAL version pick their rows out of `operand_types.def`
// and `operations.def`, whose rows name the minor version (0, 1 or 2) that introduced them.
//
// NNCERT_KEEP_IN_1_<v>_SINCE_<s>(text) expands to `text` when something introduced in HAL 1.<s>
// exists in HAL 1.<v>, and to nothing otherwise.

#ifndef NNCERT_HAL_SINCE_H_
#define NNCERT_HAL_SINCE_H_

#define NNCERT_KEEP_IN_1_0_SINCE_0(...) __VA_ARGS__
#define NNCERT_KEEP_IN_1_0_SINCE_1(...)
#define NNCERT_KEEP_IN_1_0_SINCE_2(...)
#define NNCERT_KEEP_IN_1_1_SINCE_0(...) __VA_ARGS__
#define NNCERT_KEEP_IN_1_1_SINCE_1(...) __VA_ARGS__
#define NNCERT_KEEP_IN_1_1_SINCE_2(...)
#define NNCERT_KEEP_IN_1_2_SINCE_0(...) __VA_ARGS__
#define NNCERT_KEEP_IN_1_2_SINCE_1(...) __VA_ARGS__
#define NNCERT_KEEP_IN_1_2_SINCE_2(...) __VA_ARGS__

#endif  // NNCERT_HAL_SINCE_H_
