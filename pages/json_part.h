// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Values of JSON on a page, whatever they are of.

#ifndef NNCERT_PAGES_JSON_PART_H_
#define NNCERT_PAGES_JSON_PART_H_

#include <string>

#include "pages/markup.h"

namespace nncert {

/// A value of JSON with every figure and text that is in it: the members of an object as facts,
/// arrays of objects as tables, all in the order in which they are written. Names are taken apart,
/// "foundAfterSeconds" is "found after seconds". What is no JSON is shown as the text that it is.
Markup JsonPart(const std::string& json);

}  // namespace nncert

#endif  // NNCERT_PAGES_JSON_PART_H_
