// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Long short-term memory cells for the tests of the operations that run them over sequences.

#ifndef NNCERT_REFERENCE_TESTING_LSTM_MODELS_H_
#define NNCERT_REFERENCE_TESTING_LSTM_MODELS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reference/model_builder.h"

namespace nncert {

/// The tensors of a cell: those of weights, biases and states in the order in which LSTM has them
/// after its input; then the weights of layer normalization and of the auxiliary input.
enum LstmTensor : int {
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
  kNormI,
  kNormF,
  kNormC,
  kNormO,
  kWai,
  kWaf,
  kWac,
  kWao,
  kEndOfLstmTensors
};

/// A cell: tensors by role, left out where there is none.
struct LstmCellModel {
  uint32_t batches = 2;
  uint32_t inputs = 3;
  uint32_t units = 4;
  uint32_t outputs = 4;
  std::map<int, std::vector<double>> tensors = {};
  /// Tensors whose dimensions are not what they should be.
  std::map<int, std::vector<uint32_t>> wrong_dimensions = {};
};

/// The scalars of a cell.
struct LstmScalars {
  int32_t activation = 4;
  double cell_clip = 0;
  double projection_clip = 0;
};

/// `count` numbers between -1 and 1 that halves hold, others for every seed.
std::vector<double> SomeNumbers(int seed, size_t count);

/// A cell that has the tensors of a coupled cell and those in `optional`, filled by SomeNumbers.
LstmCellModel LstmCellWith(const std::vector<int>& optional, uint32_t outputs = 4, int seed = 0);

/// The tensors of an input gate, of a peephole, of layer normalization and of auxiliary weights.
std::vector<int> InputGateTensors();
std::vector<int> PeepholeTensors();
std::vector<int> LayerNormTensors();
std::vector<int> AuxTensors();
/// The concatenation of several of these.
std::vector<int> Joined(const std::vector<std::vector<int>>& groups);

/// Cells of all kinds, by name; all of them with auxiliary weights if `with_aux`.
std::map<std::string, LstmCellModel> LstmCellsOfAllKinds(bool with_aux);

/// The dimensions of a tensor of the cell.
std::vector<uint32_t> DimensionsOf(const LstmCellModel& cell, int tensor);

/// Adds the tensors from `first` to before `end` to a model, as constants, or operands without
/// value where they are left out.
std::vector<uint32_t> AddLstmTensors(ModelBuilder& builder, const LstmCellModel& cell, int first,
                                     int end, hal::V1_2::OperandType type);

/// Adds the activation and the clips of cells of `type`.
std::vector<uint32_t> AddLstmScalars(ModelBuilder& builder, const LstmScalars& scalars,
                                     hal::V1_2::OperandType type);

/// What the cell puts out at each of `steps` steps, by as many executions of the operation LSTM.
/// `input` and `aux_input` (empty for none) are time-major, and so is the result.
std::vector<double> OutputsByLstm(const LstmCellModel& cell, const LstmScalars& scalars,
                                  size_t steps, const std::vector<double>& input,
                                  const std::vector<double>& aux_input = {});

/// `sequence`, [outer, inner, size], as [inner, outer, size].
std::vector<double> SwapOuterDimensions(const std::vector<double>& sequence, size_t outer,
                                        size_t inner, size_t size);

/// The steps of a time-major sequence in the opposite order.
std::vector<double> Reversed(const std::vector<double>& sequence, size_t steps);

/// Cells each of which breaks one constraint, in the order of the constraints that they break.
std::vector<LstmCellModel> CellsWithBrokenPresence(bool with_aux);
std::vector<LstmCellModel> CellsWithBrokenDimensions(bool with_aux);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TESTING_LSTM_MODELS_H_
