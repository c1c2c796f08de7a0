// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the executor knows of an operand, and how its elements are kept in each number system.

#ifndef NNCERT_REFERENCE_TENSOR_H_
#define NNCERT_REFERENCE_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"

namespace nncert {

using hal::V1_2::OperandType;

/// The dimensions of a tensor, outermost first; empty for a scalar. In a model, 0 is a dimension
/// that is not known yet; during an execution every dimension is known and 0 is an empty tensor.
using Shape = absl::InlinedVector<uint32_t, 5>;

/// The number of elements of a tensor of `shape`; 1 for a scalar; the greatest uint64_t when there
/// are more than that.
inline uint64_t NumberOfElements(absl::Span<const uint32_t> shape) {
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

/// The greatest number of elements that the executor accepts in one tensor: its native form stays
/// below 4 GiB, as a DataLocation can describe.
inline constexpr uint64_t kLargestTensorElements = uint64_t{1} << 30;

/// "[2, 3]".
std::string ShapeToString(absl::Span<const uint32_t> shape);

/// The number systems in which a graph can be executed.
enum class NumberSystem {
  kFloat,   ///< the fast backend: elements are kept as the HAL lays them out
  kDouble,  ///< the oracle: elements are doubles
  kBall     ///< enclosures: elements are Balls
};

/// The type of an operand and all that its elements mean.
struct OperandInfo {
  OperandType type = OperandType::FLOAT32;
  Shape dimensions;
  float scale = 0;
  int32_t zeroPoint = 0;
  /// One scale for each index of `channelDim`, for TENSOR_QUANT8_SYMM_PER_CHANNEL; empty otherwise.
  absl::Span<const float> channelScales;
  uint32_t channelDim = 0;
  /// Operand::extraParams of an extension's type; empty otherwise.
  absl::Span<const uint8_t> extensionParams;
};

/// The number of elements of an operand whose dimensions are known, for estimates of work.
inline double ElementCount(const OperandInfo& info) {
  return static_cast<double>(NumberOfElements(info.dimensions));
}

/// How elements of an operand type are represented: the one place that tells types apart by what
/// they hold.
enum class ElementKind {
  kFloat32,
  kFloat16,
  kInt32,
  kUint32,
  kBool,        ///< one byte, 0 or not
  kQuant8,      ///< uint8_t with scale and zero point
  kQuant8Symm,  ///< int8_t with a scale, or with one for each channel
  kQuant16,     ///< uint16_t with scale and zero point
  kQuant16Symm  ///< int16_t with a scale
};

/// The type of the HAL whose elements are stored as those of `type` are: `type` itself, or what an
/// extension of the catalogue says of its type (ExtensionOperandType::stored_as). TENSOR_OEM_BYTE
/// for types of which nobody knows. Here and below, types are in the catalogue's numbering (see
/// reference/extension.h).
OperandType StoredAs(OperandType type);

/// Whether only a vendor knows what elements of `type` are: OEM types, opaque types of extensions,
/// and all types of extensions that the catalogue does not have.
bool IsOpaque(OperandType type);

/// The range of the integers that a quantized (or integer, or boolean) type can hold.
struct IntegerRange {
  int64_t lowest;
  int64_t highest;
};

namespace internal {

// What is known of a type.
struct TypeFacts {
  OperandType type;
  ElementKind kind;
  size_t size;  // of an element, in bytes
  bool is_quantized;
  IntegerRange range;
};

// Of the HAL's own types, by number, and behind them of types that only a vendor knows.
extern const TypeFacts kTypes[];
inline constexpr uint32_t kFirstOem =
    static_cast<uint32_t>(hal::V1_2::OperandTypeRange::FUNDAMENTAL_MAX) + 1;

// Of a type that is not the HAL's own: of what its elements are stored as.
const TypeFacts& FactsOfStored(OperandType type);

inline const TypeFacts& FactsOf(OperandType type) {
  const auto number = static_cast<uint32_t>(type);
  return number < kFirstOem ? kTypes[number] : FactsOfStored(type);
}

}  // namespace internal

/// The element representation of a type. That of opaque types is bytes; only operands whose values
/// no kernel computes with may have one.
inline ElementKind ElementKindOf(OperandType type) { return internal::FactsOf(type).kind; }

/// Bytes of one element as the HAL lays it out.
size_t NativeElementSize(ElementKind kind);

/// Bytes of one element of a data operand of `type` in `system`.
size_t ElementSize(NumberSystem system, OperandType type);

/// Whether elements of `type` are integers that stand for reals by a scale.
inline bool IsQuantized(OperandType type) { return internal::FactsOf(type).is_quantized; }

/// Whether elements of `type` are floats or halves.
bool IsFloatingPoint(OperandType type);

/// Range of quantized, integer and boolean kinds; must not be called for floating point.
inline IntegerRange RangeOf(OperandType type) { return internal::FactsOf(type).range; }

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TENSOR_H_
