// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/page/benchmark_part.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "mlts/page/accuracy_part.h"
#include "mlts/page/timing_part.h"
#include "pages/numbers.h"

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;
using Status = BenchmarkResult::Status;

std::string Anchor(size_t index) { return absl::StrCat("benchmark-", index + 1); }

Markup Sign(Outcome outcome) {
  switch (outcome) {
    case Outcome::PASS:
      return Element("span", {{"class", "sign"}, {"title", "PASS"}}, "✓");
    case Outcome::FAIL:
      return Element("span", {{"class", "sign wrong"}, {"title", "FAIL"}}, "✗");
    case Outcome::NOT_RUN:
      return Element("span", {{"class", "sign soft"}, {"title", "NOT_RUN"}}, "–");
  }
  return Markup();
}

Markup CheckItem(const CheckResult& check) {
  const bool is_wrong = check.outcome == Outcome::FAIL;
  Markup item = Sign(check.outcome) + Element(is_wrong ? "strong" : "span", Isolated(check.name));
  if (check.outcome == Outcome::NOT_RUN) item += Text(", not run");
  if (!check.detail.empty()) item += Text(": ") + Isolated(check.detail);
  return Element("li", item);
}

Markup Checks(const BenchmarkResult& benchmark) {
  Markup items;
  for (const Outcome outcome : {Outcome::FAIL, Outcome::NOT_RUN, Outcome::PASS}) {
    for (const CheckResult& check : benchmark.checks) {
      if (check.outcome == outcome) items += CheckItem(check);
    }
  }
  return items.empty() ? items : Element("ul", {{"class", "plain"}}, items);
}

Markup Problems(const BenchmarkResult& benchmark) {
  if (benchmark.problems.empty()) return Markup();
  Markup items;
  for (const std::string& problem : benchmark.problems) items += Element("li", Isolated(problem));
  return Element("h3", Text("Left out")) +
         Element("p", Text("What could not be read or done, though the rest could:")) +
         Element("ul", items);
}

Markup Facts(const BenchmarkResult& benchmark) {
  Markup facts = Isolated(benchmark.type);
  if (!benchmark.type.empty()) facts += Text(", ");
  facts += Figure(benchmark.operations) + Text(" operations");
  if (!benchmark.file.empty()) facts += Text("; ") + Isolated(benchmark.file);
  facts += EmptyElement("br", {}) + Text("SHA-256 ");
  facts += benchmark.sha256.empty() ? Text("none: the network is built in")
                                    : Element("span", {{"class", "mono"}}, benchmark.sha256);
  return Element("p", {{"class", "note"}}, facts);
}

}  // namespace

size_t CountFailedChecks(const BenchmarkResult& benchmark) {
  return static_cast<size_t>(absl::c_count_if(
      benchmark.checks, [](const CheckResult& check) { return check.outcome == Outcome::FAIL; }));
}

std::string OutcomeInWords(const BenchmarkResult& benchmark) {
  switch (benchmark.status) {
    case Status::RUN:
      if (IsRight(benchmark)) return "right";
      return absl::StrCat(CountFailedChecks(benchmark), " of ", benchmark.checks.size(),
                          " checks failed");
    case Status::UNSUPPORTED:
      return "not supported";
    case Status::FAILED:
      return "the driver failed";
    case Status::UNREADABLE:
      return "not readable";
  }
  return "unknown";
}

Markup BenchmarkLink(const MltsResults& results, size_t index) {
  return Element("a", {{"href", absl::StrCat("#", Anchor(index))}},
                 Isolated(results.benchmarks[index].name));
}

Markup BenchmarkPart(const MltsResults& results, size_t index) {
  const BenchmarkResult& benchmark = results.benchmarks[index];
  const bool is_wrong = !IsRight(benchmark) && benchmark.status != Status::UNSUPPORTED;
  Markup outcome = Element(is_wrong ? "strong" : "span", {{"class", is_wrong ? "wrong" : "soft"}},
                           OutcomeInWords(benchmark));
  if (!benchmark.detail.empty()) outcome += Text(": ") + Isolated(benchmark.detail);
  return Element("section", {{"id", Anchor(index)}, {"class", "benchmark"}},
                 Element("h2", Isolated(benchmark.name)) + Element("p", outcome) +
                     Facts(benchmark) + Checks(benchmark) + AccuracyPart(benchmark, results) +
                     LatencyPart(benchmark, results) + CompilationPart(benchmark, results) +
                     LeakPart(benchmark) + Problems(benchmark));
}

}  // namespace nncert
