// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/graph_dump.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "glog/logging.h"
#include "hal/extension.h"
#include "hal/float16.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert::hal {
namespace {

using V1_2::Model;
using V1_2::Operand;
using V1_2::OperandLifeTime;
using V1_2::OperandType;

std::string_view KindOf(OperandLifeTime lifetime) {
  switch (lifetime) {
    case OperandLifeTime::CONSTANT_COPY:
      return ": COPY";
    case OperandLifeTime::CONSTANT_REFERENCE:
      return ": REF";
    case OperandLifeTime::NO_VALUE:
      return ": NO";
    case OperandLifeTime::TEMPORARY_VARIABLE:
    case OperandLifeTime::MODEL_INPUT:
    case OperandLifeTime::MODEL_OUTPUT:
      return "";
  }
  return ": ?";
}

// Text for a label: the names of extensions are whatever a model says.
std::string Escaped(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; }, '?');
  return text;
}

std::string ShortName(const Model& model, OperandType type) {
  const OperandTypeProperties* const properties = operandTypeProperties(type);
  return properties == nullptr ? Escaped(toString(model, type))
                               : std::string(properties->shortName);
}

template <typename Value>
Value Load(const uint8_t* bytes) {
  Value value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// " = 5" for a scalar whose value is in operandValues, else nothing.
std::string ScalarValue(const Model& model, const Operand& operand) {
  const uint64_t end = uint64_t{operand.location.offset} + operand.location.length;
  if (operand.lifetime != OperandLifeTime::CONSTANT_COPY || operand.location.length == 0 ||
      operand.location.length != nonExtensionElementSize(operand.type) ||
      end > model.operandValues.size()) {
    return "";
  }
  const uint8_t* const bytes = model.operandValues.data() + operand.location.offset;
  switch (operand.type) {
    case OperandType::FLOAT32:
      return absl::StrCat(" = ", Load<float>(bytes));
    case OperandType::INT32:
      return absl::StrCat(" = ", Load<int32_t>(bytes));
    case OperandType::UINT32:
      return absl::StrCat(" = ", Load<uint32_t>(bytes));
    case OperandType::FLOAT16:
      return absl::StrCat(" = ", Float16ToFloat(Load<uint16_t>(bytes)));
    case OperandType::BOOL:
      return *bytes != 0 ? " = true" : " = false";
    default:
      return "";
  }
}

void DumpOperands(const Model& model, std::ostream& stream) {
  std::vector<bool> is_argument(model.operands.size(), false);
  for (const auto* indexes : {&model.inputIndexes, &model.outputIndexes}) {
    for (const uint32_t index : *indexes) {
      if (index < is_argument.size()) is_argument[index] = true;
    }
  }
  for (size_t i = 0; i < model.operands.size(); ++i) {
    const Operand& operand = model.operands[i];
    stream << "    d" << i << " [";
    if (is_argument[i]) stream << "style=filled fillcolor=black fontcolor=white ";
    stream << "label=\"" << i << KindOf(operand.lifetime) << "\\n"
           << ShortName(model, operand.type) << ScalarValue(model, operand);
    if (!operand.dimensions.empty()) stream << "(" << absl::StrJoin(operand.dimensions, "x") << ")";
    stream << "\"]\n";
  }
}

void DumpOperation(const Model& model, size_t index, std::ostream& stream) {
  const V1_2::Operation& operation = model.operations[index];
  stream << "    n" << index << " [shape=box";
  if (std::max(operation.inputs.size(), operation.outputs.size()) > 1) {
    stream << (operation.inputs.size() >= operation.outputs.size() ? " ordering=in"
                                                                   : " ordering=out");
  }
  stream << " label=\"" << index << ": " << Escaped(toString(model, operation.type)) << "\"]\n";
  const auto position = [](size_t i, size_t count) {
    return count > 1 ? absl::StrCat(" [label=", i, "]") : std::string();
  };
  for (size_t i = 0; i < operation.inputs.size(); ++i) {
    stream << "    d" << operation.inputs[i] << " -> n" << index
           << position(i, operation.inputs.size()) << "\n";
  }
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    stream << "    n" << index << " -> d" << operation.outputs[i]
           << position(i, operation.outputs.size()) << "\n";
  }
}

}  // namespace

void graphDump(std::string_view name, const Model& model, std::ostream& stream) {
  // The name must not leave its comment.
  std::string comment(name);
  std::replace_if(
      comment.begin(), comment.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  stream << "// " << comment << "\ndigraph {\n";
  DumpOperands(model, stream);
  for (size_t i = 0; i < model.operations.size(); ++i) {
    DumpOperation(model, i, stream);
  }
  stream << "}\n";
}

void graphDump(std::string_view name, const Model& model) {
  std::stringstream stream;
  graphDump(name, model, stream);
  for (std::string line; std::getline(stream, line);) LOG(INFO) << line;
}

}  // namespace nncert::hal
