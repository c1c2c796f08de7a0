// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What goes element by element, at every level that this machine has, against the formula.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "hal/float16.h"
#include "reference/fast/hot/testing/level_test.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert::hot {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

class FunctionsTest : public LevelTest {};

// The distance of `actual` from `exact`, in units in the last place of a float of its size.
double UlpsBetween(float actual, double exact) {
  const double magnitude = std::max(std::abs(exact), 0x1p-126);
  const double unit = std::ldexp(1.0, std::ilogb(magnitude) - 23);
  return std::abs(static_cast<double>(actual) - exact) / unit;
}

// Every 9,973rd float there is, from one infinity to the other: some 400,000.
std::vector<float> FloatsEverywhere() {
  std::vector<float> floats;
  for (uint64_t bits = 0; bits <= 0xFFFF'FFFF; bits += 9973) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (std::isfinite(x)) floats.push_back(x);
  }
  // An odd number of them, so that not all are in whole vectors.
  if (floats.size() % 2 == 0) floats.push_back(0.5F);
  return floats;
}

template <class F>
void TestFunction(void (*function)(size_t, const float*, float*), double ulps, F exact) {
  const std::vector<float> x = FloatsEverywhere();
  std::vector<float> result(x.size());
  function(x.size(), x.data(), result.data());
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected = exact(static_cast<double>(x[i]));
    if (expected > std::numeric_limits<float>::max()) {
      ASSERT_EQ(result[i], kInfinity) << "of " << x[i];
    } else {
      ASSERT_LE(UlpsBetween(result[i], expected), ulps) << "of " << x[i];
    }
  }
  const std::vector<float> specials = {kInfinity, -kInfinity, kNan, 0.F, -0.F};
  std::vector<float> of_specials(specials.size());
  function(specials.size(), specials.data(), of_specials.data());
  EXPECT_EQ(static_cast<double>(of_specials[0]), exact(static_cast<double>(kInfinity)));
  EXPECT_EQ(static_cast<double>(of_specials[1]), exact(-static_cast<double>(kInfinity)));
  EXPECT_TRUE(std::isnan(of_specials[2]));
  EXPECT_EQ(static_cast<double>(of_specials[3]), exact(0));
  EXPECT_EQ(static_cast<double>(of_specials[4]), exact(0));
}

TEST_P(FunctionsTest, ExpIsWithinTwoUlps) {
  TestFunction(kernels().exp, 2, [](double x) { return std::exp(x); });
}

TEST_P(FunctionsTest, TanhIsWithinThreeUlps) {
  TestFunction(kernels().tanh, 3, [](double x) { return std::tanh(x); });
}

TEST_P(FunctionsTest, LogisticIsWithinThreeUlps) {
  TestFunction(kernels().logistic, 3, [](double x) { return 1 / (1 + std::exp(-x)); });
}

TEST_P(FunctionsTest, FunctionsMayBeComputedInPlace) {
  std::vector<float> x(37);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) / 8 - 2;
  std::vector<float> expected(x.size());
  kernels().exp(x.size(), x.data(), expected.data());
  kernels().exp(x.size(), x.data(), x.data());
  EXPECT_EQ(x, expected);
}

TEST_P(FunctionsTest, SoftmaxIsTheFormula) {
  TestRandom random(1);
  for (const size_t count : {1, 5, 16, 33, 1001}) {
    for (const float beta : {0.5F, 1.F, 3.F}) {
      std::vector<float> x(count);
      for (float& number : x) number = static_cast<float>(random.Uniform(-9, 9));
      std::vector<float> result(count + 1, 99.F);
      kernels().floats.softmax(count, beta, x.data(), result.data());
      const double greatest = *std::max_element(x.begin(), x.end());
      double sum = 0;
      for (const float number : x) sum += std::exp((number - greatest) * beta);
      for (size_t i = 0; i < count; ++i) {
        const double expected = std::exp((x[i] - greatest) * beta) / sum;
        // The argument of exp is rounded twice, the quotient and the sum lose a few more.
        const double ulps = 8 + 2 * std::abs((x[i] - greatest) * beta);
        ASSERT_LE(UlpsBetween(result[i], expected), ulps);
      }
      ASSERT_EQ(result[count], 99.F);
    }
  }
}

