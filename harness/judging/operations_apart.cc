// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/operations_apart.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "hal/utils.h"
#include "harness/judging/comparator.h"
#include "reference/catalogue.h"
#include "reference/storage.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operation;

// An execution keeps all values at the same time, each element as a Ball. Models whose values have
// more bytes than that are judged one operation after the other.
constexpr size_t kMostBytes = size_t{1} << 22;

// What an operation reads that is no constant: the inputs of a model of it alone.
std::vector<uint32_t> VariableInputs(const Model& model, const Operation& operation) {
  std::vector<uint32_t> inputs;
  std::copy_if(operation.inputs.begin(), operation.inputs.end(), std::back_inserter(inputs),
               [&](uint32_t input) {
                 const hal::V1_2::OperandLifeTime lifetime = model.operands[input].lifetime;
                 return !hal::isConstant(lifetime) &&
                        lifetime != hal::V1_2::OperandLifeTime::NO_VALUE;
               });
  return inputs;
}

// Whether a driver had the very value that the oracle has.
bool IsSame(const OutputValue& own, const OperandValue& drivers) {
  const absl::Span<const double> expected = own.doubles();
  if (absl::MakeConstSpan(own.info.dimensions) != absl::MakeConstSpan(drivers.dimensions) ||
      drivers.data.size() != expected.size() * NativeElementSize(ElementKindOf(own.info.type))) {
    return false;
  }
  std::vector<double> actual(expected.size());
  ImportElements(NumberSystem::kDouble, own.info.type,
                 reinterpret_cast<const std::byte*>(drivers.data.data()), actual.size(),
                 reinterpret_cast<std::byte*>(actual.data()));
  // Bit by bit: zeros have signs.
  return absl::c_equal(actual, expected, [](double a, double b) {
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
  });
}

bool IsIn(const std::vector<uint32_t>& operands, uint32_t operand) {
  return std::find(operands.begin(), operands.end(), operand) != operands.end();
}

}  // namespace

std::vector<bool> OperationsApart::Passing() {
  const Model& model = test_case_.model;
  std::vector<bool> passing(model.operations.size());
  size_t bytes = 0;
  for (const auto& [operand, value] : values_) bytes += value.data.size();
  if (bytes > kMostBytes) return passing;
  places_.resize(model.operands.size());
  size_t place = 0;
  for (const uint32_t output : model.outputIndexes) places_[output] = place++;
  for (const uint32_t temporary : TemporariesOf(model)) places_[temporary] = place++;
  if (!Expect().ok()) return passing;
  for (size_t i = 0; i < passing.size(); ++i) {
    std::vector<PassedOutput> outputs;
    passing[i] = Passes(model.operations[i], outputs);
    if (passing[i]) passed_.push_back({i, std::move(outputs)});
  }
  return passing;
}

