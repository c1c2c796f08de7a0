// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "system/escape.h"

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;

// What a benchmark's status is called among its checks.
constexpr char kStatus[] = "status";

// What was asserted in a run, by benchmark and name.
using Assertion = std::pair<std::string, std::string>;
using Assertions = std::map<Assertion, CheckResult>;

// Benchmarks by name; the first of each.
std::map<std::string, const BenchmarkResult*> ByName(const MltsResults& results) {
  std::map<std::string, const BenchmarkResult*> by_name;
  for (const BenchmarkResult& benchmark : results.benchmarks) {
    by_name.emplace(benchmark.name, &benchmark);
  }
  return by_name;
}

// A check or test of the same name twice is the failed one, if any failed.
void Add(Assertions& assertions, const std::string& benchmark, CheckResult check) {
  Assertion assertion{benchmark, check.name};
  const auto [entry, is_new] = assertions.emplace(std::move(assertion), check);
  if (!is_new && check.outcome == Outcome::FAIL) entry->second = std::move(check);
}

Assertions AssertionsOf(const MltsResults& results) {
  Assertions assertions;
  for (const auto& entry : ByName(results)) {
    const BenchmarkResult& benchmark = *entry.second;
    CheckResult status;
    status.name = kStatus;
    status.detail = std::string(toString(benchmark.status));
    if (!benchmark.detail.empty()) absl::StrAppend(&status.detail, ": ", benchmark.detail);
    switch (benchmark.status) {
      case BenchmarkResult::Status::RUN:
        status.outcome = Outcome::PASS;
        break;
      case BenchmarkResult::Status::UNSUPPORTED:
        status.outcome = Outcome::NOT_RUN;
        break;
      case BenchmarkResult::Status::FAILED:
      case BenchmarkResult::Status::UNREADABLE:
        status.outcome = Outcome::FAIL;
        break;
    }
    Add(assertions, benchmark.name, std::move(status));
    for (const CheckResult& check : benchmark.checks) Add(assertions, benchmark.name, check);
  }
  for (const StressResult& stress : results.stress) {
    CheckResult check;
    check.name = stress.name;
    check.outcome = IsFailed(stress)                                 ? Outcome::FAIL
                    : stress.status == StressResult::Status::NOT_RUN ? Outcome::NOT_RUN
                                                                     : Outcome::PASS;
    check.detail = std::string(toString(stress.status));
    if (!stress.detail.empty()) absl::StrAppend(&check.detail, ": ", stress.detail);
    Add(assertions, "stress", std::move(check));
  }
  return assertions;
}

FailureChange ChangeOf(FailureChange::Kind kind, const Assertion& assertion,
                       const std::string& detail) {
  FailureChange change;
  change.kind = kind;
  change.benchmark = assertion.first;
  change.name = assertion.second;
  change.detail = detail;
  return change;
}

std::vector<FailureChange> CompareFailures(const MltsResults& before, const MltsResults& after) {
  using Kind = FailureChange::Kind;
  const Assertions earlier = AssertionsOf(before);
  const Assertions later = AssertionsOf(after);
  std::vector<FailureChange> changes;
  for (const auto& [assertion, check] : later) {
    const auto was = earlier.find(assertion);
    if (assertion.second == kStatus && check.outcome == Outcome::NOT_RUN && was != earlier.end() &&
        was->second.outcome == Outcome::PASS) {
      changes.push_back(
          ChangeOf(Kind::NEW, assertion, absl::StrCat(check.detail, ", though it was run before")));
    }
    if (check.outcome != Outcome::FAIL) continue;
    const bool failed = was != earlier.end() && was->second.outcome == Outcome::FAIL;
    changes.push_back(ChangeOf(failed ? Kind::STILL_FAILING : Kind::NEW, assertion, check.detail));
  }
  for (const auto& [assertion, check] : earlier) {
    if (check.outcome != Outcome::FAIL) continue;
    const auto now = later.find(assertion);
    if (now == later.end()) {
      changes.push_back(ChangeOf(Kind::UNKNOWN, assertion, check.detail));
    } else if (now->second.outcome == Outcome::NOT_RUN) {
      changes.push_back(ChangeOf(Kind::UNKNOWN, assertion, now->second.detail));
    } else if (now->second.outcome == Outcome::PASS) {
      changes.push_back(ChangeOf(Kind::MENDED, assertion, now->second.detail));
    }
  }
  constexpr auto kRank = [](Kind kind) {
    switch (kind) {
      case Kind::NEW:
        return 0;
      case Kind::STILL_FAILING:
        return 1;
      case Kind::UNKNOWN:
        return 2;
      case Kind::MENDED:
        return 3;
    }
    return 4;
  };
  absl::c_stable_sort(changes, [&](const FailureChange& a, const FailureChange& b) {
    return kRank(a.kind) < kRank(b.kind);
  });
  return changes;
}

