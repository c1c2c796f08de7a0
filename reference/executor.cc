// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/executor.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "hal/validate.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::Operation;

// What an implementation of an operation on these operands may lose.
Precision PrecisionOf(const Model& model, const OperationDefinition& definition,
                      const SlotBindings& bindings, const Operation& operation,
                      absl::Span<const OperandInfo> infos) {
  bool has_float16 = false;
  bool has_float32 = false;
  bool has_quantized = false;
  const auto look_at = [&](OperandType type) {
    has_float16 |= type == OperandType::TENSOR_FLOAT16;
    has_float32 |= type == OperandType::TENSOR_FLOAT32;
    has_quantized |= IsQuantized(type);
  };
  for (size_t slot = 0; slot < bindings.size(); ++slot) {
    if (definition.signature.inputs[slot].is_parameter()) continue;
    for (int i = 0; i < bindings[slot].count; ++i) {
      look_at(infos[operation.inputs[bindings[slot].first + i]].type);
    }
  }
  for (const uint32_t output : operation.outputs) look_at(infos[output].type);
  if (has_float16) return kFloat16Precision;
  if (has_float32 && model.relaxComputationFloat32toFloat16) return kFloat16Precision;
  return has_quantized ? kQuantizedPrecision : kFloat32Precision;
}

absl::Status Annotate(const absl::Status& status, std::string_view where) {
  return absl::Status(status.code(), absl::StrCat(absl::string_view(where.data(), where.size()),
                                                  ": ", status.message()));
}

}  // namespace

absl::Span<const double> OutputValue::doubles() const {
  return {reinterpret_cast<const double*>(elements.data()), elements.size() / sizeof(double)};
}

absl::Span<const Ball> OutputValue::balls() const {
  return {reinterpret_cast<const Ball*>(elements.data()), elements.size() / sizeof(Ball)};
}

absl::StatusOr<std::shared_ptr<const PreparedGraph>> PreparedGraph::Create(Model model,
                                                                           HalVersion version) {
  std::shared_ptr<PreparedGraph> graph(new PreparedGraph(std::move(model), version));
  if (absl::Status status = hal::validateModelStructure(graph->model_, version); !status.ok()) {
    return status;
  }
  if (absl::Status status = graph->Prepare(); !status.ok()) return status;
  return graph;
}

absl::Status PreparedGraph::Prepare() {
  absl::StatusOr<ModelOperands> operands = OperandsOf(model_);
  if (!operands.ok()) return operands.status();
  declared_ = *std::move(operands);
  // An invalid operation counts for more than one that the catalogue does not have.
  absl::Status unimplemented;
  for (size_t i = 0; i < model_.operations.size(); ++i) {
    absl::StatusOr<SlotBindings> bindings =
        ValidateOperation(model_, i, version_, declared_.infos, declared_.constants);
    if (absl::IsUnimplemented(bindings.status())) {
      unimplemented.Update(bindings.status());
      continue;
    }
    if (!bindings.ok()) return bindings.status();
    const Operation& operation = model_.operations[i];
    Node node;
    node.definition = FindOperation(operation.type);
    node.bindings = *std::move(bindings);
    const auto has_unknown_rank = [&](uint32_t operand) {
      return declared_.infos[operand].dimensions.empty() &&
             !hal::nonExtensionOperandTypeIsScalar(declared_.infos[operand].type);
    };
    node.has_unknown_rank =
        std::any_of(operation.inputs.begin(), operation.inputs.end(), has_unknown_rank);
    node.precision =
        PrecisionOf(model_, *node.definition, node.bindings, operation, declared_.infos);
    node.constants = std::make_unique<PreparedConstants>();
    nodes_.push_back(std::move(node));
  }
  return unimplemented;
}

// The state of one execution: what every operand is, and where its elements are.
class PreparedGraph::Execution {
 public:
  Execution(const PreparedGraph& graph, NumberSystem system)
      : graph_(graph), system_(system), operands_(graph.model_.operands.size()) {
    for (size_t i = 0; i < operands_.size(); ++i) {
      operands_[i].info = graph.declared_.infos[i];
      operands_[i].native = graph.declared_.constants[i];
      operands_[i].is_omitted = graph.model_.operands[i].lifetime == OperandLifeTime::NO_VALUE;
    }
  }

