// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/spec_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "cases/element_values.h"
#include "cases/model_values.h"
#include "cases/operand_names.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "reference/catalogue.h"
#include "reference/extension.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;

// Lines of the spec are as long as those of any other file.
constexpr size_t kColumns = 100;

// Longer values are given as hexadecimal digits, which Python reads faster by far.
constexpr size_t kMostElementsAsNumbers = 65536;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// A Python string literal.
std::string Literal(std::string_view text) {
  std::string literal = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      literal += '\\';
      literal += character;
    } else if (byte < 0x20 || byte == 0x7F) {
      absl::StrAppendFormat(&literal, "\\x%02x", byte);
    } else {
      literal += character;
    }
  }
  return literal + "\"";
}

template <typename Number>
std::string Shortest(Number value) {
  std::array<char, 32> text;
  const std::to_chars_result result = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), result.ptr);
}

// A finite or infinite number as a Python expression of a float, which comes to exactly `value`.
std::string FloatExpression(double value) {
  if (std::isinf(value)) return value > 0 ? "math.inf" : "-math.inf";
  const float narrow = static_cast<float>(value);
  std::string text = Shortest(narrow);
  // Python reads a double and rounds it to a float afterwards; that is not always the same.
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  if (static_cast<double>(narrow) != value || static_cast<float>(read) != narrow) {
    text = Shortest(value);
  }
  // Python would take "-0" for the integer, which has no sign.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Elements as Python expressions; nothing where numbers cannot say them.
std::optional<std::vector<std::string>> ElementExpressions(OperandType type,
                                                           absl::Span<const uint8_t> data) {
  const ElementKind kind = ElementKindOf(type);
  if (data.size() > kMostElementsAsNumbers * NativeElementSize(kind)) return std::nullopt;
  std::vector<std::string> expressions;
  if (kind == ElementKind::kBool) {
    for (const uint8_t byte : data) {
      if (byte > 1) return std::nullopt;
      expressions.push_back(byte == 0 ? "False" : "True");
    }
    return expressions;
  }
  const bool is_float = kind == ElementKind::kFloat32 || kind == ElementKind::kFloat16;
  for (const double number : DecodeElements(type, data)) {
    // NaNs differ by bits that a number does not show.
    if (std::isnan(number)) return std::nullopt;
    expressions.push_back(is_float ? FloatExpression(number)
                                   : absl::StrCat(static_cast<int64_t>(number)));
  }
  return expressions;
}

// Writes the text of a spec.
class Writer {
 public:
  explicit Writer(const TestCase& test_case)
      : case_(test_case),
        model_(test_case.model),
        numbered_(WithCataloguePrefixes(test_case.model)),
        names_(NamesOfOperands(test_case.model)) {}

  absl::StatusOr<std::string> Write();

 private:
  absl::Status Check() const;
  absl::Status CheckExtensions() const;
  absl::Status CheckOperand(uint32_t index) const;
  void WriteExtensions();
  std::string NameOfType(uint32_t operand) const;
  std::string NameOfOperation(const hal::V1_2::Operation& operation) const;
  absl::Status WriteOperands();
  void WriteOperations();
  void WriteExample();
  bool IsIgnored(uint32_t operand) const;
  // The name of the extension that a type of the model belongs to; nothing for the HAL's own types.
  template <typename Type>
  std::optional<std::string> ExtensionNameOf(Type type) const {
    const uint16_t prefix = hal::extensionPrefix(type);
    return prefix == 0 ? std::nullopt : hal::extensionName(model_, prefix);
  }
  std::string TypeOf(uint32_t index) const;

  // Adds a line that ends in a bracketed list, broken into several where it is too long.
  void WriteList(std::string_view before, char open, const std::vector<std::string>& items,
                 std::string_view after);
  // Adds `before`, the elements as a list or as Bytes, and `after`.
  void WriteElements(const std::string& before, OperandType type, absl::Span<const uint8_t> data,
                     const std::string& after);

  const std::string& Name(uint32_t operand) const { return names_[operand]; }
  std::vector<std::string> Names(const std::vector<uint32_t>& operands) const {
    std::vector<std::string> names;
    for (const uint32_t operand : operands) names.push_back(Name(operand));
    return names;
  }

  const TestCase& case_;
  const Model& model_;
  // The same in the catalogue's numbering of extensions.
  const Model numbered_;
  // What operands are called in the spec.
  const std::vector<std::string> names_;
  std::string text_;
};

absl::Status Unimplemented(const std::string& text) {
  return absl::UnimplementedError(absl::StrCat("a spec cannot say this: ", text));
}

absl::Status Writer::CheckOperand(uint32_t index) const {
  const Operand& operand = model_.operands[index];
  const std::string where = absl::StrCat("operand ", index, " ");
  if (hal::isExtensionOperandType(operand.type) && !ExtensionNameOf(operand.type).has_value()) {
    return Unimplemented(absl::StrCat(where, "is of type ", hal::toString(operand.type),
                                      ", whose extension the model does not name"));
  }
  if (std::isnan(operand.scale)) return Unimplemented(absl::StrCat(where, "has the scale NaN"));
  return absl::OkStatus();
}

absl::Status Writer::Check() const {
  if (absl::Status status = CheckOperandIndexes(model_); !status.ok()) return status;
  if (absl::Status status = CheckExtensions(); !status.ok()) return status;
  const std::vector<uint32_t> consumers = CountConsumers(model_);
  for (uint32_t i = 0; i < model_.operands.size(); ++i) {
    if (absl::Status status = CheckOperand(i); !status.ok()) return status;
    if (consumers[i] == model_.operands[i].numberOfConsumers) continue;
    return Unimplemented(absl::StrCat("operand ", i, " has numberOfConsumers ",
                                      model_.operands[i].numberOfConsumers, "; operations read it ",
                                      consumers[i], " times"));
  }
  for (size_t i = 0; i < case_.examples.size(); ++i) {
    const Example& example = case_.examples[i];
    if (example.inputs.size() != model_.inputIndexes.size() ||
        example.outputs.size() != model_.outputIndexes.size()) {
      return Unimplemented(absl::StrCat("example ", i, " has ", example.inputs.size(),
                                        " inputs and ", example.outputs.size(), " outputs"));
    }
    for (size_t k = 0; k < example.outputs.size(); ++k) {
      if (example.outputs[k].ignored == IsIgnored(model_.outputIndexes[k])) continue;
      return Unimplemented(
          absl::StrCat("output ", k, " is ignored in one example and not in another"));
    }
  }
  return absl::OkStatus();
}

// Checks that the model names each extension once, and with a prefix of its own.
absl::Status Writer::CheckExtensions() const {
  std::set<std::string_view> names;
  std::set<uint16_t> prefixes;
  for (const auto& [name, prefix] : model_.extensionNameToPrefix) {
    if (prefix != 0 && !name.empty() && names.insert(name).second &&
        prefixes.insert(prefix).second) {
      continue;
    }
    return Unimplemented(
        absl::StrCat("the extension ", Literal(name), " with the prefix ", prefix,
                     " has no name, or not a name and a prefix that no other one has"));
  }
  return absl::OkStatus();
}

// How the spec calls the type of an operand.
std::string Writer::NameOfType(uint32_t operand) const {
  const OperandType type = model_.operands[operand].type;
  const std::optional<std::string> extension = ExtensionNameOf(type);
  if (!extension.has_value()) return hal::toString(type);
  const ExtensionOperandType* const known =
      FindExtensionOperandType(numbered_.operands[operand].type);
  return absl::StrCat(*extension, ".",
                      known != nullptr ? std::string(known->name)
                                       : absl::StrCat("TYPE_", hal::typeWithinExtension(type)));
}

// How the spec calls an operation; nothing when it can only say its number.
std::string Writer::NameOfOperation(const hal::V1_2::Operation& operation) const {
  const std::optional<std::string> extension = ExtensionNameOf(operation.type);
  if (!extension.has_value()) {
    std::string name = hal::toString(operation.type);
    return hal::operationTypeFromString(name).has_value() ? name : "";
  }
  std::string name = OperationName(model_, operation.type);
  // A name of the catalogue ends with the operation's, any other one with its number in brackets.
  if (FindOperation(name) != nullptr) return name;
  return absl::StrCat(*extension, ".OPERATION_", hal::typeWithinExtension(operation.type));
}

void Writer::WriteExtensions() {
  for (const auto& [name, prefix] : model_.extensionNameToPrefix) {
    std::map<std::string, std::string> types;
    for (uint32_t i = 0; i < model_.operands.size(); ++i) {
      const OperandType type = model_.operands[i].type;
      if (hal::extensionPrefix(type) != prefix) continue;
      const ExtensionOperandType* const known =
          FindExtensionOperandType(numbered_.operands[i].type);
      const std::string number = absl::StrCat(hal::typeWithinExtension(type));
      types[NameOfType(i).substr(name.size() + 1)] =
          known != nullptr && known->stored_as.has_value()
              ? absl::StrCat("(", number, ", ", Literal(hal::toString(*known->stored_as)), ")")
              : number;
    }
    std::map<std::string, std::string> operations;
    for (const hal::V1_2::Operation& operation : model_.operations) {
      if (hal::extensionPrefix(operation.type) != prefix) continue;
      operations[NameOfOperation(operation).substr(name.size() + 1)] =
          absl::StrCat(hal::typeWithinExtension(operation.type));
    }
    const auto entries = [](const std::map<std::string, std::string>& map) {
      return absl::StrJoin(map, ", ", [](std::string* text, const auto& entry) {
        absl::StrAppend(text, Literal(entry.first), ": ", entry.second);
      });
    };
    absl::StrAppend(&text_, "Extension(", Literal(name), ",\n          operandTypes={",
                    entries(types), "},\n          operations={", entries(operations),
                    "},\n          prefix=", prefix, ")\n\n");
  }
}

bool Writer::IsIgnored(uint32_t operand) const {
  if (case_.examples.empty()) return false;
  const std::vector<uint32_t>& indexes = model_.outputIndexes;
  const auto found = std::find(indexes.begin(), indexes.end(), operand);
  return found != indexes.end() && case_.examples[0].outputs[found - indexes.begin()].ignored;
}

void Writer::WriteList(std::string_view before, char open, const std::vector<std::string>& items,
                       std::string_view after) {
  const char close = open == '(' ? ')' : open == '[' ? ']' : '}';
  const std::string line =
      absl::StrCat(View(before), std::string(1, open), absl::StrJoin(items, ", "),
                   std::string(1, close), View(after), "\n");
  if (line.size() <= kColumns + 1) {
    text_ += line;
    return;
  }
  absl::StrAppend(&text_, View(before), std::string(1, open), "\n");
  std::string part = "   ";
  for (const std::string& item : items) {
    if (part.size() + item.size() + 2 > kColumns && part.size() > 3) {
      absl::StrAppend(&text_, part, "\n");
      part = "   ";
    }
    absl::StrAppend(&part, " ", item, ",");
  }
  absl::StrAppend(&text_, part, "\n", std::string(1, close), View(after), "\n");
}

void Writer::WriteElements(const std::string& before, OperandType type,
                           absl::Span<const uint8_t> data, const std::string& after) {
  if (const auto expressions = ElementExpressions(type, data)) {
    WriteList(before, '[', *expressions, after);
    return;
  }
  std::vector<std::string> parts;
  const std::string digits = absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(data.data()), data.size()));
  constexpr size_t kDigits = 88;
  for (size_t i = 0; i < digits.size(); i += kDigits) {
    parts.push_back(absl::StrCat("\"", digits.substr(i, kDigits), "\""));
  }
  absl::StrAppend(&text_, before, "Bytes(\n    ", absl::StrJoin(parts, "\n    "), "\n)", after,
                  "\n");
}

