// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/must_pass_list.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "system/digest.h"

namespace nncert {
namespace {

constexpr absl::string_view kFirstLine = "nncert-must-pass-list 1";
constexpr absl::string_view kUnnamed = "unnamed";

std::string SuiteLine(const ListedSuite& suite) {
  const bool is_unnamed = suite.tests.empty() && suite.count > 0;
  return absl::StrCat("suite ", suite.name, " ", suite.count, " ", suite.content,
                      is_unnamed ? " " : "", is_unnamed ? kUnnamed : "", "\n");
}

absl::Status Unexpected(size_t line, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", line + 1, " of a must-pass list: expected ", what));
}

// The one word behind `key` and a space; nothing where the line is another.
std::optional<std::string> WordBehind(absl::string_view key, absl::string_view line) {
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  if (words.size() != 2 || words[0] != key || words[1].empty()) return std::nullopt;
  return std::string(words[1]);
}

// The suite of a line, without its tests; nothing where the line is of no suite.
std::optional<ListedSuite> SuiteOf(absl::string_view line, bool& is_unnamed) {
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  is_unnamed = words.size() == 5 && words[4] == kUnnamed;
  if ((words.size() != 4 && !is_unnamed) || words[0] != "suite") return std::nullopt;
  ListedSuite suite = {.name = std::string(words[1]), .content = std::string(words[3])};
  if (!absl::SimpleAtoi(words[2], &suite.count) || suite.name.empty() || suite.content.empty()) {
    return std::nullopt;
  }
  return suite;
}

// The verdicts of tests, by results that come in the same order.
template <typename Results, typename NameOf, typename VerdictOf>
std::vector<Verdict> VerdictsOf(const std::vector<std::string>& tests, const Results& results,
                                const NameOf& name_of, const VerdictOf& verdict_of) {
  std::vector<Verdict> verdicts;
  verdicts.reserve(tests.size());
  size_t next = 0;
  for (const std::string& test : tests) {
    const bool has_result = next < results.size() && name_of(results[next]) == test;
    verdicts.push_back(has_result ? verdict_of(results[next]) : Verdict::MISSING);
    next += has_result ? 1 : 0;
  }
  return verdicts;
}

const SuiteSection* FindSection(const RunReport& report, const std::string& name) {
  const auto section = absl::c_find_if(
      report.sections, [&](const SuiteSection& candidate) { return candidate.name == name; });
  return section == report.sections.end() ? nullptr : &*section;
}

// The verdicts of the named tests of a suite.
std::vector<Verdict> VerdictsOf(const RunReport& report, const ListedSuite& suite) {
  absl::Span<const CaseResult> left = report.results;
  for (const CaseSuite& cases : report.case_suites) {
    const absl::Span<const CaseResult> results = left.subspan(0, cases.results);
    left.remove_prefix(results.size());
    if (cases.name != suite.name) continue;
    return VerdictsOf(
        suite.tests, results, [](const CaseResult& result) { return FullName(result); },
        [](const CaseResult& result) { return result.verdict; });
  }
  const SuiteSection* const section = FindSection(report, suite.name);
  if (section == nullptr) return std::vector<Verdict>(suite.tests.size(), Verdict::MISSING);
  return VerdictsOf(
      suite.tests, section->results, [](const TestVerdict& result) { return result.name; },
      [](const TestVerdict& result) { return result.verdict; });
}

}  // namespace

absl::StatusOr<ListedSuite> ListCases(const char* name, absl::Span<const CaseInMode> cases) {
  const absl::StatusOr<uint64_t> digest = DigestCases(cases);
  if (!digest.ok()) return digest.status();
  ListedSuite suite = {
      .name = name, .count = cases.size(), .content = absl::StrFormat("%016x", *digest)};
  for (const CaseInMode& entry : cases) suite.tests.push_back(FullName(entry));
  return suite;
}

uint64_t MustPassList::Tests() const {
  uint64_t tests = 0;
  for (const ListedSuite& suite : suites) tests += suite.count;
  return tests;
}

std::string MustPassListToText(const MustPassList& list) {
  std::string text =
      absl::StrCat(kFirstLine, "\nnncert ", list.nncert, "\nhal ", list.hal_version, "\n");
  for (const ListedSuite& suite : list.suites) {
    text += SuiteLine(suite);
    for (const std::string& test : suite.tests) absl::StrAppend(&text, test, "\n");
  }
  return text;
}

absl::StatusOr<MustPassList> ParseMustPassList(std::string_view text) {
  if (text.empty() || text.back() != '\n') return Unexpected(0, "a text whose last line ends");
  text.remove_suffix(1);
  const std::vector<absl::string_view> lines =
      absl::StrSplit(absl::string_view(text.data(), text.size()), '\n');
  const auto line = [&](size_t i) { return i < lines.size() ? lines[i] : absl::string_view(); };
  if (line(0) != kFirstLine) return Unexpected(0, absl::StrCat("\"", kFirstLine, "\""));
  MustPassList list;
  const std::optional<std::string> version = WordBehind("nncert", line(1));
  if (!version.has_value()) return Unexpected(1, "\"nncert VERSION\"");
  list.nncert = *version;
  const std::optional<std::string> hal_version = WordBehind("hal", line(2));
  if (!hal_version.has_value()) return Unexpected(2, "\"hal VERSION\"");
  list.hal_version = *hal_version;
  for (size_t i = 3; i < lines.size();) {
    bool is_unnamed = false;
    std::optional<ListedSuite> suite = SuiteOf(lines[i], is_unnamed);
    if (!suite.has_value()) return Unexpected(i, "\"suite NAME COUNT CONTENT\"");
    ++i;
    if (!is_unnamed && suite->count > lines.size() - i) {
      return Unexpected(lines.size(), absl::StrCat(suite->count, " tests of ", suite->name));
    }
    for (uint64_t test = 0; !is_unnamed && test < suite->count; ++test, ++i) {
      if (lines[i].empty()) return Unexpected(i, "the name of a test");
      suite->tests.emplace_back(lines[i]);
    }
    list.suites.push_back(*std::move(suite));
  }
  // What is written otherwise is another text, with another hash.
  if (absl::StrCat(absl::string_view(text.data(), text.size()), "\n") != MustPassListToText(list)) {
    return Unexpected(lines.size(), "numbers as MustPassListToText writes them");
  }
  return list;
}

std::string HashOf(const MustPassList& list) { return Sha256(MustPassListToText(list)); }

ListVerdicts CompareWithList(const RunReport& report, const MustPassList& list) {
  ListVerdicts compared;
  MustPassOutcome& outcome = compared.outcome;
  outcome.hal_version = list.hal_version;
  outcome.sha256 = HashOf(list);
  outcome.tests = list.Tests();
  for (const ListedSuite& suite : list.suites) {
    compared.verdicts.push_back(VerdictsOf(report, suite));
    const std::vector<Verdict>& verdicts = compared.verdicts.back();
    MissingTests missing = {.suite = suite.name};
    if (suite.tests.empty()) {
      const SuiteSection* const section = FindSection(report, suite.name);
      missing.tests = suite.count - std::min(suite.count, section == nullptr ? 0 : section->run);
    } else {
      missing.tests = static_cast<uint64_t>(absl::c_count(verdicts, Verdict::MISSING));
      if (missing.tests > 0) {
        missing.first = suite.tests[static_cast<size_t>(absl::c_find(verdicts, Verdict::MISSING) -
                                                        verdicts.begin())];
      }
    }
    outcome.results += suite.count - missing.tests;
    if (missing.tests > 0) outcome.missing.push_back(std::move(missing));
  }
  return compared;
}

std::string VerdictsToText(const RunReport& report, const MustPassList& list,
                           const ListVerdicts& verdicts) {
  std::string text;
  for (size_t i = 0; i < list.suites.size(); ++i) {
    const ListedSuite& suite = list.suites[i];
    text += SuiteLine(suite);
    for (size_t test = 0; test < suite.tests.size(); ++test) {
      absl::StrAppend(&text, std::string(toString(verdicts.verdicts[i][test])), " ",
                      suite.tests[test], "\n");
    }
    const SuiteSection* const section = FindSection(report, suite.name);
    if (!suite.tests.empty() || section == nullptr) continue;
    for (const auto& [verdict, count] : section->counts) {
      absl::StrAppend(&text, std::string(toString(verdict)), " ", count, "\n");
    }
  }
  return text;
}

}  // namespace nncert
