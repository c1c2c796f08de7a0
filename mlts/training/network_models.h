// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Trained networks as models of the HAL.

#ifndef NNCERT_MLTS_TRAINING_NETWORK_MODELS_H_
#define NNCERT_MLTS_TRAINING_NETWORK_MODELS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mlts/network.h"
#include "mlts/training/lstm_network.h"
#include "mlts/training/quantization.h"
#include "mlts/training/separable_network.h"

namespace nncert {

/// What a network computes with.
enum class NetworkForm {
  FLOAT,        ///< TENSOR_FLOAT32; HAL 1.0
  RELAXED,      ///< the same, in which the precision of 16-bit floats is enough; HAL 1.1
  FLOAT16,      ///< TENSOR_FLOAT16; HAL 1.2
  QUANT8,       ///< TENSOR_QUANT8_ASYMM; HAL 1.0
  PER_CHANNEL,  ///< QUANT8 with filters of TENSOR_QUANT8_SYMM_PER_CHANNEL; HAL 1.2
};

/// The quantization of images of quantized networks: bytes as they are (see ShapeInputValue).
inline constexpr Quantization kImageQuantization = {.scale = 1.F / 128, .zero_point = 128};

/// A separable network for one image, followed by SOFTMAX: its input is "image", its output
/// "probabilities". `parameters` are those of ParameterCount, `ranges` what each layer's results
/// lie in, which quantized forms alone take. InvalidArgument when there are more or fewer than the
/// layers have, or one is not finite.
absl::StatusOr<Network> MakeSeparableNetwork(const std::string& name,
                                             const std::vector<Layer>& layers,
                                             absl::Span<const float> parameters,
                                             absl::Span<const TensorRange> ranges,
                                             NetworkForm form);

/// One step of a recurrent network in TENSOR_FLOAT32, followed by SOFTMAX: its input is "frame",
/// its output "probabilities"; "output_state" and "cell_state" are its states, and the scratch
/// buffer of LSTM is an output that nobody reads. InvalidArgument when there are more or fewer
/// parameters than it has, or one is not finite.
absl::StatusOr<Network> MakeLstmNetwork(const std::string& name, const LstmNetwork& network,
                                        absl::Span<const float> parameters);

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_NETWORK_MODELS_H_
