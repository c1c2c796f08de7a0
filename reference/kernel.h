// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels: what computes an operation's outputs, in every number system, and what a kernel sees of
// an execution.

#ifndef NNCERT_REFERENCE_KERNEL_H_
#define NNCERT_REFERENCE_KERNEL_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "reference/number/arithmetic.h"
#include "reference/operation_context.h"
#include "reference/storage.h"
#include "reference/tensor.h"

namespace nncert {

/// Numbers with their dimensions, dense and row-major.
template <class T>
struct TensorView {
  T* data = nullptr;
  Shape dimensions;
  size_t size = 0;

  T& operator[](size_t index) const { return data[index]; }
  absl::Span<T> elements() const { return absl::MakeSpan(data, size); }
};

/// Elements whose meaning does not matter, only where they go: `element_size` bytes each.
struct ElementsView {
  const std::byte* data = nullptr;
  Shape dimensions;
  size_t element_size = 1;
};

/// Elements to be written.
struct MutableElementsView {
  std::byte* data = nullptr;
  Shape dimensions;
  size_t element_size = 1;
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
  /// Room for the elements of output `index`, which is of `dimensions`.
  virtual absl::StatusOr<std::byte*> OutputElements(int index,
                                                    absl::Span<const uint32_t> dimensions) = 0;
};

/// What every kernel sees: the operation (whose members are reached through operator->) and its
/// buffers.
class KernelContextBase {
 public:
  KernelContextBase(const OperationContext& operation, KernelBuffers& buffers)
      : operation_(operation), buffers_(buffers) {}
  KernelContextBase(const KernelContextBase&) = delete;
  KernelContextBase& operator=(const KernelContextBase&) = delete;

  const OperationContext& operation() const { return operation_; }
  const OperationContext* operator->() const { return &operation_; }

 protected:
  const OperationContext& operation_;
  KernelBuffers& buffers_;
};

/// For kernels that compute: operands as numbers.
template <class A>
class KernelContext : public KernelContextBase {
 public:
  using Number = typename A::Number;
  using KernelContextBase::KernelContextBase;

  /// The real numbers that the input's elements stand for.
  TensorView<const Number> Input(int slot, int i = 0) { return Load(slot, i, LoadAs::kReal); }

  /// The integers of a quantized input (before scale and zero point), or plain elements of another.
  TensorView<const Number> IntegerInput(int slot, int i = 0) {
    return Load(slot, i, LoadAs::kInteger);
  }

  /// Room for output `index`, to be filled with real numbers; they are rounded to the operand's
  /// type when the kernel returns. Its dimensions are those that the shape function gave.
  absl::StatusOr<TensorView<Number>> Output(int index) {
    return Output(index, operation_.Output(index).dimensions);
  }

  /// The same with dimensions that only the kernel knows.
  absl::StatusOr<TensorView<Number>> Output(int index, absl::Span<const uint32_t> dimensions,
                                            LoadAs store_as = LoadAs::kReal) {
    absl::StatusOr<std::byte*> elements = buffers_.OutputElements(index, dimensions);
    if (!elements.ok()) return elements.status();
    const size_t count = NumberOfElements(dimensions);
    const OperandInfo& info = operation_.Output(index);
    const bool is_kept = info.type == OperandType::TENSOR_FLOAT32 &&
                         IsKeptAs<Number>(buffers_.system(), info.type, LoadAs::kReal);
    if (is_kept)
      return TensorView<Number>{reinterpret_cast<Number*>(*elements),
                                Shape(dimensions.begin(), dimensions.end()), count};
    PendingOutput pending;
    pending.info = info;
    pending.info.dimensions.assign(dimensions.begin(), dimensions.end());
    pending.numbers = Scratch(count);
    pending.count = count;
    pending.elements = *elements;
    pending.store_as = store_as;
    outputs_.push_back(pending);
    return TensorView<Number>{pending.numbers, pending.info.dimensions, count};
  }

  /// Room for `count` numbers until the kernel returns; zeros.
  Number* Scratch(size_t count) {
    scratch_.push_back(std::make_unique<Number[]>(count));
    return scratch_.back().get();
  }

