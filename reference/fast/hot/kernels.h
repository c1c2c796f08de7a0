// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The few loops that an execution spends its time in, compiled once for each instruction level of
// the processor and picked at run time.
//
// A level is a table of functions, `Kernels`. All levels are made of the same sources (level.cc and
// what it includes). Their results may differ in the last bits: they add in different orders, and
// some fuse a product with an addition. Each of them is an honest implementation at the precision
// of its element type.
//
// Nothing here allocates, fails or reads outside of what its arguments describe.

#ifndef NNCERT_REFERENCE_HOT_KERNELS_H_
#define NNCERT_REFERENCE_HOT_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace nncert::hot {

/// A product of a matrix, whose rows lie anywhere, by the transpose of another one:
///
///   result[r][c] = min(max(bias[c] + sum_{t, k} left[r * taps + t][k] * right[c][t * depth + k],
///                          lowest), highest)
///
/// Each row of the left matrix is `taps` pieces of `depth` numbers. For a convolution these are the
/// pixels under the filter, so they need not be copied together. A NaN stays a NaN.
template <class T>
struct RealProduct {
  size_t rows = 0;
  size_t columns = 0;
  size_t taps = 1;
  size_t depth = 0;
  const T* const* left = nullptr;  ///< rows * taps pieces
  const T* packed = nullptr;       ///< the right matrix as pack made it
  const T* bias = nullptr;         ///< of each column; null for zeros
  T lowest = 0;                    ///< -infinity for no limit
  T highest = 0;                   ///< infinity for no limit
  T* result = nullptr;             ///< row r begins at r * stride
  size_t stride = 0;               ///< at least `columns`
};

/// How sums of integers become elements of a quantized tensor: with x = (sum + offset[c]) *
/// multiplier[c], the element is x limited to [lowest, highest], rounded to the nearest integer,
/// ties away from zero, plus the zero point. x is as exact as double precision makes it.
///
/// Each array has an element for each column or channel, and room to read one whole panel of an
/// IntegerProduct behind the last; the multipliers, when all are the same, have no more than a
/// panel.
struct Requantization {
  const double* multipliers = nullptr;
  /// The multipliers as floats, for a faster way that is taken wherever it gives the same element.
  const float* float_multipliers = nullptr;
  /// From the multiplier of a channel to that of the next: 1, or 0 when all are the same.
  size_t multiplier_step = 1;
  /// The offsets as 32-bit integers, when each sum + offset fits 32 bits, though the two need not;
  /// else null, and the faster way is not taken.
  const int32_t* integer_offsets = nullptr;
  /// The offsets otherwise: integers still. Null when the others are not.
  const double* offsets = nullptr;
  double lowest = 0;   ///< the least element less the zero point
  double highest = 0;  ///< the greatest element less the zero point
  int32_t zero_point = 0;
};

/// RealProduct for integers. Left elements are kept as the level likes them best, in
/// IntegerProducts::Left(); right ones are packed with an offset subtracted:
///
///   sum[r][c] = sum_{t, k} left[r * taps + t][k] * (right[c][t * depth + k] + right_offset)
///
/// where right_offset makes up for what packing left out; result = requantized sum. A piece is read
/// to the end of its padding, but what the padding holds does not matter. Sums must stay
/// within 32 bits: depth * taps is at most kLargestIntegerDepth.
struct IntegerProduct {
  size_t rows = 0;
  size_t columns = 0;
  size_t taps = 1;
  size_t depth = 0;                   ///< elements of a piece, without its padding
  const void* const* left = nullptr;  ///< rows * taps pieces, as `store_left` made them
  const void* packed = nullptr;       ///< as `pack` made it
  int32_t right_offset = 0;           ///< as `pack` returned it
  Requantization requantization;
  uint8_t* result = nullptr;  ///< row r begins at r * stride
  size_t stride = 0;
};

/// The greatest taps * depth of an IntegerProduct: 2^15 products of at most 255 * 255 in magnitude
/// fit 32 bits.
inline constexpr size_t kLargestIntegerDepth = size_t{1} << 15;

/// The functions of one level for products of integers.
struct IntegerProducts {
  /// The bytes of a left element, 1 or 2.
  size_t left_size;
  /// Pieces of the left matrix are padded with zeros to a multiple of so many elements.
  size_t group;
  size_t panel;

