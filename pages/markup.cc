// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/markup.h"

#include <array>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "system/escape.h"

namespace nncert {
namespace {

// Elements of HTML without an end tag that pages use, and those of SVG that have nothing in them.
constexpr std::array<std::string_view, 8> kWithoutEnd = {"br",   "circle", "input", "line",
                                                         "link", "meta",   "path",  "rect"};

}  // namespace

Markup Text(const std::string& text) { return Markup::Trusted(EscapeXml(text)); }

Markup Element(const char* name, const Attributes& attributes, const Markup& inside) {
  std::string text = absl::StrCat("<", name);
  for (const auto& [attribute, value] : attributes) {
    absl::StrAppend(&text, " ", attribute, "=\"", EscapeXml(value), "\"");
  }
  if (inside.empty() && absl::c_linear_search(kWithoutEnd, std::string_view(name))) {
    return Markup::Trusted(absl::StrCat(text, "/>"));
  }
  return Markup::Trusted(absl::StrCat(text, ">", inside.text(), "</", name, ">"));
}

Markup Element(const char* name, const Markup& inside) { return Element(name, {}, inside); }

Markup Element(const char* name, const Attributes& attributes, const std::string& text) {
  return Element(name, attributes, Text(text));
}

Markup Isolated(const std::string& text) { return Element("bdi", Text(text)); }

}  // namespace nncert
