// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a network is fed with: sequences of inferences, and what is known of their results.

#ifndef NNCERT_MLTS_DATA_SETS_DATA_SET_H_
#define NNCERT_MLTS_DATA_SETS_DATA_SET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace nncert {

/// The bytes of a tensor's elements, in the byte order of this machine.
using TensorBytes = std::vector<uint8_t>;

/// What the outputs of the inferences of a sequence are: for each inference, an element for each
/// output of the network, without states and unused ones.
using SequenceOutputs = std::vector<std::vector<TensorBytes>>;

/// Inferences that belong together. The states of a recurrent network are zero before the first and
/// carried from each to the next; for any other network there is one inference.
struct Sequence {
  /// What messages call it: "image-17", "arctic_a0023".
  std::string name;
  /// The inputs of each inference, in the order of the network's inputs, without its states.
  std::vector<std::vector<TensorBytes>> inputs;
  /// The known outputs of each inference, in the order of the network's outputs, without states and
  /// unused ones; empty when none are known.
  SequenceOutputs golden_outputs;
  /// The class that the last inference should find; nothing when it is not known.
  std::optional<uint32_t> label;
};

/// Sequences that a network is fed with.
class DataSet {
 public:
  virtual ~DataSet() = default;

  /// How many sequences there are.
  virtual size_t size() const = 0;

  /// Reads a sequence, whose `index` is less than size(). To be called from any thread. Fails, with
  /// the file and what is wrong with it, when this one cannot be read; others may well be.
  virtual absl::StatusOr<Sequence> Read(size_t index) const = 0;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_DATA_SET_H_
