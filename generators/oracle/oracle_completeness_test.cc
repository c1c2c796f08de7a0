// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The independent oracle has a case for everything that an operation of the catalogue accepts: what
// the signatures list is what is looked for, so that a new operation, type or optional operand
// fails here until the oracle knows it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generators/oracle/oracle_case.h"
#include "hal/to_string.h"
#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

constexpr char kCases[] = "generators/oracle/all.oracle";

// One operand of a case, as the operation's signature calls it.
struct BoundOperand {
  OperandType type;
  std::vector<uint32_t> dimensions;  // of the request, where it gives them
  bool is_omitted;
  std::vector<uint8_t> elements;  // the value, of a constant or of the request
};

// The operands of a case by slot; empty for a slot that is not filled.
using BoundSlots = std::vector<std::vector<BoundOperand>>;

struct BoundCase {
  const OracleCase* oracle_case;
  BoundSlots slots;
};

std::vector<BoundOperand> OperandsOfCase(const OracleCase& oracle_case) {
  const hal::V1_2::Model& model = oracle_case.test_case.model;
  std::vector<BoundOperand> operands;
  for (const hal::V1_2::Operand& operand : model.operands) {
    BoundOperand bound = {operand.type,
                          operand.dimensions,
                          operand.lifetime == hal::V1_2::OperandLifeTime::NO_VALUE,
                          {}};
    if (operand.lifetime == hal::V1_2::OperandLifeTime::CONSTANT_COPY) {
      const auto first = model.operandValues.begin() + operand.location.offset;
      bound.elements.assign(first, first + operand.location.length);
    }
    operands.push_back(std::move(bound));
  }
  for (size_t i = 0; i < model.inputIndexes.size(); ++i) {
    const InputValue& input = oracle_case.test_case.examples[0].inputs[i];
    BoundOperand& bound = operands[model.inputIndexes[i]];
    bound.is_omitted = input.hasNoValue;
    bound.elements = input.data;
    if (!input.dimensions.empty()) bound.dimensions = input.dimensions;
  }
  return operands;
}

// Binds the operands of a case to the slots of its operation's signature.
absl::StatusOr<BoundSlots> Bind(const OracleCase& oracle_case) {
  const hal::V1_2::Model& model = oracle_case.test_case.model;
  const absl::StatusOr<ModelOperands> operands = OperandsOf(model);
  if (!operands.ok()) return operands.status();
  const absl::StatusOr<SlotBindings> bindings =
      ValidateOperation(model, 0, HalVersion::V1_2, operands->infos, operands->constants);
  if (!bindings.ok()) return bindings.status();
  const std::vector<BoundOperand> all = OperandsOfCase(oracle_case);
  BoundSlots slots;
  for (const SlotBinding& binding : *bindings) {
    slots.emplace_back();
    for (int i = 0; i < binding.count; ++i) {
      slots.back().push_back(all[model.operations[0].inputs[binding.first + i]]);
    }
  }
  return slots;
}

const std::vector<OracleCase>& Cases() {
  static const auto* const cases = [] {
    absl::StatusOr<std::vector<OracleCase>> read = ReadOracleCases(kCases);
    return new std::vector<OracleCase>(read.ok() ? *std::move(read) : std::vector<OracleCase>());
  }();
  return *cases;
}

// The signature's text for a case to be missing.
std::string Missing(const OperationDefinition& definition, const OperandRule& rule,
                    const std::string& what) {
  return absl::StrCat(definition.name(), " has no case with '", rule.name(), "' ", what);
}

class OracleCompletenessTest : public testing::TestWithParam<const OperationDefinition*> {
 protected:
  void SetUp() override {
    for (const OracleCase& oracle_case : Cases()) {
      if (oracle_case.test_case.model.operations[0].type != definition().type) continue;
      absl::StatusOr<BoundSlots> slots = Bind(oracle_case);
      // A case that is not valid fails in oracle_test, where it says why.
      if (slots.ok()) cases_.push_back({&oracle_case, *std::move(slots)});
    }
  }

  const OperationDefinition& definition() const { return *GetParam(); }
  const std::vector<OperandRule>& inputs() const { return definition().signature.inputs; }

  // Whether an operand in `slot` can have `type` at all. True without a slot, -1.
  bool CanHaveType(int slot, OperandType type) const {
    if (slot < 0) return true;
    const std::vector<TypeAlternative>& types = inputs()[slot].types();
    return std::any_of(types.begin(), types.end(), [&](const TypeAlternative& alternative) {
      return alternative.type == type;
    });
  }

