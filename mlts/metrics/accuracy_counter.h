// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How right a driver's results are, counted one sequence at a time.
//
//   AccuracyCounter counter("sample", formats, AccuracyCounter::OptionsOf(benchmark));
//   for (...) RETURN_IF_ERROR(counter.Add(sequence, outputs));
//   AccuracyResult result = counter.Result();
//
// A NaN or an infinity is never taken for a number: a NaN is never among the top k, and where the
// golden output is a number, every error of it is infinite. Where both are NaN, or both the same
// infinity, there is no error.

#ifndef NNCERT_MLTS_METRICS_ACCURACY_COUNTER_H_
#define NNCERT_MLTS_METRICS_ACCURACY_COUNTER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "mlts/data_sets/benchmark.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/metrics/decoded_outputs.h"
#include "mlts/results/results.h"
#include "mlts/tensor_format.h"

namespace nncert {

/// Counts how right the results of one driver are on the sequences of a benchmark.
class AccuracyCounter {
 public:
  /// How many of the highest outputs are looked at for a label.
  static constexpr size_t kTopK = 5;
  /// How many counts AccuracyResult::off_by has: exact, off by 1 to 8 steps, off by 9 or more.
  static constexpr size_t kOffByCounts = 10;

  /// What is measured besides top-k, of sequences with labels, and errors, of those with golden
  /// outputs.
  struct Options {
    Evaluator evaluator = Evaluator::NONE;
    /// What undoes the normalization of the first output before speech is compared; of as many
    /// elements as it has, or empty.
    std::vector<float> output_mean;
    std::vector<float> output_deviation;
  };

  /// What the benchmark asks for.
  static Options OptionsOf(const Benchmark& benchmark);

  /// `driver` is the name that the result gets. `formats` has an element for each output.
  AccuracyCounter(std::string driver, std::vector<TensorFormat> formats, Options options);

  /// Counts a sequence, to which the driver gave `outputs`. A label is looked for in the first
  /// output of the last inference. InvalidArgument, and nothing is counted, when there are not as
  /// many inferences, outputs or elements as the sequence or its golden outputs have, or when the
  /// label is no element of the output: the message names the sequence and what was expected.
  absl::Status Add(const Sequence& sequence, const SequenceOutputs& outputs);

  /// What has come of it so far. Values are finite or, by outputs that are no numbers, infinite.
  AccuracyResult Result() const;

 private:
  // Of elements for which there are golden ones.
  struct Errors {
    uint64_t elements = 0;
    double sum_of_squares = 0;
    double maximum_absolute = 0;
    double maximum_signed = 0;
    std::array<uint64_t, kOffByCounts> off_by{};
  };

  // Whether the evaluator can do with these: real values of the first output, by inference.
  absl::Status CheckEvaluated(const Sequence& sequence,
                              const std::vector<std::vector<double>>& outputs) const;
  void CountTopK(absl::Span<const double> scores, uint32_t label);
  void CountErrors(const DecodedOutputs& outputs, const DecodedOutputs& golden);
  void CountEvaluated(std::vector<std::vector<double>> outputs,
                      std::vector<std::vector<double>> golden);

  const std::string driver_;
  const std::vector<TensorFormat> formats_;
  const Options options_;
  uint64_t sequences_ = 0;
  uint64_t inferences_ = 0;
  uint64_t labelled_ = 0;
  uint64_t with_golden_ = 0;
  std::array<uint64_t, kTopK> among_top_{};
  Errors errors_;
  double mel_cepstral_distance_ = 0;
  double log_f0_error_ = 0;
  double phone_error_rate_mlts_ = 0;
  uint64_t phone_edits_ = 0;
  uint64_t reference_phones_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_ACCURACY_COUNTER_H_
