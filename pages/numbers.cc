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

// "1.23e−7" of "1.23e-07".
std::string TidyExponent(const std::string& text) {
  const size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const bool is_negative = text[e + 1] == '-';
  const size_t first_digit = std::min(text.find_first_not_of("+-0", e + 1), text.size() - 1);
  return absl::StrCat(text.substr(0, e), "e", is_negative ? kMinus : "", text.substr(first_digit));
}

// Whether digits before and after the point say it better than a power of ten.
bool IsPlain(double magnitude) { return magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e7); }

Markup InBrackets(const Markup& low, const Markup& high) {
  return Element("span", {{"class", "interval-text"}},
                 Text(" [") + low + Text(", ") + high + Text("]"));
}

}  // namespace

std::string FormatNumber(double value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = value < 0 ? kMinus : "";
  const double magnitude = std::abs(value);
  if (std::isinf(magnitude)) return sign + kInfinity;
  if (!IsPlain(magnitude)) return sign + TidyExponent(absl::StrFormat("%.2e", magnitude));
  if (magnitude == std::floor(magnitude)) {
    return sign + WithCommas(absl::StrFormat("%.0f", magnitude));
  }
  const int decimals = std::max(2 - static_cast<int>(std::floor(std::log10(magnitude))), 0);
  return sign + WithCommas(absl::StrFormat("%.*f", decimals, magnitude));
}

std::string FormatPercent(double share) {
  const double percent = 100 * share;
  const double magnitude = std::abs(percent);
  const bool has_one_decimal = magnitude == 0 || (magnitude >= 0.1 && magnitude < 1e7);
  if (!has_one_decimal) return FormatNumber(percent);
  return absl::StrCat(percent < 0 ? kMinus : "", WithCommas(absl::StrFormat("%.1f", magnitude)));
}

std::string FormatTick(double value) {
  const double magnitude = std::abs(value);
  const std::string digits = IsPlain(magnitude) ? WithCommas(absl::StrFormat("%.7g", magnitude))
                                                : TidyExponent(absl::StrFormat("%.0e", magnitude));
  return absl::StrCat(value < 0 ? kMinus : "", digits);
}

std::string FormatCount(uint64_t count) { return WithCommas(absl::StrCat(count)); }

std::string FormatExactly(double value) {
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof(digits), value);
  return std::string(digits, result.ptr);
}

Markup Figure(double value, double scale) {
  return Element("data", {{"value", FormatExactly(value)}}, FormatNumber(value / scale));
}

Markup Figure(uint64_t count) {
  return Element("data", {{"value", absl::StrCat(count)}}, FormatCount(count));
}

Markup ShareFigure(double share) {
  return Element("data", {{"value", FormatExactly(share)}, {"data-scale", "0.01"}},
                 FormatPercent(share));
}

Markup FigureWithInterval(double value, double low, double high, double scale) {
  return Figure(value, scale) + InBrackets(Figure(low, scale), Figure(high, scale));
}

Markup ShareWithInterval(double value, double low, double high) {
  return ShareFigure(value) + InBrackets(ShareFigure(low), ShareFigure(high));
}

}  // namespace nncert
