// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/google_test_writer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "cases/cpp_text.h"
#include "cases/element_values.h"
#include "cases/model_values.h"
#include "cases/operand_names.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "hal/version.h"
#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"
#include "reference/extension.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;

// Longer values are given by their bytes: compilers are slow to read numbers, and nobody else does.
constexpr size_t kMostElementsAsNumbers = 8192;

// Outputs of so many elements have one on each line.
constexpr size_t kMostElementsOnLines = 64;

constexpr absl::string_view kHead = R"(//
// It takes nncert's hal/ and GoogleTest; with Bazel:
//   deps = ["//hal/replay", "@com_google_googletest//:gtest_main"]
// The environment variable NNCERT_DRIVER names the shared object of the driver, behind which may be
// an option ("PATH.so:OPTION"). Without it the driver is the one that is linked in.

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "hal/extension.h"
#include "hal/float16.h"
#include "hal/memory.h"
#include "hal/replay/case.h"
#include "hal/replay/replay.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace {

using namespace nncert::hal;          // NOLINT(google-build-using-namespace)
using namespace nncert::hal::replay;  // NOLINT(google-build-using-namespace)
using V1_2::OperandLifeTime;
using V1_2::OperandType;
using V1_2::OperationType;
)";

// $0 is the lowest HAL version, $1 whether the case must fail.
constexpr absl::string_view kRunCase = R"(
void RunCase(OutputDimensions dimensions) {
  const auto device = DeviceUnderTest();
  ASSERT_TRUE(device.ok()) << device.status();
  const Case test_case = {MakeModel(), MakeExamples(), HalVersion::$0, /*must_fail=*/$1};
  const absl::Status status = Replay(*device, test_case, dimensions);
  if (absl::IsUnimplemented(status)) GTEST_SKIP() << status.message();
  EXPECT_TRUE(status.ok()) << status;
}
)";

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

absl::Status Unimplemented(const std::string& text) {
  return absl::UnimplementedError(absl::StrCat("a GoogleTest source cannot say this: ", text));
}

// Writes the code of one case.
class Writer {
 public:
  Writer(const AcceptedCase& accepted, CppText& text)
      : case_(accepted.test_case),
        model_(case_.model),
        numbered_(WithCataloguePrefixes(model_)),
        accepted_(accepted.answers),
        text_(text) {}

  absl::Status Write();

 private:
  absl::Status Check() const;
  void WriteNames();
  absl::Status WriteModel();
  absl::Status WriteOperand(uint32_t index);
  void WriteOperations();
  void WriteExamples();
  void WriteInput(size_t example, size_t input);
  void WriteOutput(size_t example, size_t output);
  void WriteElements(const std::string& before, OperandType type, const ExpectedOutput& expected,
                     absl::Span<const AcceptedElement> accepted);
  void WriteTests();

  // The type of an operand as elements are read by it.
  OperandType ElementTypeOf(uint32_t index) const { return numbered_.operands[index].type; }
  // Types of the model as C++ expressions.
  std::string TypeText(OperandType type) const;
  std::string TypeText(hal::V1_2::OperationType type) const;
  // What the operand is called in the file: "kInput0".
  const std::string& Name(uint32_t operand) const { return names_[operand]; }
  // A list of operands in braces, as items of a list.
  std::vector<std::string> BracedNames(const std::vector<uint32_t>& operands) const;

  const TestCase& case_;
  const Model& model_;
  // The same in the catalogue's numbering of extensions.
  const Model numbered_;
  const absl::Span<const AcceptedAnswer> accepted_;
  std::vector<std::string> names_;
  CppText& text_;
};

