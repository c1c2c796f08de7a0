// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/page/timing_part.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "mlts/page/accuracy_part.h"
#include "pages/charts.h"
#include "pages/numbers.h"
#include "pages/page.h"

namespace nncert {
namespace {

// A unit of time, and how many microseconds it has.
struct TimeUnit {
  const char* name;
  const char* symbol;
  double microseconds;
};

// The largest unit in which the shortest of medians is at least 1.
TimeUnit UnitFor(const std::vector<double>& medians) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const double median : medians) {
    if (median > 0) shortest = std::min(shortest, median);
  }
  for (const TimeUnit& unit :
       {TimeUnit{"seconds", "s", 1e6}, TimeUnit{"milliseconds", "ms", 1e3}}) {
    if (shortest >= unit.microseconds && shortest <= std::numeric_limits<double>::max())
      return unit;
  }
  return {"microseconds", "µs", 1};
}

// Latencies in the order of ways to execute, the driver first within each.
std::vector<const LatencyResult*> ByExecutor(const BenchmarkResult& benchmark) {
  std::vector<std::string> executors;
  for (const LatencyResult& latency : benchmark.latency) {
    if (!absl::c_linear_search(executors, latency.executor)) executors.push_back(latency.executor);
  }
  std::vector<const LatencyResult*> ordered;
  for (const std::string& executor : executors) {
    for (const LatencyResult& latency : benchmark.latency) {
      if (latency.executor == executor) ordered.push_back(&latency);
    }
  }
  return ordered;
}

Markup EstimateCell(const Estimate& estimate, double scale = 1) {
  return FigureWithInterval(estimate.value, estimate.low, estimate.high, scale);
}

// Columns of AppendTimes.
void AppendTimeColumns(std::vector<Table::Column>& columns) {
  for (const char* name :
       {"count", "minimum", "p50", "p90", "p95", "p99", "maximum", "mean", "std. deviation"}) {
    columns.push_back({name});
  }
}

void AppendTimes(std::vector<Markup>& cells, const TimeStatistics& times, const TimeUnit& unit) {
  const double scale = unit.microseconds;
  cells.push_back(Element("span", {{"data-scale", "1"}}, Figure(times.count)));
  cells.push_back(Figure(times.minimum, scale));
  cells.push_back(EstimateCell(times.p50, scale));
  cells.push_back(EstimateCell(times.p90, scale));
  cells.push_back(EstimateCell(times.p95, scale));
  cells.push_back(EstimateCell(times.p99, scale));
  cells.push_back(Figure(times.maximum, scale));
  cells.push_back(Figure(times.mean, scale));
  cells.push_back(Figure(times.deviation, scale));
}

std::string StyleOf(const std::string& driver, const MltsResults& results) {
  return SeriesOf(driver, results) == 0 ? "s0" : "";
}

Markup LatencyTable(const std::vector<const LatencyResult*>& latencies, const MltsResults& results,
                    const TimeUnit& unit) {
  std::vector<Table::Column> columns = {
      {"", Table::Kind::TEXT}, {"executed", Table::Kind::TEXT}, {"clock", Table::Kind::TEXT}};
  AppendTimeColumns(columns);
  columns.push_back({"first inference"});
  Table table(std::move(columns));
  table.SetScale(unit.microseconds);
  for (const LatencyResult* latency : latencies) {
    const auto add = [&](const char* clock, const TimeStatistics& times, const Markup& first) {
      std::vector<Markup> cells = {Isolated(latency->driver), Isolated(latency->executor),
                                   Text(clock)};
      AppendTimes(cells, times, unit);
      cells.push_back(first);
      table.AddRow(cells, StyleOf(latency->driver, results));
    };
    add("wall", latency->wall, Figure(latency->first, unit.microseconds));
    if (latency->time_in_driver.has_value()) add("in driver", *latency->time_in_driver, Markup());
    if (latency->time_on_device.has_value()) add("on device", *latency->time_on_device, Markup());
  }
  return table.Build();
}

Distribution DistributionOf(const std::string& group, const std::string& label, size_t series,
                            const TimeStatistics& times, const TimeUnit& unit) {
  return {group, label, series, times.quantiles, FormatNumber(times.p50.value / unit.microseconds)};
}

// A drawing of distributions of time, in the order of the rows.
Markup TimesFigure(const std::string& of, const std::string& by, const TimeUnit& unit,
                   const std::vector<Distribution>& rows) {
  return Element("figure",
                 Element("figcaption",
                         Text(absl::StrCat(of, by, ", ", unit.symbol,
                                           ": median, middle half, 1st to 99th of 100; the ticks "
                                           "beneath are equally likely times"))) +
                     DistributionChart({of, unit.name, unit.microseconds}, rows));
}

