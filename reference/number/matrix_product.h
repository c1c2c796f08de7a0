// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices in any number system.

#ifndef NNCERT_REFERENCE_NUMBER_MATRIX_PRODUCT_H_
#define NNCERT_REFERENCE_NUMBER_MATRIX_PRODUCT_H_

#include <cstddef>

namespace nncert {

/// The sizes of a product of `rows` x `depth` by the transpose of `columns` x `depth`, giving
/// `rows` x `columns`.
///
/// The right factor is stored transposed because that is how the HAL stores weights: one row of
/// `depth` numbers for each output channel. All three matrices are dense and row-major.
struct MatrixProductSizes {
  size_t rows;
  size_t columns;
  size_t depth;
  /// How many terms there are in the sums that the products are parts of, in whatever order they
  /// are added up: more than `depth` where up to three more products, or addends, join in. 0 stands
  /// for `depth`.
  size_t terms = 0;
};

/// The elements of a dense matrix: the numbers themselves, or floats that stand for them.
template <class Number>
struct Matrix {
  Matrix() = default;
  Matrix(const Number* its_numbers) : numbers(its_numbers) {}  // NOLINT: an array is a matrix

  /// Whether there is no matrix at all.
  bool IsMissing() const { return numbers == nullptr && floats == nullptr; }

  const Number* numbers = nullptr;
  /// Null but where FastFunctions are there to read them: doubles before they are converted, or
  /// what implementations of kFloat32Precision hold for each float (see Held), half and a quarter
  /// of the memory.
  const float* floats = nullptr;
};

/// result = left * transpose(right) by its definition, for an arithmetic A and numbers at `right`.
template <class A, class Number>
void MultiplyMatrices(const A& arithmetic, const MatrixProductSizes& sizes, const Number* left,
                      const Matrix<Number>& right, Number* result) {
  for (size_t row = 0; row < sizes.rows; ++row) {
    for (size_t column = 0; column < sizes.columns; ++column) {
      const Number* x = left + row * sizes.depth;
      const Number* y = right.numbers + column * sizes.depth;
      typename A::Accumulator sum;
      for (size_t k = 0; k < sizes.depth; ++k) sum.MultiplyAdd(x[k], y[k]);
      *result++ = arithmetic.FinishPart(sum, sizes.terms);
    }
  }
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NUMBER_MATRIX_PRODUCT_H_
