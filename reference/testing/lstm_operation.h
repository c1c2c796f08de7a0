// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models of the operation LSTM, and its equations in extended precision to hold results against.

#ifndef NNCERT_REFERENCE_TESTING_LSTM_OPERATION_H_
#define NNCERT_REFERENCE_TESTING_LSTM_OPERATION_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/testing/evaluate.h"

// The names of inputs are those of lstm_models.h as well, which number otherwise.
namespace nncert::lstm {

/// The inputs by number (types.hal 1.2, LSTM).
enum Input : int {
  kX = 0,
  kWxi,
  kWxf,
  kWxc,
  kWxo,
  kWhi,
  kWhf,
  kWhc,
  kWho,
  kWci,
  kWcf,
  kWco,
  kBi,
  kBf,
  kBc,
  kBo,
  kWproj,
  kBproj,
  kH,
  kC,
  kActivation,
  kCellClip,
  kProjectionClip,
  kNormI,
  kNormF,
  kNormC,
  kNormO
};

/// An LSTM operation: tensors by number, left out where there is none.
struct Lstm {
  uint32_t batches = 1;
  uint32_t inputs = 1;
  uint32_t units = 1;
  uint32_t outputs = 1;
  std::map<int, std::vector<double>> tensors = {};
  int32_t activation = 4;
  double cell_clip = 0;
  double projection_clip = 0;
  bool has_layer_norm_inputs = false;
  hal::V1_2::OperandType type = hal::V1_2::OperandType::TENSOR_FLOAT32;
  bool is_relaxed = false;
  /// Tensors whose dimensions are not what they should be.
  std::map<int, std::vector<uint32_t>> wrong_dimensions = {};
  /// Tensors that are inputs of the model, with unknown dimensions.
  std::set<int> open_inputs = {};
};

/// The dimensions of an input.
std::vector<uint32_t> DimensionsOf(const Lstm& lstm, int input);

/// The model, whose inputs are x, h and C, and those that are open.
hal::V1_2::Model ModelOf(const Lstm& lstm);

/// Its four outputs, all of which must be decided.
std::vector<Evaluated> Evaluate(const Lstm& lstm);

/// The message of the error with which the model is refused; empty when it is accepted.
std::string ErrorOf(const Lstm& lstm, HalVersion version = HalVersion::V1_2);

/// Numbers in a row.
using Row = std::vector<long double>;

/// The states h' and C' by the equations of types.hal, one scalar after another.
std::pair<Row, Row> ByTheEquations(const Lstm& lstm);

/// `count` numbers between -1 and 1 in multiples of 1/64, which halves hold.
std::vector<double> Numbers(int seed, size_t count);

/// A cell of 2 batches, 3 inputs and 4 units, with the given optional inputs.
Lstm CellWith(const std::vector<int>& optional, uint32_t outputs = 4);

/// The optional inputs that make an input gate.
std::vector<int> InputGate();

/// A cell with an input gate, and without all else that is optional.
Lstm PlainCell();

/// Cells of all kinds, by name.
std::map<std::string, Lstm> CellsOfAllKinds();

}  // namespace nncert::lstm

#endif  // NNCERT_REFERENCE_TESTING_LSTM_OPERATION_H_
