// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/api/handbook.h"

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generators/api/operation_text.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/version.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

constexpr absl::string_view kHead =
    "<!-- Read off the operation's definition: change that, then run "
    "`./bazelw run //generators/api:update_handbook`. -->\n\n";

// Text as a cell of a table: a bar would end it.
std::string Cell(std::string_view text) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()), {{"|", "\\|"}});
}

// Text outside of tables, in which Markdown must not find emphasis.
std::string Plain(std::string_view text) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                             {{"*", "\\*"}, {"_", "\\_"}, {"<", "\\<"}});
}

void AppendOperands(const std::vector<OperandText>& operands, std::string& page) {
  absl::StrAppend(&page,
                  "| number | operand | meaning | types | ranks | quantization |\n"
                  "|--|--|--|--|--|--|\n");
  for (const OperandText& operand : operands) {
    const std::string presence =
        operand.presence.empty() ? "" : absl::StrCat(" (", operand.presence, ")");
    absl::StrAppend(&page, "| ", operand.number, " | `", operand.name, "`", presence, " | ",
                    Cell(Plain(operand.meaning)), " | ", Cell(Plain(operand.types)), " | ",
                    Cell(operand.ranks.empty() ? "scalar" : operand.ranks), " | ",
                    Cell(Plain(operand.quantization)), " |\n");
  }
}

// The inputs, in a table for each form that there is. `title` begins the titles of sections.
void AppendInputs(const OperationDefinition& definition, absl::string_view title,
                  std::string& page) {
  absl::StrAppend(&page, "\n", title, "Inputs\n\n");
  const std::vector<FormText> forms = FormTexts(definition);
  if (forms.size() == 1) {
    AppendOperands(forms.front().inputs, page);
    return;
  }
  absl::StrAppend(&page,
                  "The operation takes one of these lists of inputs; their number and "
                  "types tell which.\n");
  for (const FormText& form : forms) {
    absl::StrAppend(&page, "\n#", title, "Inputs ", Plain(form.title), "\n\n");
    AppendOperands(form.inputs, page);
  }
}

void AppendConstraints(const OperationDefinition& definition, absl::string_view title,
                       std::string& page) {
  absl::StrAppend(&page, "\n", title, "Constraints\n\n");
  if (definition.constraints.empty()) {
    absl::StrAppend(&page, "None beyond types, ranks and quantization.\n");
    return;
  }
  absl::StrAppend(&page, "| label | what must hold |\n|--|--|\n");
  for (const Constraint& constraint : definition.constraints) {
    absl::StrAppend(&page, "| ", constraint.label, " | ", Cell(Plain(constraint.text)), " |\n");
  }
}

// Everything of an operation below its name. `title` begins the titles of sections: "## ". `number`
// is the operation's, `precision` and `definition_file` are where the page's reader finds these.
void AppendOperation(const OperationDefinition& definition, absl::string_view title, int number,
                     absl::string_view precision, absl::string_view definition_file,
                     std::string& page) {
  absl::StrAppend(&page, "    ", std::string(definition.summary), "\n\n");
  if (!definition.description.empty()) {
    absl::StrAppend(&page, Plain(definition.description), "\n\n");
  }
  absl::StrAppend(&page, "Operation ", number, ", since HAL ",
                  std::string(hal::toString(definition.since())), ". ",
                  definition.accepts_empty_tensors
                      ? "Since HAL 1.2 a tensor may be empty where no constraint forbids it."
                      : "Tensors must not be empty.",
                  "\n");
  AppendInputs(definition, title, page);
  absl::StrAppend(&page, "\n", title, "Outputs\n\n");
  AppendOperands(OutputTexts(definition), page);
  if (definition.shape == nullptr) {
    absl::StrAppend(&page, "\nDimensions of the outputs depend on the elements of the inputs.\n");
  }
  AppendConstraints(definition, title, page);
  absl::StrAppend(&page, "\n", title, "What an honest implementation may lose\n\n",
                  Plain(definition.error_bound.empty() ? "Nothing" : definition.error_bound),
                  ". See ", precision, ".\n\n", title, "Source\n\n", Plain(definition.source),
                  ". Defined in ", definition_file, ".\n");
}

}  // namespace

std::string HandbookPage(const OperationDefinition& definition) {
  std::string page(kHead);
  absl::StrAppend(&page, "# ", Plain(definition.name()), "\n\n");
  AppendOperation(definition, "## ", static_cast<int>(definition.type),
                  "[precision](../precision.md)",
                  absl::StrCat("[reference/ops/", Plain(definition.source_file),
                               "](../../reference/ops/", std::string(definition.source_file), ")"),
                  page);
  return page;
}

std::string ExtensionPage(const ExtensionDefinition& extension) {
  const std::string name(extension.name);
  std::string page = absl::StrCat(
      "<!-- Read off the definitions of the extension: change those, then run `generate_api "
      "--extension=",
      name, "`, as docs/extensions.md says. -->\n\n# ", Plain(name), "\n\n",
      Plain(extension.description),
      "\n\n## Operand types\n\n| | type | meaning | bytes | stored as | extraParams "
      "|\n|--|--|--|--|--|--|\n");
  for (const ExtensionOperandType& type : extension.operand_types) {
    absl::StrAppend(&page, "| ", type.type, " | `", std::string(type.name), "`",
                    type.is_tensor ? "" : " (scalar)", " | ", Cell(Plain(type.description)), " | ",
                    type.byte_size(), type.is_tensor ? " an element" : "", " | ",
                    type.stored_as.has_value() ? Plain(hal::toString(*type.stored_as)) : "bytes",
                    " | ", type.extra_params.empty() ? "none" : Cell(Plain(type.extra_params)),
                    " |\n");
  }
  for (const OperationDefinition* definition : AllExtensionOperations()) {
    if (definition->extension != extension.name) continue;
    absl::StrAppend(&page, "\n## ", Plain(definition->name_in_extension), "\n\n");
    AppendOperation(*definition, "### ", hal::typeWithinExtension(definition->type),
                    "docs/precision.md of nncert",
                    absl::StrCat("[", Plain(definition->source_file), "](",
                                 std::string(definition->source_file), ")"),
                    page);
  }
  return page;
}

std::map<std::string, std::string> Handbook() {
  std::map<std::string, std::string> pages;
  std::string index(kHead);
  absl::StrAppend(&index,
                  "# Operations\n\nWhat each operation means, takes and gives, as nncert holds "
                  "drivers to it.\n\n| operation | since HAL | meaning |\n|--|--|--|\n");
  for (const OperationDefinition* definition : AllOperations()) {
    const std::string name = definition->name();
    pages.emplace(name + ".md", HandbookPage(*definition));
    absl::StrAppend(&index, "| [", Plain(name), "](", name, ".md) | ",
                    std::string(hal::toString(definition->since())), " | ",
                    Cell(Plain(definition->summary)), " |\n");
  }
  pages.emplace("README.md", std::move(index));
  return pages;
}

}  // namespace nncert
