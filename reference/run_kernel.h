// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the kernel of an operation, or a fast one.

#ifndef NNCERT_REFERENCE_RUN_KERNEL_H_
#define NNCERT_REFERENCE_RUN_KERNEL_H_

#include "absl/status/status.h"
#include "hal/v1_2/types.h"
#include "reference/kernel_buffers.h"
#include "reference/operation_context.h"

namespace nncert {

struct FastKernel;

/// Whether some element that the kernel of an operation computes with, or writes, is quantized or
/// an INT32. In kFloat, the kernel of the definition computes in double precision then: integers
/// and the products of them are exact there, as they are in an implementation that computes with
/// integers.
bool NeedsDouble(const OperationContext& operation);

/// Runs the kernel of `operation` in the number system of `buffers`: `fast` where that is not null
/// and takes the operands, else the kernel of the definition. `needs_double` is NeedsDouble of the
/// operation, which is the same in all executions that leave out the same operands.
absl::Status RunKernel(const OperationContext& operation, KernelBuffers& buffers,
                       const FastKernel* fast, bool needs_double);

/// The fast kernel of an operation of the HAL, and the fast functions, that are linked in (see
/// reference/fast_kernel.h); null when there are none.
const FastKernel* FindFastKernel(hal::V1_2::OperationType type);
const FastFunctions* FindFastFunctions();

}  // namespace nncert

#endif  // NNCERT_REFERENCE_RUN_KERNEL_H_
