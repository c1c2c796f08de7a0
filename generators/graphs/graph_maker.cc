// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/graphs/graph_maker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/constant_input.h"
#include "hal/memory.h"
#include "hal/v1_2/types.h"
#include "reference/catalogue.h"
#include "reference/extension.h"

namespace nncert {
namespace {

using hal::V1_2::OperandLifeTime;

// How often another operation, or another value, is tried before the graph goes on without.
constexpr int kMostOperations = 24;
constexpr int kMostValues = 4;
// How many operations may lead to an empty tensor that the one in question can read.
constexpr int kMostLeadingToEmpty = 4;
// How many operations are tried as the one before another.
constexpr int kMostLeading = 64;
// Values that a chain of operations should not go beyond, so that nothing overflows.
constexpr double kMostFloat = 1e6;
constexpr double kMostHalf = 1e3;
constexpr double kMostInteger = 1e6;
// What an operation that reads a value may take: a long dimension is soon multiplied by itself, in
// images around a filter that is given. Without a limit one graph in 700 took four fifths of the
// time of a campaign.
constexpr double kMostStepsOfReader = 1e6;
// How far values that there are may be beyond those that an operation would be given.
constexpr double kMostBeyondHint = 16;

OperandSpec SpecOf(const OperandInfo& info) {
  OperandSpec spec;
  spec.type = info.type;
  spec.dimensions.assign(info.dimensions.begin(), info.dimensions.end());
  spec.scale = info.scale;
  spec.zeroPoint = info.zeroPoint;
  if (!info.channelScales.empty()) {
    spec.scale = 0;
    spec.extraParams = hal::V1_2::SymmPerChannelQuantParams{
        {info.channelScales.begin(), info.channelScales.end()}, info.channelDim};
  }
  if (!info.extensionParams.empty()) {
    spec.scale = 0;
    spec.zeroPoint = 0;
    spec.extraParams =
        std::vector<uint8_t>(info.extensionParams.begin(), info.extensionParams.end());
  }
  return spec;
}

bool FitsHint(const ValueRange& range, const OperandRule& rule, OperandType type, double reach) {
  const ValueRange hint = HintedRange(rule, type, reach);
  switch (rule.values().kind) {
    case ValueHint::Kind::kNone:
      return false;
    case ValueHint::Kind::kLogUniform:
      return range.lowest > 0 && range.highest <= hint.highest * kMostBeyondHint;
    case ValueHint::Kind::kUniform:
      return (hint.lowest < 0 || range.lowest >= 0) &&
             range.Magnitude() <= kMostBeyondHint * hint.Magnitude();
  }
  return false;
}

// How much larger than a state what is fed back as one may be: what comes of it is that much
// larger.
constexpr double kMostBeyondState = 4;

// Whether all of `part` is in `whole`, or goes as far on its sides as twice that.
bool AboutHolds(const ValueRange& whole, const ValueRange& part) {
  const ValueRange wider = whole.HullWith(whole.Times(2));
  return part.lowest >= wider.lowest && part.highest <= wider.highest;
}

bool CanBeRead(const OperandRule& rule) { return rule.is_tensor() && !rule.is_parameter(); }

// The first of the values that will do, from one of them on and round; null when there is none.
template <class Value, class Predicate>
const Value* FindFrom(const std::vector<Value>& values, size_t first, Predicate will_do) {
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[(first + i) % values.size()];
    if (will_do(value)) return &value;
  }
  return nullptr;
}

// Moves about half of the constants into a pool, where they have the offsets that they had. What is
// not there any more is zero. Where there is no memory for a pool they stay: the driver will not
// get any either, and says so.
void MoveToPool(SplitMix64& random, hal::V1_2::Model& model) {
  std::vector<hal::V1_2::Operand*> moved;
  std::vector<uint8_t> content(model.operandValues.size());
  for (hal::V1_2::Operand& operand : model.operands) {
    if (operand.lifetime != OperandLifeTime::CONSTANT_COPY || !random.OneIn(2)) continue;
    moved.push_back(&operand);
    std::copy_n(model.operandValues.data() + operand.location.offset, operand.location.length,
                content.data() + operand.location.offset);
  }
  // Written, not mapped: who reads the pool maps it once.
  absl::StatusOr<hal::Memory> pool = hal::Memory::AllocateCopy(content);
  if (!pool.ok()) return;
  for (hal::V1_2::Operand* const operand : moved) {
    operand->lifetime = OperandLifeTime::CONSTANT_REFERENCE;
    std::fill_n(model.operandValues.data() + operand->location.offset, operand->location.length,
                uint8_t{0});
  }
  model.pools.push_back(*std::move(pool));
}

bool HaveSameValues(const OperandInfo& a, const OperandInfo& b) {
  return a.type == b.type && a.dimensions == b.dimensions && a.scale == b.scale &&
         a.zeroPoint == b.zeroPoint && a.extensionParams == b.extensionParams &&
         b.channelScales.empty();
}

}  // namespace

