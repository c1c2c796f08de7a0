// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Kernels for speed. A definition (reference/ops) is what an operation means, and its kernel says
// so as plainly as it can. A fast kernel (reference/fast) computes the same sooner: it takes the
// operands that it is made for, and declines the others, which the definition then computes. No
// definition knows whether there is one.

#ifndef NNCERT_REFERENCE_FAST_KERNEL_H_
#define NNCERT_REFERENCE_FAST_KERNEL_H_

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "reference/kernel.h"
#include "reference/prepared_constants.h"

namespace nncert {

/// What a fast kernel sees beyond the context of a kernel, which is Base.
template <class Base>
class FastKernelContext : public Base {
 public:
  using Base::Base;

  /// Whether every operand of the slots is the same in every execution of the prepared model: a
  /// constant, or not there.
  bool AreConstant(std::initializer_list<int> slots) const {
    for (const int slot : slots) {
      for (int i = 0; i < this->operation_.Count(slot); ++i) {
        if (!this->buffers_.IsConstant(slot, i)) return false;
      }
    }
    return true;
  }

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
      const T& kept = this->buffers_.constants().template Get<T>(make);
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
    if (is_for_good_) this->buffers_.LetGo(slot, first, last);
  }

  /// Does `count` pieces of independent work: calls work(begin, end) for [0, grain), [grain, 2 *
  /// grain), ..., the last of them ending at `count`, by one thread after the other or by several
  /// at once, in any order; returns when all are done. The ranges do not depend on the number of
  /// threads, so neither does the result. `work` must not use this context (scratch is to be asked
  /// for before), nor call ParallelFor. A range worth a thread takes some 20 microseconds or more.
  void ParallelFor(size_t count, size_t grain,
                   absl::FunctionRef<void(size_t begin, size_t end)> work) {
    this->buffers_.ParallelFor(count, grain, work);
  }

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
  /// Of elements that are converted as they are read, for `system`, kDouble or kBall, by `fast` if
  /// it is not null; `info` and `fast` must outlive this, and `info` have one scale at most.
  NumberReader(NumberSystem system, const OperandInfo& info, const Precision& precision,
               const NativeElements& native, const FastFunctions* fast)
      : system_(system), info_(&info), precision_(precision), native_(native), fast_(fast) {}

  /// Whether numbers are converted as they are read.
  bool IsConverted() const { return numbers_ == nullptr; }
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
  const FastFunctions* fast_ = nullptr;
};

/// For fast kernels that compute on numbers.
template <class A>
class FastContext : public FastKernelContext<KernelContext<A>> {
 public:
  using Number = typename A::Number;
  using FastKernelContext<KernelContext<A>>::FastKernelContext;
  using KernelContext<A>::Floats;

  /// The same real numbers, to be read some at a time.
  NumberReader<Number> Reader(int slot, int i = 0) {
    const OperandInfo& info = this->operation_.Input(slot, i);
    const NativeElements native = this->buffers_.Native(slot, i);
    if (native.data == nullptr || !info.channelScales.empty()) {
      return NumberReader<Number>(this->Input(slot, i).data);
    }
    return NumberReader<Number>(this->buffers_.system(), info, this->buffers_.precision(), native,
                                this->buffers_.fast_functions());
  }
};

/// For kernels that compute with quantized elements as they are stored: integers, in kFloat.
class IntegerContext : public FastKernelContext<KernelContextBase> {
 public:
  using FastKernelContext::FastKernelContext;

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

/// How an operation is computed fast, by number system; null where it is not. Each may return
/// Declined(); whatever it has written to outputs by then is forgotten. Operations whose kernels
/// only move elements have none.
struct FastKernel {
  /// For operations whose elements are all floating point or boolean.
  absl::Status (*with_float)(const FloatArithmetic&, FastContext<FloatArithmetic>&) = nullptr;
  /// In kDouble, and in kFloat for operations that read or write quantized or INT32 elements.
  absl::Status (*with_double)(const DoubleArithmetic&, FastContext<DoubleArithmetic>&) = nullptr;
  absl::Status (*with_ball)(const BallArithmetic&, FastContext<BallArithmetic>&) = nullptr;
  /// Asked before with_double in kFloat for operations that read or write quantized or INT32
  /// elements. Its results must be in the enclosure that the definition gives.
  absl::Status (*with_integers)(IntegerContext&) = nullptr;
};

/// What a fast kernel returns for operands that it does not compute.
absl::Status Declined();

/// Whether `status` is Declined().
bool IsDeclined(const absl::Status& status);

/// The operations that have fast kernels, in no particular order.
std::vector<hal::V1_2::OperationType> OperationsWithFastKernels();

/// Registers a fast kernel before main; see NNCERT_FAST_KERNEL.
class FastKernelRegistration {
 public:
  FastKernelRegistration(hal::V1_2::OperationType its_type, const FastKernel& its_kernel);

  const hal::V1_2::OperationType type;
  const FastKernel kernel;
  const FastKernelRegistration* const next;
};

/// Registers the fast functions before main: what `make` gives, which is called once, when they are
/// first asked for.
class FastFunctionsRegistration {
 public:
  explicit FastFunctionsRegistration(const FastFunctions* (*make)());
};

/// Registers a fast kernel: NNCERT_FAST_KERNEL(SOFTMAX, {.with_float = Normalize});
#define NNCERT_FAST_KERNEL(NAME, ...)                                                          \
  static const FastKernelRegistration fast_kernel_of_##NAME = {hal::V1_2::OperationType::NAME, \
                                                               FastKernel __VA_ARGS__}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_KERNEL_H_
