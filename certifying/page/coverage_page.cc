// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/page/coverage_page.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "cases/coverage/coverage_items.h"
#include "cases/coverage/coverage_report.h"
#include "pages/charts.h"
#include "pages/markup.h"
#include "pages/numbers.h"
#include "pages/page.h"

namespace nncert {
namespace {

// Those of one operation, by type.
using Operation = std::vector<const MeasuredOperation*>;

double RatioOf(const MetShare& share) {
  return share.of == 0 ? 1 : static_cast<double>(share.met) / static_cast<double>(share.of);
}

// "3/4", sorted by what it comes to.
Markup ShareCell(const MetShare& share) {
  const char* const style = share.IsFull() ? "share full" : share.met == 0 ? "share none" : "share";
  return Element("data", {{"class", style}, {"value", FormatExactly(RatioOf(share))}},
                 absl::StrCat(FormatCount(share.met), "/", FormatCount(share.of)));
}

// "FLOAT32": the types of tensors are what most are.
std::string ShortType(const std::string& type) {
  return std::string(absl::StripPrefix(type, "TENSOR_"));
}

std::string AnchorOf(const std::string& operation) { return absl::StrCat("operation-", operation); }

Markup Masthead(const Coverage& coverage, const std::vector<MeasuredOperation>& measured,
                const std::string& subject) {
  const MetShare all = ShareOf(measured);
  const auto never =
      std::count_if(measured.begin(), measured.end(),
                    [](const MeasuredOperation& operation) { return operation.count == 0; });
  const Markup headline = Figure(all.met) + Text(" of ") + Figure(all.of) + Text(" items met, ") +
                          ShareFigure(RatioOf(all)) + Text(" %");
  const Markup facts =
      Fact("Cases", Figure(coverage.cases) + Text(" of ") + Isolated(subject)) +
      Fact("Operations by type", Figure(measured.size() - static_cast<size_t>(never)) +
                                     Text(" of ") + Figure(measured.size()) + Text(" met"));
  return Element("header", Element("p", {{"class", "soft"}}, "What test cases ask of operations") +
                               Element("h1", Text("Coverage")) +
                               Element("p", {{"class", "headline"}}, headline) +
                               Element("dl", {{"class", "facts"}}, facts));
}

Markup Kinds(const std::vector<MeasuredOperation>& measured) {
  Table table({{"kind", Table::Kind::TEXT}, {"met", {}}, {"of", {}}, {"%", {}}});
  for (const auto& [kind, share] : SharesOf(measured)) {
    table.AddRow({Text(std::string(Heading(kind))), Figure(share.met), Figure(share.of),
                  ShareFigure(RatioOf(share))});
  }
  return Element("section", {{"id", "kinds"}}, Element("h2", Text("By kind")) + table.Build());
}

Markup Matrix(const std::vector<MeasuredOperation>& measured) {
  std::vector<Table::Column> columns = {
      {"operation", Table::Kind::TEXT}, {"type", Table::Kind::TEXT}, {"times", {}}, {"all", {}}};
  for (const CoverageKind kind : AllCoverageKinds()) {
    columns.push_back({std::string(Heading(kind)), {}});
  }
  Table table(std::move(columns), "sortable filtered matrix");
  for (const MeasuredOperation& operation : measured) {
    const MetShare all = operation.Share();
    std::vector<Markup> cells = {
        Element("a", {{"href", absl::StrCat("#", AnchorOf(operation.operation))}},
                Text(operation.operation)),
        Text(ShortType(operation.type)), Figure(operation.count), ShareCell(all)};
    const std::map<CoverageKind, MetShare> shares = operation.Shares();
    for (const CoverageKind kind : AllCoverageKinds()) {
      const auto share = shares.find(kind);
      cells.push_back(share == shares.end() ? Markup() : ShareCell(share->second));
    }
    table.AddRow(cells, all.IsFull() ? "" : "wrong");
  }
  return Element(
      "section", {{"id", "matrix"}},
      Element("h2", Text("Operations")) +
          Element("p", {{"class", "note"}},
                  "Items met of those that the catalogue says can be met, for each type "
                  "of the first input. Where a cell is empty there is nothing to meet.") +
          table.Build());
}

// How often an item was met with each type.
std::vector<Markup> CountCells(const std::string& name, const Operation& operation,
                               bool& is_missing) {
  std::vector<Markup> cells;
  for (const MeasuredOperation* const of_type : operation) {
    const auto found =
        std::find_if(of_type->items.begin(), of_type->items.end(),
                     [&name](const MeasuredItem& measured) { return measured.item.name == name; });
    if (found == of_type->items.end()) {
      cells.emplace_back();
    } else if (found->count > 0) {
      cells.push_back(Figure(found->count));
    } else {
      is_missing = true;
      cells.push_back(Element("data", {{"class", "share none"}, {"value", "0"}}, "0"));
    }
  }
  return cells;
}

// The names of the items of all types, in the order of their kinds.
std::vector<std::pair<CoverageKind, std::string>> ItemsOf(const Operation& operation) {
  std::vector<std::pair<CoverageKind, std::string>> names;
  for (const MeasuredOperation* const of_type : operation) {
    for (const MeasuredItem& measured : of_type->items) {
      std::pair<CoverageKind, std::string> name = {measured.item.kind, measured.item.name};
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(std::move(name));
      }
    }
  }
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return names;
}

Markup OperationPart(const Operation& operation) {
  std::vector<Table::Column> columns = {{"item", Table::Kind::TEXT}, {"kind", Table::Kind::TEXT}};
  MetShare all;
  for (const MeasuredOperation* const of_type : operation) {
    columns.push_back({ShortType(of_type->type), {}});
    const MetShare share = of_type->Share();
    all.met += share.met;
    all.of += share.of;
  }
  Table table(std::move(columns), "sortable");
  for (const auto& [kind, name] : ItemsOf(operation)) {
    bool is_missing = false;
    std::vector<Markup> cells = {Text(name), Text(std::string(Heading(kind)))};
    for (Markup& cell : CountCells(name, operation, is_missing)) cells.push_back(std::move(cell));
    table.AddRow(cells, is_missing ? "wrong" : "");
  }
  const std::string& name = operation.front()->operation;
  return Element(
      "details", {{"id", AnchorOf(name)}},
      Element("summary", Text(absl::StrCat(name, " ")) + ShareCell(all)) + table.Build());
}

Markup Operations(const std::vector<MeasuredOperation>& measured) {
  Markup parts;
  for (size_t i = 0; i < measured.size();) {
    Operation operation;
    const std::string& name = measured[i].operation;
    for (; i < measured.size() && measured[i].operation == name; ++i) {
      operation.push_back(&measured[i]);
    }
    parts += OperationPart(operation);
  }
  return Element("section", {{"id", "items"}},
                 Element("h2", Text("Every item")) +
                     Element("p", {{"class", "note"}},
                             "How many operations of the cases met it, for each type.") +
                     parts);
}

}  // namespace

std::string CoverageToHtml(const Coverage& coverage, const std::string& subject) {
  const std::vector<MeasuredOperation> measured = MeasureCoverage(coverage);
  return WritePage(absl::StrCat(Shortened(subject, 80), ": coverage"),
                   Element("main", Masthead(coverage, measured, subject) + Kinds(measured) +
                                       Matrix(measured) + Operations(measured)));
}

}  // namespace nncert
