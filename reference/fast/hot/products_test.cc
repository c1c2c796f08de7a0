// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices and depthwise filters, at every level that this machine has, against the
// formula.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/fast/hot/testing/level_test.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert::hot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
const RealKernels<T>& KernelsFor(const Kernels& kernels) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return kernels.floats;
  } else {
    return kernels.doubles;
  }
}

template <class T>
std::vector<T> RandomReals(TestRandom& random, size_t count) {
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.Uniform(-1, 1));
  return numbers;
}

std::vector<uint8_t> RandomBytes(TestRandom& random, size_t count) {
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Bits());
  return bytes;
}

// What a sum of `terms` numbers below 1 in magnitude may lose.
template <class T>
double ToleranceOf(size_t terms) {
  const auto n = static_cast<double>(terms);
  return (n + 1) * n * std::numeric_limits<T>::epsilon();
}

struct Sizes {
  size_t rows;
  size_t columns;
  size_t taps;
  size_t depth;
};

// Around the sizes of tiles, panels and groups.
constexpr Sizes kSizes[] = {{1, 1, 1, 1},   {1, 33, 1, 40}, {2, 16, 2, 3},   {5, 31, 9, 5},
                            {7, 64, 1, 17}, {13, 65, 4, 8}, {11, 100, 9, 2}, {24, 32, 3, 33},
                            {41, 7, 1, 0},  {300, 5, 1, 2}, {21, 129, 2, 6}, {12, 8, 3, 9}};

template <class T>
void TestProduct(const Kernels& kernels, const Sizes& sizes, bool has_bias, double lowest,
                 double highest) {
  TestRandom random(sizes.rows + sizes.columns);
  const size_t depth = sizes.taps * sizes.depth;
  // Pieces in reverse order: they may be anywhere.
  const std::vector<T> pieces = RandomReals<T>(random, sizes.rows * depth);
  std::vector<const T*> left(sizes.rows * sizes.taps);
  for (size_t i = 0; i < left.size(); ++i) {
    left[i] = pieces.data() + (left.size() - 1 - i) * sizes.depth;
  }
  const std::vector<T> right = RandomReals<T>(random, sizes.columns * depth);
  const std::vector<T> bias = RandomReals<T>(random, sizes.columns);
  const RealKernels<T>& level = KernelsFor<T>(kernels);
  const size_t panels = (sizes.columns + level.panel - 1) / level.panel;
  std::vector<T> packed(panels * level.panel * depth, T{7});
  level.pack(sizes.columns, depth, right.data(), packed.data());
  const size_t stride = sizes.columns + 3;
  std::vector<T> result(sizes.rows * stride, T{99});
  level.multiply({.rows = sizes.rows,
                  .columns = sizes.columns,
                  .taps = sizes.taps,
                  .depth = sizes.depth,
                  .left = left.data(),
                  .packed = packed.data(),
                  .bias = has_bias ? bias.data() : nullptr,
                  .lowest = static_cast<T>(lowest),
                  .highest = static_cast<T>(highest),
                  .result = result.data(),
                  .stride = stride});
  for (size_t r = 0; r < sizes.rows; ++r) {
    for (size_t c = 0; c < stride; ++c) {
      const double actual = result[r * stride + c];
      if (c >= sizes.columns) {
        ASSERT_EQ(actual, 99) << "written outside of the columns";
        continue;
      }
      double sum = has_bias ? bias[c] : 0;
      for (size_t i = 0; i < depth; ++i) {
        sum += static_cast<double>(left[r * sizes.taps + i / sizes.depth][i % sizes.depth]) *
               static_cast<double>(right[c * depth + i]);
      }
      ASSERT_NEAR(actual, std::clamp(sum, lowest, highest), ToleranceOf<T>(depth + 1))
          << "row " << r << " column " << c;
    }
  }
}

class ProductsTest : public LevelTest {};

TEST_P(ProductsTest, RealProductsAreTheFormula) {
  for (const Sizes& sizes : kSizes) {
    SCOPED_TRACE(testing::Message()
                 << sizes.rows << "x" << sizes.columns << "x" << sizes.taps << "x" << sizes.depth);
    TestProduct<float>(kernels(), sizes, true, -kInfinity, kInfinity);
    TestProduct<float>(kernels(), sizes, false, -0.5, 0.25);
    TestProduct<double>(kernels(), sizes, true, 0, kInfinity);
    TestProduct<double>(kernels(), sizes, false, -kInfinity, kInfinity);
  }
}

