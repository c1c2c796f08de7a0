// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/long_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "system/escape.h"

namespace nncert {
namespace {

// Inside of a <script>, which ends at the first "</script" and knows no escapes but those of JSON.
std::string TextsToJson(const std::vector<std::string>& texts) {
  return absl::StrCat("[",
                      absl::StrJoin(texts, ",",
                                    [](std::string* json, const std::string& text) {
                                      absl::StrAppend(
                                          json, "\"",
                                          absl::StrReplaceAll(EscapeJson(text), {{"<", "\\u003c"}}),
                                          "\"");
                                    }),
                      "]");
}

}  // namespace

LongTable::LongTable(std::string id, std::vector<std::string> columns)
    : id_(std::move(id)), columns_(std::move(columns)) {}

void LongTable::AddRow(const std::vector<std::string>& cells) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::string text = i < cells.size() ? cells[i] : "";
    const auto [place, is_new] = place_of_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    cells_.push_back(place->second);
  }
}

Markup LongTable::Build() const {
  if (cells_.empty()) return Markup();
  const std::string data =
      absl::StrCat("{\"columns\":", TextsToJson(columns_), ",\"texts\":", TextsToJson(texts_),
                   ",\"cells\":[", absl::StrJoin(cells_, ","), "]}");
  return Element("div", {{"class", "long"}, {"data-rows", id_}},
                 Element("p", {{"class", "note"}},
                         "The rows are shown by the page's script, which does not run here.")) +
         Element("script", {{"type", "application/json"}, {"id", id_}}, Markup::Trusted(data));
}

}  // namespace nncert
