// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/page/accuracy_part.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "pages/charts.h"
#include "pages/numbers.h"
#include "pages/page.h"

namespace nncert {
namespace {

constexpr double kPercent = 0.01;
// Beyond this, a difference is hardly by chance.
constexpr double kSignificant = 0.05;

Markup OptionalFigure(const std::optional<double>& value) {
  return value.has_value() ? Figure(*value) : Markup();
}

Markup AccuracyTable(const BenchmarkResult& benchmark, const MltsResults& results) {
  size_t most_top_k = 0;
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    most_top_k = std::max(most_top_k, accuracy.top_k.size());
  }
  std::vector<Table::Column> columns = {{"", Table::Kind::TEXT}, {"sequences"}, {"inferences"}};
  for (size_t k = 1; k <= most_top_k; ++k) columns.push_back({absl::StrCat("top ", k, ", %")});
  for (const char* name :
       {"mean square error", "max. absolute error", "max. signed error", "mel-cepstral distance",
        "log F0 error", "phone error rate of MLTS, %", "phone error rate, %"}) {
    columns.push_back({name});
  }
  Table table(std::move(columns));
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    std::vector<Markup> cells = {Isolated(accuracy.driver), Figure(accuracy.sequences),
                                 Figure(accuracy.inferences)};
    for (size_t k = 0; k < most_top_k; ++k) {
      if (k >= accuracy.top_k.size()) {
        cells.emplace_back();
        continue;
      }
      const Estimate& share = accuracy.top_k[k];
      cells.push_back(ShareWithInterval(share.value, share.low, share.high));
    }
    for (const std::optional<double>& value :
         {accuracy.mean_square_error, accuracy.maximum_absolute_error,
          accuracy.maximum_signed_error, accuracy.mel_cepstral_distance, accuracy.log_f0_error,
          accuracy.phone_error_rate_mlts, accuracy.phone_error_rate}) {
      cells.push_back(OptionalFigure(value));
    }
    table.AddRow(cells, SeriesOf(accuracy.driver, results) == 0 ? "s0" : "");
  }
  return table.Build();
}

// How many elements of quantized outputs are off by how many steps.
Markup OffByTable(const BenchmarkResult& benchmark, const MltsResults& results) {
  size_t most = 0;
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    most = std::max(most, accuracy.off_by.size());
  }
  std::vector<Table::Column> columns = {{"elements", Table::Kind::TEXT}};
  for (size_t steps = 0; steps < most; ++steps) {
    columns.push_back({steps == 0          ? "exact"
                       : steps + 1 == most ? absl::StrCat("off by ", steps, " or more")
                                           : absl::StrCat("off by ", steps)});
  }
  Table table(std::move(columns));
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    if (accuracy.off_by.empty()) continue;
    std::vector<Markup> cells = {Isolated(accuracy.driver)};
    for (const uint64_t count : accuracy.off_by) cells.push_back(Figure(count));
    table.AddRow(cells, SeriesOf(accuracy.driver, results) == 0 ? "s0" : "");
  }
  return table.Build();
}

Markup TopOneChart(const BenchmarkResult& benchmark, const MltsResults& results) {
  std::vector<IntervalRow> rows;
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    if (accuracy.top_k.empty()) continue;
    const Estimate& share = accuracy.top_k[0];
    rows.push_back({accuracy.driver, SeriesOf(accuracy.driver, results), share.value, share.low,
                    share.high, absl::StrCat(FormatPercent(share.value), " %")});
  }
  if (rows.empty()) return Markup();
  return Element("figure",
                 Element("figcaption", Text("Top 1, with the interval that holds it in 95 "
                                            "of 100 runs")) +
                     IntervalChart({"Top 1", "percent", kPercent}, rows));
}

// The split of what the driver and the baseline classify otherwise, in words.
Markup Verdict(const PairedComparison& comparison) {
  Markup words = Text("; the driver alone is right on ") + Figure(comparison.driver_alone_right) +
                 Text(", the baseline alone on ") + Figure(comparison.baseline_alone_right) +
                 Text(
                     ". Were both equally good, chance alone would split them so unevenly with a "
                     "probability of ") +
                 Figure(comparison.mcnemar_p) + Text(" (McNemar): ");
  if (!(comparison.mcnemar_p < kSignificant)) {
    return words + Text("no sign that either is better");
  }
  const bool is_driver_worse = comparison.driver_alone_right < comparison.baseline_alone_right;
  return words +
         Element("strong", {{"class", is_driver_worse ? "wrong" : ""}},
                 is_driver_worse ? "the driver is less accurate" : "the driver is more accurate");
}

