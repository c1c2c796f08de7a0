// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/graph_execution.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "reference/run_kernel.h"
#include "reference/storage.h"
#include "reference/thread_pool.h"
#include "reference/unordered_rows.h"

namespace nncert {
namespace {

using hal::V1_2::OperandLifeTime;
using hal::V1_2::Operation;

absl::Status Annotate(const absl::Status& status, std::string_view where) {
  return absl::Status(status.code(), absl::StrCat(absl::string_view(where.data(), where.size()),
                                                  ": ", status.message()));
}

// Refuses an output that is larger than any tensor may be.
absl::Status CheckElementCount(uint32_t operand, absl::Span<const uint32_t> dimensions) {
  if (NumberOfElements(dimensions) <= kLargestTensorElements) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("output operand ", operand, " would have dimensions ", ShapeToString(dimensions),
                   "; expected at most ", kLargestTensorElements, " elements"));
}

bool Overlap(absl::Span<const std::byte> a, absl::Span<const std::byte> b) {
  const auto a_begin = reinterpret_cast<uintptr_t>(a.data());
  const auto b_begin = reinterpret_cast<uintptr_t>(b.data());
  return a_begin < b_begin + b.size() && b_begin < a_begin + a.size();
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
    return execution_.ElementsOf(InputOperand(slot, i));
  }
  NativeElements Native(int slot, int i) override {
    return execution_.UnconvertedElementsOf(InputOperand(slot, i));
  }
  absl::StatusOr<std::byte*> OutputElements(int index,
                                            absl::Span<const uint32_t> dimensions) override {
    return execution_.Allocate(operation_.outputs[index], dimensions);
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
  const FastFunctions* fast_functions() const override { return execution_.fast_functions_; }
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
    : graph_(graph),
      system_(system),
      plan_(plan),
      values_(graph.model.operands.size()),
      outputs_(graph.model.outputIndexes.size()),
      growing_(plan.growing_buffers) {
  for (size_t i = 0; i < values_.size(); ++i) {
    values_[i].info = graph.declared.infos[i];
    values_[i].native = graph.declared.constants[i];
    if (system == NumberSystem::kFloat) values_[i].elements = values_[i].native;
    values_[i].is_omitted = graph.model.operands[i].lifetime == OperandLifeTime::NO_VALUE;
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    values_[graph.model.outputIndexes[i]].output = static_cast<int>(i);
  }
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
  fast_functions_ = options.kernels == KernelChoice::kFast ? FindFastFunctions() : nullptr;
  steps_ = 0;
  Forget();
  if (absl::Status status = SetInputs(inputs); !status.ok()) return status;
  if (absl::Status status = SetOutputs(inputs, outputs); !status.ok()) return status;
  if (absl::Status status = SetReadInstead(); !status.ok()) return status;
  if (!arena_.Reserve(plan_.arena_size)) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "there is not memory enough for the values of the model: ", plan_.arena_size, " bytes"));
  }
  if (absl::Status status = RunOperations(); !status.ok()) return status;
  return TakeOutputs();
}

// Forgets the values of the execution before.
void GraphExecution::Forget() {
  open_rows_.clear();
  for (size_t i = 0; i < values_.size(); ++i) {
    const OperandLifeTime lifetime = graph_.model.operands[i].lifetime;
    if (hal::isConstant(lifetime) || lifetime == OperandLifeTime::NO_VALUE) continue;
    Value& value = values_[i];
    value.native = nullptr;
    value.elements = nullptr;
    value.for_readers = nullptr;
    value.read_instead = nullptr;
    value.is_omitted = false;
    value.undecided = absl::OkStatus();
    value.possible_rows = nullptr;
    if (!graph_.uses[i].has_known_size) value.info.dimensions = graph_.declared.infos[i].dimensions;
  }
}

