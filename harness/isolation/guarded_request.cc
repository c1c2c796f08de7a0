// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/guarded_request.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "reference/execution/model_validation.h"
#include "reference/extension.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_0::DataLocation;
using hal::V1_0::RequestArgument;
using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;

constexpr size_t kAlignment = 4;

// Pools are whole pages, which memory consists of anyhow: most small requests then have pools of
// the same size.
constexpr size_t kPageBytes = 4096;

// What guard bytes hold: no value that a driver is likely to write, and none that is all ones or
// all zeros.
constexpr uint8_t kGuard = 0xC5;

// Every bit set makes a NaN of both kinds of floats.
constexpr uint8_t kNanByte = 0xFF;

// Makes a number of both kinds of floats (-2.9e-16, -0.022) that no driver gives on its own, as it
// may give zeros.
constexpr uint8_t kNumberByte = 0xA5;

bool HasKnownShape(const Operand& operand) { return !HasUnknownDimensions(operand); }

bool IsScalar(OperandType type) {
  const ExtensionOperandType* const extension = FindExtensionOperandType(type);
  return extension == nullptr ? hal::nonExtensionOperandTypeIsScalar(type) : !extension->is_tensor;
}

// Bytes that a tensor takes; nothing when it is opaque to us.
std::optional<uint64_t> SizeOf(OperandType type, absl::Span<const uint32_t> dimensions) {
  if (IsOpaque(type)) return std::nullopt;
  const uint64_t count = NumberOfElements(dimensions);
  if (count > kLargestTensorElements) return std::numeric_limits<uint64_t>::max();
  return count * NativeElementSize(ElementKindOf(type));
}

absl::Status Annotate(absl::string_view what, size_t index, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(what, " ", index, ": ", status.message()));
}

// Checks what is common to inputs and outputs.
absl::Status CheckValue(const Operand& operand, const std::vector<uint32_t>& dimensions,
                        const std::vector<uint8_t>& data) {
  if (!IsOpaque(operand.type)) {
    if (IsScalar(operand.type) && !dimensions.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("a scalar has the dimensions ",
                                                     ShapeToString(dimensions), "; expected none"));
    }
    if (!IsScalar(operand.type) && dimensions.empty()) {
      return absl::InvalidArgumentError("a tensor has no dimensions; expected all of them");
    }
  }
  if (absl::Status status = CheckDeclaredDimensions(operand.dimensions, dimensions); !status.ok()) {
    return status;
  }
  const std::optional<uint64_t> size = SizeOf(operand.type, dimensions);
  if (size.has_value() && *size != data.size()) {
    return absl::InvalidArgumentError(absl::StrCat("has ", data.size(), " bytes; expected ", *size,
                                                   " for dimensions ", ShapeToString(dimensions)));
  }
  return absl::OkStatus();
}

// Bytes that the buffer of an output must have: never none, since there is no buffer of no bytes.
size_t CapacityFor(const Operand& operand, const ExpectedOutput& expected) {
  const uint64_t size = SizeOf(operand.type, expected.dimensions).value_or(expected.data.size());
  if (size > 0) return size;
  return IsOpaque(operand.type) ? 1 : NativeElementSize(ElementKindOf(operand.type));
}

// Puts a number wherever an element of a floating-point type, whose infinity has the bits of
// `infinity`, is expected to be NaN.
template <typename Bits>
void PutNumbersForNans(absl::Span<const uint8_t> expected, Bits infinity, uint8_t* bytes) {
  for (size_t i = 0; i < expected.size(); i += sizeof(Bits)) {
    Bits element;
    std::memcpy(&element, expected.data() + i, sizeof(element));
    const bool is_nan = (element & (std::numeric_limits<Bits>::max() >> 1)) > infinity;
    if (is_nan) std::fill_n(bytes + i, sizeof(Bits), kNumberByte);
  }
}

// Bytes that the buffers of outputs must have.
std::vector<size_t> CapacitiesOf(const Model& model,
                                 absl::Span<const ExpectedOutput* const> outputs) {
  std::vector<size_t> capacities(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    capacities[i] = CapacityFor(model.operands[model.outputIndexes[i]], *outputs[i]);
  }
  return capacities;
}

std::vector<const ExpectedOutput*> OutputsOf(const Example& example) {
  std::vector<const ExpectedOutput*> outputs;
  outputs.reserve(example.outputs.size());
  for (const ExpectedOutput& output : example.outputs) outputs.push_back(&output);
  return outputs;
}

