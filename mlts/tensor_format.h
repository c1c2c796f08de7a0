// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the bytes of a network's inputs and outputs stand for.

#ifndef NNCERT_MLTS_TENSOR_FORMAT_H_
#define NNCERT_MLTS_TENSOR_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "mlts/network.h"

namespace nncert {

/// An input or an output of a network: its elements, and the quantization that makes real numbers
/// of them.
struct TensorFormat {
  hal::V1_2::OperandType type = hal::V1_2::OperandType::TENSOR_FLOAT32;
  /// Empty for scalars; 0 where one is not known.
  std::vector<uint32_t> dimensions = {};
  /// The real value of one step; of no meaning for types that are not quantized.
  float scale = 0;
  int32_t zeroPoint = 0;

  bool operator==(const TensorFormat&) const = default;
};

/// The inputs that a network's users give it: those of the model, in their order, without states.
/// InvalidArgument when the network's indexes are outside of its model, or for a type whose
/// elements are opaque (OEM's and extensions').
absl::StatusOr<std::vector<TensorFormat>> InputFormatsOf(const Network& network);

/// The outputs that a network has for its users: those of the model, in their order, without states
/// and unused ones. Fails as InputFormatsOf does.
absl::StatusOr<std::vector<TensorFormat>> OutputFormatsOf(const Network& network);

/// The bytes of a whole tensor; nothing when a dimension is not known or they are 2^32 or more.
std::optional<uint32_t> ByteSizeOf(const TensorFormat& format);

/// Elements as they are stored: integers for quantized types. InvalidArgument when `bytes` are not
/// a whole number of elements.
absl::StatusOr<std::vector<double>> StoredElements(const TensorFormat& format,
                                                   absl::Span<const uint8_t> bytes);

/// The real number that a stored element stands for: (stored - zeroPoint) * scale if quantized.
double RealValue(const TensorFormat& format, double stored);

/// Stores real numbers as elements, each rounded to the nearest number of the type (ties to even in
/// floating point, away from zero in steps); what is beyond the range of integers becomes the
/// outermost of them. For TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_INT32 and the quantized types with
/// one scale; InvalidArgument for other types, a scale that is not above 0, or a NaN where the type
/// has none.
absl::StatusOr<std::vector<uint8_t>> BytesOf(const TensorFormat& format,
                                             absl::Span<const float> values);

}  // namespace nncert

#endif  // NNCERT_MLTS_TENSOR_FORMAT_H_
