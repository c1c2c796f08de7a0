// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/shards.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "certifying/report_folder.h"
#include "certifying/submission/moved_failures.h"
#include "harness/records/answers_file.h"
#include "harness/records/journal.h"

namespace nncert {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostShards = 1000;

constexpr const char* kJournals[] = {kJournalFile, kSuiteJournalFile, kGraphJournalFile};

// Joins the answers of the cases that the journal of each shard has a result of, as the
// journals are joined: the first shard with a result counts. A shard without answers has none.
absl::Status MergeAnswers(absl::Span<const std::string> shards, const fs::path& out) {
  std::unique_ptr<AnswersFile> joined;
  std::set<size_t> done;
  for (const std::string& shard : shards) {
    const fs::path journal = fs::path(shard) / kJournalFile;
    const fs::path path = fs::path(shard) / kAnswersFile;
    std::error_code error;
    if (!fs::exists(journal, error) || !fs::exists(path, error)) continue;
    RunIdentity run;
    const absl::StatusOr<JournalContent> content = Journal::Read(journal.string(), run);
    if (!content.ok()) return content.status();
    if (joined == nullptr) {
      absl::StatusOr<std::unique_ptr<AnswersFile>> created =
          AnswersFile::Create(out / kAnswersFile, run.case_count);
      if (!created.ok()) return created.status();
      joined = *std::move(created);
    }
    std::set<size_t> of_shard;
    for (const JournalEntry& entry : content->results) {
      if (!done.contains(entry.index)) of_shard.insert(entry.index);
    }
    absl::Status read =
        ForEachAnswers(path.string(), run.case_count, [&](size_t index, std::string_view message) {
          return of_shard.contains(index) ? joined->AppendRecord(message) : absl::OkStatus();
        });
    if (!read.ok()) return read;
    done.merge(of_shard);
  }
  return absl::OkStatus();
}

// Appends what a shard has come to.
absl::Status AppendAll(const fs::path& shard, const fs::path& out, JournalContent content,
                       Journal& journal) {
  absl::Status status = journal.Append(content.processes);
  for (JournalEntry& entry : content.results) {
    status.Update(MoveFailures(shard, out, entry.result));
    status.Update(journal.Append(entry.index, entry.result));
  }
  for (const CaseSpan& span : content.spans) status.Update(journal.Append(span));
  for (const JournalTest& test : content.tests) status.Update(journal.Append(test));
  return status;
}

// Joins the journals of one name. Whether there is any.
absl::StatusOr<bool> MergeJournals(absl::Span<const std::string> shards, const char* name,
                                   const fs::path& out) {
  std::unique_ptr<Journal> journal;
  RunIdentity first;
  for (const std::string& shard : shards) {
    const fs::path path = fs::path(shard) / name;
    std::error_code error;
    // A shard that was interrupted early has not begun all of them.
    if (!fs::exists(path, error)) continue;
    RunIdentity run;
    absl::StatusOr<JournalContent> content = Journal::Read(path.string(), run);
    if (!content.ok()) return content.status();
    if (journal == nullptr) {
      first = run;
      absl::StatusOr<std::unique_ptr<Journal>> created = Journal::Create(out / name, run);
      if (!created.ok()) return created.status();
      journal = *std::move(created);
    }
    if (const std::string difference = DifferenceOf(run, first); !difference.empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat(path.string(), " is of another run than the first shard: ", difference));
    }
    if (absl::Status status = AppendAll(shard, out, *std::move(content), *journal); !status.ok()) {
      return status;
    }
  }
  return journal != nullptr;
}

}  // namespace

bool AbslParseFlag(absl::string_view text, Shard* shard, std::string* error) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
  Shard read;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &read.number) ||
      !absl::SimpleAtoi(parts[1], &read.count) || read.count < 1 || read.count > kMostShards ||
      read.number < 1 || read.number > read.count) {
    *error = absl::StrCat("expected NUMBER/COUNT, as 1/3, with a count of ", kMostShards,
                          " at the most");
    return false;
  }
  *shard = read;
  return true;
}

std::string AbslUnparseFlag(const Shard& shard) {
  return absl::StrCat(shard.number, "/", shard.count);
}

bool IsShardFolder(const std::string& folder) {
  return absl::c_any_of(kJournals, [&folder](const char* name) {
    std::error_code ignored;
    return fs::exists(fs::path(folder) / name, ignored);
  });
}

absl::Status MergeShards(absl::Span<const std::string> shards, const fs::path& out) {
  std::error_code ignored;
  // One of an earlier run would be gone on with.
  fs::remove(out / kAnswersFile, ignored);
  bool is_any = false;
  for (const char* const name : kJournals) {
    const absl::StatusOr<bool> merged = MergeJournals(shards, name, out);
    if (!merged.ok()) return merged.status();
    is_any = is_any || *merged;
    // One of an earlier run would be gone on with.
    if (!*merged) fs::remove(out / name, ignored);
  }
  if (is_any) return MergeAnswers(shards, out);
  return absl::NotFoundError(
      absl::StrCat("there is no ", kJournalFile, " in ", shards.front(),
                   "; expected the folders of certify --shard=NUMBER/COUNT"));
}

}  // namespace nncert
