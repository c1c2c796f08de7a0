// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/mutations/model_mutator.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "reference/catalogue.h"

namespace nncert {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::Operation;

ModelMutator::ModelMutator(const Model& model, hal::HalVersion version,
                           absl::FunctionRef<void(const ModelMutation&)> visit)
    : model_(model), version_(version), visit_(visit), places_(model.operands.size()) {
  for (uint32_t i = 0; i < places_.size(); ++i) places_[i].operand = i;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const Operation& operation = model.operations[i];
    signatures_.push_back(KindOfOperation(model, operation));
    for (const bool is_output : {false, true}) {
      const std::vector<uint32_t>& indexes = is_output ? operation.outputs : operation.inputs;
      for (size_t k = 0; k < indexes.size(); ++k) {
        const MutationPlace place = {i, k, is_output, indexes[k]};
        arguments_.push_back(place);
        MutationPlace& first = places_[indexes[k]];
        if (!first.operation.has_value()) first = place;
      }
    }
  }
}

void ModelMutator::RunFamily(const ModelMutationFamily& family) {
  family_ = &family;
  family_kind_ = KindOfText(family.name);
  family.mutate(*this);
}

void ModelMutator::Tell(const MutationPlace& place, uint64_t variant,
                        absl::FunctionRef<std::string()> what,
                        absl::FunctionRef<void(ModelMutant&)> apply) {
  const auto describe = [&] { return absl::StrCat(Describe(place), what()); };
  visit_({*family_, KindOf(place, variant), describe, apply});
}

std::string ModelMutator::Describe(const MutationPlace& place) const {
  std::string text;
  if (place.operand.has_value()) text = absl::StrCat("operand ", *place.operand);
  if (!place.operation.has_value()) return text.empty() ? "" : absl::StrCat(text, ": ");
  const std::string operation =
      absl::StrCat("operation ", *place.operation, ", ",
                   OperationName(model_, model_.operations[*place.operation].type));
  if (!place.position.has_value()) return absl::StrCat(operation, ": ");
  return absl::StrCat(text, text.empty() ? "" : " (", place.is_output ? "output " : "input ",
                      *place.position, " of ", operation, text.empty() ? ": " : "): ");
}

uint64_t ModelMutator::KindOf(const MutationPlace& place, uint64_t variant) const {
  uint64_t kind = CombineKinds(family_kind_, variant);
  // A change of the model as a whole is one of the operation that it begins with.
  if (!signatures_.empty()) {
    kind = CombineKinds(kind, signatures_[place.operation.value_or(0)]);
  }
  kind = CombineKinds(kind, model_.operations.size() > 1 ? 1 : 0);
  if (place.position.has_value()) {
    kind = CombineKinds(kind, 2 * *place.position + (place.is_output ? 1 : 0));
  }
  if (place.operand.has_value()) {
    const Operand& operand = model_.operands[*place.operand];
    kind = CombineKinds(kind, static_cast<uint64_t>(operand.lifetime));
  }
  return kind;
}

void DropConsumer(Model& model, uint32_t operand) {
  uint32_t& consumers = model.operands[operand].numberOfConsumers;
  if (consumers > 0) --consumers;
}

void ReplaceInput(Model& model, size_t operation, size_t position, uint32_t operand) {
  uint32_t& input = model.operations[operation].inputs[position];
  DropConsumer(model, input);
  input = operand;
  ++model.operands[operand].numberOfConsumers;
}

uint32_t AddOperand(Model& model, Operand operand) {
  model.operands.push_back(std::move(operand));
  return static_cast<uint32_t>(model.operands.size() - 1);
}

void SetConstant(Model& model, uint32_t operand, absl::Span<const uint8_t> bytes) {
  constexpr size_t kAlignment = 4;
  std::vector<uint8_t>& values = model.operandValues;
  values.resize((values.size() + kAlignment - 1) / kAlignment * kAlignment);
  model.operands[operand].lifetime = hal::V1_2::OperandLifeTime::CONSTANT_COPY;
  model.operands[operand].location = {.poolIndex = 0,
                                      .offset = static_cast<uint32_t>(values.size()),
                                      .length = static_cast<uint32_t>(bytes.size())};
  values.insert(values.end(), bytes.begin(), bytes.end());
}

}  // namespace nncert
