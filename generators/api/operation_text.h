// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What an operation definition says, in words: for comments of generated headers and for the
// handbook.

#ifndef NNCERT_GENERATORS_API_OPERATION_TEXT_H_
#define NNCERT_GENERATORS_API_OPERATION_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "reference/operation_definition.h"

namespace nncert {

/// Everything that a definition says of one operand.
struct OperandText {
  /// The name in the definition, "filter".
  std::string name;
  /// What it means; ends with a full stop.
  std::string meaning;
  /// "TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM; since HAL 1.2 TENSOR_FLOAT16".
  std::string types;
  /// "2 or 4; since HAL 1.2 1, 2, 3 or 4"; empty for scalars.
  std::string ranks;
  /// How scale and zeroPoint are tied: "scale 1/256 and zeroPoint 0"; empty when they are free.
  std::string quantization;
  /// "may be left out at the end", "may have no value", "one or more"; empty for one that is
  /// simply there.
  std::string presence;
};

/// What the definition says of its input slots, in order.
std::vector<OperandText> InputTexts(const OperationDefinition& definition);

/// What it says of its outputs, in order.
std::vector<OperandText> OutputTexts(const OperationDefinition& definition);

/// The operand in one sentence or more: name, meaning, and everything else that is not empty.
std::string SentenceOf(const OperandText& operand);

/// The names of the inputs of a form in order, for people: "input, filter, bias".
std::string FormText(const OperationDefinition& definition, const std::vector<int>& form);

/// `text` in lines of at most `width` columns, broken at blanks; longer words stand alone.
std::vector<std::string> Wrapped(std::string_view text, size_t width);

}  // namespace nncert

#endif  // NNCERT_GENERATORS_API_OPERATION_TEXT_H_
