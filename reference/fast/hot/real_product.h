// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of float and double matrices. Included by level.cc alone.
//
// The kernel of it is a tile: some rows times one panel of two vectors of columns, all of whose
// sums stay in registers while it walks along the depth. Each step loads the two vectors of the
// packed panel and multiplies them by one number of each row (Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication", ACM Trans. Math. Softw. 34, 2008, without its packing of
// the left matrix: rows of a few thousand numbers stay in the cache by themselves).

#ifndef NNCERT_REFERENCE_FAST_HOT_REAL_PRODUCT_H_
#define NNCERT_REFERENCE_FAST_HOT_REAL_PRODUCT_H_

#include <utility>

#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

// As many rows as leave a few registers for the panel and the number that it is multiplied by: 32
// registers with AVX-512 and on ARM, else 16.
#if defined(__AVX512F__)
inline constexpr int kTileRows = 10;
#elif defined(__AVX2__)
inline constexpr int kTileRows = 6;
#elif defined(__aarch64__)
inline constexpr int kTileRows = 10;
#else
inline constexpr int kTileRows = 5;
#endif

template <class T>
inline constexpr size_t kPanel = 2 * kLanes<T>;

// The tile of kRows rows from `row` on and of the panel of columns from `column` on: its first
// kVectors * kWidth columns, of which there are `columns`. `bias` has kPanel numbers.
template <class T, size_t kWidth, int kVectors, int kRows>
void MultiplyTile(const RealProduct<T>& product, size_t row, size_t column, size_t columns,
                  const T* bias) {
  using V = Numbers<T, kWidth>;
  V sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sums[r][v] = LoadAs<V>(bias + v * kWidth);
  }
  const size_t depth = product.depth;
  const T* panel = product.packed + column * product.taps * depth;
  for (size_t tap = 0; tap < product.taps; ++tap) {
    const T* left[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) left[r] = product.left[(row + r) * product.taps + tap];
    for (size_t k = 0; k < depth; ++k) {
      V right[kVectors];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) right[v] = LoadAs<V>(panel + v * kWidth);
      panel += kPanel<T>;
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const V x = left[r][k] - V{};
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) sums[r][v] += x * right[v];
      }
    }
  }
  const V lowest = product.lowest - V{};
  const V highest = product.highest - V{};
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    T* result = product.result + (row + r) * product.stride + column;
    V limited[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) limited[v] = Limit(sums[r][v], lowest, highest);
    if (columns == kVectors * kWidth) {
      __builtin_memcpy(result, limited, sizeof(limited));
    } else {
      T numbers[kVectors * kWidth];
      __builtin_memcpy(numbers, limited, sizeof(limited));
      for (size_t c = 0; c < columns; ++c) result[c] = numbers[c];
    }
  }
}

// MultiplyTile for `rows` rows, 1 to kRows.
template <class T, size_t kWidth, int kVectors, int kRows = kTileRows>
NNCERT_HOT_INLINE void MultiplyTileOf(int rows, const RealProduct<T>& product, size_t row,
                                      size_t column, size_t columns, const T* bias) {
  if constexpr (kRows > 1) {
    if (rows < kRows) {
      return MultiplyTileOf<T, kWidth, kVectors, kRows - 1>(rows, product, row, column, columns,
                                                            bias);
    }
  }
  MultiplyTile<T, kWidth, kVectors, kRows>(product, row, column, columns, bias);
}

// The `columns` columns from `column` on, which are at most kVectors * kWidth.
template <class T, size_t kWidth, int kVectors>
void MultiplyPanel(const RealProduct<T>& product, size_t column, size_t columns) {
  T bias[kPanel<T>] = {};
  for (size_t c = 0; product.bias != nullptr && c < columns; ++c) {
    bias[c] = product.bias[column + c];
  }
  // Tiles of about equal height: a last one of one row would take as long as a full one.
  const size_t tiles = (product.rows + kTileRows - 1) / kTileRows;
  for (size_t tile = 0; tile < tiles; ++tile) {
    const size_t row = product.rows * tile / tiles;
    const size_t end = product.rows * (tile + 1) / tiles;
    MultiplyTileOf<T, kWidth, kVectors>(static_cast<int>(end - row), product, row, column, columns,
                                        bias);
  }
}