absl::Status Writer::Check() const {
  if (absl::Status status = CheckOperandIndexes(model_); !status.ok()) return status;
  const auto is_finite = [](float scale) { return std::isfinite(scale); };
  for (size_t i = 0; i < model_.operands.size(); ++i) {
    const Operand& operand = model_.operands[i];
    const auto* quantization =
        std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&operand.extraParams);
    if (!is_finite(operand.scale) ||
        (quantization != nullptr &&
         !std::all_of(quantization->scales.begin(), quantization->scales.end(), is_finite))) {
      return Unimplemented(absl::StrCat("operand ", i, " has a scale that is not finite"));
    }
    if (operand.lifetime < OperandLifeTime::TEMPORARY_VARIABLE ||
        operand.lifetime > OperandLifeTime::NO_VALUE) {
      return Unimplemented(
          absl::StrCat("operand ", i, " has the lifetime ", hal::toString(operand.lifetime)));
    }
  }
  if (accepted_.size() != case_.examples.size()) {
    return absl::InvalidArgumentError(absl::StrCat("there are accepted answers to ",
                                                   accepted_.size(), " examples; the case has ",
                                                   case_.examples.size()));
  }
  for (size_t i = 0; i < case_.examples.size(); ++i) {
    const Example& example = case_.examples[i];
    if (example.inputs.size() != model_.inputIndexes.size() ||
        example.outputs.size() != model_.outputIndexes.size()) {
      return Unimplemented(absl::StrCat("example ", i, " has ", example.inputs.size(),
                                        " inputs and ", example.outputs.size(), " outputs"));
    }
    if (accepted_[i].outputs.size() != example.outputs.size()) {
      return absl::InvalidArgumentError(absl::StrCat("there are ", accepted_[i].outputs.size(),
                                                     " accepted outputs of example ", i,
                                                     "; expected ", example.outputs.size()));
    }
    for (size_t k = 0; k < example.outputs.size(); ++k) {
      const OperandType type = ElementTypeOf(model_.outputIndexes[k]);
      const size_t accepted = accepted_[i].outputs[k].elements.size();
      if (accepted == 0 || IsOpaque(type) ||
          accepted == example.outputs[k].data.size() / NativeElementSize(ElementKindOf(type))) {
        continue;
      }
      return absl::InvalidArgumentError(absl::StrCat("there are ", accepted,
                                                     " accepted elements of output ", k,
                                                     " of example ", i, ", which has others"));
    }
  }
  return absl::OkStatus();
}

std::string Writer::TypeText(OperandType type) const {
  if (hal::operandTypeProperties(type) != nullptr) {
    return absl::StrCat("OperandType::", hal::toString(type));
  }
  if (!hal::isExtensionOperandType(type)) {
    return absl::StrCat("OperandType{", static_cast<int32_t>(type), "}");
  }
  return absl::StrCat("makeExtensionOperandType(", hal::extensionPrefix(type), ", ",
                      hal::typeWithinExtension(type), ")");
}

std::string Writer::TypeText(hal::V1_2::OperationType type) const {
  const std::string name = hal::toString(type);
  if (hal::operationTypeFromString(name).has_value()) return absl::StrCat("OperationType::", name);
  if (!hal::isExtensionOperationType(type)) {
    return absl::StrCat("OperationType{", static_cast<int32_t>(type), "}");
  }
  return absl::StrCat("makeExtensionOperationType(", hal::extensionPrefix(type), ", ",
                      hal::typeWithinExtension(type), ")");
}

std::vector<std::string> Writer::BracedNames(const std::vector<uint32_t>& operands) const {
  if (operands.empty()) return {"{}"};
  std::vector<std::string> items;
  for (const uint32_t operand : operands) items.push_back(Name(operand));
  items.front() = absl::StrCat("{", items.front());
  items.back() = absl::StrCat(items.back(), "}");
  return items;
}

void Writer::WriteNames() {
  for (std::string name : NamesOfOperands(model_)) {
    name[0] = absl::ascii_toupper(static_cast<unsigned char>(name[0]));
    names_.push_back(absl::StrCat("k", name));
  }
  if (names_.empty()) return;
  text_.Add("\n// The operands of the model, as its operations call them.\n",
            "enum : uint32_t {\n");
  for (uint32_t i = 0; i < names_.size(); ++i) {
    const Operand& operand = model_.operands[i];
    const bool is_known = FindExtensionOperandType(ElementTypeOf(i)) != nullptr;
    const std::string type =
        is_known ? NameOf(ElementTypeOf(i)) : hal::toString(model_, operand.type);
    text_.Add("  ", Name(i), " = ", i, ",  // ", CommentText(type), " ",
              hal::dimensionsToString(operand.dimensions), "\n");
  }
  text_.Add("};\n");
}