TestCase GraphMaker::Make(const GraphWishes& wishes) {
  version_ = wishes.version;
  Clear(wishes);
  AddFirstOperation(wishes);
  for (size_t i = 1; i < wishes.operations; ++i) {
    if (!AddAnyOperation(wishes, true)) AddAnyOperation(wishes, false);
  }
  // A model has an input, if not of its first operation then of another.
  for (int i = 0; i < kMostValues && model_.model().inputIndexes.empty(); ++i) {
    if (wishes.is_first_constant) AddAnyOperation(wishes, false);
  }
  TestCase result;
  result.name = "random";
  result.dynamicOutputShapeName = "random_dynamic_output_shape";
  result.minimumVersion = wishes.version;
  result.model = Finish();
  result.examples = std::move(examples_);
  if (result.model.inputIndexes.empty()) MakeConstantAnInput(result);
  if (wishes.has_pool) MoveToPool(random_, result.model);
  return result;
}

void GraphMaker::Clear(const GraphWishes& wishes) {
  model_ = ModelBuilder();
  model_.Relaxed(wishes.is_relaxed);
  examples_.assign(wishes.examples, Example());
  values_.clear();
}

std::map<uint32_t, ValueRange> GraphMaker::Ranges() const {
  std::map<uint32_t, ValueRange> ranges;
  for (const Value& value : values_) ranges.emplace(value.operand, value.range);
  return ranges;
}

GraphMaker::TypeChoices GraphMaker::ChoicesAmong(const OperationDefinition& definition,
                                                 std::vector<OperandTypes> combinations) const {
  TypeChoices type_choices = {std::move(combinations), {}};
  for (size_t i = 0; i < type_choices.combinations.size(); ++i) {
    const auto& types = type_choices.combinations[i].inputs;
    for (size_t slot = 0; slot < types.size(); ++slot) {
      const OperandRule& rule = definition.signature.inputs[slot];
      if (!CanBeRead(rule) || rule.since() > version_) continue;
      type_choices.readers.push_back(
          {types[slot], static_cast<uint32_t>(i), static_cast<uint32_t>(slot)});
    }
  }
  return type_choices;
}

const GraphMaker::TypeChoices& GraphMaker::ChoicesOf(const OperationDefinition& definition) {
  const auto [known, is_new] = type_choices_.try_emplace({&definition, version_});
  if (is_new) {
    known->second = ChoicesAmong(definition, ChoosableTypes(definition, version_));
  }
  return known->second;
}

void GraphMaker::AddFirstOperation(const GraphWishes& wishes) {
  if (wishes.operation == nullptr) {
    AddAnyOperation(wishes, false);
    return;
  }
  const TypeChoices only = wishes.types.has_value()
                               ? ChoicesAmong(*wishes.operation, {*wishes.types})
                               : ChoicesOf(*wishes.operation);
  if (wishes.is_empty && AddAfterEmptyTensors(wishes, *wishes.operation, only)) return;
  if (wishes.is_led_to && AddAfterAnother(wishes, *wishes.operation, only)) return;
  AddOperation(wishes, *wishes.operation, only, false);
}

