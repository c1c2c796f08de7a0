// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models as pictures on a page.

#ifndef NNCERT_CERTIFYING_PAGE_MODEL_DRAWING_H_
#define NNCERT_CERTIFYING_PAGE_MODEL_DRAWING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "pages/markup.h"

namespace nncert {

/// Draws files of Graphviz (hal::graphDump) as SVG, one for each. A file that cannot be drawn, or
/// is of more than 64 KiB, whose drawing nobody could read, has nothing. Fails when Graphviz's
/// program `dot` cannot be run.
absl::StatusOr<std::vector<Markup>> DrawModels(const std::vector<std::string>& files);

/// What of a drawing can do no more than be seen: the <svg> element with shapes, texts and their
/// places and colours. All other elements and attributes are left out, and names of elements, which
/// two drawings of a page would share. Nothing where there is no such element, or it does not end.
Markup PlainDrawing(const std::string& svg);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PAGE_MODEL_DRAWING_H_
