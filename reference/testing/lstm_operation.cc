// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/lstm_operation.h"

#include <cmath>

#include "gtest/gtest.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert::lstm {
namespace {

using hal::V1_2::OperationType;

constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

long double Logistic(long double x) { return 1 / (1 + std::exp(-x)); }

long double G(int32_t activation, long double x) {
  switch (activation) {
    case 1:
      return x < 0 ? 0 : x;
    case 3:
      return x < 0 ? 0 : (x > 6 ? 6 : x);
    case 4:
      return std::tanh(x);
    case 6:
      return Logistic(x);
    default:
      return x;
  }
}

long double ClipTo(double limit, long double x) {
  if (limit == 0) return x;
  return x > limit ? limit : (x < -limit ? -limit : x);
}

// The element `row`, `column` of a matrix, or 0 where it is left out.
long double At(const Lstm& lstm, int input, size_t row, size_t columns, size_t column) {
  const auto tensor = lstm.tensors.find(input);
  return tensor == lstm.tensors.end() ? 0 : tensor->second[row * columns + column];
}

// The argument of a gate for every unit: weights `wx`, `wh`, `wc` (of `cell`), bias, normalization.
Row Argument(const Lstm& lstm, size_t batch, const Row& cell, int wx, int wh, int wc, int bias,
             int norm) {
  Row sums(lstm.units);
  for (size_t unit = 0; unit < lstm.units; ++unit) {
    for (size_t k = 0; k < lstm.inputs; ++k) {
      sums[unit] += At(lstm, wx, unit, lstm.inputs, k) * At(lstm, kX, batch, lstm.inputs, k);
    }
    for (size_t k = 0; k < lstm.outputs; ++k) {
      sums[unit] += At(lstm, wh, unit, lstm.outputs, k) * At(lstm, kH, batch, lstm.outputs, k);
    }
    if (wc >= 0) sums[unit] += At(lstm, wc, 0, lstm.units, unit) * cell[unit];
  }
  if (lstm.tensors.contains(norm)) {
    long double mean = 0;
    for (const long double x : sums) mean += x / lstm.units;
    long double variance = 0;
    for (const long double x : sums) variance += (x - mean) * (x - mean) / lstm.units;
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      sums[unit] = (sums[unit] - mean) / std::sqrt(variance) * At(lstm, norm, 0, lstm.units, unit);
    }
  }
  for (size_t unit = 0; unit < lstm.units; ++unit)
    sums[unit] += At(lstm, bias, 0, lstm.units, unit);
  return sums;
}

}  // namespace

std::vector<uint32_t> DimensionsOf(const Lstm& lstm, int input) {
  const auto wrong = lstm.wrong_dimensions.find(input);
  if (wrong != lstm.wrong_dimensions.end()) return wrong->second;
  if (input == kX) return {lstm.batches, lstm.inputs};
  if (input >= kWxi && input <= kWxo) return {lstm.units, lstm.inputs};
  if (input >= kWhi && input <= kWho) return {lstm.units, lstm.outputs};
  if (input == kWproj) return {lstm.outputs, lstm.units};
  if (input == kBproj) return {lstm.outputs};
  if (input == kH) return {lstm.batches, lstm.outputs};
  if (input == kC) return {lstm.batches, lstm.units};
  return {lstm.units};
}

hal::V1_2::Model ModelOf(const Lstm& lstm) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs;
  const OperandType scalar = lstm.type == kFloat16 ? OperandType::FLOAT16 : OperandType::FLOAT32;
  for (int input = 0; input <= (lstm.has_layer_norm_inputs ? kNormO : kProjectionClip); ++input) {
    const std::vector<uint32_t> dimensions = DimensionsOf(lstm, input);
    const auto tensor = lstm.tensors.find(input);
    if (input == kActivation) {
      inputs.push_back(builder.Int32(lstm.activation));
    } else if (input == kCellClip || input == kProjectionClip) {
      const double clip = input == kCellClip ? lstm.cell_clip : lstm.projection_clip;
      inputs.push_back(builder.Constant({scalar}, {clip}));
    } else if (lstm.open_inputs.contains(input)) {
      inputs.push_back(builder.Input({lstm.type, std::vector<uint32_t>(dimensions.size(), 0)}));
    } else if (tensor == lstm.tensors.end()) {
      inputs.push_back(builder.Omitted({lstm.type, std::vector<uint32_t>(dimensions.size(), 0)}));
    } else if (input == kX || input == kH || input == kC) {
      inputs.push_back(builder.Input({lstm.type, dimensions}));
    } else {
      std::vector<double> values = tensor->second;
      values.resize(NumberOfElements(dimensions));
      inputs.push_back(builder.Constant({lstm.type, dimensions}, values));
    }
  }
  const uint32_t gates = lstm.tensors.contains(kWxi) ? 4 : 3;
  const std::vector<uint32_t> outputs = {
      builder.Output({lstm.type, {lstm.batches, lstm.units * gates}}),
      builder.Output({lstm.type, {lstm.batches, lstm.outputs}}),
      builder.Output({lstm.type, {lstm.batches, lstm.units}}),
      builder.Output({lstm.type, {lstm.batches, lstm.outputs}})};
  builder.Operation(OperationType::LSTM, inputs, outputs).Relaxed(lstm.is_relaxed);
  return builder.model();
}

