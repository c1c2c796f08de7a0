// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/comparison.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "certifying/report.h"
#include "certifying/report_folder.h"
#include "certifying/timing.h"
#include "harness/records/case_result.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostLines = 20;

absl::Status NoReport(const std::string& name, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat(name, " is no report.json: ", what));
}

// A member that is a text; nothing where it is none.
std::optional<std::string> TextOf(const Json& object, const char* name) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

// A member that is an array of objects; nothing where it is none.
std::optional<std::vector<const Json*>> ObjectsOf(const Json& object, const char* name) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_array()) return std::nullopt;
  std::vector<const Json*> objects;
  for (const Json& element : *member) {
    if (!element.is_object()) return std::nullopt;
    objects.push_back(&element);
  }
  return objects;
}

std::optional<Verdict> VerdictOf(const Json& object) {
  const std::optional<std::string> name = TextOf(object, "verdict");
  return name.has_value() ? verdictFromString(*name) : std::nullopt;
}

absl::Status AddCases(const Json& report, const std::string& name, ReportedRun& run) {
  const auto cases = ObjectsOf(report, "cases");
  if (!cases.has_value()) return NoReport(name, "expected \"cases\", an array of objects");
  for (const Json* const one : *cases) {
    const std::optional<std::string> mode = TextOf(*one, "mode");
    const std::optional<std::string> of_case = TextOf(*one, "name");
    const std::optional<Verdict> verdict = VerdictOf(*one);
    if (!mode.has_value() || !of_case.has_value() || !verdict.has_value()) {
      return NoReport(name, "a case has no name, mode or verdict");
    }
    run.tests[absl::StrCat(*mode, " ", *of_case)] = {*verdict, TextOf(*one, "detail").value_or("")};
  }
  return absl::OkStatus();
}

// A suite that is a member of its own: its checks, and its failures.
void AddSuite(const std::string& name, const Json& suite, ReportedRun& run) {
  for (const Json* const check : ObjectsOf(suite, "checks").value_or(std::vector<const Json*>())) {
    const std::optional<std::string> of_check = TextOf(*check, "name");
    const auto passed = check->find("passed");
    const bool has_passed =
        passed != check->end() && passed->is_number_unsigned() && passed->get<uint64_t>() > 0;
    if (of_check.has_value() && has_passed) {
      run.tests[absl::StrCat(name, ": ", *of_check)] = {Verdict::PASS, ""};
    }
  }
  for (const Json* const failure :
       ObjectsOf(suite, "failures").value_or(std::vector<const Json*>())) {
    const std::optional<Verdict> verdict = VerdictOf(*failure);
    if (!verdict.has_value()) continue;
    const std::string of_failure =
        TextOf(*failure, "check")
            .value_or(absl::StrCat(std::string(toString(*verdict)), " ",
                                   TextOf(*failure, "operation").value_or(""), " ",
                                   TextOf(*failure, "type").value_or("")));
    run.tests[absl::StrCat(name, ": ", of_failure)] = {*verdict,
                                                       TextOf(*failure, "detail").value_or("")};
  }
}

// How long the suites took.
absl::Status AddTiming(const std::string& text, const std::string& name, ReportedRun& run) {
  if (text.empty()) return absl::OkStatus();
  const Json timing = Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  const auto suites =
      timing.is_object() ? ObjectsOf(timing, "suites") : std::optional<std::vector<const Json*>>();
  if (!suites.has_value() || timing.value("format", Json()) != kTimingFormat) {
    return absl::InvalidArgumentError(absl::StrCat(
        kTimingFile, " of ", name, ": expected \"format\": ", kTimingFormat, " and \"suites\""));
  }
  for (const Json* const suite : *suites) {
    const auto seconds = suite->find("seconds");
    const std::optional<std::string> of_suite = TextOf(*suite, "name");
    if (of_suite.has_value() && seconds != suite->end() && seconds->is_number()) {
      run.seconds[*of_suite] = seconds->get<double>();
    }
  }
  return absl::OkStatus();
}

// A heading with some of the lines; nothing without any.
void AppendLines(std::string& text, const char* heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  absl::StrAppend(&text, "\n", heading, " (", lines.size(), ")\n");
  for (size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
    absl::StrAppend(&text, "  ", lines[i], "\n");
  }
  if (lines.size() > kMostLines) {
    absl::StrAppend(&text, "  and ", lines.size() - kMostLines, " more\n");
  }
}

std::vector<std::string> LinesOf(const std::vector<ChangedTest>& changes) {
  std::vector<std::string> lines;
  for (const ChangedTest& change : changes) {
    std::string& line =
        lines.emplace_back(absl::StrCat(change.name, ": ", std::string(toString(change.before))));
    if (change.after != change.before) {
      absl::StrAppend(&line, ", now ", std::string(toString(change.after)));
    }
    absl::StrAppend(&line, change.detail.empty() ? "" : ": ", change.detail);
  }
  return lines;
}

Json ChangesToJson(const std::vector<ChangedTest>& changes) {
  Json json = Json::array();
  for (const ChangedTest& change : changes) {
    json.push_back({{"test", change.name},
                    {"before", std::string(toString(change.before))},
                    {"after", std::string(toString(change.after))},
                    {"detail", change.detail}});
  }
  return json;
}

}  // namespace

