// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/case_source.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cases/case_file.h"
#include "cases/deviations.h"
#include "cases/spec_cache.h"
#include "system/file_content.h"
#include "system/processor.h"
#include "system/subprocess.h"
#include "system/threads.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCaseSuffix = ".case";
constexpr std::string_view kSpecSuffix = ".mod.py";

// Specs for one run of the reader, so that the command line stays within the system's bounds.
constexpr size_t kMostSpecsAtATime = 1000;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

bool HasSuffix(const std::string& path, std::string_view suffix) {
  return std::string_view(path).ends_with(suffix);
}

// A file to be read, or why there is none.
struct Source {
  std::string path;
  absl::Status status;
};

// Adds the files of cases in a folder and its subfolders to `files`, and each folder that cannot be
// read to its end to `unreadable`. Links to folders are not followed, so that every search ends.
void FindFiles(const std::string& folder, std::set<std::string>& files,
               std::vector<Source>& unreadable) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (const fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
    const std::string entry = entries->path().string();
    std::error_code ignored;
    const bool is_folder = entries->is_directory(ignored);
    if (is_folder && !entries->is_symlink(ignored)) {
      FindFiles(entry, files, unreadable);
    } else if (!is_folder && (HasSuffix(entry, kCaseSuffix) || HasSuffix(entry, kSpecSuffix))) {
      files.insert(entry);
    }
  }
  if (!error) return;
  unreadable.push_back({folder, absl::UnavailableError(absl::StrCat(
                                    folder, ": the folder cannot be read: ", error.message()))});
}

// The files that a path stands for.
std::vector<Source> FindSources(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return {{path, absl::NotFoundError(absl::StrCat(path, ": no such file or folder"))}};
  }
  if (!fs::is_directory(status)) {
    if (HasSuffix(path, kCaseSuffix) || HasSuffix(path, kSpecSuffix)) return {{path, {}}};
    return {{path, absl::InvalidArgumentError(
                       absl::StrCat(path, ": neither a case file nor a spec; expected *",
                                    View(kCaseSuffix), " or *", View(kSpecSuffix)))}};
  }
  std::set<std::string> files;
  std::vector<Source> unreadable;
  FindFiles(path, files, unreadable);
  std::vector<Source> sources;
  for (const std::string& file : files) sources.push_back({file, {}});
  if (files.empty() && unreadable.empty()) {
    sources.push_back(
        {path, absl::NotFoundError(absl::StrCat(path, ": no test cases; expected files *",
                                                View(kCaseSuffix), " or *", View(kSpecSuffix)))});
  }
  std::move(unreadable.begin(), unreadable.end(), std::back_inserter(sources));
  return sources;
}

// The name that the spec reader gives to the case file of a spec.
std::string CaseFileNameOf(const std::string& spec) {
  const std::string name = fs::path(spec).filename().string();
  return absl::StrCat(name.substr(0, name.find('.')), View(kCaseSuffix));
}

// Specs that one run of the reader can take: of one folder, and all of different names.
struct SpecGroup {
  std::vector<std::string> specs;
  std::set<std::string> case_file_names;
  std::optional<TemporaryFolder> folder;
  ProcessResult result;
};

std::vector<SpecGroup> GroupSpecs(const std::set<std::string>& specs) {
  std::map<fs::path, std::vector<SpecGroup>> by_folder;
  for (const std::string& spec : specs) {
    std::vector<SpecGroup>& groups = by_folder[fs::path(spec).parent_path()];
    const std::string name = CaseFileNameOf(spec);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const SpecGroup& candidate) {
      return candidate.specs.size() < kMostSpecsAtATime &&
             candidate.case_file_names.count(name) == 0;
    });
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->specs.push_back(spec);
    group->case_file_names.insert(name);
  }
  std::vector<SpecGroup> all;
  for (auto& [folder, groups] : by_folder) {
    std::move(groups.begin(), groups.end(), std::back_inserter(all));
  }
  return all;
}

absl::Status CheckWhetherToGoOn(const CaseSourceOptions& options) {
  if (options.should_stop == nullptr || !options.should_stop()) return absl::OkStatus();
  return absl::CancelledError("interrupted while the cases were read; none was run");
}