template <class T>
void Multiply(const RealProduct<T>& product) {
  constexpr size_t kWidth = kLanes<T>;
  for (size_t column = 0; column < product.columns; column += kPanel<T>) {
    const size_t columns = Min(kPanel<T>, product.columns - column);
    // The columns that a panel is filled up with take as long as others.
    if (columns > kWidth) {
      MultiplyPanel<T, kWidth, 2>(product, column, columns);
    } else if (kVectorBytes == 16 || columns > kWidth / 2) {
      MultiplyPanel<T, kWidth, 1>(product, column, columns);
    } else {
      MultiplyPanel<T, kVectorBytes == 16 ? kWidth : kWidth / 2, 1>(product, column, columns);
    }
  }
}

template <class T>
void Pack(size_t columns, size_t depth, const T* right, T* packed) {
  for (size_t column = 0; column < columns; column += kPanel<T>) {
    const size_t count = Min(kPanel<T>, columns - column);
    const T* rows = right + column * depth;
    // Square blocks, so that what is read and what is written both use whole cache lines.
    constexpr size_t kBlock = 16;
    for (size_t first = 0; first < depth; first += kBlock) {
      const size_t end = Min(depth, first + kBlock);
      for (size_t c = 0; c < kPanel<T>; ++c) {
        T* to = packed + c;
        if (c < count) {
          for (size_t k = first; k < end; ++k) to[k * kPanel<T>] = rows[c * depth + k];
        } else {
          for (size_t k = first; k < end; ++k) to[k * kPanel<T>] = 0;
        }
      }
    }
    packed += kPanel<T> * depth;
  }
}

// Parts of a and of b in turn: of each kPart lanes, the lower half or the upper one.
template <size_t kPart, bool kIsUpper, class T, size_t... kLane>
NNCERT_HOT_INLINE Vector<T> HalvesOf(const Vector<T>& a, const Vector<T>& b,
                                     std::index_sequence<kLane...> /*lanes*/) {
  constexpr size_t kHalf = kPart / 2;
  constexpr size_t kFirst = kIsUpper ? kHalf : 0;
  return __builtin_shufflevector(
      a, b, (kLane % kPart < kHalf ? kLane + kFirst : kLanes<T> + kLane - kHalf + kFirst)...);
}

// Adds up the lanes of each of kCount vectors, a power of two: lanes kPart * i to kPart * (i + 1)
// of the first one then add up to what those of vector i did, where kPart = kLanes<T> / kCount.
template <class T, size_t kCount, size_t kPart = kLanes<T>>
NNCERT_HOT_INLINE void AddLanes(Vector<T>* vectors) {
  if constexpr (kCount > 1) {
    constexpr std::make_index_sequence<kLanes<T>> kAllLanes;
#pragma GCC unroll 8
    for (size_t i = 0; i < kCount / 2; ++i) {
      const Vector<T> a = vectors[i];
      const Vector<T> b = vectors[i + kCount / 2];
      vectors[i] =
          HalvesOf<kPart, false, T>(a, b, kAllLanes) + HalvesOf<kPart, true, T>(a, b, kAllLanes);
    }
    AddLanes<T, kCount / 2, kPart / 2>(vectors);
  }
}

// The vector at `from` with zeros in place of the lanes before `first`.
template <class T>
NNCERT_HOT_INLINE Vector<T> LoadLanesFrom(size_t first, const T* from) {
  using Bits = Vector<BitsOf<T>>;
  constexpr size_t kWidth = kLanes<T>;
  // Lanes that are not kept, before lanes that are.
  static constexpr auto kMasks = [] {
    struct Masks {
      BitsOf<T> lanes[2 * kLanes<T>] = {};
    } masks;
    for (size_t i = kLanes<T>; i < 2 * kLanes<T>; ++i) masks.lanes[i] = -1;
    return masks;
  }();
  const Bits mask = LoadAs<Bits>(kMasks.lanes + kWidth - first);
  return reinterpret_cast<Vector<T>>(reinterpret_cast<Bits>(Load(from)) & mask);
}

