// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "drivers/faulty/faulty_driver.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

template <typename Element, typename Change>
void ForEachElement(absl::Span<uint8_t> elements, Change change) {
  for (size_t i = 0; i + sizeof(Element) <= elements.size(); i += sizeof(Element)) {
    Element element;
    std::memcpy(&element, elements.data() + i, sizeof(element));
    element = change(element);
    std::memcpy(elements.data() + i, &element, sizeof(element));
  }
}

template <typename Integer>
Integer TwoStepsTowardsTheMiddle(Integer value) {
  constexpr int kMiddle =
      (std::numeric_limits<Integer>::min() + std::numeric_limits<Integer>::max() + 1) / 2;
  return static_cast<Integer>(value < kMiddle ? value + 2 : value - 2);
}

}  // namespace

void MakeAllNan(FinishedOutput output) {
  switch (output.type) {
    case OperandType::FLOAT32:
    case OperandType::TENSOR_FLOAT32:
      ForEachElement<float>(output.elements,
                            [](float) { return std::numeric_limits<float>::quiet_NaN(); });
      break;
    case OperandType::FLOAT16:
    case OperandType::TENSOR_FLOAT16:
      // A half with all exponent bits and the first bit of the fraction set.
      ForEachElement<uint16_t>(output.elements, [](uint16_t) { return uint16_t{0x7E00}; });
      break;
    default:
      break;
  }
}

void MoveByTwoSteps(FinishedOutput output) {
  switch (output.type) {
    case OperandType::TENSOR_QUANT8_ASYMM:
      ForEachElement<uint8_t>(output.elements, TwoStepsTowardsTheMiddle<uint8_t>);
      break;
    case OperandType::TENSOR_QUANT8_SYMM:
    case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
      ForEachElement<int8_t>(output.elements, TwoStepsTowardsTheMiddle<int8_t>);
      break;
    case OperandType::TENSOR_QUANT16_ASYMM:
      ForEachElement<uint16_t>(output.elements, TwoStepsTowardsTheMiddle<uint16_t>);
      break;
    case OperandType::TENSOR_QUANT16_SYMM:
      ForEachElement<int16_t>(output.elements, TwoStepsTowardsTheMiddle<int16_t>);
      break;
    default:
      break;
  }
}

void ReportWrongShape(FinishedOutput output) {
  if (output.shape.dimensions.empty()) {
    output.shape.dimensions.push_back(1);
  } else {
    ++output.shape.dimensions.front();
  }
}

}  // namespace nncert