Markup ComparisonInWords(const PairedComparison& comparison) {
  Markup words = Text("On the same ") + Figure(comparison.sequences) +
                 Text(" sequences, the driver and ") + Isolated(comparison.baseline);
  // Without labels there is no top 1, and nothing to count.
  if (comparison.top_1_difference.has_value() || comparison.changed > 0) {
    words += Text(" give another top 1 on ") + Figure(comparison.changed) + Verdict(comparison) +
             Text(". ");
  } else {
    words += Text(" were compared element by element. ");
  }
  if (comparison.top_1_difference.has_value()) {
    const Estimate& difference = *comparison.top_1_difference;
    words += Text("Driver less baseline: ") +
             ShareWithInterval(difference.value, difference.low, difference.high) +
             Text(" points. ");
  }
  words += Text("No output differs by more than ") + Figure(comparison.maximum_absolute_difference);
  if (comparison.maximum_steps.has_value()) {
    words += Text(" (") + Figure(*comparison.maximum_steps) + Text(" steps of quantization)");
  }
  return Element("p", words + Text("."));
}

// The operation that is named first: 12 of "12 (CONV_2D)".
std::optional<uint32_t> NumberOf(const std::string& operation) {
  uint32_t number = 0;
  const std::from_chars_result read =
      std::from_chars(operation.data(), operation.data() + operation.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

// The errors by layer, drawn and as a table.
struct Layers {
  Markup figure;
  Markup table;
};

Layers LayerPart(const BenchmarkResult& benchmark) {
  if (benchmark.layers.empty()) return {};
  const std::optional<uint32_t> diverging = NumberOf(benchmark.first_diverging_operation);
  std::vector<Bar> bars;
  Table table({{"operation"},
               {"type", Table::Kind::TEXT},
               {"max. absolute error"},
               {"mean square error"},
               {"largest result"}});
  for (const LayerError& layer : benchmark.layers) {
    const bool is_notable = diverging == layer.operation;
    const std::string name = absl::StrCat(layer.operation, " ", layer.type);
    bars.push_back({absl::StrCat(name, ": ", FormatNumber(layer.maximum_absolute_error),
                                 ", of results up to ", FormatNumber(layer.maximum_magnitude)),
                    layer.maximum_absolute_error, is_notable, name});
    table.AddRow(
        {Figure(uint64_t{layer.operation}), Text(layer.type), Figure(layer.maximum_absolute_error),
         Figure(layer.mean_square_error), Figure(layer.maximum_magnitude)},
        is_notable ? "wrong" : "");
  }
  Layers layers;
  layers.figure = Element(
      "figure",
      Element("figcaption", Text("Largest absolute error of each operation's result, in the order "
                                 "of execution; dots are exact")) +
          BarStrip({"Error by layer", "operation, first to last"}, bars));
  layers.table =
      Element("details", Element("summary", Text("Errors by layer as a table")) + table.Build());
  return layers;
}

}  // namespace

size_t SeriesOf(const std::string& driver, const MltsResults& results) {
  if (driver == results.driver) return 0;
  return driver == results.baseline ? 1 : 2;
}

Markup AccuracyPart(const BenchmarkResult& benchmark, const MltsResults& results) {
  Markup part;
  if (!benchmark.first_diverging_operation.empty()) {
    part += Element(
        "p", Text("The first operation whose result is wrong by the documented "
                  "precision, on the driver's own operands: ") +
                 Element("strong", {{"class", "wrong"}}, benchmark.first_diverging_operation));
  }
  part += AccuracyTable(benchmark, results) + OffByTable(benchmark, results);
  if (benchmark.comparison.has_value()) part += ComparisonInWords(*benchmark.comparison);
  const Layers layers = LayerPart(benchmark);
  const Markup figures = TopOneChart(benchmark, results) + layers.figure;
  if (!figures.empty()) part += Element("div", {{"class", "figures"}}, figures);
  part += layers.table;
  return part.empty() ? part : Element("h3", Text("Accuracy")) + part;
}

}  // namespace nncert
