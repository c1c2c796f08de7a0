// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/kernel.h"

namespace nncert {
namespace {

// Elements of `from` as elements of `to`, in place. `room` takes `count` numbers.
template <class Number>
void Convert(KernelBuffers& buffers, const OperandInfo& from, const OperandInfo& to, size_t count,
             Number* room, std::byte* elements) {
  LoadElements(buffers.system(), from, LoadAs::kReal, buffers.precision(), elements, count, room);
  StoreElements(buffers.system(), to, LoadAs::kReal, buffers.precision(), room, count, elements);
}

}  // namespace

void MoveContext::Requantize(int slot, int index, std::byte* elements) {
  const OperandInfo& to = operation_.Output(index);
  OperandInfo from = operation_.Input(slot);
  if (from.scale == to.scale && from.zeroPoint == to.zeroPoint) return;
  from.dimensions = to.dimensions;
  const size_t count = NumberOfElements(to.dimensions);
  if (system() != NumberSystem::kBall) {
    return Convert(buffers_, from, to, count, Uninitialized<double>(count), elements);
  }
  Ball* const balls = reinterpret_cast<Ball*>(elements);
  Ball* const moved = Uninitialized<Ball>(count);
  std::copy_n(balls, count, moved);
  Convert(buffers_, from, to, count, Uninitialized<Ball>(count), elements);
  for (size_t i = 0; i < count; ++i) balls[i] = Hull(balls[i], moved[i]);
}

}  // namespace nncert
