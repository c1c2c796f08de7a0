// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/case_batch.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "cases/case_file.h"
#include "certifying/name_filter.h"
#include "certifying/running_cases.h"
#include "hal/deadline.h"
#include "harness/records/failure_dump.h"
#include "system/digest.h"
#include "system/processor.h"
#include "system/threads.h"

namespace nncert {
namespace {

// How often a worker that has nothing else to tell tells what its processes have used.
constexpr absl::Duration kReportInterval = absl::Seconds(1);

// Where each case is dumped, in whatever mode: names that come again get a folder of their own.
std::vector<std::string> DumpDirectories(absl::Span<const CaseInMode> cases,
                                         const std::string& directory) {
  std::vector<std::string> directories(cases.size(), directory);
  if (directory.empty()) return directories;
  std::map<std::string, std::map<const LoadedCase*, size_t>> seen;
  for (size_t i = 0; i < cases.size(); ++i) {
    auto& of_name = seen[DumpName(cases[i].loaded->test_case)];
    const size_t count = of_name.try_emplace(cases[i].loaded, of_name.size() + 1).first->second;
    if (count > 1) absl::StrAppend(&directories[i], "/", count);
  }
  return directories;
}

// See CaseResult::spec.
std::string SpecOf(const LoadedCase& loaded) {
  const size_t slash = loaded.source_path.rfind('/');
  const std::string name =
      slash == std::string::npos ? loaded.source_path : loaded.source_path.substr(slash + 1);
  std::string spec = name.substr(0, name.find('.'));
  return absl::StartsWith(loaded.test_case.name, spec) ? spec : "";
}

// The digest of a case. Where it stands does not change what it comes to.
absl::StatusOr<uint64_t> DigestOf(const LoadedCase& loaded) {
  TestCase test_case = loaded.test_case;
  test_case.line = {};
  const absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("", {test_case});
  if (!bytes.ok()) {
    return absl::Status(bytes.status().code(),
                        absl::StrCat(loaded.source_path, ": case ", test_case.name, ": ",
                                     bytes.status().message()));
  }
  Digest digest;
  digest.Add(*bytes);
  return digest.value();
}

}  // namespace

absl::StatusOr<std::vector<CaseInMode>> SelectCases(absl::Span<const LoadedCase> cases,
                                                    absl::Span<const TestMode> modes,
                                                    const std::string& filter) {
  const absl::StatusOr<NameFilter> names = NameFilter::Of(filter);
  if (!names.ok()) return names.status();
  std::vector<CaseInMode> selected;
  for (const LoadedCase& loaded : cases) {
    for (const TestMode mode : modes) {
      const std::string& name = NameInMode(loaded.test_case, mode);
      if (name.empty()) continue;
      if (!names->Leaves(name)) continue;
      selected.push_back({&loaded, mode});
    }
  }
  return selected;
}

std::string FullName(const CaseInMode& entry) {
  return absl::StrCat(std::string(FixtureName(entry.mode)), ".",
                      NameInMode(entry.loaded->test_case, entry.mode));
}

absl::StatusOr<BatchResult> RunCases(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                                     absl::Span<const CaseInMode> cases,
                                     const BatchOptions& options,
                                     absl::FunctionRef<void(const CaseResult&)> report) {
  const std::vector<std::string> dump_directories =
      DumpDirectories(cases, options.run.dump_directory);
  BatchResult batch;
  batch.processes = options.done.processes;
  std::vector<std::optional<CaseResult>>& results = batch.results;
  results.resize(cases.size());
  for (const JournalEntry& entry : options.done.results) {
    results[entry.index] = entry.result;
    results[entry.index]->spec = SpecOf(*cases[entry.index].loaded);
    report(*results[entry.index]);
  }
  std::vector<size_t> left;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (results[i].has_value()) continue;
    if (options.takes == nullptr || options.takes(i)) left.push_back(i);
  }
  if (left.empty()) return batch;
  std::atomic<size_t> next = 0;
  // Nothing can be written to the journal or the answers any more; no case can be run any more.
  std::atomic<bool> is_broken = false;
  std::atomic<bool> is_lost = false;
  absl::Mutex mutex;
  absl::Status status;
  // Both to be called under the mutex: what is to be known of a worker's processes; what becomes of
  // writing to the journal.
  const auto take_report = [&](CaseWorker& worker) {
    WorkerReport processes = worker.TakeReport();
    Add(processes, batch.processes);
    return processes;
  };
  const auto note = [&](absl::Status written) {
    if (written.ok()) return;
    is_broken = true;
    status.Update(std::move(written));
  };
  RunningCases running(options.running_directory);
  if (absl::Status created = running.Create(workers.size()); !created.ok()) return created;
  const auto work = [&](size_t number) {
    CaseWorker& worker = *workers[number];
    const OnProcessor scope(worker.processor());
    AnswersBuilder answers;
    hal::Deadline next_report(kReportInterval);
    for (size_t k = next++; k < left.size() && !is_broken && !is_lost; k = next++) {
      if (options.should_stop != nullptr && options.should_stop()) return;
      // What came to light between two cases is known before the next one, which may never end.
      if (worker.HasNews()) {
        const absl::MutexLock lock(&mutex);
        const WorkerReport processes = take_report(worker);
        if (options.journal != nullptr && !is_broken) note(options.journal->Append(processes));
      }
      const size_t i = left[k];
      RunOptions run = options.run;
      run.at_once = true;
      run.dump_directory = dump_directories[i];
      run.source_path = cases[i].loaded->source_path;
      if (options.answers != nullptr) run.answers = &answers;
      const absl::Status begun =
          running.Begin(number, absl::MakeConstSpan(&cases[i].loaded->test_case, 1));
      if (begun.ok()) results[i] = worker.Run(cases[i].loaded->test_case, cases[i].mode, run);
      const std::string lost = begun.ok() ? worker.WhyLost() : "";
      // Should this be interrupted now, the case is run again, and answered again.
      const bool is_kept = options.answers != nullptr && begun.ok() && lost.empty() && !is_broken;
      const absl::Status kept =
          is_kept ? options.answers->Append(i, answers.answers()) : absl::OkStatus();
      const absl::MutexLock lock(&mutex);
      if (!begun.ok()) return note(begun);
      note(kept);
      if (!lost.empty()) {
        // What came back is no result of the case, which waits for another run.
        results[i].reset();
        if (!is_lost.exchange(true)) batch.lost = lost;
        return;
      }
      WorkerReport processes;
      if (next_report.HasPassed() || worker.HasNews()) {
        processes = take_report(worker);
        next_report = hal::Deadline(kReportInterval);
      }
      if (options.journal != nullptr && !is_broken) {
        note(options.journal->Append(i, *results[i], processes));
      }
      results[i]->spec = SpecOf(*cases[i].loaded);
      report(*results[i]);
    }
  };
  RunOnThreads(std::min(workers.size(), left.size()), work);
  const absl::MutexLock lock(&mutex);
  WorkerReport last;
  for (const std::unique_ptr<CaseWorker>& worker : workers) {
    worker->Settle();
    Add(take_report(*worker), last);
  }
  if (options.journal != nullptr && !is_broken) note(options.journal->Append(last));
  if (!status.ok()) return status;
  return batch;
}

absl::StatusOr<uint64_t> DigestCases(absl::Span<const CaseInMode> cases) {
  // The modes of a case follow each other.
  std::vector<const LoadedCase*> loaded;
  for (const CaseInMode& entry : cases) {
    if (loaded.empty() || loaded.back() != entry.loaded) loaded.push_back(entry.loaded);
  }
  std::vector<absl::StatusOr<uint64_t>> digests(loaded.size(), 0);
  std::atomic<size_t> next = 0;
  RunOnThreads(std::min(AllowedProcessors().size(), loaded.size()), [&](size_t /*number*/) {
    for (size_t i = next++; i < loaded.size(); i = next++) digests[i] = DigestOf(*loaded[i]);
  });
  Digest digest;
  size_t read = 0;
  for (const CaseInMode& entry : cases) {
    if (read == 0 || entry.loaded != loaded[read - 1]) {
      const absl::StatusOr<uint64_t>& of_case = digests[read++];
      if (!of_case.ok()) return of_case.status();
      digest.Add(absl::StrCat(absl::Hex(*of_case)));
    }
    digest.Add(FixtureName(entry.mode));
  }
  return digest.value();
}

}  // namespace nncert
