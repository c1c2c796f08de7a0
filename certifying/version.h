// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The version of nncert.

#ifndef NNCERT_CERTIFYING_VERSION_H_
#define NNCERT_CERTIFYING_VERSION_H_

namespace nncert {

/// What nncert --version says.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_VERSION_H_
