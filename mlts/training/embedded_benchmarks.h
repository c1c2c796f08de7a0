// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What drivers are measured on where no data is at hand: small networks that the build trains on
// data that is drawn, with held-out data of the same kind.

#ifndef NNCERT_MLTS_TRAINING_EMBEDDED_BENCHMARKS_H_
#define NNCERT_MLTS_TRAINING_EMBEDDED_BENCHMARKS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "mlts/data_sets/benchmark.h"

namespace nncert {

/// The networks that this program was built with, each with held-out data that it was not trained
/// on, in equal parts of every class, and Evaluator::TOP_K:
///
/// - shapes_float, shapes_relaxed, shapes_float16, shapes_quant8 and shapes_per_channel: one
///   depthwise separable network in five forms, on 500 images of 10 shapes (shape_images.h). The
///   first two and shapes_quant8 are models of HAL 1.0 (relaxed: 1.1), the others of HAL 1.2.
/// - tones_lstm: an LSTM with explicit states, a model of HAL 1.0, on 200 sequences of 8 kinds of
///   sound (tone_frames.h); the probabilities after the last frame are what counts.
///
/// Nothing is read but the program itself. Internal when what was trained does not fit the
/// networks.
absl::StatusOr<std::vector<Benchmark>> EmbeddedBenchmarks();

}  // namespace nncert

#endif  // NNCERT_MLTS_TRAINING_EMBEDDED_BENCHMARKS_H_
