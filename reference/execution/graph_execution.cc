// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/graph_execution.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "reference/execution/thread_pool.h"
#include "reference/run_kernel.h"
#include "reference/unordered_rows.h"

namespace nncert {
namespace {

using hal::V1_2::OperandLifeTime;
using hal::V1_2::Operation;

absl::Status Annotate(const absl::Status& status, std::string_view where) {
  return absl::Status(status.code(), absl::StrCat(absl::string_view(where.data(), where.size()),
                                                  ": ", status.message()));
}

}  // namespace

// What the kernel of one operation sees.
class GraphExecution::Buffers : public KernelBuffers {
 public:
  Buffers(GraphExecution& execution, size_t index)
      : execution_(execution),
        operation_(execution.graph_.model.operations[index]),
        node_(execution.graph_.nodes[index]) {}

  NumberSystem system() const override { return execution_.system_; }
  const Precision& precision() const override { return node_.precision; }
  const std::byte* InputElements(int slot, int i) override {
    return execution_.values_.ElementsOf(InputOperand(slot, i));
  }
  NativeElements Native(int slot, int i) override {
    return execution_.values_.UnconvertedElementsOf(InputOperand(slot, i));
  }
  absl::StatusOr<std::byte*> OutputElements(int index,
                                            absl::Span<const uint32_t> dimensions) override {
    return execution_.values_.Allocate(operation_.outputs[index], dimensions);
  }
  std::byte* Scratch(size_t bytes) override {
    std::byte* const result = execution_.scratch_.Allocate(bytes);
    if (execution_.options_.fills_arbitrary_memory) std::memset(result, 0xff, bytes);
    return result;
  }
  void SetPossibleRows(const std::shared_ptr<const PossibleRows>& rows) override {
    for (size_t i = 0; i < operation_.outputs.size(); ++i) {
      execution_.values_[operation_.outputs[i]].possible_rows = rows;
      execution_.values_[operation_.outputs[i]].output_of_operation = i;
    }
  }
  const FastFunctions* fast_functions() const override {
    return execution_.values_.fast_functions();
  }
  bool IsConstant(int slot, int i) const override {
    const OperandLifeTime lifetime =
        execution_.graph_.model.operands[InputOperand(slot, i)].lifetime;
    return hal::isConstant(lifetime) || lifetime == OperandLifeTime::NO_VALUE;
  }
  PreparedConstants& constants() override { return *node_.constants; }
  void LetGo(int slot, size_t first, size_t last) override {
    if (IsConstant(slot, 0)) execution_.graph_.LetGo(InputOperand(slot, 0), first, last);
  }
  void ParallelFor(size_t count, size_t grain,
                   absl::FunctionRef<void(size_t begin, size_t end)> work) override {
    if (execution_.options_.thread_pool != nullptr) {
      execution_.options_.thread_pool->ParallelFor(count, grain, work);
    } else {
      ForEachRange(count, grain, work);
    }
  }

 private:
  uint32_t InputOperand(int slot, int i) const {
    return operation_.inputs[node_.bindings[slot].first + i];
  }

  GraphExecution& execution_;
  const Operation& operation_;
  const GraphNode& node_;
};

GraphExecution::GraphExecution(const Graph& graph, NumberSystem system, const BufferPlan& plan)
    : graph_(graph), system_(system), values_(graph, system, plan) {
  size_t count = 0;
  for (const Operation& operation : graph.model.operations) {
    count += operation.inputs.size() + operation.outputs.size();
  }
  operand_states_.reserve(count);
  nodes_.reserve(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Operation& operation = graph.model.operations[i];
    NodeStates& node = nodes_.emplace_back();
    node.first_input = operand_states_.size();
    for (const uint32_t operand : operation.inputs) {
      operand_states_.push_back(
          {&values_[operand].info, operand, values_[operand].is_omitted, nullptr});
    }
    node.first_output = operand_states_.size();
    for (const uint32_t operand : operation.outputs) {
      operand_states_.push_back({&values_[operand].info, operand, false, nullptr});
    }
    node.end = operand_states_.size();
    const std::vector<OperandRule>& rules = graph.nodes[i].definition->signature.inputs;
    for (size_t slot = 0; slot < rules.size(); ++slot) {
      const SlotBinding& binding = graph.nodes[i].bindings[slot];
      if (!rules[slot].is_parameter()) continue;
      for (int k = binding.first; k < binding.first + binding.count; ++k) {
        operand_states_[node.first_input + k].value = graph.declared.constants[operation.inputs[k]];
      }
    }
  }
}

absl::StatusOr<std::vector<OutputValue>> GraphExecution::Run(absl::Span<const InputArgument> inputs,
                                                             absl::Span<const OutputBuffer> outputs,
                                                             const ExecutionOptions& options) {
  options_ = options;
  steps_ = 0;
  open_rows_.clear();
  if (absl::Status status = values_.Begin(inputs, outputs, options); !status.ok()) return status;
  if (absl::Status status = RunOperations(); !status.ok()) return status;
  return values_.TakeOutputs();
}

absl::Status GraphExecution::RunOperations() {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const bool is_wanted = options_.only_operations == nullptr || (*options_.only_operations)[i];
    absl::Status status = is_wanted ? RunOperation(i) : UndecidedError("nobody wants it");
    if (status.ok()) continue;
    if (IsUndecided(status)) {
      for (const uint32_t output : graph_.model.operations[i].outputs) {
        values_[output].undecided = status;
      }
    } else {
      return Annotate(status, absl::StrCat("operation ", i));
    }
  }
  return absl::OkStatus();
}