absl::Status GraphExecution::SetInputs(absl::Span<const InputArgument> inputs) {
  const std::vector<uint32_t>& indexes = graph_.model.inputIndexes;
  if (inputs.size() != indexes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the request has ", inputs.size(), " inputs; the model has ", indexes.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputArgument& input = inputs[i];
    Value& value = values_[indexes[i]];
    const auto error = [&](absl::string_view message) {
      return absl::InvalidArgumentError(
          absl::StrCat("request input ", i, " (operand ", indexes[i], "): ", message));
    };
    if (input.has_no_value) {
      value.is_omitted = true;
      continue;
    }
    if (!input.dimensions.empty()) {
      if (absl::Status status = CheckDeclaredDimensions(value.info.dimensions, input.dimensions);
          !status.ok()) {
        return error(status.message());
      }
      value.info.dimensions = input.dimensions;
    } else if (!graph_.uses[indexes[i]].has_known_size) {
      return error(absl::StrCat("the model's dimensions ", ShapeToString(value.info.dimensions),
                                " are not fully specified, and the request gives none"));
    }
    const uint64_t count = NumberOfElements(value.info.dimensions);
    const uint64_t expected = count * ElementSize(NumberSystem::kFloat, value.info.type);
    if (count > kLargestTensorElements || input.elements.size() != expected) {
      return error(absl::StrCat("has ", input.elements.size(), " bytes; expected ", expected,
                                " for dimensions ", ShapeToString(value.info.dimensions)));
    }
    // An empty tensor has no bytes, but it has a value.
    value.native = input.elements.empty() ? nothing_ : input.elements.data();
    if (system_ != NumberSystem::kFloat) continue;
    value.elements = value.native;
    if (IsAligned(value.native, value.info.type)) continue;
    if (!value.own.Reserve(expected)) {
      return absl::ResourceExhaustedError(error("there is not memory enough for it").message());
    }
    std::memcpy(value.own.data(), value.native, expected);
    value.elements = value.own.data();
  }
  return absl::OkStatus();
}

absl::Status GraphExecution::SetOutputs(absl::Span<const InputArgument> inputs,
                                        absl::Span<const OutputBuffer> outputs) {
  if (!outputs.empty() && outputs.size() != outputs_.size()) {
    return absl::InvalidArgumentError(absl::StrCat("the request has ", outputs.size(),
                                                   " output buffers; the model has ",
                                                   outputs_.size(), " outputs"));
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    outputs_[i].buffer = {};
    outputs_[i].is_in_buffer = false;
    if (outputs.empty()) continue;
    // A value must not be written where another one is still read or written.
    bool overlaps = false;
    for (const InputArgument& input : inputs) overlaps |= Overlap(outputs[i], input.elements);
    for (size_t k = 0; k < outputs.size(); ++k) {
      overlaps |= k != i && Overlap(outputs[i], outputs[k]);
    }
    const OperandType type = values_[graph_.model.outputIndexes[i]].info.type;
    if (!overlaps && IsAligned(outputs[i].data(), type)) outputs_[i].buffer = outputs[i];
  }
  return absl::OkStatus();
}

absl::Status GraphExecution::SetReadInstead() {
  if (options_.read_instead == nullptr) return absl::OkStatus();
  if (system_ == NumberSystem::kFloat) {
    return absl::InvalidArgumentError("no values can be read instead of others in kFloat");
  }
  for (const auto& [operand, argument] : *options_.read_instead) {
    if (operand >= values_.size() || !graph_.uses[operand].is_written) {
      return absl::InvalidArgumentError(
          absl::StrCat("no operation writes operand ", operand, ", which is to be read instead"));
    }
    Value& value = values_[operand];
    const uint64_t size =
        NumberOfElements(argument.dimensions) * ElementSize(NumberSystem::kFloat, value.info.type);
    if (argument.elements.size() != size) {
      return absl::InvalidArgumentError(absl::StrCat(
          "operand ", operand, " is to be read as ", argument.elements.size(), " bytes; expected ",
          size, " for dimensions ", ShapeToString(argument.dimensions)));
    }
    value.read_instead = &argument;
    if (absl::Status status = CheckDeclaredDimensions(value.info.dimensions, argument.dimensions);
        !status.ok()) {
      return CheckReadInstead(operand, value, value.info.dimensions);
    }
    // When its operation is undecided, these are all there is.
    value.info.dimensions = argument.dimensions;
  }
  return absl::OkStatus();
}

absl::Status GraphExecution::CheckReadInstead(uint32_t operand, const Value& value,
                                              absl::Span<const uint32_t> dimensions) {
  if (value.read_instead == nullptr) return absl::OkStatus();
  const absl::Span<const uint32_t> expected = value.read_instead->dimensions;
  if (dimensions == expected) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("operand ", operand, " has the dimensions ", ShapeToString(dimensions),
                   "; it is to be read with ", ShapeToString(expected)));
}