std::vector<Evaluated> Evaluate(const Lstm& lstm) {
  const auto results = EvaluateInAllSystems(
      ModelOf(lstm), {lstm.tensors.at(kX), lstm.tensors.at(kH), lstm.tensors.at(kC)});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return std::vector<Evaluated>(4);
  for (const Evaluated& result : *results) EXPECT_TRUE(result.undecided.ok());
  return *results;
}

std::string ErrorOf(const Lstm& lstm, HalVersion version) {
  return nncert::ErrorOf(ModelOf(lstm), version);
}

std::pair<Row, Row> ByTheEquations(const Lstm& lstm) {
  Row output_state;
  Row cell_state;
  for (size_t batch = 0; batch < lstm.batches; ++batch) {
    Row old_cell(lstm.units);
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      old_cell[unit] = At(lstm, kC, batch, lstm.units, unit);
    }
    const Row i = Argument(lstm, batch, old_cell, kWxi, kWhi, kWci, kBi, kNormI);
    const Row f = Argument(lstm, batch, old_cell, kWxf, kWhf, kWcf, kBf, kNormF);
    const Row c = Argument(lstm, batch, old_cell, kWxc, kWhc, -1, kBc, kNormC);
    Row cell(lstm.units);
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      const long double forget = Logistic(f[unit]);
      const long double input = lstm.tensors.contains(kWxi) ? Logistic(i[unit]) : 1 - forget;
      cell[unit] =
          ClipTo(lstm.cell_clip, forget * old_cell[unit] + input * G(lstm.activation, c[unit]));
    }
    const Row o = Argument(lstm, batch, cell, kWxo, kWho, kWco, kBo, kNormO);
    Row hidden(lstm.units);
    for (size_t unit = 0; unit < lstm.units; ++unit) {
      hidden[unit] = Logistic(o[unit]) * G(lstm.activation, cell[unit]);
    }
    cell_state.insert(cell_state.end(), cell.begin(), cell.end());
    if (!lstm.tensors.contains(kWproj)) {
      output_state.insert(output_state.end(), hidden.begin(), hidden.end());
      continue;
    }
    for (size_t k = 0; k < lstm.outputs; ++k) {
      long double sum = At(lstm, kBproj, 0, lstm.outputs, k);
      for (size_t unit = 0; unit < lstm.units; ++unit) {
        sum += At(lstm, kWproj, k, lstm.units, unit) * hidden[unit];
      }
      output_state.push_back(ClipTo(lstm.projection_clip, sum));
    }
  }
  return {output_state, cell_state};
}

std::vector<double> Numbers(int seed, size_t count) {
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<double>((seed * 7919 + i * 104729 + i * i * 31) % 129) / 64 - 1);
  }
  return numbers;
}

Lstm CellWith(const std::vector<int>& optional, uint32_t outputs) {
  Lstm lstm = {.batches = 2, .inputs = 3, .units = 4, .outputs = outputs};
  std::vector<int> given = {kX, kWxf, kWxc, kWxo, kWhf, kWhc, kWho, kBf, kBc, kBo, kH, kC};
  given.insert(given.end(), optional.begin(), optional.end());
  for (const int input : given) {
    lstm.tensors[input] = Numbers(input, NumberOfElements(DimensionsOf(lstm, input)));
    lstm.has_layer_norm_inputs |= input >= kNormI;
  }
  return lstm;
}

std::vector<int> InputGate() { return {kWxi, kWhi, kBi}; }

Lstm PlainCell() { return CellWith(InputGate()); }

std::map<std::string, Lstm> CellsOfAllKinds() {
  std::map<std::string, Lstm> cells;
  cells["plain"] = PlainCell();
  cells["coupled"] = CellWith({});
  cells["peephole"] = CellWith({kWxi, kWhi, kBi, kWci, kWcf, kWco});
  cells["coupled peephole"] = CellWith({kWcf, kWco});
  cells["projection"] = CellWith({kWxi, kWhi, kBi, kWproj}, 2);
  cells["projection and bias"] = CellWith({kWxi, kWhi, kBi, kWproj, kBproj}, 5);
  cells["layer normalization"] = CellWith({kWxi, kWhi, kBi, kNormI, kNormF, kNormC, kNormO});
  cells["coupled layer normalization"] = CellWith({kNormF, kNormC, kNormO});
  cells["everything"] = CellWith(
      {kWxi, kWhi, kBi, kWci, kWcf, kWco, kWproj, kBproj, kNormI, kNormF, kNormC, kNormO}, 3);
  cells["cell clip"] = PlainCell();
  cells["cell clip"].cell_clip = 0.25;
  cells["projection clip"] = cells["projection and bias"];
  cells["projection clip"].projection_clip = 0.5;
  for (const int32_t activation : {0, 1, 3, 6}) {
    Lstm& cell = cells["activation " + std::to_string(activation)];
    cell = PlainCell();
    cell.activation = activation;
  }
  cells["layer normalization left out"] = PlainCell();
  cells["layer normalization left out"].has_layer_norm_inputs = true;
  return cells;
}

}  // namespace nncert::lstm
