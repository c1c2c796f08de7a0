// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels: what computes an operation's outputs, in every number system, and what a kernel sees of
// an execution.

#ifndef NNCERT_REFERENCE_KERNEL_H_
#define NNCERT_REFERENCE_KERNEL_H_

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "reference/number/arithmetic.h"
#include "reference/operation_context.h"
#include "reference/prepared_constants.h"
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
  /// Whether operand `i` of input `slot` is the same in every execution: a constant of the model,
  /// or left out by it.
  virtual bool IsConstant(int slot, int i) const = 0;
  /// What is kept with the prepared model for this operation.
  virtual PreparedConstants& constants() = 0;
  /// See KernelContextBase::LetGo.
  virtual void LetGo(int slot, size_t first, size_t last) = 0;
  /// See KernelContextBase::ParallelFor.
  virtual void ParallelFor(size_t count, size_t grain,
                           absl::FunctionRef<void(size_t begin, size_t end)> work) = 0;
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

  /// Whether every operand of the slots is the same in every execution of the prepared model: a
  /// constant, or not there.
  bool AreConstant(std::initializer_list<int> slots) const;

  /// What `make` (a function without arguments that returns a T) makes of the operands of `slots`:
  /// weights in the order that the kernel reads them in, for example. When these AreConstant, it is
  /// made at most once for an operation of a prepared model, however many executions and threads
  /// there are, and kept as long as the prepared model; otherwise it is made now and kept until the
  /// kernel returns. It must depend on nothing else that may change between executions.
  ///
  /// An operation keeps one object of each type, so the instances of a kernel in different number
  /// systems use different types. What is kept takes memory: a copy of large weights is worth it
  /// only when making it is a noticeable part of an execution.
  template <class T, class Make>
  const T& FromConstants(std::initializer_list<int> slots, Make make) {
    static_assert(std::is_same_v<std::invoke_result_t<Make>, T>);
    if (AreConstant(slots)) {
      is_for_good_ = true;
      const T& kept = buffers_.constants().template Get<T>(make);
      is_for_good_ = false;
      return kept;
    }
    auto object = std::make_shared<const T>(make());
    const T& result = *object;
    temporaries_.push_back(std::move(object));
    return result;
  }

  /// Says that elements [first, last) of the operand of `slot` will not be read any more, neither
  /// in this nor in another execution of this operation of the prepared model, whatever the
  /// dimensions of its other operands then are: what there is to know of them is in the object that
  /// FromConstants is making. Where nothing else needs them either, their memory is given back; so
  /// an object that is made, and let go of, some rows at a time, takes the place of large weights
  /// rather than memory of its own. Only for use by a `make` of FromConstants, of whose slots
  /// `slot` is one; nothing is let go of for an object that is not kept.
  void LetGo(int slot, size_t first, size_t last) {
    if (is_for_good_) buffers_.LetGo(slot, first, last);
  }

  /// Does `count` pieces of independent work: calls work(begin, end) for [0, grain), [grain, 2 *
  /// grain), ..., the last of them ending at `count`, by one thread after the other or by several
  /// at once, in any order; returns when all are done. The ranges do not depend on the number of
  /// threads, so neither does the result. `work` must not use this context (scratch is to be asked
  /// for before), nor call ParallelFor. A range worth a thread takes some 20 microseconds or more.
  void ParallelFor(size_t count, size_t grain,
                   absl::FunctionRef<void(size_t begin, size_t end)> work) {
    buffers_.ParallelFor(count, grain, work);
  }

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

 private:
  std::vector<std::shared_ptr<const void>> temporaries_;
  bool is_for_good_ = false;  // whether FromConstants is making something that is kept
};

/// Reads the numbers of an input, some at a time. Those of a model input or a constant may then be
/// converted while they are in a cache, rather than beforehand, all of them, in memory. Any number
/// of threads may read at once.
template <class Number>
class NumberReader {
 public:
  /// Of numbers that are all there.
  explicit NumberReader(const Number* numbers) : numbers_(numbers) {}
  /// Of elements that are converted as they are read, for `system`, kDouble or kBall; `info` must
  /// outlive this, and have one scale at most.
  NumberReader(NumberSystem system, const OperandInfo& info, const Precision& precision,
               const NativeElements& native)
      : system_(system), info_(&info), precision_(precision), native_(native) {}

  /// Numbers [first, first + count), which may be in `room`, a place for as many.
  const Number* Read(size_t first, size_t count, Number* room) const {
    if (numbers_ != nullptr) return numbers_ + first;
    Convert(first, count, room);
    return room;
  }

 private:
  void Convert(size_t first, size_t count, Number* room) const;

  const Number* numbers_ = nullptr;
  NumberSystem system_ = NumberSystem::kDouble;
  const OperandInfo* info_ = nullptr;
  Precision precision_ = kFloat32Precision;
  NativeElements native_;
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