absl::Status OperationsApart::Expect() {
  const std::vector<Operation>& operations = test_case_.model.operations;
  const absl::StatusOr<const std::vector<OutputValue>*> alone = oracle_.Doubles(example_);
  if (!alone.ok()) return alone.status();
  std::vector<bool> is_other(test_case_.model.operands.size());
  for (const auto& [operand, value] : values_) {
    is_other[operand] = !IsSame((**alone)[places_[operand]], value);
  }
  std::vector<bool> reads_others(operations.size());
  for (size_t i = 0; i < operations.size(); ++i) {
    reads_others[i] =
        absl::c_any_of(operations[i].inputs, [&](uint32_t input) { return is_other[input]; });
  }
  absl::StatusOr<std::vector<OutputValue>> executed = std::vector<OutputValue>();
  if (absl::c_linear_search(reads_others, true)) {
    executed = Execute(NumberSystem::kDouble, reads_others);
    if (!executed.ok()) return executed.status();
  }
  const absl::StatusOr<const std::vector<ExpectedOutput>*> rounded =
      oracle_.OutputsAndTemporaries(example_);
  if (!rounded.ok()) return rounded.status();
  expected_.resize((**alone).size());
  for (size_t i = 0; i < operations.size(); ++i) {
    for (const uint32_t output : operations[i].outputs) {
      const size_t place = places_[output];
      if (!reads_others[i]) {
        expected_[place] = &(**rounded)[place];
        continue;
      }
      const OutputValue& value = (*executed)[place];
      // Of what reads something that is not known, nothing is expected.
      expected_[place] = &own_expected_.emplace_back(value.undecided.ok() ? RoundedOutput(value)
                                                                          : ExpectedOutput());
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<OutputValue>> OperationsApart::Execute(
    NumberSystem system, const std::vector<bool>& only_operations) const {
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph = oracle_.GraphWithTemporaries();
  if (!graph.ok()) return graph.status();
  std::map<uint32_t, InputArgument> read_instead;
  for (const auto& [operand, value] : values_) {
    read_instead.emplace(operand, ArgumentOf(value.dimensions, value.data));
  }
  return (**graph).Execute(system, ArgumentsOf(test_case_.examples[example_]), {},
                           {.kernels = oracle_.options().kernels,
                            .most_steps = oracle_.options().most_steps,
                            .read_instead = &read_instead,
                            .only_operations = &only_operations});
}

bool OperationsApart::Passes(const Operation& operation, std::vector<PassedOutput>& outputs) const {
  const Model& model = test_case_.model;
  const OperationDefinition& definition = *FindOperation(operation.type);
  if (definition.outputs_are_random) return false;
  const std::vector<uint32_t> inputs = VariableInputs(model, operation);
  const bool has_all_inputs = std::all_of(inputs.begin(), inputs.end(), [&](uint32_t input) {
    return IsIn(model.inputIndexes, input) || values_.contains(input);
  });
  if (inputs.empty() || !has_all_inputs) return false;
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    const uint32_t operand = operation.outputs[i];
    const auto value = values_.find(operand);
    // Nothing is said of what the case does not look at either.
    if (value == values_.end()) continue;
    const ExpectedOutput& expected = *expected_[places_[operand]];
    if (value->second.dimensions != expected.dimensions) return false;
    // Which rows are whose is another matter as soon as one is another one.
    if (!definition.unordered_rows.outputs.empty() && value->second.data != expected.data) {
      return false;
    }
    // What nobody reads may be anything: scratch memory, for example.
    if (model.operands[operand].numberOfConsumers == 0 && !IsIn(model.outputIndexes, operand)) {
      continue;
    }
    const Criterion criterion = CriterionFor(test_case_, operand, inputs);
    const absl::StatusOr<ElementComparison> comparison =
        CompareElements(model.operands[operand].type, criterion, expected.data, value->second.data);
    if (!comparison.ok() || !comparison->mismatches.empty()) return false;
    outputs.push_back({model, operand, i, criterion, expected, value->second.data});
  }
  return true;
}

std::vector<std::vector<OperationAccuracy>> OperationsApart::Accuracy() const {
  // Enclosures take longer than all else, so only those are computed that are needed.
  std::vector<bool> is_enclosed(test_case_.model.operations.size());
  for (const PassedOperation& passed : passed_) {
    is_enclosed[passed.operation] =
        !std::all_of(passed.outputs.begin(), passed.outputs.end(), IsAsExpected);
  }
  absl::StatusOr<std::vector<OutputValue>> enclosures = std::vector<OutputValue>();
  if (std::find(is_enclosed.begin(), is_enclosed.end(), true) != is_enclosed.end()) {
    enclosures = Execute(NumberSystem::kBall, is_enclosed);
  }
  std::vector<std::vector<OperationAccuracy>> by_operation(test_case_.model.operations.size());
  for (const PassedOperation& passed : passed_) {
    for (const PassedOutput& output : passed.outputs) {
      if (output.actual.empty() || IsOpaque(test_case_.model.operands[output.operand].type)) {
        continue;
      }
      OperationAccuracy accuracy = AccuracyOf(output);
      if (!IsAsExpected(output)) {
        if (!enclosures.ok()) continue;
        const OutputValue& enclosure = (*enclosures)[places_[output.operand]];
        if (!enclosure.undecided.ok() || !HoldAgainst(enclosure.balls(), output, accuracy)) {
          continue;
        }
      }
      AddAccuracy(std::move(accuracy), by_operation[passed.operation]);
    }
  }
  return by_operation;
}

}  // namespace nncert
