// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which operators of TensorFlow Lite can be made of operations of HAL 1.2, and how.

#ifndef NNCERT_MLTS_TFLITE_OPERATOR_MAPPINGS_H_
#define NNCERT_MLTS_TFLITE_OPERATOR_MAPPINGS_H_

#include "absl/types/span.h"
#include "mlts/tflite/operator_mapper.h"
#include "mlts/tflite/schema_generated.h"

namespace nncert {

/// How an operator is mapped: its outputs are delivered, or it is refused. Whatever the file says,
/// this returns.
using MappingFunction = void (*)(OperatorMapper&);

/// An operator that can be mapped.
struct OperatorMapping {
  tflite::BuiltinOperator code;
  MappingFunction map;
};

/// Convolutions, pooling and FULLY_CONNECTED.
absl::Span<const OperatorMapping> LayerMappings();
/// Functions of each element, of pairs of them and of slices.
absl::Span<const OperatorMapping> ElementwiseMappings();
/// What moves elements, and reductions.
absl::Span<const OperatorMapping> RearrangingMappings();
/// Operators with states, and lookups.
absl::Span<const OperatorMapping> RecurrentMappings();

/// The mapping of an operator, or null when there is none.
MappingFunction FindMapping(tflite::BuiltinOperator code);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_OPERATOR_MAPPINGS_H_