Markup LatencyChart(const std::vector<const LatencyResult*>& latencies, const MltsResults& results,
                    const TimeUnit& unit) {
  std::vector<Distribution> rows;
  for (const LatencyResult* latency : latencies) {
    const size_t series = SeriesOf(latency->driver, results);
    const auto add = [&](const std::string& label, const TimeStatistics& times) {
      rows.push_back(DistributionOf(latency->executor, label, series, times, unit));
    };
    add(latency->driver, latency->wall);
    if (latency->time_in_driver.has_value()) add("in driver", *latency->time_in_driver);
    if (latency->time_on_device.has_value()) add("on device", *latency->time_on_device);
  }
  return TimesFigure("Latency", " by the wall clock and by the driver's own", unit, rows);
}

Markup CompilationChart(const BenchmarkResult& benchmark, const MltsResults& results,
                        const TimeUnit& unit) {
  std::vector<Distribution> rows;
  for (const CompilationResult& compilation : benchmark.compilation) {
    const size_t series = SeriesOf(compilation.driver, results);
    const auto add = [&](const std::string& label, const TimeStatistics& times) {
      rows.push_back(DistributionOf(compilation.driver, label, series, times, unit));
    };
    add("without cache", compilation.without_cache);
    if (compilation.saving.has_value()) add("saving", *compilation.saving);
    if (compilation.from_cache.has_value()) add("from cache", *compilation.from_cache);
  }
  return TimesFigure("Preparation", "", unit, rows);
}

Markup LoadChart(const BenchmarkResult& benchmark, const MltsResults& results,
                 const TimeUnit& unit) {
  std::vector<Distribution> rows;
  for (const ThroughputResult& throughput : benchmark.throughput) {
    rows.push_back(DistributionOf(throughput.driver, absl::StrCat(throughput.threads, " at once"),
                                  SeriesOf(throughput.driver, results), throughput.latency, unit));
  }
  return TimesFigure("Latency", " by how many threads call at once", unit, rows);
}

// What the driver's own clocks say beside ours.
Markup ClocksInWords(const LatencyResult& latency) {
  const double wall = latency.wall.p50.value;
  if (!latency.time_in_driver.has_value() || !(wall > 0)) return Markup();
  Markup words =
      Text("Of the median of ") + Isolated(latency.executor) +
      Text(absl::StrCat(", ", FormatNumber(100 * latency.time_in_driver->p50.value / wall),
                        " % pass in the driver"));
  if (latency.time_on_device.has_value()) {
    words += Text(absl::StrCat(
        " and ", FormatNumber(100 * latency.time_on_device->p50.value / wall), " % on the device"));
  }
  return Element("p", words + Text(", by the driver's own account."));
}

Markup ThroughputChart(const BenchmarkResult& benchmark, const MltsResults& results) {
  std::vector<Curve> curves;
  for (const ThroughputResult& throughput : benchmark.throughput) {
    auto curve = absl::c_find_if(
        curves, [&](const Curve& other) { return other.label == throughput.driver; });
    if (curve == curves.end()) {
      curves.push_back({throughput.driver, SeriesOf(throughput.driver, results), {}});
      curve = curves.end() - 1;
    }
    curve->points.emplace_back(throughput.threads, throughput.inferences_per_second);
  }
  for (Curve& curve : curves) absl::c_sort(curve.points);
  return Element("figure",
                 Element("figcaption", Text("Throughput by how many threads call at once")) +
                     CurveChart({"Throughput", "threads"}, "inferences a second", curves));
}

Markup ThroughputTable(const BenchmarkResult& benchmark, const MltsResults& results,
                       const TimeUnit& unit) {
  std::vector<Table::Column> columns = {{"", Table::Kind::TEXT}, {"threads"}, {"inferences/s"}};
  AppendTimeColumns(columns);
  Table table(std::move(columns));
  table.SetScale(unit.microseconds);
  for (const ThroughputResult& throughput : benchmark.throughput) {
    const auto unscaled = [](const Markup& figure) {
      return Element("span", {{"data-scale", "1"}}, figure);
    };
    std::vector<Markup> cells = {Isolated(throughput.driver),
                                 unscaled(Figure(uint64_t{throughput.threads})),
                                 unscaled(Figure(throughput.inferences_per_second))};
    AppendTimes(cells, throughput.latency, unit);
    table.AddRow(cells, StyleOf(throughput.driver, results));
  }
  return table.Build();
}

Markup Folded(const std::string& summary, const Markup& table) {
  return Element("details", Element("summary", Text(summary)) + table);
}

// "grows" and the like of what a load leaves behind.
Markup GrowthInWords(const Estimate& per_load) {
  if (per_load.low > 0) return Element("strong", {{"class", "wrong"}}, "grows with each load");
  if (per_load.high < 0) return Text("shrinks with each load");
  return Text("no growth to be seen");
}

// What calls take of all times.
Markup CallInWords(const BenchmarkResult& benchmark) {
  if (!benchmark.call_time.has_value()) return Markup();
  const Estimate& time = *benchmark.call_time;
  return Element("p", {{"class", "note"}},
                 Text("Of each time a call takes, whoever computes, ") +
                     FigureWithInterval(time.value, time.low, time.high) +
                     Text(" µs, which what is said of the driver's claims leaves out."));
}

}  // namespace

