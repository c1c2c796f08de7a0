// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Text of any origin inside JSON and XML.

#ifndef NNCERT_SYSTEM_ESCAPE_H_
#define NNCERT_SYSTEM_ESCAPE_H_

#include <string>

namespace nncert {

/// `text` as the inside of a JSON string (RFC 8259, section 7). Bytes that are not UTF-8 become
/// U+FFFD.
std::string EscapeJson(const std::string& text);

/// `text` as the inside of an XML element or attribute. What XML cannot hold (control characters,
/// bytes that are not UTF-8) is written as \xNN.
std::string EscapeXml(const std::string& text);

}  // namespace nncert

#endif  // NNCERT_SYSTEM_ESCAPE_H_
