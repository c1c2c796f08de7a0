// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/graph_dump.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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
using V1_2::Operation;

// A shape, the axes of a reduction or the paddings of four dimensions are written out.
constexpr uint32_t kMostElements = 8;
constexpr size_t kMostScales = 4;

constexpr std::string_view kHead = R"(digraph {
  graph [labelloc=t, fontname="Helvetica", fontsize=14, ranksep=0.3]
  node [fontname="Helvetica", fontsize=10, margin="0.1,0.05"]
  edge [fontname="Helvetica", fontsize=8, arrowsize=0.7]
)";

constexpr std::string_view kOrdinaryStyle = "shape=box, style=\"rounded\"";
constexpr std::string_view kInputStyle =
    "shape=box, style=\"rounded,filled\", fillcolor=\"#c8e6c9\"";
constexpr std::string_view kOutputStyle =
    "shape=box, style=\"rounded,filled\", fillcolor=\"#ffcc80\"";
constexpr std::string_view kOperationColor = "#bbdefb";

// Text within a label that is markup.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        // Graphviz refuses text that is not UTF-8, and may take a backslash for its own.
        escaped += character >= ' ' && character <= '~' && character != '\\' ? character : '?';
    }
  }
  return escaped;
}

std::string NumberToString(Float16 value) { return absl::StrCat(Float16ToFloat(value.bits)); }
template <typename Number>
std::string NumberToString(Number value) {
  return absl::StrCat(value);
}

template <typename Storage>
std::string ElementToString(OperandType type, const uint8_t* bytes) {
  Storage value;
  std::memcpy(&value, bytes, sizeof value);
  if (type == OperandType::BOOL || type == OperandType::TENSOR_BOOL8) {
    return *bytes != 0 ? "true" : "false";
  }
  return NumberToString(value);
}

// An element as it is stored: quantized ones as integers.
std::string ElementToString(OperandType type, const uint8_t* bytes) {
  switch (type) {
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, SCALAR, BYTES, STORAGE, ...) \
  case OperandType::NAME:                                                    \
    return ElementToString<STORAGE>(type, bytes);
#include "hal/operand_types.def"
  }
  return "?";
}

// The elements of a constant: "5" of a scalar, "{1, 2}" of a tensor. Empty when they are many, when
// their type is not one of the HAL's, and when they are not in operandValues.
std::string ElementsToString(const Model& model, const Operand& operand) {
  const uint32_t size = nonExtensionElementSize(operand.type);
  const uint32_t length = operand.location.length;
  if (operand.lifetime != OperandLifeTime::CONSTANT_COPY || size == 0 || length == 0 ||
      length > kMostElements * size || nonExtensionOperandSizeOfData(operand) != uint64_t{length} ||
      uint64_t{operand.location.offset} + length > model.operandValues.size()) {
    return "";
  }
  const uint8_t* const bytes = model.operandValues.data() + operand.location.offset;
  if (nonExtensionOperandTypeIsScalar(operand.type)) return ElementToString(operand.type, bytes);
  std::vector<std::string> elements;
  for (uint32_t i = 0; i < length; i += size) {
    elements.push_back(ElementToString(operand.type, bytes + i));
  }
  return absl::StrCat("{", absl::StrJoin(elements, ", "), "}");
}

// Scale and zeroPoint, the scales of channels, or how much an extension has to say; often nothing.
std::string QuantizationToString(const Operand& operand) {
  if (const auto* channels = std::get_if<V1_2::SymmPerChannelQuantParams>(&operand.extraParams)) {
    const size_t shown = std::min(channels->scales.size(), kMostScales);
    const size_t more = channels->scales.size() - shown;
    return absl::StrCat(
        "scales ", absl::StrJoin(channels->scales.begin(), channels->scales.begin() + shown, ", "),
        more > 0 ? absl::StrCat(" and ", more, " more") : "", " along dimension ",
        channels->channelDim);
  }
  std::vector<std::string> texts;
  if (const auto* extension = std::get_if<std::vector<uint8_t>>(&operand.extraParams)) {
    texts.push_back(absl::StrCat("extraParams of ", extension->size(), " bytes"));
  }
  if (isQuantized(operand.type) || operand.scale != 0 || operand.zeroPoint != 0) {
    texts.push_back(absl::StrCat("scale ", operand.scale, ", zeroPoint ", operand.zeroPoint));
  }
  return absl::StrJoin(texts, ", ");
}

