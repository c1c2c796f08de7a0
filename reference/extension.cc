// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/extension.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "glog/logging.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert {
namespace {

constexpr uint32_t kLastPrefix = 0xFFFF;

// The head of the list of registrations. It only changes while static objects are constructed, on
// one thread.
const ExtensionRegistration*& Registrations() {
  static const ExtensionRegistration* head = nullptr;
  return head;
}

struct Extensions {
  std::vector<std::unique_ptr<ExtensionDefinition>> owned;
  // Extension number i has the prefix kLastPrefix - i: models count prefixes from 1.
  std::vector<const ExtensionDefinition*> by_name;

  Extensions() {
    for (const ExtensionRegistration* entry = Registrations(); entry != nullptr;
         entry = entry->next) {
      owned.push_back(std::make_unique<ExtensionDefinition>(entry->define()));
      by_name.push_back(owned.back().get());
    }
    for (const ExtensionDefinition* definition : by_name) {
      for (const ExtensionOperandType& type : definition->operand_types) {
        CHECK_GT(type.byte_size(), 0U) << definition->name << "." << type.name << " has no size";
      }
    }
    std::sort(by_name.begin(), by_name.end(),
              [](const ExtensionDefinition* a, const ExtensionDefinition* b) {
                return a->name < b->name;
              });
    for (size_t i = 1; i < by_name.size(); ++i) {
      CHECK(by_name[i - 1]->name != by_name[i]->name)
          << "the extension " << by_name[i]->name << " is defined twice";
    }
  }

  std::optional<uint16_t> PrefixOf(std::string_view name) const {
    const auto found = std::lower_bound(
        by_name.begin(), by_name.end(), name,
        [](const ExtensionDefinition* a, std::string_view b) { return a->name < b; });
    if (found == by_name.end() || (*found)->name != name) return std::nullopt;
    return static_cast<uint16_t>(kLastPrefix - (found - by_name.begin()));
  }
};

const Extensions& TheExtensions() {
  static const Extensions* const extensions = new Extensions();
  return *extensions;
}

uint16_t RequiredPrefixOf(std::string_view extension) {
  const std::optional<uint16_t> prefix = TheExtensions().PrefixOf(extension);
  CHECK(prefix.has_value()) << "the extension " << extension
                            << " is not defined; see NNCERT_EXTENSION_DEFINITION";
  return *prefix;
}

// Gives a model the catalogue's prefixes.
class Renumbering {
 public:
  explicit Renumbering(const hal::V1_2::Model& model) {
    for (const auto& entry : model.extensionNameToPrefix) {
      taken_.insert(entry.prefix);
      const std::optional<uint16_t> prefix = TheExtensions().PrefixOf(entry.name);
      if (prefix.has_value()) renumbered_.emplace(entry.prefix, *prefix);
    }
  }

  uint16_t Prefix(uint16_t prefix) {
    if (prefix == 0) return 0;
    const auto found = renumbered_.find(prefix);
    if (found != renumbered_.end()) return found->second;
    uint16_t free = prefix;
    if (IsOfCatalogue(prefix)) {
      free = 1;
      while (taken_.count(free) != 0 && !IsOfCatalogue(free)) ++free;
      // A model that leaves no prefix free has more extensions than anybody knows: two that the
      // catalogue does not have may share one.
      if (IsOfCatalogue(free)) free = 1;
      taken_.insert(free);
    }
    renumbered_.emplace(prefix, free);
    return free;
  }

  template <class Type>
  Type operator()(Type type) {
    const uint16_t prefix = hal::extensionPrefix(type);
    return static_cast<Type>(
        hal::makeExtensionOperandType(Prefix(prefix), hal::typeWithinExtension(type)));
  }

 private:
  static bool IsOfCatalogue(uint16_t prefix) {
    return prefix > kLastPrefix - TheExtensions().by_name.size();
  }

  std::map<uint16_t, uint16_t> renumbered_;
  std::set<uint16_t> taken_;
};

}  // namespace

uint32_t ExtensionOperandType::byte_size() const {
  return stored_as.has_value() ? hal::nonExtensionElementSize(*stored_as) : opaque_size;
}

ExtensionRegistration::ExtensionRegistration(ExtensionDefinition (*definer)())
    : define(definer), next(Registrations()) {
  Registrations() = this;
}

absl::Span<const ExtensionDefinition* const> AllExtensions() { return TheExtensions().by_name; }

std::vector<hal::V1_2::Extension> ListExtensions() {
  std::vector<hal::V1_2::Extension> extensions;
  for (const ExtensionDefinition* definition : AllExtensions()) {
    hal::V1_2::Extension& extension = extensions.emplace_back();
    extension.name = std::string(definition->name);
    for (const ExtensionOperandType& type : definition->operand_types) {
      extension.operandTypes.push_back(
          {.type = type.type, .isTensor = type.is_tensor, .byteSize = type.byte_size()});
    }
  }
  return extensions;
}

const ExtensionDefinition* FindExtension(std::string_view name) {
  const std::optional<uint16_t> prefix = TheExtensions().PrefixOf(name);
  return prefix.has_value() ? TheExtensions().by_name[kLastPrefix - *prefix] : nullptr;
}

const ExtensionDefinition* ExtensionOf(uint32_t type) {
  const size_t index = kLastPrefix - hal::extensionPrefix(type);
  return index < TheExtensions().by_name.size() ? TheExtensions().by_name[index] : nullptr;
}

const ExtensionOperandType* FindExtensionOperandType(OperandType type) {
  if (!hal::isExtensionOperandType(type)) return nullptr;
  const ExtensionDefinition* const extension = ExtensionOf(static_cast<uint32_t>(type));
  if (extension == nullptr) return nullptr;
  for (const ExtensionOperandType& candidate : extension->operand_types) {
    if (candidate.type == hal::typeWithinExtension(type)) return &candidate;
  }
  return nullptr;
}

OperandType CatalogueOperandType(std::string_view extension, uint16_t type) {
  return hal::makeExtensionOperandType(RequiredPrefixOf(extension), type);
}

hal::V1_2::OperationType CatalogueOperationType(std::string_view extension, uint16_t type) {
  return hal::makeExtensionOperationType(RequiredPrefixOf(extension), type);
}

hal::V1_2::Model WithCataloguePrefixes(hal::V1_2::Model model) {
  if (TheExtensions().by_name.empty() || model.extensionNameToPrefix.empty()) return model;
  Renumbering renumbered(model);
  for (hal::V1_2::Operand& operand : model.operands) operand.type = renumbered(operand.type);
  for (hal::V1_2::Operation& operation : model.operations) {
    operation.type = renumbered(operation.type);
  }
  for (auto& entry : model.extensionNameToPrefix) entry.prefix = renumbered.Prefix(entry.prefix);
  return model;
}

std::string NameOf(OperandType type) {
  const ExtensionOperandType* const found = FindExtensionOperandType(type);
  if (found == nullptr) return hal::toString(type);
  return absl::StrCat(std::string(ExtensionOf(static_cast<uint32_t>(type))->name), ".",
                      std::string(found->name));
}

bool HasUnknownDimensions(const hal::V1_2::Operand& operand) {
  const ExtensionOperandType* const type = FindExtensionOperandType(operand.type);
  if (type != nullptr && type->is_tensor && operand.dimensions.empty()) return true;
  return hal::tensorHasUnspecifiedDimensions(operand);
}

}  // namespace nncert
