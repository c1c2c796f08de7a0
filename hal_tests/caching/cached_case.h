// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The model of a case on a driver that caches it.

#ifndef NNCERT_HAL_TESTS_CACHING_CACHED_CASE_H_
#define NNCERT_HAL_TESTS_CACHING_CACHED_CASE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "certifying/case_batch.h"
#include "hal/compilation_cache.h"
#include "hal/v1_2/interfaces.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// How prepareModelFromCache may end, other than with an error of its rules.
struct Acceptance {
  /// With a prepared model that executes as one does that was not cached.
  bool same = false;
  /// With GENERAL_FAILURE and without a prepared model.
  bool failure = false;
  /// With INVALID_ARGUMENT and without a prepared model.
  bool invalid_argument = false;
};

/// What a good cache has to give.
inline constexpr Acceptance kSame = {.same = true};
/// What must not be accepted, though the arguments of the call are right.
inline constexpr Acceptance kFailure = {.failure = true};
/// The same where the arguments are wrong.
inline constexpr Acceptance kRefusal = {.failure = true, .invalid_argument = true};
/// What need not be noticed where it changes nothing.
inline constexpr Acceptance kSameOrFailure = {.same = true, .failure = true};
inline constexpr Acceptance kSameOrRefusal = {
    .same = true, .failure = true, .invalid_argument = true};

/// The model of a case on a device of HAL 1.2: prepared without a cache, whose answer is what every
/// other preparation has to give as well, bit by bit; saved to caches, and prepared from them.
class CachedCase {
 public:
  /// The case is executable at 1.2 (IsExecutable). It and the session outlive this.
  CachedCase(DriverSession& session, absl::Duration deadline, const CaseInMode& test_case);

  /// Asks whether the model is supported, prepares it without a cache and executes it. As
  /// ModelOnDriver::Prepare. To be called before all that follows.
  std::optional<Problem> Prepare();

  /// Whether two executions of the model gave the same, so that others can be compared with them.
  bool is_repeatable() const { return is_repeatable_; }

  /// Whether the answers are the same, which two other models should not give.
  bool AnswersAs(const CachedCase& other) const { return answer_ == other.answer_; }

  /// Has the model prepared with these files to save it in, which may be wrong ones. What is wrong
  /// with the call, or with the answer of the prepared model.
  std::optional<Problem> Save(const CacheFiles& files) const;

  /// Gives what the files of a cache hold that the model was saved in under `token`; it is saved
  /// once for each token, in as many files. What was wrong with that.
  std::optional<Problem> Contents(const hal::V1_2::CacheToken& token, size_t model_files,
                                  size_t data_files, hal::CompilationCache& contents);

  /// Has a model prepared from a cache, by this session or another one of the driver. What is wrong
  /// with the call, or with the answer of the prepared model.
  std::optional<Problem> Retrieve(const CacheFiles& files, Acceptance acceptance) const {
    return Retrieve(session_, files, acceptance);
  }
  std::optional<Problem> Retrieve(DriverSession& session, const CacheFiles& files,
                                  Acceptance acceptance) const;

  DriverSession& session() const { return session_; }
  absl::Duration deadline() const { return deadline_; }

 private:
  // What an execution came to.
  struct Answer {
    hal::V1_0::ErrorStatus status = hal::V1_0::ErrorStatus::NONE;
    std::vector<hal::V1_2::OutputShape> shapes;
    std::vector<std::vector<uint8_t>> outputs;

    bool operator==(const Answer&) const = default;
  };

  std::optional<Problem> Ask(DriverSession& session, ModelOnDriver& prepared, Answer& answer) const;
  std::optional<Problem> CheckAnswer(DriverSession& session, ModelOnDriver& prepared) const;

  DriverSession& session_;
  const absl::Duration deadline_;
  const CaseInMode case_;
  const std::shared_ptr<const hal::V1_2::Model> model_;
  Answer answer_;
  bool is_repeatable_ = false;
  std::map<hal::V1_2::CacheToken, hal::CompilationCache> contents_;
};

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CACHING_CACHED_CASE_H_
