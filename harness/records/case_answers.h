// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a driver answered while a case was run on it: all that its verdict came of.

#ifndef NNCERT_HARNESS_RECORDS_CASE_ANSWERS_H_
#define NNCERT_HARNESS_RECORDS_CASE_ANSWERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "harness/records/verdict.h"

namespace nncert {

/// A rule that a driver broke, or a refusal; see Problem of harness/isolation.
struct RecordedProblem {
  Verdict verdict = Verdict::FAIL;
  std::string text;
  bool is_refusal = false;

  bool operator==(const RecordedProblem&) const = default;
};

/// How an execution ended, as far as it is judged.
struct RecordedExecution {
  /// Where this is set, all else is meaningless.
  std::optional<RecordedProblem> problem;
  hal::V1_0::ErrorStatus status = hal::V1_0::ErrorStatus::NONE;
  std::vector<hal::V1_2::OutputShape> shapes;
  /// Nothing where nothing is wrong with it.
  std::optional<hal::V1_2::Timing> timing;
  /// What is wrong with the memory of the request: "wrote past output 0"; empty where nothing is.
  std::string memory;
  /// Of each output, the number of its bytes in CaseAnswers::buffers; nothing where they were as
  /// before the execution.
  std::vector<std::optional<uint32_t>> outputs;

  bool operator==(const RecordedExecution&) const = default;
};

/// Something that a driver was asked.
struct RecordedStep {
  enum class Kind {
    kPreparation,  ///< which operations it supports, and to prepare a model
    kExecution,    ///< to execute the model that it prepared last
    kRelease,      ///< to take the model back
  };
  Kind kind = Kind::kPreparation;
  /// Of an execution, its number in CaseAnswers::executions.
  uint32_t execution = 0;
  /// Of a preparation, whether the driver claimed all operations.
  bool is_fully_supported = false;
  /// What went wrong; of an execution that has it.
  std::optional<RecordedProblem> problem = std::nullopt;

  bool operator==(const RecordedStep&) const = default;
};

/// The answers to one case in one mode. What comes again is there once, in the order in which it
/// came first.
struct CaseAnswers {
  std::vector<RecordedStep> steps;
  std::vector<RecordedExecution> executions;
  std::vector<std::vector<uint8_t>> buffers;

  bool operator==(const CaseAnswers&) const = default;
};

/// The most bytes that the outputs of one case may have together.
inline constexpr size_t kMostAnsweredBytes = size_t{48} << 20;

/// Puts the answers to a case together, each as it comes.
class AnswersBuilder {
 public:
  /// Forgets everything.
  void Clear();

  void AddPreparation(bool is_fully_supported, std::optional<RecordedProblem> problem);
  void AddRelease(std::optional<RecordedProblem> problem);
  /// The number of an output's bytes. They are copied.
  uint32_t AddBuffer(absl::Span<const uint8_t> bytes);
  void AddExecution(RecordedExecution execution);

  /// What has been added; nothing of cases with more than kMostAnsweredBytes.
  const CaseAnswers& answers() const { return answers_; }

 private:
  void Add(RecordedStep step);

  CaseAnswers answers_;
  size_t bytes_ = 0;
  bool is_too_much_ = false;
};

/// Whether the driver executed anything and the outcome is there.
bool HasExecutions(const CaseAnswers& answers);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_CASE_ANSWERS_H_