  // Whether some operand in `slot` of some case is so.
  template <class Predicate>
  bool HasOperand(size_t slot, Predicate is_so) const {
    return std::any_of(cases_.begin(), cases_.end(), [&](const BoundCase& bound) {
      return std::any_of(bound.slots[slot].begin(), bound.slots[slot].end(), is_so);
    });
  }

  std::vector<BoundCase> cases_;
};

INSTANTIATE_TEST_SUITE_P(Catalogue, OracleCompletenessTest, testing::ValuesIn(AllOperations()),
                         [](const auto& test) { return test.param->name(); });

TEST_P(OracleCompletenessTest, TheOperationHasCases) {
  EXPECT_FALSE(cases_.empty()) << "the oracle does not know " << definition().name();
}

TEST_P(OracleCompletenessTest, EveryTypeOfEveryInputHasACase) {
  for (size_t slot = 0; slot < inputs().size(); ++slot) {
    for (const TypeAlternative& alternative : inputs()[slot].types()) {
      if (!CanHaveType(alternative.when_slot, alternative.when_type)) continue;
      const bool is_found = std::any_of(cases_.begin(), cases_.end(), [&](const BoundCase& bound) {
        const std::vector<BoundOperand>& operands = bound.slots[slot];
        if (operands.empty() || operands[0].type != alternative.type) return false;
        return alternative.when_slot < 0 ||
               bound.slots[alternative.when_slot][0].type == alternative.when_type;
      });
      EXPECT_TRUE(is_found) << Missing(definition(), inputs()[slot],
                                       "of type " + hal::toString(alternative.type));
    }
  }
}

TEST_P(OracleCompletenessTest, EveryTypeOfEveryOutputHasACase) {
  const std::vector<OperandRule>& outputs = definition().signature.outputs;
  for (size_t output = 0; output < outputs.size(); ++output) {
    for (const TypeAlternative& alternative : outputs[output].types()) {
      const bool is_found = std::any_of(cases_.begin(), cases_.end(), [&](const BoundCase& bound) {
        const hal::V1_2::Model& model = bound.oracle_case->test_case.model;
        const std::vector<uint32_t>& written = model.operations[0].outputs;
        return output < written.size() && model.operands[written[output]].type == alternative.type;
      });
      EXPECT_TRUE(is_found) << Missing(definition(), outputs[output],
                                       "of type " + hal::toString(alternative.type));
    }
  }
}

TEST_P(OracleCompletenessTest, EveryRankOfEveryTensorHasACase) {
  for (size_t slot = 0; slot < inputs().size(); ++slot) {
    const OperandRule& rule = inputs()[slot];
    if (!rule.is_tensor() || rule.ranks().empty()) continue;
    for (int rank = 1; rank <= 4; ++rank) {
      if (!rule.AllowsRank(rank, HalVersion::V1_2)) continue;
      EXPECT_TRUE(HasOperand(slot, [&](const BoundOperand& operand) {
        return operand.dimensions.size() == static_cast<size_t>(rank);
      })) << Missing(definition(), rule, absl::StrCat("of rank ", rank));
    }
  }
}

TEST_P(OracleCompletenessTest, EveryOptionalInputIsGivenAndLeftOut) {
  for (size_t slot = 0; slot < inputs().size(); ++slot) {
    const OperandRule& rule = inputs()[slot];
    if (rule.presence() == Presence::kRequired) continue;
    EXPECT_TRUE(HasOperand(slot, [](const BoundOperand& operand) { return !operand.is_omitted; }))
        << Missing(definition(), rule, "given");
    if (rule.presence() == Presence::kOmittable) {
      EXPECT_TRUE(HasOperand(slot, [](const BoundOperand& operand) { return operand.is_omitted; }))
          << Missing(definition(), rule, "without a value");
    } else {
      EXPECT_TRUE(std::any_of(cases_.begin(), cases_.end(), [&](const BoundCase& bound) {
        return bound.slots[slot].empty();
      })) << Missing(definition(), rule, "left out");
    }
  }
}

