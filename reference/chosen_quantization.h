// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the elements of an operand that is chosen stand for, whoever says so: scale and zero point
// of the HAL's quantized types, or extraParams of an extension's.

#ifndef NNCERT_REFERENCE_CHOSEN_QUANTIZATION_H_
#define NNCERT_REFERENCE_CHOSEN_QUANTIZATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/tensor.h"

namespace nncert {

/// The numbers that elements are in, as reals.
struct ValueRange {
  double lowest = 0;
  double highest = 0;

  /// The greatest magnitude.
  double Magnitude() const;
  /// The least range that holds both.
  ValueRange HullWith(const ValueRange& other) const;
  /// What comes of a product with a factor, which is not negative.
  ValueRange Times(double factor) const { return {lowest * factor, highest * factor}; }
  bool operator==(const ValueRange&) const = default;
};

/// What the elements of a quantized operand stand for.
struct ChosenQuantization {
  float scale = 0;
  int32_t zeroPoint = 0;
  /// Operand::extraParams that say so, of an extension's type; null for others. Shared by all that
  /// have the same, so that OperandInfo::extensionParams of a copy has something to show.
  std::shared_ptr<const std::vector<uint8_t>> extension_params;

  /// Whether both say the same: extraParams are compared by their bytes.
  bool operator==(const ChosenQuantization& other) const;
};

/// Whether operands of a type say what their elements stand for.
bool HasQuantization(OperandType type);

/// With what elements of a type that does hold `range`: of the HAL's types zero exactly. The type
/// is one that CanBeChosen.
ChosenQuantization ChooseQuantization(OperandType type, ValueRange range);

/// Whether values of a type can be chosen: of the HAL's but the OEM's, and of those whose extension
/// says how (ExtensionOperandType::choose_extra_params, choose_value).
bool CanBeChosen(OperandType type);

/// The names of the types of extensions that cannot.
std::vector<std::string> TypesThatCannotBeChosen();

/// Scale and zero point with which a quantized type holds `range`, and zero exactly.
std::pair<float, int32_t> QuantizationOf(OperandType type, ValueRange range);

/// The range of the reals that a quantized operand can hold.
ValueRange RangeOfQuantized(const OperandInfo& info);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_CHOSEN_QUANTIZATION_H_
