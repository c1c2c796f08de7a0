// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/operand_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "reference/argument_names.h"

namespace nncert {
namespace {

using hal::V1_2::Model;

// Words that a spec needs for something else.
constexpr std::string_view kTaken[] = {
    "and", "as",     "assert", "async",   "await",  "break",   "class", "continue", "def",
    "del", "elif",   "else",   "example", "except", "finally", "for",   "from",     "global",
    "if",  "import", "in",     "is",      "lambda", "math",    "model", "nonlocal", "not",
    "or",  "pass",   "raise",  "return",  "try",    "while",   "with",  "yield"};

// Whether a spec can call an operand so. What it calls other things has an underscore, or begins in
// upper case, or like a feed.
bool IsUsableName(std::string_view name) {
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && !name.starts_with("feed") &&
         std::all_of(name.begin(), name.end(),
                     [](char character) {
                       return absl::ascii_isalnum(static_cast<unsigned char>(character));
                     }) &&
         std::find(std::begin(kTaken), std::end(kTaken), name) == std::end(kTaken);
}

}  // namespace

std::vector<std::string> NamesOfOperands(const Model& model) {
  std::vector<std::string> names(model.operands.size());
  const std::vector<hal::ArgumentNames> arguments = NamesOfArguments(model);
  const auto take = [&](const std::vector<uint32_t>& operands,
                        const std::vector<std::string>& their_names) {
    for (size_t i = 0; i < their_names.size(); ++i) {
      std::string& name = names[operands[i]];
      if (name.empty() && IsUsableName(their_names[i])) name = their_names[i];
    }
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    take(model.operations[i].outputs, arguments[i].outputs);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    take(model.operations[i].inputs, arguments[i].inputs);
  }
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) {
      names[i] = absl::StrCat("op", i);
    } else if (uses[names[i]] > 1) {
      absl::StrAppend(&names[i], "_", i);
    }
  }
  return names;
}

}  // namespace nncert
