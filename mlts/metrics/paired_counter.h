// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver against a baseline on the same sequences, counted one sequence at a time. Because both
// see the same samples, a few dozen show what no comparison with a published share could.

#ifndef NNCERT_MLTS_METRICS_PAIRED_COUNTER_H_
#define NNCERT_MLTS_METRICS_PAIRED_COUNTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "mlts/data_sets/benchmark.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/metrics/decoded_outputs.h"
#include "mlts/metrics/intervals.h"
#include "mlts/results/results.h"
#include "mlts/tensor_format.h"

namespace nncert {

/// Counts where the results of a driver and of a baseline differ.
class PairedCounter {
 public:
  /// `baseline` is the name that the result gets. `formats` has an element for each output. Top-1
  /// of sequences without a label is compared where the evaluator says that outputs are classes
  /// (TOP_K, PHONE_ERROR_RATE).
  PairedCounter(std::string baseline, std::vector<TensorFormat> formats, Evaluator evaluator);

  /// Counts a sequence. Top-1 is that of the first output of the last inference; no class at all
  /// when all elements are NaN. InvalidArgument, and nothing is counted, when the two have not as
  /// many inferences, outputs or elements: the message names the sequence.
  absl::Status Add(const Sequence& sequence, const SequenceOutputs& driver,
                   const SequenceOutputs& baseline);

  /// What has come of it so far. `top_1_difference` is there when a sequence had a label. Where one
  /// of two elements is a number and the other is not, their difference is infinite.
  PairedComparison Result() const;

 private:
  void CountClasses(const Sequence& sequence, const DecodedOutputs& driver,
                    const DecodedOutputs& baseline);
  void CountDifferences(const DecodedOutputs& driver, const DecodedOutputs& baseline);

  const std::vector<TensorFormat> formats_;
  const Evaluator evaluator_;
  PairedComparison result_;
  PairedCounts right_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_PAIRED_COUNTER_H_