absl::Status Writer::WriteOperand(uint32_t index) {
  const Operand& operand = model_.operands[index];
  const std::string place = absl::StrCat("  model.operands[", Name(index), "]");
  std::vector<std::string> arguments = {
      TypeText(operand.type), DimensionsText(operand.dimensions),
      absl::StrCat("OperandLifeTime::", hal::toString(operand.lifetime))};
  if (operand.scale != 0 || std::signbit(operand.scale) || operand.zeroPoint != 0) {
    arguments.push_back(FloatText(operand.scale));
    if (operand.zeroPoint != 0) arguments.push_back(absl::StrCat(operand.zeroPoint));
  }
  text_.AddList(absl::StrCat(place, " = MakeOperand("), arguments, ");");
  if (const auto* quantization =
          std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&operand.extraParams)) {
    std::vector<std::string> scales;
    for (const float scale : quantization->scales) scales.push_back(FloatText(scale));
    text_.AddList(absl::StrCat(place, ".extraParams = V1_2::SymmPerChannelQuantParams{{"), scales,
                  absl::StrCat("}, ", quantization->channelDim, "};"));
  } else if (const auto* bytes = std::get_if<std::vector<uint8_t>>(&operand.extraParams)) {
    text_.AddHex(absl::StrCat(place, ".extraParams = "), *bytes, ";");
  }
  if (!hal::isConstant(operand.lifetime)) return absl::OkStatus();
  const absl::StatusOr<std::vector<uint8_t>> value = ConstantValue(model_, index);
  if (!value.ok()) return value.status();
  const bool is_in_pool = operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE;
  const uint32_t pool = operand.location.poolIndex;
  text_.AddValue(
      absl::StrCat(place, ".location = Put("), ElementTypeOf(index), *value,
      absl::StrCat(", ", is_in_pool ? absl::StrCat("pool", pool) : "model.operandValues", ", ",
                   operand.location.offset, pool == 0 ? "" : absl::StrCat(", ", pool), ");"));
  return absl::OkStatus();
}

void Writer::WriteOperations() {
  for (size_t i = 0; i < model_.operations.size(); ++i) {
    const hal::V1_2::Operation& operation = model_.operations[i];
    text_.AddComment(
        "  ", absl::StrCat("Operation ", i, ": ", OperationName(model_, operation.type), "."));
    std::vector<std::string> items = {TypeText(operation.type)};
    for (const std::vector<uint32_t>& operands : {operation.inputs, operation.outputs}) {
      for (std::string& item : BracedNames(operands)) items.push_back(std::move(item));
    }
    text_.AddList("  model.operations.push_back({", items, "});");
  }
  text_.AddList("  model.inputIndexes = ", BracedNames(model_.inputIndexes), ";");
  text_.AddList("  model.outputIndexes = ", BracedNames(model_.outputIndexes), ";");
}

absl::Status Writer::WriteModel() {
  text_.Add("\nV1_2::Model MakeModel() {\n  V1_2::Model model;\n  model.operands.resize(",
            model_.operands.size(), ");\n");
  if (!model_.operandValues.empty()) {
    text_.Add("  model.operandValues.resize(", model_.operandValues.size(), ");\n");
  }
  for (size_t i = 0; i < model_.pools.size(); ++i) {
    text_.Add("  std::vector<uint8_t> pool", i, "(", model_.pools[i].size(), ");\n");
  }
  for (uint32_t i = 0; i < model_.operands.size(); ++i) {
    if (absl::Status status = WriteOperand(i); !status.ok()) return status;
  }
  for (size_t i = 0; i < model_.pools.size(); ++i) {
    text_.Add("  model.pools.push_back(Memory::AllocateCopy(pool", i, ", \"",
              absl::CEscape(model_.pools[i].name()), "\").value());\n");
  }
  WriteOperations();
  text_.Add("  CountConsumers(model);\n");
  const std::vector<uint32_t> consumers = CountConsumers(model_);
  for (uint32_t i = 0; i < model_.operands.size(); ++i) {
    const uint32_t stated = model_.operands[i].numberOfConsumers;
    if (stated == consumers[i]) continue;
    text_.Add("  model.operands[", Name(i), "].numberOfConsumers = ", stated, ";\n");
  }
  if (model_.relaxComputationFloat32toFloat16) {
    text_.Add("  model.relaxComputationFloat32toFloat16 = true;\n");
  }
  for (const auto& [name, prefix] : model_.extensionNameToPrefix) {
    text_.Add("  model.extensionNameToPrefix.push_back({\"", absl::CEscape(name), "\", ", prefix,
              "});\n");
  }
  text_.Add("  return model;\n}\n");
  return absl::OkStatus();
}

