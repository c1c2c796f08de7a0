// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/page/results_page.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "mlts/page/accuracy_part.h"
#include "mlts/page/benchmark_part.h"
#include "mlts/page/timing_part.h"
#include "pages/axis.h"
#include "pages/charts.h"
#include "pages/numbers.h"
#include "pages/page.h"

namespace nncert {
namespace {

using Status = BenchmarkResult::Status;

// How wide the drawings in a table's cells are, less their margins; see IntervalMark.
constexpr double kMarkFrom = 4;
constexpr double kMarkTo = 116;

void AddFact(Markup& facts, const char* name, const Markup& value) {
  if (!value.empty()) facts += Fact(name, value);
}

void AddFact(Markup& facts, const char* name, const std::string& value,
             const Attributes& attributes = {}) {
  if (!value.empty()) AddFact(facts, name, Element("bdi", attributes, value));
}

Markup Masthead(const MltsResults& results) {
  Markup facts;
  AddFact(facts, "Driver's version", results.driver_version);
  AddFact(facts, "HAL and device",
          absl::StrCat("HAL ", results.hal_version, results.device_type.empty() ? "" : ", ",
                       results.device_type));
  AddFact(facts, "Compared with", results.baseline);
  AddFact(facts, "Machine", results.machine);
  AddFact(facts, "Run",
          Isolated(results.started) + Text(results.started.empty() ? "took " : ", took ") +
              Figure(results.seconds) + Text(" s"));
  AddFact(facts, "Command", results.command, {{"class", "mono"}});
  AddFact(facts, "Made by",
          Text(absl::StrCat("nncert ", results.nncert_version, "; form ")) +
              Figure(uint64_t{results.format}) + Text(" of results.json, which has every figure"));
  Markup masthead = Element("p", {{"class", "soft"}}, "Real networks on real data") +
                    Element("h1", Isolated(results.driver));
  if (!results.is_complete) {
    masthead += Element("p", {{"class", "banner"}},
                        "This run did not come to its end: what is missing was not measured.");
  }
  return Element("header", masthead + Element("dl", {{"class", "facts"}}, facts));
}

std::string Plural(size_t count, const std::string& one, const std::string& many) {
  return absl::StrCat(FormatCount(count), " ", count == 1 ? one : many);
}

size_t CountStatus(const MltsResults& results, Status status) {
  return static_cast<size_t>(absl::c_count_if(
      results.benchmarks,
      [status](const BenchmarkResult& benchmark) { return benchmark.status == status; }));
}

// What is not right, in numbers.
Markup Remainder(const MltsResults& results) {
  std::vector<std::string> parts;
  const auto add = [&](size_t count, const std::string& one, const std::string& many) {
    if (count > 0) parts.push_back(Plural(count, one, many));
  };
  const size_t right = static_cast<size_t>(absl::c_count_if(results.benchmarks, IsRight));
  add(CountStatus(results, Status::RUN) - right, "has failed checks", "have failed checks");
  add(CountStatus(results, Status::FAILED), "was not run to its end by the driver",
      "were not run to their end by the driver");
  add(CountStatus(results, Status::UNREADABLE), "could not be read", "could not be read");
  add(CountStatus(results, Status::UNSUPPORTED), "is not supported", "are not supported");
  std::string text;
  for (const std::string& part : parts) absl::StrAppend(&text, text.empty() ? "" : "; ", part);
  return text.empty() ? Markup() : Element("p", {{"class", "soft"}}, absl::StrCat(text, "."));
}

// What failed, each with where and why.
Markup Failures(const MltsResults& results) {
  Markup items;
  const auto add = [&](const Markup& item) {
    items += Element("li", Element("span", {{"class", "sign wrong"}}, "✗") + item);
  };
  for (size_t i = 0; i < results.benchmarks.size(); ++i) {
    const BenchmarkResult& benchmark = results.benchmarks[i];
    if (benchmark.status == Status::FAILED || benchmark.status == Status::UNREADABLE) {
      add(BenchmarkLink(results, i) + Text(", ") +
          Element("strong", Text(OutcomeInWords(benchmark))) + Text(": ") +
          Isolated(benchmark.detail));
    }
    for (const CheckResult& check : benchmark.checks) {
      if (check.outcome != CheckResult::Outcome::FAIL) continue;
      add(BenchmarkLink(results, i) + Text(", ") + Element("strong", Isolated(check.name)) +
          Text(": ") + Isolated(check.detail));
    }
  }
  for (const StressResult& stress : results.stress) {
    if (!IsFailed(stress)) continue;
    add(Element("a", {{"href", "#stress"}}, Isolated(stress.name)) + Text(", ") +
        Element("strong", Text(std::string(toString(stress.status)))) + Text(": ") +
        Isolated(stress.detail));
  }
  for (const PerformanceClaim& claim : results.claims) {
    if (!IsOverstated(claim)) continue;
    add(Element("a", {{"href", "#claims"}}, Isolated(claim.operand_type)) + Text(", ") +
        Element("strong", Text("claimed speed")) + Text(": ") +
        Text(absl::StrCat(FormatNumber(claim.claimed), " of the CPU's time claimed, ",
                          FormatNumber(claim.measured.value), " measured")));
  }
  if (items.empty()) return Markup();
  return Element("h3", Text("What failed")) + Element("ul", {{"class", "plain"}}, items);
}

// Of a run of stress tests alone.
std::string StressHeadline(const MltsResults& results) {
  const size_t all = results.stress.size();
  const size_t failed = static_cast<size_t>(absl::c_count_if(results.stress, IsFailed));
  if (failed > 0) {
    return absl::StrCat(FormatCount(failed), " of ", Plural(all, "stress test", "stress tests"),
                        " failed.");
  }
  return absl::StrCat("None of ", Plural(all, "stress test", "stress tests"), " failed.");
}

Markup Headline(const MltsResults& results) {
  const size_t right = static_cast<size_t>(absl::c_count_if(results.benchmarks, IsRight));
  const size_t all = results.benchmarks.size();
  const std::string headline =
      all == 0 && !results.stress.empty() ? StressHeadline(results)
      : all == 0                          ? "No benchmark was run."
      : all == 1 && right == 1            ? "The benchmark is right."
      : right == all ? absl::StrCat("All ", FormatCount(all), " benchmarks are right.")
                     : absl::StrCat(FormatCount(right), " of ",
                                    Plural(all, "benchmark is", "benchmarks are"), " right.");
  return Element("p", {{"class", "headline"}}, headline) + Remainder(results) + Failures(results);
}

// The one figure of accuracy that says most of a benchmark.
Markup MainAccuracy(const AccuracyResult& accuracy) {
  if (!accuracy.top_k.empty()) return ShareFigure(accuracy.top_k[0].value) + Text(" %");
  if (accuracy.phone_error_rate.has_value()) {
    return Figure(*accuracy.phone_error_rate) + Text(" % phone errors");
  }
  if (accuracy.mel_cepstral_distance.has_value()) {
    return Figure(*accuracy.mel_cepstral_distance) + Text(" mel-cepstral");
  }
  if (accuracy.maximum_absolute_error.has_value()) {
    return Figure(*accuracy.maximum_absolute_error) + Text(" max. error");
  }
  return Markup();
}

Markup MainAccuracyOf(const BenchmarkResult& benchmark, const std::string& driver) {
  for (const AccuracyResult& accuracy : benchmark.accuracy) {
    if (accuracy.driver == driver) return MainAccuracy(accuracy);
  }
  return Markup();
}

// Differences of top-1, on an axis that has 0 in its middle.
Axis DifferenceAxis(const MltsResults& results) {
  double widest = 0.01;
  for (const BenchmarkResult& benchmark : results.benchmarks) {
    if (!benchmark.comparison.has_value()) continue;
    if (!benchmark.comparison->top_1_difference.has_value()) continue;
    const Estimate& difference = *benchmark.comparison->top_1_difference;
    for (const double end : {difference.low, difference.high}) {
      if (std::isfinite(end)) widest = std::max(widest, std::abs(end));
    }
  }
  widest = std::min(widest, 1.0);
  return Axis::Linear({-widest, widest}, kMarkFrom, kMarkTo);
}

// Multiples of the baseline's time, on an axis that has 1 in its middle.
Axis RatioAxis(const std::vector<std::optional<Estimate>>& ratios) {
  double widest = 1.5;
  for (const std::optional<Estimate>& ratio : ratios) {
    if (!ratio.has_value()) continue;
    for (const double end : {ratio->low, ratio->high}) {
      if (end > 0 && std::isfinite(end)) widest = std::max({widest, end, 1 / end});
    }
  }
  widest = std::min(widest, 100.0);
  return Axis::Logarithmic({1 / widest, widest}, kMarkFrom, kMarkTo);
}

Markup Overview(const MltsResults& results) {
  if (results.benchmarks.empty()) return Markup();
  std::vector<std::optional<Estimate>> ratios;
  for (const BenchmarkResult& benchmark : results.benchmarks) {
    ratios.push_back(TimeAgainstBaseline(benchmark, results));
  }
  const Axis by_ratio = RatioAxis(ratios);
  const Axis by_difference = DifferenceAxis(results);
  const std::string baseline =
      results.baseline.empty() ? "baseline" : Shortened(results.baseline, 24);
  Table table({{"benchmark", Table::Kind::TEXT},
               {"outcome", Table::Kind::TEXT},
               {"accuracy"},
               {absl::StrCat("of ", baseline)},
               {"worse | better", Table::Kind::MARK},
               {"points"},
               {"faster | slower", Table::Kind::MARK},
               {absl::StrCat("time of ", baseline, "'s")}},
              "sortable filtered");
  for (size_t i = 0; i < results.benchmarks.size(); ++i) {
    const BenchmarkResult& benchmark = results.benchmarks[i];
    const bool is_wrong = !IsRight(benchmark) && benchmark.status != Status::UNSUPPORTED;
    std::vector<Markup> cells = {
        BenchmarkLink(results, i),
        Element("span", {{"class", is_wrong ? "wrong" : ""}}, OutcomeInWords(benchmark)),
        MainAccuracyOf(benchmark, results.driver), MainAccuracyOf(benchmark, results.baseline)};
    if (benchmark.comparison.has_value() && benchmark.comparison->top_1_difference.has_value()) {
      const Estimate& difference = *benchmark.comparison->top_1_difference;
      cells.push_back(IntervalMark(by_difference, 0, difference.value, difference.low,
                                   difference.high, difference.high < 0));
      cells.push_back(ShareFigure(difference.value));
    } else {
      cells.resize(6);
    }
    if (ratios[i].has_value()) {
      const Estimate& ratio = *ratios[i];
      cells.push_back(IntervalMark(by_ratio, 1, ratio.value, ratio.low, ratio.high, false));
      cells.push_back(Figure(ratio.value));
    }
    table.AddRow(cells, is_wrong ? "wrong" : "");
  }
  return Element("section",
                 Element("h2", Text("All benchmarks")) +
                     Element("p", {{"class", "note"}},
                             "Lines are intervals that hold the true difference from the baseline "
                             "in 95 of 100 runs. "
                             "Times are medians by the wall clock, of the first way of executing "
                             "that both have.") +
                     table.Build());
}

Markup ClaimInWords(const PerformanceClaim& claim) {
  if (IsOverstated(claim)) {
    return Element("strong", {{"class", "wrong"}}, "slower than it claims to be");
  }
  if (claim.claimed > claim.measured.high) return Text("faster than it claims to be");
  if (claim.claimed < claim.measured.low) return Text("about as claimed");
  if (claim.claimed >= claim.measured.low) return Text("as claimed");
  return Text("not to be said");
}

Markup Claims(const MltsResults& results) {
  if (results.claims.empty()) return Markup();
  Table table({{"operand type", Table::Kind::TEXT}, {"claimed"}, {"measured, and to be reported"}});
  for (const PerformanceClaim& claim : results.claims) {
    // In words below the type: on a narrow screen there is no room for a column of their own.
    table.AddRow(
        {Text(claim.operand_type) + Element("div", {{"class", "note"}}, ClaimInWords(claim)),
         Figure(claim.claimed),
         FigureWithInterval(claim.measured.value, claim.measured.low, claim.measured.high)},
        IsOverstated(claim) ? "wrong" : "");
  }
  return Element(
      "section", {{"id", "claims"}},
      Element("h2", Text("What the driver says of its speed")) +
          Element("p", {{"class", "note"}},
                  "PerformanceInfo::execTime: the driver's time as a share of the CPU's; "
                  "less is faster. One that is slower than it claims by half as much again, "
                  "beyond the interval, claims too much.") +
          table.Build());
}

Markup Stress(const MltsResults& results) {
  if (results.stress.empty()) return Markup();
  Table table(
      {{"test", Table::Kind::TEXT}, {"outcome", Table::Kind::TEXT}, {"rounds"}, {"seconds"}});
  // Apart from the table, which on a narrow screen has no room for them.
  Markup details;
  for (const StressResult& stress : results.stress) {
    const bool is_wrong = IsFailed(stress);
    table.AddRow({Text(stress.name),
                  Element(is_wrong ? "strong" : "span", {{"class", is_wrong ? "wrong" : ""}},
                          std::string(toString(stress.status))),
                  Figure(stress.rounds), Figure(stress.seconds)},
                 is_wrong ? "wrong" : "");
    if (stress.detail.empty()) continue;
    details += Element("li", Element(is_wrong ? "strong" : "span", Isolated(stress.name)) +
                                 Text(": ") + Isolated(stress.detail));
  }
  return Element("section", {{"id", "stress"}},
                 Element("h2", Text("Stress")) + table.Build() +
                     (details.empty() ? details : Element("ul", details)));
}

Markup Footer() {
  return Element(
      "section",
      Element("h2", Text("How to read this page")) +
          Element("p",
                  Text("A benchmark is right when the driver ran it and none of its checks "
                       "failed. Figures in brackets are the ends of an interval that holds the "
                       "true value in 95 of 100 runs; two figures whose intervals have nothing "
                       "in common differ by more than chance.")) +
          Element("p", Text("A paired comparison counts the sequences that the driver and the "
                            "baseline classify differently: as both saw the same ones, it sees "
                            "differences that two shares side by side do not show.")) +
          Element("p", Text("Figures are rounded to three digits at least; results.json and "
                            "results.csv beside this page have them as they were measured.")));
}

}  // namespace

std::string MltsResultsToHtml(const MltsResults& results) {
  Markup body =
      Masthead(results) + Headline(results) + Overview(results) + Claims(results) + Stress(results);
  for (size_t i = 0; i < results.benchmarks.size(); ++i) body += BenchmarkPart(results, i);
  body += Footer();
  return WritePage(absl::StrCat(Shortened(results.driver, 80), ": real networks on real data"),
                   Element("main", body));
}

}  // namespace nncert