// Fills the buffer of an output with bytes of which no element passes for the expected one.
void FillWithWrong(OperandType type, const ExpectedOutput& expected, absl::Span<uint8_t> buffer) {
  if (IsOpaque(type) || expected.data.size() != buffer.size()) {
    std::fill(buffer.begin(), buffer.end(), kNanByte);
    return;
  }
  const size_t element_size = NativeElementSize(ElementKindOf(type));
  const ElementKind kind = ElementKindOf(type);
  if (kind == ElementKind::kFloat32 || kind == ElementKind::kFloat16) {
    // NaNs are wrong everywhere but where a NaN is expected.
    std::fill(buffer.begin(), buffer.end(), kNanByte);
    if (kind == ElementKind::kFloat32) {
      PutNumbersForNans<uint32_t>(expected.data, 0x7F800000U, buffer.data());
    } else {
      PutNumbersForNans<uint16_t>(expected.data, 0x7C00U, buffer.data());
    }
    return;
  }
  std::copy(expected.data.begin(), expected.data.end(), buffer.begin());
  // The top byte of an element, which is the last one.
  for (size_t i = element_size - 1; i < buffer.size(); i += element_size) {
    // Integers go half of their range away; true is a byte that nobody writes for it.
    if (kind == ElementKind::kBool) {
      buffer[i] = buffer[i] == 0 ? kNumberByte : 0;
    } else {
      buffer[i] ^= 0x80U;
    }
  }
}

size_t RoundUp(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

// The content of a pool in the making, up to the end of the last argument.
struct PoolContent {
  std::vector<uint8_t> bytes;
  std::vector<size_t> arguments;

  // Puts an argument of `size` bytes, which `fill` is to set, behind what is there, with guards in
  // between.
  absl::StatusOr<DataLocation> Add(size_t argument, size_t shift, uint32_t pool, size_t size,
                                   absl::FunctionRef<void(absl::Span<uint8_t>)> fill) {
    const size_t offset = RoundUp(bytes.size() + GuardedRequest::kGuardBytes, kAlignment) + shift;
    arguments.push_back(argument);
    if (offset + size > std::numeric_limits<uint32_t>::max()) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the arguments need more than 4 GiB; a DataLocation cannot describe that"));
    }
    bytes.resize(offset, kGuard);
    bytes.resize(offset + size);
    fill(absl::MakeSpan(bytes).subspan(offset));
    return DataLocation{pool, static_cast<uint32_t>(offset), static_cast<uint32_t>(size)};
  }
};

// The size of a pool whose last argument ends there.
size_t PoolSize(size_t end) { return RoundUp(end + GuardedRequest::kGuardBytes, kPageBytes); }

// The place of the first difference; nothing when there is none.
std::optional<size_t> FirstDifference(const uint8_t* a, const uint8_t* b, size_t begin,
                                      size_t end) {
  if (begin >= end || std::memcmp(a + begin, b + begin, end - begin) == 0) return std::nullopt;
  return std::mismatch(a + begin, a + end, b + begin).first - a;
}

// The place of the first byte that is no guard byte any more; nothing when there is none.
std::optional<size_t> FirstChangedGuard(absl::Span<const uint8_t> guards) {
  // All are the same when the first is right and each is like the one before.
  if (guards.empty() || (guards.front() == kGuard &&
                         std::memcmp(guards.data(), guards.data() + 1, guards.size() - 1) == 0)) {
    return std::nullopt;
  }
  return std::find_if(guards.begin(), guards.end(), [](uint8_t byte) { return byte != kGuard; }) -
         guards.begin();
}

}  // namespace

std::string_view toString(OutputSpecification specification) {
  switch (specification) {
    case OutputSpecification::FULLY_SPECIFIED:
      return "FULLY_SPECIFIED";
    case OutputSpecification::UNSPECIFIED:
      return "UNSPECIFIED";
    case OutputSpecification::INSUFFICIENT:
      return "INSUFFICIENT";
  }
  return "OutputSpecification(?)";
}

std::ostream& operator<<(std::ostream& stream, OutputSpecification specification) {
  return stream << toString(specification);
}

Model WithUnspecifiedOutputs(Model model) {
  for (const uint32_t output : model.outputIndexes) {
    std::vector<uint32_t>& dimensions = model.operands[output].dimensions;
    std::fill(dimensions.begin(), dimensions.end(), 0);
  }
  return model;
}

bool HasFullySpecifiedOutputs(const Model& model) {
  return std::all_of(model.outputIndexes.begin(), model.outputIndexes.end(),
                     [&](uint32_t output) { return HasKnownShape(model.operands[output]); });
}

