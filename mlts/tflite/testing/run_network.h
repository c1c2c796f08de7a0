// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs imported networks in tests.

#ifndef NNCERT_MLTS_TFLITE_TESTING_RUN_NETWORK_H_
#define NNCERT_MLTS_TFLITE_TESTING_RUN_NETWORK_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "mlts/network.h"
#include "mlts/tflite/testing/tflite_maker.h"

namespace nncert {

/// The elements of a tensor as real numbers: those that quantized ones stand for.
using RealNumbers = std::vector<double>;

/// Runs a network on the reference: one tensor of real numbers for each input, one for each output.
absl::StatusOr<std::vector<RealNumbers>> RunNetwork(const Network& network,
                                                    const std::vector<RealNumbers>& inputs);

/// Imports a file and runs it. A failure is the test's, and gives nothing.
std::vector<RealNumbers> ImportAndRun(const std::vector<uint8_t>& file,
                                      const std::vector<RealNumbers>& inputs);

/// Imports a valid file. A failure is the test's, and gives an empty network.
Network ImportOrFail(const std::vector<uint8_t>& file);

/// The operations of a model in order.
std::vector<hal::V1_2::OperationType> OperationsOf(const Network& network);

/// An operand of a model's outputs and inputs, by position.
const hal::V1_2::Operand& OutputOperandOf(const Network& network, size_t position = 0);
const hal::V1_2::Operand& InputOperandOf(const Network& network, size_t position = 0);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_TESTING_RUN_NETWORK_H_
