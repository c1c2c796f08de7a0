// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Networks of other types, derived from a network: real weights in every type that drivers differ
// in, of one file.

#ifndef NNCERT_MLTS_TFLITE_VARIANTS_H_
#define NNCERT_MLTS_TFLITE_VARIANTS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/network.h"

namespace nncert {

/// How a network differs from the one that it is derived from.
enum class NetworkVariant {
  /// Quantized tensors are of floats: weights and biases are the numbers that they stand for.
  /// DEQUANTIZE and QUANTIZE are gone.
  kFloat32,
  /// The same in halves, tensors and parameters. Drivers compute as they like within them.
  kFloat16,
  /// As kFloat32, with relaxComputationFloat32toFloat16.
  kRelaxed,
  /// Quantized weights of convolutions have a scale for each output channel, to which they are
  /// rounded once more; everything else is as it was.
  kPerChannel,
};

/// "float32", "float16", "relaxed", "per_channel".
std::string_view toString(NetworkVariant variant);

/// The variant of that name; nothing when there is none.
std::optional<NetworkVariant> NetworkVariantOf(std::string_view name);

/// All of them.
std::vector<NetworkVariant> AllNetworkVariants();

/// Derives a variant of a valid network; its name gets "_" and the variant's behind it. Inputs,
/// outputs and states are in the same places.
///
/// A quantized result cannot leave the range of its tensor, which is how converters of 2018 keep
/// RELU and RELU6: the operation has no fused activation, and its output begins at zero and ends at
/// 6 or anywhere. In a variant of floats such an operation has the activation that this comes to.
///
/// InvalidArgument, with the operation that stands in the way, when there is no such variant: of
/// floats for one that takes the integers of quantized tensors as they are, or the HAL has only
/// quantized; of halves for a constant that is beyond them; of channels for a network without
/// quantized convolutions.
absl::StatusOr<Network> DeriveVariant(const Network& network, NetworkVariant variant);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_VARIANTS_H_