TEST_P(FunctionsTest, SoftmaxOfDoublesIsTheFormula) {
  TestRandom random(2);
  for (const size_t count : {1, 5, 16, 33, 1001}) {
    // The last ones make exponentials that are subnormal, or zero.
    for (const double beta : {0.5, 1.0, 3.0, 42.0}) {
      std::vector<double> x(count);
      for (double& number : x) number = random.Uniform(-9, 9);
      std::vector<double> result(count + 1, 99.0);
      kernels().doubles.softmax(count, beta, x.data(), result.data());
      const double greatest = *std::max_element(x.begin(), x.end());
      long double sum = 0;
      for (const double number : x) sum += std::exp((0.0L + number - greatest) * beta);
      for (size_t i = 0; i < count; ++i) {
        const long double argument = (0.0L + x[i] - greatest) * beta;
        const long double expected = std::exp(argument) / sum;
        const long double ulps = 8 - 2 * argument;
        ASSERT_LE(std::abs(result[i] - expected), ulps * 0x1p-53L * expected + 0x1p-1073L)
            << argument;
      }
      ASSERT_EQ(result[count], 99.0);
    }
  }
}

TEST_P(FunctionsTest, SoftmaxOfSpecialDoubles) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::vector<double> result(40);
  const std::vector<double> with_minus_infinity = {1, -kInfinite, 1};
  kernels().doubles.softmax(3, 1, with_minus_infinity.data(), result.data());
  EXPECT_EQ(result[0], 0.5);
  EXPECT_EQ(result[1], 0);
  for (const double special : {std::numeric_limits<double>::quiet_NaN(), kInfinite}) {
    std::vector<double> x(40, 0.0);
    x[3] = special;
    kernels().doubles.softmax(40, 1, x.data(), result.data());
    EXPECT_TRUE(std::isnan(result[3]));
  }
}

TEST_P(FunctionsTest, SoftmaxOfSpecials) {
  std::vector<float> result(3);
  const std::vector<float> with_minus_infinity = {1, -kInfinity, 1};
  kernels().floats.softmax(3, 1, with_minus_infinity.data(), result.data());
  EXPECT_EQ(result, (std::vector<float>{0.5, 0, 0.5}));
  for (const float special : {kNan, kInfinity}) {
    const std::vector<float> x = {1, special, 2};
    kernels().floats.softmax(3, 1, x.data(), result.data());
    EXPECT_TRUE(std::isnan(result[1]));
  }
  std::vector<float> x(40, 0.F);
  x[3] = kNan;
  std::vector<float> all(40);
  kernels().floats.softmax(40, 1, x.data(), all.data());
  for (const float number : all) EXPECT_TRUE(std::isnan(number));
}

double Exact(BinaryOperation operation, double x, double y) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return x + y;
    case BinaryOperation::kSubtract:
      return x - y;
    case BinaryOperation::kMultiply:
      return x * y;
    case BinaryOperation::kDivide:
      return x / y;
  }
  return 0;
}

TEST_P(FunctionsTest, RealBinaryRoundsOnce) {
  TestRandom random(2);
  for (const BinaryOperation operation : {BinaryOperation::kAdd, BinaryOperation::kSubtract,
                                          BinaryOperation::kMultiply, BinaryOperation::kDivide}) {
    for (const size_t count : {0, 1, 16, 35}) {
      for (const size_t steps : {0, 1, 2, 3}) {
        const size_t a_step = steps % 2;
        const size_t b_step = steps / 2;
        std::vector<float> a(count + 1);
        std::vector<float> b(count + 1);
        for (float& x : a) x = static_cast<float>(random.Uniform(-2, 2));
        for (float& x : b) x = static_cast<float>(random.Uniform(0.5, 2));
        std::vector<float> result(count + 1, 99.F);
        kernels().floats.binary({.operation = operation,
                                 .count = count,
                                 .a = a.data(),
                                 .a_step = a_step,
                                 .b = b.data(),
                                 .b_step = b_step,
                                 .lowest = -1,
                                 .highest = kInfinity,
                                 .result = result.data()});
        for (size_t i = 0; i < count; ++i) {
          const double exact = Exact(operation, a[i * a_step], b[i * b_step]);
          ASSERT_EQ(result[i], std::max(static_cast<float>(exact), -1.F));
        }
        ASSERT_EQ(result[count], 99.F);
      }
    }
  }
}

