// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Mutations of how operations hang together, of the model's arguments, and of the model as a whole.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal_tests/mutations/model_mutator.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::Operation;

MutationPlace WholeOperation(size_t operation) {
  MutationPlace place;
  place.operation = operation;
  return place;
}

// Changes of a list of the model's arguments, all of whose operands have to be of `lifetime`.
void TellOfModelIndexes(ModelMutator& mutator, std::vector<uint32_t> Model::*list,
                        OperandLifeTime lifetime) {
  const Model& model = mutator.model();
  const auto tell = [&](uint64_t variant, const std::string& what, auto change) {
    mutator.Tell(
        {}, variant, [&] { return what; },
        [&](ModelMutant& mutant) { change(mutant.model.*list); });
  };
  for (size_t i = 0; i < (model.*list).size(); ++i) {
    const uint64_t variant = 16 * (i + 1);
    const std::string entry =
        absl::StrCat(list == &Model::inputIndexes ? "inputIndexes[" : "outputIndexes[", i, "]: ");
    tell(variant, entry + "listed again", [&](auto& indexes) { indexes.push_back(indexes[i]); });
    tell(variant + 1, entry + "missing",
         [&](auto& indexes) { indexes.erase(indexes.begin() + static_cast<std::ptrdiff_t>(i)); });
    tell(variant + 2, entry + "an operand that does not exist",
         [&](auto& indexes) { indexes[i] = static_cast<uint32_t>(model.operands.size()); });
    tell(variant + 3, entry + "operand 4294967295",
         [&](auto& indexes) { indexes[i] = UINT32_MAX; });
    for (uint32_t k = 0; k < model.operands.size(); ++k) {
      if (model.operands[k].lifetime == lifetime) continue;
      tell(
          variant + 4,
          absl::StrCat(entry, "operand ", k, " of lifetime ", toString(model.operands[k].lifetime)),
          [&](auto& indexes) { indexes[i] = k; });
      break;
    }
  }
  tell(0, list == &Model::inputIndexes ? "inputIndexes is empty" : "outputIndexes is empty",
       [](auto& indexes) { indexes.clear(); });
}

// An operand like another, that nothing has to do with.
Operand Unused(Operand like, OperandLifeTime lifetime) {
  like.lifetime = lifetime;
  like.location = {};
  like.numberOfConsumers = 0;
  return like;
}

// Calls visit(earlier, later) for pairs of operations the later of which reads an output of the
// earlier one, one pair for each of the earlier.
template <typename Visitor>
void ForEachDependence(const Model& model, Visitor visit) {
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const std::vector<uint32_t>& outputs = model.operations[i].outputs;
    for (size_t k = i + 1; k < model.operations.size(); ++k) {
      const std::vector<uint32_t>& inputs = model.operations[k].inputs;
      if (std::find_first_of(inputs.begin(), inputs.end(), outputs.begin(), outputs.end()) ==
          inputs.end()) {
        continue;
      }
      visit(i, k);
      break;
    }
  }
}

// Tells of an operation that reads an output of another, or its own, of the same type.
void TellOfReader(ModelMutator& mutator, size_t reader, size_t writer, uint64_t variant) {
  const Model& model = mutator.model();
  const std::vector<uint32_t>& inputs = model.operations[reader].inputs;
  for (const uint32_t output : model.operations[writer].outputs) {
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (model.operands[inputs[k]].type != model.operands[output].type) continue;
      const MutationPlace place = {reader, k, false, inputs[k]};
      mutator.Tell(
          place, variant,
          [&] {
            return absl::StrCat("operand ", output, " in its place, an output of operation ",
                                writer);
          },
          [&](ModelMutant& mutant) { ReplaceInput(mutant.model, reader, k, output); });
    }
  }
}

}  // namespace

void MutateExecutionPreference(ModelMutator& mutator) {
  if (mutator.version() < HalVersion::V1_1) return;
  constexpr int kFirst = static_cast<int>(ExecutionPreference::LOW_POWER);
  constexpr int kLast = static_cast<int>(ExecutionPreference::SUSTAINED_SPEED);
  for (const int number : {kFirst - 1, kLast + 1}) {
    mutator.Tell(
        {}, static_cast<uint64_t>(number),
        [&] { return absl::StrCat("execution preference ", number); },
        [&](ModelMutant& mutant) { mutant.preference = static_cast<ExecutionPreference>(number); });
  }
}

void MutateModelInputIndexes(ModelMutator& mutator) {
  TellOfModelIndexes(mutator, &Model::inputIndexes, OperandLifeTime::MODEL_INPUT);
}

void MutateModelOutputIndexes(ModelMutator& mutator) {
  TellOfModelIndexes(mutator, &Model::outputIndexes, OperandLifeTime::MODEL_OUTPUT);
}

