// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/kernel.h"

#include "reference/operation_definition.h"

namespace nncert {
namespace {

template <class A, class F>
absl::Status RunWith(const A& arithmetic, F function, const OperationContext& operation,
                     KernelBuffers& buffers) {
  KernelContext<A> context(operation, buffers);
  absl::Status status = function(arithmetic, context);
  if (status.ok()) context.StoreOutputs();
  return status;
}

bool NeedsDouble(const OperandInfo& info) {
  return IsQuantized(info.type) || StoredAs(info.type) == OperandType::TENSOR_INT32;
}

// Whether some element that the kernel computes with, or writes, is quantized or an INT32.
bool NeedsDouble(const OperationContext& operation) {
  const std::vector<OperandRule>& rules = operation.definition().signature.inputs;
  for (size_t slot = 0; slot < rules.size(); ++slot) {
    if (rules[slot].is_parameter() || !operation.Has(static_cast<int>(slot))) continue;
    if (NeedsDouble(operation.Input(static_cast<int>(slot)))) return true;
  }
  for (int i = 0; i < operation.OutputCount(); ++i) {
    if (NeedsDouble(operation.Output(i))) return true;
  }
  return false;
}

}  // namespace

bool KernelContextBase::AreConstant(std::initializer_list<int> slots) const {
  for (const int slot : slots) {
    for (int i = 0; i < operation_.Count(slot); ++i) {
      if (!buffers_.IsConstant(slot, i)) return false;
    }
  }
  return true;
}

template <class Number>
void NumberReader<Number>::Convert(size_t first, size_t count, Number* room) const {
  assert(system_ != NumberSystem::kFloat);
  const std::byte* native = native_.data + first * ElementSize(NumberSystem::kFloat, info_->type);
  auto* elements = reinterpret_cast<std::byte*>(room);
  if (system_ == NumberSystem::kBall) {
    ImportHeldElements(info_->type, native_.held_at, native, count, elements);
  } else {
    ImportElements(system_, info_->type, native, count, elements);
  }
  if (IsQuantized(info_->type)) {
    LoadElements(system_, *info_, LoadAs::kReal, precision_, elements, count, room);
  }
}

template class NumberReader<float>;
template class NumberReader<double>;
template class NumberReader<Ball>;

absl::Status Declined() { return absl::UnimplementedError(""); }

bool IsDeclined(const absl::Status& status) { return absl::IsUnimplemented(status); }

absl::Status RunKernel(const OperationContext& operation, KernelBuffers& buffers) {
  const Kernel& kernel = operation.definition().kernel;
  if (kernel.move != nullptr) {
    MoveContext context(operation, buffers);
    return kernel.move(context);
  }
  switch (buffers.system()) {
    case NumberSystem::kFloat:
      if (NeedsDouble(operation)) {
        if (kernel.with_integers != nullptr) {
          IntegerContext context(operation, buffers);
          absl::Status status = kernel.with_integers(context);
          if (!IsDeclined(status)) return status;
        }
        return RunWith(DoubleArithmetic(), kernel.with_double, operation, buffers);
      }
      return RunWith(FloatArithmetic(), kernel.with_float, operation, buffers);
    case NumberSystem::kDouble:
      return RunWith(DoubleArithmetic(), kernel.with_double, operation, buffers);
    case NumberSystem::kBall:
      return RunWith(BallArithmetic(buffers.precision()), kernel.with_ball, operation, buffers);
  }
  return absl::InternalError("RunKernel: no such number system");
}

}  // namespace nncert
