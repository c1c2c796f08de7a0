// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A certification in several parts, by several machines.

#ifndef NNCERT_CERTIFYING_SUBMISSION_SHARDS_H_
#define NNCERT_CERTIFYING_SUBMISSION_SHARDS_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace nncert {

/// A part of a run: --shard=2/3. 1/1 is the whole.
struct Shard {
  uint64_t number = 1;
  uint64_t count = 1;

  bool is_whole() const { return count == 1; }
  /// Whether it has what is at this place: neighbours are of different shards, as those that take
  /// long often are neighbours.
  bool Has(uint64_t place) const { return place % count == number - 1; }
};

/// Reads "NUMBER/COUNT", where NUMBER is from 1 to COUNT and COUNT at most 1,000.
bool AbslParseFlag(absl::string_view text, Shard* shard, std::string* error);

/// Writes what AbslParseFlag reads.
std::string AbslUnparseFlag(const Shard& shard);

/// Whether a folder has a journal of a certification, or of a shard of one.
bool IsShardFolder(const std::string& folder);

/// Joins the journals of the report folders of shards, what the driver answered, and their failing
/// cases, in the folder `out`, which TakeReportFolder has taken: a run that goes on there finds
/// everything done that any of the shards has done. Fails when a journal cannot be read or written,
/// when two are of different runs, and when none of the folders has any.
absl::Status MergeShards(absl::Span<const std::string> shards, const std::filesystem::path& out);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_SHARDS_H_