// How many bytes a file has; 0 when there is none.
size_t BytesOf(const std::string& path) {
  std::error_code error;
  const uintmax_t bytes = fs::file_size(path, error);
  return error ? 0 : static_cast<size_t>(bytes);
}

// Reads the specs of a group; `on_progress` is told how many of them have been read.
absl::Status ReadSpecs(SpecGroup& group, const CaseSourceOptions& options,
                       const std::function<void(size_t)>& on_progress) {
  absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  if (!folder.ok()) return folder.status();
  group.folder = *std::move(folder);
  std::vector<std::string> arguments;
  std::error_code ignored;
  if (fs::is_directory(options.spec_reader, ignored) || HasSuffix(options.spec_reader, ".py")) {
    // Sources may lie where nothing can be written, so Python keeps no compiled files.
    arguments = {options.python, "-B"};
  }
  const std::string progress = absl::StrCat(group.folder->path(), "/progress");
  arguments.insert(arguments.end(),
                   {options.spec_reader, "--out", group.folder->path(), "--progress", progress});
  if (!options.cache.empty()) arguments.emplace_back("--with-reads");
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), group.specs.begin(), group.specs.end());
  const auto should_stop = [&] {
    on_progress(BytesOf(progress));
    return options.should_stop != nullptr && options.should_stop();
  };
  // What the spec reader would else start itself anew for.
  absl::StatusOr<ProcessResult> result = RunProcess(arguments, should_stop, {"PYTHONHASHSEED=0"});
  // What became of it then is no matter of the specs.
  if (absl::Status status = CheckWhetherToGoOn(options); !status.ok()) return status;
  if (!result.ok()) return result.status();
  group.result = *std::move(result);
  return absl::OkStatus();
}

// What the reader said of a spec that it could not read: the line that names it, or else the last.
absl::Status ErrorOf(const std::string& spec, const ProcessResult& result) {
  std::string last;
  std::string own;
  for (absl::string_view line : absl::StrSplit(result.errors, '\n', absl::SkipWhitespace())) {
    last = std::string(line);
    const std::string prefix = absl::StrCat(spec, ":");
    if (last.starts_with(prefix) && last.find(": warning: ") == std::string::npos) own = last;
  }
  if (!own.empty()) return absl::InvalidArgumentError(own);
  return absl::InternalError(absl::StrCat(spec, ": the spec reader ended with status ",
                                          result.exit_status, last.empty() ? "" : ": ", last));
}

// Keeps a case file that the reader has written, if it says what it has read.
void Keep(SpecCache& cache, const SpecReading& reading, const std::string& case_file) {
  const absl::StatusOr<std::string> reads = ReadWholeFile(
      absl::StrCat(case_file.substr(0, case_file.size() - kCaseSuffix.size()), ".reads"));
  const absl::StatusOr<std::vector<uint8_t>> bytes = ReadFileBytes(case_file);
  if (reads.ok() && bytes.ok()) cache.Keep(reading, *reads, *bytes);
}

// A spec, and what is known of it.
struct LookedUp {
  std::string spec;
  // Nothing when it cannot be kept.
  std::optional<SpecReading> reading;
  // Nothing when it has to be read.
  std::optional<std::vector<TestCase>> cases;
};

// Looks specs up in a cache, on every processor. Fails when it was to go no further.
absl::StatusOr<std::vector<LookedUp>> LookUp(const std::set<std::string>& specs, SpecCache& cache,
                                             const CaseSourceOptions& options) {
  std::vector<LookedUp> all;
  for (const std::string& spec : specs) all.push_back({spec, std::nullopt, std::nullopt});
  std::atomic<size_t> next = 0;
  const auto look_up_next = [&] {
    const size_t index = next++;
    if (index >= all.size()) return false;
    LookedUp& spec = all[index];
    spec.reading = cache.Begin(spec.spec);
    if (spec.reading.has_value()) spec.cases = cache.Find(*spec.reading);
    return true;
  };
  absl::Status status;
  RunOnThreads(std::min(AllowedProcessors().size(), all.size()), [&](size_t number) {
    // Only the calling thread asks whether to go on, and has the others stop.
    while (number != 0 || (status = CheckWhetherToGoOn(options)).ok()) {
      if (!look_up_next()) return;
    }
    next = all.size();
  });
  if (!status.ok()) return status;
  return all;
}