TEST_P(ProductsTest, ANanStaysANanWhateverTheLimits) {
  const RealKernels<float>& level = kernels().floats;
  const std::vector<float> left = {std::numeric_limits<float>::quiet_NaN(), 1};
  const float* rows[] = {&left[0], &left[1]};
  const float right = 3;
  std::vector<float> packed(level.panel);
  level.pack(1, 1, &right, packed.data());
  float result[2] = {};
  level.multiply({.rows = 2,
                  .columns = 1,
                  .depth = 1,
                  .left = rows,
                  .packed = packed.data(),
                  .lowest = 0,
                  .highest = 2,
                  .result = result,
                  .stride = 1});
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[1], 2);
}

template <class T>
void TestFewRows(const Kernels& kernels, size_t rows, size_t columns, size_t depth) {
  TestRandom random(depth);
  const std::vector<T> left = RandomReals<T>(random, rows * depth);
  const std::vector<T> right = RandomReals<T>(random, columns * depth);
  std::vector<T> result(rows * columns + 1, T{99});
  KernelsFor<T>(kernels).multiply_few_rows(rows, columns, depth, left.data(), right.data(),
                                           result.data());
  for (size_t i = 0; i < rows * columns; ++i) {
    double sum = 0;
    for (size_t k = 0; k < depth; ++k) {
      sum += static_cast<double>(left[i / columns * depth + k]) *
             static_cast<double>(right[i % columns * depth + k]);
    }
    ASSERT_NEAR(static_cast<double>(result[i]), sum, ToleranceOf<T>(depth));
  }
  ASSERT_EQ(result.back(), 99);
}

TEST_P(ProductsTest, ProductsOfFewRowsAreTheFormula) {
  for (const size_t rows : {1, 2, 5}) {
    for (const size_t columns : {1, 9, 31}) {
      for (const size_t depth : {0, 1, 15, 16, 17, 67, 512, 517}) {
        TestFewRows<float>(kernels(), rows, columns, depth);
        TestFewRows<double>(kernels(), rows, columns, depth);
      }
    }
  }
}

// Where memory lies is chance: results that depended on it would differ from run to run.
TEST_P(ProductsTest, ProductsOfFewRowsDoNotDependOnWhereTheMatricesLie) {
  constexpr size_t kColumns = 3;
  constexpr size_t kPlaces = 17;
  for (const size_t depth : {15, 64, 67, 432, 512}) {
    TestRandom random(depth);
    const std::vector<float> left = RandomReals<float>(random, depth);
    const std::vector<float> right = RandomReals<float>(random, kColumns * depth);
    std::vector<float> first;
    for (size_t place = 0; place < kPlaces; ++place) {
      std::vector<float> moved_left(depth + kPlaces);
      std::vector<float> moved_right(right.size() + kPlaces);
      std::copy(left.begin(), left.end(), moved_left.begin() + kPlaces - place);
      std::copy(right.begin(), right.end(), moved_right.begin() + place);
      std::vector<float> result(kColumns);
      kernels().floats.multiply_few_rows(1, kColumns, depth, moved_left.data() + kPlaces - place,
                                         moved_right.data() + place, result.data());
      if (place == 0) first = result;
      ASSERT_EQ(result, first) << "depth " << depth << " place " << place;
    }
  }
}

TEST_P(ProductsTest, AnInfinityCountsOnceInAProductOfFewRows) {
  // Not a number of vectors: some numbers are read twice.
  for (const size_t depth : {19, 512}) {
    const std::vector<float> ones(depth, 1);
    for (size_t i = 0; i < depth; ++i) {
      std::vector<float> numbers = ones;
      numbers[i] = std::numeric_limits<float>::infinity();
      float result = 0;
      kernels().floats.multiply_few_rows(1, 1, depth, numbers.data(), ones.data(), &result);
      ASSERT_EQ(result, numbers[i]) << i;
      kernels().floats.multiply_few_rows(1, 1, depth, ones.data(), numbers.data(), &result);
      ASSERT_EQ(result, numbers[i]) << i;
    }
  }
}

// The element that `real` steps from the zero point become, by the formula.
int32_t Rounded(double real, const Requantization& requantization) {
  const double limited = std::clamp(real, requantization.lowest, requantization.highest);
  return static_cast<int32_t>(std::round(limited)) + requantization.zero_point;
}

