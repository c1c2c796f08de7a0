// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/bazel_results.h"

#include <zip.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "certifying/report_folder.h"
#include "certifying/submission/moved_failures.h"
#include "certifying/submission/results_of_tests.h"
#include "harness/records/case_answers.h"
#include "harness/records/failure_dump.h"
#include "system/program.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

namespace fs = std::filesystem;

// What Bazel calls the folder of what a test leaves, and the archive of it.
constexpr char kOutputsFolder[] = "test.outputs";
constexpr char kOutputsArchive[] = "outputs.zip";

// More than all cases have answers, several times over.
constexpr uint64_t kMostUnpackedBytes = uint64_t{1} << 30;

// The archive, which is closed in the end.
using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using ArchivedFile = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

bool IsOurs(std::string_view name) {
  constexpr std::string_view kNames[] = {kTestsFile, kJournalFile, kSuiteJournalFile,
                                         kGraphJournalFile, kAnswersFile};
  return absl::c_linear_search(kNames, name) ||
         name.substr(0, name.find('/')) == std::string_view(kFailuresFolder);
}

absl::StatusOr<std::string> ReadArchived(zip_t* archive, zip_uint64_t index, uint64_t size) {
  std::string bytes(size, '\0');
  const ArchivedFile file(zip_fopen_index(archive, index, 0), &zip_fclose);
  if (file == nullptr) return absl::InvalidArgumentError(zip_strerror(archive));
  const zip_int64_t read = zip_fread(file.get(), bytes.data(), bytes.size());
  if (read < 0) return absl::InvalidArgumentError(zip_file_strerror(file.get()));
  // The end is behind what the archive says, and the checksum is right.
  char more = '\0';
  if (static_cast<uint64_t>(read) != size || zip_fread(file.get(), &more, 1) != 0) {
    return absl::InvalidArgumentError("it does not have as many bytes as it says");
  }
  return bytes;
}

// Unpacks what a test of a driver left. Whether the archive has any of it.
absl::StatusOr<bool> Unpack(const std::string& path, const fs::path& to) {
  int code = 0;
  const Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &code), &zip_discard);
  if (archive == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected an archive of zip (error ", code, ")"));
  }
  if (zip_name_locate(archive.get(), kTestsFile, 0) < 0) return false;
  uint64_t unpacked = 0;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    zip_stat_t stat;
    if (zip_stat_index(archive.get(), index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_NAME) == 0 ||
        (stat.valid & ZIP_STAT_SIZE) == 0) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": entry ", i, " has no name or size"));
    }
    const std::string name = stat.name;
    if (!IsOurs(name) || absl::EndsWith(name, "/")) continue;
    const auto error = [&](absl::string_view what) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": ", name, ": ", what));
    };
    if (absl::c_linear_search(fs::path(name), "..")) return error("it leads elsewhere");
    if (stat.size > kMostUnpackedBytes - unpacked) return error("more than any test leaves");
    unpacked += stat.size;
    const absl::StatusOr<std::string> bytes = ReadArchived(archive.get(), index, stat.size);
    if (!bytes.ok()) return error(bytes.status().message());
    std::error_code ignored;
    fs::create_directories((to / name).parent_path(), ignored);
    if (absl::Status written = WriteTextFile(to / name, *bytes); !written.ok()) return written;
  }
  return true;
}

