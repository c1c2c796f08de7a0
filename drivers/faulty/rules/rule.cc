// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/rules/rule.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>

#include "hal/memory.h"
#include "hal/utils.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::Request;
using hal::V1_0::RequestArgument;

absl::Span<uint8_t> PoolOf(const Request& request, const RequestArgument& argument) {
  if (argument.hasNoValue) return {};
  const absl::StatusOr<hal::Mapping> pool =
      request.pools[argument.location.poolIndex].Map(hal::MemoryAccess::READ_WRITE);
  // The request keeps its pools mapped for as long as it lives.
  return pool.ok() ? pool->bytes() : absl::Span<uint8_t>();
}

absl::Span<uint8_t> BytesOf(const Request& request, const RequestArgument& argument) {
  const absl::Span<uint8_t> pool = PoolOf(request, argument);
  if (pool.empty()) return {};
  return pool.subspan(argument.location.offset, argument.location.length);
}

// Copies what `from` and `to` have in common, as tensors; the rest of `to` becomes zero.
void Fit(const ValuedOperand& from, ValuedOperand& to) {
  const size_t size = hal::nonExtensionElementSize(to.operand.type);
  const std::vector<uint32_t>& source = from.operand.dimensions;
  const std::vector<uint32_t>& target = to.operand.dimensions;
  SetReals(to, std::vector<double>(to.count(), 0));
  if (source.size() != target.size()) {
    // Of another rank: element by element, as far as they go.
    std::copy_n(from.bytes.begin(), std::min(from.bytes.size(), to.bytes.size()), to.bytes.begin());
    return;
  }
  std::vector<uint32_t> index(target.size(), 0);
  for (size_t i = 0; i < to.count(); ++i) {
    size_t offset = 0;
    bool is_inside = true;
    for (size_t k = 0; k < index.size(); ++k) {
      is_inside &= index[k] < source[k];
      offset = offset * source[k] + index[k];
    }
    if (is_inside) std::memcpy(&to.bytes[i * size], &from.bytes[offset * size], size);
    for (size_t k = index.size(); k-- > 0;) {
      if (++index[k] < target[k]) break;
      index[k] = 0;
    }
  }
}

}  // namespace

std::string_view ToString(FaultClass fault_class) {
  switch (fault_class) {
    case FaultClass::kConstantResult:
      return "All NaN, all zero";
    case FaultClass::kElement:
      return "Some elements";
    case FaultClass::kOffset:
      return "Offsets and clamps";
    case FaultClass::kPrecision:
      return "Precision";
    case FaultClass::kRounding:
      return "Quantized rounding and overflow";
    case FaultClass::kAttribute:
      return "Attributes misread";
    case FaultClass::kActivation:
      return "Fused activations";
    case FaultClass::kOperand:
      return "Operands ignored or swapped";
    case FaultClass::kQuantizationParameter:
      return "Quantization parameters";
    case FaultClass::kNumerics:
      return "Numerics";
    case FaultClass::kResult:
      return "Results, shapes and memory";
    case FaultClass::kValidation:
      return "Invalid models and requests";
    case FaultClass::kCaching:
      return "Compilation caches";
    case FaultClass::kInterference:
      return "Calls at the same time";
    case FaultClass::kStatus:
      return "Statuses and promises";
    case FaultClass::kCallback:
      return "Callbacks";
    case FaultClass::kTiming:
      return "Timing";
    case FaultClass::kBurst:
      return "Bursts";
    case FaultClass::kDevice:
      return "What the device says of itself and of models";
    case FaultClass::kProcess:
      return "Crashes, hangs and exceptions";
  }
  return "";
}

absl::Span<uint8_t> FinishedExecution::Output(size_t index) const {
  return BytesOf(request, request.outputs[index]);
}

absl::Span<uint8_t> FinishedExecution::Input(size_t index) const {
  return BytesOf(request, request.inputs[index]);
}

absl::Span<uint8_t> FinishedExecution::PoolOfOutput(size_t index) const {
  return PoolOf(request, request.outputs[index]);
}

std::vector<const Rule*> AllRules() {
  std::vector<const Rule*> rules;
  for (const absl::Span<const Rule> table :
       {AttributeRules(), OperandRules(), ArithmeticRules(), ResultRules(), ValidationRules(),
        BehaviourRules(), BurstRules(), CachingRules(), ConcurrencyRules(), DeviceRules(),
        ExecutionRules()}) {
    for (const Rule& rule : table) rules.push_back(&rule);
  }
  std::sort(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) {
    return std::tie(a->fault_class, a->name) < std::tie(b->fault_class, b->name);
  });
  return rules;
}

const Rule* FindRule(std::string_view name) {
  for (const Rule* rule : AllRules()) {
    if (rule->name == name) return rule;
  }
  return nullptr;
}

absl::Status Misread(OperationCall& call, Compute compute,
                     absl::FunctionRef<bool(OperationCall&)> change) {
  // What is changed is valid, so that changes need not look for what it may not be.
  OperationCall honest = call;
  if (absl::Status status = Evaluate(honest); !status.ok()) return status;
  OperationCall changed = call;
  if (!change(changed)) return compute(call);
  const bool is_computed = compute(changed).ok();
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    ValuedOperand& output = call.outputs[i];
    output = honest.outputs[i];
    if (!is_computed) {
      SetReals(output, std::vector<double>(output.count(), 0));
    } else if (changed.outputs[i].operand.dimensions == output.operand.dimensions) {
      output.bytes = changed.outputs[i].bytes;
    } else {
      Fit(changed.outputs[i], output);
    }
  }
  return absl::OkStatus();
}

absl::Status ComputeByRule(const Rule& rule, OperationCall& call, Compute compute) {
  if (rule.misread != nullptr) return Misread(call, compute, rule.misread);
  if (rule.operation != nullptr) return rule.operation(call, compute);
  if (absl::Status status = compute(call); !status.ok()) return status;
  if (rule.output == nullptr) return absl::OkStatus();
  for (ValuedOperand& output : call.outputs) {
    if (!output.bytes.empty()) rule.output(call, output);
  }
  return absl::OkStatus();
}

void Rearrange(ValuedOperand& value, absl::FunctionRef<size_t(size_t)> source) {
  const size_t size = hal::nonExtensionElementSize(value.operand.type);
  const std::vector<uint8_t> original = value.bytes;
  for (size_t i = 0; i < value.count(); ++i) {
    std::memcpy(&value.bytes[i * size], &original[source(i) * size], size);
  }
}

size_t ProductOfDimensions(const ValuedOperand& value, size_t first, size_t last) {
  size_t product = 1;
  for (size_t i = first; i < last && i < value.operand.dimensions.size(); ++i) {
    product *= value.operand.dimensions[i];
  }
  return product;
}

}  // namespace nncert::faulty
