// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/run_kernel.h"

#include "reference/fast_kernel.h"
#include "reference/kernel.h"
#include "reference/operation_definition.h"

namespace nncert {
namespace {

template <class Context, class A, class F>
absl::Status RunWith(const A& arithmetic, F function, const OperationContext& operation,
                     KernelBuffers& buffers) {
  Context context(operation, buffers);
  absl::Status status = function(arithmetic, context);
  if (status.ok()) context.StoreOutputs();
  return status;
}

// A fast kernel, if it is there.
template <class A, class F>
absl::Status RunFast(const A& arithmetic, F function, const OperationContext& operation,
                     KernelBuffers& buffers) {
  if (function == nullptr) return Declined();
  return RunWith<FastContext<A>>(arithmetic, function, operation, buffers);
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

absl::Status RunFastKernel(const FastKernel& kernel, const OperationContext& operation,
                           KernelBuffers& buffers) {
  const FastFunctions* const functions = buffers.fast_functions();
  switch (buffers.system()) {
    case NumberSystem::kFloat:
      if (!NeedsDouble(operation)) {
        return RunFast(FloatArithmetic(functions), kernel.with_float, operation, buffers);
      }
      if (kernel.with_integers != nullptr) {
        IntegerContext context(operation, buffers);
        absl::Status status = kernel.with_integers(context);
        if (!IsDeclined(status)) return status;
      }
      return RunFast(DoubleArithmetic(functions), kernel.with_double, operation, buffers);
    case NumberSystem::kDouble:
      return RunFast(DoubleArithmetic(functions), kernel.with_double, operation, buffers);
    case NumberSystem::kBall:
      return RunFast(BallArithmetic(buffers.precision(), functions), kernel.with_ball, operation,
                     buffers);
  }
  return Declined();
}

}  // namespace

absl::Status RunKernel(const OperationContext& operation, KernelBuffers& buffers,
                       const FastKernel* fast) {
  if (fast != nullptr) {
    absl::Status status = RunFastKernel(*fast, operation, buffers);
    if (!IsDeclined(status)) return status;
  }
  const Kernel& kernel = operation.definition().kernel;
  if (kernel.move != nullptr) {
    MoveContext context(operation, buffers);
    return kernel.move(context);
  }
  const FastFunctions* const functions = buffers.fast_functions();
  switch (buffers.system()) {
    case NumberSystem::kFloat:
      if (NeedsDouble(operation)) {
        return RunWith<KernelContext<DoubleArithmetic>>(DoubleArithmetic(functions),
                                                        kernel.with_double, operation, buffers);
      }
      return RunWith<KernelContext<FloatArithmetic>>(FloatArithmetic(functions), kernel.with_float,
                                                     operation, buffers);
    case NumberSystem::kDouble:
      return RunWith<KernelContext<DoubleArithmetic>>(DoubleArithmetic(functions),
                                                      kernel.with_double, operation, buffers);
    case NumberSystem::kBall:
      return RunWith<KernelContext<BallArithmetic>>(BallArithmetic(buffers.precision(), functions),
                                                    kernel.with_ball, operation, buffers);
  }
  return absl::InternalError("RunKernel: no such number system");
}

}  // namespace nncert
