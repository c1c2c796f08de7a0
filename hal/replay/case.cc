// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/case.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "glog/logging.h"

namespace nncert::hal::replay {

bool Element::Accepts(double actual) const {
  return std::isnan(actual) ? std::isnan(expected) : lowest <= actual && actual <= highest;
}

std::vector<uint8_t> Hex(std::string_view digits) {
  CHECK(digits.size() % 2 == 0 &&
        std::all_of(digits.begin(), digits.end(),
                    [](unsigned char digit) { return absl::ascii_isxdigit(digit); }))
      << "expected two hexadecimal digits for each byte";
  const std::string bytes = absl::HexStringToBytes(absl::string_view(digits.data(), digits.size()));
  return {bytes.begin(), bytes.end()};
}

V1_2::DataLocation Put(const std::vector<uint8_t>& value, std::vector<uint8_t>& memory,
                       uint32_t offset, uint32_t pool) {
  CHECK(offset <= memory.size() && value.size() <= memory.size() - offset)
      << value.size() << " bytes at " << offset << " of " << memory.size();
  std::copy(value.begin(), value.end(), memory.begin() + offset);
  return {pool, offset, static_cast<uint32_t>(value.size())};
}

V1_2::Operand MakeOperand(V1_2::OperandType type, const std::vector<uint32_t>& dimensions,
                          V1_2::OperandLifeTime lifetime, float scale, int32_t zero_point) {
  V1_2::Operand operand;
  operand.type = type;
  operand.dimensions = dimensions;
  operand.lifetime = lifetime;
  operand.scale = scale;
  operand.zeroPoint = zero_point;
  return operand;
}

void CountConsumers(V1_2::Model& model) {
  for (V1_2::Operand& operand : model.operands) operand.numberOfConsumers = 0;
  for (const V1_2::Operation& operation : model.operations) {
    for (const uint32_t input : operation.inputs) ++model.operands.at(input).numberOfConsumers;
  }
}

Input Value(const std::vector<uint32_t>& dimensions, const std::vector<uint8_t>& bytes) {
  return {false, dimensions, bytes};
}

Input Omitted() { return {true, {}, {}}; }

Output NotCompared(const std::vector<uint32_t>& dimensions, size_t size) {
  return {dimensions, size, 1, nullptr, {}};
}

}  // namespace nncert::hal::replay