  absl::Status SetInputs(absl::Span<const InputArgument> inputs);
  absl::Status RunOperations();
  absl::StatusOr<std::vector<OutputValue>> TakeOutputs();

 private:
  friend class Buffers;
  class Buffers;

  struct Value {
    OperandInfo info;
    bool is_omitted = false;
    const std::byte* native = nullptr;    // in the HAL's layout, when it is known that way
    const std::byte* elements = nullptr;  // as the number system keeps them, when known that way
    std::vector<std::byte> owned;         // where `elements` are, unless they are `native`
    std::vector<std::byte> owned_native;  // where `native` is, when it was made from `elements`
    absl::Status undecided;               // why the value is unknown, if it is
  };

  absl::Status RunOperation(size_t index);
  absl::StatusOr<const std::byte*> NativeOf(uint32_t operand);
  const std::byte* ElementsOf(uint32_t operand);
  absl::StatusOr<std::byte*> Allocate(uint32_t operand, absl::Span<const uint32_t> dimensions);

  const PreparedGraph& graph_;
  const NumberSystem system_;
  std::vector<Value> operands_;
};

class PreparedGraph::Execution::Buffers : public KernelBuffers {
 public:
  Buffers(Execution& execution, const Operation& operation, const Node& node)
      : execution_(execution), operation_(operation), node_(node) {}

  NumberSystem system() const override { return execution_.system_; }
  const Precision& precision() const override { return node_.precision; }
  const std::byte* InputElements(int slot, int i) override {
    return execution_.ElementsOf(operation_.inputs[node_.bindings[slot].first + i]);
  }
  absl::StatusOr<std::byte*> OutputElements(int index,
                                            absl::Span<const uint32_t> dimensions) override {
    return execution_.Allocate(operation_.outputs[index], dimensions);
  }
  std::byte* Scratch(size_t bytes) override {
    constexpr size_t kAlignment = 64;
    scratch_.emplace_back(new (std::align_val_t(kAlignment)) std::byte[bytes]);
    return scratch_.back().get();
  }
  bool IsConstant(int slot, int i) const override {
    const OperandLifeTime lifetime =
        execution_.graph_.model_.operands[operation_.inputs[node_.bindings[slot].first + i]]
            .lifetime;
    return lifetime == OperandLifeTime::CONSTANT_COPY ||
           lifetime == OperandLifeTime::CONSTANT_REFERENCE || lifetime == OperandLifeTime::NO_VALUE;
  }
  PreparedConstants& constants() override { return *node_.constants; }
  void ParallelFor(size_t count, size_t grain,
                   absl::FunctionRef<void(size_t begin, size_t end)> work) override {
    for (size_t begin = 0; begin < count; begin += grain) {
      work(begin, std::min(count, begin + grain));
    }
  }

 private:
  struct DeleteAligned {
    void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t(64)); }
  };
  std::vector<std::unique_ptr<std::byte[], DeleteAligned>> scratch_;
  Execution& execution_;
  const Operation& operation_;
  const Node& node_;
};

absl::Status PreparedGraph::Execution::SetInputs(absl::Span<const InputArgument> inputs) {
  const std::vector<uint32_t>& indexes = graph_.model_.inputIndexes;
  if (inputs.size() != indexes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the request has ", inputs.size(), " inputs; the model has ", indexes.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputArgument& input = inputs[i];
    Value& value = operands_[indexes[i]];
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
    } else if (hal::tensorHasUnspecifiedDimensions(graph_.model_.operands[indexes[i]])) {
      return error(absl::StrCat("the model's dimensions ", ShapeToString(value.info.dimensions),
                                " are not fully specified, and the request gives none"));
    }
    const uint64_t count = NumberOfElements(value.info.dimensions);
    const uint64_t expected = count * NativeElementSize(ElementKindOf(value.info.type));
    if (count > kLargestTensorElements || input.elements.size() != expected) {
      return error(absl::StrCat("has ", input.elements.size(), " bytes; expected ", expected,
                                " for dimensions ", ShapeToString(value.info.dimensions)));
    }
    value.native = input.elements.data();
    // An empty tensor has no bytes, but it has a value.
    static constexpr std::byte kNothing[1] = {};
    if (value.native == nullptr) value.native = kNothing;
  }
  return absl::OkStatus();
}