// The arrays of a Requantization.
struct Parameters {
  explicit Parameters(size_t room)
      : multipliers(room), offsets(room), float_multipliers(room), integer_offsets(room) {}
  void Set(size_t channel, double multiplier, double offset) {
    multipliers[channel] = multiplier;
    offsets[channel] = offset;
    float_multipliers[channel] = static_cast<float>(multiplier);
    integer_offsets[channel] = static_cast<int32_t>(offset);
  }
  // With or without the faster way.
  Requantization Get(bool is_fast, double lowest, double highest, int32_t zero_point) const {
    return {.multipliers = multipliers.data(),
            .float_multipliers = float_multipliers.data(),
            .integer_offsets = is_fast ? integer_offsets.data() : nullptr,
            .offsets = is_fast ? nullptr : offsets.data(),
            .lowest = lowest,
            .highest = highest,
            .zero_point = zero_point};
  }
  std::vector<double> multipliers;
  std::vector<double> offsets;
  std::vector<float> float_multipliers;
  std::vector<int32_t> integer_offsets;
};

void TestIntegerProduct(const IntegerProducts& level, const Sizes& sizes, bool is_fast,
                        bool is_signed, int32_t zero_point, std::vector<uint8_t> pieces,
                        const std::vector<uint8_t>& right) {
  const size_t depth = sizes.taps * sizes.depth;
  const size_t stored_size = level.PaddedDepth(sizes.depth) * level.left_size;
  std::vector<std::byte> stored(sizes.rows * sizes.taps * stored_size, std::byte{7});
  level.store_left(sizes.rows * sizes.taps, sizes.depth, pieces.data(), stored.data());
  std::vector<const void*> left(sizes.rows * sizes.taps);
  for (size_t i = 0; i < left.size(); ++i) {
    left[i] = stored.data() + i * stored_size;
    // What the padding holds does not matter.
    const size_t used = sizes.depth * level.left_size;
    std::fill_n(stored.begin() + i * stored_size + used, stored_size - used, std::byte{93});
  }
  std::vector<std::byte> packed(level.PackedSize(sizes.columns, sizes.taps, sizes.depth));
  const int32_t right_offset = level.pack(sizes.columns, sizes.taps, sizes.depth, right.data(),
                                          is_signed, zero_point, packed.data());
  Parameters parameters(sizes.columns + level.panel);
  for (size_t c = 0; c < sizes.columns; ++c) {
    // Powers of two among them, which give ties.
    const double multiplier = 1 / (40.0 * static_cast<double>(depth + c + 1));
    parameters.Set(c, c % 2 == 0 ? multiplier : std::exp2(std::floor(std::log2(multiplier))),
                   static_cast<double>(c) * 11 - 3);
  }
  const Requantization requantization = parameters.Get(is_fast, -100, 140, 100);
  std::vector<uint8_t> result(sizes.rows * sizes.columns + 1, 77);
  level.multiply({.rows = sizes.rows,
                  .columns = sizes.columns,
                  .taps = sizes.taps,
                  .depth = sizes.depth,
                  .left = left.data(),
                  .packed = packed.data(),
                  .right_offset = right_offset,
                  .requantization = requantization,
                  .result = result.data(),
                  .stride = sizes.columns});
  for (size_t i = 0; i < sizes.rows * sizes.columns; ++i) {
    const size_t c = i % sizes.columns;
    int64_t sum = 0;
    for (size_t k = 0; k < depth; ++k) {
      const uint8_t element = right[c * depth + k];
      const int32_t weight = is_signed ? static_cast<int8_t>(element) : element;
      sum += pieces[i / sizes.columns * depth + k] * (weight - zero_point);
    }
    const double real =
        (static_cast<double>(sum) + parameters.offsets[c]) * parameters.multipliers[c];
    ASSERT_EQ(result[i], Rounded(real, requantization)) << "element " << i;
  }
  ASSERT_EQ(result.back(), 77);
}

TEST_P(ProductsTest, IntegerProductsAreExact) {
  TestRandom random(5);
  for (const Sizes& sizes : kSizes) {
    SCOPED_TRACE(testing::Message()
                 << sizes.rows << "x" << sizes.columns << "x" << sizes.taps << "x" << sizes.depth);
    const size_t depth = sizes.taps * sizes.depth;
    const std::vector<uint8_t> pieces = RandomBytes(random, sizes.rows * depth + 1);
    const std::vector<uint8_t> right = RandomBytes(random, sizes.columns * depth + 1);
    for (const bool is_fast : {false, true}) {
      for (const int32_t zero_point : {0, 77, 128, 255}) {
        TestIntegerProduct(kernels().integers, sizes, is_fast, false, zero_point, pieces, right);
      }
      TestIntegerProduct(kernels().integers, sizes, is_fast, true, 0, pieces, right);
    }
  }
}

