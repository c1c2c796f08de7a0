// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/case_batch.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <regex>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "hal/schema_conversion.h"
#include "harness/digest.h"

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

absl::StatusOr<std::vector<std::optional<CaseResult>>> RunCases(
    absl::Span<const std::unique_ptr<CaseWorker>> workers, absl::Span<const CaseInMode> cases,
    const BatchOptions& options, absl::FunctionRef<void(const CaseResult&)> report) {
  const std::vector<std::string> dump_directories = DumpDirectories(cases, options.dump_directory);
  std::vector<std::optional<CaseResult>> results(cases.size());
  for (const JournalEntry& entry : options.done) {
    results[entry.index] = entry.result;
    report(entry.result);
  }
  std::vector<size_t> left;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!results[i].has_value()) left.push_back(i);
  }
  std::atomic<size_t> next = 0;
  std::atomic<bool> is_broken = false;
  absl::Mutex mutex;
  absl::Status status;
  const auto work = [&](CaseWorker& worker) {
    for (size_t k = next++; k < left.size() && !is_broken; k = next++) {
      if (options.should_stop != nullptr && options.should_stop()) return;
      const size_t i = left[k];
      RunOptions run;
      run.dump_directory = dump_directories[i];
      run.source_path = cases[i].loaded->source_path;
      run.deadline = options.deadline;
      results[i] = worker.Run(cases[i].loaded->test_case, cases[i].mode, run);
      const absl::MutexLock lock(&mutex);
      if (options.journal != nullptr && !is_broken) {
        status = options.journal->Append(i, *results[i]);
        is_broken = !status.ok();
      }
      report(*results[i]);
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(workers.size(), left.size()); ++i) {
    threads.emplace_back([&work, &worker = *workers[i]] { work(worker); });
  }
  work(*workers.front());
  for (std::thread& thread : threads) thread.join();
  if (!status.ok()) return status;
  return results;
}

absl::StatusOr<uint64_t> DigestCases(absl::Span<const CaseInMode> cases) {
  Digest digest;
  const LoadedCase* last = nullptr;
  for (const CaseInMode& entry : cases) {
    // The modes of a case follow each other.
    if (entry.loaded != last) {
      last = entry.loaded;
      const absl::StatusOr<std::vector<uint8_t>> bytes =
          hal::SerializeCaseFile("", {entry.loaded->test_case});
      if (!bytes.ok()) {
        return absl::Status(
            bytes.status().code(),
            absl::StrCat(entry.loaded->source_path, ": case ", entry.loaded->test_case.name, ": ",
                         bytes.status().message()));
      }
      digest.Add(*bytes);
    }
    digest.Add(FixtureName(entry.mode));
  }
  return digest.value();
}

}  // namespace nncert