// What there is to say of an operand beside its number, in lines.
std::vector<std::string> Description(const Model& model, const Operand& operand) {
  std::vector<std::string> lines = {toString(model, operand.type)};
  if (!operand.dimensions.empty()) {
    absl::StrAppend(&lines.back(), " ", dimensionsToString(operand.dimensions));
  }
  const std::string elements = ElementsToString(model, operand);
  if (!elements.empty()) absl::StrAppend(&lines.back(), " = ", elements);
  std::string quantization = QuantizationToString(operand);
  if (!quantization.empty()) lines.push_back(std::move(quantization));
  lines.push_back(toString(operand.lifetime));
  if (isConstant(operand.lifetime) && elements.empty()) {
    absl::StrAppend(&lines.back(), ", ", operand.location.length, " bytes at ",
                    operand.location.offset, " of ",
                    operand.lifetime == OperandLifeTime::CONSTANT_COPY
                        ? "operandValues"
                        : absl::StrCat("pool ", operand.location.poolIndex));
  }
  for (std::string& line : lines) line = Escaped(line);
  return lines;
}

// One drawing.
class Drawing {
 public:
  Drawing(const Model& model, const std::vector<ArgumentNames>& names, std::ostream& stream)
      : model_(model), names_(names), stream_(stream), places_(model.operands.size()) {
    for (size_t i = 0; i < places_.size(); ++i) {
      const OperandLifeTime lifetime = model.operands[i].lifetime;
      places_[i].is_node = !isConstant(lifetime) && lifetime != OperandLifeTime::NO_VALUE;
    }
    for (const Operation& operation : model.operations) {
      ForPlaces(operation.inputs, [](Place& place, size_t) { place.is_read = true; });
      ForPlaces(operation.outputs, [](Place& place, size_t) { place.is_node = true; });
    }
    ForPlaces(model.inputIndexes, [](Place& place, size_t i) {
      place.titles.push_back(absl::StrCat("<B>input ", i, " of the model</B>"));
      place.style = kInputStyle;
    });
    ForPlaces(model.outputIndexes, [](Place& place, size_t i) {
      place.titles.push_back(absl::StrCat("<B>output ", i, " of the model</B>"));
      place.style = kOutputStyle;
    });
    for (Place& place : places_) {
      // Nothing of a model is left out of its picture.
      place.is_node = place.is_node || !place.is_read || !place.titles.empty();
    }
  }

