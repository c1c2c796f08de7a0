// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/api/template_language.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace nncert {
namespace {

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

std::vector<std::string> Words(absl::string_view text) {
  return absl::StrSplit(text, absl::ByAnyChar(" \t"), absl::SkipEmpty());
}

// Lines without their ends; a last line may lack its end.
std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines = absl::StrSplit(View(text), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// A directive's name, and what follows it after one blank.
struct DirectiveLine {
  std::string name;
  std::string rest;
};

// The directive on a line: nothing on lines of text, an empty name on comments.
std::optional<DirectiveLine> DirectiveOf(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, "%")) return std::nullopt;
  // A macro call may begin a line of text.
  if (absl::StartsWith(line, "{")) return std::nullopt;
  if (absl::StartsWith(line, "%")) return DirectiveLine{};
  const size_t blank = std::min(line.find_first_of(" \t"), line.size());
  return DirectiveLine{std::string(line.substr(0, blank)),
                       std::string(line.substr(std::min(blank + 1, line.size())))};
}

// Reads a specification, line by line.
class SpecificationReader {
 public:
  SpecificationReader(std::string_view kind, const std::map<std::string, Directive>& directives)
      : kind_(kind), directives_(directives) {}

  absl::Status Read(const std::string& line);
  absl::Status Finish() const;
  std::map<std::string, std::vector<std::string>> TakeSections() { return std::move(sections_); }

 private:
  absl::Status ReadDirective(const DirectiveLine& directive);
  absl::Status ReadText(const std::string& line);
  absl::Status BeginSection(const std::string& name);
  absl::Status BeginLines(const std::string& name);
  absl::Status BeginKinds(const std::vector<std::string>& patterns);
  absl::Status Define(const std::string& rest);
  absl::Status Append(const std::vector<std::string>& lines);
  absl::StatusOr<bool> Matches(const std::string& pattern) const;

  const std::string kind_;
  const std::map<std::string, Directive>& directives_;
  std::vector<std::string> kinds_;  // of %define-kinds, the earliest first
  Macros macros_;
  std::map<std::string, std::vector<std::string>> sections_;
  std::map<std::string, std::vector<std::string>> definitions_;
  std::optional<std::string> section_;     // the one that is being read
  std::optional<std::string> definition_;  // the %define-lines that is being read
  std::optional<bool> condition_;          // of the %kind that is being read
};

absl::Status Wrong(absl::string_view what) { return absl::InvalidArgumentError(what); }

absl::Status SpecificationReader::Read(const std::string& line) {
  const std::optional<DirectiveLine> directive = DirectiveOf(line);
  if (!directive.has_value()) return ReadText(line);
  if (directive->name.empty()) return absl::OkStatus();
  return ReadDirective(*directive);
}

absl::Status SpecificationReader::ReadText(const std::string& line) {
  if (condition_.has_value() && !*condition_) return absl::OkStatus();
  if (!section_.has_value() && !definition_.has_value()) return absl::OkStatus();
  absl::StatusOr<std::string> expanded = macros_.Expand(line);
  if (!expanded.ok()) return expanded.status();
  return Append({*std::move(expanded)});
}

absl::Status SpecificationReader::Append(const std::vector<std::string>& lines) {
  if (!section_.has_value() && !definition_.has_value()) {
    return Wrong("text is only given inside of %section or %define-lines");
  }
  std::vector<std::string>& target =
      definition_.has_value() ? definitions_[*definition_] : sections_[*section_];
  target.insert(target.end(), lines.begin(), lines.end());
  return absl::OkStatus();
}

