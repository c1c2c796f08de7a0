// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Results of the tests of a driver that Bazel ran, as a part of a certification.

#ifndef NNCERT_CERTIFYING_SUBMISSION_BAZEL_RESULTS_H_
#define NNCERT_CERTIFYING_SUBMISSION_BAZEL_RESULTS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "certifying/submission/must_pass_list.h"
#include "harness/records/answers_file.h"
#include "harness/records/journal.h"
#include "system/subprocess.h"

namespace nncert {

/// The cases of a suite of a certification, all of them, whatever a filter leaves.
struct AllCasesOf {
  const char* suite = nullptr;
  absl::Span<const CaseInMode> cases;
};

/// What `bazel test` left of the tests of a driver (results_of_tests.h). Of a test that was run
/// more than once the first result counts, by the paths that Bazel keeps them under.
class BazelResults {
 public:
  /// Reads all that is below folders, "bazel-testlogs" or a copy of it: each folder that is called
  /// test.outputs and has what a test of a driver leaves, packed in an outputs.zip or not. NotFound
  /// when one of the folders has nothing of the kind; InvalidArgument when what is there cannot be
  /// read, names files elsewhere, or is larger than any test leaves.
  static absl::StatusOr<BazelResults> Read(absl::Span<const std::string> folders);

  /// Appends the results of cases to a journal that has none so far, of a run of the cases `run`,
  /// and to the answers, if anybody wants them. Failing cases are copied to `out`. Results of cases
  /// that the run does not have are left out. `deadline` is that of the run. FailedPrecondition
  /// when results are of another driver, another nncert, other cases or another deadline; what was
  /// wrong, and where, in any case.
  absl::Status TakeCases(absl::Span<const AllCasesOf> suites, absl::Span<const CaseInMode> run,
                         absl::Duration deadline, const std::filesystem::path& out,
                         Journal& journal, AnswersFile* answers) const;

  /// The same of suites of calls, whose tests follow each other in the run.
  absl::Status TakeTests(absl::Span<const ListedSuite> run, absl::Duration deadline,
                         Journal& journal) const;

  /// The same of the first `count` random graphs.
  absl::Status TakeGraphs(const ListedSuite& graphs, uint64_t count, absl::Duration deadline,
                          Journal& journal) const;

 private:
  // What one test program, or a shard of one, left.
  struct Part {
    // Where it was found.
    std::string source;
    std::filesystem::path folder;
    ListedSuite tests;
    RunIdentity run;
    JournalContent content;
  };

  explicit BazelResults(TemporaryFolder unpacked) : unpacked_(std::move(unpacked)) {}

  // Reads what a test left in `folder`.
  static absl::StatusOr<Part> ReadPart(const std::string& source,
                                       const std::filesystem::path& folder);

  // Takes over from each part of a suite, once it is known that it is of the run of the journal.
  absl::Status ForEachPartOf(std::string_view suite, absl::Duration deadline, Journal& journal,
                             absl::FunctionRef<absl::Status(const Part& part)> take) const;

  TemporaryFolder unpacked_;
  std::vector<Part> parts_;
};

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_BAZEL_RESULTS_H_
