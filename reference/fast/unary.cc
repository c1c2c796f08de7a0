// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Functions of each element by the hot kernels.

#include "absl/status/status.h"
#include "reference/fast/hot/levels.h"
#include "reference/fast_kernel.h"

namespace nncert {
namespace {

// Elements that make a piece of work for a thread.
constexpr size_t kElementsAtATime = size_t{1} << 16;

// Sets output 0 to a function of each element of input 0, which is a member of the hot kernels.
template <auto kFunction>
absl::Status Map(const FloatArithmetic& /*arithmetic*/, FastContext<FloatArithmetic>& context) {
  const auto function = hot::BestKernels().*kFunction;
  const auto input = context.Input(0);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  context.ParallelFor(input.size, kElementsAtATime, [&](size_t begin, size_t end) {
    function(end - begin, input.data + begin, output->data + begin);
  });
  return absl::OkStatus();
}

}  // namespace

NNCERT_FAST_KERNEL(EXP, {.with_float = Map<&hot::Kernels::exp>});
NNCERT_FAST_KERNEL(LOGISTIC, {.with_float = Map<&hot::Kernels::logistic>});
NNCERT_FAST_KERNEL(TANH, {.with_float = Map<&hot::Kernels::tanh>});

}  // namespace nncert
