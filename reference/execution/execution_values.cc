// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/execution_values.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "reference/storage.h"

namespace nncert {
namespace {

using hal::V1_2::OperandLifeTime;

bool Overlap(absl::Span<const std::byte> a, absl::Span<const std::byte> b) {
  const auto a_begin = reinterpret_cast<uintptr_t>(a.data());
  const auto b_begin = reinterpret_cast<uintptr_t>(b.data());
  return a_begin < b_begin + b.size() && b_begin < a_begin + a.size();
}

}  // namespace

absl::Status TooManyElementsError(uint32_t operand, absl::Span<const uint32_t> dimensions) {
  return absl::InvalidArgumentError(
      absl::StrCat("output operand ", operand, " would have dimensions ", ShapeToString(dimensions),
                   "; expected at most ", kLargestTensorElements, " elements"));
}

ExecutionValues::ExecutionValues(const Graph& graph, NumberSystem system, const BufferPlan& plan)
    : graph_(graph),
      system_(system),
      plan_(plan),
      outputs_(graph.model.outputIndexes.size()),
      growing_(plan.growing_buffers) {
  const size_t operands = graph.model.operands.size();
  values_.reserve(operands);
  variable_.reserve(operands);
  for (size_t i = 0; i < operands; ++i) {
    const OperandLifeTime lifetime = graph.model.operands[i].lifetime;
    KeptValue& value = values_.emplace_back(graph.declared.infos[i]);
    value.native = graph.declared.constants[i];
    if (system == NumberSystem::kFloat) value.elements = value.native;
    value.is_omitted = lifetime == OperandLifeTime::NO_VALUE;
    if (!hal::isConstant(lifetime) && lifetime != OperandLifeTime::NO_VALUE) {
      variable_.push_back(static_cast<uint32_t>(i));
    }
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    values_[graph.model.outputIndexes[i]].output = static_cast<int>(i);
  }
}

absl::Status ExecutionValues::Begin(absl::Span<const InputArgument> inputs,
                                    absl::Span<const OutputBuffer> outputs,
                                    const ExecutionOptions& options) {
  fast_functions_ = options.kernels == KernelChoice::kFast ? FindFastFunctions() : nullptr;
  fills_arbitrary_memory_ = options.fills_arbitrary_memory;
  Forget();
  if (absl::Status status = SetInputs(inputs); !status.ok()) return status;
  if (absl::Status status = SetOutputs(inputs, outputs); !status.ok()) return status;
  if (absl::Status status = SetReadInstead(options); !status.ok()) return status;
  if (!arena_.Reserve(plan_.arena_size)) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "there is not memory enough for the values of the model: ", plan_.arena_size, " bytes"));
  }
  return absl::OkStatus();
}

// Forgets the values of the execution before.
void ExecutionValues::Forget() {
  for (const uint32_t i : variable_) {
    KeptValue& value = values_[i];
    value.native = nullptr;
    value.elements = nullptr;
    value.for_readers = nullptr;
    value.read_instead = nullptr;
    value.is_omitted = false;
    if (!value.undecided.ok()) value.undecided = absl::OkStatus();
    value.possible_rows = nullptr;
    if (!graph_.uses[i].has_known_size) value.info.dimensions = graph_.declared.infos[i].dimensions;
  }
}

