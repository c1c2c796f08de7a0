// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/failure_kind.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "pages/numbers.h"
#include "system/escape.h"

namespace nncert {
namespace {

// JSON has finite numbers alone.
std::string NumberToJson(double value) {
  // "-0" would be read as an integer, which has no sign then.
  if (value == 0 && std::signbit(value)) return "-0.0";
  if (std::isfinite(value)) return FormatExactly(value);
  return std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
}

std::string ElementToJson(const WrongElement& element) {
  std::string json = absl::StrCat(
      "{\"example\": ", element.example, ", \"output\": ", element.output,
      ", \"place\": ", QuoteJson(element.place), ", \"expected\": ", NumberToJson(element.expected),
      ", \"actual\": ", NumberToJson(element.actual));
  if (element.thresholds.has_value()) {
    absl::StrAppend(&json, ", \"thresholds\": ", NumberToJson(*element.thresholds));
  }
  if (element.lowest.has_value() && element.highest.has_value()) {
    absl::StrAppend(&json, ", \"enclosure\": [", NumberToJson(*element.lowest), ", ",
                    NumberToJson(*element.highest), "]");
  }
  return absl::StrCat(json, "}");
}

std::string ElementsToJson(const WrongElements& elements) {
  return absl::StrCat("{\"criterion\": ", QuoteJson(elements.criterion),
                      ", \"wrong\": ", elements.wrong, ", \"compared\": ", elements.compared,
                      ", \"worst\": [\n          ",
                      absl::StrJoin(elements.worst, ",\n          ",
                                    [](std::string* json, const WrongElement& element) {
                                      json->append(ElementToJson(element));
                                    }),
                      "]}");
}

std::string ReproducerToJson(const Reproducer& reproducer) {
  std::string json = absl::StrCat("{\"file\": ", QuoteJson(reproducer.file),
                                  ",\n        \"command\": ", QuoteJson(reproducer.command),
                                  ",\n        \"detail\": ", QuoteJson(reproducer.detail),
                                  ",\n        \"operations\": ", reproducer.operations,
                                  ", \"isSmallest\": ", reproducer.is_smallest ? "true" : "false");
  if (reproducer.elements.has_value()) {
    absl::StrAppend(&json, ",\n        \"elements\": ", ElementsToJson(*reproducer.elements));
  }
  return absl::StrCat(json, "}");
}

std::string KindToJson(const FailureKind& kind) {
  std::string json = absl::StrCat(
      "    {\"suite\": ", QuoteJson(kind.suite), ", \"operation\": ", QuoteJson(kind.operation),
      ", \"type\": ", QuoteJson(kind.type), ", \"verdict\": \"",
      std::string(toString(kind.verdict)), "\", \"failed\": ", kind.failed);
  if (kind.of.has_value()) absl::StrAppend(&json, ", \"of\": ", *kind.of);
  absl::StrAppend(&json, ",\n      \"first\": ", QuoteJson(NameOfFirst(kind)),
                  ", \"detail\": ", QuoteJson(kind.first.detail));
  if (kind.reproducer.has_value()) {
    absl::StrAppend(&json, ",\n      \"reproducer\": ", ReproducerToJson(*kind.reproducer));
  }
  if (!kind.causes.empty()) {
    const std::string causes = CausesToJson(kind.causes);
    absl::StrAppend(&json, ",\n      \"causes\": ",
                    absl::StrReplaceAll(absl::StripSuffix(causes, "\n"), {{"\n", "\n      "}}));
  }
  if (!kind.obstacle.empty()) {
    absl::StrAppend(&json, ",\n      \"obstacle\": ", QuoteJson(kind.obstacle));
  }
  return absl::StrCat(json, "}");
}

}  // namespace

std::string NameOfFirst(const FailureKind& kind) {
  return kind.is_of_cases ? FullName(kind.first) : kind.first.name;
}

std::string FailureKindsToJson(absl::Span<const FailureKind> kinds) {
  if (kinds.empty()) return "[]";
  return absl::StrCat("[\n",
                      absl::StrJoin(kinds, ",\n",
                                    [](std::string* json, const FailureKind& kind) {
                                      json->append(KindToJson(kind));
                                    }),
                      "\n  ]");
}

}  // namespace nncert