absl::Status SpecificationReader::ReadDirective(const DirectiveLine& directive) {
  const std::vector<std::string> words = Words(directive.rest);
  if (directive.name == "kind") return BeginKinds(words);
  if (directive.name == "else" || directive.name == "/kind") {
    if (!condition_.has_value()) {
      return Wrong(absl::StrCat("%", directive.name, " without %kind"));
    }
    if (definition_.has_value()) {
      return Wrong(absl::StrCat("%", directive.name, " before %/define-lines"));
    }
    if (directive.name == "else") {
      condition_ = !*condition_;
    } else {
      condition_.reset();
    }
    return absl::OkStatus();
  }
  if (condition_.has_value() && !*condition_) return absl::OkStatus();
  if (directive.name == "define-kinds") {
    kinds_ = words;
    if (std::find(kinds_.begin(), kinds_.end(), kind_) == kinds_.end()) {
      return Wrong(absl::StrCat("%define-kinds does not have the kind ", kind_));
    }
    return absl::OkStatus();
  }
  if (directive.name == "define") return Define(directive.rest);
  if (directive.name == "define-lines" || directive.name == "section") {
    if (words.size() != 1) {
      return Wrong(absl::StrCat("%", directive.name, " takes one name"));
    }
    return directive.name == "section" ? BeginSection(words[0]) : BeginLines(words[0]);
  }
  if (directive.name == "/define-lines" || directive.name == "/section") {
    std::optional<std::string>& open = directive.name == "/section" ? section_ : definition_;
    if (!open.has_value()) {
      return Wrong(absl::StrCat("%", directive.name, " ends nothing"));
    }
    open.reset();
    return absl::OkStatus();
  }
  if (directive.name == "insert-lines") {
    if (words.size() != 1 || definitions_.count(words[0]) == 0) {
      return Wrong(absl::StrCat("%insert-lines takes the name of a %define-lines; got '",
                                directive.rest, "'"));
    }
    return Append(definitions_.at(words[0]));
  }
  const auto found = directives_.find(directive.name);
  if (found == directives_.end()) {
    return Wrong(absl::StrCat("there is no directive %", directive.name));
  }
  absl::StatusOr<std::vector<std::string>> lines = found->second(words, macros_);
  if (!lines.ok()) return lines.status();
  return Append(*lines);
}

absl::Status SpecificationReader::BeginSection(const std::string& name) {
  if (section_.has_value()) {
    return Wrong(absl::StrCat("%section ", name, " inside of %section ", *section_));
  }
  if (condition_.has_value() || definition_.has_value()) {
    return Wrong(absl::StrCat("%section ", name, " inside of %kind or %define-lines"));
  }
  if (!sections_.try_emplace(name).second) {
    return Wrong(absl::StrCat("there is a section ", name, " already"));
  }
  section_ = name;
  return absl::OkStatus();
}

absl::Status SpecificationReader::BeginLines(const std::string& name) {
  if (definition_.has_value()) {
    return Wrong(absl::StrCat("%define-lines ", name, " inside of %define-lines ", *definition_));
  }
  if (!definitions_.try_emplace(name).second) {
    return Wrong(absl::StrCat("there are lines ", name, " already"));
  }
  definition_ = name;
  return absl::OkStatus();
}

absl::Status SpecificationReader::BeginKinds(const std::vector<std::string>& patterns) {
  if (condition_.has_value()) return Wrong("%kind inside of %kind");
  if (patterns.empty()) return Wrong("%kind takes kinds");
  bool matches = false;
  for (const std::string& pattern : patterns) {
    const absl::StatusOr<bool> one = Matches(pattern);
    if (!one.ok()) return one.status();
    matches |= *one;
  }
  condition_ = matches;
  return absl::OkStatus();
}

absl::StatusOr<bool> SpecificationReader::Matches(const std::string& pattern) const {
  absl::string_view stem = pattern;
  if (absl::ConsumeSuffix(&stem, "*")) return absl::StartsWith(kind_, stem);
  if (!absl::ConsumeSuffix(&stem, "+")) return kind_ == pattern;
  const auto lowest = std::find(kinds_.begin(), kinds_.end(), stem);
  if (lowest == kinds_.end()) {
    return Wrong(absl::StrCat("%define-kinds does not have the kind ", stem));
  }
  return std::find(lowest, kinds_.end(), kind_) != kinds_.end();
}

absl::Status SpecificationReader::Define(const std::string& rest) {
  const size_t blank = std::min(rest.find(' '), rest.size());
  if (blank == 0) return Wrong("%define takes a name and a body");
  macros_.Define(rest.substr(0, blank), rest.substr(std::min(blank + 1, rest.size())));
  return absl::OkStatus();
}

