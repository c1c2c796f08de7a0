// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_EXECUTION_GRAPH_EXECUTION_H_
#define NNCERT_REFERENCE_EXECUTION_GRAPH_EXECUTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reference/execution/buffer_plan.h"
#include "reference/execution/execution_values.h"
#include "reference/execution/executor.h"
#include "reference/execution/graph.h"
#include "reference/execution/memory.h"
#include "reference/operation_context.h"
#include "reference/run_kernel.h"
#include "reference/tensor.h"

namespace nncert {

/// Executes the operations of a graph, one after the other. Serves one execution at a time, and any
/// number of them one after the other; what it allocates for one is there for the next.
class GraphExecution {
 public:
  /// For executions of `graph` in `system`, with values placed by the plan that PlanGraphBuffers
  /// gives. Both must outlive this.
  GraphExecution(const Graph& graph, NumberSystem system, const BufferPlan& plan);

  GraphExecution(const GraphExecution&) = delete;
  GraphExecution& operator=(const GraphExecution&) = delete;

  /// See PreparedGraph::Execute.
  absl::StatusOr<std::vector<OutputValue>> Run(absl::Span<const InputArgument> inputs,
                                               absl::Span<const OutputBuffer> outputs,
                                               const ExecutionOptions& options);

 private:
  class Buffers;

  // The operands of an operation, in operand_states_.
  struct NodeStates {
    size_t first_input;
    size_t first_output;
    size_t end;
    // See StepsOf; known once a decided operation has run.
    std::optional<double> steps = std::nullopt;
    // See NeedsDouble; as `steps`.
    std::optional<bool> needs_double = std::nullopt;
  };

  absl::Status RunOperations();
  absl::Status RunOperation(size_t index);
  absl::Status CheckOperation(size_t index, const OperationContext& context);
  absl::Status SetParameters(size_t index);
  absl::Status TooManySteps(size_t index, const OperationContext& context, double steps) const;
  void LeaveOrderOpen(size_t index);

  const Graph& graph_;
  const NumberSystem system_;
  ExecutionOptions options_;
  double steps_ = 0;  // of the execution so far

  ExecutionValues values_;
  std::vector<OperandState> operand_states_;  // of all operations, one after the other
  std::vector<NodeStates> nodes_;             // by operation
  Arena scratch_;                             // of the operation under way
  std::vector<std::vector<Ball>> open_rows_;  // what ExecutionValues::Value::for_readers are
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_GRAPH_EXECUTION_H_
