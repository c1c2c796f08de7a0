// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Tensors of a TensorFlow Lite file as operands of the HAL: types, quantization and elements.
//
// HAL 1.2 has no signed 8-bit tensors with a zero point. Such tensors become unsigned ones: 128 is
// added to every element and to the zero point, and the real numbers stay what they are.

#ifndef NNCERT_MLTS_TFLITE_TENSOR_VALUES_H_
#define NNCERT_MLTS_TFLITE_TENSOR_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/tflite/tflite_file.h"
#include "reference/model_builder.h"

namespace nncert {

/// "INT8", or "type 99" where schema.fbs has no name.
std::string NameOf(tflite::TensorType type);

/// The dimensions of a tensor, all of them above 0; none when the file leaves them out. A scalar
/// has the dimensions [1], for the HAL has no tensors of rank 0. InvalidArgument for dimensions of
/// no size, and for more elements than the reference takes.
absl::StatusOr<std::vector<uint32_t>> DimensionsOf(const TfliteTensor& tensor);

/// The operand that a tensor becomes: its type, dimensions and quantization. InvalidArgument, with
/// what stands in the way, when the HAL has no such tensors. A tensor of INT64 is taken for one of
/// INT32 if it is a constant.
absl::StatusOr<OperandSpec> SpecOf(const TfliteTensor& tensor);

/// The elements of a constant as the operand of SpecOf keeps them. InvalidArgument when there are
/// not as many as the dimensions say, when they are not in the file, or do not fit the type.
absl::StatusOr<std::vector<uint8_t>> ElementsOf(const TfliteTensor& tensor);

/// The real numbers that the elements of a constant stand for: of floats, halves and quantized
/// tensors, also those with a scale for each index of a dimension. Fails as ElementsOf.
absl::StatusOr<std::vector<float>> RealNumbersOf(const TfliteTensor& tensor);

/// The integers of a constant of INT32 or INT64 that all fit into 32 bits. Fails as ElementsOf.
absl::StatusOr<std::vector<int32_t>> IntegersOf(const TfliteTensor& tensor);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_TENSOR_VALUES_H_
