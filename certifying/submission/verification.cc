// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/verification.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "cases/case_file.h"
#include "certifying/outcome/waivers.h"
#include "certifying/report.h"
#include "certifying/report_folder.h"
#include "certifying/timing.h"
#include "certifying/version.h"
#include "harness/case_driver.h"
#include "harness/records/answers_file.h"
#include "harness/records/case_result.h"
#include "harness/records/finding.h"
#include "harness/records/journal.h"
#include "harness/records/verdict.h"
#include "system/digest.h"
#include "system/escape.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using Json = nlohmann::ordered_json;

constexpr absl::string_view kCasePrefix = "failures/";
constexpr absl::string_view kSmallestPrefix = "smallest/";

// What is always there, in its order, and what may be there behind it.
constexpr const char* kNeeded[] = {kStatementFile, kMustPassFile,    kVerdictsFile, kJsonReportFile,
                                   kTimingFile,    kFailureListFile, kAnswersFile};

Json Parse(const std::string& text) {
  return Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
}

std::string TextOf(const Json& object, const char* name) {
  if (!object.is_object()) return "";
  const auto member = object.find(name);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

// A member that is an array; an empty one where it is none.
const Json& ArrayOf(const Json& object, const char* name) {
  static const auto* const empty = new Json(Json::array());
  if (!object.is_object()) return *empty;
  const auto member = object.find(name);
  return member != object.end() && member->is_array() ? *member : *empty;
}

std::string NameOfCase(size_t number) { return absl::StrCat(kCasePrefix, number, ".case"); }

// Where a dumped case is in the folder that it was dumped into, which may be called otherwise by
// now: "failures/add.case".
std::optional<std::string> PlaceInFolder(const std::string& path) {
  for (const char* const folder : {kSmallestFolder, kFailuresFolder}) {
    const std::string part = absl::StrCat("/", folder, "/");
    const size_t place = path.rfind(part);
    if (place != std::string::npos) return path.substr(place + 1);
  }
  return std::nullopt;
}

// The files of the smallest cases that a report names, one for each kind of failure that has one.
std::vector<std::string> SmallestOf(const Json& report) {
  std::vector<std::string> files;
  for (const Json& kind : ArrayOf(report, "failures")) {
    if (!kind.is_object() || !kind.contains("reproducer")) continue;
    files.push_back(TextOf(kind["reproducer"], "file"));
  }
  return files;
}

absl::Status CheckCase(const std::string& bytes) {
  return ParseCaseFile(absl::MakeSpan(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()))
      .status();
}

// A test of the verdicts, or of unnamed ones how many came to a verdict.
struct ListedVerdict {
  std::string name;
  Verdict verdict = Verdict::MISSING;
  uint64_t count = 1;
};

// The verdicts of a suite.
struct SuiteVerdicts {
  std::string name;
  std::vector<ListedVerdict> verdicts;

  std::map<std::string, uint64_t> Counts() const {
    std::map<std::string, uint64_t> counts;
    for (const ListedVerdict& verdict : verdicts) {
      counts[std::string(toString(verdict.verdict))] += verdict.count;
    }
    return counts;
  }
};

// Verifies the files of one submission.
class Verifier {
 public:
  Verifier(absl::Span<const PackagedFile> files, const OwnCertification& own) : own_(own) {
    for (const PackagedFile& file : files) {
      names_.push_back(file.name);
      files_[file.name] = &file.content;
    }
  }

  absl::StatusOr<Verification> Verify() {
    CheckFiles();
    if (!result_.problems.empty()) return std::move(result_);
    const absl::Status listed = CheckList();
    if (!listed.ok()) return listed;
    if (!result_.problems.empty()) return std::move(result_);
    CheckVerdicts();
    CheckStatement();
    CheckReport();
    CheckWaivers();
    CheckFailures();
    CheckSmallest();
    if (result_.problems.empty()) {
      if (absl::Status judged = CheckAnswers(); !judged.ok()) return judged;
    }
    return std::move(result_);
  }

 private:
  template <typename... Texts>
  void Complain(const Texts&... texts) {
    result_.problems.push_back(absl::StrCat(texts...));
  }

  const std::string& File(const char* name) const { return *files_.at(name); }

  // The lines of a file; nothing, which is said, where its last one has no end.
  std::optional<std::vector<std::string>> LinesOf(const char* name) {
    std::vector<std::string> lines = absl::StrSplit(File(name), '\n');
    if (!lines.back().empty()) {
      Complain(name, " does not end with a line");
      return std::nullopt;
    }
    lines.pop_back();
    return lines;
  }

  // All files are there, in their order, and no others.
  void CheckFiles() {
    std::vector<std::string> expected(std::begin(kNeeded), std::end(kNeeded));
    if (files_.contains(kWaiversFile)) expected.emplace_back(kWaiversFile);
    const auto smallest = static_cast<size_t>(std::count_if(
        names_.begin(), names_.end(),
        [](const std::string& name) { return absl::StartsWith(name, kSmallestPrefix); }));
    const size_t cases = names_.size() - std::min(names_.size(), expected.size() + smallest);
    for (size_t i = 1; i <= cases; ++i) expected.push_back(NameOfCase(i));
    for (size_t i = 1; i <= smallest; ++i) expected.push_back(NameOfSmallest(i));
    for (size_t i = 0; i < expected.size(); ++i) {
      if (i < names_.size() && names_[i] == expected[i]) continue;
      return Complain("file ", i + 1, " is ", i < names_.size() ? names_[i] : "not there",
                      "; expected ", expected[i]);
    }
    report_ = Parse(File(kJsonReportFile));
    statement_ = Parse(File(kStatementFile));
    timing_ = Parse(File(kTimingFile));
    if (!report_.is_object() || report_.value("format", Json()) != kReportFormat) {
      Complain(kJsonReportFile, " is no report of format ", kReportFormat);
    }
    if (!statement_.is_object()) Complain(kStatementFile, " is no object of JSON");
    if (!timing_.is_object() || timing_.value("format", Json()) != kTimingFormat) {
      Complain(kTimingFile, " is not of format ", kTimingFormat);
    }
  }

  absl::Status CheckList() {
    absl::StatusOr<MustPassList> list = ParseMustPassList(File(kMustPassFile));
    if (!list.ok()) {
      Complain(std::string(list.status().message()));
      return absl::OkStatus();
    }
    list_ = *std::move(list);
    result_.hal_version = list_.hal_version;
    result_.nncert = list_.nncert;
    result_.tests = list_.Tests();
    result_.list_sha256 = HashOf(list_);
    if (list_.nncert != kVersion) {
      Complain("it was made by nncert ", list_.nncert, ", and this is ", kVersion,
               ", which does not know its must-pass list and cannot judge its answers");
      return absl::OkStatus();
    }
    const absl::StatusOr<MustPassList> own = own_.make_list(list_.hal_version);
    if (!own.ok()) return own.status();
    if (list_ != *own) {
      Complain("its must-pass list has the SHA-256 ", result_.list_sha256, "; expected ",
               HashOf(*own), ", that of HAL ", list_.hal_version);
    }
    return absl::OkStatus();
  }

  // The verdicts follow the list, line by line.
  void CheckVerdicts() {
    const std::optional<std::vector<std::string>> lines = LinesOf(kVerdictsFile);
    if (!lines.has_value()) return;
    // A line of the list is "suite ..." or a name: the same lines stand here, names behind
    // verdicts.
    std::vector<std::string> listed = absl::StrSplit(MustPassListToText(list_), '\n');
    listed.pop_back();
    listed.erase(listed.begin(), listed.begin() + 3);
    size_t next = 0;
    for (size_t i = 0; i < lines->size(); ++i) {
      const std::string& line = (*lines)[i];
      const bool is_suite = next < listed.size() && listed[next] == line;
      if (is_suite && absl::StartsWith(line, "suite ")) {
        suites_.push_back({std::vector<std::string>(absl::StrSplit(line, ' '))[1], {}});
        ++next;
        continue;
      }
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(line, absl::MaxSplits(' ', 1));
      const std::optional<Verdict> verdict = verdictFromString(parts.first);
      const size_t suite = suites_.size() - 1;
      if (!verdict.has_value() || suites_.empty()) {
        return Complain(kVerdictsFile, ", line ", i + 1, ": expected a verdict and a test");
      }
      ListedVerdict entry = {parts.second, *verdict};
      if (list_.suites[suite].tests.empty()) {
        if (!absl::SimpleAtoi(parts.second, &entry.count)) {
          return Complain(kVerdictsFile, ", line ", i + 1, ": expected a verdict and a number");
        }
      } else if (next >= listed.size() || listed[next++] != parts.second) {
        return Complain(kVerdictsFile, ", line ", i + 1, ": ", parts.second,
                        " is not the next test of the must-pass list");
      }
      suites_[suite].verdicts.push_back(std::move(entry));
    }
    if (next < listed.size()) {
      return Complain(kVerdictsFile, " ends before the must-pass list does, at ", listed[next]);
    }
    for (size_t i = 0; i < suites_.size(); ++i) {
      uint64_t count = 0;
      for (const ListedVerdict& entry : suites_[i].verdicts) count += entry.count;
      if (count != list_.suites[i].count) {
        Complain(suites_[i].name, " has ", count, " verdicts of ", list_.suites[i].count);
      }
      for (const ListedVerdict& entry : suites_[i].verdicts) {
        if (entry.verdict != Verdict::MISSING) continue;
        Complain(suites_[i].name, ": ", entry.name, " is MISSING");
        break;
      }
    }
  }

  // The report has the same verdicts, and comes to what follows from them.
  void CheckReport() {
    result_.certification = TextOf(report_, "certification");
    result_.reason = TextOf(report_, "reason");
    const Json outcome = report_.value("mustPass", Json::object());
    if (TextOf(outcome, "sha256") != result_.list_sha256 ||
        outcome.value("tests", Json()) != list_.Tests() ||
        outcome.value("results", Json()) != list_.Tests() || !ArrayOf(outcome, "missing").empty()) {
      Complain("the report is not of every test of its must-pass list");
    }
    if (!ArrayOf(report_, "leftOut").empty() || report_.contains("unfinished") ||
        report_.contains("lost")) {
      Complain("the report is not of a complete run");
    }
    CheckCases();
    const Json& suites = ArrayOf(report_, "suites");
    if (suites.size() != suites_.size()) Complain("the report is not of every suite of its list");
    for (size_t i = 0; i < std::min(suites.size(), suites_.size()); ++i) {
      Json counts = Json::object();
      for (const auto& [verdict, count] : suites_[i].Counts()) counts[verdict] = count;
      const Json reported = suites[i].is_object() ? suites[i].value("counts", Json()) : Json();
      const bool is_same =
          reported.is_object() && reported.size() == counts.size() &&
          std::all_of(counts.items().begin(), counts.items().end(), [&](const auto& item) {
            return reported.value(item.key(), Json()) == item.value();
          });
      if (TextOf(suites[i], "name") != suites_[i].name || !is_same) {
        Complain("the report's counts of ", suites_[i].name, " are not those of its verdicts");
      }
    }
    CheckCertification();
  }

  void CheckCases() {
    const Json& cases = ArrayOf(report_, "cases");
    size_t next = 0;
    for (const SuiteVerdicts& suite : suites_) {
      if (!IsSuiteOfCases(suite.name)) continue;
      for (const ListedVerdict& entry : suite.verdicts) {
        if (next >= cases.size()) return Complain("the report has too few cases");
        const Json& reported = cases[next++];
        const TestMode mode =
            TextOf(reported, "mode") == "dynamic" ? TestMode::kDynamic : TestMode::kStatic;
        const std::string name =
            absl::StrCat(std::string(FixtureName(mode)), ".", TextOf(reported, "name"));
        if (name != entry.name || TextOf(reported, "verdict") != toString(entry.verdict)) {
          return Complain("case ", next, " of the report, ", name, ", is not ", entry.name,
                          " with the verdict ", std::string(toString(entry.verdict)));
        }
        claimed_.push_back({entry.name, entry.verdict, TextOf(reported, "detail")});
        if (IsFailure(entry.verdict)) failing_.push_back(entry.name);
        if (entry.verdict == Verdict::WAIVED) waived_.push_back(entry.name);
      }
    }
    if (next != cases.size()) Complain("the report has cases that are on no list");
  }

  // CERTIFIED takes that nothing failed and nothing is open; NOT CERTIFIED that something failed or
  // that nothing passed.
  void CheckCertification() {
    RunReport is_strict;
    is_strict.is_strict = result_.is_strict;
    bool is_failed = !ArrayOf(report_, "failures").empty();
    bool is_open = false;
    for (const SuiteVerdicts& suite : suites_) {
      for (const ListedVerdict& entry : suite.verdicts) {
        // What random graphs with hostile elements come to does not always count.
        is_failed = is_failed || (FailsSuite(entry.verdict) && suite.name != kRandomGraphs);
        is_open = is_open || (IsSuiteOfCases(suite.name) && entry.verdict == Verdict::UNDECIDED);
      }
    }
    for (const Json& finding : ArrayOf(report_, "findings")) {
      const std::optional<FindingKind> kind = findingKindFromString(TextOf(finding, "kind"));
      is_failed = is_failed || (kind.has_value() && FailsRun(*kind, is_strict));
    }
    if (result_.certification == "CERTIFIED" && (is_failed || is_open)) {
      Complain("the report says CERTIFIED, where ",
               is_failed ? "something failed" : "cases are open");
    }
    if (result_.certification != "CERTIFIED" && result_.certification != "NOT CERTIFIED" &&
        result_.certification != "INCOMPLETE") {
      Complain("the report does not say whether the driver is certified");
    }
  }

  void CheckStatement() {
    result_.driver = TextOf(statement_, "driver");
    result_.driver_version = TextOf(statement_, "driverVersion");
    result_.driver_sha256 = TextOf(statement_, "driverSha256");
    const Json strict = statement_.value("strict", Json());
    if (!strict.is_boolean()) Complain("the statement does not say whether the run was strict");
    result_.is_strict = strict == true;
    for (const char* const name : {"nncert", "driver", "driverVersion", "halVersion"}) {
      if (TextOf(statement_, name) == TextOf(report_, name)) continue;
      Complain("the statement's ", name, " is not that of the report");
    }
    if (statement_.value("extensions", Json()) != report_.value("extensions", Json())) {
      Complain("the statement's extensions are not those of the report");
    }
    if (TextOf(report_, "halVersion") != list_.hal_version) {
      Complain("the report is of HAL ", TextOf(report_, "halVersion"),
               ", and the must-pass list of HAL ", list_.hal_version);
    }
  }

  // Each waived case is named by a waiver that held on the day of the run.
  void CheckWaivers() {
    for (const SuiteVerdicts& suite : suites_) {
      if (IsSuiteOfCases(suite.name)) continue;
      for (const ListedVerdict& entry : suite.verdicts) {
        if (entry.verdict == Verdict::WAIVED) waived_.push_back(entry.name);
      }
    }
    if (waived_.empty()) return;
    if (!files_.contains(kWaiversFile)) return Complain("tests are waived by no waivers");
    absl::StatusOr<std::vector<Waiver>> waivers = ParseWaivers(File(kWaiversFile), kWaiversFile);
    if (!waivers.ok()) return Complain(std::string(waivers.status().message()));
    absl::Time start;
    std::string error;
    if (!absl::ParseTime(absl::RFC3339_full, TextOf(timing_, "start"), &start, &error)) {
      return Complain(kTimingFile, " does not say when the run began");
    }
    const absl::StatusOr<std::unique_ptr<RunWaivers>> run =
        RunWaivers::Create(*std::move(waivers), TextOf(report_, "driverVersion"),
                           absl::ToCivilDay(start, absl::UTCTimeZone()));
    if (!run.ok()) return Complain(std::string(run.status().message()));
    for (const std::string& name : waived_) {
      if ((*run)->Find(name, /*has_failed=*/true) != nullptr) continue;
      return Complain(name, " is WAIVED, and no waiver names it");
    }
  }

  // Each case of the list of failing ones is a case that fails, and can be read.
  void CheckFailures() {
    const std::optional<std::vector<std::string>> lines = LinesOf(kFailureListFile);
    if (!lines.has_value()) return;
    std::set<std::string> failing(failing_.begin(), failing_.end());
    failing.insert(waived_.begin(), waived_.end());
    for (size_t i = 0; i < lines->size(); ++i) {
      const std::string& name = (*lines)[i];
      const auto file = files_.find(NameOfCase(i + 1));
      if (!failing.contains(name) || file == files_.end()) {
        return Complain(kFailureListFile, ", line ", i + 1, ": ", name,
                        file == files_.end() ? " has no case" : " does not fail");
      }
      if (const absl::Status parsed = CheckCase(*file->second); !parsed.ok()) {
        return Complain(file->first, ": ", std::string(parsed.message()));
      }
    }
    if (files_.contains(NameOfCase(lines->size() + 1))) {
      Complain(NameOfCase(lines->size() + 1), " is of no case in ", kFailureListFile);
    }
    result_.failing_cases = failing_.size();
  }

  // Each kind of failure of the report that has a smallest case has that.
  void CheckSmallest() {
    const size_t smallest = SmallestOf(report_).size();
    for (size_t i = 1; i <= smallest; ++i) {
      const auto file = files_.find(NameOfSmallest(i));
      if (file == files_.end()) {
        return Complain("the smallest case of a kind of failure is not there: ", NameOfSmallest(i));
      }
      if (const absl::Status parsed = CheckCase(*file->second); !parsed.ok()) {
        return Complain(file->first, ": ", std::string(parsed.message()));
      }
    }
    if (files_.contains(NameOfSmallest(smallest + 1))) {
      Complain(NameOfSmallest(smallest + 1), " is of no kind of failure of the report");
    }
  }

  // What the driver answered comes to the verdicts.
  absl::Status CheckAnswers() {
    const absl::StatusOr<std::vector<CaseInMode>> cases = own_.make_cases();
    if (!cases.ok()) return cases.status();
    const std::optional<hal::HalVersion> version = hal::halVersionFromString(list_.hal_version);
    if (!version.has_value() || cases->size() != claimed_.size()) {
      return absl::InternalError("the must-pass list is not of the cases that this nncert has");
    }
    AnsweringDriver driver = {.hal_version = *version};
    for (const Json& extension : ArrayOf(statement_, "extensions")) {
      if (extension.is_string()) driver.extensions.insert(extension.get<std::string>());
    }
    result_.cases = cases->size();
    result_.second =
        JudgeAgain(File(kAnswersFile), *cases, claimed_, driver, std::max<size_t>(own_.jobs, 1));
    for (const std::string& problem : result_.second->problems) {
      Complain(kAnswersFile, ": ", problem);
    }
    return absl::OkStatus();
  }

  const OwnCertification& own_;
  std::vector<std::string> names_;
  std::map<std::string, const std::string*> files_;
  Json report_;
  Json statement_;
  Json timing_;
  MustPassList list_;
  std::vector<SuiteVerdicts> suites_;
  // Full names of cases that failed, and of tests that are waived.
  std::vector<std::string> failing_;
  std::vector<std::string> waived_;
  // What the package says of the cases.
  std::vector<ClaimedResult> claimed_;
  Verification result_;
};

}  // namespace