void Differ(std::vector<std::string>& circumstances, const std::string& what,
            const std::string& before, const std::string& after) {
  if (before == after) return;
  circumstances.push_back(absl::StrCat(what, " differs: ", before.empty() ? "unknown" : before,
                                       " before, ", after.empty() ? "unknown" : after, " after"));
}

std::vector<std::string> Circumstances(const MltsResults& before, const MltsResults& after) {
  std::vector<std::string> circumstances;
  Differ(circumstances, "the machine", before.machine, after.machine);
  for (const auto& [name, earlier] : ByName(before)) {
    const auto by_name = ByName(after);
    const auto later = by_name.find(name);
    if (later == by_name.end()) continue;
    Differ(circumstances, absl::StrCat("the model of ", name, " (SHA-256)"), earlier->sha256,
           later->second->sha256);
  }
  Differ(circumstances, "the driver", before.driver, after.driver);
  Differ(circumstances, "the driver's version", before.driver_version, after.driver_version);
  Differ(circumstances, "the HAL version", before.hal_version, after.hal_version);
  Differ(circumstances, "the device type", before.device_type, after.device_type);
  Differ(circumstances, "the baseline", before.baseline, after.baseline);
  Differ(circumstances, "nncert's version", before.nncert_version, after.nncert_version);
  for (const auto& [which, results] : {std::pair("earlier", &before), std::pair("later", &after)}) {
    if (!results->is_complete) {
      circumstances.push_back(absl::StrCat("the ", which, " run did not come to its end"));
    }
    std::set<std::string> names;
    for (const BenchmarkResult& benchmark : results->benchmarks) {
      if (!names.insert(benchmark.name).second) {
        circumstances.push_back(absl::StrCat("the ", which, " run has several benchmarks named ",
                                             benchmark.name, ": the first one counts"));
      }
    }
  }
  return circumstances;
}

// `is_more_better` of accuracies, not of times.
FigureChange CompareFigure(const std::string& benchmark, const std::string& figure,
                           const Estimate& before, const Estimate& after, bool is_more_better) {
  FigureChange change;
  change.benchmark = benchmark;
  change.figure = figure;
  change.before = before;
  change.after = after;
  // False of NaN: what is no number is no change.
  if (after.low > before.high) {
    change.kind = is_more_better ? FigureChange::Kind::BETTER : FigureChange::Kind::WORSE;
  } else if (after.high < before.low) {
    change.kind = is_more_better ? FigureChange::Kind::WORSE : FigureChange::Kind::BETTER;
  }
  return change;
}

template <typename Result>
const Result* OfDriver(const std::vector<Result>& results, const std::string& driver) {
  const auto found =
      absl::c_find_if(results, [&](const Result& result) { return result.driver == driver; });
  return found == results.end() ? nullptr : &*found;
}

const LatencyResult* FindLatency(const BenchmarkResult& benchmark, const std::string& driver,
                                 const std::string& executor) {
  for (const LatencyResult& latency : benchmark.latency) {
    if (latency.driver == driver && latency.executor == executor) return &latency;
  }
  return nullptr;
}

double Ratio(const FigureChange& change) { return change.after.value / change.before.value; }

double Difference(const FigureChange& change) { return change.after.value - change.before.value; }

// Sorts by a key in ascending order, with those whose key is no number at the end.
template <typename Key>
void SortBy(std::vector<FigureChange>& changes, const Key& key) {
  absl::c_stable_sort(changes, [&](const FigureChange& a, const FigureChange& b) {
    const double first = key(a);
    const double second = key(b);
    if (std::isnan(first) || std::isnan(second)) return !std::isnan(first) && std::isnan(second);
    return first < second;
  });
}

void CompareFigures(const MltsResults& before, const MltsResults& after,
                    RunComparison& comparison) {
  const auto by_name = ByName(after);
  for (const auto& [name, earlier] : ByName(before)) {
    const auto entry = by_name.find(name);
    if (entry == by_name.end()) continue;
    const BenchmarkResult& later = *entry->second;
    for (const LatencyResult& was : earlier->latency) {
      if (was.driver != before.driver) continue;
      const LatencyResult* now = FindLatency(later, after.driver, was.executor);
      if (now == nullptr) continue;
      comparison.latencies.push_back(CompareFigure(name, absl::StrCat("median of ", was.executor),
                                                   was.wall.p50, now->wall.p50,
                                                   /*is_more_better=*/false));
    }
    const AccuracyResult* was = OfDriver(earlier->accuracy, before.driver);
    const AccuracyResult* now = OfDriver(later.accuracy, after.driver);
    if (was == nullptr || now == nullptr || was->top_k.empty() || now->top_k.empty()) continue;
    comparison.accuracies.push_back(CompareFigure(name, "top 1", was->top_k[0], now->top_k[0],
                                                  /*is_more_better=*/true));
  }
  SortBy(comparison.latencies, [](const FigureChange& change) { return -Ratio(change); });
  SortBy(comparison.accuracies, [](const FigureChange& change) { return Difference(change); });
}

