// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/extension.h"

#include <algorithm>

namespace nncert::hal {

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

}  // namespace nncert::hal
