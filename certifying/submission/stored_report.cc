// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/stored_report.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "certifying/report_folder.h"

namespace nncert {
namespace {

using Json = nlohmann::ordered_json;

// Reads members of objects, and remembers the first that is not as expected.
class MemberReader {
 public:
  std::string Text(const Json& object, const char* name) {
    const Json* const member = Find(object, name);
    if (member != nullptr && member->is_string()) return member->get<std::string>();
    return Miss(name, "a text"), "";
  }

  uint64_t Count(const Json& object, const char* name) {
    const Json* const member = Find(object, name);
    if (member != nullptr && member->is_number_unsigned()) return member->get<uint64_t>();
    return Miss(name, "a count"), 0;
  }

  bool Bool(const Json& object, const char* name) {
    const Json* const member = Find(object, name);
    if (member != nullptr && member->is_boolean()) return member->get<bool>();
    return Miss(name, "true or false"), false;
  }

  // A number; "NaN", "Infinity" and "-Infinity" are some.
  double Number(const Json& value, const char* name) {
    if (value.is_number()) return value.get<double>();
    if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (value == "Infinity") return std::numeric_limits<double>::infinity();
    if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
    return Miss(name, "a number"), 0;
  }

  absl::Duration Seconds(const Json& object, const char* name) {
    const Json* const member = Find(object, name);
    return absl::Seconds(Number(member == nullptr ? Json() : *member, name));
  }

  const Json& Array(const Json& object, const char* name) {
    const Json* const member = Find(object, name);
    if (member != nullptr && member->is_array()) return *member;
    Miss(name, "a list");
    return Nothing();
  }

  Verdict OneVerdict(const std::string& name) {
    const std::optional<Verdict> verdict = verdictFromString(name);
    if (verdict.has_value()) return *verdict;
    return Miss(name.c_str(), "a verdict"), Verdict::MISSING;
  }

  std::map<Verdict, uint64_t> Counts(const Json& object, const char* name) {
    const Json* const member = Find(object, name);
    std::map<Verdict, uint64_t> counts;
    if (member == nullptr || !member->is_object()) return Miss(name, "counts"), counts;
    for (const auto& [verdict, count] : member->items()) {
      if (!count.is_number_unsigned()) Miss(verdict.c_str(), "a count");
      counts[OneVerdict(verdict)] = count.is_number_unsigned() ? count.get<uint64_t>() : 0;
    }
    return counts;
  }

  // The texts of a list.
  std::vector<std::string> Texts(const Json& object, const char* name) {
    std::vector<std::string> texts;
    for (const Json& text : Array(object, name)) {
      if (!text.is_string()) Miss(name, "texts");
      texts.push_back(text.is_string() ? text.get<std::string>() : "");
    }
    return texts;
  }

  static const Json* Find(const Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto member = object.find(name);
    return member == object.end() ? nullptr : &*member;
  }

  void Miss(const char* name, const char* what) {
    if (status_.ok()) {
      status_ = absl::InvalidArgumentError(absl::StrCat("\"", name, "\" is not ", what));
    }
  }

  const absl::Status& status() const { return status_; }

 private:
  static const Json& Nothing() {
    static const auto* const nothing = new Json(Json::array());
    return *nothing;
  }

  absl::Status status_;
};

// Reads a report.
class ReportReader {
 public:
  ReportReader(bool is_strict, absl::Span<const SuiteWords> suites) : suites_(suites) {
    report_.is_strict = is_strict;
    report_.is_suite = true;
  }