  /// The elements of a piece with its padding.
  size_t PaddedDepth(size_t depth) const { return (depth + group - 1) / group * group; }
  /// The bytes of a packed matrix.
  size_t PackedSize(size_t columns, size_t taps, size_t depth) const {
    return (columns + panel - 1) / panel * panel * taps * PaddedDepth(depth) * left_size;
  }
  /// Whether pieces of this depth are kept just as they are: bytes, without padding.
  bool KeepsBytes(size_t depth) const { return left_size == 1 && depth % group == 0; }

  /// Stores `count` pieces of `depth` bytes each as `multiply` reads them, PaddedDepth(depth) *
  /// left_size bytes each.
  void (*store_left)(size_t count, size_t depth, const uint8_t* pieces, void* stored);
  /// Packs a matrix of `columns` rows of taps * depth elements, of which `zero_point` is to be
  /// subtracted; signed elements are reinterpreted when `is_signed`. Returns right_offset.
  int32_t (*pack)(size_t columns, size_t taps, size_t depth, const void* right, bool is_signed,
                  int32_t zero_point, void* packed);
  void (*multiply)(const IntegerProduct& product);
};

/// Filters over one channel each, at positions that are equally far apart:
///
///   result[p][c] = limited(bias[c] + sum_t (pixels[t] + p * step)[c] * weights[t][c])
template <class T>
struct Depthwise {
  size_t positions = 0;
  size_t taps = 0;
  size_t channels = 0;
  const T* const* pixels = nullptr;   ///< under the taps of the filter at the first position
  size_t step = 0;                    ///< from one position to the next, in numbers
  const T* const* weights = nullptr;  ///< of the channels, for each tap
};

/// What Depthwise comes to as real numbers.
template <class T>
struct RealDepthwiseResult {
  const T* bias = nullptr;  ///< of each channel
  T lowest = 0;
  T highest = 0;
  T* result = nullptr;  ///< position p begins at p * channels
};

/// What Depthwise comes to when all numbers are integers, whose sums must stay below 2^24.
struct IntegerDepthwiseResult {
  Requantization requantization;
  uint8_t* result = nullptr;  ///< position p begins at p * channels
};

/// The elementary operations on two operands.
enum class BinaryOperation { kAdd, kSubtract, kMultiply, kDivide };

/// Element by element: result[i] = limited(a[i] op b[i]). An operand with step 0 is one number for
/// all i.
template <class T>
struct RealBinary {
  BinaryOperation operation = BinaryOperation::kAdd;
  size_t count = 0;
  const T* a = nullptr;
  size_t a_step = 1;  ///< 0 or 1
  const T* b = nullptr;
  size_t b_step = 1;  ///< 0 or 1
  T lowest = 0;
  T highest = 0;
  T* result = nullptr;
};

/// The functions of one level for numbers of type T, float or double.
template <class T>
struct RealKernels {
  /// The columns of a panel: a packed matrix holds its columns in groups of so many.
  size_t panel;
  /// Packs a matrix of `columns` rows of `depth` numbers (all taps together) for `multiply`, into
  /// room for `columns` rounded up to whole panels times `depth` numbers.
  void (*pack)(size_t columns, size_t depth, const T* right, T* packed);
  void (*multiply)(const RealProduct<T>& product);
  /// result = left * transpose(right) for dense row-major matrices, without packing: for few rows,
  /// where each number of the right matrix is read but once.
  void (*multiply_few_rows)(size_t rows, size_t columns, size_t depth, const T* left,
                            const T* right, T* result);
  void (*depthwise)(const Depthwise<T>& depthwise, const RealDepthwiseResult<T>& result);
  void (*binary)(const RealBinary<T>& binary);
  /// result[i] = exp(beta * (x[i] - max x)) / the sum of these; beta is above 0.
  void (*softmax)(size_t count, T beta, const T* x, T* result);
};

/// Element by element, of quantized elements less their zero points: a * a_multiplier + b *
/// b_multiplier, or a * b * a_multiplier for a product, limited, rounded and shifted as by
/// Requantization (of which only the limits and the zero point count).
struct IntegerBinary {
  bool is_product = false;
  size_t count = 0;
  const uint8_t* a = nullptr;
  size_t a_step = 1;
  int32_t a_zero_point = 0;
  double a_multiplier = 0;
  const uint8_t* b = nullptr;
  size_t b_step = 1;
  int32_t b_zero_point = 0;
  double b_multiplier = 0;
  Requantization requantization;
  uint8_t* result = nullptr;
};