  /// Rounds the outputs to their operands' types. Called once, after the kernel.
  void StoreOutputs() {
    for (const PendingOutput& output : outputs_) {
      StoreElements(buffers_.system(), output.info, output.store_as, buffers_.precision(),
                    output.numbers, output.count, output.elements);
    }
  }

 private:
  struct PendingOutput {
    OperandInfo info;
    Number* numbers;
    size_t count;
    std::byte* elements;
    LoadAs store_as;
  };

  TensorView<const Number> Load(int slot, int i, LoadAs load_as) {
    const OperandInfo& info = operation_.Input(slot, i);
    const std::byte* elements = buffers_.InputElements(slot, i);
    const size_t count = NumberOfElements(info.dimensions);
    if (IsKeptAs<Number>(buffers_.system(), info.type, load_as)) {
      return {reinterpret_cast<const Number*>(elements), info.dimensions, count};
    }
    Number* numbers = Scratch(count);
    LoadElements(buffers_.system(), info, load_as, buffers_.precision(), elements, count, numbers);
    return {numbers, info.dimensions, count};
  }

  std::vector<std::unique_ptr<Number[]>> scratch_;
  std::vector<PendingOutput> outputs_;
};

/// For kernels that only move elements about: one kernel for every type and number system.
class MoveContext : public KernelContextBase {
 public:
  using KernelContextBase::KernelContextBase;

  /// The number system that elements are kept for: needed to make one that no input has (see
  /// ImportElements).
  NumberSystem system() const { return buffers_.system(); }

  ElementsView Input(int slot, int i = 0) {
    const OperandInfo& info = operation_.Input(slot, i);
    return {buffers_.InputElements(slot, i), info.dimensions,
            ElementSize(buffers_.system(), info.type)};
  }
  absl::StatusOr<MutableElementsView> Output(int index) {
    const OperandInfo& info = operation_.Output(index);
    absl::StatusOr<std::byte*> elements = buffers_.OutputElements(index, info.dimensions);
    if (!elements.ok()) return elements.status();
    return MutableElementsView{*elements, info.dimensions,
                               ElementSize(buffers_.system(), info.type)};
  }
};

/// How an operation is computed. Exactly one of the two ways is set: the three instances of a
/// computing kernel, or the one instance of a moving kernel.
struct Kernel {
  absl::Status (*with_float)(const FloatArithmetic&, KernelContext<FloatArithmetic>&) = nullptr;
  absl::Status (*with_double)(const DoubleArithmetic&, KernelContext<DoubleArithmetic>&) = nullptr;
  absl::Status (*with_ball)(const BallArithmetic&, KernelContext<BallArithmetic>&) = nullptr;
  absl::Status (*move)(MoveContext&) = nullptr;
};

/// A kernel from a captureless generic lambda: [](const auto& arithmetic, auto& context) ->
/// absl::Status.
template <class F>
Kernel Compute(F) {
  return {
      .with_float =
          [](const FloatArithmetic& arithmetic, KernelContext<FloatArithmetic>& context) {
            return F{}(arithmetic, context);
          },
      .with_double =
          [](const DoubleArithmetic& arithmetic, KernelContext<DoubleArithmetic>& context) {
            return F{}(arithmetic, context);
          },
      .with_ball = [](const BallArithmetic& arithmetic,
                      KernelContext<BallArithmetic>& context) { return F{}(arithmetic, context); },
      .move = nullptr,
  };
}

/// A kernel that moves elements: [](MoveContext& context) -> absl::Status.
inline Kernel Move(absl::Status (*function)(MoveContext&)) { return {.move = function}; }

/// Runs the kernel of `operation` in the number system of `buffers`.
///
/// In kFloat, operations on quantized and INT32 elements compute in double precision: their
/// integers and the products of them are exact there, as they are in an implementation that
/// computes with integers.
absl::Status RunKernel(const OperationContext& operation, KernelBuffers& buffers);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_KERNEL_H_