TEST_P(OracleCompletenessTest, EveryFormOfTheInputsHasACase) {
  for (const std::vector<int>& form : definition().signature.AllForms()) {
    const bool is_found = std::any_of(cases_.begin(), cases_.end(), [&](const BoundCase& bound) {
      for (size_t slot = 0; slot < inputs().size(); ++slot) {
        const bool is_filled = !bound.slots[slot].empty();
        const bool is_in_form = std::count(form.begin(), form.end(), static_cast<int>(slot)) != 0;
        if (is_filled && !is_in_form) return false;
        if (!is_filled && is_in_form && inputs()[slot].presence() != Presence::kTrailing) {
          return false;
        }
      }
      return true;
    });
    EXPECT_TRUE(is_found) << definition().name() << " has no case of the form of " << form.size()
                          << " inputs";
  }
}

TEST_P(OracleCompletenessTest, EveryFlagIsSetAndNotSet) {
  for (size_t slot = 0; slot < inputs().size(); ++slot) {
    const OperandRule& rule = inputs()[slot];
    if (rule.is_tensor() || rule.types().size() != 1 || rule.types()[0].type != OperandType::BOOL) {
      continue;
    }
    for (const uint8_t value : {0, 1}) {
      EXPECT_TRUE(HasOperand(slot, [&](const BoundOperand& operand) {
        return operand.elements == std::vector<uint8_t>{value};
      })) << Missing(definition(), rule, value == 0 ? "false" : "true");
    }
  }
}

TEST_P(OracleCompletenessTest, EveryActivationHasACase) {
  for (size_t slot = 0; slot < inputs().size(); ++slot) {
    const OperandRule& rule = inputs()[slot];
    if (rule.is_tensor() || rule.name() != "activation") continue;
    std::set<std::vector<uint8_t>> codes;
    for (const BoundCase& bound : cases_) {
      for (const BoundOperand& operand : bound.slots[slot]) codes.insert(operand.elements);
    }
    // None, RELU, RELU1 and RELU6; of an LSTM there are five.
    EXPECT_GE(codes.size(), 4U) << Missing(definition(), rule, "of every value");
  }
}

TEST_P(OracleCompletenessTest, EmptyTensorsHaveACase) {
  if (!definition().accepts_empty_tensors) return;
  const bool is_found = std::any_of(cases_.begin(), cases_.end(), [](const BoundCase& bound) {
    return std::any_of(bound.slots.begin(), bound.slots.end(), [](const auto& operands) {
      return std::any_of(operands.begin(), operands.end(), [](const BoundOperand& operand) {
        return !operand.is_omitted && NumberOfElements(operand.dimensions) == 0;
      });
    });
  });
  EXPECT_TRUE(is_found) << definition().name() << " has no case with an empty tensor";
}

// Operations that unary_exhaustive_test runs on every value: one operand becomes another of its
// dimensions. That test fails for those that it has no formula for.
TEST_P(OracleCompletenessTest, UnaryOperationsHaveEveryValue) {
  if (inputs().size() != 1 || inputs()[0].is_variadic() ||
      definition().shape != SameShapeAsFirstInput) {
    return;
  }
  std::map<OperandType, std::set<std::vector<uint8_t>>> values;
  for (const BoundCase& bound : cases_) {
    const BoundOperand& operand = bound.slots[0][0];
    const size_t size = NativeElementSize(ElementKindOf(operand.type));
    if (size > 2) continue;
    for (size_t i = 0; i < operand.elements.size(); i += size) {
      const auto first = operand.elements.begin() + static_cast<std::ptrdiff_t>(i);
      values[operand.type].emplace(first, first + static_cast<std::ptrdiff_t>(size));
    }
  }
  for (const auto& [type, found] : values) {
    const size_t size = NativeElementSize(ElementKindOf(type));
    size_t expected = size == 2 ? 65536 : 256;
    if (type == OperandType::TENSOR_BOOL8) expected = 2;
    // -128 is no per-channel weight.
    if (type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) expected = 255;
    EXPECT_EQ(found.size(), expected) << definition().name() << " of " << hal::toString(type);
  }
}

TEST_P(OracleCompletenessTest, SomeEnclosureIsDecided) {
  for (const BoundCase& bound : cases_) {
    const auto graph = PreparedGraph::Create(bound.oracle_case->test_case.model);
    if (!graph.ok()) continue;
    const auto balls = ExecuteCase(**graph, *bound.oracle_case, NumberSystem::kBall);
    if (!balls.ok()) continue;
    if (std::all_of(balls->begin(), balls->end(),
                    [](const OutputValue& output) { return output.undecided.ok(); })) {
      return;
    }
  }
  FAIL() << "the enclosures of " << definition().name() << " are undecided in every case";
}

}  // namespace
}  // namespace nncert