std::optional<Estimate> TimeAgainstBaseline(const BenchmarkResult& benchmark,
                                            const MltsResults& results) {
  for (const LatencyResult& driver : benchmark.latency) {
    if (driver.driver != results.driver) continue;
    for (const LatencyResult& baseline : benchmark.latency) {
      if (baseline.driver != results.baseline || baseline.executor != driver.executor) continue;
      const Estimate& ours = driver.wall.p50;
      const Estimate& theirs = baseline.wall.p50;
      if (!(ours.value > 0 && theirs.low > 0 && theirs.high > 0 && theirs.value > 0)) continue;
      return Estimate{ours.value / theirs.value, ours.low / theirs.high, ours.high / theirs.low};
    }
  }
  return std::nullopt;
}

Markup LatencyPart(const BenchmarkResult& benchmark, const MltsResults& results) {
  const std::vector<const LatencyResult*> latencies = ByExecutor(benchmark);
  Markup figures;
  Markup tables;
  Markup words;
  if (!latencies.empty()) {
    std::vector<double> medians;
    for (const LatencyResult* latency : latencies) medians.push_back(latency->wall.p50.value);
    const TimeUnit unit = UnitFor(medians);
    figures += LatencyChart(latencies, results, unit);
    tables += Folded(absl::StrCat("Latencies as a table, ", unit.symbol),
                     LatencyTable(latencies, results, unit));
    const auto of_driver = absl::c_find_if(latencies, [&](const LatencyResult* latency) {
      return SeriesOf(latency->driver, results) == 0;
    });
    if (of_driver != latencies.end()) words = ClocksInWords(**of_driver);
    words += CallInWords(benchmark);
  }
  if (!benchmark.throughput.empty()) {
    std::vector<double> medians;
    for (const ThroughputResult& throughput : benchmark.throughput) {
      medians.push_back(throughput.latency.p50.value);
    }
    const TimeUnit unit = UnitFor(medians);
    figures += ThroughputChart(benchmark, results) + LoadChart(benchmark, results, unit);
    tables += Folded(absl::StrCat("Throughput as a table, latencies in ", unit.symbol),
                     ThroughputTable(benchmark, results, unit));
  }
  if (figures.empty()) return Markup();
  return Element("h3", Text("Latency and throughput")) +
         Element("div", {{"class", "figures"}}, figures) + words + tables;
}

Markup CompilationPart(const BenchmarkResult& benchmark, const MltsResults& results) {
  if (benchmark.compilation.empty()) return Markup();
  std::vector<double> medians;
  for (const CompilationResult& compilation : benchmark.compilation) {
    medians.push_back(compilation.without_cache.p50.value);
    if (compilation.from_cache.has_value()) medians.push_back(compilation.from_cache->p50.value);
  }
  const TimeUnit unit = UnitFor(medians);
  std::vector<Table::Column> columns = {{"", Table::Kind::TEXT}, {"prepared", Table::Kind::TEXT}};
  AppendTimeColumns(columns);
  columns.push_back({"cache, bytes"});
  Table table(std::move(columns));
  table.SetScale(unit.microseconds);
  for (const CompilationResult& compilation : benchmark.compilation) {
    const auto add = [&](const char* how, const TimeStatistics& times, const Markup& cache) {
      std::vector<Markup> cells = {Isolated(compilation.driver), Text(how)};
      AppendTimes(cells, times, unit);
      cells.push_back(cache);
      table.AddRow(cells, StyleOf(compilation.driver, results));
    };
    const Markup bytes =
        compilation.cache_bytes.has_value()
            ? Element("span", {{"data-scale", "1"}}, Figure(*compilation.cache_bytes))
            : Markup();
    add("without cache", compilation.without_cache, bytes);
    if (compilation.saving.has_value()) add("saving", *compilation.saving, Markup());
    if (compilation.from_cache.has_value()) add("from cache", *compilation.from_cache, Markup());
  }
  return Element("h3", Text(absl::StrCat("Compilation, ", unit.symbol))) +
         Element("div", {{"class", "figures"}},
                 CompilationChart(benchmark, results, unit) + Element("div", table.Build()));
}

Markup LeakPart(const BenchmarkResult& benchmark) {
  if (!benchmark.leak.has_value()) return Markup();
  const LeakResult& leak = *benchmark.leak;
  Table table({{"", Table::Kind::TEXT}, {"a load"}, {"", Table::Kind::TEXT}});
  table.AddRow({Text("bytes"), EstimateCell(leak.bytes), GrowthInWords(leak.bytes)});
  table.AddRow(
      {Text("descriptors"), EstimateCell(leak.descriptors), GrowthInWords(leak.descriptors)});
  table.AddRow({Text("threads"), EstimateCell(leak.threads), GrowthInWords(leak.threads)});
  return Element("h3", Text("What loading leaves behind")) +
         Element("p", Text("By ") + Figure(leak.loads) +
                          Text(" loads and releases, in the driver's process.")) +
         table.Build();
}

}  // namespace nncert
