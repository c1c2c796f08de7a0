// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/commands/certify_command.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "certifying/case_batch.h"
#include "certifying/case_paths.h"
#include "certifying/case_run.h"
#include "certifying/conclusion.h"
#include "certifying/driver_names.h"
#include "certifying/name_filter.h"
#include "certifying/outcome/failure_kind.h"
#include "certifying/outcome/verdict_matrix.h"
#include "certifying/outcome/waivers.h"
#include "certifying/page/report_page.h"
#include "certifying/report.h"
#include "certifying/report_folder.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/shards.h"
#include "certifying/submission/statement.h"
#include "certifying/submission/verification.h"
#include "certifying/timing.h"
#include "hal/version.h"
#include "hal_tests/check.h"
#include "harness/records/case_result.h"
#include "harness/records/failure_dump.h"
#include "harness/records/journal.h"
#include "random_graph/campaign.h"
#include "random_graph/campaign_report.h"
#include "random_graph/campaign_run.h"
#include "system/escape.h"
#include "system/machine.h"
#include "system/program.h"
#include "system/whole_file.h"
#include "tools/commands/call_suites.h"
#include "tools/commands/certification_plan.h"
#include "tools/commands/commands.h"
#include "tools/commands/failing_cases.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(std::string, filter);
ABSL_DECLARE_FLAG(uint64_t, graphs);
ABSL_DECLARE_FLAG(bool, list);
ABSL_FLAG(std::vector<std::string>, suites, {},
          "the suites to run, separated by commas: specs,systematic; certify runs all by "
          "default, as a certificate takes (--list names them)");
ABSL_FLAG(std::string, profile, "full",
          "what is run where --suites and --graphs do not say it: full, which a certificate takes, "
          "quick or vts (docs/certification.md)");
ABSL_FLAG(nncert::Shard, shard, nncert::Shard(),
          "which part to run, NUMBER/COUNT: nncert merge makes one report of all (1/1 by default)");
ABSL_FLAG(std::string, waivers, "",
          "a file of TOML with failures that are waived (docs/waivers.md)");

