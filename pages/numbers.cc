// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace nncert {
namespace {

constexpr char kMinus[] = "\xE2\x88\x92";     // U+2212
constexpr char kInfinity[] = "\xE2\x88\x9E";  // U+221E
// A space that neither breaks a line nor gets wider.
constexpr char kNarrowSpace[] = "\xE2\x80\xAF";  // U+202F

// With a comma between thousands; `digits` may have a point.
std::string WithCommas(const std::string& digits) {
  const size_t point = std::min(digits.find('.'), digits.size());
  std::string with_commas;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < point && (point - i) % 3 == 0) with_commas += ',';
    with_commas += digits[i];
  }
  return with_commas;
}

}  // namespace

std::string FormatNumber(double value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = value < 0 ? kMinus : "";
  const double magnitude = std::abs(value);
  if (std::isinf(magnitude)) return sign + kInfinity;
  if (magnitude == 0) return "0";
  if (magnitude >= 1e7 || magnitude < 1e-4) {
    int exponent = 0;
    // By way of decimal digits, for 10^-308 and below cannot be divided by.
    std::string digits = absl::StrFormat("%.2e", magnitude);
    const size_t e = digits.find('e');
    (void)std::from_chars(digits.data() + e + (digits[e + 1] == '+' ? 2 : 1),
                          digits.data() + digits.size(), exponent);
    return absl::StrCat(sign, digits.substr(0, e), "e", exponent < 0 ? kMinus : "",
                        std::abs(exponent));
  }
  if (magnitude == std::floor(magnitude)) {
    return sign + WithCommas(absl::StrFormat("%.0f", magnitude));
  }
  const int decimals = std::max(2 - static_cast<int>(std::floor(std::log10(magnitude))), 0);
  return sign + WithCommas(absl::StrFormat("%.*f", decimals, magnitude));
}

std::string FormatCount(uint64_t count) { return WithCommas(absl::StrCat(count)); }

std::string FormatExactly(double value) {
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof(digits), value);
  return std::string(digits, result.ptr);
}

Markup Figure(double value, double scale, bool says_scale) {
  Attributes attributes = {{"value", FormatExactly(value)}};
  if (says_scale) attributes.emplace_back("data-scale", FormatExactly(scale));
  return Element("data", attributes, FormatNumber(value / scale));
}

Markup Figure(uint64_t count) {
  return Element("data", {{"value", absl::StrCat(count)}}, FormatCount(count));
}

Markup FigureWithInterval(double value, double low, double high, double scale, bool says_scale) {
  return Figure(value, scale, says_scale) +
         Element("span", {{"class", "interval-text"}},
                 Text(" [") + Figure(low, scale, says_scale) + Text(", ") +
                     Figure(high, scale, says_scale) + Text("]"));
}

Markup Percentage(double share) {
  return Figure(share, 0.01, /*says_scale=*/true) + Text(absl::StrCat(kNarrowSpace, "%"));
}

}  // namespace nncert