// The folders of what tests left below a folder, sorted.
absl::StatusOr<std::vector<fs::path>> FindOutputs(const std::string& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  // bazel-testlogs is a link.
  for (fs::recursive_directory_iterator entry(fs::path(folder) / "", error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().filename() != kOutputsFolder) continue;
    found.push_back(entry->path());
    entry.disable_recursion_pending();
  }
  if (error) return absl::NotFoundError(absl::StrCat(folder, ": ", error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

// For each test of `part` its place among `all`; nothing where that does not have it. Tests of one
// name are taken in turn.
std::vector<std::optional<size_t>> PlacesIn(absl::Span<const std::string> part,
                                            absl::Span<const std::string> all) {
  std::map<std::string_view, std::vector<size_t>> places;
  for (size_t i = 0; i < all.size(); ++i) places[all[i]].push_back(i);
  std::map<std::string_view, size_t> taken;
  std::vector<std::optional<size_t>> found;
  for (const std::string& test : part) {
    const std::vector<size_t>& of_name = places[test];
    const size_t turn = taken[test]++;
    found.push_back(turn < of_name.size() ? std::optional(of_name[turn]) : std::nullopt);
  }
  return found;
}

}  // namespace

absl::StatusOr<BazelResults::Part> BazelResults::ReadPart(const std::string& source,
                                                          const fs::path& folder) {
  Part part = {.source = source, .folder = folder, .tests = {}, .run = {}, .content = {}};
  const auto annotate = [&source](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat(source, ": ", status.message()));
  };
  const absl::StatusOr<std::string> text = ReadWholeFile(folder / kTestsFile);
  if (!text.ok()) return annotate(text.status());
  const absl::StatusOr<MustPassList> list = ParseMustPassList(*text);
  if (!list.ok()) return annotate(list.status());
  if (list->suites.size() != 1) {
    return annotate(absl::InvalidArgumentError(
        absl::StrCat(kTestsFile, " has ", list->suites.size(), " suites; expected one")));
  }
  part.tests = list->suites.front();
  absl::StatusOr<JournalContent> content =
      Journal::Read(folder / JournalFileOf(part.tests.name), part.run);
  if (!content.ok()) return annotate(content.status());
  part.content = *std::move(content);
  return part;
}

absl::StatusOr<BazelResults> BazelResults::Read(absl::Span<const std::string> folders) {
  absl::StatusOr<TemporaryFolder> unpacked = TemporaryFolder::Create();
  if (!unpacked.ok()) return unpacked.status();
  BazelResults results(*std::move(unpacked));
  for (const std::string& folder : folders) {
    const absl::StatusOr<std::vector<fs::path>> outputs = FindOutputs(folder);
    if (!outputs.ok()) return outputs.status();
    const size_t before = results.parts_.size();
    for (const fs::path& output : *outputs) {
      const fs::path archive = output / kOutputsArchive;
      std::error_code ignored;
      fs::path place = output;
      if (fs::exists(archive, ignored)) {
        place = fs::path(results.unpacked_.path()) / absl::StrCat(results.parts_.size());
        const absl::StatusOr<bool> is_part = Unpack(archive, place);
        if (!is_part.ok()) return is_part.status();
        if (!*is_part) continue;
      } else if (!fs::exists(output / kTestsFile, ignored)) {
        continue;
      }
      absl::StatusOr<Part> part = ReadPart(output, place);
      if (!part.ok()) return part.status();
      results.parts_.push_back(*std::move(part));
    }
    if (results.parts_.size() == before) {
      return absl::NotFoundError(absl::StrCat(
          folder,
          " has neither the journal of a shard nor results of tests of a driver; expected what "
          "certify --shard wrote, or bazel-testlogs after bazel test of a driver"));
    }
  }
  return results;
}

absl::Status BazelResults::ForEachPartOf(
    std::string_view suite, absl::Duration deadline, Journal& journal,
    absl::FunctionRef<absl::Status(const Part& part)> take) const {
  const RunIdentity& run = journal.run();
  for (const Part& part : parts_) {
    if (part.tests.name != suite) continue;
    // What the driver is called is what whoever merges calls it; which tests there are is compared
    // by their names.
    RunIdentity expected = part.run;
    expected.version = run.version;
    expected.driver_version = run.driver_version;
    expected.driver_digest = run.driver_digest;
    expected.selection = SelectionOfTests(deadline);
    if (const std::string difference = DifferenceOf(part.run, expected); !difference.empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat(part.source, " is of another run than this: ", difference));
    }
    absl::Status taken = take(part);
    taken.Update(journal.Append(part.content.processes));
    if (!taken.ok()) {
      return absl::Status(taken.code(), absl::StrCat(part.source, ": ", taken.message()));
    }
  }
  return absl::OkStatus();
}