namespace nncert {
namespace {

// The name that a case, or one of its operations alone (harness/judging/model_parts.h), was dumped
// by, without the operation.
std::string WholeName(const std::string& dumped) {
  return dumped.substr(0, dumped.rfind("_operation_"));
}

// Removes what a run of these cases that was killed dumped of those that it has no result of, or
// did not write to its end. What has the name of no case was written by somebody else.
void RemoveStrayDumps(const std::filesystem::path& folder, absl::Span<const CaseInMode> cases,
                      const JournalContent& done) {
  std::set<std::string> names;
  for (const CaseInMode& entry : cases) {
    names.insert(WholeName(SanitizeFileName(DumpName(entry.loaded->test_case))));
  }
  std::set<std::string> kept;
  for (const JournalEntry& entry : done.results) {
    for (const std::string& file : entry.result.dumped_files) {
      if (const std::optional<size_t> name = NameInFailures(file)) kept.insert(file.substr(*name));
    }
  }
  const std::filesystem::path failures = folder / kFailuresFolder;
  std::vector<std::filesystem::path> stray;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(failures, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    const std::optional<std::string> name = DumpedName(path.native());
    if (name.has_value() && names.count(WholeName(*name)) > 0 &&
        kept.count(path.lexically_relative(failures)) == 0) {
      stray.push_back(path);
    }
  }
  for (const std::filesystem::path& path : stray) std::filesystem::remove(path, error);
}

// The suites that --suites leaves out, or else --profile does.
absl::StatusOr<std::vector<std::string>> LeftOut(const Profile& profile) {
  const std::vector<std::string> flag = absl::GetFlag(FLAGS_suites);
  const std::vector<std::string>& chosen = flag.empty() ? profile.suites : flag;
  const std::vector<std::string> names = SuiteNames();
  for (const std::string& name : chosen) {
    if (absl::c_linear_search(names, name)) continue;
    return absl::InvalidArgumentError(absl::StrCat("--suites: there is no suite \"", name,
                                                   "\"; expected some of ",
                                                   absl::StrJoin(names, ", ")));
  }
  std::vector<std::string> left_out;
  for (const std::string& name : names) {
    if (!chosen.empty() && !absl::c_linear_search(chosen, name)) left_out.push_back(name);
  }
  return left_out;
}

// What --shard says, as it is written on a command line, with a space before it; may be empty.
std::string ShardWords() {
  const Shard shard = absl::GetFlag(FLAGS_shard);
  return shard.is_whole() ? "" : absl::StrCat(" --shard ", AbslUnparseFlag(shard));
}

// Adds what a filter leaves out, of suites of cases those without any left. Random graphs have no
// names before they are made.
void LeaveOutFiltered(absl::Span<const CaseSuite> case_suites, std::vector<std::string>& left_out) {
  const auto leave_out = [&](const std::string& name) {
    if (!absl::c_linear_search(left_out, name)) left_out.push_back(name);
  };
  for (const CaseSuite& suite : case_suites) {
    if (suite.results == 0) leave_out(suite.name);
  }
  leave_out(kRandomGraphs);
  leave_out("all tests that --filter does not match");
}

// What --profile and --suites say, as it is written on a command line, with a space before it; may
// be empty.
std::string SuitesWords() {
  const std::string profile = absl::GetFlag(FLAGS_profile);
  const std::vector<std::string> chosen = absl::GetFlag(FLAGS_suites);
  return absl::StrCat(
      profile == AllProfiles().front().name ? "" : absl::StrCat(" --profile ", profile),
      chosen.empty() ? "" : absl::StrCat(" --suites ", absl::StrJoin(chosen, ",")));
}

// Prints the names of the suites, with what each one proves, in the order in which they are run.
void ListSuites() {
  std::cout << kSpecs << "\n  the driver computes the bundled specs as documented\n"
            << kSystematic
            << "\n  the driver computes every operation in all that the catalogue knows of it\n";
  for (const Suite& suite : AllSuites()) {
    std::cout << suite.name << "\n  " << suite.proves << "\n";
  }
  std::cout << kRandomGraphs
            << "\n  the driver computes random graphs of all operations as documented" << std::endl;
}

// What --filter says, as it is written on a command line, with a space before it; may be empty.
std::string FilterWords() {
  const std::string filter = absl::GetFlag(FLAGS_filter);
  return filter.empty() ? "" : absl::StrCat(" --filter ", QuoteForShell(filter));
}

// What --waivers says, as it is written on a command line, with a space before it; may be empty.
std::string WaiversWords() {
  const std::string waivers = absl::GetFlag(FLAGS_waivers);
  return waivers.empty() ? "" : absl::StrCat(" --waivers ", QuoteForShell(waivers));
}

// The waivers that --waivers names, for this driver; null where it names none.
absl::StatusOr<std::unique_ptr<RunWaivers>> WaiversFor(const DriverSession& session) {
  const std::string path = absl::GetFlag(FLAGS_waivers);
  if (path.empty()) return nullptr;
  absl::StatusOr<std::vector<Waiver>> waivers = ReadWaivers(path);
  if (!waivers.ok()) return waivers.status();
  return RunWaivers::Create(*std::move(waivers), session.version_string(),
                            absl::ToCivilDay(absl::Now(), absl::UTCTimeZone()));
}

// What --graphs says, as it is written on a command line, with a space before it; may be empty.
std::string GraphsWords() {
  const uint64_t graphs = absl::GetFlag(FLAGS_graphs);
  return graphs == 0 ? "" : absl::StrCat(" --graphs ", graphs);
}

// The command that goes on with a run of this driver in this folder.
std::string ResumeCommand(const NamedDriver& driver, const std::filesystem::path& out,
                          absl::Duration deadline) {
  return absl::StrCat(ProgramWord(), " certify --resume --driver ", QuoteForShell(driver.name),
                      " --out ", QuoteForShell(out.string()), IsolationWords(), PlainWords(),
                      StrictWords(), JobsWords(), " --deadline ", absl::FormatDuration(deadline),
                      GraphsWords(), SuitesWords(), ShardWords(), FilterWords(), WaiversWords(),
                      FailingCasesWords());
}

// How many random graphs a complete run of the profile has.
uint64_t PlannedGraphs(const Profile& profile, hal::HalVersion version) {
  const uint64_t of_certificate = CertificationGraphs(version);
  return profile.graphs > 0 ? std::min(profile.graphs, of_certificate) : of_certificate;
}

// Runs the random graphs, on a driver that is opened again, and adds what comes of them to the
// report. Whether they were interrupted.
absl::StatusOr<bool> RunGraphs(const NamedDriver& driver, const std::filesystem::path& out,
                               absl::Duration deadline, const Profile& profile,
                               const BazelResults* known, RunReport& report) {
  std::optional<OpenedDriver> opened = OpenAgain(driver, deadline, "the random graphs", report);
  if (!opened.has_value()) return false;
  const Shard shard = absl::GetFlag(FLAGS_shard);
  const uint64_t planned = PlannedGraphs(profile, opened->session().hal_version());
  CampaignRunOptions options;
  CampaignOptions& campaign = options.campaign;
  campaign.seed = kCertificationSeed;
  campaign.graphs = absl::GetFlag(FLAGS_graphs) == 0 ? planned : absl::GetFlag(FLAGS_graphs);
  if (!shard.is_whole()) {
    campaign.takes = [shard](uint64_t first) { return shard.Has(first / kGraphSpan); };
    campaign.reduction_time = absl::ZeroDuration();
  }
  campaign.run = RunOptionsByFlags(deadline);
  campaign.run.dump_directory = out / kFailuresFolder;
  campaign.running_directory = out / kRunningFolder;
  if (isatty(STDERR_FILENO) != 0) {
    campaign.on_progress = [](const CampaignResult& so_far) {
      std::cerr << DescribeProgress(so_far) << std::endl;
    };
  }
  options.jobs = absl::GetFlag(FLAGS_jobs).OrProcessors();
  options.journal = out / kGraphJournalFile;
  std::error_code ignored;
  options.resume = absl::GetFlag(FLAGS_resume) && std::filesystem::exists(options.journal, ignored);
  if (known != nullptr) {
    options.take_over = [&, graphs = campaign.graphs](Journal& journal) {
      return known->TakeGraphs(ListGraphs(opened->session().hal_version()), graphs, deadline,
                               journal);
    };
  }
  const absl::StatusOr<CampaignResult> result = RunCampaignOn(*opened, std::move(options));
  if (!result.ok()) return result.status();
  // What other shards run is none of this one's.
  const uint64_t of_shard = shard.is_whole() || result->is_interrupted ? planned : result->graphs;
  report.sections.push_back(SectionOf(*result, kCertificationSeed, of_shard, report.is_strict));
  for (const Finding& finding : result->findings) report.findings.push_back(finding);
  report.lost = result->lost;
  report.duration += result->duration;
  return result->is_interrupted;
}

// Cases that are to be run, of one suite after the other.
struct ChosenCases {
  std::vector<CaseInMode> cases;
  std::vector<CaseSuite> suites;

