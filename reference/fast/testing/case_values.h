// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operands and values of fast cases.

#ifndef NNCERT_REFERENCE_FAST_TESTING_CASE_VALUES_H_
#define NNCERT_REFERENCE_FAST_TESTING_CASE_VALUES_H_

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/tensor.h"

namespace nncert {

/// The types that most operations have.
inline constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
inline constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
inline constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
inline constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
inline constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

/// A tensor of `type`, with a scale and a zero point if that is quantized.
inline OperandSpec TensorOf(OperandType type, std::vector<uint32_t> dimensions, float scale = 0.03F,
                            int32_t zeroPoint = 120) {
  const bool is_quantized = type == kQuant8;
  return {type, std::move(dimensions), is_quantized ? scale : 0, is_quantized ? zeroPoint : 0};
}

/// Elements for a tensor: any integers of a quantized one, else numbers in [-1, 1) of `type`. No
/// two neighbours are the same, so that none can be taken for another.
inline std::vector<double> ValuesFor(const OperandSpec& spec, uint64_t seed) {
  TestRandom random(seed);
  std::vector<double> values(NumberOfElements(spec.dimensions));
  for (double& value : values) {
    switch (spec.type) {
      case kQuant8:
        value = std::floor(random.Uniform(0, 256));
        break;
      case kPerChannel:
        value = std::floor(random.Uniform(-127, 128));
        break;
      case kInt32:
        value = std::floor(random.Uniform(-9000, 9000));
        break;
      case kFloat16:
        value = std::floor(random.Uniform(-1024, 1024)) / 1024;
        break;
      default:
        value = static_cast<double>(static_cast<float>(random.Uniform(-1, 1)));
    }
  }
  return values;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_TESTING_CASE_VALUES_H_
