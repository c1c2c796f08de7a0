// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/charts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "pages/numbers.h"

namespace nncert {
namespace {

// Pixels. A telephone of 400 has so many beside the margins of the page.
constexpr double kWidth = 360;
constexpr double kLabelEnd = 88;
constexpr double kPlotBegin = 96;
constexpr double kPlotEnd = 300;
constexpr double kRow = 20;
constexpr double kHeading = 20;
constexpr double kAxisHeight = 34;
// So many characters are as wide as the labels' column.
constexpr size_t kLabelLength = 14;
// How many colours the style sheet has.
constexpr size_t kSeries = 4;

std::string Pixels(double position) {
  // Beyond tenths nobody sees anything, and the page gets longer.
  const std::string digits = absl::StrFormat("%.1f", position);
  return digits.ends_with(".0") ? digits.substr(0, digits.size() - 2) : digits;
}

std::string SeriesClass(const std::string& name, size_t series) {
  return absl::StrCat(name, " s", std::min(series, kSeries - 1));
}

Markup Svg(const std::string& title, double width, double height, const Markup& inside) {
  return Element("svg",
                 {{"width", Pixels(width)},
                  {"height", Pixels(height)},
                  {"viewBox", absl::StrCat("0 0 ", Pixels(width), " ", Pixels(height))},
                  {"role", "img"}},
                 Element("title", Text(title)) + inside);
}

Markup Line(const std::string& style, double x1, double y1, double x2, double y2) {
  return EmptyElement("line", {{"class", style},
                               {"x1", Pixels(x1)},
                               {"y1", Pixels(y1)},
                               {"x2", Pixels(x2)},
                               {"y2", Pixels(y2)}});
}

Markup Dot(const std::string& style, double x, double y, double radius) {
  return EmptyElement(
      "circle", {{"class", style}, {"cx", Pixels(x)}, {"cy", Pixels(y)}, {"r", Pixels(radius)}});
}

// `style` has the class that says which end of the text is at `x`: "end", "middle" or none.
Markup Label(const std::string& style, double x, double y, const std::string& text) {
  return Element("text", {{"class", style}, {"x", Pixels(x)}, {"y", Pixels(y)}}, text);
}

// A row's label, cut to its column, and whole at the pointer.
Markup RowLabel(double y, const std::string& style, const std::string& text) {
  return Element("text", {{"class", style}, {"x", Pixels(kLabelEnd)}, {"y", Pixels(y)}},
                 Element("title", Text(text)) + Text(Shortened(text, kLabelLength)));
}

// The axis under a plot, with hairlines through it from `top`; ticks that would touch are left out.
Markup HorizontalAxis(const Axis& axis, const ChartTitle& title, double top, double bottom) {
  Markup markup = Line("axis", axis.from(), bottom, axis.to(), bottom);
  double taken = -1e9;
  for (const double tick : axis.Ticks(5)) {
    const double x = axis.At(tick);
    markup += Line("grid", x, top, x, bottom);
    const std::string text = FormatTick(tick / title.scale);
    const double half = 3.3 * static_cast<double>(text.size());
    if (x - half < taken) continue;
    taken = x + half + 4;
    markup += Label("tick middle", x, bottom + 14, text);
  }
  markup += Label("tick middle", (axis.from() + axis.to()) / 2, bottom + 29,
                  absl::StrCat(title.axis, axis.is_logarithmic() ? ", logarithmic" : ""));
  return markup;
}

Axis PlotAxis(const std::vector<double>& values, double from, double to) {
  const Extent positive = PositiveExtentOf(values);
  const Extent all = ExtentOf(values);
  if (all.low > 0 && positive.high / positive.low > 5) {
    return Axis::Logarithmic(positive, from, to);
  }
  return Axis::Linear(all, from, to);
}

std::vector<double> FiniteOf(absl::Span<const double> values) {
  std::vector<double> finite;
  absl::c_copy_if(values, std::back_inserter(finite),
                  [](double value) { return std::isfinite(value); });
  absl::c_sort(finite);
  return finite;
}

// That of sorted values which `share` of them are below.
double QuantileOf(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

Markup DistributionRow(const Axis& axis, const Distribution& row, double y) {
  Markup markup = RowLabel(y + 4, SeriesClass("label end", row.series), row.label) +
                  Label(SeriesClass("label", row.series), kPlotEnd + 8, y + 4, row.value);
  const std::vector<double> sorted = FiniteOf(row.quantiles);
  if (sorted.empty()) return markup;
  const auto at = [&](double share) { return axis.At(QuantileOf(sorted, share)); };
  markup += Line(SeriesClass("whisker", row.series), at(0.01), y, at(0.99), y);
  markup += Line(SeriesClass("box", row.series), at(0.25), y, at(0.75), y);
  std::string ticks;
  for (const double value : sorted) {
    absl::StrAppend(&ticks, "M", Pixels(axis.At(value)), " ", Pixels(y + 6), "v3");
  }
  markup += EmptyElement("path", {{"class", SeriesClass("rug", row.series)}, {"d", ticks}});
  markup += Line(SeriesClass("median", row.series), at(0.5), y - 6, at(0.5), y + 6);
  return markup;
}

}  // namespace

std::string Shortened(const std::string& text, size_t most) {
  const auto begins_character = [](char byte) {
    return (static_cast<uint8_t>(byte) & 0xC0) != 0x80;
  };
  size_t characters = 0;
  size_t end = 0;  // of the text with a character less than `most`
  for (size_t i = 0; i < text.size(); ++i) {
    if (!begins_character(text[i])) continue;
    ++characters;
    if (characters == most) end = i;
    if (characters > most) return absl::StrCat(text.substr(0, end), "\xE2\x80\xA6");
  }
  return text;
}

Markup DistributionChart(const ChartTitle& title, absl::Span<const Distribution> rows) {
  std::vector<double> values;
  for (const Distribution& row : rows) {
    values.insert(values.end(), row.quantiles.begin(), row.quantiles.end());
  }
  const Axis axis = PlotAxis(values, kPlotBegin, kPlotEnd);
  Markup drawn;
  double y = 4;
  std::string group;
  for (const Distribution& row : rows) {
    if (row.group != group) {
      group = row.group;
      drawn += Label("group", 0, y + 14, Shortened(group, 40));
      y += kHeading;
    }
    drawn += DistributionRow(axis, row, y + kRow / 2);
    y += kRow;
  }
  return Svg(title.title, kWidth, y + kAxisHeight, HorizontalAxis(axis, title, 4, y + 2) + drawn);
}

Markup IntervalChart(const ChartTitle& title, absl::Span<const IntervalRow> rows) {
  std::vector<double> values;
  for (const IntervalRow& row : rows) {
    values.insert(values.end(), {row.value, row.low, row.high});
  }
  const Axis axis = Axis::Linear(ExtentOf(values), kPlotBegin + 4, kPlotEnd - 4);
  Markup drawn;
  double y = 4;
  for (const IntervalRow& row : rows) {
    const double middle = y + kRow / 2;
    drawn += RowLabel(middle + 4, SeriesClass("label end", row.series), row.label);
    drawn += Label(SeriesClass("label", row.series), kPlotEnd + 8, middle + 4, row.text);
    if (!std::isnan(row.low) && !std::isnan(row.high)) {
      drawn += Line(SeriesClass("interval", row.series), axis.At(row.low), middle,
                    axis.At(row.high), middle);
    }
    if (!std::isnan(row.value)) {
      drawn += Dot(SeriesClass("dot", row.series), axis.At(row.value), middle, 4);
    }
    y += kRow;
  }
  return Svg(title.title, kWidth, y + kAxisHeight, HorizontalAxis(axis, title, 4, y + 2) + drawn);
}

Markup IntervalMark(const Axis& axis, double reference, double value, double low, double high,
                    bool is_notable) {
  const std::string notable = is_notable ? " notable" : "";
  Markup drawn = Line("reference", axis.At(reference), 0, axis.At(reference), 16);
  if (!std::isnan(value)) {
    const double x = axis.At(value);
    if (!std::isnan(low) && !std::isnan(high)) {
      drawn += Line(absl::StrCat("interval s0", notable), axis.At(low), 8, axis.At(high), 8);
    }
    // Its end is as far as the axis goes; beyond, an arrow.
    if (x <= axis.from()) {
      drawn += EmptyElement("path", {{"class", "arrow s0" + notable}, {"d", "M0 8l6-4v8z"}});
    } else if (x >= axis.to()) {
      drawn += EmptyElement("path", {{"class", "arrow s0" + notable}, {"d", "M120 8l-6-4v8z"}});
    } else {
      drawn += Dot(absl::StrCat("dot s0", notable), x, 8, 3.5);
    }
  }
  return Element("svg",
                 {{"class", "mark"},
                  {"width", "120"},
                  {"height", "16"},
                  {"viewBox", "0 0 120 16"},
                  {"aria-hidden", "true"}},
                 drawn);
}

Markup CurveChart(const ChartTitle& title, const std::string& vertical,
                  absl::Span<const Curve> curves) {
  constexpr double kBegin = 46;
  constexpr double kEnd = 266;
  constexpr double kTop = 24;
  constexpr double kBottom = 164;
  std::vector<double> xs;
  std::vector<double> ys = {0};
  for (const Curve& curve : curves) {
    for (const auto& [x, y] : curve.points) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  const Axis across = Axis::Logarithmic(PositiveExtentOf(xs), kBegin, kEnd);
  const Axis up = Axis::Linear(ExtentOf(ys), kBottom, kTop);
  Markup drawn = Label("tick", 0, 12, vertical);
  for (const double tick : up.Ticks(4)) {
    drawn += Line("grid", kBegin, up.At(tick), kEnd, up.At(tick));
    drawn += Label("tick end", kBegin - 6, up.At(tick) + 4, FormatTick(tick));
  }
  double taken = -1e9;
  for (const double x : std::set<double>(xs.begin(), xs.end())) {
    if (!std::isfinite(x) || across.At(x) < taken) continue;
    taken = across.At(x) + 18;
    drawn += Label("tick middle", across.At(x), kBottom + 16, FormatTick(x));
  }
  drawn += Label("tick middle", (kBegin + kEnd) / 2, kBottom + 31, title.axis);
  // Names at the ends, from the top down, kept from touching each other.
  std::vector<std::pair<double, const Curve*>> ends;
  for (const Curve& curve : curves) {
    std::string line;
    double end = kBottom;
    for (const auto& [x, y] : curve.points) {
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      end = up.At(y);
      absl::StrAppend(&line, line.empty() ? "M" : "L", Pixels(across.At(x)), " ", Pixels(end));
      drawn += Dot(SeriesClass("dot", curve.series), across.At(x), end, 3);
    }
    if (line.empty()) continue;
    drawn += EmptyElement("path", {{"class", SeriesClass("curve", curve.series)}, {"d", line}});
    ends.emplace_back(end, &curve);
  }
  absl::c_stable_sort(ends, [](const auto& a, const auto& b) { return a.first < b.first; });
  double free_from = 0;
  for (const auto& [end, curve] : ends) {
    const double y = std::max(end + 4, free_from);
    free_from = y + 14;
    drawn += Label(SeriesClass("label", curve->series), kEnd + 8, y,
                   Shortened(curve->label, kLabelLength - 1));
  }
  return Svg(title.title, kWidth, std::max(kBottom + kAxisHeight, free_from), drawn);
}

Markup BarStrip(const ChartTitle& title, absl::Span<const Bar> bars) {
  constexpr double kBegin = 46;
  constexpr double kTop = 24;
  constexpr double kBottom = 144;
  const double count = static_cast<double>(std::max<size_t>(bars.size(), 1));
  const double step = std::clamp((kWidth - kBegin) / count, 4.0, 22.0);
  const double end = kBegin + step * count;
  std::vector<double> values;
  for (const Bar& bar : bars) values.push_back(bar.value);
  Extent extent = PositiveExtentOf(values);
  // A bar of the least value is to be seen, too.
  extent.low /= 3;
  const Axis up = Axis::Logarithmic(extent, kBottom, kTop);
  Markup drawn;
  for (const double tick : up.Ticks(4)) {
    drawn += Line("grid", kBegin, up.At(tick), end, up.At(tick));
    drawn += Label("tick end", kBegin - 6, up.At(tick) + 4, FormatTick(tick / title.scale));
  }
  for (size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const double x = kBegin + step * static_cast<double>(i);
    const std::string notable = bar.is_notable ? " notable" : "";
    const Markup text = Element("title", Text(Shortened(bar.text, 200)));
    if (bar.value > 0) {
      const double top = up.At(bar.value);
      drawn += Element("rect",
                       {{"class", "bar s0" + notable},
                        {"x", Pixels(x)},
                        {"y", Pixels(top)},
                        {"width", Pixels(step - 1)},
                        {"height", Pixels(std::max(kBottom - top, 1.0))}},
                       text);
    } else {
      drawn += Element("circle",
                       {{"class", "dot s0" + notable},
                        {"cx", Pixels(x + step / 2)},
                        {"cy", Pixels(kBottom - 3)},
                        {"r", "1.5"}},
                       text);
    }
    if (bar.is_notable) {
      // To the side of the bar that has room.
      const bool is_left = x > (kBegin + end) / 2;
      drawn += Label(is_left ? "label notable end" : "label notable", is_left ? x + step : x, 14,
                     Shortened(bar.label, 40));
    }
  }
  drawn += Line("axis", kBegin, kBottom, end, kBottom);
  drawn += Label("tick", kBegin, kBottom + 16, title.axis);
  return Svg(title.title, std::max(end, kWidth), kBottom + 24, drawn);
}

}  // namespace nncert