  absl::StatusOr<StoredReport> Read(const Json& json, const Json& timing) {
    report_.driver = read_.Text(json, "driver");
    report_.driver_version = read_.Text(json, "driverVersion");
    report_.hal_version = read_.Text(json, "halVersion");
    report_.extensions = read_.Texts(json, "extensions");
    report_.left_out = read_.Texts(json, "leftOut");
    ReadMustPass(json);
    for (const Json& share : Optional(json, "support")) {
      report_.shares.push_back({read_.Text(share, "operation"), read_.Text(share, "type"),
                                read_.Count(share, "supported"), read_.Count(share, "cases")});
    }
    for (const Json& cell : Optional(json, "matrix")) {
      report_.matrix.push_back({read_.Text(cell, "operation"), read_.Text(cell, "type"),
                                read_.Text(cell, "version"), read_.Counts(cell, "counts")});
    }
    for (const Json& waiver : Optional(json, "waivers")) ReadWaiver(waiver);
    for (const Json& kind : Optional(json, "failures")) ReadKind(kind);
    if (const Json* const reruns = MemberReader::Find(json, "reruns")) {
      ReadReruns(*reruns, report_.reruns.emplace());
    }
    for (const Json& finding : read_.Array(json, "findings")) ReadFinding(finding);
    for (const Json& of_case : read_.Array(json, "cases")) ReadCase(of_case);
    ReadTiming(timing);
    ReadSuites(json, timing);
    StoredReport stored;
    stored.conclusion.certification = ReadCertification(json);
    stored.conclusion.reason = read_.Text(json, "reason");
    if (!read_.status().ok()) return read_.status();
    stored.report = std::move(report_);
    return stored;
  }

 private:
  // A list that need not be there.
  const Json& Optional(const Json& json, const char* name) {
    static const auto* const none = new Json(Json::array());
    return MemberReader::Find(json, name) == nullptr ? *none : read_.Array(json, name);
  }

  Certification ReadCertification(const Json& json) {
    const std::string text = read_.Text(json, "certification");
    for (const Certification certification :
         {Certification::CERTIFIED, Certification::NOT_CERTIFIED, Certification::INCOMPLETE}) {
      if (toString(certification) == text) return certification;
    }
    read_.Miss("certification", "one");
    return Certification::INCOMPLETE;
  }

  void ReadMustPass(const Json& json) {
    const Json* const list = MemberReader::Find(json, "mustPass");
    if (list == nullptr) return;
    MustPassOutcome& outcome = report_.must_pass.emplace();
    outcome.hal_version = read_.Text(*list, "halVersion");
    outcome.sha256 = read_.Text(*list, "sha256");
    outcome.tests = read_.Count(*list, "tests");
    outcome.results = read_.Count(*list, "results");
    for (const Json& missing : read_.Array(*list, "missing")) {
      outcome.missing.push_back({read_.Text(missing, "suite"), read_.Count(missing, "tests"),
                                 read_.Text(missing, "first")});
    }
  }

  void ReadWaiver(const Json& json) {
    WaiverUse& use = report_.waivers.emplace_back();
    use.waiver.vendor = read_.Text(json, "vendor");
    use.waiver.device = read_.Text(json, "device");
    use.waiver.driver_version = read_.Text(json, "driverVersion");
    use.waiver.test = read_.Text(json, "test");
    use.waiver.reason = read_.Text(json, "reason");
    use.waiver.url = read_.Text(json, "url");
    if (!absl::ParseCivilTime(read_.Text(json, "expires"), &use.waiver.expires)) {
      read_.Miss("expires", "a day");
    }
    const std::string state = read_.Text(json, "state");
    use.is_of_other_version = state == "other version";
    use.has_expired = state == "expired";
    use.failed = read_.Count(json, "failed");
    use.passed = read_.Count(json, "passed");
  }

  void ReadFinding(const Json& json) {
    Finding& finding = report_.findings.emplace_back();
    const std::optional<FindingKind> kind = findingKindFromString(read_.Text(json, "kind"));
    if (!kind.has_value()) read_.Miss("kind", "one of findings");
    finding.kind = kind.value_or(FindingKind::RULE);
    finding.operation = read_.Text(json, "operation");
    finding.type = read_.Text(json, "type");
    finding.count = read_.Count(json, "count");
    finding.detail = read_.Text(json, "detail");
  }

  void ReadCase(const Json& json) {
    CaseResult& result = report_.results.emplace_back();
    result.name = read_.Text(json, "name");
    result.mode = read_.Text(json, "mode") == ModeName(TestMode::kDynamic) ? TestMode::kDynamic
                                                                           : TestMode::kStatic;
    result.operation = read_.Text(json, "operation");
    result.type = read_.Text(json, "type");
    result.verdict = read_.OneVerdict(read_.Text(json, "verdict"));
    result.detail = read_.Text(json, "detail");
    if (MemberReader::Find(json, "deviation") != nullptr) {
      result.deviation = read_.Text(json, "deviation");
    }
  }

