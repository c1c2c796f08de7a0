// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of HTML and SVG, which text of any origin gets into only through escaping.

#ifndef NNCERT_PAGES_MARKUP_H_
#define NNCERT_PAGES_MARKUP_H_

#include <string>
#include <utility>
#include <vector>

namespace nncert {

/// A piece of HTML or SVG: elements and escaped text, each element closed.
class Markup {
 public:
  /// Nothing.
  Markup() = default;

  /// Markup that we wrote ourselves, as it is: never a text from a driver, file or user.
  static Markup Trusted(std::string markup) { return Markup(std::move(markup)); }

  /// Appends to the end.
  Markup& operator+=(const Markup& other) {
    text_ += other.text_;
    return *this;
  }

  friend Markup operator+(Markup first, const Markup& second) { return first += second; }

  /// Whether there is nothing in it.
  bool empty() const { return text_.empty(); }

  /// The markup as it is to be in a file, in UTF-8.
  const std::string& text() const { return text_; }

 private:
  explicit Markup(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

/// An attribute's name, which we chose, and its value, of any origin: it is escaped. Addresses are
/// not looked at: what follows "href" must be ours.
using Attributes = std::vector<std::pair<const char*, std::string>>;

/// Text of any origin. Bytes that are not UTF-8 and control characters are written as \xNN.
Markup Text(const std::string& text);

/// An element with its end tag: its name, its attributes and what is in it, or text of any origin.
Markup Element(const char* name, const Attributes& attributes, const Markup& inside);
Markup Element(const char* name, const Attributes& attributes, const std::string& text);
Markup Element(const char* name, const Markup& inside);

/// A name and its value, for a list of facts, <dl>.
Markup Fact(const std::string& name, const Markup& value);

/// An element that has nothing in it: of SVG, or of HTML one that has no end tag, such as <br>.
Markup EmptyElement(const char* name, const Attributes& attributes);

/// Text that may hold anything, kept from turning the text around it right to left.
Markup Isolated(const std::string& text);

}  // namespace nncert

#endif  // NNCERT_PAGES_MARKUP_H_