  // Adds those of a suite that the filter leaves.
  void Add(const char* suite, absl::Span<const CaseInMode> of_suite, const NameFilter& filter) {
    const size_t before = cases.size();
    absl::c_copy_if(of_suite, std::back_inserter(cases), [&](const CaseInMode& test_case) {
      return filter.Leaves(std::string(FixtureName(test_case.mode)),
                           NameInMode(test_case.loaded->test_case, test_case.mode));
    });
    suites.push_back({suite, cases.size() - before});
  }
};

// The suites with as many results as the run has of them: fewer than cases where it ended early.
std::vector<CaseSuite> WithResults(const ChosenCases& chosen, absl::Span<const CaseInMode> run) {
  std::vector<CaseSuite> suites;
  size_t i = 0;
  for (const CaseSuite& suite : chosen.suites) {
    CaseSuite& counted = suites.emplace_back(CaseSuite{suite.name, 0});
    for (const size_t end = i + suite.results; i < end && !run.empty(); ++i) {
      // Results are in the order of the cases.
      const CaseInMode& planned = chosen.cases[i];
      if (run.front().loaded != planned.loaded || run.front().mode != planned.mode) continue;
      run.remove_prefix(1);
      ++counted.results;
    }
  }
  return suites;
}

// Holds a run against the list of all that is to be run, and writes what each test of it came to.
absl::Status HoldAgainstList(hal::HalVersion version, absl::Span<const CaseInMode> specs,
                             absl::Span<const CaseInMode> systematic,
                             const std::filesystem::path& out, RunReport& report) {
  const absl::StatusOr<MustPassList> list = MakeMustPassList(version, specs, systematic);
  if (!list.ok()) return list.status();
  const ListVerdicts verdicts = CompareWithList(report, *list);
  report.must_pass = verdicts.outcome;
  absl::Status written = WriteTextFile(out / kMustPassFile, MustPassListToText(*list));
  written.Update(WriteTextFile(out / kVerdictsFile, VerdictsToText(report, *list, verdicts)));
  return written;
}

// Writes what a package has beside the reports.
absl::Status KeepStatement(const std::filesystem::path& out, const std::string& statement) {
  absl::Status written = WriteTextFile(out / kStatementFile, statement);
  if (const std::string path = absl::GetFlag(FLAGS_waivers); !path.empty()) {
    const absl::StatusOr<std::string> text = ReadWholeFile(path);
    written.Update(text.ok() ? WriteTextFile(out / kWaiversFile, *text) : text.status());
  }
  return written;
}

}  // namespace

absl::StatusOr<ExitStatus> Certify(const BazelResults* known) {
  const absl::StatusOr<Profile> profile = FindProfile(absl::GetFlag(FLAGS_profile));
  if (!profile.ok()) return profile.status();
  absl::StatusOr<std::vector<std::string>> left_out = LeftOut(*profile);
  if (!left_out.ok()) return left_out.status();
  const std::filesystem::path out = absl::GetFlag(FLAGS_out).path.value_or("nncert-report");
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  absl::StatusOr<OpenedDriver> opened = OpenDriverByFlags(*driver, *deadline);
  if (!opened.ok()) return opened.status();
  const hal::HalVersion version = opened->session().hal_version();
  const absl::StatusOr<LoadedCases> loaded = LoadBundledCases();
  if (!loaded.ok()) return loaded.status();
  const auto is_chosen = [&](std::string_view suite) {
    return !absl::c_linear_search(*left_out, suite);
  };
  const bool needs_systematic =
      is_chosen(kSystematic) || absl::c_any_of(AllSuites(), [&](const Suite& suite) {
        return suite.takes_systematic && is_chosen(suite.name);
      });
  const absl::StatusOr<LoadedCases> systematic =
      needs_systematic ? LoadSystematicCases() : LoadedCases();
  if (!systematic.ok()) return systematic.status();
  const absl::StatusOr<NameFilter> filter = NameFilter::Of(absl::GetFlag(FLAGS_filter));
  if (!filter.ok()) return filter.status();
  const absl::StatusOr<std::vector<CaseInMode>> cases = InAllModes(*loaded);
  if (!cases.ok()) return cases.status();
  const absl::StatusOr<std::vector<CaseInMode>> systematic_cases = InAllModes(*systematic);
  if (!systematic_cases.ok()) return systematic_cases.status();
  // What the driver says of itself, for a submission, which takes a complete run.
  std::string statement;
  if (left_out->empty() && absl::GetFlag(FLAGS_filter).empty()) {
    absl::StatusOr<std::string> stated =
        StatementOf(*opened, *deadline, DescribeMachine(), absl::GetFlag(FLAGS_strict));
    if (!stated.ok()) return stated.status();
    statement = *std::move(stated);
  }
  ChosenCases chosen;
  if (is_chosen(kSpecs)) chosen.Add(kSpecs, *cases, *filter);
  if (is_chosen(kSystematic)) chosen.Add(kSystematic, *systematic_cases, *filter);
  if (!absl::GetFlag(FLAGS_filter).empty()) LeaveOutFiltered(chosen.suites, *left_out);
  const Shard shard = absl::GetFlag(FLAGS_shard);
  if (!shard.is_whole()) {
    left_out->push_back(absl::StrCat("all shards but ", AbslUnparseFlag(shard)));
  }

  CaseRunOptions options;
  options.resume = absl::GetFlag(FLAGS_resume);
  if (!options.resume) {
    const absl::StatusOr<bool> was_used = TakeReportFolder(out);
    if (!was_used.ok()) return was_used.status();
    if (*was_used) options.prepare = [&out](const auto&) { return EmptyReportFolder(out); };
  } else {
    options.prepare = [&out, &chosen](const JournalContent& done) {
      RemoveStrayDumps(out, chosen.cases, done);
      return absl::OkStatus();
    };
  }
  options.run = RunOptionsByFlags(*deadline);
  options.run.dump_directory = out / kFailuresFolder;
  options.running_directory = out / kRunningFolder;
  options.jobs = absl::GetFlag(FLAGS_jobs).OrProcessors();
  options.is_strict = absl::GetFlag(FLAGS_strict);
  options.journal = out / kJournalFile;
  options.answers = out / kAnswersFile;
  options.is_suite = true;
  if (!shard.is_whole()) options.takes = [shard](size_t place) { return shard.Has(place); };
  options.selection = absl::StrCat("certify --deadline=", absl::FormatDuration(*deadline),
                                   PlainWords(), FilterWords());
  options.resume_command = ResumeCommand(*driver, out, *deadline);
  if (known != nullptr) {
    options.take_over = [&](Journal& journal, AnswersFile* answers) {
      return known->TakeCases({{kSpecs, *cases}, {kSystematic, *systematic_cases}}, chosen.cases,
                              *deadline, out, journal, answers);
    };
  }
  const absl::StatusOr<std::unique_ptr<RunWaivers>> waivers = WaiversFor(opened->session());
  if (!waivers.ok()) return waivers.status();
  absl::StatusOr<CaseRun> run = RunCasesOn(*opened, chosen.cases, options);
  if (!run.ok()) return run.status();
  RunReport& report = run->report;
  report.case_suites = WithResults(chosen, run->cases);
  report.left_out = *std::move(left_out);
  bool is_interrupted = report.unfinished > 0;
  const auto go_on = [&](auto run_suites) -> absl::Status {
    if (is_interrupted || !report.lost.empty()) return absl::OkStatus();
    const absl::StatusOr<bool> interrupted = run_suites();
    if (!interrupted.ok()) {
      return absl::Status(
          interrupted.status().code(),
          absl::StrCat(interrupted.status().message(),
                       "; all results before are kept, to go on: ", options.resume_command));
    }
    is_interrupted = *interrupted;
    return absl::OkStatus();
  };
  if (absl::Status status = go_on([&] {
        return RunHalSuites(*driver, out, *cases, *systematic_cases, *filter, *deadline, known,
                            waivers->get(), report);
      });
      !status.ok()) {
    return status;
  }
  if (!report.IsLeftOut(kRandomGraphs)) {
    if (absl::Status status =
            go_on([&] { return RunGraphs(*driver, out, *deadline, *profile, known, report); });
        !status.ok()) {
      return status;
    }
  }

  if (!absl::GetFlag(FLAGS_filter).empty() && report.results.empty() && report.sections.empty() &&
      report.lost.empty()) {
    return absl::InvalidArgumentError("--filter leaves none of the tests");
  }

  // Those of a shard are run again, and looked into, when all shards are together.
  const bool is_whole = !is_interrupted && report.lost.empty() && shard.is_whole();
  if (is_whole) {
    if (absl::Status rerun = RerunFailingCases(*driver, out, *deadline, *run); !rerun.ok())
      return rerun;
  }
  if (*waivers != nullptr) {
    Waive(**waivers, report);
    report.matrix = MatrixOf(run->cases, report.results);
  }
  if (report.left_out.empty()) {
    const absl::Status listed = HoldAgainstList(version, *cases, *systematic_cases, out, report);
    if (!listed.ok()) return listed;
    if (report.must_pass->missing.empty()) {
      if (absl::Status kept = KeepStatement(out, statement); !kept.ok()) return kept;
    }
  }
  if (is_whole) {
    ExamineFailingCases(*driver, out, *deadline, report);
  } else {
    report.failures = FailureKindsOf(report);
  }
  const std::string json = out / kJsonReportFile;
  const std::string junit = out / kJUnitReportFile;
  absl::Status written = WriteTextFile(json, ReportToJson(report));
  written.Update(WriteTextFile(junit, ReportToJUnitXml(report)));
  written.Update(WriteTextFile(out / kTimingFile, TimingToJson(report)));
  const std::string page = out / kPageFile;
  written.Update(WriteTextFile(page, ReportToHtml(report)));
  std::vector<std::string> reports;
  if (written.ok()) {
    reports.push_back(absl::StrCat("Reports: ", page, ", ", json, ", ", junit));
  }
  std::error_code ignored;
  if (std::filesystem::exists(out / kSmallestFolder, ignored)) {
    reports.push_back(absl::StrCat("The smallest case of each kind of failure: ",
                                   (out / kSmallestFolder).string()));
  }
  // A case that was run again may have left it empty.
  std::filesystem::remove(out / kFailuresFolder, ignored);
  if (std::filesystem::exists(out / kFailuresFolder, ignored)) {
    reports.push_back(absl::StrCat("Failing models: ", (out / kFailuresFolder).string()));
  }
  if (is_interrupted && report.unfinished == 0) {
    reports.push_back(absl::StrCat("To go on: ", options.resume_command));
  }
  const Conclusion conclusion = ConclusionOf(report);
  std::cout << Summarize(report, reports) << EscapeForTerminal(toString(conclusion)) << std::endl;
  if (!written.ok()) {
    return absl::Status(
        written.code(),
        absl::StrCat(written.message(), "; to write the reports again: ", options.resume_command));
  }
  if (is_interrupted && report.lost.empty()) return ExitStatus::kInterrupted;
  // Who leaves out suites wants to know of the others whether they fail.
  const bool is_good =
      report.left_out.empty()
          ? conclusion.certification == Certification::CERTIFIED
          : !AnyFailed(report) && absl::c_all_of(report.sections, [](const auto& section) {
              return section.run == section.planned;
            });
  return is_good ? ExitStatus::kSuccess : ExitStatus::kFailure;
}

Command CertifyCommand() {
  return {
      .name = "certify",
      .summary = "runs every suite on a driver and writes reports",
      .description =
          "Runs every suite on a driver (the bundled specs, the suites of the interface's calls, "
          "and random graphs), prints a summary, and writes report.html, report.json, junit.xml "
          "and the\nfailing models into a folder. The last line begins with CERTIFIED, NOT "
          "CERTIFIED or INCOMPLETE and\nsays why. The exit status is 0 when the driver is "
          "certified (or, with --suites, when nothing failed), 1 when it is not, 2 when it cannot "
          "be\nused, 3 when the run was interrupted; --resume then goes on.",
      .flags = {{"driver", "DRIVER"},
                {"out", "DIR"},
                {"jobs", "N"},
                {"deadline", "DURATION"},
                {"in_process", ""},
                {"unpinned", ""},
                {"memory", "SIZE"},
                {"plain", ""},
                {"strict", ""},
                {"waivers", "FILE"},
                {"explain_time", "DURATION"},
                {"rerun_time", "DURATION"},
                {"profile", "NAME"},
                {"graphs", "N"},
                {"suites", "NAME,..."},
                {"filter", "REGEX"},
                {"shard", "NUMBER/COUNT"},
                {"list", ""},
                {"resume", ""}},
      .run = [](absl::Span<const std::string> /*arguments*/) -> absl::StatusOr<ExitStatus> {
        if (!absl::GetFlag(FLAGS_list)) return Certify(/*known=*/nullptr);
        ListSuites();
        return ExitStatus::kSuccess;
      },
  };
}

}  // namespace nncert