void AddUnwrittenOperand(ModelMutator& mutator) {
  const Model& model = mutator.model();
  if (model.operations.empty() || model.operations[0].outputs.empty()) return;
  const Operand& output = model.operands[model.operations[0].outputs[0]];
  mutator.Tell(
      {}, 0, [] { return std::string("one more temporary, which nobody writes"); },
      [&](ModelMutant& mutant) {
        AddOperand(mutant.model, Unused(output, OperandLifeTime::TEMPORARY_VARIABLE));
      });
  mutator.Tell(
      {}, 1, [] { return std::string("one more model output, which nobody writes"); },
      [&](ModelMutant& mutant) {
        mutant.model.outputIndexes.push_back(
            AddOperand(mutant.model, Unused(output, OperandLifeTime::MODEL_OUTPUT)));
      });
  for (const MutationPlace& place : mutator.arguments()) {
    if (place.is_output) continue;
    const Operand& input = model.operands[*place.operand];
    const OperandLifeTime lifetime = input.lifetime;
    if (hal::isConstant(lifetime) || lifetime == OperandLifeTime::NO_VALUE) continue;
    mutator.Tell(
        place, 2, [] { return std::string("a temporary that nobody writes in its place"); },
        [&](ModelMutant& mutant) {
          const uint32_t unwritten =
              AddOperand(mutant.model, Unused(input, OperandLifeTime::TEMPORARY_VARIABLE));
          ReplaceInput(mutant.model, *place.operation, *place.position, unwritten);
        });
  }
}

void AddCycle(ModelMutator& mutator) {
  for (size_t i = 0; i < mutator.model().operations.size(); ++i) TellOfReader(mutator, i, i, 0);
  ForEachDependence(mutator.model(), [&](size_t earlier, size_t later) {
    TellOfReader(mutator, earlier, later, 1);
  });
}

void MutateExecutionOrder(ModelMutator& mutator) {
  ForEachDependence(mutator.model(), [&](size_t earlier, size_t later) {
    mutator.Tell(
        WholeOperation(earlier), 0,
        [&] { return absl::StrCat("moved behind operation ", later, ", which reads its output"); },
        [&](ModelMutant& mutant) {
          const auto first = mutant.model.operations.begin();
          std::rotate(first + static_cast<std::ptrdiff_t>(earlier),
                      first + static_cast<std::ptrdiff_t>(earlier) + 1,
                      first + static_cast<std::ptrdiff_t>(later) + 1);
        });
  });
}

void AddWriter(ModelMutator& mutator) {
  const Model& model = mutator.model();
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const Operation& operation = model.operations[i];
    mutator.Tell(
        WholeOperation(i), 0,
        [] { return std::string("once more at the end, with the same outputs"); },
        [&](ModelMutant& mutant) {
          for (const uint32_t input : operation.inputs) {
            ++mutant.model.operands[input].numberOfConsumers;
          }
          mutant.model.operations.push_back(operation);
        });
    for (size_t k = 1; k < operation.outputs.size(); ++k) {
      const MutationPlace place = {i, k, true, operation.outputs[k]};
      mutator.Tell(
          place, 1, [] { return std::string("output 0 in its place"); },
          [&](ModelMutant& mutant) {
            std::vector<uint32_t>& outputs = mutant.model.operations[i].outputs;
            outputs[k] = outputs[0];
          });
    }
    for (size_t k = 0; k < operation.inputs.size() && !operation.outputs.empty(); ++k) {
      const uint32_t input = operation.inputs[k];
      const MutationPlace place = {i, k, false, input};
      if (model.operands[input].lifetime == OperandLifeTime::TEMPORARY_VARIABLE) continue;
      mutator.Tell(
          place, 2,
          [&] {
            return absl::StrCat("written by the operation, as its output 0, though it is ",
                                toString(model.operands[input].lifetime));
          },
          [&](ModelMutant& mutant) { mutant.model.operations[i].outputs[0] = input; });
    }
  }
}

void RemoveEverything(ModelMutator& mutator) {
  mutator.Tell(
      {}, 0, [] { return std::string("a model without operands and operations"); },
      [](ModelMutant& mutant) { mutant.model = Model(); });
}

void MutateExtensionPrefixes(ModelMutator& mutator) {
  if (mutator.version() < HalVersion::V1_2) return;
  using Entry = Model::ExtensionNameAndPrefix;
  const auto tell = [&](uint64_t variant, const char* what, const std::vector<Entry>& entries) {
    mutator.Tell(
        {}, variant, [&] { return absl::StrCat("extensionNameToPrefix: ", what); },
        [&](ModelMutant& mutant) {
          std::vector<Entry>& prefixes = mutant.model.extensionNameToPrefix;
          prefixes.insert(prefixes.end(), entries.begin(), entries.end());
        });
  };
  constexpr uint16_t kPrefix = 0x7A01;
  const std::string name = "com.example.validation.one";
  const std::string other_name = "com.example.validation.two";
  tell(0, "a prefix of 0", {{name, 0}});
  tell(1, "two prefixes of one name", {{name, kPrefix}, {name, kPrefix + 1}});
  tell(2, "two names of one prefix", {{name, kPrefix}, {other_name, kPrefix}});
  tell(3, "one name and prefix twice", {{name, kPrefix}, {name, kPrefix}});
}

}  // namespace nncert
