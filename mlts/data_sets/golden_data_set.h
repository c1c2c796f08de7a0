// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Inputs in files with the outputs that they should give.
//
// A file is the elements of one input, or of one output, in little-endian order, for each inference
// of a sequence, one after the other.

#ifndef NNCERT_MLTS_DATA_SETS_GOLDEN_DATA_SET_H_
#define NNCERT_MLTS_DATA_SETS_GOLDEN_DATA_SET_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/network.h"

namespace nncert {

/// The files of a sequence.
struct GoldenFiles {
  /// What messages call it: "arctic_a0001".
  std::string name;
  /// A path for each input of the network, in their order, without states; likewise for each
  /// output, without unused ones, or none at all when nothing is known of them.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// The sequences of golden files. `data_size` is the size of an element in bytes: 4 of floats,
/// which are also read for a network of halves, 1 of bytes; 0 when elements are stored as the
/// network has them. Each sequence is read when it is asked for; one whose files have a wrong size
/// fails alone. InvalidArgument when the network's inputs or outputs are not of `data_size`, or an
/// input is of unknown size.
absl::StatusOr<std::shared_ptr<const DataSet>> OpenGoldenFiles(std::vector<GoldenFiles> sequences,
                                                               uint32_t data_size,
                                                               const Network& network);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_GOLDEN_DATA_SET_H_
