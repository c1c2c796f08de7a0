// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The outputs of a sequence as numbers.

#ifndef NNCERT_MLTS_METRICS_DECODED_OUTPUTS_H_
#define NNCERT_MLTS_METRICS_DECODED_OUTPUTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/tensor_format.h"

namespace nncert {

/// An output: its elements as they are stored.
using StoredOutput = std::vector<double>;
/// For each inference of a sequence, its outputs.
using DecodedOutputs = std::vector<std::vector<StoredOutput>>;

/// Decodes the outputs of a sequence. InvalidArgument, with the names of the sequence and of whose
/// they are ("the golden outputs"), when there are not as many inferences as the sequence has, not
/// as many outputs as formats, or no whole number of elements.
absl::StatusOr<DecodedOutputs> DecodeOutputs(const Sequence& sequence, const std::string& whose,
                                             const SequenceOutputs& outputs,
                                             absl::Span<const TensorFormat> formats);

/// InvalidArgument, with all names, when an output of the one has not as many elements as that of
/// the other has. Both must be what DecodeOutputs made of the sequence.
absl::Status CheckSameSizes(const Sequence& sequence, const std::string& whose,
                            const DecodedOutputs& outputs, const std::string& others_name,
                            const DecodedOutputs& others);

/// Elements as real numbers.
std::vector<double> RealValues(const TensorFormat& format, absl::Span<const double> stored);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_DECODED_OUTPUTS_H_
