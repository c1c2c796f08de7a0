// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/readme.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "drivers/faulty/rules/rule.h"
#include "reference/calls/condition.h"

namespace nncert::faulty {
namespace {

constexpr char kRuleHeader[] =
    "| rule | what the driver does | verdict | tests | operations | witness |\n"
    "|--|--|--|--|--|--|\n";
constexpr char kConditionalHeader[] =
    "| fault | verdict | tests | operations | witness |\n|--|--|--|--|--|\n";

std::string Code(absl::string_view text) {
  return text.empty() ? "" : absl::StrCat("`", text, "`");
}

std::string KillColumns(const Kill& kill) {
  return absl::StrCat(std::string(toString(kill.verdict)), " | ", kill.tests, " | ",
                      kill.operations, " | ", Code(kill.witness), " |\n");
}

// The columns of the lines of the README that have `count`, the first of which is code.
std::vector<std::vector<std::string>> Rows(std::string_view readme, size_t count) {
  std::vector<std::vector<std::string>> rows;
  for (const absl::string_view line : absl::StrSplit(std::string(readme), '\n')) {
    if (!absl::StartsWith(line, "| `")) continue;
    std::vector<std::string> columns =
        absl::StrSplit(absl::StripSuffix(absl::StripPrefix(line, "| "), " |"), " | ");
    if (columns.size() == count) rows.push_back(std::move(columns));
  }
  return rows;
}

std::string StripCode(const std::string& text) {
  return std::string(absl::StripSuffix(absl::StripPrefix(text, "`"), "`"));
}

}  // namespace

std::vector<std::string> ConditionalFaults() {
  std::vector<std::string> faults;
  for (const char* condition : {"rank>3",
                                "rank<3",
                                "dimension>16",
                                "dimension>64",
                                "dimension>512",
                                "elements>4096",
                                "inner>16@inner%8",
                                "batch>1",
                                "inputs>4",
                                "operations>1",
                                "consumers>1",
                                "constant",
                                "first_constant",
                                "variable",
                                "internal",
                                "same_operand",
                                "nchw",
                                "relaxed",
                                "type=TENSOR_FLOAT16",
                                "type=TENSOR_QUANT8_ASYMM",
                                "every=2"}) {
    faults.push_back(absl::StrCat("middle_element@", condition));
  }
  return faults;
}

std::string ReadmeTables(const std::vector<Kill>& rules, const std::vector<Kill>& conditional) {
  std::map<std::string, Kill> kills;
  for (const Kill& kill : rules) kills[kill.fault] = kill;
  std::string text = absl::StrCat("\n## Rules\n\n", AllRules().size(), " rules.\n");
  std::optional<FaultClass> fault_class;
  for (const Rule* rule : AllRules()) {
    if (fault_class != rule->fault_class) {
      fault_class = rule->fault_class;
      absl::StrAppend(&text, "\n### ", std::string(ToString(*fault_class)), "\n\n", kRuleHeader);
    }
    const std::string name(rule->name);
    absl::StrAppend(&text, "| ", Code(name), " | ", std::string(rule->breaks), " | ",
                    KillColumns(kills[name]));
  }
  absl::StrAppend(&text,
                  "\n## Conditions\n\nA quantity is compared: `rank>3`, `rank<3`, `rank=3`, or "
                  "`inner%8` for \"is no multiple of 8\".\n\n| quantity | what it is |\n|--|--|\n");
  for (const Quantity& quantity : AllQuantities()) {
    absl::StrAppend(&text, "| `", std::string(quantity.name), "` | ", std::string(quantity.meaning),
                    " |\n");
  }
  absl::StrAppend(&text, "\n| property | what is so |\n|--|--|\n");
  for (const Property& property : AllProperties()) {
    absl::StrAppend(&text, "| `", std::string(property.name), "` | ", std::string(property.meaning),
                    " |\n");
  }
  absl::StrAppend(&text, "\n## One gross fault under a condition\n\n", kConditionalHeader);
  for (const Kill& kill : conditional) {
    absl::StrAppend(&text, "| ", Code(kill.fault), " | ", KillColumns(kill));
  }
  return text;
}

absl::StatusOr<std::vector<Kill>> ReadKills(std::string_view readme) {
  std::vector<Kill> kills;
  for (const std::vector<std::string>& columns : Rows(readme, 6)) {
    Kill kill;
    kill.fault = StripCode(columns[0]);
    const std::optional<Verdict> verdict = verdictFromString(columns[2]);
    if (!verdict.has_value() || !absl::SimpleAtoi(columns[3], &kill.tests) ||
        !absl::SimpleAtoi(columns[4], &kill.operations)) {
      return absl::InvalidArgumentError(
          absl::StrCat("rule ", kill.fault, ": expected a verdict and two numbers; it has \"",
                       columns[2], "\", \"", columns[3], "\" and \"", columns[4], "\""));
    }
    kill.verdict = *verdict;
    kill.witness = StripCode(columns[5]);
    kills.push_back(std::move(kill));
  }
  return kills;
}

std::vector<std::string> ReadSentences(std::string_view readme) {
  std::vector<std::string> sentences;
  for (const std::vector<std::string>& columns : Rows(readme, 6)) sentences.push_back(columns[1]);
  return sentences;
}

}  // namespace nncert::faulty
