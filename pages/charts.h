// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Drawings of measured figures, as SVG inside of HTML.
//
// They have no colours of their own but classes, which pages/style.css has for light, dark and
// paper; are as wide as a telephone at most (or scroll), so that their text is as large as all
// text; and name what they show beside it, so that nobody needs a legend. Labels may hold anything.
// What is no number is not drawn.

#ifndef NNCERT_PAGES_CHARTS_H_
#define NNCERT_PAGES_CHARTS_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "pages/axis.h"
#include "pages/markup.h"

namespace nncert {

/// What a drawing is of.
struct ChartTitle {
  /// For those who hear it, and at the pointer.
  std::string title;
  /// Under the axis: "milliseconds".
  std::string axis;
  /// What values are divided by for the axis, as in Figure: 1000 to show microseconds as
  /// milliseconds.
  double scale = 1;
};

/// A row of a drawing of distributions.
struct Distribution {
  /// A heading that goes before the first of the rows that have it; empty for none.
  std::string group;
  /// What it is of.
  std::string label;
  /// Which colour it has: 0 for the subject, from 1 for what it is compared with.
  size_t series = 0;
  /// Equally likely values, in ascending order.
  std::vector<double> quantiles;
  /// Written at its end: the median, for example.
  std::string value;
};

/// Distributions on a common axis, a row for each: a thin line from the 1st to the 99th of 100, a
/// thick one for the half in the middle, a mark at the median, and beneath a tick for each of the
/// quantiles. The axis is logarithmic when the values span more than a factor of 5.
Markup DistributionChart(const ChartTitle& title, absl::Span<const Distribution> rows);

/// A figure with an interval.
struct IntervalRow {
  std::string label;
  size_t series = 0;
  double value = 0;
  double low = 0;
  double high = 0;
  /// Written at its end.
  std::string text;
};

/// Figures with their intervals on a common linear axis, a row for each.
Markup IntervalChart(const ChartTitle& title, absl::Span<const IntervalRow> rows);

/// A figure with its interval in a cell of a table, on an axis that all cells of the column have
/// from 4 to 116, with a line at `reference`. Where the interval lies beyond the axis' end, an
/// arrow says so. `is_notable` makes it stand out.
Markup IntervalMark(const Axis& axis, double reference, double value, double low, double high,
                    bool is_notable);

/// A line of a chart.
struct Curve {
  std::string label;
  size_t series = 0;
  /// Ascending in the first.
  std::vector<std::pair<double, double>> points;
};

/// Lines over a logarithmic axis with a tick at each of their places, from 0 on the other, linear
/// one; each is named at its end. `vertical` is what that axis is of.
Markup CurveChart(const ChartTitle& title, const std::string& vertical,
                  absl::Span<const Curve> curves);

/// A bar of a strip.
struct Bar {
  /// At the pointer: "12 CONV_2D: 0.0031".
  std::string text;
  double value = 0;
  /// Stands out, with `label` above it.
  bool is_notable = false;
  std::string label;
};

/// Bars beside each other on a common logarithmic axis; 0 and less is a dot on the ground line.
/// Wider than a telephone where there are many.
Markup BarStrip(const ChartTitle& title, absl::Span<const Bar> bars);

/// A text of at most `most` characters, of which the last is "…" when it was cut.
std::string Shortened(const std::string& text, size_t most);

}  // namespace nncert

#endif  // NNCERT_PAGES_CHARTS_H_
