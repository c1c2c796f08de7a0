// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/api/handbook.h"

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "generators/api/operation_text.h"
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
                  "| | operand | meaning | types | ranks | quantization |\n|--|--|--|--|--|--|\n");
  for (size_t i = 0; i < operands.size(); ++i) {
    const OperandText& operand = operands[i];
    const std::string presence =
        operand.presence.empty() ? "" : absl::StrCat(" (", operand.presence, ")");
    absl::StrAppend(&page, "| ", i, " | `", operand.name, "`", presence, " | ",
                    Cell(Plain(operand.meaning)), " | ", Cell(Plain(operand.types)), " | ",
                    Cell(operand.ranks.empty() ? "scalar" : operand.ranks), " | ",
                    Cell(Plain(operand.quantization)), " |\n");
  }
}

void AppendForms(const OperationDefinition& definition, std::string& page) {
  const std::vector<std::vector<int>> forms = definition.signature.AllForms();
  if (forms.size() < 2) return;
  absl::StrAppend(&page, "\nThey come in one of these orders, by their numbers above:\n\n");
  for (const std::vector<int>& form : forms) {
    absl::StrAppend(&page, "- ", absl::StrJoin(form, ", "), "\n");
  }
}

void AppendConstraints(const OperationDefinition& definition, std::string& page) {
  absl::StrAppend(&page, "\n## Constraints\n\n");
  if (definition.constraints.empty()) {
    absl::StrAppend(&page, "None beyond types, ranks and quantization.\n");
    return;
  }
  absl::StrAppend(&page, "| label | what must hold |\n|--|--|\n");
  for (const Constraint& constraint : definition.constraints) {
    absl::StrAppend(&page, "| ", std::string(constraint.label), " | ", Cell(Plain(constraint.text)),
                    " |\n");
  }
}

}  // namespace

std::string HandbookPage(const OperationDefinition& definition) {
  std::string page(kHead);
  absl::StrAppend(&page, "# ", Plain(definition.name()), "\n\n    ",
                  std::string(definition.summary), "\n\n");
  if (!definition.description.empty()) {
    absl::StrAppend(&page, Plain(definition.description), "\n\n");
  }
  absl::StrAppend(&page, "Operation ", static_cast<int>(definition.type), ", since HAL ",
                  std::string(hal::toString(definition.since())), ". ",
                  definition.accepts_empty_tensors
                      ? "Since HAL 1.2 a tensor may be empty where no constraint forbids it."
                      : "Tensors must not be empty.",
                  "\n\n## Inputs\n\n");
  AppendOperands(InputTexts(definition), page);
  AppendForms(definition, page);
  absl::StrAppend(&page, "\n## Outputs\n\n");
  AppendOperands(OutputTexts(definition), page);
  if (definition.shape == nullptr) {
    absl::StrAppend(&page, "\nDimensions of the outputs depend on the elements of the inputs.\n");
  }
  AppendConstraints(definition, page);
  absl::StrAppend(&page, "\n## What an honest implementation may lose\n\n",
                  Plain(definition.error_bound.empty() ? "Nothing" : definition.error_bound),
                  ". See [precision](../precision.md).\n\n## Source\n\n", Plain(definition.source),
                  ". Defined in [reference/ops/", Plain(definition.source_file),
                  "](../../reference/ops/", std::string(definition.source_file), ").\n");
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