  /// The same real numbers, to be read some at a time.
  NumberReader<Number> Reader(int slot, int i = 0) {
    const OperandInfo& info = operation_.Input(slot, i);
    const NativeElements native = buffers_.Native(slot, i);
    if (native.data == nullptr || !info.channelScales.empty()) {
      return NumberReader<Number>(Input(slot, i).data);
    }
    return NumberReader<Number>(buffers_.system(), info, buffers_.precision(), native);
  }

  /// The numbers of an input of kDouble or kBall as floats, where a TENSOR_FLOAT32 operand is still
  /// known as that, and implementations hold normal floats exactly. Null otherwise.
  const float* Floats(int slot, int i = 0) {
    if (operation_.Input(slot, i).type != OperandType::TENSOR_FLOAT32) return nullptr;
    const NativeElements native = buffers_.Native(slot, i);
    const bool are_held = buffers_.system() != NumberSystem::kBall ||
                          native.held_at.unit_roundoff == kFloat32Precision.unit_roundoff;
    return are_held ? reinterpret_cast<const float*>(native.data) : nullptr;
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
    Number* numbers = UninitializedScratch(count);
    LoadElements(buffers_.system(), info, load_as, buffers_.precision(), elements, count, numbers);
    return {numbers, info.dimensions, count};
  }

  absl::InlinedVector<PendingOutput, 2> outputs_;
};

/// For kernels that compute with quantized elements as they are stored: integers, in kFloat.
class IntegerContext : public KernelContextBase {
 public:
  using KernelContextBase::KernelContextBase;

  /// The elements of an input as the HAL lays them out. Element is the type of the operand's
  /// elements (uint8_t, int8_t, int32_t, ..., or one of the same size); a wrong one is a mistake of
  /// the kernel. What they mean is in operation().Input(slot): scale, zeroPoint, channelScales.
  template <class Element>
  TensorView<const Element> Input(int slot, int i = 0) {
    const OperandInfo& info = operation_.Input(slot, i);
    assert(sizeof(Element) == ElementSize(NumberSystem::kFloat, info.type));
    return {reinterpret_cast<const Element*>(buffers_.InputElements(slot, i)), info.dimensions,
            NumberOfElements(info.dimensions)};
  }

  /// Room for the elements of output `index`, in the HAL's layout; all of them are to be written.
  template <class Element>
  absl::StatusOr<TensorView<Element>> Output(int index) {
    const OperandInfo& info = operation_.Output(index);
    assert(sizeof(Element) == ElementSize(NumberSystem::kFloat, info.type));
    absl::StatusOr<std::byte*> elements = buffers_.OutputElements(index, info.dimensions);
    if (!elements.ok()) return elements.status();
    return TensorView<Element>{reinterpret_cast<Element*>(*elements), info.dimensions,
                               NumberOfElements(info.dimensions)};
  }

  /// Room for `count` objects until the kernel returns; what they hold is arbitrary.
  template <class T>
  T* UninitializedScratch(size_t count) {
    return Uninitialized<T>(count);
  }
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
/// computing kernel, or the one instance of a moving kernel. A computing kernel may have one more
/// instance, with_integers, for speed: it takes the place of with_double in kFloat.
struct Kernel {
  absl::Status (*with_float)(const FloatArithmetic&, KernelContext<FloatArithmetic>&) = nullptr;
  absl::Status (*with_double)(const DoubleArithmetic&, KernelContext<DoubleArithmetic>&) = nullptr;
  absl::Status (*with_ball)(const BallArithmetic&, KernelContext<BallArithmetic>&) = nullptr;
  absl::Status (*move)(MoveContext&) = nullptr;
  /// Called in kFloat for operations that read or write quantized or INT32 data. Its results must
  /// be in the enclosure that with_ball gives. It may return Declined() before it has written
  /// anything; the operation is then computed with_double.
  absl::Status (*with_integers)(IntegerContext&) = nullptr;
};

/// What an integer kernel returns for operands that it does not compute.
absl::Status Declined();

/// Whether `status` is Declined().
bool IsDeclined(const absl::Status& status);

/// A kernel from a captureless generic lambda: [](const auto& arithmetic, auto& context) ->
/// absl::Status; and, for speed, an integer kernel (see Kernel::with_integers).
template <class F>
Kernel Compute(F, absl::Status (*with_integers)(IntegerContext&) = nullptr) {
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
      .with_integers = with_integers,
  };
}

/// A kernel that moves elements: [](MoveContext& context) -> absl::Status.
inline Kernel Move(absl::Status (*function)(MoveContext&)) { return {.move = function}; }

/// Runs the kernel of `operation` in the number system of `buffers`.
///
/// In kFloat, operations on quantized and INT32 elements compute in double precision: their
/// integers and the products of them are exact there, as they are in an implementation that
/// computes with integers. A kernel's with_integers is asked first.
absl::Status RunKernel(const OperationContext& operation, KernelBuffers& buffers);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_KERNEL_H_