absl::Status BazelResults::TakeCases(absl::Span<const AllCasesOf> suites,
                                     absl::Span<const CaseInMode> run, absl::Duration deadline,
                                     const fs::path& out, Journal& journal,
                                     AnswersFile* answers) const {
  std::map<std::pair<const LoadedCase*, TestMode>, size_t> places_in_run;
  for (size_t i = 0; i < run.size(); ++i) places_in_run[{run[i].loaded, run[i].mode}] = i;
  std::set<size_t> done;
  for (const AllCasesOf& suite : suites) {
    std::vector<std::string> names;
    for (const CaseInMode& entry : suite.cases) names.push_back(FullName(entry));
    const auto take = [&](const Part& part) -> absl::Status {
      // The cases of the part as this run has them.
      std::vector<CaseInMode> cases;
      for (const std::optional<size_t>& place : PlacesIn(part.tests.tests, names)) {
        if (place.has_value()) cases.push_back(suite.cases[*place]);
      }
      const absl::StatusOr<ListedSuite> own = ListCases(suite.suite, cases);
      if (!own.ok()) return own.status();
      if (*own != part.tests) {
        return absl::FailedPreconditionError("its cases are not those of this nncert");
      }
      const auto place_of = [&](size_t index) -> std::optional<size_t> {
        if (index >= cases.size()) return std::nullopt;
        const auto place = places_in_run.find({cases[index].loaded, cases[index].mode});
        return place == places_in_run.end() ? std::nullopt : std::optional(place->second);
      };
      std::set<size_t> taken;
      for (const JournalEntry& entry : part.content.results) {
        const std::optional<size_t> place = place_of(entry.index);
        if (!place.has_value() || done.contains(*place)) continue;
        CaseResult result = entry.result;
        absl::Status status = MoveFailures(part.folder, out, result);
        // What runs a case again is this program, which may call the driver otherwise.
        result.detail = absl::StrReplaceAll(
            result.detail, {{ReproduceStart(kUnnamedProgram, part.run.driver),
                             ReproduceStart(ProgramWord(), journal.run().driver)}});
        status.Update(journal.Append(*place, result));
        if (!status.ok()) return status;
        taken.insert(*place);
      }
      done.insert(taken.begin(), taken.end());
      if (answers == nullptr) return absl::OkStatus();
      return ForEachAnswers(part.folder / kAnswersFile, part.tests.count,
                            [&](size_t index, std::string_view message) -> absl::Status {
                              const std::optional<size_t> place = place_of(index);
                              if (!place.has_value() || !taken.contains(*place)) return {};
                              const absl::StatusOr<CaseAnswers> read = ParseAnswers(message, index);
                              return read.ok() ? answers->Append(*place, *read) : read.status();
                            });
    };
    if (absl::Status status = ForEachPartOf(suite.suite, deadline, journal, take); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status BazelResults::TakeTests(absl::Span<const ListedSuite> run, absl::Duration deadline,
                                     Journal& journal) const {
  uint64_t first_place = 0;
  for (const ListedSuite& suite : run) {
    std::set<size_t> done;
    const auto take = [&](const Part& part) -> absl::Status {
      const std::vector<std::optional<size_t>> places = PlacesIn(part.tests.tests, suite.tests);
      for (const JournalTest& test : part.content.tests) {
        const std::optional<size_t> place =
            test.index < places.size() ? places[test.index] : std::nullopt;
        if (!place.has_value() || !done.insert(*place).second) continue;
        JournalTest moved = test;
        moved.index = first_place + *place;
        if (absl::Status status = journal.Append(moved); !status.ok()) return status;
      }
      return absl::OkStatus();
    };
    if (absl::Status status = ForEachPartOf(suite.name, deadline, journal, take); !status.ok()) {
      return status;
    }
    first_place += suite.tests.size();
  }
  return absl::OkStatus();
}

absl::Status BazelResults::TakeGraphs(const ListedSuite& graphs, uint64_t count,
                                      absl::Duration deadline, Journal& journal) const {
  std::set<uint64_t> done;
  return ForEachPartOf(graphs.name, deadline, journal, [&](const Part& part) -> absl::Status {
    if (part.tests != graphs) {
      return absl::FailedPreconditionError("its random graphs are not those of this nncert");
    }
    for (const CaseSpan& span : part.content.spans) {
      if (span.first >= count || span.count > count - span.first) continue;
      if (!done.insert(span.first).second) continue;
      if (absl::Status status = journal.Append(span); !status.ok()) return status;
    }
    return absl::OkStatus();
  });
}

}  // namespace nncert
