// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A test case in C++: a model, what is fed to it, and what passes for its answer. The GoogleTest
// sources that nncert writes are made of this; a person can write one as well.

#ifndef NNCERT_HAL_REPLAY_CASE_H_
#define NNCERT_HAL_REPLAY_CASE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hal/float16.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal::replay {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What a model input is in a request.
struct Input {
  /// An omitted optional operand; the other fields are then empty.
  bool is_omitted = false;
  /// All of them known; empty for scalars.
  std::vector<uint32_t> dimensions;
  /// The elements, row-major, as the HAL lays them out.
  std::vector<uint8_t> bytes;
};

/// One element of a model output.
struct Element {
  /// What is expected, for messages.
  double expected = 0;
  /// The least and the greatest number that pass; NaN where no number does.
  double lowest = 0;
  double highest = 0;

  /// Whether a driver's element passes. A NaN does where one is expected.
  bool Accepts(double actual) const;
};

/// What is expected of a model output.
struct Output {
  /// All of them known; empty for scalars.
  std::vector<uint32_t> dimensions;
  /// Bytes of the value.
  size_t size = 0;
  /// Bytes of an element.
  size_t element_size = 1;
  /// Reads an element where it lies in memory. Null: neither elements nor dimensions are compared.
  double (*read)(const uint8_t* element) = nullptr;
  /// What passes, row-major.
  std::vector<Element> elements;
};

/// Rows of outputs that may come in any order, as those of detected boxes: a row is what all of
/// `outputs` have at one index.
struct UnorderedRows {
  /// Rows that may change places with each other: `count` from row `first`.
  struct Group {
    size_t first = 0;
    size_t count = 0;
  };

  /// Positions in Model::outputIndexes.
  std::vector<size_t> outputs;
  /// How many rows there are.
  size_t rows = 0;
  /// The rows of no group are not compared.
  std::vector<Group> groups;
};

/// One request and its answer.
struct Example {
  /// One for each of Model::inputIndexes.
  std::vector<Input> inputs;
  /// One for each of Model::outputIndexes.
  std::vector<Output> outputs;
  std::vector<UnorderedRows> unordered_rows;
};

/// A model with requests and answers.
struct Case {
  /// In 1.2 form whatever its version.
  V1_2::Model model;
  std::vector<Example> examples;
  /// The lowest version whose drivers can run the model.
  HalVersion lowest_version = HalVersion::V1_2;
  /// The driver must refuse the model, or fail every execution; no output is compared.
  bool must_fail = false;
};

/// Elements of BOOL and TENSOR_BOOL8: whatever is not 0 is true.
enum class Bool8 : uint8_t {};

/// An element as a number, where it lies in memory as `Stored`: float, Float16, Bool8, or an
/// integer of up to 32 bits.
template <typename Stored>
double ReadElement(const uint8_t* element) {
  Stored stored;
  std::memcpy(&stored, element, sizeof(stored));
  if constexpr (std::is_same_v<Stored, Float16>) {
    return Float16ToDouble(stored.bits);
  } else if constexpr (std::is_same_v<Stored, Bool8>) {
    return stored == Bool8{0} ? 0 : 1;
  } else {
    return static_cast<double>(stored);
  }
}

/// Numbers as they lie in memory as `Stored`, to which they are rounded.
template <typename Stored>
std::vector<uint8_t> Bytes(const std::vector<double>& numbers) {
  std::vector<uint8_t> bytes(numbers.size() * sizeof(Stored));
  for (size_t i = 0; i < numbers.size(); ++i) {
    Stored stored;
    if constexpr (std::is_same_v<Stored, Float16>) {
      stored.bits = DoubleToFloat16(numbers[i]);
    } else {
      stored = static_cast<Stored>(numbers[i]);
    }
    std::memcpy(bytes.data() + i * sizeof(stored), &stored, sizeof(stored));
  }
  return bytes;
}

/// Bytes by their hexadecimal digits, two each. Anything else ends the program.
std::vector<uint8_t> Hex(std::string_view digits);

/// Puts the value of a constant into what becomes Model::operandValues, or the content of a pool,
/// which must be large enough. Returns where it lies.
V1_2::DataLocation Put(const std::vector<uint8_t>& value, std::vector<uint8_t>& memory,
                       uint32_t offset, uint32_t pool = 0);

/// An operand without a location and extraParams, which no operation reads yet.
V1_2::Operand MakeOperand(V1_2::OperandType type, const std::vector<uint32_t>& dimensions,
                          V1_2::OperandLifeTime lifetime, float scale = 0, int32_t zero_point = 0);

/// Sets numberOfConsumers of all operands to how often operations read them.
void CountConsumers(V1_2::Model& model);

/// An input that is given.
Input Value(const std::vector<uint32_t>& dimensions, const std::vector<uint8_t>& bytes);

/// An input that is omitted.
Input Omitted();

/// An output of which elements are compared, one by one.
template <typename Stored>
Output Elements(const std::vector<uint32_t>& dimensions, const std::vector<Element>& elements) {
  return {dimensions, elements.size() * sizeof(Stored), sizeof(Stored), &ReadElement<Stored>,
          elements};
}

/// The same, where numbers are given by their bytes, as many of each.
template <typename Stored>
Output Elements(const std::vector<uint32_t>& dimensions, const std::vector<uint8_t>& expected,
                const std::vector<uint8_t>& lowest, const std::vector<uint8_t>& highest) {
  std::vector<Element> elements;
  for (size_t i = 0; i + sizeof(Stored) <= expected.size(); i += sizeof(Stored)) {
    elements.push_back({ReadElement<Stored>(&expected[i]), ReadElement<Stored>(&lowest[i]),
                        ReadElement<Stored>(&highest[i])});
  }
  return Elements<Stored>(dimensions, elements);
}

/// An output that passes with just these elements.
template <typename Stored>
Output Exactly(const std::vector<uint32_t>& dimensions, const std::vector<uint8_t>& expected) {
  return Elements<Stored>(dimensions, expected, expected, expected);
}

/// An output that is not compared; `size` are the bytes that it takes.
Output NotCompared(const std::vector<uint32_t>& dimensions, size_t size);

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_CASE_H_
