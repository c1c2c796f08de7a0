// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/cpp_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cases/element_values.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

constexpr size_t kColumns = 100;

// How far lines are indented that go on with the one above.
constexpr absl::string_view kIndentation = "      ";

// A number that is no finite one.
absl::string_view SpecialText(double number) {
  return std::isnan(number) ? "kNan" : number < 0 ? "-kInfinity" : "kInfinity";
}

// Whether numbers say all that the bytes do.
bool AreNumbers(OperandType type, absl::Span<const uint8_t> bytes) {
  if (IsOpaque(type)) return bytes.size() <= kMostElementsAsNumbers;
  const ElementKind kind = ElementKindOf(type);
  if (bytes.size() % NativeElementSize(kind) != 0 ||
      bytes.size() / NativeElementSize(kind) > kMostElementsAsNumbers) {
    return false;
  }
  if (kind == ElementKind::kBool) {
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte <= 1; });
  }
  const std::vector<double> numbers = DecodeElements(type, bytes);
  return std::none_of(numbers.begin(), numbers.end(),
                      [](double number) { return std::isnan(number); });
}

}  // namespace

std::string IdentifierText(absl::string_view text) {
  std::string identifier(text);
  for (char& character : identifier) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(character))) character = '_';
  }
  return identifier;
}

std::string CommentText(absl::string_view text) {
  std::string comment(text);
  for (char& character : comment) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(character)) || character == '\\') {
      character = '?';
    }
  }
  return comment;
}

absl::string_view StoredTypeText(OperandType type) {
  if (IsOpaque(type)) return "uint8_t";
  switch (ElementKindOf(type)) {
    case ElementKind::kFloat32:
      return "float";
    case ElementKind::kFloat16:
      return "Float16";
    case ElementKind::kInt32:
      return "int32_t";
    case ElementKind::kUint32:
      return "uint32_t";
    case ElementKind::kBool:
      return "Bool8";
    case ElementKind::kQuant8:
      return "uint8_t";
    case ElementKind::kQuant8Symm:
      return "int8_t";
    case ElementKind::kQuant16:
      return "uint16_t";
    case ElementKind::kQuant16Symm:
      return "int16_t";
  }
  return "uint8_t";
}

std::string FloatText(double number) {
  std::string text = FormatElement(OperandType::FLOAT32, number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "F";
}

std::string ElementText(OperandType type, double number) {
  if (!std::isfinite(number)) return std::string(SpecialText(number));
  return !IsOpaque(type) && IsFloatingPoint(type) ? FloatText(number)
                                                  : absl::StrCat(static_cast<int64_t>(number));
}

std::string BoundText(OperandType type, double number) {
  if (std::isfinite(number) && IsFloatingPoint(type)) return absl::StrFormat("%a", number);
  return ElementText(type, number);
}

std::string DimensionsText(const std::vector<uint32_t>& dimensions) {
  return absl::StrCat("{", absl::StrJoin(dimensions, ", "), "}");
}

void CppText::AddList(absl::string_view before, const std::vector<std::string>& items,
                      absl::string_view after) {
  const std::string line = absl::StrCat(before, absl::StrJoin(items, ", "), after);
  if (line.size() <= kColumns) {
    absl::StrAppend(&text_, line, "\n");
    return;
  }
  absl::StrAppend(&text_, before);
  std::string part;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = absl::StrCat(items[i], i + 1 < items.size() ? "," : after);
    if (part.empty() || part.size() + 1 + item.size() > kColumns) {
      absl::StrAppend(&text_, part, "\n");
      part = absl::StrCat(kIndentation, item);
    } else {
      absl::StrAppend(&part, " ", item);
    }
  }
  absl::StrAppend(&text_, part, "\n");
}

void CppText::AddHex(absl::string_view before, absl::Span<const uint8_t> bytes,
                     absl::string_view after) {
  const std::string digits = absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  constexpr size_t kDigits = 88;
  std::vector<std::string> parts;
  for (size_t i = 0; i < digits.size(); i += kDigits) {
    parts.push_back(absl::StrCat("\"", digits.substr(i, kDigits), "\""));
  }
  if (parts.size() <= 1) {
    absl::StrAppend(&text_, before, "Hex(", parts.empty() ? "\"\"" : parts[0], ")", after, "\n");
    return;
  }
  absl::StrAppend(&text_, before, "Hex(\n", kIndentation,
                  absl::StrJoin(parts, absl::StrCat("\n", kIndentation)), ")", after, "\n");
}

void CppText::AddValue(absl::string_view before, OperandType type, absl::Span<const uint8_t> bytes,
                       absl::string_view after) {
  if (!AreNumbers(type, bytes)) return AddHex(before, bytes, after);
  std::vector<std::string> items;
  for (const double number : DecodeElements(type, bytes)) {
    items.push_back(ElementText(type, number));
  }
  AddList(absl::StrCat(before, "Bytes<", StoredTypeText(type), ">({"), items,
          absl::StrCat("})", after));
}

void CppText::AddComment(absl::string_view indentation, absl::string_view text) {
  std::string line;
  for (const absl::string_view word : absl::StrSplit(CommentText(text), ' ')) {
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      absl::StrAppend(&text_, line, "\n");
      line.clear();
    }
    absl::StrAppend(&line, line.empty() ? absl::StrCat(indentation, "//") : "", " ", word);
  }
  absl::StrAppend(&text_, line, "\n");
}

}  // namespace nncert