TEST_P(FunctionsTest, BinaryOfDoublesRoundsOnce) {
  TestRandom random(4);
  for (const BinaryOperation operation : {BinaryOperation::kAdd, BinaryOperation::kSubtract,
                                          BinaryOperation::kMultiply, BinaryOperation::kDivide}) {
    for (const size_t count : {1, 9, 100}) {
      std::vector<double> a(count);
      std::vector<double> b(count);
      for (double& x : a) x = random.WithExponent(-9, 9);
      for (double& x : b) x = random.WithExponent(-9, 9);
      for (const size_t a_step : {0, 1}) {
        std::vector<double> result(count + 1, 99.0);
        kernels().doubles.binary({.operation = operation,
                                  .count = count,
                                  .a = a.data(),
                                  .a_step = a_step,
                                  .b = b.data(),
                                  .lowest = -1,
                                  .highest = 6,
                                  .result = result.data()});
        for (size_t i = 0; i < count; ++i) {
          ASSERT_EQ(result[i], std::clamp(Exact(operation, a[i * a_step], b[i]), -1.0, 6.0));
        }
        ASSERT_EQ(result[count], 99.0);
      }
    }
  }
}

TEST_P(FunctionsTest, RealBinaryKeepsNans) {
  const std::vector<float> a(20, kNan);
  const float one = 1;
  std::vector<float> result(20);
  kernels().floats.binary({.operation = BinaryOperation::kAdd,
                           .count = 20,
                           .a = a.data(),
                           .b = &one,
                           .b_step = 0,
                           .lowest = 0,
                           .highest = 6,
                           .result = result.data()});
  for (const float x : result) EXPECT_TRUE(std::isnan(x));
}

// All pairs of bytes: exact, ties included.
void TestIntegerBinary(const Kernels& kernels, const IntegerBinary& parameters) {
  for (int other = 0; other < 256; ++other) {
    std::vector<uint8_t> bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<uint8_t>(i));
    bytes.push_back(3);  // no whole number of vectors
    const std::vector<uint8_t> others(bytes.size(), static_cast<uint8_t>(other));
    for (const size_t b_step : {0, 1}) {
      std::vector<uint8_t> result(bytes.size() + 1, 77);
      IntegerBinary binary = parameters;
      binary.count = bytes.size();
      binary.a = bytes.data();
      binary.b = others.data();
      binary.b_step = b_step;
      binary.result = result.data();
      kernels.integer_binary(binary);
      for (size_t i = 0; i < bytes.size(); ++i) {
        const double a = bytes[i] - binary.a_zero_point;
        const double b = other - binary.b_zero_point;
        const double real = binary.is_product ? a * b * binary.a_multiplier
                                              : a * binary.a_multiplier + b * binary.b_multiplier;
        const double steps = std::round(
            std::clamp(real, binary.requantization.lowest, binary.requantization.highest));
        ASSERT_EQ(result[i], steps + binary.requantization.zero_point)
            << int{bytes[i]} << " and " << other;
      }
      ASSERT_EQ(result.back(), 77);
    }
  }
}

TEST_P(FunctionsTest, IntegerBinaryIsExact) {
  Requantization limits;
  limits.lowest = -30;
  limits.highest = 200;
  limits.zero_point = 40;
  // Multiples of a power of two give ties, and are exact; the others do not come near one.
  for (const double multiplier : {0.5, 0.25, 1.0, 0.7 + 0x1p-30, 0.013 + 0x1p-31}) {
    for (const double other : {-0.5, 0.75, 0.31 + 0x1p-34, 100.0}) {
      IntegerBinary sum;
      sum.a_zero_point = 100;
      sum.a_multiplier = multiplier;
      sum.b_zero_point = 7;
      sum.b_multiplier = other;
      sum.requantization = limits;
      TestIntegerBinary(kernels(), sum);
    }
    IntegerBinary product;
    product.is_product = true;
    product.a_zero_point = 128;
    product.b_zero_point = 255;
    product.a_multiplier = multiplier / 32;
    product.requantization = limits;
    TestIntegerBinary(kernels(), product);
  }
}

