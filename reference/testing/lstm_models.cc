// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/lstm_models.h"

#include <gtest/gtest.h>

#include <utility>

#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

size_t Product(const std::vector<uint32_t>& dimensions) {
  size_t product = 1;
  for (const uint32_t dimension : dimensions) product *= dimension;
  return product;
}

// Rows of `a` and `b` side by side.
std::vector<double> SideBySide(const std::vector<double>& a, const std::vector<double>& b,
                               size_t rows) {
  std::vector<double> joined;
  const auto append_row = [&](const std::vector<double>& from, size_t row) {
    const auto width = static_cast<std::ptrdiff_t>(from.size() / rows);
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(row) * width;
    joined.insert(joined.end(), first, first + width);
  };
  for (size_t row = 0; row < rows; ++row) {
    append_row(a, row);
    append_row(b, row);
  }
  return joined;
}

// The cell with its auxiliary weights as weights of a longer input: W x + A a = [W A] [x a].
LstmCellModel WithoutAux(const LstmCellModel& cell) {
  LstmCellModel wide = cell;
  for (int gate = 0; gate < 4; ++gate) {
    const auto aux = cell.tensors.find(kWai + gate);
    if (aux == cell.tensors.end()) continue;
    wide.tensors[kWxi + gate] = SideBySide(cell.tensors.at(kWxi + gate), aux->second, cell.units);
    wide.tensors.erase(kWai + gate);
  }
  wide.inputs = 2 * cell.inputs;
  return wide;
}

}  // namespace

std::vector<double> SomeNumbers(int seed, size_t count) {
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i) {
    const size_t mixed = static_cast<size_t>(seed) * 7919 + i * 104729 + i * i * 31;
    numbers.push_back(static_cast<double>(mixed % 129) / 64 - 1);
  }
  return numbers;
}

std::vector<int> InputGateTensors() { return {kWxi, kWhi, kBi}; }
std::vector<int> PeepholeTensors() { return {kWci, kWcf, kWco}; }
std::vector<int> LayerNormTensors() { return {kNormI, kNormF, kNormC, kNormO}; }
std::vector<int> AuxTensors() { return {kWai, kWaf, kWac, kWao}; }

