// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_GRAPH_EXECUTION_H_
#define NNCERT_REFERENCE_GRAPH_EXECUTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reference/buffer_plan.h"
#include "reference/executor.h"
#include "reference/graph.h"
#include "reference/memory.h"
#include "reference/operation_context.h"
#include "reference/run_kernel.h"
#include "reference/tensor.h"

namespace nncert {

/// The state of an execution: what every operand is, and where its elements are. Serves one
/// execution at a time, and any number of them one after the other; what it allocates for one is
/// there for the next.
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

  static constexpr int kNoOutput = -1;

  struct Value {
    // Written out, for otherwise all of the bytes would be zeroed before.
    Value() {}  // NOLINT(modernize-use-equals-default)

    OperandInfo info;
    bool is_omitted = false;
    int output = kNoOutput;                  // its number among the model's outputs
    const std::byte* native = nullptr;       // in the HAL's layout, when it is known that way
    const std::byte* elements = nullptr;     // as the number system keeps them, when known that way
    const std::byte* for_readers = nullptr;  // the elements for other operations, when they differ
    const InputArgument* read_instead = nullptr;  // see ExecutionOptions
    Buffer own;              // of what `native` or `elements` was converted to from the other
    absl::Status undecided;  // why the value is unknown, if it is
    std::shared_ptr<const PossibleRows> possible_rows;  // see OutputValue
    size_t output_of_operation = 0;
  };

  struct Output {
    OutputBuffer buffer;  // where the value may go, if it fits
    bool is_in_buffer = false;
    std::vector<std::byte> elements;
  };

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

  void Forget();
  absl::Status SetInputs(absl::Span<const InputArgument> inputs);
  absl::Status SetOutputs(absl::Span<const InputArgument> inputs,
                          absl::Span<const OutputBuffer> outputs);
  absl::Status SetReadInstead();
  absl::Status RunOperations();
  absl::Status RunOperation(size_t index);
  absl::Status CheckOperation(size_t index, const OperationContext& context);
  absl::Status SetParameters(size_t index);
  absl::Status CountSteps(size_t index, const OperationContext& context, bool is_decided);
  void LeaveOrderOpen(size_t index);
  absl::StatusOr<std::vector<OutputValue>> TakeOutputs();

  static absl::Status CheckReadInstead(uint32_t operand, const Value& value,
                                       absl::Span<const uint32_t> dimensions);
  bool IsAligned(const std::byte* elements, OperandType type) const;
  static bool IsAlignedAsNative(const std::byte* elements, OperandType type);
  absl::StatusOr<const std::byte*> NativeOf(uint32_t operand);
  NativeElements UnconvertedElementsOf(uint32_t operand) const;
  const Precision& HeldAt(OperandType type) const;
  const std::byte* ElementsOf(uint32_t operand);
  void Import(const OperandInfo& info, const std::byte* native, std::byte* elements) const;
  absl::StatusOr<std::byte*> Allocate(uint32_t operand, absl::Span<const uint32_t> dimensions);
  std::byte* Room(uint32_t operand, size_t size);

  const Graph& graph_;
  const NumberSystem system_;
  const BufferPlan& plan_;
  ExecutionOptions options_;
  const FastFunctions* fast_functions_ = nullptr;  // of the execution; null for definitions alone
  double steps_ = 0;                               // of the execution so far

  std::vector<Value> values_;                 // by operand
  std::vector<Output> outputs_;               // by model output
  std::vector<OperandState> operand_states_;  // of all operations, one after the other
  std::vector<NodeStates> nodes_;             // by operation
  Buffer arena_;                              // of values of known size
  std::vector<Buffer> growing_;               // of values of unknown size
  Arena scratch_;                             // of the operation under way
  std::vector<std::vector<Ball>> open_rows_;  // what Value::for_readers are
  std::byte nothing_[1] = {};                 // where values without elements are
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_GRAPH_EXECUTION_H_
