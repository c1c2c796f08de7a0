// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/page/model_drawing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

constexpr uint64_t kLargestFile = 64 << 10;

constexpr std::array<std::string_view, 8> kElements = {"svg",     "g",    "polygon", "polyline",
                                                       "ellipse", "path", "text",    "rect"};

constexpr std::array<std::string_view, 20> kAttributes = {
    "width", "height",       "viewBox",          "transform",   "points",      "d",  "fill",
    "x",     "stroke",       "stroke-dasharray", "text-anchor", "font-family", "y",  "font-size",
    "rx",    "stroke-width", "font-weight",      "cx",          "cy",          "ry",
};

constexpr std::string_view kEnd = "</svg>";

bool IsNameCharacter(char character) {
  return absl::ascii_isalnum(static_cast<unsigned char>(character)) || character == '-' ||
         character == ':' || character == '_';
}

// The name at the beginning of a text, which is taken off it.
std::string_view TakeName(std::string_view& text) {
  size_t size = 0;
  while (size < text.size() && IsNameCharacter(text[size])) ++size;
  const std::string_view name = text.substr(0, size);
  text.remove_prefix(size);
  return name;
}

// The attributes of a tag that may stay.
std::string PlainAttributes(std::string_view attributes) {
  std::string plain;
  while (true) {
    while (!attributes.empty() && !IsNameCharacter(attributes.front())) attributes.remove_prefix(1);
    const std::string_view name = TakeName(attributes);
    if (name.empty() || attributes.size() < 2 || attributes[0] != '=') return plain;
    const char quote = attributes[1];
    const size_t end = attributes.find(quote, 2);
    if ((quote != '"' && quote != '\'') || end == std::string_view::npos) return plain;
    const std::string_view value = attributes.substr(2, end - 2);
    if (absl::c_linear_search(kAttributes, name) && value.find('"') == std::string_view::npos) {
      plain.append(" ").append(name).append("=\"").append(value).append("\"");
    }
    attributes.remove_prefix(end + 1);
  }
}

// What one run of `dot` makes of files, one after the other.
absl::StatusOr<std::vector<Markup>> RunDot(const std::vector<std::string>& files) {
  std::vector<std::string> arguments = {"dot", "-Tsvg"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  const absl::StatusOr<ProcessResult> result = RunProcess(arguments);
  if (!result.ok()) {
    return absl::Status(result.status().code(),
                        absl::StrCat("models cannot be drawn: ", result.status().message()));
  }
  std::vector<Markup> drawings;
  std::string_view rest = result->output;
  for (size_t end = rest.find(kEnd); end != std::string_view::npos; end = rest.find(kEnd)) {
    drawings.push_back(PlainDrawing(std::string(rest.substr(0, end + kEnd.size()))));
    rest.remove_prefix(end + kEnd.size());
  }
  return drawings;
}

}  // namespace

Markup PlainDrawing(const std::string& svg) {
  std::string plain;
  std::string_view rest = svg;
  const size_t begin = rest.find("<svg");
  if (begin == std::string_view::npos || rest.rfind(kEnd) == std::string_view::npos) {
    return Markup();
  }
  rest.remove_prefix(begin);
  // How deep what follows is in an element that is left out; none of those is empty.
  int left_out = 0;
  while (!rest.empty()) {
    if (rest.front() != '<') {
      const size_t next = std::min(rest.find('<'), rest.size());
      if (left_out == 0) plain.append(rest.substr(0, next));
      rest.remove_prefix(next);
      continue;
    }
    const bool is_comment = rest.starts_with("<!--");
    const size_t end = is_comment ? rest.find("-->") : rest.find('>');
    if (end == std::string_view::npos) return Markup();
    std::string_view tag = rest.substr(1, end - 1);
    rest.remove_prefix(end + (is_comment ? 3 : 1));
    if (is_comment || tag.starts_with("!") || tag.starts_with("?")) continue;
    const bool is_end = !tag.empty() && tag.front() == '/';
    if (is_end) tag.remove_prefix(1);
    const bool is_empty = !tag.empty() && tag.back() == '/';
    if (is_empty) tag.remove_suffix(1);
    const std::string_view name = TakeName(tag);
    if (!absl::c_linear_search(kElements, name)) {
      if (!is_empty) left_out += is_end ? -1 : 1;
      continue;
    }
    if (left_out != 0) continue;
    plain.append(is_end ? "</" : "<").append(name);
    if (!is_end) plain.append(PlainAttributes(tag));
    plain.append(is_empty ? "/>" : ">");
  }
  return Markup::Trusted(plain);
}

absl::StatusOr<std::vector<Markup>> DrawModels(const std::vector<std::string>& files) {
  std::vector<Markup> drawings(files.size());
  std::vector<std::string> small;
  std::vector<size_t> places;
  for (size_t i = 0; i < files.size(); ++i) {
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(files[i], error);
    if (error || size > kLargestFile) continue;
    small.push_back(files[i]);
    places.push_back(i);
  }
  if (small.empty()) return drawings;
  absl::StatusOr<std::vector<Markup>> drawn = RunDot(small);
  if (!drawn.ok()) return drawn.status();
  for (size_t i = 0; i < small.size(); ++i) {
    // Where one is missing nobody knows which.
    if (drawn->size() == small.size()) {
      drawings[places[i]] = std::move((*drawn)[i]);
      continue;
    }
    absl::StatusOr<std::vector<Markup>> alone = RunDot({small[i]});
    if (!alone.ok()) return alone.status();
    if (alone->size() == 1) drawings[places[i]] = std::move(alone->front());
  }
  return drawings;
}

}  // namespace nncert
