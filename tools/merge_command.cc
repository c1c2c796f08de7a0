// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <string>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/report_folder.h"
#include "certifying/submission/shards.h"
#include "tools/commands.h"
#include "tools/flags.h"

namespace nncert {
namespace {

absl::StatusOr<ExitStatus> Merge(absl::Span<const std::string> shards) {
  const std::filesystem::path out = absl::GetFlag(FLAGS_out).path.value_or("nncert-report");
  std::error_code error;
  for (const std::string& shard : shards) {
    if (!std::filesystem::equivalent(shard, out, error)) continue;
    return absl::InvalidArgumentError(
        "--out is the folder of a shard; expected one of its own for the whole");
  }
  const absl::StatusOr<bool> was_used = TakeReportFolder(out);
  if (!was_used.ok()) return was_used.status();
  if (*was_used) {
    if (absl::Status status = EmptyReportFolder(out); !status.ok()) return status;
  }
  if (absl::Status status = MergeShards(shards, out); !status.ok()) return status;
  // The whole is a run that goes on where all shards have ended.
  absl::SetFlag(&FLAGS_resume, true);
  return CertifyCommand().run({});
}

}  // namespace

Command MergeCommand() {
  Command command = CertifyCommand();
  std::erase_if(command.flags, [](const CommandFlag& flag) {
    return flag.name == "shard" || flag.name == "resume" || flag.name == "list";
  });
  command.name = "merge";
  command.arguments = "SHARD...";
  command.minimum_arguments = 1;
  command.summary = "makes one certification of the shards of one";
  command.description =
      "Joins the folders that certify --shard=NUMBER/COUNT wrote, each with the same other flags, "
      "and goes on as\ncertify --resume does: what no shard has run is run, failures are looked "
      "into, and the reports are written.\nreport.json and junit.xml are those of a run that was "
      "not divided, byte for byte. The exit status is that of\ncertify.";
  command.run = &Merge;
  return command;
}

}  // namespace nncert