absl::Status ExecutionValues::SetInputs(absl::Span<const InputArgument> inputs) {
  const std::vector<uint32_t>& indexes = graph_.model.inputIndexes;
  if (inputs.size() != indexes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the request has ", inputs.size(), " inputs; the model has ", indexes.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputArgument& input = inputs[i];
    KeptValue& value = values_[indexes[i]];
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

absl::Status ExecutionValues::SetOutputs(absl::Span<const InputArgument> inputs,
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

absl::Status ExecutionValues::SetReadInstead(const ExecutionOptions& options) {
  if (options.read_instead == nullptr) return absl::OkStatus();
  if (system_ == NumberSystem::kFloat) {
    return absl::InvalidArgumentError("no values can be read instead of others in kFloat");
  }
  for (const auto& [operand, argument] : *options.read_instead) {
    if (operand >= values_.size() || !graph_.uses[operand].is_written) {
      return absl::InvalidArgumentError(
          absl::StrCat("no operation writes operand ", operand, ", which is to be read instead"));
    }
    KeptValue& value = values_[operand];
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
      return CheckReadInstead(operand, value.info.dimensions);
    }
    // When its operation is undecided, these are all there is.
    value.info.dimensions = argument.dimensions;
  }
  return absl::OkStatus();
}

absl::Status ExecutionValues::CheckReadInstead(uint32_t operand,
                                               absl::Span<const uint32_t> dimensions) const {
  const InputArgument* const read_instead = values_[operand].read_instead;
  if (read_instead == nullptr || dimensions == absl::MakeConstSpan(read_instead->dimensions)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("operand ", operand, " has the dimensions ", ShapeToString(dimensions),
                   "; it is to be read with ", ShapeToString(read_instead->dimensions)));
}

absl::StatusOr<std::vector<OutputValue>> ExecutionValues::TakeOutputs() {
  std::vector<OutputValue> outputs(outputs_.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const uint32_t operand = graph_.model.outputIndexes[i];
    const KeptValue& value = values_[operand];
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
bool ExecutionValues::IsAligned(const std::byte* elements, OperandType type) const {
  return reinterpret_cast<uintptr_t>(elements) % ElementSize(system_, type) == 0;
}

bool ExecutionValues::IsAlignedAsNative(const std::byte* elements, OperandType type) {
  return reinterpret_cast<uintptr_t>(elements) % ElementSize(NumberSystem::kFloat, type) == 0;
}

absl::StatusOr<const std::byte*> ExecutionValues::NativeOf(uint32_t operand) {
  KeptValue& value = values_[operand];
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

const std::byte* ExecutionValues::ElementsOf(uint32_t operand) {
  const KeptValue& value = values_[operand];
  // Who has let go of a constant keeps what it has made of it, unless memory ran out on the way.
  if (graph_.is_let_go != nullptr && graph_.is_let_go[operand].load(std::memory_order_relaxed)) {
    throw std::bad_alloc();
  }
  if (value.for_readers != nullptr) return value.for_readers;
  if (value.elements != nullptr && value.read_instead == nullptr) return value.elements;
  return ConvertedElementsOf(operand);
}

const std::byte* ExecutionValues::ConvertedElementsOf(uint32_t operand) {
  KeptValue& value = values_[operand];
  const size_t size =
      NumberOfElements(value.info.dimensions) * ElementSize(system_, value.info.type);
  if (value.read_instead != nullptr) {
    if (!value.own.Reserve(std::max<size_t>(1, size))) throw std::bad_alloc();
    Import(value.info, value.read_instead->elements.data(), value.own.data());
    value.for_readers = value.own.data();
    return value.for_readers;
  }
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
void ExecutionValues::Import(const OperandInfo& info, const std::byte* native,
                             std::byte* elements) const {
  const size_t count = NumberOfElements(info.dimensions);
  if (system_ == NumberSystem::kBall) {
    ImportHeldElements(info.type, HeldAt(info.type), native, count, elements, fast_functions_);
  } else {
    ImportElements(system_, info.type, native, count, elements, fast_functions_);
  }
}

// In a relaxed model an implementation may hold inputs and constants as halves.
const Precision& ExecutionValues::HeldAt(OperandType type) const {
  const bool is_half =
      type == OperandType::TENSOR_FLOAT16 || graph_.model.relaxComputationFloat32toFloat16;
  return is_half ? kFloat16Precision : kFloat32Precision;
}

// The elements in the HAL's layout where they have not been converted.
NativeElements ExecutionValues::UnconvertedElementsOf(uint32_t operand) const {
  const KeptValue& value = values_[operand];
  if (value.for_readers != nullptr) return {};
  const std::byte* native = value.elements == nullptr ? value.native : nullptr;
  if (value.read_instead != nullptr) native = value.read_instead->elements.data();
  if (native == nullptr || !IsAlignedAsNative(native, value.info.type)) return {};
  return {native, HeldAt(value.info.type)};
}

// Room for a value of `size` bytes where the plan has placed it; null when there is not memory
// enough.
std::byte* ExecutionValues::Room(uint32_t operand, size_t size) {
  const BufferPlace& place = plan_.places[operand];
  if (size == 0) return nothing_;
  if (place.is_in_arena) return arena_.data() + place.position;
  Buffer& buffer = growing_[place.position];
  return buffer.Reserve(size) ? buffer.data() : nullptr;
}

absl::StatusOr<std::byte*> ExecutionValues::Allocate(uint32_t operand,
                                                     absl::Span<const uint32_t> dimensions) {
  KeptValue& value = values_[operand];
  if (absl::Status status =
          CheckDeclaredDimensions(graph_.declared.infos[operand].dimensions, dimensions);
      !status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat("output operand ", operand, ": ", status.message()));
  }
  const uint64_t count = NumberOfElements(dimensions);
  if (count > kLargestTensorElements) return TooManyElementsError(operand, dimensions);
  if (value.read_instead != nullptr) {
    if (absl::Status status = CheckReadInstead(operand, dimensions); !status.ok()) return status;
  }
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
  if (fills_arbitrary_memory_) std::memset(elements, 0xff, size);
  value.elements = elements;
  return elements;
}

}  // namespace nncert