TEST_P(ProductsTest, TheGreatestIntegerSumsFit) {
  const Sizes sizes = {2, 1, 1, kLargestIntegerDepth};
  const std::vector<uint8_t> all_255(2 * kLargestIntegerDepth, 255);
  const std::vector<uint8_t> all_0(2 * kLargestIntegerDepth, 0);
  const std::vector<uint8_t> all_128(2 * kLargestIntegerDepth, 128);
  for (const bool is_fast : {false, true}) {
    TestIntegerProduct(kernels().integers, sizes, is_fast, false, 0, all_255, all_255);
    TestIntegerProduct(kernels().integers, sizes, is_fast, false, 255, all_255, all_0);
    TestIntegerProduct(kernels().integers, sizes, is_fast, true, 0, all_255, all_128);
  }
}

TEST_P(ProductsTest, TiesAreRoundedAwayFromZero) {
  const IntegerProducts& level = kernels().integers;
  const uint8_t one = 1;
  std::vector<std::byte> stored(level.PaddedDepth(1) * level.left_size);
  level.store_left(1, 1, &one, stored.data());
  const void* left[] = {stored.data()};
  const std::vector<uint8_t> right = {0, 1, 2, 3, 4, 5, 6};
  std::vector<std::byte> packed(level.PackedSize(right.size(), 1, 1));
  const int32_t right_offset =
      level.pack(right.size(), 1, 1, right.data(), false, 3, packed.data());
  Parameters parameters(2 * level.panel);
  for (size_t c = 0; c < right.size(); ++c) parameters.Set(c, 0.5, 0);
  for (const bool is_fast : {false, true}) {
    std::vector<uint8_t> result(right.size());
    level.multiply({.rows = 1,
                    .columns = right.size(),
                    .depth = 1,
                    .left = left,
                    .packed = packed.data(),
                    .right_offset = right_offset,
                    .requantization = parameters.Get(is_fast, -128, 127, 128),
                    .result = result.data(),
                    .stride = right.size()});
    // -1.5, -1, -0.5, 0, 0.5, 1 and 1.5.
    EXPECT_EQ(result, (std::vector<uint8_t>{126, 127, 127, 128, 129, 129, 130}));
  }
}

struct DepthwiseSizes {
  size_t positions;
  size_t taps;
  size_t channels;
};

constexpr DepthwiseSizes kDepthwiseSizes[] = {{1, 1, 1},   {9, 9, 3},   {8, 4, 16},
                                              {17, 9, 33}, {5, 25, 71}, {3, 2, 128},
                                              {4, 0, 19},  {7, 9, 24},  {14, 2, 8}};

// Pixels, weights and what they come to, for T float or double.
template <class T>
struct DepthwiseCase {
  DepthwiseCase(const DepthwiseSizes& case_sizes, std::vector<T> all_numbers,
                std::vector<T> all_weights)
      : sizes(case_sizes), numbers(std::move(all_numbers)), filter(std::move(all_weights)) {
    // Taps one channel apart, positions two pixels apart: neither need be whole pixels.
    for (size_t tap = 0; tap < sizes.taps; ++tap) {
      pixels.push_back(numbers.data() + tap);
      weights.push_back(filter.data() + tap * sizes.channels);
    }
  }
  static size_t NumbersIn(const DepthwiseSizes& sizes) {
    return 2 * sizes.positions * sizes.channels + sizes.taps;
  }
  Depthwise<T> Get() const {
    return {sizes.positions, sizes.taps,         sizes.channels,
            pixels.data(),   2 * sizes.channels, weights.data()};
  }
  double Sum(size_t position, size_t channel) const {
    double sum = 0;
    for (size_t tap = 0; tap < sizes.taps; ++tap) {
      sum += static_cast<double>(pixels[tap][2 * position * sizes.channels + channel]) *
             static_cast<double>(weights[tap][channel]);
    }
    return sum;
  }

  DepthwiseSizes sizes;
  std::vector<T> numbers;
  std::vector<T> filter;
  std::vector<const T*> pixels;
  std::vector<const T*> weights;
};

template <class T>
void TestDepthwise(const Kernels& kernels, const DepthwiseSizes& sizes) {
  TestRandom random(sizes.channels);
  const DepthwiseCase<T> depthwise(sizes,
                                   RandomReals<T>(random, DepthwiseCase<T>::NumbersIn(sizes)),
                                   RandomReals<T>(random, sizes.taps * sizes.channels));
  const std::vector<T> bias = RandomReals<T>(random, sizes.channels);
  std::vector<T> result(sizes.positions * sizes.channels + 1, T{99});
  KernelsFor<T>(kernels).depthwise(depthwise.Get(), {bias.data(), T{-1}, T{2}, result.data()});
  for (size_t i = 0; i < sizes.positions * sizes.channels; ++i) {
    const double sum = depthwise.Sum(i / sizes.channels, i % sizes.channels) +
                       static_cast<double>(bias[i % sizes.channels]);
    ASSERT_NEAR(static_cast<double>(result[i]), std::clamp(sum, -1.0, 2.0),
                ToleranceOf<T>(sizes.taps + 1));
  }
  ASSERT_EQ(result.back(), 99);
}