absl::Status GraphExecution::RunOperation(size_t index) {
  const GraphNode& node = graph_.nodes[index];
  const NodeStates& range = nodes_[index];
  bool is_decided = node.is_decided;
  for (size_t i = range.first_input; i < range.first_output; ++i) {
    OperandState& state = operand_states_[i];
    const ExecutionValues::Value& value = values_[state.operand_index];
    if (!value.undecided.ok() && value.read_instead == nullptr) return value.undecided;
    if (state.is_omitted != value.is_omitted) state.is_omitted = value.is_omitted;
    // What the model itself leaves out is decided as well.
    is_decided &= !value.is_omitted ||
                  graph_.model.operands[state.operand_index].lifetime == OperandLifeTime::NO_VALUE;
  }
  const absl::Span<OperandState> states = absl::MakeSpan(operand_states_);
  const OperationContext context(
      *node.definition, Stage::kExecution, graph_.version, node.bindings,
      states.subspan(range.first_input, range.first_output - range.first_input),
      states.subspan(range.first_output, range.end - range.first_output));
  if (!is_decided) {
    if (absl::Status status = SetParameters(index); !status.ok()) return status;
    if (absl::Status status = CheckOperation(index, context); !status.ok()) return status;
  }
  std::optional<double>& known_steps = nodes_[index].steps;
  const double steps = is_decided && known_steps.has_value() ? *known_steps : StepsOf(context);
  if (is_decided) known_steps = steps;
  steps_ += steps;
  // What is no number is too many.
  if (!(steps_ <= options_.most_steps)) return TooManySteps(index, context, steps);
  scratch_.Reset();
  Buffers buffers(*this, index);
  const bool is_fast = options_.kernels == KernelChoice::kFast;
  std::optional<bool>& known = nodes_[index].needs_double;
  const bool needs_double = is_decided && known.has_value() ? *known : NeedsDouble(context);
  if (is_decided) known = needs_double;
  absl::Status status =
      RunKernel(context, buffers, is_fast ? node.fast_kernel : nullptr, needs_double);
  if (status.ok() && system_ == NumberSystem::kBall) LeaveOrderOpen(index);
  return status;
}

// The one place that keeps a request from taking for ever, or more memory than its answer is worth:
// what an operation allocates is in proportion to its steps.
absl::Status GraphExecution::TooManySteps(size_t index, const OperationContext& context,
                                          double steps) const {
  // An output that nobody can hold says more than the steps it would take.
  for (int i = 0; context.definition().shape != nullptr && i < context.OutputCount(); ++i) {
    const Shape& dimensions = context.Output(i).dimensions;
    if (NumberOfElements(dimensions) > kLargestTensorElements) {
      return TooManyElementsError(graph_.model.operations[index].outputs[i], dimensions);
    }
  }
  return absl::ResourceExhaustedError(
      absl::StrCat(context.definition().name(), " takes about ", steps, " steps, which makes it ",
                   steps_, " for the execution; it may take ", options_.most_steps));
}

