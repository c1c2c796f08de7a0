// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the build has trained: train_networks.cc writes the definitions.

#ifndef NNCERT_MLTS_TRAINING_TRAINED_PARAMETERS_H_
#define NNCERT_MLTS_TRAINING_TRAINED_PARAMETERS_H_

#include "absl/types/span.h"
#include "mlts/training/quantization.h"

namespace nncert {

/// The parameters of ShapeLayers (separable_network.h), without normalization.
absl::Span<const float> ShapeParameters();

/// The ranges of what each of these layers makes, on images of DataSplit::CALIBRATION.
absl::Span<const TensorRange> ShapeRanges();

/// The parameters of kToneNetwork (lstm_network.h).
absl::Span<const float> ToneParameters();

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_TRAINED_PARAMETERS_H_
