// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/json_part.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/ascii.h"
#include "pages/numbers.h"
#include "pages/page.h"

namespace nncert {
namespace {

using Json = nlohmann::ordered_json;

// "found after seconds".
std::string Words(const std::string& name) {
  std::string words;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool begins_word = i > 0 && absl::ascii_isupper(static_cast<unsigned char>(name[i])) &&
                             absl::ascii_islower(static_cast<unsigned char>(name[i - 1]));
    if (begins_word) {
      words += ' ';
      words += absl::ascii_tolower(static_cast<unsigned char>(name[i]));
    } else {
      words += name[i];
    }
  }
  return words;
}

bool IsTable(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(),
                     [](const Json& element) { return element.is_object(); });
}

// A value inside of a line: objects as "PASS 3, FAIL 1".
Markup InlinePart(const Json& value) {
  if (value.is_number_unsigned()) return Figure(value.get<uint64_t>());
  if (value.is_number()) return Figure(value.get<double>());
  if (value.is_boolean()) return Text(value.get<bool>() ? "yes" : "no");
  if (value.is_string()) return Isolated(value.get<std::string>());
  Markup inside;
  for (const auto& [name, member] : value.items()) {
    if (!inside.empty()) inside += Text(", ");
    if (value.is_object()) inside += Text(Words(name) + " ");
    inside += InlinePart(member);
  }
  return inside;
}

Markup TablePart(const Json& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows) {
    for (const auto& [name, member] : row.items()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::vector<Table::Column> columns;
  for (const std::string& name : names) {
    const bool is_number = std::all_of(rows.begin(), rows.end(), [&name](const Json& row) {
      return !row.contains(name) || row[name].is_number();
    });
    columns.push_back({Words(name), is_number ? Table::Kind::NUMBER : Table::Kind::TEXT});
  }
  Table table(std::move(columns), rows.size() > 12 ? "sortable filtered" : "sortable");
  for (const Json& row : rows) {
    std::vector<Markup> cells;
    for (const std::string& name : names) {
      cells.push_back(row.contains(name) ? InlinePart(row[name]) : Markup());
    }
    table.AddRow(cells);
  }
  return table.Build();
}

Markup Part(const Json& value) {
  if (IsTable(value)) return TablePart(value);
  if (!value.is_object()) return Element("p", InlinePart(value));
  Markup facts;
  Markup tables;
  for (const auto& [name, member] : value.items()) {
    if (IsTable(member)) {
      tables += Element("h4", Text(Words(name))) + TablePart(member);
    } else if (!member.is_structured() || !member.empty()) {
      facts += Fact(Words(name), InlinePart(member));
    }
  }
  if (!facts.empty()) facts = Element("dl", {{"class", "facts"}}, facts);
  return facts + tables;
}

}  // namespace

Markup JsonPart(const std::string& json) {
  const Json value = Json::parse(json, /*cb=*/nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? Element("pre", {}, json) : Part(value);
}

}  // namespace nncert
