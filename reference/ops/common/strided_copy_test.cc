// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/strided_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// `count` elements of `size` bytes, all different from each other (and from 0) in some byte.
std::vector<std::byte> DifferentElements(size_t count, size_t size) {
  std::vector<std::byte> bytes(count * size);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(1 + i % 251 + (i / 251) % 4);
  }
  return bytes;
}

// Moves element by element, by the definition.
std::vector<std::byte> MovedOneByOne(const MoveDimensions& dimensions, size_t size, int64_t first,
                                     const std::vector<std::byte>& input, size_t output_count) {
  std::vector<std::byte> output(output_count * size);
  std::vector<uint64_t> index(dimensions.size(), 0);
  while (true) {
    int64_t from = first;
    int64_t to = 0;
    for (size_t d = 0; d < dimensions.size(); ++d) {
      from += static_cast<int64_t>(index[d]) * dimensions[d].from;
      to += static_cast<int64_t>(index[d]) * dimensions[d].to;
    }
    for (size_t byte = 0; byte < size; ++byte) {
      output.at(static_cast<size_t>(to) * size + byte) =
          input.at(static_cast<size_t>(from) * size + byte);
    }
    size_t d = dimensions.size();
    while (d > 0 && ++index[d - 1] == dimensions[d - 1].count) index[--d] = 0;
    if (d == 0) return output;
  }
}

// A copy within `input` elements to `output` elements.
struct Case {
  MoveDimensions dimensions;
  int64_t first = 0;
  size_t input;
  size_t output;
};

TEST(StridedCopyTest, MovesAsOneByOne) {
  const std::vector<Case> cases = {
      // One element; a run; what is two runs and is one; every other element; backwards.
      {.dimensions = {}, .input = 1, .output = 1},
      {.dimensions = {{7, 1, 1}}, .input = 7, .output = 7},
      {.dimensions = {{3, 5, 5}, {5, 1, 1}}, .input = 15, .output = 15},
      {.dimensions = {{4, 2, 1}}, .input = 8, .output = 4},
      {.dimensions = {{3, -4, 4}, {4, -1, 1}}, .first = 11, .input = 12, .output = 12},
      // Rows out of a matrix, and into one.
      {.dimensions = {{3, 8, 5}, {5, 1, 1}}, .first = 2, .input = 24, .output = 15},
      {.dimensions = {{3, 5, 8}, {5, 1, 1}}, .input = 15, .output = 24},
      // The same elements again and again.
      {.dimensions = {{3, 0, 4}, {4, 1, 1}}, .input = 4, .output = 12},
      {.dimensions = {{4, 1, 3}, {3, 0, 1}}, .input = 4, .output = 12},
      // Transposed: of less than a tile, of whole tiles, and of some and a bit.
      {.dimensions = {{3, 1, 5}, {5, 3, 1}}, .input = 15, .output = 15},
      {.dimensions = {{32, 1, 16}, {16, 32, 1}}, .input = 512, .output = 512},
      {.dimensions = {{37, 1, 21}, {21, 37, 1}}, .input = 777, .output = 777},
      // Transposed with dimensions between and around, some of them of one element.
      {.dimensions = {{2, 60, 60}, {3, 1, 20}, {1, 99, 7}, {5, 12, 4}, {4, 3, 1}},
       .input = 120,
       .output = 120},
      {.dimensions = {{19, 1, 34}, {2, 323, 17}, {17, 19, 1}}, .input = 646, .output = 646},
      // Five dimensions in any order.
      {.dimensions = {{2, 4, 90}, {3, 40, 30}, {5, 8, 6}, {2, 2, 3}, {1, 5, 3}},
       .input = 120,
       .output = 180},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    for (const size_t size : {1, 2, 3, 4, 8, 12, 16, 20}) {
      const Case& c = cases[i];
      const std::vector<std::byte> input = DifferentElements(c.input, size);
      std::vector<std::byte> output(c.output * size);
      CopyElements(c.dimensions, size, input.data() + c.first * static_cast<int64_t>(size),
                   output.data());
      EXPECT_EQ(output, MovedOneByOne(c.dimensions, size, c.first, input, c.output))
          << "case " << i << ", size " << size;
    }
  }
}

TEST(StridedCopyTest, MovesNothingWhenACountIsZero) {
  std::byte untouched{7};
  CopyElements({{0, 1, 1}}, 1, nullptr, &untouched);
  CopyElements({{3, 1, 1}, {0, 1, 1}, {2, 1, 1}}, 1, nullptr, &untouched);
  StridedCopy({{3, 1}, {0, 1}}, 100, 1, nullptr, &untouched);
  EXPECT_EQ(untouched, std::byte{7});
}

TEST(StridedCopyTest, FillsADenseOutput) {
  const std::vector<std::byte> input = DifferentElements(6, 1);
  std::vector<std::byte> output(4);
  // Columns 2 and 0 of two rows of three.
  StridedCopy({{2, 3}, {2, -2}}, 2, 1, input.data(), output.data());
  EXPECT_THAT(output, ElementsAre(input[2], input[0], input[5], input[3]));
}

TEST(StridedCopyTest, AStrideThatLeadsNowhereMayBeAnyNumber) {
  const std::vector<std::byte> input = DifferentElements(2, 16);
  std::vector<std::byte> output(32);
  StridedCopy({{1, int64_t{1} << 62}, {2, 1}, {1, -(int64_t{1} << 62)}}, 0, 16, input.data(),
              output.data());
  EXPECT_EQ(output, input);
}

TEST(StridedCopyTest, JoinsWhatLiesSideBySide) {
  const RunCopy whole = ToRunCopy({{2, 12, 12}, {1, 0, 0}, {3, 4, 4}, {4, 1, 1}}, 2);
  EXPECT_EQ(whole.run, 48u);
  EXPECT_THAT(whole.dimensions, IsEmpty());
  // Rows of a matrix of six columns: the rows of both planes are one dimension.
  const RunCopy rows = ToRunCopy({{2, 18, 12}, {3, 6, 4}, {4, 1, 1}}, 2);
  EXPECT_EQ(rows.run, 8u);
  ASSERT_EQ(rows.dimensions.size(), 1u);
  EXPECT_EQ(rows.dimensions[0].count, 6u);
  EXPECT_EQ(rows.dimensions[0].from, 12);
  EXPECT_EQ(rows.dimensions[0].to, 8);
}

TEST(ElementFillTest, RepeatsTheElement) {
  for (const size_t size : {1, 2, 4, 8, 16}) {
    const std::vector<std::byte> element = DifferentElements(1, size);
    for (const size_t count : {0, 1, 2, 3, 7, 100}) {
      std::vector<std::byte> expected;
      for (size_t i = 0; i < count; ++i) {
        expected.insert(expected.end(), element.begin(), element.end());
      }
      expected.push_back(std::byte{255});
      std::vector<std::byte> filled(count * size + 1, std::byte{255});
      ElementFill(element.data(), size).Fill(count, filled.data());
      EXPECT_EQ(filled, expected);
    }
  }
}

TEST(ElementFillTest, AllBytesMayBeTheSame) {
  const std::vector<std::byte> element(4, std::byte{9});
  std::vector<std::byte> filled(12);
  ElementFill(element.data(), 4).Fill(3, filled.data());
  EXPECT_EQ(filled, std::vector<std::byte>(12, std::byte{9}));
}

}  // namespace
}  // namespace nncert