void Writer::WriteInput(size_t example, size_t input) {
  const InputValue& value = case_.examples[example].inputs[input];
  const uint32_t operand = model_.inputIndexes[input];
  const std::string before = absl::StrCat("  examples[", example, "].inputs.push_back(");
  text_.AddComment("  ", Name(operand));
  if (value.hasNoValue) {
    text_.Add(before, "Omitted());\n");
    return;
  }
  text_.AddValue(absl::StrCat(before, "Value(", DimensionsText(value.dimensions), ", "),
                 ElementTypeOf(operand), value.data, "));");
}

void Writer::WriteElements(const std::string& before, OperandType type,
                           const ExpectedOutput& expected,
                           absl::Span<const AcceptedElement> accepted) {
  const std::vector<double> numbers = DecodeElements(type, expected.data);
  std::vector<std::string> items;
  for (size_t i = 0; i < numbers.size(); ++i) {
    items.push_back(absl::StrCat("{", ElementText(type, numbers[i]), ", ",
                                 BoundText(type, accepted[i].lowest), ", ",
                                 BoundText(type, accepted[i].highest), "}"));
  }
  const std::string call = absl::StrCat(before, "Elements<", StoredTypeText(type), ">(",
                                        DimensionsText(expected.dimensions));
  if (numbers.size() > kMostElementsOnLines) return text_.AddList(call + ", {", items, "}));");
  text_.Add(call, ", {\n");
  for (size_t i = 0; i < items.size(); ++i) {
    text_.Add("      ", items[i], ",  // ", MultiIndex(expected.dimensions, i), "\n");
  }
  text_.Add("  }));\n");
}

void Writer::WriteOutput(size_t example, size_t output) {
  const ExpectedOutput& expected = case_.examples[example].outputs[output];
  const AcceptedOutput& accepted = accepted_[example].outputs[output];
  const uint32_t operand = model_.outputIndexes[output];
  const OperandType type = ElementTypeOf(operand);
  const std::string before = absl::StrCat("  examples[", example, "].outputs.push_back(");
  text_.AddComment("  ", accepted.caveat.empty()
                             ? Name(operand)
                             : absl::StrCat(Name(operand), ": ", accepted.caveat, "."));
  if (expected.ignored || case_.expectFailure) {
    const size_t size = IsOpaque(type) ? expected.data.size()
                                       : NumberOfElements(expected.dimensions) *
                                             NativeElementSize(ElementKindOf(type));
    text_.Add(before, "NotCompared(", DimensionsText(expected.dimensions), ", ", size, "));\n");
    return;
  }
  const std::vector<double> numbers =
      IsOpaque(type) ? std::vector<double>() : DecodeElements(type, expected.data);
  bool is_exact = true;
  for (size_t i = 0; i < accepted.elements.size(); ++i) {
    const auto& [lowest, highest] = accepted.elements[i];
    is_exact &= (lowest == numbers[i] && highest == numbers[i]) ||
                (std::isnan(numbers[i]) && std::isnan(lowest) && std::isnan(highest));
  }
  if (is_exact) {
    text_.AddValue(absl::StrCat(before, "Exactly<", StoredTypeText(type), ">(",
                                DimensionsText(expected.dimensions), ", "),
                   type, expected.data, "));");
    return;
  }
  if (numbers.size() <= kMostElementsAsNumbers) {
    WriteElements(before, type, expected, accepted.elements);
    return;
  }
  text_.Add(before, "Elements<", StoredTypeText(type), ">(", DimensionsText(expected.dimensions),
            ",\n");
  text_.AddHex("      ", expected.data, ",  // what is expected");
  std::vector<double> lowest;
  std::vector<double> highest;
  for (const AcceptedElement& element : accepted.elements) {
    lowest.push_back(element.lowest);
    highest.push_back(element.highest);
  }
  text_.AddHex("      ", BytesOf(type, lowest), ",  // the lowest that are accepted");
  text_.AddHex("      ", BytesOf(type, highest), "));  // the highest that are accepted");
}

