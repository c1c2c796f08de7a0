// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/coverage/coverage_report.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reference/catalogue.h"
#include "reference/extension.h"
#include "system/escape.h"

namespace nncert {
namespace {

void Add(MetShare& share, const MeasuredItem& item) {
  share.met += item.count > 0 ? 1 : 0;
  ++share.of;
}

std::map<CoverageKind, std::vector<std::string>> MissingOf(const MeasuredOperation& operation) {
  std::map<CoverageKind, std::vector<std::string>> missing;
  for (const MeasuredItem& measured : operation.items) {
    if (measured.count == 0) missing[measured.item.kind].push_back(measured.item.name);
  }
  return missing;
}

std::string ShareToJson(const MetShare& share) {
  return absl::StrCat("\"met\": ", share.met, ", \"of\": ", share.of);
}

std::string OperationToJson(const MeasuredOperation& operation, const Coverage& coverage) {
  std::vector<std::string> features;
  const auto found = coverage.operations.find({operation.operation, operation.type});
  if (found != coverage.operations.end()) {
    for (const auto& [feature, count] : found->second.features) {
      features.push_back(absl::StrCat(QuoteJson(feature), ": ", count));
    }
  }
  std::vector<std::string> missing;
  for (const auto& [kind, names] : MissingOf(operation)) {
    missing.push_back(absl::StrCat(QuoteJson(std::string(ToString(kind))), ": [",
                                   absl::StrJoin(names, ", ",
                                                 [](std::string* json, const std::string& name) {
                                                   json->append(QuoteJson(name));
                                                 }),
                                   "]"));
  }
  return absl::StrCat("\n    {\"operation\": ", QuoteJson(operation.operation),
                      ", \"type\": ", QuoteJson(operation.type), ", \"count\": ", operation.count,
                      ", \"features\": {", absl::StrJoin(features, ", "), "}, ",
                      ShareToJson(operation.Share()), ", \"missing\": {",
                      absl::StrJoin(missing, ", "), "}}");
}

MeasuredOperation Measure(const OperationDefinition& definition, OperandType type,
                          const Coverage& coverage) {
  MeasuredOperation measured = {definition.name(), NameOf(type), 0, {}};
  const auto found = coverage.operations.find({measured.operation, measured.type});
  const bool is_met = found != coverage.operations.end();
  if (is_met) measured.count = found->second.count;
  for (CoverageItem& item : CoverageItemsOf(definition, type)) {
    const uint64_t count = is_met ? item.CountIn(found->second) : 0;
    measured.items.push_back({std::move(item), count});
  }
  return measured;
}

}  // namespace

MetShare MeasuredOperation::Share() const {
  MetShare share;
  for (const MeasuredItem& item : items) Add(share, item);
  return share;
}

std::map<CoverageKind, MetShare> MeasuredOperation::Shares() const {
  std::map<CoverageKind, MetShare> shares;
  for (const MeasuredItem& item : items) Add(shares[item.item.kind], item);
  return shares;
}

std::vector<MeasuredOperation> MeasureCoverage(const Coverage& coverage) {
  std::vector<MeasuredOperation> measured;
  for (const auto operations : {AllOperations(), AllExtensionOperations()}) {
    for (const OperationDefinition* const definition : operations) {
      for (const OperandType type : FirstTypesOf(*definition)) {
        measured.push_back(Measure(*definition, type, coverage));
      }
    }
  }
  return measured;
}

std::map<CoverageKind, MetShare> SharesOf(const std::vector<MeasuredOperation>& operations) {
  std::map<CoverageKind, MetShare> shares;
  for (const MeasuredOperation& operation : operations) {
    for (const MeasuredItem& item : operation.items) Add(shares[item.item.kind], item);
  }
  return shares;
}

MetShare ShareOf(const std::vector<MeasuredOperation>& operations) {
  MetShare share;
  for (const MeasuredOperation& operation : operations) {
    for (const MeasuredItem& item : operation.items) Add(share, item);
  }
  return share;
}

std::string CoverageToJson(const Coverage& coverage) {
  const std::vector<MeasuredOperation> measured = MeasureCoverage(coverage);
  std::vector<std::string> kinds;
  for (const auto& [kind, share] : SharesOf(measured)) {
    kinds.push_back(absl::StrCat("\n    {\"kind\": ", QuoteJson(std::string(ToString(kind))), ", ",
                                 ShareToJson(share), "}"));
  }
  std::vector<std::string> operations;
  for (const MeasuredOperation& operation : measured) {
    operations.push_back(OperationToJson(operation, coverage));
  }
  std::vector<std::string> edges;
  for (const auto& [edge, count] : coverage.edges) {
    edges.push_back(absl::StrCat("\n    {\"from\": ", QuoteJson(edge.first), ", \"to\": ",
                                 QuoteJson(edge.second), ", \"count\": ", count, "}"));
  }
  return absl::StrCat("{\n  \"cases\": ", coverage.cases, ",\n  ", ShareToJson(ShareOf(measured)),
                      ",\n  \"kinds\": [", absl::StrJoin(kinds, ","), "\n  ],\n  \"operations\": [",
                      absl::StrJoin(operations, ","), "\n  ],\n  \"edges\": [",
                      absl::StrJoin(edges, ","), edges.empty() ? "" : "\n  ", "]\n}\n");
}

std::string CoverageToText(const Coverage& coverage) {
  const std::vector<MeasuredOperation> measured = MeasureCoverage(coverage);
  std::string text;
  for (const MeasuredOperation& operation : measured) {
    const MetShare share = operation.Share();
    if (operation.count > 0 && share.IsFull()) continue;
    absl::StrAppend(&text, operation.operation, " ", operation.type, ": ");
    if (operation.count == 0) {
      absl::StrAppend(&text, "never met\n");
      continue;
    }
    std::vector<std::string> missing;
    for (const auto& [kind, names] : MissingOf(operation)) {
      missing.insert(missing.end(), names.begin(), names.end());
    }
    absl::StrAppend(&text, share.met, " of ", share.of, "; not met: ", absl::StrJoin(missing, ", "),
                    "\n");
  }
  absl::StrAppend(&text, absl::StrFormat("%-20s %8s %8s\n", "", "met", "of"));
  const auto add = [&text](std::string_view name, const MetShare& share) {
    absl::StrAppend(&text,
                    absl::StrFormat("%-20s %8d %8d\n", std::string(name), share.met, share.of));
  };
  for (const auto& [kind, share] : SharesOf(measured)) add(Heading(kind), share);
  add("all", ShareOf(measured));
  absl::StrAppend(&text, coverage.cases, " cases: ", DescribeCoverage(coverage), "\n");
  return text;
}

}  // namespace nncert
