// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/extension.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

template <typename Type>
std::string NameIn(const V1_2::Model& model, Type type) {
  const std::optional<std::string> extension =
      extensionPrefix(type) == 0 ? std::nullopt : extensionName(model, extensionPrefix(type));
  if (!extension.has_value()) return V1_2::toString(type);
  return absl::StrCat(*extension, "[", typeWithinExtension(type), "]");
}

}  // namespace

std::optional<std::string> extensionName(const V1_2::Model& model, uint16_t prefix) {
  for (const V1_2::Model::ExtensionNameAndPrefix& entry : model.extensionNameToPrefix) {
    if (entry.prefix == prefix) return entry.name;
  }
  return std::nullopt;
}

std::optional<uint16_t> prefixOfExtension(const V1_2::Model& model, std::string_view name) {
  for (const V1_2::Model::ExtensionNameAndPrefix& entry : model.extensionNameToPrefix) {
    if (entry.name == name) return entry.prefix;
  }
  return std::nullopt;
}

bool isValidExtensionName(std::string_view name) {
  const auto is_legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  return std::all_of(name.begin(), name.end(), is_legal) &&
         name.find('.') != std::string_view::npos;
}

std::string toString(const V1_2::Model& model, V1_2::OperandType type) {
  return NameIn(model, type);
}

std::string toString(const V1_2::Model& model, V1_2::OperationType type) {
  return NameIn(model, type);
}

std::vector<std::string> extensionsUsed(const V1_2::Model& model) {
  std::set<uint16_t> prefixes;
  for (const V1_2::Operand& operand : model.operands) {
    prefixes.insert(extensionPrefix(operand.type));
  }
  for (const V1_2::Operation& operation : model.operations) {
    prefixes.insert(extensionPrefix(operation.type));
  }
  prefixes.erase(0);
  std::vector<std::string> names;
  for (const uint16_t prefix : prefixes) {
    std::optional<std::string> name = extensionName(model, prefix);
    if (name.has_value()) names.push_back(*std::move(name));
  }
  return names;
}

std::vector<std::string> problemsOfExtensions(const std::vector<V1_2::Extension>& extensions) {
  std::vector<std::string> problems;
  std::set<std::string> names;
  for (const V1_2::Extension& extension : extensions) {
    const std::string called = absl::StrCat("the extension \"", extension.name, "\"");
    if (!isValidExtensionName(extension.name)) {
      problems.push_back(absl::StrCat(
          called, " has a name that none may have; expected a-z, 0-9, '_' and '.', with a '.', ",
          "such as com.example.sequences"));
    }
    if (!names.insert(extension.name).second) {
      problems.push_back(absl::StrCat(called, " is listed twice; expected each name once"));
    }
    std::set<uint16_t> types;
    for (const V1_2::Extension::OperandTypeInformation& information : extension.operandTypes) {
      const std::string type = absl::StrCat("operand type ", information.type, " of ", called);
      if (!types.insert(information.type).second) {
        problems.push_back(absl::StrCat(type, " is listed twice; expected each number once"));
      }
      if (information.byteSize == 0) {
        problems.push_back(absl::StrCat(type, " has the byteSize 0; expected at least 1"));
      }
    }
  }
  return problems;
}

}  // namespace nncert::hal
