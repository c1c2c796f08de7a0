// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels: what computes an operation's outputs, in every number system, and what a kernel sees of
// an execution.

#ifndef NNCERT_REFERENCE_KERNEL_H_
#define NNCERT_REFERENCE_KERNEL_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "reference/kernel_buffers.h"
#include "reference/kernel_functions.h"
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
  /// Room for `count` objects of a type without constructors until the kernel returns; what they
  /// hold is arbitrary.
  template <class T>
  T* Uninitialized(size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    return reinterpret_cast<T*>(buffers_.Scratch(count * sizeof(T)));
  }

  const OperationContext& operation_;
  KernelBuffers& buffers_;
};

/// What rows have of one output: `size` elements each, which are real numbers or, with
/// LoadAs::kInteger, the integers of a quantized output.
template <class Number>
struct RowNumbers {
  // NOLINTNEXTLINE(google-explicit-constructor): a list of these is a list of outputs
  RowNumbers(int its_output, size_t its_size = 1, LoadAs stored_as = LoadAs::kReal)
      : output(its_output), size(its_size), store_as(stored_as) {}

  int output;
  size_t size;
  LoadAs store_as;
  /// The elements of all rows.
  std::vector<Number> numbers;
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

  /// The elements of an input as the matrix of weights that they are.
  Matrix<Number> Weights(int slot, int i = 0) {
    Matrix<Number> weights;
    if (buffers_.fast_functions() != nullptr) weights.floats = Floats(slot, i);
    if (weights.floats == nullptr) weights.numbers = Input(slot, i).data;
    return weights;
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
    pending.numbers = UninitializedScratch(count);
    pending.count = count;
    pending.elements = *elements;
    pending.store_as = store_as;
    outputs_.push_back(pending);
    return TensorView<Number>{pending.numbers, pending.info.dimensions, count};
  }

  /// In an enclosure, says which rows the outputs may have when that is open, in place of filling
  /// them: `rows` without elements, and these by `columns`. Gives the UndecidedError that the
  /// kernel is to end with.
  absl::Status LeaveRowsOpen(PossibleRows rows, absl::Span<const RowNumbers<Number>> columns,
                             std::string_view reason) {
    if constexpr (std::is_same_v<Number, Ball>) {
      rows.elements.resize(static_cast<size_t>(operation_.OutputCount()));
      for (const RowNumbers<Number>& column : columns) {
        std::vector<Ball>& elements = rows.elements[static_cast<size_t>(column.output)];
        elements.resize(column.numbers.size());
        StoreElements(buffers_.system(), operation_.Output(column.output), column.store_as,
                      buffers_.precision(), column.numbers.data(), elements.size(),
                      reinterpret_cast<std::byte*>(elements.data()), buffers_.fast_functions());
      }
      buffers_.SetPossibleRows(std::make_shared<const PossibleRows>(std::move(rows)));
    }
    return UndecidedError(reason);
  }

  /// Room for `count` numbers until the kernel returns; zeros.
  Number* Scratch(size_t count) {
    Number* numbers = UninitializedScratch(count);
    std::fill_n(numbers, count, Number());
    return numbers;
  }

  /// Room for `count` numbers until the kernel returns; what they are is arbitrary. For what the
  /// kernel fills anyway.
  Number* UninitializedScratch(size_t count) { return Uninitialized<Number>(count); }

  /// Rounds the outputs to their operands' types. Called once, after the kernel.
  void StoreOutputs() {
    for (const PendingOutput& output : outputs_) {
      StoreElements(buffers_.system(), output.info, output.store_as, buffers_.precision(),
                    output.numbers, output.count, output.elements, buffers_.fast_functions());
    }
  }

 protected:
  /// The numbers of an input of kDouble or kBall as floats, where a TENSOR_FLOAT32 operand is still
  /// known as that, and implementations hold normal floats exactly. Null otherwise.
  const float* Floats(int slot, int i = 0) {
    if (operation_.Input(slot, i).type != OperandType::TENSOR_FLOAT32) return nullptr;
    const NativeElements native = buffers_.Native(slot, i);
    const bool are_held = buffers_.system() != NumberSystem::kBall ||
                          native.held_at.unit_roundoff == kFloat32Precision.unit_roundoff;
    return are_held ? reinterpret_cast<const float*>(native.data) : nullptr;
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
    Number* numbers = UninitializedScratch(count);
    LoadElements(buffers_.system(), info, load_as, buffers_.precision(), elements, count, numbers,
                 buffers_.fast_functions());
    return {numbers, info.dimensions, count};
  }

  absl::InlinedVector<PendingOutput, 2> outputs_;
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

  /// Makes output `index`, whose `elements` have been moved from input `slot`, stand for the same
  /// real numbers where its scale or zero point is another. The documentation does not say that
  /// elements are requantized, and Android's runtime leaves them as they are: the enclosure has
  /// both.
  void Requantize(int slot, int index, std::byte* elements);
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

}  // namespace nncert

#endif  // NNCERT_REFERENCE_KERNEL_H_