  void ReadKind(const Json& json) {
    FailureKind& kind = report_.failures.emplace_back();
    kind.suite = read_.Text(json, "suite");
    kind.operation = read_.Text(json, "operation");
    kind.type = read_.Text(json, "type");
    kind.verdict = read_.OneVerdict(read_.Text(json, "verdict"));
    kind.failed = read_.Count(json, "failed");
    if (MemberReader::Find(json, "of") != nullptr) kind.of = read_.Count(json, "of");
    kind.is_of_cases = IsSuiteOfCases(kind.suite);
    // The full name of a case, whose fixture says the mode.
    const std::string first = read_.Text(json, "first");
    if (!kind.is_of_cases) kind.first.name = first;
    for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
      const std::string prefix = absl::StrCat(std::string(FixtureName(mode)), ".");
      if (!kind.is_of_cases || !absl::StartsWith(first, prefix)) continue;
      kind.first.mode = mode;
      kind.first.name = first.substr(prefix.size());
    }
    kind.first.detail = read_.Text(json, "detail");
    if (const Json* const reproducer = MemberReader::Find(json, "reproducer")) {
      ReadReproducer(*reproducer, kind.reproducer.emplace());
    }
    for (const Json& of_cause : Optional(json, "causes")) {
      Cause& cause = kind.causes.emplace_back();
      cause.cause = read_.Text(of_cause, "cause");
      cause.rule = read_.Text(of_cause, "rule");
      cause.explained = read_.Count(of_cause, "explained");
      cause.of = read_.Count(of_cause, "of");
      cause.rivals = read_.Count(of_cause, "rivals");
      cause.failures = read_.Count(of_cause, "failures");
      for (std::string& operation : read_.Texts(of_cause, "operations")) {
        cause.operations.insert(std::move(operation));
      }
    }
    if (MemberReader::Find(json, "obstacle") != nullptr) {
      kind.obstacle = read_.Text(json, "obstacle");
    }
  }

  void ReadReproducer(const Json& json, Reproducer& reproducer) {
    reproducer.file = read_.Text(json, "file");
    reproducer.command = read_.Text(json, "command");
    reproducer.detail = read_.Text(json, "detail");
    reproducer.operations = read_.Count(json, "operations");
    reproducer.is_smallest = read_.Bool(json, "isSmallest");
    const Json* const elements = MemberReader::Find(json, "elements");
    if (elements == nullptr) return;
    WrongElements& wrong = reproducer.elements.emplace();
    wrong.criterion = read_.Text(*elements, "criterion");
    wrong.wrong = read_.Count(*elements, "wrong");
    wrong.compared = read_.Count(*elements, "compared");
    for (const Json& of_element : read_.Array(*elements, "worst")) {
      WrongElement& element = wrong.worst.emplace_back();
      element.example = read_.Count(of_element, "example");
      element.output = read_.Count(of_element, "output");
      element.place = read_.Text(of_element, "place");
      element.expected = Number(of_element, "expected").value_or(0);
      element.actual = Number(of_element, "actual").value_or(0);
      element.thresholds = Number(of_element, "thresholds");
      if (MemberReader::Find(of_element, "enclosure") == nullptr) continue;
      const Json& bounds = read_.Array(of_element, "enclosure");
      if (bounds.size() != 2) read_.Miss("enclosure", "two bounds");
      if (bounds.size() != 2) continue;
      element.lowest = read_.Number(bounds[0], "enclosure");
      element.highest = read_.Number(bounds[1], "enclosure");
    }
  }

  RunTally ReadTally(const Json& json, const char* name) {
    const Json* const tally = MemberReader::Find(json, name);
    if (tally == nullptr) return read_.Miss(name, "there"), RunTally();
    return {read_.Count(*tally, "failed"), read_.Count(*tally, "runs")};
  }

