// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/tensor.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hal/float16.h"
#include "hal/utils.h"
#include "reference/extension.h"
#include "reference/number/ball.h"

namespace nncert {

std::string ShapeToString(absl::Span<const uint32_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}

namespace {

// The kind of elements whose storage is Storage, by hal/operand_types.def.
template <class Storage>
constexpr ElementKind KindOf(hal::ScaleRule rule) {
  if constexpr (std::is_same_v<Storage, float>) {
    return ElementKind::kFloat32;
  } else if constexpr (std::is_same_v<Storage, hal::Float16>) {
    return ElementKind::kFloat16;
  } else if constexpr (std::is_same_v<Storage, int32_t>) {
    return ElementKind::kInt32;
  } else if constexpr (std::is_same_v<Storage, uint32_t>) {
    return ElementKind::kUint32;
  } else if constexpr (std::is_same_v<Storage, int8_t>) {
    return ElementKind::kQuant8Symm;
  } else if constexpr (std::is_same_v<Storage, uint16_t>) {
    return ElementKind::kQuant16;
  } else if constexpr (std::is_same_v<Storage, int16_t>) {
    return ElementKind::kQuant16Symm;
  } else {
    static_assert(std::is_same_v<Storage, uint8_t>);
    // Bytes without a scale are booleans, except for those that only an OEM knows the meaning of.
    return rule == hal::ScaleRule::ZERO ? ElementKind::kBool : ElementKind::kQuant8;
  }
}

using internal::kFirstOem;
using internal::TypeFacts;

template <class Storage>
constexpr TypeFacts FactsOfStorage(OperandType type, hal::ScaleRule rule) {
  const ElementKind kind = KindOf<Storage>(rule);
  IntegerRange range = {0, 1};
  if constexpr (std::is_integral_v<Storage>) {
    if (kind != ElementKind::kBool) {
      range = {std::numeric_limits<Storage>::lowest(), std::numeric_limits<Storage>::max()};
    }
  }
  const bool is_quantized = rule == hal::ScaleRule::POSITIVE || rule == hal::ScaleRule::PER_CHANNEL;
  return {type, kind, sizeof(Storage), is_quantized, range};
}

using hal::Float16;

}  // namespace

constexpr TypeFacts internal::kTypes[] = {
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, SCALAR, BYTES, STORAGE, SCALE, ...) \
  FactsOfStorage<STORAGE>(OperandType::NAME, hal::ScaleRule::SCALE),
#include "hal/operand_types.def"
};

const TypeFacts& internal::FactsOfStored(OperandType type) {
  return kTypes[std::min(static_cast<uint32_t>(StoredAs(type)), kFirstOem)];
}

namespace {

// The types are listed in the order of their numbers, which count from 0, and OEM types follow.
constexpr bool IsIndexedByNumber() {
  for (size_t i = 0; i < kFirstOem; ++i) {
    if (static_cast<size_t>(internal::kTypes[i].type) != i) return false;
  }
  return true;
}
static_assert(IsIndexedByNumber());

// The bytes of an element of each kind.
constexpr auto kSizes = [] {
  std::array<size_t, static_cast<size_t>(ElementKind::kQuant16Symm) + 1> sizes = {};
  for (const TypeFacts& facts : internal::kTypes)
    sizes[static_cast<size_t>(facts.kind)] = facts.size;
  return sizes;
}();
static_assert(std::find(kSizes.begin(), kSizes.end(), 0u) == kSizes.end());

}  // namespace

OperandType StoredAs(OperandType type) {
  if (!hal::isExtensionOperandType(type)) return type;
  const ExtensionOperandType* const found = FindExtensionOperandType(type);
  return found == nullptr ? OperandType::TENSOR_OEM_BYTE
                          : found->stored_as.value_or(OperandType::TENSOR_OEM_BYTE);
}

bool IsOpaque(OperandType type) { return hal::isOemOperandType(StoredAs(type)); }

size_t NativeElementSize(ElementKind kind) { return kSizes[static_cast<size_t>(kind)]; }

size_t ElementSize(NumberSystem system, OperandType type) {
  switch (system) {
    case NumberSystem::kFloat: {
      const ExtensionOperandType* const found = FindExtensionOperandType(type);
      return found == nullptr ? internal::FactsOf(type).size : found->byte_size();
    }
    case NumberSystem::kDouble:
      return sizeof(double);
    case NumberSystem::kBall:
      return sizeof(Ball);
  }
  return 0;
}

bool IsFloatingPoint(OperandType type) {
  const ElementKind kind = ElementKindOf(type);
  return kind == ElementKind::kFloat32 || kind == ElementKind::kFloat16;
}

}  // namespace nncert