std::string NameOfSmallest(size_t place) { return absl::StrCat(kSmallestPrefix, place, ".case"); }

absl::StatusOr<std::string> PackFolder(const std::string& folder) {
  const std::filesystem::path root = folder;
  std::vector<PackagedFile> files;
  std::error_code error;
  if (!std::filesystem::exists(root / kStatementFile, error)) {
    return absl::FailedPreconditionError(
        absl::StrCat("there is no ", kStatementFile, " in ", folder,
                     "; expected the folder of a complete run of nncert certify"));
  }
  std::string failures;
  std::vector<PackagedFile> cases;
  const absl::StatusOr<JournalContent> journal = Journal::Read((root / kJournalFile).string());
  if (!journal.ok()) return journal.status();
  std::map<size_t, const CaseResult*> results;
  for (const JournalEntry& entry : journal->results) results[entry.index] = &entry.result;
  for (const auto& [index, result] : results) {
    if (!IsFailure(result->verdict) || result->dumped_files.empty()) continue;
    const std::string& path = result->dumped_files.front();
    const std::optional<size_t> place = NameInFailures(path);
    if (!place.has_value()) continue;
    const absl::StatusOr<std::string> bytes =
        ReadWholeFile((root / kFailuresFolder / path.substr(*place)).string());
    if (!bytes.ok()) return bytes.status();
    absl::StrAppend(&failures, FullName(*result), "\n");
    cases.push_back({NameOfCase(cases.size() + 1), *bytes});
  }
  uint64_t case_count = 0;  // by the list, which comes before the answers
  std::vector<std::string> smallest_cases;
  for (const std::string_view name : kNeeded) {
    absl::StatusOr<std::string> text;
    if (name == kAnswersFile) {
      text = CompleteAnswers(root / name, case_count, kMostPackagedBytes);
    } else if (name == kFailureListFile) {
      text = failures;
    } else {
      text = ReadWholeFile(root / name);
    }
    if (!text.ok()) return text.status();
    if (name == kMustPassFile) {
      const absl::StatusOr<MustPassList> list = ParseMustPassList(*text);
      if (!list.ok()) return list.status();
      for (const ListedSuite& suite : list->suites) {
        if (IsSuiteOfCases(suite.name)) case_count += suite.count;
      }
    }
    if (name == kJsonReportFile) smallest_cases = SmallestOf(Parse(*text));
    files.push_back({std::string(name), *std::move(text)});
  }
  if (std::filesystem::exists(root / kWaiversFile, error)) {
    const absl::StatusOr<std::string> text = ReadWholeFile((root / kWaiversFile).string());
    if (!text.ok()) return text.status();
    files.push_back({kWaiversFile, *text});
  }
  for (PackagedFile& file : cases) files.push_back(std::move(file));
  size_t smallest = 0;
  for (const std::string& path : smallest_cases) {
    const std::optional<std::string> place = PlaceInFolder(path);
    const absl::StatusOr<std::string> bytes =
        ReadWholeFile(place.has_value() ? (root / *place).string() : path);
    if (!bytes.ok()) return bytes.status();
    files.push_back({NameOfSmallest(++smallest), *bytes});
  }
  return WritePackage(files);
}