  void Draw(std::string_view name) {
    stream_ << kHead << "  label=<" << (name.empty() ? "" : "<B>" + Escaped(name) + "</B><BR/>")
            << "operations: " << model_.operations.size()
            << ", operands: " << model_.operands.size()
            << (model_.relaxComputationFloat32toFloat16 ? ", relaxComputationFloat32toFloat16" : "")
            << ">\n\n";
    for (size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].is_node) DrawOperand(i);
    }
    for (size_t i = 0; i < model_.operations.size(); ++i) DrawOperation(i);
    stream_ << "}\n";
  }

 private:
  // Where an operand has its place in the drawing.
  struct Place {
    // Whether it has a box of its own. Constants and omitted operands have rows in the operations
    // that read them instead, unless an operation writes them or they are arguments of the model.
    bool is_node = false;
    bool is_read = false;
    std::vector<std::string> titles = {};
    std::string_view style = kOrdinaryStyle;
  };

  // Calls visit(place, i) for the operands that indexes[i] names, as far as there are such.
  template <typename Visitor>
  void ForPlaces(const std::vector<uint32_t>& indexes, Visitor visit) {
    for (size_t i = 0; i < indexes.size(); ++i) {
      if (indexes[i] < places_.size()) visit(places_[indexes[i]], i);
    }
  }

  bool IsNode(uint32_t index) const { return index < places_.size() && places_[index].is_node; }

  void DrawOperand(size_t index) {
    std::vector<std::string> lines = places_[index].titles;
    lines.push_back(absl::StrCat("operand ", index));
    for (std::string& line : Description(model_, model_.operands[index])) {
      lines.push_back(std::move(line));
    }
    stream_ << "  operand" << index << " [" << places_[index].style << ", label=<"
            << absl::StrJoin(lines, "<BR/>") << ">]\n";
  }

  // The rows of those operands of an operation that have no node.
  std::vector<std::string> Rows(const std::vector<uint32_t>& indexes, absl::string_view role,
                                const std::vector<std::string>& names) {
    std::vector<std::string> rows;
    for (size_t i = 0; i < indexes.size(); ++i) {
      if (IsNode(indexes[i])) continue;
      const std::string description =
          indexes[i] < model_.operands.size()
              ? absl::StrJoin(Description(model_, model_.operands[indexes[i]]), ", ")
              : "there is none";
      rows.push_back(absl::StrCat("    <TR><TD>", RoleOf(role, i, names), "</TD><TD>operand ",
                                  indexes[i], "</TD><TD ALIGN=\"LEFT\">", description,
                                  "</TD></TR>\n"));
    }
    return rows;
  }

  // "input 1", or with a name "input 1: filter".
  static std::string RoleOf(absl::string_view role, size_t i,
                            const std::vector<std::string>& names) {
    return absl::StrCat(role, " ", i, i < names.size() ? ": " + Escaped(names[i]) : "");
  }

  void DrawOperation(size_t index) {
    const Operation& operation = model_.operations[index];
    const ArgumentNames names = index < names_.size() ? names_[index] : ArgumentNames();
    const std::string node = absl::StrCat("operation", index);
    std::string rows =
        absl::StrCat(absl::StrJoin(Rows(operation.inputs, "input", names.inputs), ""),
                     absl::StrJoin(Rows(operation.outputs, "output", names.outputs), ""));
    stream_ << "\n  " << node
            << " [shape=plain, label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" "
               "CELLPADDING=\"4\">\n    <TR><TD"
            << (rows.empty() ? "" : " COLSPAN=\"3\"") << " BGCOLOR=\"" << kOperationColor
            << "\"><B>" << index << ": " << Escaped(toString(model_, operation.type))
            << "</B></TD></TR>\n"
            << rows << "    </TABLE>>]\n";
    const auto label = [](const std::vector<uint32_t>& indexes, absl::string_view role, size_t i,
                          const std::vector<std::string>& names_of_role) {
      return indexes.size() > 1 ? absl::StrCat(" [label=\"", RoleOf(role, i, names_of_role), "\"]")
                                : "";
    };
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      if (!IsNode(operation.inputs[i])) continue;
      stream_ << "  operand" << operation.inputs[i] << " -> " << node
              << label(operation.inputs, "input", i, names.inputs) << "\n";
    }
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      if (!IsNode(operation.outputs[i])) continue;
      stream_ << "  " << node << " -> operand" << operation.outputs[i]
              << label(operation.outputs, "output", i, names.outputs) << "\n";
    }
  }

  const Model& model_;
  const std::vector<ArgumentNames>& names_;
  std::ostream& stream_;
  std::vector<Place> places_;
};

}  // namespace

void graphDump(std::string_view name, const Model& model, std::ostream& stream,
               const std::vector<ArgumentNames>& names) {
  Drawing(model, names, stream).Draw(name);
}

}  // namespace nncert::hal