absl::Status CheckExample(const Model& model, const Example& example) {
  if (example.inputs.size() != model.inputIndexes.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there are ", example.inputs.size(), " inputs; the model has ", model.inputIndexes.size()));
  }
  if (!example.outputs.empty() && example.outputs.size() != model.outputIndexes.size()) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", example.outputs.size(),
                                                   " expected outputs; the model has ",
                                                   model.outputIndexes.size()));
  }
  for (size_t i = 0; i < example.inputs.size(); ++i) {
    const InputValue& input = example.inputs[i];
    if (input.hasNoValue) {
      if (input.dimensions.empty() && input.data.empty()) continue;
      return Annotate(
          "input", i,
          absl::InvalidArgumentError("is omitted; expected no dimensions and no bytes"));
    }
    if (absl::Status status =
            CheckValue(model.operands[model.inputIndexes[i]], input.dimensions, input.data);
        !status.ok()) {
      return Annotate("input", i, status);
    }
    if (input.data.empty()) {
      return Annotate("input", i,
                      absl::InvalidArgumentError(
                          absl::StrCat("has the dimensions ", ShapeToString(input.dimensions),
                                       "; a request cannot give an empty tensor")));
    }
  }
  for (size_t i = 0; i < example.outputs.size(); ++i) {
    const ExpectedOutput& output = example.outputs[i];
    const Operand& operand = model.operands[model.outputIndexes[i]];
    // The bytes of an output that is not compared may be left out.
    absl::Status status;
    if (output.ignored && output.data.empty()) {
      status = CheckDeclaredDimensions(operand.dimensions, output.dimensions);
    } else {
      status = CheckValue(operand, output.dimensions, output.data);
    }
    if (!status.ok()) return Annotate("expected output", i, status);
  }
  return absl::OkStatus();
}

bool CanBeInsufficient(const Model& model, const Example& example) {
  const Operand& operand = model.operands[model.outputIndexes[0]];
  const ExpectedOutput& output = example.outputs[0];
  return SizeOf(operand.type, output.dimensions).value_or(output.data.size()) > 1;
}

std::vector<size_t> CapacitiesFor(const Model& model, const Example& example) {
  return CapacitiesOf(model, OutputsOf(example));
}

absl::StatusOr<GuardedRequest> GuardedRequest::Create(const Model& model, const Example& example,
                                                      OutputSpecification specification,
                                                      hal::HalVersion version, SparePools& spares) {
  RequestLayout layout;
  if (specification == OutputSpecification::INSUFFICIENT) {
    layout.capacities = CapacitiesFor(model, example);
    --layout.capacities[0];
  }
  return Create(model, example, layout, version, spares);
}

// Fills in a request.
class GuardedRequest::Builder {
 public:
  Builder(GuardedRequest& guarded, const RequestLayout& layout)
      : guarded_(guarded), layout_(layout) {}

  absl::Status AddInputs(const Model& model, absl::Span<const InputValue> inputs) {
    size_t bytes = 0;
    for (const InputValue& input : inputs) bytes += input.data.size();
    Reserve(inputs.size(), bytes);
    guarded_.request_.inputs.reserve(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const InputValue& input = inputs[i];
      RequestArgument argument;
      argument.hasNoValue = input.hasNoValue;
      if (!input.hasNoValue) {
        absl::StatusOr<DataLocation> location =
            Add(i, /*is_of_outputs=*/false, input.data.size(), [&input](absl::Span<uint8_t> to) {
              std::copy(input.data.begin(), input.data.end(), to.begin());
            });
        if (!location.ok()) return location.status();
        argument.location = *location;
        if (!HasKnownShape(model.operands[model.inputIndexes[i]])) {
          argument.dimensions = input.dimensions;
        }
      }
      guarded_.request_.inputs.push_back(std::move(argument));
    }
    return layout_.has_pool_for_each ? absl::OkStatus() : EndPool(/*is_of_outputs=*/false);
  }

  absl::Status AddOutputs(const Model& model, absl::Span<const ExpectedOutput* const> outputs,
                          hal::HalVersion version) {
    const std::vector<size_t> capacities =
        layout_.capacities.empty() ? CapacitiesOf(model, outputs) : layout_.capacities;
    Reserve(outputs.size(), std::accumulate(capacities.begin(), capacities.end(), size_t{0}));
    guarded_.request_.outputs.reserve(outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ExpectedOutput& output = *outputs[i];
      const Operand& operand = model.operands[model.outputIndexes[i]];
      absl::StatusOr<DataLocation> location =
          Add(i, /*is_of_outputs=*/true, capacities[i],
              [&](absl::Span<uint8_t> to) { FillWithWrong(operand.type, output, to); });
      if (!location.ok()) return location.status();
      RequestArgument argument;
      argument.location = *location;
      if (version < hal::HalVersion::V1_2 && !HasKnownShape(operand)) {
        argument.dimensions = output.dimensions;
      }
      guarded_.request_.outputs.push_back(std::move(argument));
    }
    return layout_.has_pool_for_each ? absl::OkStatus() : EndPool(/*is_of_outputs=*/true);
  }

