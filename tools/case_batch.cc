// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/case_batch.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <regex>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"

namespace nncert {
namespace {

// Where each case is dumped: names that come again get a folder of their own.
std::vector<std::string> DumpDirectories(absl::Span<const CaseInMode> cases,
                                         const std::string& directory) {
  std::vector<std::string> directories(cases.size(), directory);
  if (directory.empty()) return directories;
  std::map<std::string, int> seen;
  for (size_t i = 0; i < cases.size(); ++i) {
    const int count = ++seen[NameInMode(cases[i].loaded->test_case, cases[i].mode)];
    if (count > 1) absl::StrAppend(&directories[i], "/", count);
  }
  return directories;
}

}  // namespace

absl::StatusOr<std::vector<CaseInMode>> SelectCases(absl::Span<const LoadedCase> cases,
                                                    absl::Span<const TestMode> modes,
                                                    const std::string& filter) {
  std::regex pattern;
  try {
    pattern.assign(filter, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", filter, "' is no regular expression: ", error.what()));
  }
  std::vector<CaseInMode> selected;
  for (const LoadedCase& loaded : cases) {
    for (const TestMode mode : modes) {
      const std::string& name = NameInMode(loaded.test_case, mode);
      if (name.empty()) continue;
      if (!filter.empty() && !std::regex_search(name, pattern)) continue;
      selected.push_back({&loaded, mode});
    }
  }
  return selected;
}

absl::StatusOr<std::vector<CaseResult>> RunCases(
    DriverSession& session, absl::Span<const CaseInMode> cases, const BatchOptions& options,
    absl::FunctionRef<void(const CaseResult&)> report) {
  const std::vector<std::string> dump_directories = DumpDirectories(cases, options.dump_directory);
  std::vector<CaseResult> results(cases.size());
  std::atomic<size_t> next = 0;
  absl::Mutex mutex;
  const auto work = [&](DriverSession& own) {
    for (size_t i = next++; i < cases.size(); i = next++) {
      RunOptions run;
      run.dump_directory = dump_directories[i];
      run.source_path = cases[i].loaded->source_path;
      run.deadline = options.deadline;
      results[i] = RunCase(own, cases[i].loaded->test_case, cases[i].mode, run);
      const absl::MutexLock lock(&mutex);
      report(results[i]);
    }
  };
  std::vector<std::unique_ptr<DriverSession>> sessions;
  const size_t jobs = std::clamp<size_t>(options.jobs, 1, std::max<size_t>(cases.size(), 1));
  for (size_t i = 1; i < jobs; ++i) {
    absl::StatusOr<std::unique_ptr<DriverSession>> another =
        DriverSession::FromDevice(session.device(), session.name(), options.deadline);
    if (!another.ok()) return another.status();
    sessions.push_back(*std::move(another));
  }
  std::vector<std::thread> threads;
  for (const std::unique_ptr<DriverSession>& another : sessions) {
    threads.emplace_back([&work, &another] { work(*another); });
  }
  work(session);
  for (std::thread& thread : threads) thread.join();
  return results;
}

}  // namespace nncert