// Lets whoever reads rows without an order see in each row what any of its group may be: the rows
// themselves stand in the reference's order, which other implementations need not share.
void GraphExecution::LeaveOrderOpen(size_t index) {
  const UnorderedRows& rows = graph_.nodes[index].definition->unordered_rows;
  const std::vector<uint32_t>& outputs = graph_.model.operations[index].outputs;
  if (rows.outputs.empty()) return;
  const auto balls_of = [&](int output) {
    return reinterpret_cast<const Ball*>(values_[outputs[output]].elements);
  };
  const Ball* groups = rows.group >= 0 ? balls_of(rows.group) : nullptr;
  const Ball* counts = rows.counts >= 0 ? balls_of(rows.counts) : nullptr;
  const std::vector<RowGroup> row_groups = GroupsOf(
      rows, values_[outputs[rows.outputs[0]]].info.dimensions,
      [groups](size_t row) { return groups == nullptr ? 0 : groups[row].midpoint; },
      [counts](size_t i) { return static_cast<size_t>(counts[i].midpoint); });
  for (const int output : rows.outputs) {
    ExecutionValues::Value& value = values_[outputs[output]];
    if (graph_.model.operands[outputs[output]].numberOfConsumers == 0) continue;
    if (value.read_instead != nullptr) continue;
    const Ball* elements = balls_of(output);
    std::vector<Ball>& balls =
        open_rows_.emplace_back(elements, elements + NumberOfElements(value.info.dimensions));
    const size_t size = RowSizeOf(rows, value.info.dimensions);
    for (const RowGroup& group : row_groups) {
      for (size_t i = 0; i < size && group.count > 1; ++i) {
        Ball* column = balls.data() + group.first * size + i;
        Ball hull = column[0];
        for (size_t row = 1; row < group.count; ++row) hull = Hull(hull, column[row * size]);
        for (size_t row = 0; row < group.count; ++row) column[row * size] = hull;
      }
    }
    value.for_readers = reinterpret_cast<const std::byte*>(balls.data());
  }
}

// Makes the parameters of an operation known, and checks that what it needs is there.
absl::Status GraphExecution::SetParameters(size_t index) {
  const OperationDefinition& definition = *graph_.nodes[index].definition;
  const SlotBindings& bindings = graph_.nodes[index].bindings;
  for (size_t slot = 0; slot < bindings.size(); ++slot) {
    const OperandRule& rule = definition.signature.inputs[slot];
    for (int i = bindings[slot].first; i < bindings[slot].first + bindings[slot].count; ++i) {
      OperandState& state = operand_states_[nodes_[index].first_input + i];
      if (state.is_omitted) {
        // A model input that the request leaves out, though the operation needs it.
        if (rule.presence() == Presence::kRequired) {
          return absl::InvalidArgumentError(absl::StrCat(definition.name(), " input ", i,
                                                         " (operand ", state.operand_index,
                                                         ") has no value; it is not optional"));
        }
      } else if (rule.is_parameter()) {
        absl::StatusOr<const std::byte*> native = values_.NativeOf(state.operand_index);
        if (!native.ok()) return native.status();
        state.value = *native;
      } else if (!definition.accepts_empty_tensors &&
                 NumberOfElements(state.info->dimensions) == 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            definition.name(), " input ", i, " (operand ", state.operand_index, ") is empty: ",
            ShapeToString(state.info->dimensions), "; expected every dimension to be above 0"));
      }
    }
  }
  return absl::OkStatus();
}

// Checks what could not be checked of the model alone, and finds the dimensions of the outputs.
absl::Status GraphExecution::CheckOperation(size_t index, const OperationContext& context) {
  const OperationDefinition& definition = context.definition();
  const NodeStates& range = nodes_[index];
  if (graph_.nodes[index].has_unknown_rank) {
    const absl::Span<const OperandState> states = operand_states_;
    absl::StatusOr<SlotBindings> matched =
        MatchSignature(definition, graph_.version,
                       states.subspan(range.first_input, range.first_output - range.first_input),
                       states.subspan(range.first_output, range.end - range.first_output));
    if (!matched.ok()) return matched.status();
  }
  if (absl::Status status = CheckConstraints(context); !status.ok()) return status;
  if (definition.shape == nullptr) return absl::OkStatus();
  const std::vector<uint32_t>& outputs = graph_.model.operations[index].outputs;
  std::vector<Shape> shapes(outputs.size());
  if (absl::Status status = definition.shape(context, shapes); !status.ok()) return status;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (absl::Status status =
            CheckDeclaredDimensions(graph_.declared.infos[outputs[i]].dimensions, shapes[i]);
        !status.ok()) {
      return Annotate(
          status, absl::StrCat(definition.name(), " output ", i, " (operand ", outputs[i], ")"));
    }
    if (absl::Status status = values_.CheckReadInstead(outputs[i], shapes[i]); !status.ok()) {
      return status;
    }
    values_[outputs[i]].info.dimensions = shapes[i];
  }
  return absl::OkStatus();
}

}  // namespace nncert