bool GraphMaker::AddAfterAnother(const GraphWishes& wishes, const OperationDefinition& definition,
                                 const TypeChoices& type_choices) {
  for (int i = 0; i < kMostLeading; ++i) {
    if (AddAnyOperation(wishes, false)) {
      std::erase_if(values_, [](const Value& value) { return !value.is_written; });
      if (AddOperation(wishes, definition, type_choices, true)) return true;
    }
    Clear(wishes);
  }
  return false;
}

bool GraphMaker::AddAfterEmptyTensors(const GraphWishes& wishes,
                                      const OperationDefinition& definition,
                                      const TypeChoices& type_choices) {
  if (!definition.accepts_empty_tensors) return false;
  // What may find nothing gives empty tensors, and others make more of them.
  GraphWishes without_rows = wishes;
  without_rows.operands.have_no_rows = true;
  const auto finds_nothing = [](const OperationDefinition& operation) {
    return operation.accepts_empty_tensors && operation.shape == nullptr;
  };
  if (!AddAnyOperation(without_rows, false, finds_nothing)) return false;
  std::erase_if(values_, [](const Value& value) { return !value.is_written; });
  const auto accepts = [](const OperationDefinition& operation) {
    return operation.accepts_empty_tensors;
  };
  for (int i = 0; i < kMostLeadingToEmpty; ++i) {
    if (AddOperation(wishes, definition, type_choices, true)) return true;
    AddAnyOperation(wishes, true, accepts);
  }
  return AddOperation(wishes, definition, type_choices, true);
}

bool GraphMaker::AddAnyOperation(const GraphWishes& wishes, bool must_read,
                                 OperationFilter* will_do) {
  const absl::Span<const OperationDefinition* const> own = AllOperations();
  const absl::Span<const OperationDefinition* const> extended =
      version_ >= HalVersion::V1_2 ? AllExtensionOperations()
                                   : absl::Span<const OperationDefinition* const>();
  for (int i = 0; i < kMostOperations; ++i) {
    const size_t chosen = random_.Below(own.size() + extended.size());
    const OperationDefinition& definition =
        chosen < own.size() ? *own[chosen] : *extended[chosen - own.size()];
    const TypeChoices& type_choices = ChoicesOf(definition);
    if (type_choices.combinations.empty() || (will_do != nullptr && !will_do(definition))) continue;
    if (AddOperation(wishes, definition, type_choices, must_read)) return true;
  }
  return false;
}

bool GraphMaker::AddOperation(const GraphWishes& wishes, const OperationDefinition& definition,
                              const TypeChoices& type_choices, bool must_read) {
  uint32_t given = 0;
  std::optional<OperandChooser> choice = ChooseReading(wishes, definition, type_choices, given);
  if (!choice.has_value()) {
    if (must_read) return false;
    const OperandTypes types = random_.OneOf(type_choices.combinations);
    choice =
        OperandChooser::Choose(definition, version_, types, std::nullopt, wishes.operands, random_);
    if (!choice.has_value()) return false;
  }
  Append(wishes, *choice, given);
  if (wishes.is_repeated && model_.model().operations.size() == 1) Repeat(wishes, *choice);
  return true;
}

std::optional<OperandChooser> GraphMaker::ChooseReading(const GraphWishes& wishes,
                                                        const OperationDefinition& definition,
                                                        const TypeChoices& type_choices,
                                                        uint32_t& operand) {
  if (values_.empty()) return std::nullopt;
  for (int i = 0; i < kMostValues; ++i) {
    // Of two values the one that an operation wrote, or else the later one.
    const Value* value = &values_[random_.Below(values_.size())];
    const Value* other = &values_[random_.Below(values_.size())];
    if (!value->is_written && other->is_written) value = other;
    // The slots and types that would take it, each as likely as the others.
    const TypeChoices::Reader* chosen = nullptr;
    uint64_t count = 0;
    for (const TypeChoices::Reader& reader : type_choices.readers) {
      if (reader.type != value->info.type) continue;
      const OperandRule& rule = definition.signature.inputs[reader.slot];
      if (!rule.AllowsRank(static_cast<int>(value->info.dimensions.size()), version_)) continue;
      if (!FitsHint(value->range, rule, value->info.type, wishes.operands.reach)) continue;
      if (random_.OneIn(++count)) chosen = &reader;
    }
    if (chosen == nullptr) continue;
    ++choices_.attempts;
    const GivenOperand given = {static_cast<int>(chosen->slot), value->info, value->range,
                                value->extension_params};
    std::optional<OperandChooser> choice =
        OperandChooser::Choose(definition, version_, type_choices.combinations[chosen->combination],
                               given, wishes.operands, random_);
    if (choice.has_value() && IsModerate(wishes, *choice)) {
      operand = value->operand;
      return choice;
    }
    ++choices_.declined;
  }
  return std::nullopt;
}

