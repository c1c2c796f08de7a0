// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The directives by which a specification takes what nncert knows: the operation catalogue, and the
// lists of types and operations of the HAL.

#ifndef NNCERT_GENERATORS_API_CATALOGUE_DIRECTIVES_H_
#define NNCERT_GENERATORS_API_CATALOGUE_DIRECTIVES_H_

#include <map>
#include <string>

#include "generators/api/template_language.h"

namespace nncert {

/// By name:
///
/// - `%operations VERSION INDENT`: each operation that the HAL version introduced, in the order of
///   their numbers: a comment with what its definition says, then the macro
///   DeclareOperation_VERSION called with the operation's name and number. Each line is indented by
///   INDENT blanks.
/// - `%operand NAME INDENT`: the macro DeclareOperand_VERSION of the version that introduced the
///   operand type NAME, called with its name and number.
/// - `%greatest-operation VERSION INDENT`, `%greatest-operand VERSION INDENT`: the macro
///   DeclareMaximum called with the greatest number, the OEM ones aside, that the version has.
std::map<std::string, Directive> CatalogueDirectives();

}  // namespace nncert

#endif  // NNCERT_GENERATORS_API_CATALOGUE_DIRECTIVES_H_
