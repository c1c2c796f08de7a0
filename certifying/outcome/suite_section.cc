// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/suite_section.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "system/escape.h"

namespace nncert {
namespace {

// "3 of 22016 random graphs" and what they did.
std::string OfAll(const SuiteSection& section, uint64_t count, uint64_t all, const char* was,
                  const char* were, const char* what) {
  if (count == 0) return "";
  return absl::StrCat(count, " of ", all, " ", all == 1 ? section.test : section.tests, " ",
                      count == 1 ? was : were, what);
}

}  // namespace

std::string DescribeFailures(const SuiteSection& section) {
  return OfAll(section, section.failed, section.run, "", "", "failed");
}

std::string DescribeUnfinished(const SuiteSection& section) {
  return OfAll(section, section.planned - section.run, section.planned, "was", "were", " not run");
}

std::string SectionToJson(const SuiteSection& section) {
  const absl::string_view value = absl::StripSuffix(section.json, "\n");
  return absl::StrCat("  \"", EscapeJson(section.member),
                      "\": ", absl::StrReplaceAll(value, {{"\n", "\n  "}}), ",\n");
}

size_t JUnitTests(const SuiteSection& section) { return 1 + section.failures.size(); }

std::string SectionToJUnitXml(const SuiteSection& section) {
  const std::string unfinished = DescribeUnfinished(section);
  const std::string suite = EscapeXml(section.suite);
  std::string xml = absl::StrCat(
      "  <testsuite name=\"", suite, "\" tests=\"", JUnitTests(section), "\" failures=\"",
      section.failures.size(), "\" errors=\"", unfinished.empty() ? 0 : 1,
      "\" skipped=\"0\">\n    <testcase classname=\"", suite, "\" name=\"all_", section.planned);
  if (unfinished.empty()) {
    absl::StrAppend(&xml, "\"/>\n");
  } else {
    absl::StrAppend(&xml, "\">\n      <error message=\"", EscapeXml(unfinished),
                    "\" type=\"INCOMPLETE\"/>\n    </testcase>\n");
  }
  for (const auto& [result, tests] : section.failures) {
    const std::string verdict(toString(result.verdict));
    absl::StrAppend(&xml, "    <testcase classname=\"", suite, "\" name=\"",
                    EscapeXml(absl::StrCat(result.name, "_", result.operation, "_", result.type)),
                    "\">\n      <failure message=\"",
                    EscapeXml(absl::StrCat(verdict, ": ", FirstLine(result.detail))), "\" type=\"",
                    verdict, "\">", EscapeXml(result.detail), "</failure>\n    </testcase>\n");
  }
  absl::StrAppend(&xml, "  </testsuite>\n");
  return xml;
}

}  // namespace nncert
