// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Between elements as they are kept and the numbers that kernels compute with.
//
// In every number system a quantized element is kept as its integer; loading makes it the real
// number it stands for, (q - zeroPoint) * scale (types.hal, TENSOR_QUANT8_ASYMM), and storing
// rounds a real number to the nearest step. Integer and boolean elements are numbers as they are.
// In kFloat elements are kept in the HAL's own layout, otherwise one double or one Ball an element.
//
// The functions give the same with FastFunctions as without, sooner.

#ifndef NNCERT_REFERENCE_STORAGE_H_
#define NNCERT_REFERENCE_STORAGE_H_

#include <cstddef>

#include "reference/number/ball.h"
#include "reference/number/fast_functions.h"
#include "reference/number/precision.h"
#include "reference/tensor.h"

namespace nncert {

/// Whether quantized elements are loaded as the reals they stand for or as their integers.
enum class LoadAs { kReal, kInteger };

/// Whether loading `Number`s of an operand of `type` kept for `system` needs no conversion.
template <class Number>
bool IsKeptAs(NumberSystem system, OperandType type, LoadAs load_as);

/// Loads `count` elements from `elements`, kept for `system`, into `numbers`; which may be the same
/// memory, other than in kFloat.
/// `count` must be the number of elements of `info.dimensions`. Number is float or double for
/// kFloat, double for kDouble, Ball for kBall. Balls of quantized elements hold every real number
/// that an implementation of `precision` may make of them.
template <class Number>
void LoadElements(NumberSystem system, const OperandInfo& info, LoadAs load_as,
                  const Precision& precision, const std::byte* elements, size_t count,
                  Number* numbers, const FastFunctions* fast = nullptr);

/// Stores numbers as elements of the operand: rounded to the nearest step (ties away from zero) and
/// saturated for quantized types, to the nearest half for FLOAT16 ones, to an integer and saturated
/// for INT32 ones, 0 or 1 for booleans; NaN becomes 0 in all but floating-point types. Balls become
/// the ball of all that an implementation of `precision` may store; that is any integer at all for
/// an INT32 element out of range, where implementations wrap, saturate or trap. LoadAs::kInteger
/// says that numbers for a quantized operand are its integers already.
template <class Number>
void StoreElements(NumberSystem system, const OperandInfo& info, LoadAs store_as,
                   const Precision& precision, const Number* numbers, size_t count,
                   std::byte* elements, const FastFunctions* fast = nullptr);

/// Turns elements in the HAL's layout into elements kept for `system`: exactly, without any
/// rounding.
void ImportElements(NumberSystem system, OperandType type, const std::byte* native, size_t count,
                    std::byte* elements, const FastFunctions* fast = nullptr);

/// Widens `count` elements of `type` kept for kBall to what an implementation of `precision` may
/// hold for them (see Held). Types other than FLOAT32 and FLOAT16 are held exactly.
void HoldElements(OperandType type, const Precision& precision, size_t count, std::byte* elements);

/// ImportElements for kBall, and HoldElements of what that gives.
void ImportHeldElements(OperandType type, const Precision& precision, const std::byte* native,
                        size_t count, std::byte* elements, const FastFunctions* fast = nullptr);

/// Turns elements kept for kDouble or kFloat into the HAL's layout, floats rounded to nearest.
void ExportElements(NumberSystem system, OperandType type, const std::byte* elements, size_t count,
                    std::byte* native);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_STORAGE_H_
