// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Zeros for operations that only move elements, and pad with zeros what they move.

#ifndef NNCERT_REFERENCE_OPS_COMMON_ZERO_ELEMENT_H_
#define NNCERT_REFERENCE_OPS_COMMON_ZERO_ELEMENT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reference/operand_chooser.h"
#include "reference/operation_definition.h"
#include "reference/storage.h"
#include "reference/tensor.h"

namespace nncert {

/// The element that stands for zero, as it is kept for a number system.
class ZeroElement {
 public:
  /// The zero of `info`: its zeroPoint if it is TENSOR_QUANT8_ASYMM, else 0.
  ZeroElement(NumberSystem system, const OperandInfo& info) {
    std::byte native[sizeof(uint32_t)] = {};
    if (info.type == OperandType::TENSOR_QUANT8_ASYMM) {
      native[0] = static_cast<std::byte>(info.zeroPoint);
    }
    ImportElements(system, info.type, native, 1, data_);
  }

  /// What may stand for zero, in NumberSystem::kBall.
  explicit ZeroElement(const Ball& zero) { std::memcpy(data_, &zero, sizeof(zero)); }

  /// ElementSize() bytes.
  const std::byte* data() const { return data_; }

 private:
  alignas(Ball) std::byte data_[sizeof(Ball)] = {};
};

/// Whether input `slot` may be padded with zeros: before HAL 1.2 the value that pads a quantized
/// tensor is not defined (types.hal 1.1, PAD), and Android takes only those whose zero is 0.
inline bool HasDefinedPadding(const OperationContext& context, int slot) {
  const OperandInfo& input = context.Input(slot);
  return context.version() >= HalVersion::V1_2 || !IsQuantized(input.type) || input.zeroPoint == 0;
}

/// The constraint that input `kSlot` may be padded with zeros.
template <int kSlot>
Constraint PadsWithZeroConstraint() {
  return Constraint(
      "before HAL 1.2, the zeroPoint of a quantized input is 0", {.others = {kSlot}},
      [](const OperationContext& context) { return HasDefinedPadding(context, kSlot); });
}

/// The range of an output that has numbers of `range`, or zeros.
inline ValueRange WithZeros(ValueRange range) { return range.HullWith({0, 0}); }

/// Settles that the input in `slot` may be padded with zeros, and that output 0 has both.
inline void ChoosePaddable(OperandChooser& choose, int slot) {
  if (choose.version() < HalVersion::V1_2 && IsQuantized(choose.Type(slot))) {
    const ValueRange range = choose.Range(slot);
    const float scale = choose.IsGiven(slot)
                            ? choose.Info(slot).scale
                            : QuantizationOf(choose.Type(slot), {0, range.Magnitude()}).first;
    choose.SetQuantization(slot, scale, 0);
  }
  choose.SetOutputRange(0, WithZeros(choose.SettledRange(slot)));
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_ZERO_ELEMENT_H_
