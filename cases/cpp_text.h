// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of C++ source: numbers, values of operands, lists and comments, in lines of at most 100
// columns as far as words and items allow.

#ifndef NNCERT_CASES_CPP_TEXT_H_
#define NNCERT_CASES_CPP_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// Values of more elements are given by their bytes: compilers are slow to read numbers, and nobody
/// else does.
inline constexpr size_t kMostElementsAsNumbers = 8192;

/// `text` as a part of a name: what is no letter or digit becomes '_'.
std::string IdentifierText(absl::string_view text);

/// `text` as a part of a comment: what is no printable ASCII, and backslashes, which may go on with
/// the comment on the next line, become question marks.
std::string CommentText(absl::string_view text);

/// The type in memory of an element as hal/replay/case.h calls it: "float", "Bool8". Types are in
/// the catalogue's numbering, here and below.
absl::string_view StoredTypeText(hal::V1_2::OperandType type);

/// A finite float (or half) with as few digits as tell it apart: "0.1F".
std::string FloatText(double number);

/// An element as it is fed or expected: "0.1F", "-7", or a constant of hal/replay/case.h, "kNan".
std::string ElementText(hal::V1_2::OperandType type, double number);

/// A bound of an element of a type that is not opaque, without any rounding: "0x1.99999ap-4", "-7".
std::string BoundText(hal::V1_2::OperandType type, double number);

/// "{2, 3}".
std::string DimensionsText(const std::vector<uint32_t>& dimensions);

/// Source in the making.
class CppText {
 public:
  /// Adds text and numbers as they are; see absl::StrCat.
  template <typename... Pieces>
  void Add(const Pieces&... pieces) {
    absl::StrAppend(&text_, pieces...);
  }

  /// Adds a comment behind `indentation`, as CommentText has it.
  void AddComment(absl::string_view indentation, absl::string_view text);

  /// Adds `before`, items with commas between them, and `after`.
  void AddList(absl::string_view before, const std::vector<std::string>& items,
               absl::string_view after);

  /// Adds `before`, the bytes of a value as an expression, and `after`: Bytes<type>({...}) if
  /// numbers say all, and they are not too many; Hex("...") otherwise.
  void AddValue(absl::string_view before, hal::V1_2::OperandType type,
                absl::Span<const uint8_t> bytes, absl::string_view after);

  /// Adds `before`, Hex("...") and `after`.
  void AddHex(absl::string_view before, absl::Span<const uint8_t> bytes, absl::string_view after);

  /// What has been added.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace nncert

#endif  // NNCERT_CASES_CPP_TEXT_H_