std::string Writer::TypeOf(uint32_t index) const {
  const Operand& operand = model_.operands[index];
  std::string text = absl::StrCat("(", Literal(NameOfType(index)), ", ",
                                  hal::dimensionsToString(operand.dimensions));
  if (operand.scale != 0 || std::signbit(operand.scale) || operand.zeroPoint != 0) {
    absl::StrAppend(&text, ", ", FloatExpression(operand.scale), ", ", operand.zeroPoint);
  }
  return text + ")";
}

absl::Status Writer::WriteOperands() {
  bool in_shared_memory = false;
  for (uint32_t i = 0; i < model_.operands.size(); ++i) {
    const Operand& operand = model_.operands[i];
    const bool is_reference = operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE;
    const bool is_constant = is_reference || operand.lifetime == OperandLifeTime::CONSTANT_COPY;
    if (is_constant && is_reference != in_shared_memory) {
      in_shared_memory = is_reference;
      absl::StrAppend(
          &text_, "Configuration.use_shm_for_weights = ", is_reference ? "True" : "False", "\n");
    }
    absl::string_view constructor;
    switch (operand.lifetime) {
      case OperandLifeTime::MODEL_INPUT:
        constructor = "Input";
        break;
      case OperandLifeTime::MODEL_OUTPUT:
        constructor = IsIgnored(i) ? "IgnoredOutput" : "Output";
        break;
      case OperandLifeTime::TEMPORARY_VARIABLE:
        constructor = "Internal";
        break;
      case OperandLifeTime::NO_VALUE:
        constructor = "NoValue";
        break;
      case OperandLifeTime::CONSTANT_COPY:
      case OperandLifeTime::CONSTANT_REFERENCE:
        constructor = "Parameter";
        break;
    }
    if (constructor.empty()) {
      return Unimplemented(
          absl::StrCat("operand ", i, " has the lifetime ", hal::toString(operand.lifetime)));
    }
    const std::string name = Name(i);
    const std::string before =
        absl::StrCat(name, " = ", constructor, "(", Literal(name), ", ", TypeOf(i));
    std::string after = ")";
    if (const auto* quantization =
            std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&operand.extraParams)) {
      std::vector<std::string> scales;
      for (const float scale : quantization->scales) {
        if (std::isnan(scale)) return Unimplemented(absl::StrCat(name, " has the scale NaN"));
        scales.push_back(FloatExpression(scale));
      }
      WriteList(absl::StrCat(name, "_scales = "), '[', scales, "");
      after = absl::StrFormat(
          ", extraParams=SymmPerChannelQuantParams(channelDim=%d, scales=%s_scales))",
          quantization->channelDim, name);
    }
    if (const auto* params = std::get_if<std::vector<uint8_t>>(&operand.extraParams)) {
      after = absl::StrCat(", extraParams=ExtensionParams(Bytes(\"",
                           absl::BytesToHexString(absl::string_view(
                               reinterpret_cast<const char*>(params->data()), params->size())),
                           "\")))");
    }
    if (!is_constant) {
      absl::StrAppend(&text_, before, after, "\n");
      continue;
    }
    absl::StatusOr<std::vector<uint8_t>> value = ConstantValue(model_, i);
    if (!value.ok()) return value.status();
    WriteElements(before + ", ", numbered_.operands[i].type, *value, after);
  }
  return absl::OkStatus();
}

