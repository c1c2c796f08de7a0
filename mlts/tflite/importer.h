// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Networks from TensorFlow Lite files.

#ifndef NNCERT_MLTS_TFLITE_IMPORTER_H_
#define NNCERT_MLTS_TFLITE_IMPORTER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mlts/network.h"

namespace nncert {

/// Makes a network of the main subgraph of a TensorFlow Lite file (schema version 3): a valid model
/// of HAL 1.2 that gives what the file's operators give. Operations are those of HAL 1.0 where
/// these do.
///
/// - Dimensions that the file leaves out are what the operations make of their inputs.
/// - Tensors of INT8 become unsigned: 128 is added to elements and zero points. Weights with a
///   scale for each channel are TENSOR_QUANT8_SYMM_PER_CHANNEL.
/// - Weights that are quantized or halves beside floats are computed in floats here.
/// - An operation whose output must have a quantization that the file's tensor has not, or that
///   takes no quantized tensors, stands between DEQUANTIZE and QUANTIZE.
/// - States of LSTM, RNN and SVDF are inputs and outputs of the model behind those of the file.
///   Operators on whole sequences start each inference from zeros, for HAL 1.2 does not give their
///   states.
///
/// InvalidArgument for bytes that are no such file, a truncated or a corrupt one, with what is
/// wrong and where, and for a network that cannot be mapped: the message then lists every operator
/// that stands in the way, and why. ResourceExhausted when the constants come to many times the
/// file. `name` becomes that of the network.
absl::StatusOr<Network> ImportTflite(absl::Span<const uint8_t> bytes, std::string_view name);

/// The same of a file, which errors name; the network has the file's name without folders and
/// ".tflite". Fails as ReadFileBytes does as well.
absl::StatusOr<Network> ImportTfliteFile(const std::string& path);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_IMPORTER_H_