absl::StatusOr<ReportedRun> ParseReportedRun(const std::string& report_text,
                                             const std::string& timing, const std::string& name) {
  const Json report = Json::parse(report_text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!report.is_object()) return NoReport(name, "it is no object of JSON");
  const auto format = report.find("format");
  if (format == report.end() || *format != kReportFormat) {
    return NoReport(name, absl::StrCat("expected \"format\": ", kReportFormat));
  }
  ReportedRun run;
  run.driver = TextOf(report, "driver").value_or("");
  run.driver_version = TextOf(report, "driverVersion").value_or("");
  run.certification = TextOf(report, "certification").value_or("");
  if (absl::Status status = AddCases(report, name, run); !status.ok()) return status;
  if (absl::Status status = AddTiming(timing, name, run); !status.ok()) return status;
  for (const auto& [member, value] : report.items()) {
    if (value.is_object() && value.contains("failures")) AddSuite(member, value, run);
  }
  return run;
}

absl::StatusOr<ReportedRun> ReadReportedRun(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text.status();
  const std::string timing_path = std::filesystem::path(path).replace_filename(kTimingFile);
  const absl::StatusOr<std::string> timing = ReadWholeFile(timing_path);
  if (!timing.ok() && !absl::IsNotFound(timing.status())) return timing.status();
  return ParseReportedRun(*text, timing.ok() ? *timing : "", path);
}

Comparison Compare(const ReportedRun& before, const ReportedRun& after) {
  Comparison comparison;
  for (const auto& [name, test] : after.tests) {
    const auto found = before.tests.find(name);
    const bool was_there = found != before.tests.end();
    const Verdict old = was_there ? found->second.verdict : Verdict::MISSING;
    const ChangedTest change = {name, old, test.verdict,
                                FailsSuite(test.verdict) ? FirstLine(test.detail) : ""};
    if (FailsSuite(test.verdict)) {
      (was_there && FailsSuite(old) ? comparison.still_failing : comparison.failing_now)
          .push_back(change);
    } else if (!was_there) {
      comparison.added.push_back(name);
    } else if (FailsSuite(old)) {
      comparison.mended.push_back(change);
    } else if (old != test.verdict) {
      comparison.otherwise_changed.push_back(change);
    }
  }
  for (const auto& [name, test] : before.tests) {
    if (after.tests.contains(name)) continue;
    // A kind of failure that no longer is there is mended where its suite was run again.
    const bool is_case = name.find(": ") == std::string::npos;
    if (FailsSuite(test.verdict) && !is_case) {
      comparison.mended.push_back({name, test.verdict, Verdict::MISSING, ""});
    } else {
      comparison.gone.push_back(name);
    }
  }
  for (const auto& [suite, seconds] : after.seconds) {
    const auto found = before.seconds.find(suite);
    if (found == before.seconds.end()) continue;
    if (seconds > 1.5 * found->second && seconds > found->second + 1) {
      comparison.slower.push_back({suite, found->second, seconds});
    }
  }
  return comparison;
}

std::string DescribeComparison(const ReportedRun& before, const ReportedRun& after,
                               const Comparison& comparison) {
  const auto name = [](const ReportedRun& run) {
    return absl::StrCat(run.driver, run.driver_version.empty() ? "" : ": ", run.driver_version,
                        ", ", run.certification);
  };
  std::string text = absl::StrCat("Before: ", name(before), "\nAfter:  ", name(after), "\n");
  AppendLines(text, "Fails now", LinesOf(comparison.failing_now));
  AppendLines(text, "Still fails", LinesOf(comparison.still_failing));
  AppendLines(text, "Mended", LinesOf(comparison.mended));
  AppendLines(text, "Changed otherwise", LinesOf(comparison.otherwise_changed));
  AppendLines(text, "No longer run", comparison.gone);
  AppendLines(text, "Not run before", comparison.added);
  if (!comparison.slower.empty()) absl::StrAppend(&text, "\nSlower\n");
  for (const ChangedTime& change : comparison.slower) {
    absl::StrAppendFormat(&text, "  %s: %.1f s, now %.1f s\n", change.suite, change.before,
                          change.after);
  }
  absl::StrAppend(&text, "\n", comparison.failing_now.size(), " fail now, ",
                  comparison.mended.size(), " are mended, ", comparison.still_failing.size(),
                  " still fail\n");
  return text;
}

std::string ComparisonToJson(const Comparison& comparison) {
  Json slower = Json::array();
  for (const ChangedTime& change : comparison.slower) {
    slower.push_back({{"suite", change.suite}, {"before", change.before}, {"after", change.after}});
  }
  const Json json = {{"failingNow", ChangesToJson(comparison.failing_now)},
                     {"mended", ChangesToJson(comparison.mended)},
                     {"stillFailing", ChangesToJson(comparison.still_failing)},
                     {"otherwiseChanged", ChangesToJson(comparison.otherwise_changed)},
                     {"gone", comparison.gone},
                     {"added", comparison.added},
                     {"slower", slower}};
  return absl::StrCat(json.dump(2, ' ', false, Json::error_handler_t::replace), "\n");
}

}  // namespace nncert
