// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where values are in a drawing.

#ifndef NNCERT_PAGES_AXIS_H_
#define NNCERT_PAGES_AXIS_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"

namespace nncert {

/// The range that values span. NaN and infinities are left out, and so that nothing overflows,
/// values beyond 1e100 are taken for that.
struct Extent {
  double low = 0;
  double high = 1;
};

/// The range of the values: 0 to 1 when there are none, and wider than nothing.
Extent ExtentOf(absl::Span<const double> values);

/// The same of the values above 0, for logarithms: 1 to 10 when there are none.
Extent PositiveExtentOf(absl::Span<const double> values);

/// Maps values to positions in a drawing.
class Axis {
 public:
  /// An axis whose extent is drawn between the positions `from` and `to`, which may be less than
  /// `from`.
  static Axis Linear(Extent extent, double from, double to);
  /// The extent must be above 0; if not, it is taken as 1 to 10.
  static Axis Logarithmic(Extent extent, double from, double to);

  /// The position of a value; of one beyond the extent (NaN is below it), the nearer end.
  double At(double value) const;

  /// Round values within the extent, in ascending order, at most about `count` of them and at least
  /// one where there is one: multiples of 1, 2 or 5 times a power of ten.
  std::vector<double> Ticks(size_t count) const;

  /// Whether it is logarithmic.
  bool is_logarithmic() const { return is_logarithmic_; }
  /// The positions of its ends.
  double from() const { return from_; }
  double to() const { return to_; }

 private:
  Axis(Extent extent, double from, double to, bool is_logarithmic);

  Extent extent_;
  double from_;
  double to_;
  bool is_logarithmic_;
};

}  // namespace nncert

#endif  // NNCERT_PAGES_AXIS_H_
