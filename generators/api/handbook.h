// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The operation handbook: a page for each operation and an index, read off the catalogue; and a
// page for an extension.

#ifndef NNCERT_GENERATORS_API_HANDBOOK_H_
#define NNCERT_GENERATORS_API_HANDBOOK_H_

#include <map>
#include <string>

#include "reference/extension.h"
#include "reference/operation_definition.h"

namespace nncert {

/// The page of one operation in Markdown: meaning, inputs, outputs, types by version, constraints
/// with their labels, error bound, source.
std::string HandbookPage(const OperationDefinition& definition);

/// The page of an extension and all its operations in Markdown: what it is for, its operand types,
/// and of each operation what HandbookPage says. It is meant to lie in the folder of the
/// definitions.
std::string ExtensionPage(const ExtensionDefinition& extension);

/// The whole handbook, by file name: "README.md" is the index, "CONV_2D.md" a page.
std::map<std::string, std::string> Handbook();

}  // namespace nncert

#endif  // NNCERT_GENERATORS_API_HANDBOOK_H_
