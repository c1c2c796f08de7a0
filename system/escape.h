// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Text of any origin inside JSON, XML and CSV, and on terminals.

#ifndef NNCERT_SYSTEM_ESCAPE_H_
#define NNCERT_SYSTEM_ESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace nncert {

/// `text` as the inside of a JSON string (RFC 8259, section 7). Bytes that are not UTF-8 become
/// U+FFFD.
std::string EscapeJson(const std::string& text);

/// `text` as a JSON string, with its quotes.
std::string QuoteJson(const std::string& text);

/// `text` as the inside of an XML element or attribute. What XML cannot hold (control characters,
/// bytes that are not UTF-8) is written as \xNN.
std::string EscapeXml(const std::string& text);

/// `text` as a field of CSV (RFC 4180): in quotes where it must be. Spreadsheets take what begins
/// with =, +, -, @, a tab or a carriage return for a formula, and run it: it gets a ' in front.
/// Bytes that are not UTF-8, and control characters but line ends, become U+FFFD.
std::string EscapeCsv(const std::string& text);

/// `text` for a terminal, and for whatever reads what is printed: valid UTF-8, none of which moves
/// the cursor, colours, or turns the direction of what follows. Tabs become spaces, line ends stay,
/// all else of that kind is written as \xNN, byte by byte.
std::string EscapeForTerminal(absl::string_view text);

}  // namespace nncert

#endif  // NNCERT_SYSTEM_ESCAPE_H_