absl::Status GraphExecution::RunOperations() {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const bool is_wanted = options_.only_operations == nullptr || (*options_.only_operations)[i];
    absl::Status status = is_wanted ? RunOperation(i) : UndecidedError("nobody wants it");
    if (IsUndecided(status)) {
      for (const uint32_t output : graph_.model.operations[i].outputs) {
        values_[output].undecided = status;
      }
    } else if (!status.ok()) {
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
    const Value& value = values_[state.operand_index];
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
  if (absl::Status status = CountSteps(index, context, is_decided); !status.ok()) return status;
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
absl::Status GraphExecution::CountSteps(size_t index, const OperationContext& context,
                                        bool is_decided) {
  std::optional<double>& known = nodes_[index].steps;
  const double steps = is_decided && known.has_value() ? *known : StepsOf(context);
  if (is_decided) known = steps;
  steps_ += steps;
  if (steps_ <= options_.most_steps) return absl::OkStatus();
  // An output that nobody can hold says more than the steps it would take.
  for (int i = 0; context.definition().shape != nullptr && i < context.OutputCount(); ++i) {
    const uint32_t operand = graph_.model.operations[index].outputs[i];
    if (absl::Status status = CheckElementCount(operand, context.Output(i).dimensions);
        !status.ok()) {
      return status;
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
    Value& value = values_[outputs[output]];
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
        absl::StatusOr<const std::byte*> native = NativeOf(state.operand_index);
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
    if (absl::Status status = CheckReadInstead(outputs[i], values_[outputs[i]], shapes[i]);
        !status.ok()) {
      return status;
    }
    values_[outputs[i]].info.dimensions = shapes[i];
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<OutputValue>> GraphExecution::TakeOutputs() {
  std::vector<OutputValue> outputs(outputs_.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const uint32_t operand = graph_.model.outputIndexes[i];
    const Value& value = values_[operand];
    outputs[i].info = value.info;
    outputs[i].undecided = value.undecided;
    outputs[i].possible_rows = value.possible_rows;
    outputs[i].output_of_operation = value.output_of_operation;
    if (!value.undecided.ok()) continue;
    if (value.elements == nullptr) {
      return absl::InternalError(
          absl::StrCat("operand ", operand, " was not written by its operation"));
    }
    outputs[i].is_in_buffer = outputs_[i].is_in_buffer;
    outputs[i].elements = std::move(outputs_[i].elements);
    outputs_[i].elements.clear();
  }
  return outputs;
}

// Whether elements can be computed with where they are.
bool GraphExecution::IsAligned(const std::byte* elements, OperandType type) const {
  return reinterpret_cast<uintptr_t>(elements) % ElementSize(system_, type) == 0;
}

bool GraphExecution::IsAlignedAsNative(const std::byte* elements, OperandType type) {
  return reinterpret_cast<uintptr_t>(elements) % ElementSize(NumberSystem::kFloat, type) == 0;
}

absl::StatusOr<const std::byte*> GraphExecution::NativeOf(uint32_t operand) {
  Value& value = values_[operand];
  if (value.read_instead != nullptr) return value.read_instead->elements.data();
  if (value.native != nullptr) return value.native;
  if (system_ == NumberSystem::kFloat) return value.elements;
  const size_t count = NumberOfElements(value.info.dimensions);
  if (system_ == NumberSystem::kBall) {
    const Ball* balls = reinterpret_cast<const Ball*>(ElementsOf(operand));
    if (!std::all_of(balls, balls + count, [](const Ball& ball) { return ball.IsExact(); })) {
      return UndecidedError(
          absl::StrCat("operand ", operand, " must be known exactly, and is only enclosed"));
    }
  }
  const size_t size = count * ElementSize(NumberSystem::kFloat, value.info.type);
  if (!value.own.Reserve(std::max<size_t>(1, size))) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there is not memory enough for operand ", operand, ": ", size, " bytes"));
  }
  ExportElements(system_, value.info.type, value.elements, count, value.own.data());
  value.native = value.own.data();
  return value.native;
}

const std::byte* GraphExecution::ElementsOf(uint32_t operand) {
  Value& value = values_[operand];
  // Who has let go of a constant keeps what it has made of it, unless memory ran out on the way.
  if (graph_.is_let_go != nullptr && graph_.is_let_go[operand].load(std::memory_order_relaxed)) {
    throw std::bad_alloc();
  }
  if (value.for_readers != nullptr) return value.for_readers;
  const size_t size =
      NumberOfElements(value.info.dimensions) * ElementSize(system_, value.info.type);
  if (value.read_instead != nullptr) {
    if (!value.own.Reserve(std::max<size_t>(1, size))) throw std::bad_alloc();
    Import(value.info, value.read_instead->elements.data(), value.own.data());
    value.for_readers = value.own.data();
    return value.for_readers;
  }
  if (value.elements != nullptr) return value.elements;
  std::byte* elements = nullptr;
  if (hal::isConstant(graph_.model.operands[operand].lifetime)) {
    if (!value.own.Reserve(std::max<size_t>(1, size))) throw std::bad_alloc();
    elements = value.own.data();
  } else {
    elements = Room(operand, size);
    if (elements == nullptr) throw std::bad_alloc();
  }
  Import(value.info, value.native, elements);
  value.elements = elements;
  return elements;
}

// Converts elements from the HAL's layout to that of the number system.
void GraphExecution::Import(const OperandInfo& info, const std::byte* native,
                            std::byte* elements) const {
  const size_t count = NumberOfElements(info.dimensions);
  if (system_ == NumberSystem::kBall) {
    ImportHeldElements(info.type, HeldAt(info.type), native, count, elements, fast_functions_);
  } else {
    ImportElements(system_, info.type, native, count, elements, fast_functions_);
  }
}

// In a relaxed model an implementation may hold inputs and constants as halves.
const Precision& GraphExecution::HeldAt(OperandType type) const {
  const bool is_half =
      type == OperandType::TENSOR_FLOAT16 || graph_.model.relaxComputationFloat32toFloat16;
  return is_half ? kFloat16Precision : kFloat32Precision;
}

// The elements in the HAL's layout where they have not been converted.
NativeElements GraphExecution::UnconvertedElementsOf(uint32_t operand) const {
  const Value& value = values_[operand];
  if (value.for_readers != nullptr) return {};
  const std::byte* native = value.elements == nullptr ? value.native : nullptr;
  if (value.read_instead != nullptr) native = value.read_instead->elements.data();
  if (native == nullptr || !IsAlignedAsNative(native, value.info.type)) return {};
  return {native, HeldAt(value.info.type)};
}

// Room for a value of `size` bytes where the plan has placed it; null when there is not memory
// enough.
std::byte* GraphExecution::Room(uint32_t operand, size_t size) {
  const BufferPlace& place = plan_.places[operand];
  if (size == 0) return nothing_;
  if (place.is_in_arena) return arena_.data() + place.position;
  Buffer& buffer = growing_[place.position];
  return buffer.Reserve(size) ? buffer.data() : nullptr;
}

absl::StatusOr<std::byte*> GraphExecution::Allocate(uint32_t operand,
                                                    absl::Span<const uint32_t> dimensions) {
  Value& value = values_[operand];
  if (absl::Status status =
          CheckDeclaredDimensions(graph_.declared.infos[operand].dimensions, dimensions);
      !status.ok()) {
    return Annotate(status, absl::StrCat("output operand ", operand));
  }
  if (absl::Status status = CheckElementCount(operand, dimensions); !status.ok()) return status;
  if (absl::Status status = CheckReadInstead(operand, value, dimensions); !status.ok()) {
    return status;
  }
  const uint64_t count = NumberOfElements(dimensions);
  // The dimensions may be those of the value itself.
  if (absl::MakeConstSpan(value.info.dimensions) != dimensions) {
    value.info.dimensions.assign(dimensions.begin(), dimensions.end());
  }
  const size_t size = count * ElementSize(system_, value.info.type);
  std::byte* elements = nothing_;
  if (value.output == kNoOutput) {
    elements = Room(operand, size);
  } else {
    Output& output = outputs_[value.output];
    output.is_in_buffer = !output.buffer.empty() && size <= output.buffer.size();
    if (output.is_in_buffer) {
      elements = output.buffer.data();
    } else if (size != 0) {
      output.elements.resize(size);
      elements = output.elements.data();
    }
  }
  if (elements == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there is not memory enough for operand ", operand, ": ", size, " bytes"));
  }
  if (options_.fills_arbitrary_memory) std::memset(elements, 0xff, size);
  value.elements = elements;
  return elements;
}

}  // namespace nncert
