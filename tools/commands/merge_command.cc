// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <string>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "certifying/report_folder.h"
#include "certifying/submission/bazel_results.h"
#include "certifying/submission/shards.h"
#include "system/program.h"
#include "tools/commands/certify_command.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

namespace nncert {
namespace {

absl::StatusOr<ExitStatus> Merge(absl::Span<const std::string> folders) {
  const std::filesystem::path out = absl::GetFlag(FLAGS_out).path.value_or("nncert-report");
  std::error_code error;
  for (const std::string& folder : folders) {
    if (!std::filesystem::equivalent(folder, out, error)) continue;
    return absl::InvalidArgumentError(
        "--out is the folder of a shard; expected one of its own for the whole");
  }
  // Details have lines for a shell with the old name of the folder in them.
  if (QuoteForShell(out.string()) != out.string()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot merge into ", out.string(), ": expected a name that a shell takes as it is"));
  }
  const bool is_of_shards = absl::c_any_of(folders, &IsShardFolder);
  absl::StatusOr<BazelResults> results;
  if (!is_of_shards) {
    if (absl::GetFlag(FLAGS_plain)) {
      return absl::InvalidArgumentError(
          "--plain: the tests that bazel test runs are judged by fast kernels");
    }
    results = BazelResults::Read(folders);
    if (!results.ok()) return results.status();
  }
  const absl::StatusOr<bool> was_used = TakeReportFolder(out);
  if (!was_used.ok()) return was_used.status();
  if (*was_used) {
    if (absl::Status status = EmptyReportFolder(out); !status.ok()) return status;
  }
  if (!is_of_shards) return Certify(&*results);
  if (absl::Status status = MergeShards(folders, out); !status.ok()) return status;
  // The whole is a run that goes on where all shards have ended.
  absl::SetFlag(&FLAGS_resume, true);
  return Certify(/*known=*/nullptr);
}

}  // namespace

Command MergeCommand() {
  Command command = CertifyCommand();
  std::erase_if(command.flags, [](const CommandFlag& flag) {
    return flag.name == "shard" || flag.name == "resume" || flag.name == "list";
  });
  command.name = "merge";
  command.arguments = "FOLDER...";
  command.minimum_arguments = 1;
  command.summary = "makes one certification of its shards, or of what bazel test ran";
  command.description =
      "Joins the folders that certify --shard=NUMBER/COUNT wrote, each with the same other flags, "
      "or what the tests\nof a driver left below bazel-testlogs, and goes on as certify --resume "
      "does: what is not there is run,\nfailures are looked into, and the reports are written. "
      "report.json and junit.xml are those of a run that was\nnot divided, byte for byte. The exit "
      "status is that of certify.";
  command.run = &Merge;
  return command;
}

}  // namespace nncert
