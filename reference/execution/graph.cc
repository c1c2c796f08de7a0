// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/graph.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "hal/validate.h"
#include "reference/catalogue.h"
#include "reference/extension.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::Operation;

// Constants of a pool up to this size are copied. Parameters are scalars and lists with an element
// or two for each dimension.
constexpr size_t kLargestCopiedConstant = 1024;
// Constants of the model up to this size are copied where large ones may be let go of, lest they
// hold back the pages that they share with these.
constexpr size_t kLargestMovedConstant = 64;
// Memory is given back by pages, which are that large at the least: of constants that take less in
// all there is nothing to be let go of.
constexpr size_t kSmallestPage = 4096;

// What an implementation of an operation on these operands may lose.
Precision PrecisionOf(const Graph& graph, const Operation& operation, const GraphNode& node) {
  bool has_float16 = false;
  bool has_float32 = false;
  bool has_quantized = false;
  const auto look_at = [&](uint32_t operand) {
    const OperandType type = StoredAs(graph.declared.infos[operand].type);
    has_float16 |= type == OperandType::TENSOR_FLOAT16;
    has_float32 |= type == OperandType::TENSOR_FLOAT32;
    has_quantized |= IsQuantized(type);
  };
  for (size_t slot = 0; slot < node.bindings.size(); ++slot) {
    if (node.definition->signature.inputs[slot].is_parameter()) continue;
    for (int i = 0; i < node.bindings[slot].count; ++i) {
      look_at(operation.inputs[node.bindings[slot].first + i]);
    }
  }
  // Steps that come of floats are rounded to once: nothing is requantized.
  const bool is_of_floats = has_float32 && !has_quantized;
  for (const uint32_t operand : operation.outputs) look_at(operand);
  if (has_float16) return kFloat16Precision;
  if (has_float32 && graph.model.relaxComputationFloat32toFloat16) return kFloat16Precision;
  return has_quantized && !is_of_floats ? kQuantizedPrecision : kFloat32Precision;
}

// Whether the client can still change the value of a constant.
bool IsShared(const Operand& operand) {
  return operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE &&
         operand.location.length > kLargestCopiedConstant;
}

absl::StatusOr<SlotBindings> BindingsOf(const Graph& graph, size_t index, Validation validation) {
  const Operation& operation = graph.model.operations[index];
  const OperationDefinition* definition = FindOperation(operation.type);
  // What is in a pool may have changed since the model was validated.
  const bool has_pools =
      std::any_of(operation.inputs.begin(), operation.inputs.end(), [&](uint32_t operand) {
        return graph.model.operands[operand].lifetime == OperandLifeTime::CONSTANT_REFERENCE;
      });
  if (validation == Validation::kNeeded || definition == nullptr || has_pools) {
    return ValidateOperation(graph.model, index, graph.version, graph.declared.infos,
                             graph.declared.constants);
  }
  // Mostly there is no choice.
  if (std::optional<SlotBindings> bindings =
          BindingsByNumber(*definition, graph.version, operation.inputs.size())) {
    return *std::move(bindings);
  }
  const OperationOperands operands =
      StatesOf(operation, graph.model, graph.declared.infos, graph.declared.constants);
  return MatchSignature(*definition, graph.version, operands.inputs, operands.outputs);
}

bool IsDecided(const Graph& graph, const Operation& operation, const GraphNode& node) {
  if (node.definition->shape == nullptr) return false;
  for (size_t slot = 0; slot < node.bindings.size(); ++slot) {
    const bool is_parameter = node.definition->signature.inputs[slot].is_parameter();
    for (int i = 0; i < node.bindings[slot].count; ++i) {
      const uint32_t operand = operation.inputs[node.bindings[slot].first + i];
      if (graph.model.operands[operand].lifetime == OperandLifeTime::NO_VALUE) continue;
      if (!graph.uses[operand].has_known_size) return false;
      if (!is_parameter) continue;
      if (graph.declared.constants[operand] == nullptr) return false;
      if (IsShared(graph.model.operands[operand])) return false;
    }
  }
  return std::all_of(operation.outputs.begin(), operation.outputs.end(),
                     [&](uint32_t operand) { return graph.uses[operand].has_known_size; });
}

// Whether two constants in the model have bytes in common.
bool DoConstantsOverlap(const Model& model) {
  std::vector<std::pair<size_t, size_t>> ranges;
  for (const Operand& operand : model.operands) {
    if (operand.lifetime != OperandLifeTime::CONSTANT_COPY || operand.location.length == 0)
      continue;
    const size_t begin = operand.location.offset;
    ranges.emplace_back(begin, begin + operand.location.length);
  }
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) return true;
  }
  return false;
}

void CopyConstants(Graph& graph) {
  for (size_t i = 0; i < graph.model.operands.size(); ++i) {
    const Operand& operand = graph.model.operands[i];
    const std::byte*& constant = graph.declared.constants[i];
    if (constant == nullptr) continue;
    const bool is_aligned =
        reinterpret_cast<uintptr_t>(constant) % ElementSize(NumberSystem::kFloat, operand.type) ==
        0;
    const bool is_copy = operand.lifetime == OperandLifeTime::CONSTANT_COPY;
    const bool is_moved =
        is_copy && graph.is_let_go != nullptr && operand.location.length <= kLargestMovedConstant;
    if (is_aligned && !is_moved && (is_copy || IsShared(operand))) continue;
    Buffer copy;
    // A copy of nothing is still a value.
    if (!copy.Reserve(std::max<size_t>(1, operand.location.length))) continue;
    std::memcpy(copy.data(), constant, operand.location.length);
    if (is_moved) graph.let_go->Add(constant, constant + operand.location.length);
    constant = copy.data();
    graph.copies.push_back(std::move(copy));
  }
}

