// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/element_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reference/storage.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

template <class Number>
std::string Shortest(Number value) {
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), error == std::errc() ? end : text.data());
}

}  // namespace

std::vector<double> DecodeElements(OperandType type, absl::Span<const uint8_t> elements) {
  const size_t count = elements.size() / NativeElementSize(ElementKindOf(type));
  std::vector<double> numbers(count);
  ImportElements(NumberSystem::kDouble, type, reinterpret_cast<const std::byte*>(elements.data()),
                 count, reinterpret_cast<std::byte*>(numbers.data()));
  return numbers;
}

std::string FormatElement(OperandType type, double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  if (!IsFloatingPoint(type)) return Shortest(value);
  const float narrow = static_cast<float>(value);
  return static_cast<double>(narrow) == value ? Shortest(narrow) : Shortest(value);
}

std::string MultiIndex(const std::vector<uint32_t>& dimensions, uint64_t index) {
  std::vector<uint64_t> indexes(dimensions.size());
  for (size_t i = dimensions.size(); i > 0; --i) {
    const uint64_t dimension = std::max<uint64_t>(dimensions[i - 1], 1);
    indexes[i - 1] = index % dimension;
    index /= dimension;
  }
  return absl::StrCat("[", absl::StrJoin(indexes, ", "), "]");
}

}  // namespace nncert