 private:
  // Makes room for so many arguments of so many bytes in all, if they have one pool.
  void Reserve(size_t arguments, size_t bytes) {
    if (layout_.has_pool_for_each) return;
    content_.bytes.reserve(bytes + arguments * (kGuardBytes + kAlignment + layout_.shift));
    content_.arguments.reserve(arguments);
  }

  // Puts an argument into the pool that is being made, and ends that if it is to have no other.
  absl::StatusOr<DataLocation> Add(size_t argument, bool is_of_outputs, size_t size,
                                   absl::FunctionRef<void(absl::Span<uint8_t>)> fill) {
    absl::StatusOr<DataLocation> location = content_.Add(
        argument, layout_.shift, static_cast<uint32_t>(guarded_.pools_.size()), size, fill);
    if (location.ok() && layout_.has_pool_for_each) {
      if (absl::Status status = EndPool(is_of_outputs); !status.ok()) return status;
    }
    return location;
  }

  absl::Status EndPool(bool is_of_outputs) {
    Pool pool;
    pool.is_of_outputs = is_of_outputs;
    pool.original = std::move(content_.bytes);
    pool.arguments = std::move(content_.arguments);
    content_ = PoolContent();
    return guarded_.AddPool(is_of_outputs ? layout_.outputs : layout_.inputs, std::move(pool));
  }

  GuardedRequest& guarded_;
  const RequestLayout& layout_;
  PoolContent content_;
};

absl::StatusOr<GuardedRequest> GuardedRequest::Create(const Model& model, const Example& example,
                                                      const RequestLayout& layout,
                                                      hal::HalVersion version, SparePools& spares) {
  GuardedRequest guarded(spares);
  Builder builder(guarded, layout);
  if (absl::Status status = builder.AddInputs(model, example.inputs); !status.ok()) return status;
  absl::Status status = builder.AddOutputs(model, OutputsOf(example), version);
  if (!status.ok()) return status;
  return guarded;
}

absl::StatusOr<GuardedRequest> GuardedRequest::CreateBeside(
    const GuardedRequest& other, const Model& model,
    absl::Span<const ExpectedOutput* const> outputs, hal::HalVersion version) {
  GuardedRequest guarded(*other.spares_);
  guarded.request_.inputs = other.request_.inputs;
  for (size_t i = 0; i < other.pools_.size(); ++i) {
    if (other.pools_[i].is_of_outputs) continue;
    guarded.request_.pools.push_back(other.request_.pools[i]);
    // It goes back to the spares with the other.
    guarded.pools_.push_back(other.pools_[i]);
    guarded.pools_.back().is_spare = false;
  }
  const RequestLayout layout;
  absl::Status status = Builder(guarded, layout).AddOutputs(model, outputs, version);
  if (!status.ok()) return status;
  return guarded;
}

absl::Status GuardedRequest::AddPool(PoolKind kind, Pool pool) {
  const size_t size = PoolSize(pool.original.size());
  pool.is_spare = kind == PoolKind::kAshmem;
  absl::StatusOr<hal::Memory> memory;
  if (pool.is_spare) {
    memory = spares_->Take(size);
  } else {
    std::vector<uint8_t> content = pool.original;
    content.resize(size, kGuard);
    memory = MakePool(kind, content);
  }
  if (!memory.ok()) return memory.status();
  absl::StatusOr<hal::Mapping> mapping =
      memory->Map(kind == PoolKind::kReadOnlyMmapFd ? hal::MemoryAccess::READ_ONLY
                                                    : hal::MemoryAccess::READ_WRITE);
  if (!mapping.ok()) return mapping.status();
  request_.pools.push_back(*std::move(memory));
  pool.mapping = *std::move(mapping);
  if (pool.is_spare) pool.PutBack();
  pools_.push_back(std::move(pool));
  return absl::OkStatus();
}

void GuardedRequest::Pool::PutBack() const {
  uint8_t* const first = mapping.data();
  std::copy(original.begin(), original.end(), first);
  std::fill(first + original.size(), first + mapping.size(), kGuard);
}