std::vector<int> Joined(const std::vector<std::vector<int>>& groups) {
  std::vector<int> all;
  for (const std::vector<int>& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

LstmCellModel LstmCellWith(const std::vector<int>& optional, uint32_t outputs, int seed) {
  LstmCellModel cell;
  cell.outputs = outputs;
  for (const int tensor :
       Joined({{kWxf, kWxc, kWxo, kWhf, kWhc, kWho, kBf, kBc, kBo, kH, kC}, optional})) {
    cell.tensors[tensor] = SomeNumbers(100 * seed + tensor, Product(DimensionsOf(cell, tensor)));
  }
  return cell;
}

std::map<std::string, LstmCellModel> LstmCellsOfAllKinds(bool with_aux) {
  const std::vector<int> full = with_aux ? AuxTensors() : std::vector<int>();
  const std::vector<int> coupled = with_aux ? std::vector<int>{kWaf, kWac, kWao} : full;
  const std::vector<int> gate = Joined({InputGateTensors(), full});
  std::map<std::string, LstmCellModel> cells;
  cells["plain"] = LstmCellWith(gate);
  cells["coupled"] = LstmCellWith(coupled);
  cells["peephole"] = LstmCellWith(Joined({gate, PeepholeTensors()}));
  cells["coupled_peephole"] = LstmCellWith(Joined({coupled, {kWcf, kWco}}));
  cells["projection"] = LstmCellWith(Joined({gate, {kWproj}}), 2);
  cells["layer_norm"] = LstmCellWith(Joined({gate, LayerNormTensors()}));
  cells["coupled_layer_norm"] = LstmCellWith(Joined({coupled, {kNormF, kNormC, kNormO}}));
  cells["everything"] =
      LstmCellWith(Joined({gate, PeepholeTensors(), LayerNormTensors(), {kWproj, kBproj}}), 3);
  return cells;
}

std::vector<uint32_t> DimensionsOf(const LstmCellModel& cell, int tensor) {
  const auto wrong = cell.wrong_dimensions.find(tensor);
  if (wrong != cell.wrong_dimensions.end()) return wrong->second;
  if ((tensor >= kWxi && tensor <= kWxo) || tensor >= kWai) return {cell.units, cell.inputs};
  if (tensor >= kWhi && tensor <= kWho) return {cell.units, cell.outputs};
  if (tensor == kWproj) return {cell.outputs, cell.units};
  if (tensor == kBproj) return {cell.outputs};
  if (tensor == kH) return {cell.batches, cell.outputs};
  if (tensor == kC) return {cell.batches, cell.units};
  return {cell.units};
}

std::vector<uint32_t> AddLstmTensors(ModelBuilder& builder, const LstmCellModel& cell, int first,
                                     int end, OperandType type) {
  std::vector<uint32_t> operands;
  for (int tensor = first; tensor < end; ++tensor) {
    const std::vector<uint32_t> dimensions = DimensionsOf(cell, tensor);
    const auto values = cell.tensors.find(tensor);
    if (values == cell.tensors.end()) {
      operands.push_back(builder.Omitted({type, std::vector<uint32_t>(dimensions.size(), 0)}));
      continue;
    }
    std::vector<double> elements = values->second;
    elements.resize(Product(dimensions));
    operands.push_back(builder.Constant({type, dimensions}, elements));
  }
  return operands;
}

std::vector<uint32_t> AddLstmScalars(ModelBuilder& builder, const LstmScalars& scalars,
                                     OperandType type) {
  const OperandType scalar =
      type == OperandType::TENSOR_FLOAT16 ? OperandType::FLOAT16 : OperandType::FLOAT32;
  return {builder.Int32(scalars.activation), builder.Constant({scalar}, {scalars.cell_clip}),
          builder.Constant({scalar}, {scalars.projection_clip})};
}

std::vector<double> OutputsByLstm(const LstmCellModel& cell, const LstmScalars& scalars,
                                  size_t steps, const std::vector<double>& input,
                                  const std::vector<double>& aux_input) {
  const OperandType type = OperandType::TENSOR_FLOAT32;
  LstmCellModel now = aux_input.empty() ? cell : WithoutAux(cell);
  const std::vector<double> x =
      aux_input.empty() ? input : SideBySide(input, aux_input, steps * cell.batches);
  const size_t numbers_per_step = size_t{now.batches} * now.inputs;
  std::vector<double> outputs;
  for (size_t step = 0; step < steps; ++step) {
    ModelBuilder builder;
    std::vector<uint32_t> inputs = {builder.Input({type, {now.batches, now.inputs}})};
    for (const std::vector<uint32_t>& group :
         {AddLstmTensors(builder, now, kWxi, kNormI, type), AddLstmScalars(builder, scalars, type),
          AddLstmTensors(builder, now, kNormI, kWai, type)}) {
      inputs.insert(inputs.end(), group.begin(), group.end());
    }
    std::vector<uint32_t> results;
    for (int i = 0; i < 4; ++i) results.push_back(builder.Output({type, {0, 0}}));
    builder.Operation(OperationType::LSTM, inputs, results);
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(step * numbers_per_step);
    const auto evaluated = EvaluateInAllSystems(
        builder.model(),
        {std::vector<double>(first, first + static_cast<std::ptrdiff_t>(numbers_per_step))});
    EXPECT_TRUE(evaluated.ok()) << evaluated.status();
    if (!evaluated.ok()) return {};
    now.tensors[kH] = (*evaluated)[1].from_double;
    now.tensors[kC] = (*evaluated)[2].from_double;
    outputs.insert(outputs.end(), now.tensors[kH].begin(), now.tensors[kH].end());
  }
  return outputs;
}

std::vector<double> SwapOuterDimensions(const std::vector<double>& sequence, size_t outer,
                                        size_t inner, size_t size) {
  std::vector<double> swapped;
  for (size_t i = 0; i < inner; ++i) {
    for (size_t o = 0; o < outer; ++o) {
      const auto first = sequence.begin() + static_cast<std::ptrdiff_t>((o * inner + i) * size);
      swapped.insert(swapped.end(), first, first + static_cast<std::ptrdiff_t>(size));
    }
  }
  return swapped;
}

std::vector<double> Reversed(const std::vector<double>& sequence, size_t steps) {
  std::vector<double> reversed;
  const size_t numbers_per_step = sequence.size() / steps;
  for (size_t step = steps; step-- > 0;) {
    const auto first = sequence.begin() + static_cast<std::ptrdiff_t>(step * numbers_per_step);
    reversed.insert(reversed.end(), first, first + static_cast<std::ptrdiff_t>(numbers_per_step));
  }
  return reversed;
}

std::vector<LstmCellModel> CellsWithBrokenPresence(bool with_aux) {
  const std::vector<int> gate =
      with_aux ? Joined({InputGateTensors(), AuxTensors()}) : InputGateTensors();
  const auto without = [](LstmCellModel cell, int tensor) {
    cell.tensors.erase(tensor);
    return cell;
  };
  const LstmCellModel plain = LstmCellWith(gate);
  const LstmCellModel peephole = LstmCellWith(Joined({gate, PeepholeTensors()}));
  const LstmCellModel normalized = LstmCellWith(Joined({gate, LayerNormTensors()}));
  std::vector<LstmCellModel> broken = {
      without(plain, kWhi),        without(peephole, kWcf),
      without(peephole, kWci),     LstmCellWith(Joined({gate, {kBproj}})),
      without(normalized, kNormC), without(normalized, kNormI)};
  if (with_aux) {
    broken.push_back(without(plain, kWaf));
    broken.push_back(without(plain, kWai));
  }
  return broken;
}

std::vector<LstmCellModel> CellsWithBrokenDimensions(bool with_aux) {
  std::vector<int> tensors =
      Joined({InputGateTensors(), PeepholeTensors(), LayerNormTensors(), {kWproj, kBproj}});
  if (with_aux) tensors = Joined({tensors, AuxTensors()});
  std::vector<std::pair<int, std::vector<uint32_t>>> wrong = {
      {kWxf, {4, 2}}, {kWhc, {4, 4}}, {kWco, {3}},  {kBf, {5}},   {kWproj, {4, 3}},
      {kBproj, {4}},  {kH, {2, 4}},   {kC, {1, 4}}, {kNormO, {1}}};
  if (with_aux) wrong.push_back({kWac, {4, 2}});
  std::vector<LstmCellModel> broken;
  for (const auto& [tensor, dimensions] : wrong) {
    LstmCellModel cell = LstmCellWith(tensors, 3);
    cell.wrong_dimensions[tensor] = dimensions;
    broken.push_back(cell);
  }
  return broken;
}

}  // namespace nncert
