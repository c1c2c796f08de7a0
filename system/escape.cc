// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/escape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace nncert {
namespace {

// The length of the UTF-8 sequence that begins at `position`; 0 when there is no valid one
// (RFC 3629, section 4).
size_t Utf8Length(absl::string_view text, size_t position) {
  const auto byte = [&](size_t i) {
    return position + i < text.size() ? static_cast<uint8_t>(text[position + i]) : uint8_t{0};
  };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const auto is_tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  if (first >= 0xC2 && first <= 0xDF) return is_tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    return is_tail(1) && is_tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond = first == 0xF4 && byte(1) > 0x8F;
    return is_tail(1) && is_tail(2) && is_tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

// Whether a sequence of UTF-8 is a control of a terminal: a control character of one byte or two
// (ECMA-48), or one that turns the direction of text (Unicode's bidirectional formatting).
bool IsControl(absl::string_view sequence) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(sequence[i]); };
  if (sequence.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (sequence.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (sequence.size() != 3 || byte(0) != 0xE2) return false;
  // U+200E, U+200F, line and paragraph separators, U+202A to U+202E, U+2066 to U+2069.
  return (byte(1) == 0x80 &&
          (byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE))) ||
         (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
}

}  // namespace

std::string EscapeJson(const std::string& text) {
  std::string escaped;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    const char letter = text[i];
    if (length == 0) {
      escaped += "\\ufffd";
    } else if (letter == '"' || letter == '\\') {
      escaped += '\\';
      escaped += letter;
    } else if (letter == '\n') {
      escaped += "\\n";
    } else if (length == 1 && (static_cast<uint8_t>(letter) < 0x20 || letter == 0x7F)) {
      absl::StrAppendFormat(&escaped, "\\u%04x", static_cast<uint8_t>(letter));
    } else {
      escaped.append(text, i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return escaped;
}

std::string QuoteJson(const std::string& text) {
  return absl::StrCat("\"", EscapeJson(text), "\"");
}

std::string EscapeXml(const std::string& text) {
  std::string escaped;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    const char letter = text[i];
    const bool is_forbidden =
        (static_cast<uint8_t>(letter) < 0x20 && letter != '\n' && letter != '\t') ||
        letter == 0x7F || text.compare(i, 3, "\xEF\xBF\xBE") == 0 ||
        text.compare(i, 3, "\xEF\xBF\xBF") == 0;
    if (length == 0 || is_forbidden) {
      for (size_t k = 0; k < std::max<size_t>(length, 1); ++k) {
        absl::StrAppendFormat(&escaped, "\\x%02x", static_cast<uint8_t>(text[i + k]));
      }
    } else if (letter == '&') {
      escaped += "&amp;";
    } else if (letter == '<') {
      escaped += "&lt;";
    } else if (letter == '>') {
      escaped += "&gt;";
    } else if (letter == '"') {
      escaped += "&quot;";
    } else if (letter == '\n' || letter == '\t') {
      // Readers make a space of an attribute's line ends.
      absl::StrAppend(&escaped, "&#", static_cast<int>(letter), ";");
    } else {
      escaped.append(text, i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return escaped;
}

std::string EscapeForTerminal(absl::string_view text) {
  std::string escaped;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    const absl::string_view sequence = text.substr(i, std::max<size_t>(length, 1));
    if (sequence == "\t") {
      escaped += ' ';
    } else if (sequence == "\n" || (length > 0 && !IsControl(sequence))) {
      absl::StrAppend(&escaped, sequence);
    } else {
      for (const char letter : sequence) {
        absl::StrAppendFormat(&escaped, "\\x%02x", static_cast<uint8_t>(letter));
      }
    }
    i += sequence.size();
  }
  return escaped;
}

std::string EscapeCsv(const std::string& text) {
  constexpr char kReplacement[] = "\xEF\xBF\xBD";
  std::string field;
  if (!text.empty() && absl::StrContains("=+-@\t\r", text[0])) field += '\'';
  bool needs_quotes = false;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    const char letter = text[i];
    const bool is_line_end = letter == '\n' || letter == '\r';
    const bool is_control =
        length == 1 && (static_cast<uint8_t>(letter) < 0x20 || letter == 0x7F) && !is_line_end;
    needs_quotes |= is_line_end || letter == '"' || letter == ',';
    if (length == 0 || is_control) {
      field += kReplacement;
    } else {
      if (letter == '"') field += '"';
      field.append(text, i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return needs_quotes ? absl::StrCat("\"", field, "\"") : field;
}

}  // namespace nncert
