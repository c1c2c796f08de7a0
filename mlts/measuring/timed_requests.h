// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Requests that are executed against the clock, with answers that are known beforehand: a driver
// that is fast because it does not compute is found out.

#ifndef NNCERT_MLTS_MEASURING_TIMED_REQUESTS_H_
#define NNCERT_MLTS_MEASURING_TIMED_REQUESTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "harness/judging/comparator.h"
#include "mlts/measuring/network_arguments.h"

namespace nncert {

/// Inferences of a driver whose answers differ, so that the answer to one is not taken for that to
/// another: as many of `inferences` as there are, at most `most`, in their order. One alone when
/// all answers are the same.
std::vector<Inference> DistinctInferences(const NetworkArguments& arguments,
                                          const std::vector<Inference>& inferences, size_t most);

/// Whether the outputs that somebody reads are those of another inference of the same network,
/// within the documented precision.
bool AnswersAlike(const NetworkArguments& arguments, const Inference& one, const Inference& other);

/// How answers under the clock compare with those without.
struct TimedAnswers {
  uint64_t executions = 0;
  /// Those whose answer is wrong beyond the documented precision, and of these, those whose answer
  /// is that to the request before.
  uint64_t wrong = 0;
  uint64_t previous = 0;
  /// What the first wrong one is.
  std::string first;

  void Add(const TimedAnswers& others);
};

/// One execution under the clock.
struct TimedExecution {
  double microseconds = 0;
  /// What the driver says, UINT64_MAX where it says nothing.
  hal::V1_2::Timing timing;
};

/// A request for each of several inferences of one driver, in memory of its own, to be executed
/// over and over. Not to be used from two threads at the same time.
class TimedRequests {
 public:
  /// The answers to `inferences`, of which there is one at least, are those that the driver gives
  /// when it is not timed. The arguments and the session, in which requests are executed, must
  /// outlive this. Fails as GuardedRequest::Create does.
  static absl::StatusOr<std::unique_ptr<TimedRequests>> Create(
      DriverSession& session, const NetworkArguments& arguments,
      const std::vector<Inference>& inferences);

  /// Executes the next request, each in turn, and compares the answer. `burst` is where it is
  /// executed if `executor` is BURST. Fails as NetworkOnDriver::Execute does.
  absl::StatusOr<TimedExecution> Execute(ModelOnDriver& model, Executor executor,
                                         BurstOnDriver* burst, hal::V1_2::MeasureTiming measure);

  /// The first request, which bursts are sized by.
  const hal::V1_0::Request& first() const { return requests_.front().request(); }

  /// How the answers so far compare.
  const TimedAnswers& answers() const { return answers_; }

 private:
  explicit TimedRequests(const NetworkArguments& arguments) : arguments_(arguments) {}
  // Whether an answer is that of an inference, to the last bit or within the documented precision.
  bool IsSame(const GuardedRequest& request, const Inference& inference) const;
  bool IsClose(const GuardedRequest& request, const Inference& inference) const;
  void Compare(size_t index);

  const NetworkArguments& arguments_;
  std::vector<Inference> inferences_;
  std::vector<GuardedRequest> requests_;
  std::vector<Criterion> criteria_;  // by output of the model
  size_t next_ = 0;
  std::optional<size_t> previous_;
  TimedAnswers answers_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_TIMED_REQUESTS_H_