std::vector<OperandUse> UsesOf(const Model& model) {
  std::vector<OperandUse> uses(model.operands.size());
  for (size_t i = 0; i < uses.size(); ++i) {
    uses[i].has_known_size = !HasUnknownDimensions(model.operands[i]);
  }
  for (uint32_t i = 0; i < model.operations.size(); ++i) {
    const auto use = [&](uint32_t operand) {
      if (!uses[operand].is_used) uses[operand].first = i;
      uses[operand].is_used = true;
      uses[operand].last = i;
    };
    for (const uint32_t operand : model.operations[i].inputs) {
      use(operand);
      ++uses[operand].readers;
    }
    for (const uint32_t operand : model.operations[i].outputs) {
      use(operand);
      uses[operand].is_written = true;
    }
  }
  return uses;
}

}  // namespace

void Graph::LetGo(uint32_t operand, size_t first, size_t last) const {
  const Operand& described = model.operands[operand];
  const std::byte* const constant = declared.constants[operand];
  if (constant == nullptr) return;
  if (described.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
    const hal::Mapping& pool = declared.pools[described.location.poolIndex];
    // Copies of what is in pools are small.
    if (constant != reinterpret_cast<const std::byte*>(pool.data()) + described.location.offset) {
      return;
    }
    // The pool keeps the elements: whoever reads them after all finds them there.
  } else {
    if (is_let_go == nullptr || uses[operand].readers != 1) return;
    is_let_go[operand].store(true, std::memory_order_relaxed);
  }
  const size_t size = ElementSize(NumberSystem::kFloat, described.type);
  let_go->Add(constant + first * size, constant + last * size);
}

absl::StatusOr<Graph> MakeGraph(Model model, HalVersion version, Validation validation,
                                GraphUse use) {
  if (validation == Validation::kNeeded) {
    if (absl::Status status = hal::validateModelStructure(model, version); !status.ok()) {
      return status;
    }
  }
  Graph graph;
  graph.model = WithCataloguePrefixes(std::move(model));
  graph.version = version;
  graph.use = use;
  if (use == GraphUse::kFloatAlone && graph.model.operandValues.size() >= kSmallestPage &&
      !DoConstantsOverlap(graph.model)) {
    graph.is_let_go = std::make_unique<std::atomic<bool>[]>(graph.model.operands.size());
  }
  absl::StatusOr<ModelOperands> declared = OperandsOf(graph.model);
  if (!declared.ok()) return declared.status();
  graph.declared = *std::move(declared);
  CopyConstants(graph);
  graph.uses = UsesOf(graph.model);
  // An invalid operation counts for more than one that the catalogue does not have.
  absl::Status unimplemented;
  graph.nodes.reserve(graph.model.operations.size());
  graph.constants = std::make_unique<PreparedConstants[]>(graph.model.operations.size());
  for (size_t i = 0; i < graph.model.operations.size(); ++i) {
    absl::StatusOr<SlotBindings> bindings = BindingsOf(graph, i, validation);
    if (absl::IsUnimplemented(bindings.status())) {
      unimplemented.Update(bindings.status());
      continue;
    }
    if (!bindings.ok()) return bindings.status();
    const Operation& operation = graph.model.operations[i];
    GraphNode& node =
        graph.nodes.emplace_back(*FindOperation(operation.type), *std::move(bindings));
    node.has_unknown_rank =
        std::any_of(operation.inputs.begin(), operation.inputs.end(), [&](uint32_t operand) {
          return graph.declared.infos[operand].dimensions.empty() &&
                 !graph.uses[operand].has_known_size;
        });
    node.is_decided = IsDecided(graph, operation, node);
    node.precision = PrecisionOf(graph, operation, node);
    node.constants = &graph.constants[i];
  }
  if (!unimplemented.ok()) return unimplemented;
  return graph;
}

BufferPlan PlanGraphBuffers(const Graph& graph, NumberSystem system) {
  std::vector<BufferDemand> demands(graph.uses.size());
  for (size_t i = 0; i < graph.uses.size(); ++i) {
    const OperandUse& use = graph.uses[i];
    const OperandLifeTime lifetime = graph.model.operands[i].lifetime;
    const bool is_kept = use.is_written ? lifetime != OperandLifeTime::MODEL_OUTPUT
                                        : use.is_used && lifetime == OperandLifeTime::MODEL_INPUT &&
                                              system != NumberSystem::kFloat;
    demands[i] = {use.first, use.last, 0};
    if (!is_kept) continue;
    const OperandInfo& info = graph.declared.infos[i];
    const uint64_t count = NumberOfElements(info.dimensions);
    if (use.has_known_size && count <= kLargestTensorElements) {
      demands[i].size = count * ElementSize(system, info.type);
    } else {
      demands[i].size.reset();
    }
  }
  return PlanBuffers(demands);
}

}  // namespace nncert
