// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Builds models, operand by operand.

#ifndef NNCERT_REFERENCE_MODEL_BUILDER_H_
#define NNCERT_REFERENCE_MODEL_BUILDER_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hal/float16.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// The type of an operand to be added to a model.
struct OperandSpec {
  hal::V1_2::OperandType type;
  std::vector<uint32_t> dimensions = {};
  float scale = 0;
  int32_t zeroPoint = 0;
  hal::V1_2::Operand::ExtraParams extraParams = {};
};

/// Numbers as the bytes of elements of `type`: rounded to the type, quantized types taking the
/// integers themselves.
std::vector<uint8_t> BytesOf(hal::V1_2::OperandType type, absl::Span<const double> values);

/// Elements of `type` as numbers: the inverse of BytesOf.
std::vector<double> NumbersOf(hal::V1_2::OperandType type, absl::Span<const uint8_t> bytes);

/// A model under construction. Each Add returns the new operand's index.
class ModelBuilder {
 public:
  /// Begins with nothing.
  ModelBuilder() = default;
  /// Begins with what a model has.
  explicit ModelBuilder(hal::V1_2::Model model) : model_(std::move(model)) {}

  /// A model input.
  uint32_t Input(OperandSpec spec);
  /// A model output.
  uint32_t Output(OperandSpec spec);
  /// An operand between two operations.
  uint32_t Temporary(OperandSpec spec);
  /// A constant in the model (CONSTANT_COPY), by numbers; see BytesOf.
  uint32_t Constant(OperandSpec spec, const std::vector<double>& values);
  /// The same by its bytes: for types that numbers do not say.
  uint32_t ConstantBytes(OperandSpec spec, const std::vector<uint8_t>& bytes);
  /// An INT32 scalar constant.
  uint32_t Int32(int32_t value) {
    return Constant({hal::V1_2::OperandType::INT32}, {static_cast<double>(value)});
  }
  /// A FLOAT32 scalar constant.
  uint32_t Float32(float value) { return Constant({hal::V1_2::OperandType::FLOAT32}, {value}); }
  /// A BOOL scalar constant.
  uint32_t Bool(bool value) {
    return Constant({hal::V1_2::OperandType::BOOL}, {value ? 1.0 : 0.0});
  }
  /// A TENSOR_INT32 constant of rank 1.
  uint32_t Int32Vector(const std::vector<int32_t>& values);
  /// An optional operand that is left out (NO_VALUE).
  uint32_t Omitted(OperandSpec spec);

  /// An operation; numberOfConsumers of its inputs is counted.
  ModelBuilder& Operation(hal::V1_2::OperationType type, std::vector<uint32_t> inputs,
                          std::vector<uint32_t> outputs);
  /// Says which prefix the operand and operation types of an extension have.
  ModelBuilder& Extension(std::string_view name, uint16_t prefix);
  /// The same with the prefix that the catalogue gives to an extension that it has.
  ModelBuilder& Extension(std::string_view name);
  /// Sets relaxComputationFloat32toFloat16.
  ModelBuilder& Relaxed(bool is_relaxed = true);

  /// The model so far.
  const hal::V1_2::Model& model() const { return model_; }
  /// The model, of which nothing is left here.
  hal::V1_2::Model TakeModel() { return std::exchange(model_, {}); }

 private:
  uint32_t Add(OperandSpec spec, hal::V1_2::OperandLifeTime lifetime);
  hal::V1_2::Model model_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_MODEL_BUILDER_H_