/// The greatest number of bytes that sum_bytes adds up for a channel.
inline constexpr size_t kMostBytesInSum = size_t{1} << 23;

/// The sums or greatest of a number of pixels:
/// result[c] = limited(scale * sum_t pixels[t][c]), or limited(max_t pixels[t][c]).
struct Pool {
  size_t taps = 0;  ///< above 0
  size_t channels = 0;
  const float* const* pixels = nullptr;
  float scale = 1;
  float lowest = 0;
  float highest = 0;
  float* result = nullptr;
};

// Balls (reference/number/ball.h) are pairs of doubles here: midpoint, radius. To multiply them,
// they are taken apart: the products of the midpoints are those of doubles, and what bounds their
// errors, products of numbers that are not negative, may be computed in single precision, from
// factors that are rounded up.

/// What balls are like.
struct BallSurvey {
  bool are_exact;  ///< every radius is 0
  /// Every midpoint and radius is finite, and is 0 or has a magnitude in [kLeastBallFactor,
  /// kGreatestBallFactor], so that products of two of them neither overflow nor underflow in single
  /// precision, and sums of 2^40 such products do not overflow.
  bool fit_floats;
};

inline constexpr double kLeastBallFactor = 0x1p-60;
inline constexpr double kGreatestBallFactor = 0x1p40;

/// Sums of products of balls, and what becomes of them: for each row and column, the ball of a sum
/// whose terms have the midpoints' products add up to `midpoints`, with magnitudes that add up to
/// at most `inflation * magnitudes`, and a spread of at most `inflation * spreads`, as
/// BallArithmetic computes it at a precision, with a bias added as by AddToSum, and limited.
struct BallSums {
  size_t rows = 0;
  size_t columns = 0;
  const double* midpoints = nullptr;  ///< rows * columns, as the next two
  const float* magnitudes = nullptr;
  const float* spreads = nullptr;  ///< null for zeros
  double inflation = 1;
  /// The number of terms of each sum, and of those among which the bias may be added.
  double terms = 0;
  double terms_with_bias = 0;
  const double* bias = nullptr;  ///< a finite ball for each column
  /// The members of the Precision of the same names.
  double unit_roundoff = 0;
  double underflow = 0;
  double largest_finite = 0;
  double sum_roundoff = 0;
  double lowest = 0;         ///< -infinity for no limit; held exactly at the precision
  double highest = 0;        ///< infinity for no limit; the same
  double* result = nullptr;  ///< balls; row r begins at ball r * columns
};

/// What rounding may cost a ball: the members of the Precision of the same names.
struct BallPrecision {
  double unit_roundoff = 0;
  double underflow = 0;
  double largest_finite = 0;
};

/// RealBinary for balls, as BallArithmetic computes them: result[i] = limited(a[i] op b[i]), of
/// which no bound is narrower, though it may be wider by a unit in the last place of a double.
struct BallBinary {
  BinaryOperation operation = BinaryOperation::kAdd;
  size_t count = 0;
  const double* a = nullptr;  ///< balls, as the next two
  size_t a_step = 1;          ///< 0 or 1 balls
  const double* b = nullptr;
  size_t b_step = 1;
  /// How many roundings a quotient is granted, in units of the roundoff.
  double quotient_roundings = 0;
  BallPrecision precision;
  double lowest = 0;   ///< -infinity for no limit; held exactly at the precision
  double highest = 0;  ///< infinity for no limit; the same
  double* result = nullptr;
};

/// The exponentials of a softmax: result[i] encloses exp((x[i] - max x) * beta).
struct BallExponentials {
  size_t count = 0;
  const double* x = nullptr;  ///< balls
  double beta = 1;            ///< held exactly at the precision
  /// How many units in the last place of the precision an exponential may be off.
  double function_ulps = 0;
  BallPrecision precision;
  double* result = nullptr;  ///< balls
};

/// Sums over balls.
struct BallTotals {
  double midpoints = 0;
  double radii = 0;
  double magnitudes = 0;  ///< of the midpoints' magnitudes plus the radii
};