bool GraphMaker::IsModerate(const GraphWishes& wishes, const OperandChooser& choice) const {
  if (choice.steps() > kMostStepsOfReader) return false;
  for (const ChosenOperand& output : choice.outputs()) {
    const double magnitude = output.range.Magnitude();
    const bool is_half = output.info.type == OperandType::TENSOR_FLOAT16 ||
                         (output.info.type == OperandType::TENSOR_FLOAT32 && wishes.is_relaxed);
    const double most = is_half                                         ? kMostHalf
                        : output.info.type == OperandType::TENSOR_INT32 ? kMostInteger
                                                                        : kMostFloat;
    if (!(magnitude <= most)) return false;
  }
  return true;
}

bool GraphMaker::IsConstant(const GraphWishes& wishes, bool is_first_tensor) {
  if (wishes.are_all_inputs) return false;
  const bool is_first_operation = model_.model().operations.empty();
  return wishes.is_first_constant && is_first_operation ? is_first_tensor : random_.OneIn(3);
}

uint32_t GraphMaker::AddInput(const GraphWishes& wishes, const OperandRule& rule,
                              const ChosenOperand& operand, bool is_first_tensor) {
  OperandSpec spec = SpecOf(operand.info);
  if (operand.is_omitted) {
    // Before HAL 1.2 a tensor has a rank, even one that is not there.
    if (rule.is_tensor()) spec.dimensions = {0};
    return model_.Omitted(std::move(spec));
  }
  std::vector<uint8_t> elements = RandomElements(operand, wishes.elements, random_);
  const bool is_constant = CanBeRead(rule) ? IsConstant(wishes, is_first_tensor)
                                           : !(rule.is_tensor() && wishes.are_all_inputs);
  if (is_constant) return model_.ConstantBytes(std::move(spec), elements);
  for (Example& example : examples_) {
    if (&example != &examples_.front()) {
      elements = RandomElements(operand, wishes.elements, random_);
    }
    example.inputs.push_back({false, spec.dimensions, elements});
  }
  return model_.Input(std::move(spec));
}

void GraphMaker::Append(const GraphWishes& wishes, const OperandChooser& choice, uint32_t given) {
  const OperationDefinition& definition = choice.definition();
  std::vector<uint32_t> inputs;
  inputs.reserve(choice.form().size());
  std::vector<Value> added;
  bool is_first_tensor = true;
  for (const int slot : choice.form()) {
    const OperandRule& rule = definition.signature.inputs[static_cast<size_t>(slot)];
    for (const ChosenOperand& operand : choice.Inputs(slot)) {
      if (operand.is_given) {
        inputs.push_back(given);
        continue;
      }
      const bool is_value = CanBeRead(rule) && !operand.is_omitted;
      if (is_value && operand.values.empty()) {
        const auto would_do = [&](const Value& value) {
          return HaveSameValues(value.info, operand.info) &&
                 AboutHolds(operand.range, value.range) &&
                 FitsHint(value.range, rule, operand.info.type, wishes.operands.reach);
        };
        // Another value that would do as well: the operation's own, twice, or one of the graph.
        // What comes of the operation was reckoned by the range of the one that it is read instead
        // of.
        const Value* same = FindFrom(added, 0, would_do);
        if (same == nullptr || !(wishes.operands.are_alike || random_.OneIn(4))) {
          same = FindFrom(values_, random_.Below(values_.size()), would_do);
          if (same != nullptr && !random_.OneIn(2)) same = nullptr;
        }
        if (same != nullptr) {
          inputs.push_back(same->operand);
          continue;
        }
      }
      inputs.push_back(AddInput(wishes, rule, operand, is_first_tensor));
      if (is_value) is_first_tensor = false;
      if (is_value && operand.info.channelScales.empty()) {
        added.push_back(
            {inputs.back(), operand.info, operand.extension_params, operand.range, false});
      }
    }
  }
  values_.insert(values_.end(), added.begin(), added.end());
  AddOutputs(choice, inputs);
}

