// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_EXECUTION_EXECUTION_VALUES_H_
#define NNCERT_REFERENCE_EXECUTION_EXECUTION_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reference/execution/buffer_plan.h"
#include "reference/execution/executor.h"
#include "reference/execution/graph.h"
#include "reference/execution/memory.h"
#include "reference/operation_context.h"
#include "reference/run_kernel.h"
#include "reference/tensor.h"

namespace nncert {

/// That an operation would write more elements than a tensor may have (kLargestTensorElements).
absl::Status TooManyElementsError(uint32_t operand, absl::Span<const uint32_t> dimensions);

/// What every operand of a graph is in an execution, and where its elements are: in the HAL's
/// layout, as a number system keeps them, or in both, converted when they are first asked for.
/// Serves one execution at a time, and keeps what it allocates for the next one.
class ExecutionValues {
 public:
  /// The value of one operand.
  struct Value {
    OperandInfo info;
    bool is_omitted = false;
    /// Why the value is unknown, if it is.
    absl::Status undecided;
    /// See OutputValue.
    std::shared_ptr<const PossibleRows> possible_rows;
    size_t output_of_operation = 0;
    /// As the number system keeps them; null while they are not known that way.
    const std::byte* elements = nullptr;
    /// The elements for other operations; null when they are the same.
    const std::byte* for_readers = nullptr;
    /// What operations read in place of the value (see ExecutionOptions), or null.
    const InputArgument* read_instead = nullptr;
  };

  /// For executions of `graph` in `system`, with values placed by `plan`. Both must outlive this.
  ExecutionValues(const Graph& graph, NumberSystem system, const BufferPlan& plan);

  ExecutionValues(const ExecutionValues&) = delete;
  ExecutionValues& operator=(const ExecutionValues&) = delete;

  /// Begins an execution: forgets the values of the one before, and takes the inputs, which must
  /// stay where they are until its end, as must the outputs' buffers and what `options` refers to.
  /// Fails with InvalidArgument when the request does not fit the model, ResourceExhausted when
  /// there is not memory enough.
  absl::Status Begin(absl::Span<const InputArgument> inputs, absl::Span<const OutputBuffer> outputs,
                     const ExecutionOptions& options);

  /// The fast functions of the execution; null for definitions alone.
  const FastFunctions* fast_functions() const { return fast_functions_; }

  /// The value of an operand. Stays where it is.
  Value& operator[](uint32_t operand) { return values_[operand]; }
  const Value& operator[](uint32_t operand) const { return values_[operand]; }

  /// The elements that operations read, as the number system keeps them. Throws std::bad_alloc when
  /// there is not memory enough: kernels have nobody to give a status to.
  const std::byte* ElementsOf(uint32_t operand);

  /// The elements that operations read, where they are in the HAL's layout still and aligned.
  NativeElements UnconvertedElementsOf(uint32_t operand) const;

  /// The elements that operations read, in the HAL's layout. Fails with an UndecidedError for balls
  /// that are no exact numbers.
  absl::StatusOr<const std::byte*> NativeOf(uint32_t operand);

  /// Gives the output of an operation its dimensions, and room for its elements, where they are to
  /// be written. Fails when the dimensions are not those that the model declares or too large, or
  /// there is not memory enough.
  absl::StatusOr<std::byte*> Allocate(uint32_t operand, absl::Span<const uint32_t> dimensions);

  /// Refuses dimensions other than those of what is to be read instead of the value, if anything
  /// is.
  absl::Status CheckReadInstead(uint32_t operand, absl::Span<const uint32_t> dimensions) const;

  /// The model's outputs, when all operations have run.
  absl::StatusOr<std::vector<OutputValue>> TakeOutputs();

 private:
  static constexpr int kNoOutput = -1;

  struct KeptValue : Value {
    explicit KeptValue(const OperandInfo& its_info) : Value{.info = its_info} {}

    int output = kNoOutput;             // its number among the model's outputs
    const std::byte* native = nullptr;  // in the HAL's layout, when it is known that way
    Buffer own;  // of what `native` or `elements` was converted to from the other
  };

  struct Output {
    OutputBuffer buffer;  // where the value may go, if it fits
    bool is_in_buffer = false;
    std::vector<std::byte> elements;
  };

  void Forget();
  absl::Status SetInputs(absl::Span<const InputArgument> inputs);
  absl::Status SetOutputs(absl::Span<const InputArgument> inputs,
                          absl::Span<const OutputBuffer> outputs);
  absl::Status SetReadInstead(const ExecutionOptions& options);
  const std::byte* ConvertedElementsOf(uint32_t operand);
  bool IsAligned(const std::byte* elements, OperandType type) const;
  static bool IsAlignedAsNative(const std::byte* elements, OperandType type);
  const Precision& HeldAt(OperandType type) const;
  void Import(const OperandInfo& info, const std::byte* native, std::byte* elements) const;
  std::byte* Room(uint32_t operand, size_t size);

  const Graph& graph_;
  const NumberSystem system_;
  const BufferPlan& plan_;
  const FastFunctions* fast_functions_ = nullptr;
  bool fills_arbitrary_memory_ = false;  // see ExecutionOptions

  std::vector<KeptValue> values_;   // by operand
  std::vector<uint32_t> variable_;  // the operands that each execution gives a value
  std::vector<Output> outputs_;     // by model output
  Buffer arena_;                    // of values of known size
  std::vector<Buffer> growing_;     // of values of unknown size
  std::byte nothing_[1] = {};       // where values without elements are
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_EXECUTION_VALUES_H_
