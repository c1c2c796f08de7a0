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

// By `fast` where that is there and takes the operands, else by `defined`.
template <class A, class Fast, class Defined>
absl::Status RunEither(const A& arithmetic, Fast fast, Defined defined,
                       const OperationContext& operation, KernelBuffers& buffers) {
  if (fast != nullptr) {
    absl::Status status = RunWith<FastContext<A>>(arithmetic, fast, operation, buffers);
    if (!IsDeclined(status)) return status;
  }
  return RunWith<KernelContext<A>>(arithmetic, defined, operation, buffers);
}

bool NeedsDouble(const OperandInfo& info) {
  return IsQuantized(info.type) || StoredAs(info.type) == OperandType::TENSOR_INT32;
}

}  // namespace

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

absl::Status RunKernel(const OperationContext& operation, KernelBuffers& buffers,
                       const FastKernel* fast, bool needs_double) {
  const Kernel& kernel = operation.definition().kernel;
  if (kernel.move != nullptr) {
    MoveContext context(operation, buffers);
    return kernel.move(context);
  }
  const FastKernel choice = fast == nullptr ? FastKernel() : *fast;
  const FastFunctions* const functions = buffers.fast_functions();
  switch (buffers.system()) {
    case NumberSystem::kFloat:
      if (!needs_double) {
        return RunEither(FloatArithmetic(functions), choice.with_float, kernel.with_float,
                         operation, buffers);
      }
      if (choice.with_integers != nullptr) {
        IntegerContext context(operation, buffers);
        absl::Status status = choice.with_integers(context);
        if (!IsDeclined(status)) return status;
      }
      [[fallthrough]];
    case NumberSystem::kDouble:
      return RunEither(DoubleArithmetic(functions), choice.with_double, kernel.with_double,
                       operation, buffers);
    case NumberSystem::kBall:
      return RunEither(BallArithmetic(buffers.precision(), functions), choice.with_ball,
                       kernel.with_ball, operation, buffers);
  }
  return absl::InternalError("RunKernel: no such number system");
}

}  // namespace nncert
