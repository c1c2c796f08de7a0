// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/catalogue.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hal/extension.h"
#include "hal/utils.h"

namespace nncert {
namespace {

// The head of the list of registrations. It only changes while static objects are constructed, on
// one thread.
const OperationRegistration*& Registrations() {
  static const OperationRegistration* head = nullptr;
  return head;
}

struct Catalogue {
  std::vector<std::unique_ptr<OperationDefinition>> owned;
  std::vector<const OperationDefinition*> by_type;  // the HAL's
  std::vector<const OperationDefinition*> of_extensions;
  std::vector<const OperationDefinition*>
      lookup;  // by the number of the type; null where there is none
  std::map<std::string, const OperationDefinition*, std::less<>> by_name;

  Catalogue() {
    for (const OperationRegistration* entry = Registrations(); entry != nullptr;
         entry = entry->next) {
      owned.push_back(std::make_unique<OperationDefinition>(entry->define()));
      OperationDefinition* const definition = owned.back().get();
      // Models are matched against them often.
      definition->signature.forms = definition->signature.AllForms();
      int number = 0;
      for (Constraint& constraint : definition->constraints) {
        constraint.label = absl::StrCat("C", ++number);
      }
      (definition->extension.empty() ? by_type : of_extensions).push_back(definition);
      by_name.emplace(definition->name(), definition);
    }
    std::sort(by_type.begin(), by_type.end(),
              [](const OperationDefinition* a, const OperationDefinition* b) {
                return a->type < b->type;
              });
    std::sort(of_extensions.begin(), of_extensions.end(),
              [](const OperationDefinition* a, const OperationDefinition* b) {
                return std::tie(a->extension, a->type) < std::tie(b->extension, b->type);
              });
    for (const OperationDefinition* definition : by_type) {
      const auto number = static_cast<size_t>(definition->type);
      if (lookup.size() <= number) lookup.resize(number + 1);
      lookup[number] = definition;
    }
  }
};

const Catalogue& TheCatalogue() {
  static const Catalogue* const catalogue = new Catalogue();
  return *catalogue;
}

}  // namespace

OperationRegistration::OperationRegistration(OperationDefinition (*definer)())
    : define(definer), next(Registrations()) {
  Registrations() = this;
}

absl::Span<const OperationDefinition* const> AllOperations() { return TheCatalogue().by_type; }

absl::Span<const OperationDefinition* const> AllExtensionOperations() {
  return TheCatalogue().of_extensions;
}

const OperationDefinition* FindOperation(OperationType type) {
  if (hal::isExtensionOperationType(type)) {
    for (const OperationDefinition* definition : AllExtensionOperations()) {
      if (definition->type == type) return definition;
    }
    return nullptr;
  }
  const std::vector<const OperationDefinition*>& lookup = TheCatalogue().lookup;
  const auto number = static_cast<int64_t>(type);
  if (number < 0 || number >= static_cast<int64_t>(lookup.size())) return nullptr;
  return lookup[static_cast<size_t>(number)];
}

const OperationDefinition* FindOperation(std::string_view name) {
  const auto& by_name = TheCatalogue().by_name;
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

std::string OperationName(const hal::V1_2::Model& model, OperationType type) {
  const std::optional<std::string> extension =
      hal::extensionName(model, hal::extensionPrefix(type));
  if (extension.has_value() && FindExtension(*extension) != nullptr) {
    const OperationDefinition* const definition =
        FindOperation(CatalogueOperationType(*extension, hal::typeWithinExtension(type)));
    if (definition != nullptr) return definition->name();
  }
  return hal::toString(model, type);
}

}  // namespace nncert
