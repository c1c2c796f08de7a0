// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs models: one executor for the fast backend, the oracle and the enclosures.

#ifndef NNCERT_REFERENCE_EXECUTION_EXECUTOR_H_
#define NNCERT_REFERENCE_EXECUTION_EXECUTOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "reference/execution/buffer_plan.h"
#include "reference/execution/graph.h"
#include "reference/number/ball.h"
#include "reference/possible_rows.h"
#include "reference/tensor.h"

namespace nncert {

class GraphExecution;
class ThreadPool;

/// What is given to a model input.
struct InputArgument {
  /// The input is optional and left out.
  bool has_no_value = false;
  /// The dimensions, all known; empty takes those of the model, which then must be known.
  Shape dimensions;
  /// The elements in the HAL's layout: exactly as many bytes as the type and the dimensions ask
  /// for. Executions in kFloat compute with them where they are.
  absl::Span<const std::byte> elements;

  /// Says where the elements are.
  void SetElements(absl::Span<const uint8_t> bytes) {
    elements = {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
  }
};

/// Where an execution may put a model output, as its number system keeps elements (see storage.h);
/// empty for nowhere.
using OutputBuffer = absl::Span<std::byte>;

/// What a model output came to.
struct OutputValue {
  /// Type, quantization and the dimensions of the result.
  OperandInfo info;
  /// The elements are in the buffer that was given for the output, from its beginning, and not in
  /// `elements`.
  bool is_in_buffer = false;
  /// The elements as the number system keeps them; see storage.h.
  std::vector<std::byte> elements;
  /// Not OK when the enclosure straddled a decision on the way to this output (NumberSystem::kBall
  /// alone), or nobody wanted it (see ExecutionOptions::only_operations): its dimensions and
  /// elements are then unknown.
  absl::Status undecided;
  /// What is known of the rows when it is undecided which of them an operation selects; null
  /// otherwise. `output_of_operation` is which of that operation's outputs this is.
  std::shared_ptr<const PossibleRows> possible_rows;
  size_t output_of_operation = 0;

  /// The elements of an execution in kDouble, unless they are in a buffer: real numbers, or the
  /// integers of a quantized, INT32 or BOOL8 output.
  absl::Span<const double> doubles() const;
  /// The elements of an execution in kBall, unless they are in a buffer.
  absl::Span<const Ball> balls() const;
  /// The elements of an execution in kFloat, unless they are in a buffer: in the HAL's layout.
  absl::Span<const uint8_t> bytes() const {
    return {reinterpret_cast<const uint8_t*>(elements.data()), elements.size()};
  }
};

/// The steps (see StepsOf) that an execution may take unless its options say otherwise: a quarter
/// of an hour at a nanosecond each. Some operations take as many as a number in the model says.
inline constexpr double kMostSteps = 1e12;

/// Which code computes an execution.
enum class KernelChoice {
  /// The fast kernels and functions that are linked in, for what they take; definitions for the
  /// rest.
  kFast,
  /// The definitions alone (reference/ops): what the operations mean, however long that takes.
  kDefinitions,
};

/// How to execute, other than what is computed.
struct ExecutionOptions {
  /// Results do not depend on it but for rounding, or one of both is wrong.
  KernelChoice kernels = KernelChoice::kFast;
  /// The threads that large operations are shared by, to be there until the execution ends; null
  /// for the calling thread alone. Results do not depend on it.
  ThreadPool* thread_pool = nullptr;
  /// An execution that would take more steps than that fails.
  double most_steps = kMostSteps;
  /// What operations read in place of values that the execution computes, by operand: each must be
  /// one that an operation writes, and come to the dimensions that are given here. Null for none,
  /// as in kFloat.
  const std::map<uint32_t, InputArgument>* read_instead = nullptr;
  /// Which operations are computed; null for all. Values that others write are undecided.
  const std::vector<bool>* only_operations = nullptr;
  /// For tests: fills memory whose contents are arbitrary with bytes of 0xff, which as numbers are
  /// NaN, -1 or the greatest, before kernels get it.
  bool fills_arbitrary_memory = false;
};

/// A validated model, ready to be executed any number of times, also by several threads at once.
///
/// The memory of an execution (buffers for the values in between, placed as buffer_plan.h says, and
/// scratch) is kept for the next one: as much of it as executions have been under way at once, in
/// each number system.
class PreparedGraph {
 public:
  /// Validates `model` as a model of `version` (see model_validation.h) and prepares it. The pools
  /// of the model are mapped here and stay mapped. Fails with InvalidArgument for an invalid model,
  /// Unimplemented for an operation that the catalogue does not have, ResourceExhausted when there
  /// is not memory enough.
  ///
  /// A graph for GraphUse::kFloatAlone takes less memory: where a fast kernel keeps weights in an
  /// order of its own, that takes the place of the weights of the model.
  static absl::StatusOr<std::shared_ptr<const PreparedGraph>> Create(
      hal::V1_2::Model model, HalVersion version = HalVersion::V1_2, GraphUse use = GraphUse::kAll);

  /// The same for a model that ValidateModel has just accepted, without validating again what
  /// cannot have changed since.
  static absl::StatusOr<std::shared_ptr<const PreparedGraph>> CreateValidated(
      hal::V1_2::Model model, HalVersion version = HalVersion::V1_2, GraphUse use = GraphUse::kAll);

  PreparedGraph(const PreparedGraph&) = delete;
  PreparedGraph& operator=(const PreparedGraph&) = delete;
  ~PreparedGraph();

  /// The model. Constants of a graph for GraphUse::kFloatAlone may have been let go of.
  const hal::V1_2::Model& model() const { return graph_.model; }

  /// Executes the model in `system`: one argument for each model input, one result for each model
  /// output. Fails with InvalidArgument when the inputs do not fit the model, or the operations do
  /// not accept their values; ResourceExhausted when there is not memory enough, or when it
  /// would take more steps than the options allow; FailedPrecondition when the graph is not made
  /// for `system`, or not for definitions, or when a value has other dimensions than what is to be
  /// read instead.
  ///
  /// `outputs` is empty or has a buffer for each model output. An output is computed there
  /// when it fits, the buffer is aligned to its elements, and no input and no other output is in
  /// the same memory. A buffer's contents are arbitrary after a failure, and where no output says
  /// is_in_buffer.
  absl::StatusOr<std::vector<OutputValue>> Execute(NumberSystem system,
                                                   absl::Span<const InputArgument> inputs,
                                                   absl::Span<const OutputBuffer> outputs = {},
                                                   const ExecutionOptions& options = {}) const;

 private:
  // Of the executions in one number system by one choice of kernels.
  struct Executions {
    std::optional<BufferPlan> plan;
    std::vector<std::unique_ptr<GraphExecution>> idle;
  };

  explicit PreparedGraph(Graph graph);
  static absl::StatusOr<std::shared_ptr<const PreparedGraph>> CreateWith(hal::V1_2::Model model,
                                                                         HalVersion version,
                                                                         Validation validation,
                                                                         GraphUse use);
  Executions& ExecutionsOf(NumberSystem system, KernelChoice kernels) const;
  std::unique_ptr<GraphExecution> TakeExecution(NumberSystem system, KernelChoice kernels) const;

  const Graph graph_;
  mutable std::mutex mutex_;  // of executions_
  mutable std::array<std::array<Executions, 3>, 2> executions_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_EXECUTOR_H_