// kRows rows of the left matrix times kColumns rows of the right one. Each sum is kept in kDeep
// vectors, of numbers that lie one after the other.
template <class T, int kRows, int kColumns, int kDeep>
NNCERT_HOT_INLINE void MultiplyRows(size_t columns, size_t depth, const T* left, const T* right,
                                    T* result) {
  constexpr size_t kWidth = kLanes<T>;
  constexpr size_t kSums = size_t{kRows} * kColumns;
  Vector<T> sums[kDeep][kSums] = {};
  const auto add_products = [&](int deep, auto load) __attribute__((always_inline)) {
    Vector<T> y[kColumns];
#pragma GCC unroll 8
    for (int c = 0; c < kColumns; ++c) y[c] = load(right + c * depth);
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r) {
      const Vector<T> x = load(left + r * depth);
#pragma GCC unroll 8
      for (int c = 0; c < kColumns; ++c) sums[deep][r * kColumns + c] += x * y[c];
    }
  };
  size_t k = 0;
  for (; kDeep > 1 && k + kDeep * kWidth <= depth; k += kDeep * kWidth) {
#pragma GCC unroll 4
    for (int deep = 0; deep < kDeep; ++deep) {
      add_products(
          deep, [at = k + deep * kWidth](const T* row)
                    __attribute__((always_inline)) { return Load(row + at); });
    }
  }
  for (; k + kWidth <= depth; k += kWidth) {
    add_products(
        0, [k](const T* row) __attribute__((always_inline)) { return Load(row + k); });
  }
  if (k < depth && depth > kWidth) {
    add_products(
        0, [ k, depth ](const T* row) __attribute__((always_inline)) {
          return LoadLanesFrom(kWidth - (depth - k), row + depth - kWidth);
        });
  }
#pragma GCC unroll 4
  for (int deep = 1; deep < kDeep; ++deep) {
#pragma GCC unroll 8
    for (size_t i = 0; i < kSums; ++i) sums[0][i] += sums[deep][i];
  }
  constexpr size_t kTogether = Min(kSums, kWidth);
  constexpr size_t kPart = kWidth / kTogether;
  T numbers[kSums * kPart];
#pragma GCC unroll 8
  for (size_t i = 0; i < kSums; i += kTogether) {
    AddLanes<T, kTogether>(sums[0] + i);
    Store(numbers + i * kPart, sums[0][i]);
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      const T* parts = numbers + (r * kColumns + c) * kPart;
      T sum = parts[0];
#pragma GCC unroll 16
      for (size_t i = 1; i < kPart; ++i) sum += parts[i];
      // A depth of less than a vector has nothing but a rest.
      for (size_t i = 0; depth < kWidth && i < depth; ++i) {
        sum += left[r * depth + i] * right[c * depth + i];
      }
      result[r * columns + c] = sum;
    }
  }
}

template <class T, int kRows, int kColumns, int kDeep>
NNCERT_HOT_INLINE void MultiplyAllRows(size_t columns, size_t depth, const T* left, const T* right,
                                       T* result) {
  size_t column = 0;
  for (; column + kColumns <= columns; column += kColumns) {
    MultiplyRows<T, kRows, kColumns, kDeep>(columns, depth, left, right + column * depth,
                                            result + column);
  }
  for (; column < columns; ++column) {
    MultiplyRows<T, kRows, 1, kDeep>(columns, depth, left, right + column * depth, result + column);
  }
}

template <class T, int kRows>
void MultiplyAFewRows(size_t columns, size_t depth, const T* left, const T* right, T* result) {
  // As many sums as registers hold, so that the latency of an addition is hidden.
#if defined(__AVX512F__) || defined(__aarch64__)
  constexpr int kSums = 16;
#else
  constexpr int kSums = 8;
#endif
  // Memory serves a few long pieces faster than many short ones; but where rows are short, adding
  // up the lanes counts.
  if (depth >= kSums * kLanes<T>) {
    MultiplyAllRows<T, kRows, 4 / kRows, kSums / 4>(columns, depth, left, right, result);
  } else {
    MultiplyAllRows<T, kRows, 8 / kRows, 1>(columns, depth, left, right, result);
  }
}

template <class T>
void MultiplyFewRows(size_t rows, size_t columns, size_t depth, const T* left, const T* right,
                     T* result) {
  for (; rows >= 2; rows -= 2, left += 2 * depth, result += 2 * columns) {
    MultiplyAFewRows<T, 2>(columns, depth, left, right, result);
  }
  if (rows == 1) MultiplyAFewRows<T, 1>(columns, depth, left, right, result);
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_REAL_PRODUCT_H_
