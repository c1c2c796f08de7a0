// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The executor's side of a kernel's run.

#ifndef NNCERT_REFERENCE_KERNEL_BUFFERS_H_
#define NNCERT_REFERENCE_KERNEL_BUFFERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reference/number/precision.h"
#include "reference/possible_rows.h"
#include "reference/prepared_constants.h"
#include "reference/tensor.h"

namespace nncert {

struct FastFunctions;

/// Elements as the HAL lays them out, aligned to what they are.
struct NativeElements {
  const std::byte* data = nullptr;  ///< null where they are not there
  /// What implementations hold them at (see HoldElements).
  Precision held_at = kFloat32Precision;
};

/// The executor's side of a kernel's run: where the elements of the operands are.
class KernelBuffers {
 public:
  virtual ~KernelBuffers() = default;
  virtual NumberSystem system() const = 0;
  /// What an implementation of this operation may lose.
  virtual const Precision& precision() const = 0;
  /// The elements of operand `i` of input `slot`, kept for system().
  virtual const std::byte* InputElements(int slot, int i) = 0;
  /// The elements of operand `i` of input `slot` before anybody has converted them for system(): of
  /// a model input or a constant, in kDouble or kBall. A kernel that reads these spares the
  /// conversion, and the memory for it.
  virtual NativeElements Native(int /*slot*/, int /*i*/) { return {}; }
  /// Room for the elements of output `index`, which is of `dimensions`.
  virtual absl::StatusOr<std::byte*> OutputElements(int index,
                                                    absl::Span<const uint32_t> dimensions) = 0;
  /// Room for `bytes` bytes until the kernel returns, aligned for any vector (64 bytes); what they
  /// hold is arbitrary.
  virtual std::byte* Scratch(size_t bytes) = 0;
  /// Takes what is known of the rows of a result whose selection is open; see
  /// KernelContext::LeaveRowsOpen.
  virtual void SetPossibleRows(const std::shared_ptr<const PossibleRows>& /*rows*/) {}
  // What is below is for fast kernels alone.

  /// Whether operand `i` of input `slot` is the same in every execution: a constant of the model,
  /// or left out by it.
  virtual bool IsConstant(int slot, int i) const = 0;
  /// What is kept with the prepared model for this operation.
  virtual PreparedConstants& constants() = 0;
  /// What arithmetics and conversions may use in place of obvious loops; null for nothing.
  virtual const FastFunctions* fast_functions() const { return nullptr; }
  /// See FastKernelContext::LetGo.
  virtual void LetGo(int slot, size_t first, size_t last) = 0;
  /// See FastKernelContext::ParallelFor.
  virtual void ParallelFor(size_t count, size_t grain,
                           absl::FunctionRef<void(size_t begin, size_t end)> work) = 0;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_KERNEL_BUFFERS_H_