absl::StatusOr<const std::byte*> PreparedGraph::Execution::NativeOf(uint32_t operand) {
  Value& value = operands_[operand];
  if (value.native != nullptr) return value.native;
  if (system_ == NumberSystem::kFloat) return value.elements;
  const size_t count = NumberOfElements(value.info.dimensions);
  if (system_ == NumberSystem::kBall) {
    const Ball* balls = reinterpret_cast<const Ball*>(value.elements);
    if (!std::all_of(balls, balls + count, [](const Ball& ball) { return ball.IsExact(); })) {
      return UndecidedError(
          absl::StrCat("operand ", operand, " must be known exactly, and is only enclosed"));
    }
  }
  // One byte more, so that an empty value is not null.
  value.owned_native.resize(count * NativeElementSize(ElementKindOf(value.info.type)) + 1);
  ExportElements(system_, value.info.type, value.elements, count, value.owned_native.data());
  value.native = value.owned_native.data();
  return value.native;
}

const std::byte* PreparedGraph::Execution::ElementsOf(uint32_t operand) {
  Value& value = operands_[operand];
  if (value.elements != nullptr) return value.elements;
  if (system_ == NumberSystem::kFloat) return value.native;
  const size_t count = NumberOfElements(value.info.dimensions);
  value.owned.resize(count * ElementSize(system_, value.info.type) + 1);
  ImportElements(system_, value.info.type, value.native, count, value.owned.data());
  if (system_ == NumberSystem::kBall) {
    // In a relaxed model an implementation may hold inputs and constants as halves.
    const bool is_half = value.info.type == OperandType::TENSOR_FLOAT16 ||
                         graph_.model_.relaxComputationFloat32toFloat16;
    HoldElements(value.info.type, is_half ? kFloat16Precision : kFloat32Precision, count,
                 value.owned.data());
  }
  value.elements = value.owned.data();
  return value.elements;
}

absl::StatusOr<std::byte*> PreparedGraph::Execution::Allocate(
    uint32_t operand, absl::Span<const uint32_t> dimensions) {
  Value& value = operands_[operand];
  const OperandInfo& declared = graph_.declared_.infos[operand];
  if (absl::Status status = CheckDeclaredDimensions(declared.dimensions, dimensions);
      !status.ok()) {
    return Annotate(status, absl::StrCat("output operand ", operand));
  }
  const uint64_t count = NumberOfElements(dimensions);
  if (count > kLargestTensorElements) {
    return absl::InvalidArgumentError(absl::StrCat(
        "output operand ", operand, " would have dimensions ", ShapeToString(dimensions),
        "; expected at most ", kLargestTensorElements, " elements"));
  }
  value.info.dimensions.assign(dimensions.begin(), dimensions.end());
  value.owned.assign(count * ElementSize(system_, value.info.type) + 1, std::byte{0});
  value.elements = value.owned.data();
  return value.owned.data();
}

absl::Status PreparedGraph::Execution::RunOperations() {
  for (size_t i = 0; i < graph_.nodes_.size(); ++i) {
    absl::Status status = RunOperation(i);
    if (IsUndecided(status)) {
      for (const uint32_t output : graph_.model_.operations[i].outputs)
        operands_[output].undecided = status;
    } else if (!status.ok()) {
      return Annotate(status, absl::StrCat("operation ", i));
    }
  }
  return absl::OkStatus();
}

