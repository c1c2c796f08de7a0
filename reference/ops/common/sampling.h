// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where the pixels of a resized image come from, along one axis.

#ifndef NNCERT_REFERENCE_OPS_COMMON_SAMPLING_H_
#define NNCERT_REFERENCE_OPS_COMMON_SAMPLING_H_

#include <cstddef>
#include <vector>

#include "reference/kernel.h"
#include "reference/number/arithmetic.h"
#include "reference/number/ball.h"
#include "reference/number/precision.h"

namespace nncert {

/// The position in an axis of `input` elements of element `index` of an axis resized to `output`
/// elements, as an implementation of `precision` may have it: index * input / output, from a
/// quotient and a product that are each rounded correctly. Anything() when one of the numbers is
/// beyond the range of the precision.
Ball PositionAt(const Precision& precision, size_t index, size_t input, size_t output);

/// A stretch of an axis between two neighbouring elements, or one element alone.
template <class Number>
struct Stretch {
  size_t low = 0;        ///< the element at its beginning
  size_t high = 0;       ///< the next element; the last element is its own next
  Number fraction = {};  ///< how far along the stretch the position is, in [0, 1]
};

/// The stretches that the positions of a resized axis may lie in, or the elements that they may be
/// rounded down to. In a number system without enclosures there is one for each element.
template <class Number>
class Sampling {
 public:
  /// More stretches than this for one element are as good as none.
  static constexpr size_t kMostStretches = 8;

  /// The number of elements of the resized axis.
  size_t size() const { return ends_.size(); }
  /// The stretches for element `index`; none when nothing is known of its position.
  const Stretch<Number>* begin(size_t index) const {
    return stretches_.data() + (index == 0 ? 0 : ends_[index - 1]);
  }
  const Stretch<Number>* end(size_t index) const { return stretches_.data() + ends_[index]; }

  /// Adds a stretch for the element under way.
  void Add(const Stretch<Number>& stretch) { stretches_.push_back(stretch); }
  /// Goes on to the next element.
  void NextElement() { ends_.push_back(stretches_.size()); }

 private:
  std::vector<Stretch<Number>> stretches_;
  std::vector<size_t> ends_;
};

/// The stretches between which a position is interpolated. Neither size may be 0, nor
/// input * output be 2^64 or more.
Sampling<Ball> LinearSampling(const BallArithmetic& arithmetic, size_t input, size_t output);

/// The elements that positions are rounded down to, each as a stretch of its own.
Sampling<Ball> FloorSampling(const BallArithmetic& arithmetic, size_t input, size_t output);

template <class T>
Sampling<T> LinearSampling(const RealArithmetic<T>& /*arithmetic*/, size_t input, size_t output) {
  Sampling<T> sampling;
  for (size_t index = 0; index < output; ++index) {
    const size_t low = index * input / output;
    const auto remainder = static_cast<double>(index * input % output);
    sampling.Add({low, std::min(low + 1, input - 1),
                  static_cast<T>(remainder / static_cast<double>(output))});
    sampling.NextElement();
  }
  return sampling;
}

template <class T>
Sampling<T> FloorSampling(const RealArithmetic<T>& /*arithmetic*/, size_t input, size_t output) {
  Sampling<T> sampling;
  for (size_t index = 0; index < output; ++index) {
    const size_t low = index * input / output;
    sampling.Add({low, low, 0});
    sampling.NextElement();
  }
  return sampling;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_SAMPLING_H_
