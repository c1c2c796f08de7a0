// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/page.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "pages/embedded_texts.h"
#include "pages/numbers.h"
#include "system/digest.h"

namespace nncert {
namespace {

// A content security policy's name of a script or style sheet.
std::string SourceOf(std::string_view text) {
  return absl::StrCat("'sha256-", absl::Base64Escape(absl::HexStringToBytes(Sha256(text))), "'");
}

}  // namespace

std::string WritePage(const std::string& title, const Markup& body) {
  const std::string policy =
      absl::StrCat("default-src 'none'; style-src ", SourceOf(kPageStyle), "; script-src ",
                   SourceOf(kPageScript), "; base-uri 'none'; form-action 'none'");
  const Markup head =
      EmptyElement("meta", {{"charset", "utf-8"}}) +
      EmptyElement("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", policy}}) +
      EmptyElement("meta",
                   {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
      EmptyElement("meta", {{"name", "referrer"}, {"content", "no-referrer"}}) +
      EmptyElement("meta", {{"name", "color-scheme"}, {"content", "light dark"}}) +
      Element("title", Text(title)) + Element("style", Markup::Trusted(std::string(kPageStyle)));
  const Markup script = Element("script", Markup::Trusted(std::string(kPageScript)));
  return absl::StrCat(
      "<!DOCTYPE html>\n",
      Element("html", {{"lang", "en"}}, Element("head", head) + Element("body", body + script))
          .text(),
      "\n");
}

Table::Table(std::vector<Column> columns, std::string style)
    : columns_(std::move(columns)), style_(std::move(style)) {}

void Table::AddRow(const std::vector<Markup>& cells, const std::string& style) {
  rows_.push_back({cells, style});
  rows_.back().cells.resize(columns_.size());
}

Markup Table::Build() const {
  if (rows_.empty()) return Markup();
  std::vector<size_t> shown;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (absl::c_any_of(rows_, [i](const Row& row) { return !row.cells[i].empty(); })) {
      shown.push_back(i);
    }
  }
  const auto style_of = [&](size_t column) {
    const char* style = columns_[column].kind == Kind::NUMBER ? "n"
                        : columns_[column].kind == Kind::MARK ? "m"
                                                              : "";
    return *style == '\0' ? Attributes{} : Attributes{{"class", style}};
  };
  Markup names;
  for (const size_t i : shown) {
    Attributes attributes = style_of(i);
    attributes.emplace_back("scope", "col");
    names += Element("th", attributes, columns_[i].name);
  }
  Markup rows;
  for (const Row& row : rows_) {
    Markup cells;
    for (const size_t i : shown) {
      Attributes attributes = style_of(i);
      if (i == 0) attributes.emplace_back("scope", "row");
      cells += Element(i == 0 ? "th" : "td", attributes, row.cells[i]);
    }
    rows +=
        Element("tr", row.style.empty() ? Attributes{} : Attributes{{"class", row.style}}, cells) +
        Markup::Trusted("\n");
  }
  Attributes attributes;
  if (!style_.empty()) attributes.emplace_back("class", style_);
  if (scale_ != 1) attributes.emplace_back("data-scale", FormatExactly(scale_));
  return Element("div", {{"class", "scroll"}, {"tabindex", "0"}},
                 Element("table", attributes,
                         Element("thead", Element("tr", names)) + Element("tbody", rows)));
}

}  // namespace nncert