absl::Status PreparedGraph::Execution::RunOperation(size_t index) {
  const Node& node = graph_.nodes_[index];
  const OperationDefinition& definition = *node.definition;
  const Operation& operation = graph_.model_.operations[index];
  OperationOperands states;
  for (const uint32_t operand : operation.inputs) {
    const Value& value = operands_[operand];
    if (!value.undecided.ok()) return value.undecided;
    states.inputs.push_back({&value.info, operand, value.is_omitted, nullptr});
  }
  for (size_t slot = 0; slot < node.bindings.size(); ++slot) {
    const SlotBinding& binding = node.bindings[slot];
    const bool is_parameter = definition.signature.inputs[slot].is_parameter();
    for (int i = binding.first; i < binding.first + binding.count; ++i) {
      OperandState& state = states.inputs[i];
      if (state.is_omitted) {
        // A model input that the request leaves out, though the operation needs it.
        if (definition.signature.inputs[slot].presence() == Presence::kRequired) {
          return absl::InvalidArgumentError(absl::StrCat(definition.name(), " input ", i,
                                                         " (operand ", operation.inputs[i],
                                                         ") has no value; it is not optional"));
        }
        continue;
      }
      if (is_parameter) {
        absl::StatusOr<const std::byte*> native = NativeOf(operation.inputs[i]);
        if (!native.ok()) return native.status();
        state.value = *native;
      } else if (!definition.accepts_empty_tensors &&
                 NumberOfElements(state.info->dimensions) == 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            definition.name(), " input ", i, " (operand ", operation.inputs[i], ") is empty: ",
            ShapeToString(state.info->dimensions), "; expected every dimension to be above 0"));
      }
    }
  }
  for (const uint32_t operand : operation.outputs) {
    states.outputs.push_back({&operands_[operand].info, operand, false, nullptr});
  }
  if (node.has_unknown_rank) {
    absl::StatusOr<SlotBindings> matched =
        MatchSignature(definition, graph_.version_, states.inputs, states.outputs);
    if (!matched.ok()) return matched.status();
  }
  const OperationContext context(definition, Stage::kExecution, graph_.version_, node.bindings,
                                 states.inputs, states.outputs);
  if (absl::Status status = CheckConstraints(context); !status.ok()) return status;
  if (definition.shape != nullptr) {
    std::vector<Shape> shapes(operation.outputs.size());
    if (absl::Status status = definition.shape(context, shapes); !status.ok()) return status;
    for (size_t i = 0; i < shapes.size(); ++i) {
      const uint32_t operand = operation.outputs[i];
      if (absl::Status status =
              CheckDeclaredDimensions(graph_.declared_.infos[operand].dimensions, shapes[i]);
          !status.ok()) {
        return Annotate(status,
                        absl::StrCat(definition.name(), " output ", i, " (operand ", operand, ")"));
      }
      operands_[operand].info.dimensions = shapes[i];
    }
  }
  Buffers buffers(*this, operation, node);
  return RunKernel(context, buffers);
}

absl::StatusOr<std::vector<OutputValue>> PreparedGraph::Execution::TakeOutputs() {
  std::vector<OutputValue> outputs;
  for (const uint32_t operand : graph_.model_.outputIndexes) {
    Value& value = operands_[operand];
    OutputValue output;
    output.info = value.info;
    output.undecided = value.undecided;
    if (value.undecided.ok()) {
      if (value.elements == nullptr) {
        return absl::InternalError(
            absl::StrCat("operand ", operand, " was not written by its operation"));
      }
      const size_t size =
          NumberOfElements(value.info.dimensions) * ElementSize(system_, value.info.type);
      output.elements = std::move(value.owned);
      output.elements.resize(size);
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

absl::StatusOr<std::vector<OutputValue>> PreparedGraph::Execute(
    NumberSystem system, absl::Span<const InputArgument> inputs) const {
  Execution execution(*this, system);
  if (absl::Status status = execution.SetInputs(inputs); !status.ok()) return status;
  if (absl::Status status = execution.RunOperations(); !status.ok()) return status;
  return execution.TakeOutputs();
}

}  // namespace nncert