void GraphMaker::AddOutputs(const OperandChooser& choice, const std::vector<uint32_t>& inputs) {
  const OperationDefinition& definition = choice.definition();
  std::vector<uint32_t> outputs;
  outputs.reserve(choice.outputs().size());
  for (const ChosenOperand& operand : choice.outputs()) {
    outputs.push_back(model_.Temporary(SpecOf(operand.info)));
    // Nothing can be chosen to fit dimensions that are not known.
    if (operand.info.dimensions.empty()) continue;
    values_.push_back(
        {outputs.back(), operand.info, operand.extension_params, operand.range, true});
  }
  if (!definition.extension.empty()) UseExtension(definition.extension);
  model_.Operation(definition.type, inputs, std::move(outputs));
}

void GraphMaker::Repeat(const GraphWishes& wishes, const OperandChooser& choice) {
  const hal::V1_2::Operation first = model_.model().operations.back();
  // The inputs that may be what the operation wrote. States stand behind what an operation is
  // about, so that comes last.
  struct Place {
    size_t input;
    const OperandRule* rule;
    const ChosenOperand* operand;
  };
  std::vector<Place> places;
  size_t input = 0;
  for (const int slot : choice.form()) {
    const OperandRule& rule = choice.definition().signature.inputs[static_cast<size_t>(slot)];
    for (const ChosenOperand& operand : choice.Inputs(slot)) {
      if (CanBeRead(rule) && !operand.is_omitted) places.push_back({input, &rule, &operand});
      ++input;
    }
  }
  std::rotate(places.begin(), places.begin() + (places.empty() ? 0 : 1), places.end());
  std::vector<uint32_t> inputs = first.inputs;
  for (size_t i = 0; i < first.outputs.size(); ++i) {
    const ChosenOperand& output = choice.outputs()[i];
    const auto place = std::find_if(places.begin(), places.end(), [&](const Place& candidate) {
      return HaveSameValues(output.info, candidate.operand->info) &&
             FitsHint(output.range, *candidate.rule, output.info.type, wishes.operands.reach) &&
             output.range.Magnitude() <= kMostBeyondState * candidate.operand->range.Magnitude();
    });
    if (place == places.end()) continue;
    inputs[place->input] = first.outputs[i];
    places.erase(place);
  }
  if (inputs == first.inputs) return;
  const size_t values = values_.size();
  AddOutputs(choice, inputs);
  // What comes of them now has not been reckoned, so nothing else reads it.
  values_.resize(values);
}

void GraphMaker::UseExtension(std::string_view name) {
  const auto& known = model_.model().extensionNameToPrefix;
  const auto is_it = [name](const auto& entry) { return entry.name == name; };
  if (std::none_of(known.begin(), known.end(), is_it)) model_.Extension(name);
}

hal::V1_2::Model GraphMaker::Finish() {
  hal::V1_2::Model model = model_.TakeModel();
  // What nobody reads is an output, and now and then what somebody does.
  for (const hal::V1_2::Operation& operation : model.operations) {
    for (const uint32_t output : operation.outputs) {
      hal::V1_2::Operand& operand = model.operands[output];
      if (operand.numberOfConsumers > 0 && !random_.OneIn(8)) continue;
      operand.lifetime = OperandLifeTime::MODEL_OUTPUT;
      model.outputIndexes.push_back(output);
    }
  }
  return model;
}

}  // namespace nncert