TEST_P(FunctionsTest, PoolsAreTheFormula) {
  TestRandom random(3);
  for (const size_t channels : {1, 16, 37}) {
    for (const size_t taps : {1, 4, 9}) {
      std::vector<float> numbers(channels * taps);
      for (float& number : numbers) number = static_cast<float>(random.Uniform(-1, 1));
      std::vector<const float*> pixels;
      for (size_t tap = 0; tap < taps; ++tap) pixels.push_back(numbers.data() + tap * channels);
      std::vector<float> result(channels + 1, 99.F);
      Pool pool = {taps, channels, pixels.data(), 0.25F, -0.5F, 0.75F, result.data()};
      kernels().average_pool(pool);
      for (size_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (const float* pixel : pixels) sum += static_cast<double>(pixel[c]);
        ASSERT_NEAR(static_cast<double>(result[c]), std::clamp(sum / 4, -0.5, 0.75), 1e-6);
      }
      kernels().max_pool(pool);
      for (size_t c = 0; c < channels; ++c) {
        float greatest = pixels[0][c];
        for (const float* pixel : pixels) greatest = std::max(greatest, pixel[c]);
        ASSERT_EQ(result[c], std::clamp(greatest, -0.5F, 0.75F));
      }
      ASSERT_EQ(result[channels], 99.F);
    }
  }
}

TEST_P(FunctionsTest, PoolsOfBytesAreExact) {
  TestRandom random(4);
  for (const size_t channels : {1, 16, 37}) {
    for (const size_t taps : {1, 4, 9}) {
      std::vector<uint8_t> bytes(channels * taps);
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Uniform(0, 256));
      std::vector<const uint8_t*> pixels;
      for (size_t tap = 0; tap < taps; ++tap) pixels.push_back(bytes.data() + tap * channels);
      std::vector<int32_t> sums(channels + 1, 99);
      std::vector<int32_t> greatest(channels + 1, 99);
      kernels().sum_bytes(taps, channels, pixels.data(), sums.data());
      kernels().max_bytes(taps, channels, pixels.data(), greatest.data());
      for (size_t c = 0; c < channels; ++c) {
        int32_t sum = 0;
        int32_t max = 0;
        for (const uint8_t* pixel : pixels) {
          sum += pixel[c];
          max = std::max<int32_t>(max, pixel[c]);
        }
        ASSERT_EQ(sums[c], sum);
        ASSERT_EQ(greatest[c], max);
      }
      ASSERT_EQ(sums[channels], 99);
      ASSERT_EQ(greatest[channels], 99);
    }
  }
}

TEST_P(FunctionsTest, ANanInAPoolWins) {
  for (const size_t where : {0, 1, 2}) {
    std::vector<std::vector<float>> numbers(3, std::vector<float>(20, 1.F));
    numbers[where].assign(20, kNan);
    const float* pixels[] = {numbers[0].data(), numbers[1].data(), numbers[2].data()};
    std::vector<float> result(20);
    kernels().max_pool({3, 20, pixels, 1.F, 0.F, 6.F, result.data()});
    for (const float x : result) EXPECT_TRUE(std::isnan(x));
  }
}

TEST_P(FunctionsTest, HalvesAreConvertedExactly) {
  if (kernels().halves_to_floats == nullptr) {
    GTEST_SKIP() << std::string(GetParam().name) << " has no instructions for halves";
  }
  std::vector<uint16_t> halves(0x10000 - 1);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
  std::vector<float> floats(halves.size());
  kernels().halves_to_floats(halves.size(), halves.data(), floats.data());
  for (size_t i = 0; i < halves.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(floats[i]),
              std::bit_cast<uint32_t>(hal::Float16ToFloat(halves[i])))
        << "half " << i;
  }
  std::vector<float> everywhere = FloatsEverywhere();
  everywhere.insert(everywhere.end(), {kInfinity, -kInfinity, kNan, -kNan});
  std::vector<uint16_t> narrow(everywhere.size());
  kernels().floats_to_halves(everywhere.size(), everywhere.data(), narrow.data());
  for (size_t i = 0; i < everywhere.size(); ++i) {
    ASSERT_EQ(narrow[i], hal::FloatToFloat16(everywhere[i])) << everywhere[i];
  }
}

NNCERT_TEST_EVERY_LEVEL(FunctionsTest);

}  // namespace
}  // namespace nncert::hot