// The cases of every spec, or why it has none.
using SpecCases = std::map<std::string, absl::StatusOr<std::vector<TestCase>>>;

absl::StatusOr<SpecCases> ReadAllSpecs(const std::set<std::string>& specs,
                                       const CaseSourceOptions& options) {
  SpecCases cases;
  if (options.spec_reader.empty()) {
    for (const std::string& spec : specs) {
      cases.emplace(spec, absl::FailedPreconditionError(absl::StrCat(
                              spec, ": a spec cannot be read without the spec reader")));
    }
    return cases;
  }
  SpecCache cache(options.cache, options.spec_reader, options.python);
  absl::StatusOr<std::vector<LookedUp>> looked_up = LookUp(specs, cache, options);
  if (!looked_up.ok()) return looked_up.status();
  std::map<std::string, SpecReading> readings;
  std::set<std::string> unknown;
  for (LookedUp& spec : *looked_up) {
    if (spec.reading.has_value()) readings.emplace(spec.spec, *std::move(spec.reading));
    if (spec.cases.has_value()) {
      cases.emplace(spec.spec, *std::move(spec.cases));
    } else {
      unknown.insert(spec.spec);
    }
  }
  for (SpecGroup& group : GroupSpecs(unknown)) {
    if (absl::Status status = CheckWhetherToGoOn(options); !status.ok()) return status;
    const auto on_progress = [&, done = cases.size()](size_t done_of_group) {
      if (options.on_progress != nullptr) options.on_progress(done + done_of_group, specs.size());
    };
    if (absl::Status status = ReadSpecs(group, options, on_progress); !status.ok()) return status;
    for (const std::string& spec : group.specs) {
      const std::string file = absl::StrCat(group.folder->path(), "/", CaseFileNameOf(spec));
      std::error_code ignored;
      if (!fs::exists(file, ignored)) {
        cases.emplace(spec, ErrorOf(spec, group.result));
        continue;
      }
      cases.emplace(spec, ReadCaseFile(file));
      const auto reading = readings.find(spec);
      if (reading != readings.end()) Keep(cache, reading->second, file);
    }
  }
  if (!unknown.empty()) cache.Trim();
  return cases;
}

}  // namespace

absl::StatusOr<LoadedCases> LoadCases(absl::Span<const std::string> paths,
                                      const CaseSourceOptions& options) {
  std::vector<Source> sources;
  std::set<std::string> specs;
  std::map<std::string, size_t> mentions;  // of a path that may be given more than once
  for (const std::string& path : paths) {
    for (Source& source : FindSources(path)) {
      if (source.status.ok() && HasSuffix(source.path, kSpecSuffix)) specs.insert(source.path);
      ++mentions[source.path];
      sources.push_back(std::move(source));
    }
  }
  absl::StatusOr<SpecCases> spec_cases = ReadAllSpecs(specs, options);
  if (!spec_cases.ok()) return spec_cases.status();
  LoadedCases loaded;
  for (const Source& source : sources) {
    if (absl::Status status = CheckWhetherToGoOn(options); !status.ok()) return status;
    if (!source.status.ok()) {
      loaded.errors.push_back(source.status);
      continue;
    }
    const auto spec = spec_cases->find(source.path);
    const bool is_last = --mentions[source.path] == 0;
    absl::StatusOr<std::vector<TestCase>> cases = spec == spec_cases->end()
                                                      ? ReadCaseFile(source.path)
                                                  : is_last ? std::move(spec->second)
                                                            : spec->second;
    if (!cases.ok()) {
      loaded.errors.push_back(cases.status());
      continue;
    }
    for (TestCase& test_case : *cases) {
      if (test_case.deviation.empty()) test_case.deviation = FindDeviation(test_case);
      loaded.cases.push_back({std::move(test_case), source.path});
    }
  }
  return loaded;
}

}  // namespace nncert