absl::Status SpecificationReader::Finish() const {
  if (section_.has_value()) return Wrong(absl::StrCat("%section ", *section_, " has no end"));
  if (definition_.has_value()) {
    return Wrong(absl::StrCat("%define-lines ", *definition_, " has no end"));
  }
  if (condition_.has_value()) return Wrong("%kind has no end");
  return absl::OkStatus();
}

absl::Status AtLine(std::string_view file, size_t line, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(View(file), ":", line, ": ", status.message()));
}

}  // namespace

void Macros::Define(std::string name, std::string body) {
  bodies_.insert_or_assign(std::move(name), std::move(body));
}

absl::StatusOr<std::string> Macros::Call(std::string_view name,
                                         const std::vector<std::string>& arguments) const {
  const auto found = bodies_.find(name);
  if (found == bodies_.end()) return Wrong(absl::StrCat("there is no macro '", View(name), "'"));
  std::string result;
  absl::string_view body = found->second;
  while (!body.empty()) {
    const size_t open = std::min(body.find("%{"), body.size());
    absl::StrAppend(&result, body.substr(0, open));
    body.remove_prefix(open);
    if (body.empty()) break;
    const size_t close = body.find('}');
    int number = 0;
    if (close == absl::string_view::npos || !absl::SimpleAtoi(body.substr(2, close - 2), &number)) {
      // Not an argument: it stays as it is.
      absl::StrAppend(&result, body.substr(0, 2));
      body.remove_prefix(2);
      continue;
    }
    if (number < 1 || static_cast<size_t>(number) > arguments.size()) {
      return Wrong(absl::StrCat("the macro '", View(name), "' wants argument ", number, "; it got ",
                                arguments.size()));
    }
    absl::StrAppend(&result, arguments[static_cast<size_t>(number) - 1]);
    body.remove_prefix(close + 1);
  }
  return result;
}

absl::StatusOr<std::string> Macros::Expand(std::string_view line) const {
  std::string result;
  absl::string_view rest = View(line);
  while (true) {
    const size_t open = rest.find("%{");
    if (open == absl::string_view::npos) break;
    absl::StrAppend(&result, rest.substr(0, open));
    rest.remove_prefix(open + 2);
    const size_t close = rest.find('}');
    if (close == absl::string_view::npos) return Wrong("'%{' without '}'");
    std::vector<std::string> words = Words(rest.substr(0, close));
    if (words.empty()) return Wrong("'%{}' names no macro");
    const std::string name = words.front();
    words.erase(words.begin());
    absl::StatusOr<std::string> body = Call(name, words);
    if (!body.ok()) return body.status();
    absl::StrAppend(&result, *body);
    rest.remove_prefix(close + 1);
  }
  absl::StrAppend(&result, rest);
  return result;
}

absl::StatusOr<Specification> Specification::Parse(
    std::string_view file, std::string_view text, std::string_view kind,
    const std::map<std::string, Directive>& directives) {
  SpecificationReader reader(kind, directives);
  const std::vector<std::string> lines = Lines(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (absl::Status status = reader.Read(lines[i]); !status.ok()) {
      return AtLine(file, i + 1, status);
    }
  }
  if (absl::Status status = reader.Finish(); !status.ok()) {
    return AtLine(file, lines.size(), status);
  }
  Specification specification;
  specification.sections_ = reader.TakeSections();
  return specification;
}

absl::StatusOr<std::string> Specification::Render(std::string_view file,
                                                  std::string_view text) const {
  std::string result;
  const std::vector<std::string> lines = Lines(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!absl::StartsWith(lines[i], "%")) {
      absl::StrAppend(&result, lines[i], "\n");
      continue;
    }
    if (absl::StartsWith(lines[i], "%%")) continue;
    const std::vector<std::string> words = Words(lines[i]);
    if (words.size() != 2 || words[0] != "%insert") {
      return AtLine(file, i + 1,
                    Wrong(absl::StrCat("a template has %insert NAME alone; got ", lines[i])));
    }
    const auto section = sections_.find(words[1]);
    if (section == sections_.end()) {
      return AtLine(file, i + 1,
                    Wrong(absl::StrCat("the specification has no section ", words[1])));
    }
    for (const std::string& line : section->second) absl::StrAppend(&result, line, "\n");
  }
  return result;
}

}  // namespace nncert