GuardedRequest::~GuardedRequest() {
  for (Pool& pool : pools_) pool.mapping = {};
  // Of what was moved from, there is nothing left.
  for (size_t i = 0; i < pools_.size(); ++i) {
    if (pools_[i].is_spare) spares_->GiveBack(std::move(request_.pools[i]));
  }
}

absl::Span<const uint8_t> GuardedRequest::output(size_t index) const {
  const DataLocation& location = request_.outputs[index].location;
  return pools_[location.poolIndex].mapping.bytes().subspan(location.offset, location.length);
}

void GuardedRequest::WriteOutput(size_t index, absl::Span<const uint8_t> bytes) {
  const DataLocation& location = request_.outputs[index].location;
  std::copy(bytes.begin(), bytes.end(),
            pools_[location.poolIndex].mapping.data() + location.offset);
}

bool GuardedRequest::IsUnwritten(size_t index) const {
  const DataLocation& location = request_.outputs[index].location;
  const Pool& pool = pools_[location.poolIndex];
  return location.length > 0 &&
         std::memcmp(pool.mapping.data() + location.offset, pool.original.data() + location.offset,
                     location.length) == 0;
}

absl::Status GuardedRequest::CheckRestOf(size_t output, size_t size) const {
  const DataLocation& location = request_.outputs[output].location;
  const Pool& pool = pools_[location.poolIndex];
  if (const auto place =
          FirstDifference(pool.mapping.data(), pool.original.data(), location.offset + size,
                          size_t{location.offset} + location.length)) {
    return absl::DataLossError(
        absl::StrCat("wrote byte ", *place - location.offset, " of the buffer of output ", output));
  }
  return absl::OkStatus();
}

void GuardedRequest::Reset(uint8_t change) {
  for (const RequestArgument& output : request_.outputs) {
    const DataLocation& location = output.location;
    uint8_t* const first = pools_[location.poolIndex].original.data() + location.offset;
    std::for_each(first, first + location.length,
                  [&](uint8_t& byte) { byte ^= static_cast<uint8_t>(change_ ^ change); });
  }
  change_ = change;
  for (const Pool& pool : pools_) pool.PutBack();
}

absl::Status GuardedRequest::CheckInputs() const {
  for (size_t i = 0; i < request_.inputs.size(); ++i) {
    if (request_.inputs[i].hasNoValue) continue;
    const DataLocation& location = request_.inputs[i].location;
    const Pool& pool = pools_[location.poolIndex];
    if (const auto place =
            FirstDifference(pool.mapping.data(), pool.original.data(), location.offset,
                            size_t{location.offset} + location.length)) {
      return absl::DataLossError(
          absl::StrCat("changed input ", i, " at byte ", *place - location.offset));
    }
  }
  return absl::OkStatus();
}

absl::Status GuardedRequest::CheckGuards() const {
  for (size_t i = 0; i < pools_.size(); ++i) {
    if (absl::Status status = CheckGuardsOf(i); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status GuardedRequest::CheckGuardsOf(size_t index) const {
  const Pool& pool = pools_[index];
  const uint8_t* const now = pool.mapping.data();
  const uint8_t* const original = pool.original.data();
  const std::vector<RequestArgument>& arguments =
      pool.is_of_outputs ? request_.outputs : request_.inputs;
  const auto stray = [&](size_t place, std::string_view where, size_t argument) {
    if (!pool.is_of_outputs) {
      return absl::DataLossError(
          absl::StrCat("wrote between the inputs, at byte ", place, " of pool ", index));
    }
    return absl::DataLossError(absl::StrCat("wrote ", std::string(where), " output ", argument));
  };
  size_t begin = 0;
  for (size_t i = 0; i < pool.arguments.size(); ++i) {
    const DataLocation& location = arguments[pool.arguments[i]].location;
    if (const auto place = FirstDifference(now, original, begin, location.offset)) {
      // Whoever writes too far leaves no gap; else the buffer behind was missed.
      if (i > 0 && *place == begin) return stray(*place, "past", pool.arguments[i - 1]);
      return stray(*place, "before", pool.arguments[i]);
    }
    begin = size_t{location.offset} + location.length;
  }
  if (const auto place = FirstChangedGuard(pool.mapping.bytes().subspan(begin))) {
    return stray(begin + *place, "past", pool.arguments.empty() ? 0 : pool.arguments.back());
  }
  return absl::OkStatus();
}

absl::Status GuardedRequest::CheckMemory() const {
  if (!memory_error_.empty()) return absl::DataLossError(memory_error_);
  if (absl::Status status = CheckInputs(); !status.ok()) return status;
  return CheckGuards();
}

}  // namespace nncert
