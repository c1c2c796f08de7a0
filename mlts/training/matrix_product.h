// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices, as much of them as training takes. Terms are added in their order, so the
// sums are the same on every processor that rounds each product.

#ifndef NNCERT_MLTS_TRAINING_MATRIX_PRODUCT_H_
#define NNCERT_MLTS_TRAINING_MATRIX_PRODUCT_H_

#include <cstddef>
#include <cstring>
#include <vector>

namespace nncert {

/// A matrix to be read, as it is or transposed.
template <class Number>
struct MatrixView {
  const Number* data;
  /// How far it is from one row, and from one column, to the next.
  size_t row_stride;
  size_t column_stride;
};

/// A matrix of rows of `columns` elements, one after the other.
template <class Number>
MatrixView<Number> RowMajor(const Number* data, size_t columns) {
  return {data, columns, 1};
}

/// The transpose of such a matrix.
template <class Number>
MatrixView<Number> TransposeOf(const Number* data, size_t columns) {
  return {data, 1, columns};
}

/// The transpose of a row-major matrix, row-major.
template <class Number>
std::vector<Number> Transposed(const Number* data, size_t rows, size_t columns) {
  std::vector<Number> transposed(rows * columns);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) transposed[j * rows + i] = data[i * columns + j];
  }
  return transposed;
}

namespace internal {

// Adds to kRows rows and kColumns columns of `sums` at once: the sums stay in registers, which
// compilers see to only where they are told that there are vectors.
template <size_t kRows, size_t kColumns, class Number>
void AddTile(MatrixView<Number> a, const Number* b, size_t terms, size_t columns, Number* sums) {
  using Vector [[gnu::vector_size(kColumns * sizeof(Number))]] = Number;
  Vector tile[kRows];
  for (size_t i = 0; i < kRows; ++i) std::memcpy(&tile[i], sums + i * columns, sizeof(Vector));
  for (size_t k = 0; k < terms; ++k) {
    Vector row;
    std::memcpy(&row, b + k * columns, sizeof(Vector));
    for (size_t i = 0; i < kRows; ++i) {
      tile[i] += a.data[i * a.row_stride + k * a.column_stride] * row;
    }
  }
  for (size_t i = 0; i < kRows; ++i) std::memcpy(sums + i * columns, &tile[i], sizeof(Vector));
}

}  // namespace internal

/// sums += a b, of [rows, terms] and [terms, columns]; `b` and `sums` are row-major.
template <class Number>
void AddProduct(MatrixView<Number> a, const Number* b, size_t rows, size_t terms, size_t columns,
                Number* sums) {
  constexpr size_t kRows = 4;
  constexpr size_t kColumns = 8;
  size_t column = 0;
  for (; column + kColumns <= columns; column += kColumns) {
    size_t row = 0;
    const auto at = [&](size_t i) {
      return MatrixView<Number>{a.data + i * a.row_stride, a.row_stride, a.column_stride};
    };
    for (; row + kRows <= rows; row += kRows) {
      internal::AddTile<kRows, kColumns>(at(row), b + column, terms, columns,
                                         sums + row * columns + column);
    }
    for (; row < rows; ++row) {
      internal::AddTile<1, kColumns>(at(row), b + column, terms, columns,
                                     sums + row * columns + column);
    }
  }
  for (; column < columns; ++column) {
    for (size_t row = 0; row < rows; ++row) {
      Number sum = sums[row * columns + column];
      for (size_t k = 0; k < terms; ++k) {
        sum += a.data[row * a.row_stride + k * a.column_stride] * b[k * columns + column];
      }
      sums[row * columns + column] = sum;
    }
  }
}

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_MATRIX_PRODUCT_H_
