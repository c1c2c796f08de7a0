// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The language of API templates: one specification gives the text of sections, and a template for
// each generated file says where they go. Android's API generator has the same two kinds of file
// (its README.md defines them); docs/api_templates.md says what is the same and what is added.

#ifndef NNCERT_GENERATORS_API_TEMPLATE_LANGUAGE_H_
#define NNCERT_GENERATORS_API_TEMPLATE_LANGUAGE_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace nncert {

/// What `%define NAME BODY` gave names to.
class Macros {
 public:
  /// Gives `name` a body, in place of an earlier one.
  void Define(std::string name, std::string body);

  /// Replaces each `%{NAME ARGUMENT...}` in `line` by NAME's body, and in that each `%{1}`, `%{2}`,
  /// ... by an argument. InvalidArgument for an unknown name, too few arguments, or a `%{` without
  /// its `}`. What a body brings in is not looked at again.
  absl::StatusOr<std::string> Expand(std::string_view line) const;

  /// The body of `name` with its arguments put in.
  absl::StatusOr<std::string> Call(std::string_view name,
                                   const std::vector<std::string>& arguments) const;

 private:
  std::map<std::string, std::string, std::less<>> bodies_;
};

/// Gives the lines of a directive that the language itself does not have, from its arguments and
/// the macros defined so far. `%operations 1.1` is one.
using Directive = std::function<absl::StatusOr<std::vector<std::string>>(
    const std::vector<std::string>& arguments, const Macros& macros)>;

/// A specification as it is for one kind of generated file.
class Specification {
 public:
  /// Reads the specification `text` for `kind`. `directives` are those that may be used in sections
  /// beside the language's own, by name. Errors are InvalidArgument and begin with
  /// "`file`:LINE: ".
  static absl::StatusOr<Specification> Parse(std::string_view file, std::string_view text,
                                             std::string_view kind,
                                             const std::map<std::string, Directive>& directives);

  /// The template `text` with each `%insert NAME` replaced by the section NAME, and its comments
  /// (`%%`) left out. Errors as Parse: an unknown section, any other directive.
  absl::StatusOr<std::string> Render(std::string_view file, std::string_view text) const;

  /// The lines of the sections by name.
  const std::map<std::string, std::vector<std::string>>& sections() const { return sections_; }

 private:
  std::map<std::string, std::vector<std::string>> sections_;
};

}  // namespace nncert

#endif  // NNCERT_GENERATORS_API_TEMPLATE_LANGUAGE_H_
