// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A model as the executor sees it: all that does not change from execution to execution.

#ifndef NNCERT_REFERENCE_EXECUTION_GRAPH_H_
#define NNCERT_REFERENCE_EXECUTION_GRAPH_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/v1_2/types.h"
#include "reference/execution/buffer_plan.h"
#include "reference/execution/discarded_ranges.h"
#include "reference/execution/memory.h"
#include "reference/execution/model_validation.h"
#include "reference/number/precision.h"
#include "reference/operation_definition.h"
#include "reference/prepared_constants.h"
#include "reference/run_kernel.h"

namespace nncert {

/// One operation of a model.
struct GraphNode {
  GraphNode(const OperationDefinition& its_definition, SlotBindings its_bindings)
      : definition(&its_definition),
        fast_kernel(FindFastKernel(its_definition.type)),
        bindings(std::move(its_bindings)) {}

  const OperationDefinition* definition;
  /// What computes it sooner; null for nothing.
  const FastKernel* fast_kernel;
  SlotBindings bindings;
  /// Some rank is unknown in the model, so the signature is matched again when it is known.
  bool has_unknown_rank = false;
  /// All dimensions and parameters are known from the model, so that no execution can find
  /// anything of it invalid, unless a request leaves out one of its inputs.
  bool is_decided = false;
  /// What an implementation of the operation on its operands may lose.
  Precision precision = kFloat32Precision;
  /// What its kernel keeps.
  PreparedConstants* constants = nullptr;
};

/// How an operand is used.
struct OperandUse {
  /// The operations that write it (or read it first, when none does) and read it last.
  uint32_t first = 0;
  uint32_t last = 0;
  /// Whether an operation writes it, and whether one reads or writes it.
  bool is_written = false;
  bool is_used = false;
  /// Whether the model says all of its dimensions.
  bool has_known_size = false;
  /// How many times it is an input of an operation.
  uint32_t readers = 0;
};

/// What a graph is made for.
enum class GraphUse {
  kAll,        ///< executions in every number system
  kFloatAlone  ///< executions in kFloat: constants that kernels have copied need not be kept
};

/// A validated model.
struct Graph {
  hal::V1_2::Model model;
  HalVersion version = HalVersion::V1_2;
  GraphUse use = GraphUse::kAll;
  /// What the model says of its operands. Constants are aligned to their elements.
  ModelOperands declared;
  /// By operation.
  std::vector<GraphNode> nodes;
  /// What the kernels keep, by operation.
  std::unique_ptr<PreparedConstants[]> constants;
  /// By operand.
  std::vector<OperandUse> uses;
  /// Copies of constants: of all in pools that are so small that they may be parameters, which must
  /// not change even if a client writes to its pool after all, of those that are not aligned, and,
  /// where constants may be let go of, of all that are small.
  std::vector<Buffer> copies;
  /// By operand: whether the memory of a constant was given back, so that it must not be read any
  /// more. Null where constants in the model stay, for the use of the graph or because some of them
  /// have bytes in common.
  std::unique_ptr<std::atomic<bool>[]> is_let_go;
  /// Where the constants were that are let go of.
  std::unique_ptr<DiscardedRanges> let_go = std::make_unique<DiscardedRanges>();

  /// Gives back the memory of elements [first, last) of an operand that its only reader, an
  /// operation, will not read any more. Does nothing where that cannot be done.
  void LetGo(uint32_t operand, size_t first, size_t last) const;
};

/// Whether a model is known to be valid.
enum class Validation { kNeeded, kDone };

/// Makes the graph of a model of `version`. Fails as PreparedGraph::Create does.
absl::StatusOr<Graph> MakeGraph(hal::V1_2::Model model, HalVersion version, Validation validation,
                                GraphUse use = GraphUse::kAll);

/// Places the values that executions of the graph in `system` have to keep: one place for each
/// operand, meaningful for those that are written by operations or, other than in kFloat, are model
/// inputs, and are not model outputs.
BufferPlan PlanGraphBuffers(const Graph& graph, NumberSystem system);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_GRAPH_H_
