// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_NUMBER_PRECISION_H_
#define NNCERT_REFERENCE_NUMBER_PRECISION_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace nncert {

/// What an honest implementation may lose in one elementary operation: the model |fl(x) - x| <=
/// unit_roundoff |x| + underflow of Higham, "Accuracy and Stability of Numerical Algorithms"
/// (2002), section 2.2, with flushing of subnormal operands and results to zero allowed, since
/// accelerators do so.
struct Precision {
  /// Largest relative error of one correctly rounded operation: half a unit in the last place, a
  /// power of two.
  double unit_roundoff;
  /// Largest absolute error of a result below the normal range.
  double underflow;
  /// Largest finite magnitude; beyond it an implementation may answer infinity.
  double largest_finite;
  /// Largest relative error of one addition within a sum, and of one product within a dot product;
  /// 0 where sums are exact, being of integers.
  double sum_roundoff;
  /// Steps of a quantized result by which an implementation may be off before it rounds to the
  /// nearest step.
  double quantization_slack;
};

/// IEEE 754 binary32: 24 significant bits.
inline constexpr Precision kFloat32Precision = {0x1p-24, 0x1p-126, 0x1.fffffep127, 0x1p-24, 0x1p-7};

/// IEEE 754 binary16, of FLOAT16 operands and of FLOAT32 ones in a model with
/// relaxComputationFloat32toFloat16: "range and/or precision as low as that of the IEEE 754 16-bit
/// floating-point format" (types.hal 1.1, Model).
inline constexpr Precision kFloat16Precision = {0x1p-11, 0x1p-14, 65504, 0x1p-11, 0x1p-7};

/// Quantized operands. Sums are integers and exact; scales are binary32. The slack before the final
/// rounding is that of a multiplier held in 16 bits (2^-15 relative, of at most 256 steps), and of
/// fixed-point requantization that rounds twice, as gemmlowp's does: a product with a multiplier in
/// [1/2, 1) to an integer, then its quotient by a power of two. The first rounding is off by half a
/// step at the most where the second divides by 1 (it is then the only one), and by 1/4 of one
/// where it divides by 2.
inline constexpr Precision kQuantizedPrecision = {0x1p-24, 0x1p-126, 0x1.fffffep127, 0,
                                                  0x1p-2 + 0x1p-7};

/// Whether every implementation of `precision` holds the finite number `value` exactly: it is zero,
/// or a normal number with no more significant bits than the precision has.
inline bool IsHeldExactly(double value, const Precision& precision) {
  const double magnitude = std::abs(value);
  if (magnitude == 0) return true;
  if (!(magnitude >= precision.underflow && magnitude <= precision.largest_finite)) return false;
  // unit_roundoff is 2^-p for p significant bits, so the last 53 - p bits of the double are zero.
  const int bits = 1023 - static_cast<int>(std::bit_cast<uint64_t>(precision.unit_roundoff) >> 52);
  const uint64_t dropped = (uint64_t{1} << (53 - bits)) - 1;
  return (std::bit_cast<uint64_t>(value) & dropped) == 0;
}

/// The greatest error of a sum of `terms` products in any order, whose magnitudes add up to
/// `magnitude` (as added up in double precision), computed at `precision` and rounded once more;
/// the error of adding up the products themselves in double precision included.
///
/// Products and additions lose terms * sum_roundoff * magnitude together, whatever the number of
/// terms (Jeannerod and Rump, "Improved error bounds for inner products in floating-point
/// arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013). That leaves underflow aside: each product and
/// each addition may also lose `underflow`, which then counts as one more term of the sum.
inline double SumError(const Precision& precision, double terms, double magnitude) {
  if (magnitude == 0) return 0;
  // 8 roundings of a double for each term: of the product, of the sum of products, of the sum of
  // magnitudes, of the sum of radii, and as many again to spare.
  const double roundoff = terms * (precision.sum_roundoff + 0x1p-50) + precision.unit_roundoff;
  const double underflow = (2 * terms + 1) * precision.underflow;
  return (roundoff * magnitude + underflow * (1 + 2 * roundoff)) * (1 + terms * 0x1p-52);
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NUMBER_PRECISION_H_