absl::StatusOr<Verification> VerifySubmission(absl::Span<const PackagedFile> files,
                                              const OwnCertification& own) {
  return Verifier(files, own).Verify();
}

std::string DescribeSecondJudgement(const Verification& verification) {
  if (!verification.second.has_value()) {
    return "What the driver answered was not judged again, since the package is refused before";
  }
  const SecondJudgement& second = *verification.second;
  const uint64_t tests = verification.tests - verification.cases;
  return absl::StrCat("Judged again by the driver's answers: ", second.judged, " of ",
                      verification.cases, " cases; of ", second.without_outputs,
                      " it gave no outputs. Not judged again: ", tests,
                      " tests of calls and random graphs, and the findings");
}

std::string DescribeVerification(const Verification& verification) {
  std::string text = absl::StrCat(
      "Driver ", verification.driver, verification.driver_version.empty() ? "" : ": ",
      verification.driver_version, ", HAL ", verification.hal_version, ", by nncert ",
      verification.nncert, "\nSHA-256 of its file: ",
      verification.driver_sha256.empty() ? "none, it is a service" : verification.driver_sha256,
      "\nMust-pass list: ", verification.tests, " tests, SHA-256 ", verification.list_sha256, "\n",
      verification.certification, ": ", verification.reason, "\n",
      DescribeSecondJudgement(verification), "\n");
  for (const std::string& problem : verification.problems) {
    absl::StrAppend(&text, "REFUSED: ", problem, "\n");
  }
  if (verification.problems.empty()) {
    absl::StrAppend(
        &text,
        "ACCEPTED: the package is whole, complete, and agrees with itself and with what the driver "
        "answered\n");
  }
  return EscapeForTerminal(text);
}

}  // namespace nncert
