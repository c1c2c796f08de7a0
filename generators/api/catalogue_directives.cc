// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/api/catalogue_directives.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generators/api/operation_text.h"
#include "hal/since.h"
#include "hal/version.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

// A name of the HAL with its number and the version that introduced it.
struct Enumerator {
  std::string_view name;
  int64_t number;
  HalVersion since;
};

constexpr HalVersion VersionOf(int minor) { return static_cast<HalVersion>(minor); }

constexpr std::array kOperandTypes = {
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, ...) Enumerator{#NAME, VALUE, VersionOf(SINCE)},
#include "hal/operand_types.def"
};

constexpr std::array kOperations = {
#define NNCERT_OPERATION(NAME, VALUE, SINCE) Enumerator{#NAME, VALUE, VersionOf(SINCE)},
#include "hal/operations.def"
};

// OEM types and operations are numbered from here on.
constexpr int64_t kFirstOemNumber = 10000;

constexpr size_t kCommentWidth = 92;

// The last argument of every directive: how far its lines are indented.
absl::StatusOr<std::string> IndentOf(const std::vector<std::string>& arguments, size_t count) {
  int indent = 0;
  if (arguments.size() != count || !absl::SimpleAtoi(arguments.back(), &indent) || indent < 0 ||
      indent > 16) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the directive takes ", count, " arguments, the last a number of blanks from 0 to 16"));
  }
  return std::string(static_cast<size_t>(indent), ' ');
}

absl::StatusOr<HalVersion> VersionOf(const std::string& text) {
  const std::optional<HalVersion> version = hal::halVersionFromString(text);
  if (!version.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "' is no HAL version"));
  }
  return *version;
}

std::string MacroOf(absl::string_view name, HalVersion version) {
  return absl::StrCat(name, "_", std::string(hal::toString(version)));
}

// A comment in the style of the HAL's and the NDK's headers.
class Comment {
 public:
  Comment(std::vector<std::string>& lines, std::string indent)
      : lines_(lines), indent_(std::move(indent)) {
    lines_.push_back(indent_ + "/**");
  }
  ~Comment() { lines_.push_back(indent_ + " */"); }
  Comment(const Comment&) = delete;
  Comment& operator=(const Comment&) = delete;

  void Paragraph(std::string_view text) {
    if (text.empty()) return;
    if (has_text_) lines_.push_back(indent_ + " *");
    Add(text, "", "");
    has_text_ = true;
  }
  void Item(std::string_view text) { Add(text, "* ", "  "); }

 private:
  void Add(std::string_view text, absl::string_view first, absl::string_view next) {
    absl::string_view prefix = first;
    for (const std::string& line : Wrapped(text, kCommentWidth - first.size())) {
      lines_.push_back(absl::StrCat(indent_, " * ", prefix, line));
      prefix = next;
    }
  }
  std::vector<std::string>& lines_;
  const std::string indent_;
  bool has_text_ = false;
};

void Document(const OperationDefinition& definition, const std::string& indent,
              std::vector<std::string>& lines) {
  Comment comment(lines, indent);
  comment.Paragraph(absl::StrCat(std::string(definition.summary), "."));
  comment.Paragraph(definition.description);
  for (const FormText& form : FormTexts(definition)) {
    comment.Paragraph(form.title.empty() ? "Inputs:" : absl::StrCat("Inputs ", form.title, ":"));
    for (const OperandText& input : form.inputs) comment.Item(SentenceOf(input));
  }
  comment.Paragraph("Outputs:");
  for (const OperandText& output : OutputTexts(definition)) comment.Item(SentenceOf(output));
  if (!definition.constraints.empty()) {
    comment.Paragraph("Constraints:");
    for (const Constraint& constraint : definition.constraints) {
      comment.Item(absl::StrCat(constraint.label, ": ", std::string(constraint.text), "."));
    }
  }
  comment.Paragraph(
      absl::StrCat("Available since HAL ", std::string(hal::toString(definition.since())), "."));
}

absl::StatusOr<std::vector<std::string>> Operations(const std::vector<std::string>& arguments,
                                                    const Macros& macros) {
  const absl::StatusOr<std::string> indent = IndentOf(arguments, 2);
  if (!indent.ok()) return indent.status();
  const absl::StatusOr<HalVersion> version = VersionOf(arguments[0]);
  if (!version.ok()) return version.status();
  std::vector<std::string> lines;
  for (const Enumerator& operation : kOperations) {
    if (operation.since != *version || operation.number >= kFirstOemNumber) continue;
    const OperationDefinition* const definition = FindOperation(operation.name);
    if (definition == nullptr) {
      return absl::FailedPreconditionError(
          absl::StrCat("the catalogue has no ", std::string(operation.name)));
    }
    Document(*definition, *indent, lines);
    absl::StatusOr<std::string> declaration =
        macros.Call(MacroOf("DeclareOperation", *version),
                    {std::string(operation.name), absl::StrCat(operation.number)});
    if (!declaration.ok()) return declaration.status();
    lines.push_back(absl::StrCat(*indent, *declaration));
    lines.emplace_back();
  }
  if (!lines.empty()) lines.pop_back();
  return lines;
}

absl::StatusOr<std::vector<std::string>> Operand(const std::vector<std::string>& arguments,
                                                 const Macros& macros) {
  const absl::StatusOr<std::string> indent = IndentOf(arguments, 2);
  if (!indent.ok()) return indent.status();
  const auto* const type =
      std::find_if(kOperandTypes.begin(), kOperandTypes.end(),
                   [&](const Enumerator& entry) { return entry.name == arguments[0]; });
  if (type == kOperandTypes.end()) {
    return absl::InvalidArgumentError(absl::StrCat("there is no operand type ", arguments[0]));
  }
  absl::StatusOr<std::string> declaration =
      macros.Call(MacroOf("DeclareOperand", type->since),
                  {std::string(type->name), absl::StrCat(type->number)});
  if (!declaration.ok()) return declaration.status();
  return std::vector<std::string>{absl::StrCat(*indent, *declaration)};
}

template <class Enumerators>
Directive Greatest(const Enumerators& enumerators) {
  return [&enumerators](const std::vector<std::string>& arguments,
                        const Macros& macros) -> absl::StatusOr<std::vector<std::string>> {
    const absl::StatusOr<std::string> indent = IndentOf(arguments, 2);
    if (!indent.ok()) return indent.status();
    const absl::StatusOr<HalVersion> version = VersionOf(arguments[0]);
    if (!version.ok()) return version.status();
    int64_t greatest = 0;
    for (const Enumerator& entry : enumerators) {
      if (entry.since <= *version && entry.number < kFirstOemNumber) {
        greatest = std::max(greatest, entry.number);
      }
    }
    absl::StatusOr<std::string> declaration =
        macros.Call("DeclareMaximum", {absl::StrCat(greatest)});
    if (!declaration.ok()) return declaration.status();
    return std::vector<std::string>{absl::StrCat(*indent, *declaration)};
  };
}

}  // namespace

std::map<std::string, Directive> CatalogueDirectives() {
  return {{"operations", Operations},
          {"operand", Operand},
          {"greatest-operation", Greatest(kOperations)},
          {"greatest-operand", Greatest(kOperandTypes)}};
}

}  // namespace nncert
