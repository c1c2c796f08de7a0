// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/tensor.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reference/number/ball.h"

namespace nncert {

uint64_t NumberOfElements(absl::Span<const uint32_t> shape) {
  uint64_t count = 1;
  bool is_empty = false;
  bool is_too_large = false;
  for (const uint32_t dimension : shape) {
    is_empty |= dimension == 0;
    is_too_large |= __builtin_mul_overflow(count, dimension, &count);
  }
  if (is_empty) return 0;
  return is_too_large ? std::numeric_limits<uint64_t>::max() : count;
}

std::string ShapeToString(absl::Span<const uint32_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}

ElementKind ElementKindOf(OperandType type) {
  switch (type) {
    case OperandType::FLOAT32:
    case OperandType::TENSOR_FLOAT32:
      return ElementKind::kFloat32;
    case OperandType::FLOAT16:
    case OperandType::TENSOR_FLOAT16:
      return ElementKind::kFloat16;
    case OperandType::INT32:
    case OperandType::TENSOR_INT32:
      return ElementKind::kInt32;
    case OperandType::UINT32:
      return ElementKind::kUint32;
    case OperandType::BOOL:
    case OperandType::TENSOR_BOOL8:
      return ElementKind::kBool;
    case OperandType::TENSOR_QUANT8_ASYMM:
      return ElementKind::kQuant8;
    case OperandType::TENSOR_QUANT8_SYMM:
    case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
      return ElementKind::kQuant8Symm;
    case OperandType::TENSOR_QUANT16_ASYMM:
      return ElementKind::kQuant16;
    case OperandType::TENSOR_QUANT16_SYMM:
      return ElementKind::kQuant16Symm;
    default:
      // OEM types: bytes whose meaning only the vendor knows.
      return ElementKind::kQuant8;
  }
}

size_t NativeElementSize(ElementKind kind) {
  switch (kind) {
    case ElementKind::kFloat32:
    case ElementKind::kInt32:
    case ElementKind::kUint32:
      return 4;
    case ElementKind::kFloat16:
    case ElementKind::kQuant16:
    case ElementKind::kQuant16Symm:
      return 2;
    case ElementKind::kBool:
    case ElementKind::kQuant8:
    case ElementKind::kQuant8Symm:
      return 1;
  }
  return 1;
}

size_t ElementSize(NumberSystem system, OperandType type) {
  switch (system) {
    case NumberSystem::kFloat:
      return NativeElementSize(ElementKindOf(type));
    case NumberSystem::kDouble:
      return sizeof(double);
    case NumberSystem::kBall:
      return sizeof(Ball);
  }
  return 0;
}

bool IsQuantized(OperandType type) {
  switch (type) {
    case OperandType::TENSOR_QUANT8_ASYMM:
    case OperandType::TENSOR_QUANT8_SYMM:
    case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
    case OperandType::TENSOR_QUANT16_ASYMM:
    case OperandType::TENSOR_QUANT16_SYMM:
      return true;
    default:
      return false;
  }
}

IntegerRange RangeOf(OperandType type) {
  switch (ElementKindOf(type)) {
    case ElementKind::kQuant8:
      return {0, 255};
    case ElementKind::kQuant8Symm:
      return {-128, 127};
    case ElementKind::kQuant16:
      return {0, 65535};
    case ElementKind::kQuant16Symm:
      return {-32768, 32767};
    case ElementKind::kBool:
      return {0, 1};
    case ElementKind::kUint32:
      return {0, 4294967295};
    default:
      return {-2147483648LL, 2147483647};
  }
}

}  // namespace nncert