void Writer::WriteOperations() {
  text_ += "\nmodel = Model()\n";
  std::vector<uint32_t> all(model_.operands.size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  WriteList("model.DeclareOperands", '(', Names(all), "");
  for (const hal::V1_2::Operation& operation : model_.operations) {
    const std::string name = NameOfOperation(operation);
    std::vector<std::string> arguments = Names(operation.inputs);
    arguments.insert(arguments.begin(), name.empty()
                                            ? absl::StrCat(static_cast<uint32_t>(operation.type))
                                            : Literal(name));
    WriteList("model.Operation", '(', arguments, "");
    if (!operation.outputs.empty()) WriteList("model.To", '(', Names(operation.outputs), "");
  }
  WriteList("model_inputs = ", '[', Names(model_.inputIndexes), "");
  WriteList("model_outputs = ", '[', Names(model_.outputIndexes), "");
  text_ += "model.IdentifyInputsAndOutputs(model_inputs, model_outputs)\n";
  if (model_.relaxComputationFloat32toFloat16) text_ += "model.RelaxedExecution(True)\n";
}

void Writer::WriteExample() {
  std::vector<std::string> feeds;
  for (size_t i = 0; i < case_.examples.size(); ++i) {
    const Example& example = case_.examples[i];
    const std::string feed = absl::StrCat("feed", i);
    absl::StrAppend(&text_, "\n", feed, " = ({}, {})\n");
    const auto write = [&](int half, uint32_t index, const std::vector<uint32_t>& dimensions,
                           const std::vector<uint8_t>& data, bool is_ignored) {
      const Operand& operand = numbered_.operands[index];
      const std::string target = absl::StrCat(feed, "[", half, "][", Name(index), "] = ");
      const bool has_own_dimensions = dimensions != operand.dimensions;
      if (is_ignored) {
        if (has_own_dimensions) {
          absl::StrAppend(&text_, target, "Value(", hal::dimensionsToString(dimensions), ")\n");
        }
        return;
      }
      // An input without any elements is not an omitted one.
      if (has_own_dimensions || (half == 0 && data.empty())) {
        WriteElements(absl::StrCat(target, "Value(", hal::dimensionsToString(dimensions), ", "),
                      operand.type, data, ")");
      } else {
        WriteElements(target, operand.type, data, "");
      }
    };
    for (size_t k = 0; k < example.inputs.size(); ++k) {
      const InputValue& input = example.inputs[k];
      if (input.hasNoValue) {
        absl::StrAppend(&text_, feed, "[0][", Name(model_.inputIndexes[k]), "] = Omitted\n");
      } else {
        write(0, model_.inputIndexes[k], input.dimensions, input.data, false);
      }
    }
    for (size_t k = 0; k < example.outputs.size(); ++k) {
      const ExpectedOutput& output = example.outputs[k];
      write(1, model_.outputIndexes[k], output.dimensions, output.data, output.ignored);
    }
    feeds.push_back(feed);
  }
  text_ += "\n";
  feeds.push_back("model=model");
  WriteList("example = Example", '(', feeds, "");
  const auto version = [](std::optional<hal::HalVersion> stated) {
    return stated.has_value() ? Literal(hal::namespaceName(*stated)) : std::string("None");
  };
  absl::StrAppend(&text_, "example.WithName(", Literal(case_.name), ")\n");
  absl::StrAppend(
      &text_, "example.WithDynamicOutputShapeName(",
      case_.dynamicOutputShapeName.empty() ? "None" : Literal(case_.dynamicOutputShapeName), ")\n");
  absl::StrAppend(&text_, "example.WithMinimumVersion(", version(case_.minimumVersion), ")\n");
  absl::StrAppend(&text_, "example.WithSpecVersion(", version(case_.specVersion), ")\n");
  if (case_.quantizedTolerance != 1) {
    absl::StrAppend(&text_, "example.WithQuantizedTolerance(", case_.quantizedTolerance, ")\n");
  }
  if (case_.multinomialDistributionTolerance != 0) {
    absl::StrAppend(&text_, "example.WithMultinomialDistributionTolerance(",
                    FloatExpression(case_.multinomialDistributionTolerance), ")\n");
  }
  if (!case_.deviation.empty()) {
    absl::StrAppend(&text_, "example.WithDeviation(", Literal(case_.deviation), ")\n");
  }
  if (case_.expectFailure) text_ += "example.ExpectFailure()\n";
}

absl::StatusOr<std::string> Writer::Write() {
  if (absl::Status status = Check(); !status.ok()) return status;
  text_ = absl::StrCat("# The test case ", Literal(case_.name),
                       ", written by nncert. The spec reader reads it.\n\n");
  WriteExtensions();
  if (absl::Status status = WriteOperands(); !status.ok()) return status;
  WriteOperations();
  WriteExample();
  return std::move(text_);
}

}  // namespace

absl::StatusOr<std::string> WriteSpec(const TestCase& test_case) {
  return Writer(test_case).Write();
}

}  // namespace nncert
