// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The extension com.example.sequences: what its users and its driver have in common. A vendor gives
// such a header to the authors of applications.

#ifndef NNCERT_DRIVERS_EXAMPLE_EXTENSION_SEQUENCES_H_
#define NNCERT_DRIVERS_EXAMPLE_EXTENSION_SEQUENCES_H_

#include <cstdint>
#include <cstring>
#include <vector>

namespace nncert {

/// The name that models state in extensionNameToPrefix.
inline constexpr char kSequences[] = "com.example.sequences";

/// Operand types within the extension.
enum SequencesOperandType : uint16_t {
  /// A tensor of int16 that stand for binary fractions. Its extraParams are a FixedPointParams.
  SEQUENCES_TENSOR_FIXED16 = 0,
  /// A scalar of the form of RecurrenceRule.
  SEQUENCES_RECURRENCE_RULE = 1,
};

/// Operations within the extension.
enum SequencesOperation : uint16_t {
  SEQUENCES_RECURRENCE = 0,
  SEQUENCES_PARTIAL_SUMS = 1,
};

/// extraParams of a TENSOR_FIXED16: an element e stands for e / 2^fractionBits.
struct FixedPointParams {
  /// 0 to 15, little-endian.
  int32_t fractionBits;
};
static_assert(sizeof(FixedPointParams) == 4);

/// What a term of a recurrence is made of: next = previous * (the term before) + earlier * (the one
/// before that). Both finite, little-endian.
struct RecurrenceRule {
  float previous;
  float earlier;
};
static_assert(sizeof(RecurrenceRule) == 8);

/// The bytes of a FixedPointParams or RecurrenceRule, as models have them.
template <class T>
std::vector<uint8_t> BytesOfValue(const T& value) {
  std::vector<uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

}  // namespace nncert

#endif  // NNCERT_DRIVERS_EXAMPLE_EXTENSION_SEQUENCES_H_
