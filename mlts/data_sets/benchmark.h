// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A network with the data that it is measured on: an entry of MLTS's lists of models.

#ifndef NNCERT_MLTS_DATA_SETS_BENCHMARK_H_
#define NNCERT_MLTS_DATA_SETS_BENCHMARK_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mlts/data_sets/data_set.h"
#include "mlts/network.h"

namespace nncert {

/// What is measured of a network's results, besides their difference from golden outputs.
enum class Evaluator {
  NONE,
  TOP_K,             ///< the share of labels among the k highest outputs
  MEL_CEP_LOG_F0,    ///< of speech: mel-cepstral distance and logarithm of the pitch
  PHONE_ERROR_RATE,  ///< of phones: edit distance from the golden outputs' phones
};

/// The enumerator's name.
std::string_view toString(Evaluator evaluator);

/// A network and the data that it is measured on.
struct Benchmark {
  /// What reports call it, "mobilenet_v1_0.5_160_quant"; unlike any other of the same run.
  std::string name;
  /// The file that the network was imported from, and its SHA-256 in hexadecimal; empty for one
  /// that is built in.
  std::string file;
  std::string sha256;
  Network network;
  std::shared_ptr<const DataSet> data;
  Evaluator evaluator = Evaluator::NONE;
  /// The share of top-1 that MLTS expects on all of its images; nothing when it says none.
  std::optional<double> expected_top_1;
  /// Mean and standard deviation of each output element, which undo its normalization; empty when
  /// it has none.
  std::vector<float> output_mean;
  std::vector<float> output_deviation;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_BENCHMARK_H_
