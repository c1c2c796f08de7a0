// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// All that a client asks of a device for some models, in one go: whoever is near the device makes
// the calls, so that a process that serves it is woken once and not a dozen times.

#ifndef NNCERT_HAL_REPLAY_CALL_SEQUENCE_H_
#define NNCERT_HAL_REPLAY_CALL_SEQUENCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal::replay {

class SpareQueues;

/// How a prepared model is executed.
enum class ExecutionMethod : uint8_t {
  kAsynchronous,     ///< by execute_1_2
  kSynchronous,      ///< by executeSynchronously
  kBurst,            ///< by the model's burst, which is opened before the first of these executions
  kAsynchronous1_0,  ///< by execute, which has no timing
};

/// An execution of a model.
struct SequencedExecution {
  V1_2::Request request;
  ExecutionMethod method = ExecutionMethod::kAsynchronous;
  V1_2::MeasureTiming measure = V1_2::MeasureTiming::NO;
};

/// What is asked for one model, by the methods of `version` and in its form: which operations are
/// supported, if that `is_asked`; to prepare it without a cache; then the executions. Before some
/// of those by a burst the device is told to forget all memory (ForgetsMemoryBefore).
struct SequencedModel {
  std::shared_ptr<const V1_2::Model> model;
  bool is_asked = false;
  std::vector<SequencedExecution> executions = {};
  HalVersion version = HalVersion::V1_2;
  /// Before 1.1 there is none.
  V1_2::ExecutionPreference preference = V1_2::ExecutionPreference::FAST_SINGLE_ANSWER;
  /// Every call about the model is to end with INVALID_ARGUMENT, since it breaks the HAL's rules.
  /// There are no executions.
  bool is_invalid = false;
};

/// Models: all are asked about and have their preparation launched, one after the other; then each
/// is executed, once it is prepared, and given back before the next one is executed. So a device
/// has all of them at the same time, and whoever prepares them need not be woken for each.
struct CallSequence {
  std::vector<SequencedModel> models;
  /// How long each call may take, and its callback from when that is waited for. No call is begun,
  /// and no preparation waited for, once those before it have taken half of that.
  absl::Duration deadline = absl::InfiniteDuration();
  /// How long the device may take to let go of the callbacks of a model when all is over.
  absl::Duration patience = absl::ZeroDuration();
};

/// How long the calls of a sequence take at the most as long as none takes longer than it may: half
/// of a deadline, then a call that is begun just before that has passed, then the end of what was
/// prepared of each model that is valid, and the patience with each.
absl::Duration LongestTimeOf(const CallSequence& sequence);

/// How an execution ended: by the status that the method returned, and what it gave, by itself, by
/// its callback or in a packet.
struct SequencedResult {
  V1_0::ErrorStatus launched = V1_0::ErrorStatus::NONE;
  V1_2::ExecuteSynchronouslyResult result;
};

/// What a device answered for one model.
struct SequencedAnswers {
  /// Whether it supports each operation; empty when it was not asked, or has refused to say.
  std::vector<bool> supported;
  /// What the preparation ended with. There is a prepared model when it is NONE, and no execution
  /// otherwise.
  V1_0::ErrorStatus prepared = V1_0::ErrorStatus::NONE;
  std::vector<SequencedResult> results;
};

/// What came of a sequence.
struct SequenceAnswers {
  /// One for each model, when the device answered all calls as the HAL demands, in time, and has
  /// refused what is invalid; else none, and what it was asked is to be asked call by call.
  std::vector<SequencedAnswers> models;
  /// What it did that the HAL does not allow; empty when it did nothing.
  std::string violation;
  /// Whether it kept a callback that it had called for longer than there is patience.
  bool keeps_callbacks = false;
};

/// A device to which the calls of a sequence go together: that of another process.
class SequenceDevice {
 public:
  virtual ~SequenceDevice() = default;

  /// Has the calls made. Fails with Internal when the sequence cannot be sent, since it is too
  /// large, for example. When the process is lost, what is given means nothing.
  virtual absl::StatusOr<SequenceAnswers> MakeCalls(const CallSequence& sequence) = 0;

  /// Whether models of a sequence may be invalid, and of another version than 1.2, and executions
  /// by execute.
  virtual bool TakesInvalidModels() const = 0;
};

/// Makes the calls of a sequence, and gives back what was prepared. The queues of its bursts come
/// from `spares`, and go back there.
SequenceAnswers MakeCalls(V1_2::IDevice& device, const CallSequence& sequence, SpareQueues& spares);

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_CALL_SEQUENCE_H_
