// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Text files of this folder, which the build makes constants of.

#ifndef NNCERT_PAGES_EMBEDDED_TEXTS_H_
#define NNCERT_PAGES_EMBEDDED_TEXTS_H_

#include <string_view>

namespace nncert {

/// The style sheet of every page: style.css.
extern const std::string_view kPageStyle;

/// The script of every page: page.js.
extern const std::string_view kPageScript;

}  // namespace nncert

#endif  // NNCERT_PAGES_EMBEDDED_TEXTS_H_