// Text of drivers, on one line for terminals.
std::string OneLine(const std::string& text) { return EscapeJson(text); }

std::string Milliseconds(const Estimate& time) {
  return absl::StrFormat("%.4g ms [%.4g, %.4g]", time.value / 1e3, time.low / 1e3, time.high / 1e3);
}

std::string Percent(const Estimate& share) {
  return absl::StrFormat("%.1f %% [%.1f, %.1f]", 100 * share.value, 100 * share.low,
                         100 * share.high);
}

// A heading and the changes that are none within the intervals; `measure` says by how much.
void AppendFigures(std::string& text, const std::string& heading,
                   absl::Span<const FigureChange> changes, const std::string& better,
                   const std::string& worse, std::string (*format)(const Estimate&),
                   std::string (*measure)(const FigureChange&)) {
  if (changes.empty()) return;
  absl::StrAppend(&text, heading, ":\n");
  size_t within = 0;
  for (const FigureChange& change : changes) {
    if (change.kind == FigureChange::Kind::WITHIN_INTERVALS) {
      ++within;
      continue;
    }
    absl::StrAppend(&text, "  ", change.kind == FigureChange::Kind::BETTER ? better : worse, "  ",
                    OneLine(change.benchmark), ", ", OneLine(change.figure), ": ",
                    format(change.before), " before, ", format(change.after), " after, ",
                    measure(change), "\n");
  }
  absl::StrAppend(&text, "  ", within, " of ", changes.size(),
                  " have intervals that overlap: no change is known\n");
}

void AppendNames(std::string& text, const std::string& heading,
                 absl::Span<const std::string> names) {
  if (names.empty()) return;
  absl::StrAppend(&text, heading, ":\n");
  for (const std::string& name : names) absl::StrAppend(&text, "  ", OneLine(name), "\n");
}

}  // namespace

std::string_view toString(FailureChange::Kind kind) {
  switch (kind) {
    case FailureChange::Kind::NEW:
      return "NEW";
    case FailureChange::Kind::MENDED:
      return "MENDED";
    case FailureChange::Kind::STILL_FAILING:
      return "STILL_FAILING";
    case FailureChange::Kind::UNKNOWN:
      return "UNKNOWN";
  }
  return "unknown";
}

RunComparison CompareRuns(const MltsResults& before, const MltsResults& after) {
  RunComparison comparison;
  comparison.circumstances = Circumstances(before, after);
  comparison.failures = CompareFailures(before, after);
  CompareFigures(before, after, comparison);
  const auto earlier = ByName(before);
  const auto later = ByName(after);
  for (const auto& entry : earlier) {
    if (!later.contains(entry.first)) comparison.only_before.push_back(entry.first);
  }
  for (const auto& entry : later) {
    if (!earlier.contains(entry.first)) comparison.only_after.push_back(entry.first);
  }
  return comparison;
}

std::string DescribeComparison(const RunComparison& comparison) {
  std::string text;
  AppendNames(text, "What differs about the runs themselves", comparison.circumstances);
  absl::StrAppend(&text,
                  comparison.failures.empty() ? "Failures: none in either run\n" : "Failures:\n");
  for (const FailureChange& failure : comparison.failures) {
    absl::StrAppend(&text, "  ", std::string(toString(failure.kind)), "  ",
                    OneLine(failure.benchmark), ", ", OneLine(failure.name));
    if (!failure.detail.empty()) absl::StrAppend(&text, ": ", OneLine(failure.detail));
    text += '\n';
  }
  AppendFigures(text, "Latency", comparison.latencies, "FASTER", "SLOWER", Milliseconds,
                [](const FigureChange& change) {
                  return absl::StrFormat("%.2f times as long", Ratio(change));
                });
  AppendFigures(text, "Accuracy", comparison.accuracies, "BETTER", "WORSE", Percent,
                [](const FigureChange& change) {
                  return absl::StrFormat("%+.1f points", 100 * Difference(change));
                });
  AppendNames(text, "Only in the earlier run", comparison.only_before);
  AppendNames(text, "Only in the later run", comparison.only_after);
  return text;
}

bool IsWorse(const RunComparison& comparison) {
  const auto is_worse = [](const FigureChange& change) {
    return change.kind == FigureChange::Kind::WORSE;
  };
  return absl::c_any_of(comparison.latencies, is_worse) ||
         absl::c_any_of(comparison.accuracies, is_worse) ||
         absl::c_any_of(comparison.failures,
                        [](const FailureChange& failure) {
                          return failure.kind == FailureChange::Kind::NEW ||
                                 failure.kind == FailureChange::Kind::UNKNOWN;
                        }) ||
         !comparison.only_before.empty();
}

}  // namespace nncert
