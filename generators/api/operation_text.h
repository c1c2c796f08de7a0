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
  /// Where it stands among the operation's inputs, or among its outputs: what the HAL and error
  /// messages call it by, "7". Where n operands stand in a row, those have "0 to n - 1", and what
  /// comes after them "n", "n + 1".
  std::string number;
  /// The name in the definition, "filter".
  std::string name;
  /// What it means; ends with a full stop.
  std::string meaning;
  /// "TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM; since HAL 1.2 TENSOR_FLOAT16". What there is since the
  /// operation and the operand are there has no version.
  std::string types;
  /// "2 or 4; since HAL 1.2 1, 2, 3 or 4"; empty for scalars.
  std::string ranks;
  /// How scale and zeroPoint are tied: "scale 1/256 and zeroPoint 0"; empty when they are free.
  std::string quantization;
  /// "may be left out at the end", "may have no value", "n of them, one or more"; empty for one
  /// that is simply there.
  std::string presence;
};

/// One of the forms in which an operation takes its inputs; see Signature::forms.
struct FormText {
  /// What tells it from the others, "with widthScale and heightScale": the inputs that not every
  /// form has, or, where it has none of those, "without" them. Empty for the only form.
  std::string title;
  /// Its inputs in order.
  std::vector<OperandText> inputs;
};

/// What the definition says of its inputs, form by form in the order of Signature::forms.
std::vector<FormText> FormTexts(const OperationDefinition& definition);

/// What it says of its outputs, in order.
std::vector<OperandText> OutputTexts(const OperationDefinition& definition);

/// The operand in one sentence or more: number, name, meaning, and everything else that is not
/// empty.
std::string SentenceOf(const OperandText& operand);

/// `text` in lines of at most `width` columns, broken at blanks; longer words stand alone.
std::vector<std::string> Wrapped(std::string_view text, size_t width);

}  // namespace nncert

#endif  // NNCERT_GENERATORS_API_OPERATION_TEXT_H_
