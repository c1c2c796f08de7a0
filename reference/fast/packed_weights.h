// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Weights in the order that the hot kernels read them in, and what else these kernels are given.

#ifndef NNCERT_REFERENCE_FAST_PACKED_WEIGHTS_H_
#define NNCERT_REFERENCE_FAST_PACKED_WEIGHTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "absl/functional/function_ref.h"
#include "reference/execution/memory.h"
#include "reference/fast/hot/levels.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {

/// The hot kernels for T, float or double.
template <class T>
const hot::RealKernels<T>& HotKernels() {
  if constexpr (sizeof(T) == sizeof(float)) {
    return hot::BestKernels().floats;
  } else {
    return hot::BestKernels().doubles;
  }
}

/// Is told of rows of weights, first to last - 1, that are not needed any more once they are
/// packed.
using RowsAreDone = absl::FunctionRef<void(size_t first, size_t last)>;

/// Calls pack(first, last) and then done(first, last) for some of `units` rows of weights at a
/// time, a multiple of `panel` and not much memory.
inline void PackSomeAtATime(size_t units, size_t panel, size_t bytes_in_row,
                            absl::FunctionRef<void(size_t first, size_t last)> pack,
                            RowsAreDone done) {
  constexpr size_t kBytes = size_t{1} << 15;
  const size_t panels = std::max<size_t>(1, kBytes / std::max<size_t>(1, panel * bytes_in_row));
  for (size_t first = 0; first < units; first += panels * panel) {
    const size_t last = std::min(units, first + panels * panel);
    pack(first, last);
    done(first, last);
  }
}

/// Memory for what is packed; ends the program when there is not enough.
inline Buffer RoomForPacked(size_t bytes) {
  Buffer room;
  if (!room.Reserve(bytes)) throw std::bad_alloc();
  return room;
}

/// The weights of a matrix of `units` rows of `depth` numbers, packed.
template <class T>
struct PackedReals {
  PackedReals(
      size_t units, size_t depth, const T* weights, RowsAreDone done = [](size_t, size_t) {})
      : room(RoomForPacked((units + HotKernels<T>().panel - 1) / HotKernels<T>().panel *
                           HotKernels<T>().panel * depth * sizeof(T))) {
    const auto pack = [&](size_t first, size_t last) {
      HotKernels<T>().pack(last - first, depth, weights + first * depth,
                           reinterpret_cast<T*>(room.data()) + first * depth);
    };
    PackSomeAtATime(units, HotKernels<T>().panel, depth * sizeof(T), pack, done);
  }

  const T* numbers() const { return reinterpret_cast<const T*>(room.data()); }

  Buffer room;
};

/// The weights of a matrix of integers, `units` rows of `taps` pieces of `depth` elements each,
/// packed.
struct PackedIntegers {
  /// `elements` are of a TENSOR_QUANT8_ASYMM operand, or of a TENSOR_QUANT8_SYMM_PER_CHANNEL one.
  /// Sets sums[unit], for each row, to the sum of its elements less the zero point.
  PackedIntegers(const OperandInfo& info, size_t units, size_t taps, size_t depth,
                 const uint8_t* elements, RowsAreDone done, double* sums);

  Buffer bytes;
  int32_t right_offset = 0;
};

/// How the sums of products of an operation's quantized input and weights become its output:
/// output = activation((sum of input * (weights - their zeroPoint) + offset) * multiplier).
class OutputRequantization {
 public:
  /// For `units` channels, each of which adds `terms` products. `weight_sums` are those of
  /// PackedIntegers, or null for zeros; `bias` has an INT32 for each channel.
  OutputRequantization(const OperandInfo& input, const OperandInfo& weights,
                       const OperandInfo& output, FusedActivationFunc activation, size_t units,
                       size_t terms, const double* weight_sums, const int32_t* bias);

  /// For the hot kernels; for as long as this lives.
  hot::Requantization Get() const;

 private:
  // A panel of them when the weights have one scale.
  std::vector<double> multipliers_;
  std::vector<float> float_multipliers_;
  std::vector<int32_t> integer_offsets_;  // empty where sums may leave 32 bits
  std::vector<double> offsets_;           // empty where they do not
  hot::Requantization requantization_;
};

/// The limits of `output` and of an activation, in steps from the zero point. There are no
/// multipliers and offsets in it.
hot::Requantization OutputLimits(const OperandInfo& output, FusedActivationFunc activation);

/// What a fused activation limits its argument to; infinities where it does not.
struct ActivationLimits {
  double lowest;
  double highest;
};

/// The limits of an activation.
ActivationLimits LimitsOf(FusedActivationFunc activation);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_PACKED_WEIGHTS_H_
