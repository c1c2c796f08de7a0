// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/answer_check.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "hal/replay/matching.h"

namespace nncert::hal::replay {
namespace {

using Answer = absl::Span<const absl::Span<const uint8_t>>;

double ElementOf(const Output& output, absl::Span<const uint8_t> bytes, size_t index) {
  return output.read(bytes.data() + index * output.element_size);
}

// The indexes of an element of a row-major tensor, "[0, 3, 1]".
std::string PlaceOf(const std::vector<uint32_t>& dimensions, size_t index) {
  std::vector<size_t> indexes(dimensions.size());
  for (size_t i = dimensions.size(); i > 0; --i) {
    indexes[i - 1] = index % dimensions[i - 1];
    index /= dimensions[i - 1];
  }
  return absl::StrCat("[", absl::StrJoin(indexes, ", "), "]");
}

absl::Status CheckElements(size_t position, const Output& output, absl::Span<const uint8_t> bytes) {
  size_t failures = 0;
  std::string first;
  for (size_t i = 0; i < output.elements.size(); ++i) {
    const Element& element = output.elements[i];
    const double actual = ElementOf(output, bytes, i);
    if (element.Accepts(actual) || failures++ > 0) continue;
    first = absl::StrFormat(
        "output %d element %s (flat %d): expected %.9g, actual %.9g, which is "
        "outside of [%.9g, %.9g]",
        position, PlaceOf(output.dimensions, i), i, element.expected, actual, element.lowest,
        element.highest);
  }
  if (failures == 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat(first, "; ", failures, " of ", output.elements.size(), " elements differ"));
}

absl::Status CheckRows(const UnorderedRows& unordered, const Example& example, Answer answer) {
  const auto passes = [&](size_t expected_row, size_t actual_row) {
    for (const size_t position : unordered.outputs) {
      const Output& output = example.outputs[position];
      const size_t row_size = output.elements.size() / unordered.rows;
      for (size_t i = 0; i < row_size; ++i) {
        if (!output.elements[expected_row * row_size + i].Accepts(
                ElementOf(output, answer[position], actual_row * row_size + i))) {
          return false;
        }
      }
    }
    return true;
  };
  for (const UnorderedRows::Group& group : unordered.groups) {
    const std::vector<size_t> matched = GreatestMatching(
        group.count, group.count,
        [&](size_t left, size_t right) { return passes(group.first + left, group.first + right); });
    for (size_t i = 0; i < group.count; ++i) {
      if (matched[i] != kNoMatch) continue;
      return absl::InternalError(
          absl::StrFormat("outputs %s: there is no row for the expected row %d among rows %d to %d",
                          absl::StrJoin(unordered.outputs, ", "), group.first + i, group.first,
                          group.first + group.count - 1));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckAnswer(const Example& example, Answer answer) {
  std::vector<bool> is_unordered(example.outputs.size());
  for (const UnorderedRows& unordered : example.unordered_rows) {
    for (const size_t position : unordered.outputs) is_unordered[position] = true;
    if (absl::Status status = CheckRows(unordered, example, answer); !status.ok()) return status;
  }
  for (size_t i = 0; i < example.outputs.size(); ++i) {
    if (is_unordered[i]) continue;
    if (absl::Status status = CheckElements(i, example.outputs[i], answer[i]); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace nncert::hal::replay