void Writer::WriteExamples() {
  text_.Add(
      "\n// What is fed to the model. Elements of outputs are given as the number that is "
      "expected,\n// and the lowest and the highest that are accepted.\n",
      "std::vector<Example> MakeExamples() {\n  std::vector<Example> examples(",
      case_.examples.size(), ");\n");
  for (size_t i = 0; i < case_.examples.size(); ++i) {
    for (size_t k = 0; k < model_.inputIndexes.size(); ++k) WriteInput(i, k);
    for (size_t k = 0; k < model_.outputIndexes.size(); ++k) WriteOutput(i, k);
    for (const AcceptedRows& rows : accepted_[i].unordered_rows) {
      std::vector<std::string> groups;
      for (const RowGroup& group : rows.groups) {
        groups.push_back(absl::StrCat("{", group.first, ", ", group.count, "}"));
      }
      text_.AddComment(
          "  ", absl::StrCat("Outputs ", absl::StrJoin(rows.outputs, ", "), " have ", rows.rows,
                             " rows, which may come in any order within groups "
                             "of {first, count}."));
      text_.AddList(absl::StrCat("  examples[", i, "].unordered_rows.push_back({{",
                                 absl::StrJoin(rows.outputs, ", "), "}, ", rows.rows, ", {"),
                    groups, "}});");
    }
  }
  text_.Add("  return examples;\n}\n");
}

void Writer::WriteTests() {
  const auto lowest =
      std::find_if(hal::kHalVersions.begin(), hal::kHalVersions.end(),
                   [this](hal::HalVersion version) { return IsCompliantWith(model_, version); });
  text_.Add(absl::Substitute(
      kRunCase,
      View(hal::namespaceName(lowest == hal::kHalVersions.end() ? hal::HalVersion::V1_2 : *lowest)),
      case_.expectFailure ? "true" : "false"));
  const auto add = [this](absl::string_view suite, absl::string_view name,
                          absl::string_view dimensions) {
    if (name.empty()) return;
    text_.Add("\nTEST(", suite, ", ", IdentifierText(name),
              ") {\n  RunCase(OutputDimensions::", dimensions, ");\n}\n");
  };
  add("GeneratedTests", case_.name, "kKnown");
  add("DynamicOutputShapeTest", case_.dynamicOutputShapeName, "kUnknown");
}

absl::Status Writer::Write() {
  if (absl::Status status = Check(); !status.ok()) return status;
  WriteNames();
  if (absl::Status status = WriteModel(); !status.ok()) return status;
  WriteExamples();
  WriteTests();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> WriteGoogleTest(absl::Span<const AcceptedCase> cases) {
  if (cases.empty()) return absl::InvalidArgumentError("there is no case; expected one at least");
  CppText text;
  for (const AcceptedCase& accepted : cases) {
    text.AddComment(
        "", absl::StrCat("The test case ", accepted.test_case.name, ", written by nncert."));
  }
  text.Add(kHead);
  for (size_t i = 0; i < cases.size(); ++i) {
    // Names are those of a single case otherwise.
    const bool has_namespace = cases.size() > 1;
    if (has_namespace) text.Add("\nnamespace case", i, " {\n");
    if (absl::Status status = Writer(cases[i], text).Write(); !status.ok()) return status;
    if (has_namespace) text.Add("\n}  // namespace case", i, "\n");
  }
  text.Add("\n}  // namespace\n");
  return text.text();
}

}  // namespace nncert
