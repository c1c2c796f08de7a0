// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the HAL's layout of elements is in C++.

#ifndef NNCERT_REFERENCE_NATIVE_ELEMENTS_H_
#define NNCERT_REFERENCE_NATIVE_ELEMENTS_H_

#include <cstdint>

#include "reference/tensor.h"

namespace nncert {

/// A number of half precision, by its bits.
struct Half {
  uint16_t bits;
};

/// Calls visitor(T{}) with the native element type of `type`: the one switch over storage types.
template <class Visitor>
auto VisitNative(OperandType type, Visitor visitor) {
  switch (ElementKindOf(type)) {
    case ElementKind::kFloat32:
      return visitor(float{});
    case ElementKind::kFloat16:
      return visitor(Half{});
    case ElementKind::kInt32:
      return visitor(int32_t{});
    case ElementKind::kUint32:
      return visitor(uint32_t{});
    case ElementKind::kBool:
      return visitor(bool{});
    case ElementKind::kQuant8:
      return visitor(uint8_t{});
    case ElementKind::kQuant8Symm:
      return visitor(int8_t{});
    case ElementKind::kQuant16:
      return visitor(uint16_t{});
    case ElementKind::kQuant16Symm:
      return visitor(int16_t{});
  }
  return visitor(uint8_t{});
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NATIVE_ELEMENTS_H_