  void ReadReruns(const Json& json, RerunOutcome& outcome) {
    // A text that is not there is empty.
    const auto text = [this](const Json& object, const char* name) {
      return MemberReader::Find(object, name) == nullptr ? "" : read_.Text(object, name);
    };
    outcome.failing = read_.Count(json, "failing");
    outcome.again = read_.Count(json, "again");
    outcome.limit = text(json, "limit");
    for (const Json& of_case : read_.Array(json, "flaky")) {
      FlakyCase& flaky = outcome.flaky.emplace_back();
      flaky.name = read_.Text(of_case, "case");
      flaky.first = read_.OneVerdict(read_.Text(of_case, "first"));
      flaky.alone = ReadTally(of_case, "alone");
      flaky.after_others = ReadTally(of_case, "afterOthers");
      flaky.only_after = text(of_case, "onlyAfter");
      flaky.file = text(of_case, "file");
      flaky.command = text(of_case, "command");
    }
  }

  std::optional<double> Number(const Json& json, const char* name) {
    const Json* const number = MemberReader::Find(json, name);
    if (number == nullptr) return std::nullopt;
    return read_.Number(*number, name);
  }

  void ReadTiming(const Json& json) {
    std::string error;
    if (!absl::ParseTime(absl::RFC3339_full, read_.Text(json, "start"), &report_.start, &error)) {
      read_.Miss("start", "a time");
    }
    report_.duration = read_.Seconds(json, "seconds");
    const Json* const process = MemberReader::Find(json, "process");
    if (process == nullptr) return;
    ProcessReport& resources = report_.process.emplace();
    resources.restarts = static_cast<int>(
        std::min<uint64_t>(read_.Count(*process, "restarts"), std::numeric_limits<int>::max()));
    resources.cpu_time = read_.Seconds(*process, "cpuSeconds");
    resources.peak_memory = read_.Count(*process, "peakMemoryBytes");
  }

  // The suites in their order, and the sections of those whose tests are no cases.
  void ReadSuites(const Json& json, const Json& timing) {
    const Json& suites = read_.Array(json, "suites");
    const Json& times = read_.Array(timing, "suites");
    if (times.size() != suites.size()) return read_.Miss("suites", "those of the report");
    for (size_t i = 0; i < suites.size(); ++i) {
      SuiteTotal& total = report_.totals.emplace_back();
      total.name = read_.Text(suites[i], "name");
      total.run = read_.Count(suites[i], "cases");
      // The run is complete.
      total.planned = total.run;
      total.counts = read_.Counts(suites[i], "counts");
      total.duration = read_.Seconds(times[i], "seconds");
      if (IsSuiteOfCases(total.name)) continue;
      const auto words = absl::c_find_if(
          suites_, [&](const SuiteWords& candidate) { return candidate.name == total.name; });
      if (words == suites_.end()) return read_.Miss("suites", "those of this nncert");
      const Json* const member = MemberReader::Find(json, words->member.c_str());
      if (member == nullptr) return read_.Miss(words->member.c_str(), "there");
      SuiteSection& section = report_.sections.emplace_back();
      section.name = words->name;
      section.member = words->member;
      section.tests = words->tests;
      section.json = member->dump();
    }
  }

  const absl::Span<const SuiteWords> suites_;
  MemberReader read_;
  RunReport report_;
};

}  // namespace

absl::StatusOr<StoredReport> ReadStoredReport(const std::string& report, const std::string& timing,
                                              bool is_strict, absl::Span<const SuiteWords> suites) {
  const auto parse = [](const std::string& text) {
    return Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  };
  const Json json = parse(report);
  const Json times = parse(timing);
  if (!json.is_object()) {
    return absl::InvalidArgumentError(absl::StrCat(kJsonReportFile, " is no object of JSON"));
  }
  if (!times.is_object()) {
    return absl::InvalidArgumentError(absl::StrCat(kTimingFile, " is no object of JSON"));
  }
  absl::StatusOr<StoredReport> stored = ReportReader(is_strict, suites).Read(json, times);
  if (stored.ok()) return stored;
  return absl::InvalidArgumentError(
      absl::StrCat("the page of the report cannot be written: ", stored.status().message()));
}

}  // namespace nncert
