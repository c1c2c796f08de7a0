// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Looking operations up, and what every definition owes to those who read it.

#include "reference/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "hal/extension.h"

namespace nncert {
namespace {

TEST(CatalogueTest, FindsOperationsByTypeAndName) {
  const OperationDefinition* softmax = FindOperation(OperationType::SOFTMAX);
  ASSERT_NE(softmax, nullptr);
  EXPECT_EQ(softmax->type, OperationType::SOFTMAX);
  EXPECT_EQ(FindOperation("SOFTMAX"), softmax);
}

TEST(CatalogueTest, FindsNothingElse) {
  EXPECT_EQ(FindOperation("SOFT"), nullptr);
  EXPECT_EQ(FindOperation(""), nullptr);
  EXPECT_EQ(FindOperation(OperationType::OEM_OPERATION), nullptr);
  EXPECT_EQ(FindOperation(static_cast<OperationType>(-1)), nullptr);
  EXPECT_EQ(FindOperation(static_cast<OperationType>(0x12340001)), nullptr);
  EXPECT_EQ(FindOperation(static_cast<OperationType>(0xFFFF7FFF)), nullptr);
}

TEST(CatalogueTest, ListsEachOperationOnceInOrder) {
  const auto operations = AllOperations();
  EXPECT_FALSE(operations.empty());
  for (size_t i = 1; i < operations.size(); ++i) {
    EXPECT_LT(operations[i - 1]->type, operations[i]->type);
  }
  for (const OperationDefinition* definition : operations) {
    EXPECT_EQ(FindOperation(definition->type), definition);
    EXPECT_EQ(FindOperation(std::string_view(definition->name())), definition);
  }
}

class DefinitionTest : public testing::TestWithParam<const OperationDefinition*> {
 protected:
  const OperationDefinition& definition() const { return *GetParam(); }
  int SlotCount() const { return static_cast<int>(definition().signature.inputs.size()); }
  void ExpectSlot(int slot) const {
    EXPECT_GE(slot, 0);
    EXPECT_LT(slot, SlotCount());
  }
};

std::string TestName(const OperationDefinition& definition) {
  std::string name = definition.name();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, DefinitionTest, testing::ValuesIn(AllOperations()),
                         [](const auto& test) { return TestName(*test.param); });

INSTANTIATE_TEST_SUITE_P(Extensions, DefinitionTest, testing::ValuesIn(AllExtensionOperations()),
                         [](const auto& test) { return TestName(*test.param); });

TEST(CatalogueTest, ExtensionsAreAsTheHalAsks) {
  EXPECT_THAT(hal::problemsOfExtensions(ListExtensions()), testing::IsEmpty());
  for (const ExtensionDefinition* extension : AllExtensions()) {
    SCOPED_TRACE(extension->name);
    EXPECT_FALSE(extension->description.empty());
    std::set<std::string_view> names;
    for (const ExtensionOperandType& type : extension->operand_types) {
      SCOPED_TRACE(type.name);
      EXPECT_TRUE(names.insert(type.name).second);
      EXPECT_FALSE(type.description.empty());
      EXPECT_EQ(type.extra_params.empty(), type.interpret == nullptr);
      // Random graphs leave out what they cannot choose.
      EXPECT_EQ(type.choose_extra_params == nullptr, type.interpret == nullptr);
      EXPECT_EQ(type.choose_value == nullptr, type.stored_as.has_value());
      // Tensors have elements to compute with.
      EXPECT_TRUE(type.stored_as.has_value() || !type.is_tensor);
    }
  }
}

TEST(CatalogueTest, FindsOperationsOfExtensions) {
  for (const OperationDefinition* definition : AllExtensionOperations()) {
    EXPECT_NE(FindExtension(definition->extension), nullptr) << definition->name();
    EXPECT_EQ(FindOperation(definition->type), definition);
    EXPECT_EQ(FindOperation(std::string_view(definition->name())), definition);
  }
}

TEST_P(DefinitionTest, IsDocumented) {
  EXPECT_FALSE(definition().summary.empty());
  EXPECT_FALSE(definition().description.empty());
  EXPECT_FALSE(definition().error_bound.empty());
  EXPECT_FALSE(definition().source.empty());
  EXPECT_EQ(definition().summary.find('\n'), std::string_view::npos);
  for (const auto* rules : {&definition().signature.inputs, &definition().signature.outputs}) {
    std::set<std::string> names;
    for (const OperandRule& rule : *rules) {
      EXPECT_FALSE(rule.name().empty());
      EXPECT_FALSE(rule.description().empty()) << rule.name();
      EXPECT_TRUE(names.insert(rule.name()).second) << rule.name() << " twice";
    }
  }
}

TEST_P(DefinitionTest, HasOneKernelForEveryNumberSystem) {
  const Kernel& kernel = definition().kernel;
  const bool computes = kernel.with_float != nullptr;
  EXPECT_EQ(kernel.with_double != nullptr, computes);
  EXPECT_EQ(kernel.with_ball != nullptr, computes);
  EXPECT_EQ(kernel.move != nullptr, !computes);
}

TEST_P(DefinitionTest, LabelsItsConstraintsInOrder) {
  int number = 0;
  for (const Constraint& constraint : definition().constraints) {
    EXPECT_EQ(constraint.label, "C" + std::to_string(++number));
    ASSERT_FALSE(constraint.text.empty()) << constraint.label;
    EXPECT_NE(constraint.text.back(), '.') << constraint.label;
    EXPECT_NE(constraint.holds, nullptr) << constraint.label;
  }
}

TEST_P(DefinitionTest, ConstraintsReadSlotsThatThereAre) {
  for (const Constraint& constraint : definition().constraints) {
    SCOPED_TRACE(constraint.label);
    for (const int slot : constraint.operands.shapes) {
      ExpectSlot(slot);
      EXPECT_TRUE(definition().signature.inputs[slot].is_tensor());
    }
    for (const int slot : constraint.operands.values) {
      ExpectSlot(slot);
      // Elements to compute with are never known before the kernel runs.
      EXPECT_TRUE(definition().signature.inputs[slot].is_parameter());
    }
  }
}

TEST_P(DefinitionTest, EveryOperandHasTypes) {
  const Signature& signature = definition().signature;
  const auto check = [&](const OperandRule& rule, int slots_before) {
    SCOPED_TRACE(rule.name());
    EXPECT_NE(rule.like_slot() >= 0, !rule.types().empty());
    EXPECT_LT(rule.like_slot(), slots_before);
    for (const TypeAlternative& type : rule.types()) EXPECT_LT(type.when_slot, slots_before);
    for (const QuantizationRule& quantization : rule.quantization()) {
      EXPECT_LT(quantization.slot, slots_before);
      EXPECT_LT(quantization.filter_slot, slots_before);
    }
  };
  for (int slot = 0; slot < SlotCount(); ++slot) check(signature.inputs[slot], slot);
  for (const OperandRule& rule : signature.outputs) check(rule, SlotCount());
}

TEST_P(DefinitionTest, FormsNameSlotsOnceAndAllAreNamed) {
  std::set<int> named;
  for (const std::vector<int>& form : definition().signature.AllForms()) {
    const std::set<int> slots(form.begin(), form.end());
    EXPECT_EQ(slots.size(), form.size());
    for (const int slot : slots) ExpectSlot(slot);
    named.insert(slots.begin(), slots.end());
    // What may be left out at the end stands at the end.
    const auto is_trailing = [&](int slot) {
      return definition().signature.inputs[slot].presence() == Presence::kTrailing;
    };
    EXPECT_TRUE(std::is_partitioned(form.begin(), form.end(),
                                    [&](int slot) { return !is_trailing(slot); }));
    EXPECT_LE(
        std::count_if(form.begin(), form.end(),
                      [&](int slot) { return definition().signature.inputs[slot].is_variadic(); }),
        1);
  }
  EXPECT_EQ(named.size(), definition().signature.inputs.size());
}

TEST_P(DefinitionTest, HasAFormAtEveryVersion) {
  const std::vector<std::vector<int>> forms = definition().signature.AllForms();
  for (const HalVersion version : hal::kHalVersions) {
    EXPECT_TRUE(version < definition().since() ||
                std::any_of(forms.begin(), forms.end(),
                            [&](const std::vector<int>& form) {
                              return definition().signature.HasForm(form, version);
                            }))
        << hal::toString(version);
  }
}

// What is opaque is for kernels that look at its bytes.
TEST_P(DefinitionTest, OpaqueTypesAreParameters) {
  for (const OperandRule& rule : definition().signature.inputs) {
    for (const TypeAlternative& type : rule.types()) {
      EXPECT_TRUE(rule.is_parameter() || !IsOpaque(type.type)) << rule.name();
    }
  }
  for (const OperandRule& rule : definition().signature.outputs) {
    for (const TypeAlternative& type : rule.types()) EXPECT_FALSE(IsOpaque(type.type));
  }
}

TEST_P(DefinitionTest, HasOutputs) { EXPECT_FALSE(definition().signature.outputs.empty()); }

}  // namespace
}  // namespace nncert
