// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A trained network: a model whose inputs and outputs have names and uses.

#ifndef NNCERT_MLTS_NETWORK_H_
#define NNCERT_MLTS_NETWORK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hal/v1_2/types.h"

namespace nncert {

/// A state that a recurrent network carries from one inference to the next: what the output gives,
/// the input takes next. It is zero, or zeroPoint if quantized, at the start of a sequence.
struct NetworkState {
  /// Positions in Model::inputIndexes and Model::outputIndexes.
  uint32_t input = 0;
  uint32_t output = 0;

  bool operator==(const NetworkState&) const = default;
};

/// A trained network.
struct Network {
  /// What it is called, "mobilenet_v1_0.25_128".
  std::string name;
  /// The model, with its weights in operandValues and pools; its inputs and outputs are those of
  /// the network and then its states.
  hal::V1_2::Model model;
  /// The names of the model's inputs and outputs, states included, where they are known.
  std::vector<std::string> inputNames;
  std::vector<std::string> outputNames;
  /// Its states.
  std::vector<NetworkState> states;
  /// Positions in Model::outputIndexes of outputs that the HAL wants and nobody reads, such as the
  /// scratch buffer of LSTM.
  std::vector<uint32_t> unusedOutputs;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_NETWORK_H_
