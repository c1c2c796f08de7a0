// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps what a driver answered to the cases of a run, so that it can be judged again.

#ifndef NNCERT_HARNESS_RECORDS_ANSWERS_FILE_H_
#define NNCERT_HARNESS_RECORDS_ANSWERS_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "harness/records/case_answers.h"
#include "harness/records/record_file.h"

namespace nncert {

/// The file that answers are appended to as they come, beside the journal of the run, which says
/// what run it is: records of harness/records/answers.capnp. Of a case that comes twice, the last
/// answers are those that its result came of. Appending is thread-safe.
class AnswersFile {
 public:
  /// Begins the file of a run of `case_count` cases, in place of any that is at `path`. Fails when
  /// it cannot be written. Errors name the file.
  static absl::StatusOr<std::unique_ptr<AnswersFile>> Create(const std::string& path,
                                                             uint64_t case_count);

  /// Goes on with the file of a run, without what was being appended when that was interrupted; one
  /// that is not there, or not of so many cases, is begun. Fails as Create does.
  static absl::StatusOr<std::unique_ptr<AnswersFile>> Resume(const std::string& path,
                                                             uint64_t case_count);

  /// Appends the answers to the case at this place of the run.
  absl::Status Append(size_t index, const CaseAnswers& answers);

  /// Appends the record of a file of the same run; see ForEachAnswers.
  absl::Status AppendRecord(std::string_view message);

 private:
  explicit AnswersFile(std::unique_ptr<RecordFile> file) : file_(std::move(file)) {}

  const std::unique_ptr<RecordFile> file_;
};

/// Gives every record of the file at `path`, of a run of `case_count` cases, to `visit`, with the
/// place of its case, up to the first that is not whole. NotFound when there is no file;
/// InvalidArgument or FailedPrecondition when it is none of answers, or of another number of cases;
/// fails as `visit` does. Errors name the file.
absl::Status ForEachAnswers(
    const std::string& path, uint64_t case_count,
    absl::FunctionRef<absl::Status(size_t index, std::string_view message)> visit);

/// The answers of the file at `path` as they are submitted: those to every case, the last of each,
/// in the order of the cases. FailedPrecondition when a case has none, or when they have more than
/// `most` bytes; fails as ForEachAnswers does. Errors name the file.
absl::StatusOr<std::string> CompleteAnswers(const std::string& path, uint64_t case_count,
                                            uint64_t most);

/// Finds the records in what CompleteAnswers gives, one for each of `case_count` cases.
/// InvalidArgument when anything but these is there, in this order; which refers to `bytes`.
absl::StatusOr<std::vector<std::string_view>> SplitAnswers(std::string_view bytes,
                                                           uint64_t case_count);

/// Reads the record of the case at this place. InvalidArgument when it is not, to the bit, what
/// Append would write.
absl::StatusOr<CaseAnswers> ParseAnswers(std::string_view message, size_t index);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_ANSWERS_FILE_H_