/// What products of balls with exact weights add up to, for each row and column:
///
///   midpoints[r][c]  = sum_k left[r][k] * weights[c][k]
///   magnitudes[r][c] = sum_k |left[r][k]| * |weights[c][k]|
///   reaches[r][c]    = sum_k left_reach[r][k] * |weights[c][k]|
struct BallRowProducts {
  size_t rows = 0;
  size_t columns = 0;
  size_t depth = 0;
  const double* left = nullptr;        ///< the midpoints, [rows, depth]
  const double* left_reach = nullptr;  ///< the midpoints' magnitudes plus the radii, the same
  const float* weights = nullptr;      ///< [columns, depth]
  double* midpoints = nullptr;         ///< [rows, columns], as the next two
  double* magnitudes = nullptr;
  double* reaches = nullptr;
};

/// The functions of one level.
struct Kernels {
  RealKernels<float> floats;
  RealKernels<double> doubles;
  IntegerProducts integers;
  void (*integer_depthwise)(const Depthwise<float>& depthwise,
                            const IntegerDepthwiseResult& result);
  /// floats[i] = bytes[i] - zero_point. With `is_signed`, bytes from 128 on stand for themselves
  /// less 256.
  void (*bytes_to_floats)(size_t count, const uint8_t* bytes, bool is_signed, int32_t zero_point,
                          float* floats);
  void (*integer_binary)(const IntegerBinary& binary);
  void (*average_pool)(const Pool& pool);
  /// A NaN among the pixels of a channel makes its result a NaN.
  void (*max_pool)(const Pool& pool);
  /// The same of bytes: result[c] = sum_t pixels[t][c], of at most kMostBytesInSum pixels, or max_t
  /// pixels[t][c].
  void (*sum_bytes)(size_t taps, size_t channels, const uint8_t* const* pixels, int32_t* result);
  void (*max_bytes)(size_t taps, size_t channels, const uint8_t* const* pixels, int32_t* result);
  /// The functions of each of `count` numbers, within 2 (exp) or 3 units in the last place;
  /// `result` may be `x`.
  void (*exp)(size_t count, const float* x, float* result);
  void (*tanh)(size_t count, const float* x, float* result);
  void (*logistic)(size_t count, const float* x, float* result);
  BallSurvey (*survey_balls)(size_t count, const double* balls);
  /// The midpoints of balls, and their magnitudes and radii rounded up; `radii` may be null.
  void (*split_balls)(size_t count, const double* balls, double* midpoints, float* magnitudes,
                      float* radii);
  void (*finish_balls)(const BallSums& sums);
  void (*ball_binary)(const BallBinary& binary);
  /// False where an exponential cannot be enclosed tightly in this way: numbers that are infinite,
  /// NaN or known to less than a quarter of a unit, or results out of range. The result is then
  /// arbitrary.
  bool (*ball_exponentials)(const BallExponentials& exponentials, BallTotals& totals);
  /// Exact; `floats` need not be aligned.
  void (*floats_to_doubles)(size_t count, const float* floats, double* doubles);
  /// The floats as exact balls. False when some of them are subnormal, and so may be held as zero.
  bool (*floats_to_balls)(size_t count, const float* floats, double* balls);
  /// survey_balls and split_balls for exact balls that are given as floats: whether they fit
  /// floats. What is stored is arbitrary when they do not.
  bool (*split_floats)(size_t count, const float* floats, double* midpoints, float* magnitudes);
  /// multiply_few_rows of doubles with a right matrix of floats.
  void (*multiply_few_rows_by_floats)(size_t rows, size_t columns, size_t depth, const double* left,
                                      const float* right, double* result);
  /// False when some of the weights are subnormal, and so may be held as zero.
  bool (*multiply_ball_rows)(const BallRowProducts& products);
  /// Between halves, which need not be aligned, and floats, rounding to nearest even. Null where
  /// the level has no instructions for it.
  void (*halves_to_floats)(size_t count, const uint16_t* halves, float* floats);
  void (*floats_to_halves)(size_t count, const float* floats, uint16_t* halves);
};

}  // namespace nncert::hot

#endif  // NNCERT_REFERENCE_HOT_KERNELS_H_
