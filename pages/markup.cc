// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/markup.h"

#include "absl/strings/str_cat.h"
#include "system/escape.h"

namespace nncert {
namespace {

// "<name" with its attributes.
std::string Opening(const char* name, const Attributes& attributes) {
  std::string text = absl::StrCat("<", name);
  for (const auto& [attribute, value] : attributes) {
    absl::StrAppend(&text, " ", attribute, "=\"", EscapeXml(value), "\"");
  }
  return text;
}

}  // namespace

Markup Text(const std::string& text) { return Markup::Trusted(EscapeXml(text)); }

Markup Element(const char* name, const Attributes& attributes, const Markup& inside) {
  return Markup::Trusted(
      absl::StrCat(Opening(name, attributes), ">", inside.text(), "</", name, ">"));
}

Markup Fact(const std::string& name, const Markup& value) {
  return Element("dt", Text(name)) + Element("dd", value);
}

Markup EmptyElement(const char* name, const Attributes& attributes) {
  return Markup::Trusted(absl::StrCat(Opening(name, attributes), "/>"));
}

Markup Element(const char* name, const Markup& inside) { return Element(name, {}, inside); }

Markup Element(const char* name, const Attributes& attributes, const std::string& text) {
  return Element(name, attributes, Text(text));
}

Markup Isolated(const std::string& text) { return Element("bdi", Text(text)); }

}  // namespace nncert