TEST_P(ProductsTest, DepthwiseFiltersAreTheFormula) {
  for (const DepthwiseSizes& sizes : kDepthwiseSizes) {
    TestDepthwise<float>(kernels(), sizes);
    TestDepthwise<double>(kernels(), sizes);
  }
}

TEST_P(ProductsTest, IntegerDepthwiseFiltersAreExact) {
  TestRandom random(8);
  for (const DepthwiseSizes& sizes : kDepthwiseSizes) {
    const auto integers = [&](size_t count) {
      const std::vector<uint8_t> bytes = RandomBytes(random, count);
      std::vector<float> numbers(count);
      kernels().bytes_to_floats(count, bytes.data(), true, 3, numbers.data());
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(numbers[i], static_cast<float>(static_cast<int8_t>(bytes[i])) - 3);
      }
      kernels().bytes_to_floats(count, bytes.data(), false, 100, numbers.data());
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(numbers[i], static_cast<float>(bytes[i]) - 100);
      }
      return numbers;
    };
    const DepthwiseCase<float> depthwise(sizes, integers(DepthwiseCase<float>::NumbersIn(sizes)),
                                         integers(sizes.taps * sizes.channels));
    Parameters parameters(sizes.channels + kernels().integers.panel);
    for (size_t c = 0; c < sizes.channels; ++c) {
      // Powers of two among them, which give ties.
      parameters.Set(c, c % 2 == 0 ? 0x1p-9 : 1 / (300.0 + static_cast<double>(c)),
                     static_cast<double>(c) * 1000 - 500);
    }
    for (const bool is_fast : {false, true}) {
      const Requantization requantization = parameters.Get(is_fast, -90, 165, 90);
      std::vector<uint8_t> result(sizes.positions * sizes.channels + 1, 77);
      kernels().integer_depthwise(depthwise.Get(), {requantization, result.data()});
      for (size_t i = 0; i < sizes.positions * sizes.channels; ++i) {
        const size_t c = i % sizes.channels;
        const double real = (depthwise.Sum(i / sizes.channels, c) + parameters.offsets[c]) *
                            parameters.multipliers[c];
        ASSERT_EQ(result[i], Rounded(real, requantization));
      }
      ASSERT_EQ(result.back(), 77);
    }
  }
}

TEST_P(ProductsTest, OneMultiplierServesAllChannels) {
  TestRandom random(9);
  const IntegerProducts& level = kernels().integers;
  constexpr size_t kColumns = 75;
  const uint8_t one = 1;
  std::vector<std::byte> stored(level.PaddedDepth(1) * level.left_size);
  level.store_left(1, 1, &one, stored.data());
  const void* left[] = {stored.data()};
  const std::vector<uint8_t> right = RandomBytes(random, kColumns);
  std::vector<std::byte> packed(level.PackedSize(kColumns, 1, 1));
  const int32_t right_offset = level.pack(kColumns, 1, 1, right.data(), false, 100, packed.data());
  Parameters parameters(kColumns + level.panel);
  for (size_t c = 0; c < kColumns; ++c) {
    parameters.Set(c, 0.375, static_cast<double>(c % 10) * 20 - 90);
  }
  for (const bool is_fast : {false, true}) {
    Requantization requantization = parameters.Get(is_fast, -100, 155, 100);
    // No more of them than a panel.
    const std::vector<double> multipliers(level.panel, 0.375);
    const std::vector<float> float_multipliers(level.panel, 0.375F);
    requantization.multipliers = multipliers.data();
    requantization.float_multipliers = float_multipliers.data();
    requantization.multiplier_step = 0;
    std::vector<uint8_t> result(kColumns);
    level.multiply({.rows = 1,
                    .columns = kColumns,
                    .depth = 1,
                    .left = left,
                    .packed = packed.data(),
                    .right_offset = right_offset,
                    .requantization = requantization,
                    .result = result.data(),
                    .stride = kColumns});
    for (size_t c = 0; c < kColumns; ++c) {
      const double real = (right[c] - 100 + parameters.offsets[c]) * 0.375;
      ASSERT_EQ(result[c], Rounded(real, requantization)) << "column " << c;
    }
  }
}

NNCERT_TEST_EVERY_LEVEL(ProductsTest);

}  // namespace
}  // namespace nncert::hot
