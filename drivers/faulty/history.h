// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What happens on the faulty driver's device, for rules about what other calls do to one.

#ifndef NNCERT_DRIVERS_FAULTY_HISTORY_H_
#define NNCERT_DRIVERS_FAULTY_HISTORY_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "drivers/faulty/rules/rule.h"
#include "hal/v1_2/types.h"

namespace nncert::faulty {

/// The calls of a device that are under way, and what is known of those before. Thread-safe.
class History {
 public:
  /// A call, a prepared model: numbers.
  using Call = uint64_t;
  using PreparedModel = uint64_t;

  /// The preparation of a model begins. It is under way until End.
  Call BeginPreparation(const hal::V1_2::Model& model);
  /// A model has been prepared. It is told from others by everything but what is in its pools.
  PreparedModel AddPreparedModel(const hal::V1_2::Model& model);
  /// The execution of a prepared model begins, by a burst or otherwise.
  Call BeginExecution(PreparedModel model, bool is_asynchronous, bool is_burst);

  /// A call is about to end. Gives whether the interference happens, for which it may wait a
  /// moment.
  bool End(Call call, const Interference& interference);

  /// Whether the interference happens to the release of a prepared model, the execution of an
  /// invalid request, and the question for capabilities.
  bool Release(PreparedModel model, const Interference& interference);
  bool ExecuteInvalid(PreparedModel model, const Interference& interference);
  bool AskCapabilities(const Interference& interference);

 private:
  // A prepared model that has not been released.
  struct Living {
    size_t kind = 0;
    bool has_lost_other = false;
    bool has_burst = false;
    bool has_left_burst = false;
    bool is_executed_otherwise = false;
  };
  struct Running {
    Moment moment;
    PreparedModel model = 0;
    size_t kind = 0;
    bool is_asynchronous = false;
  };

  // To be called under the lock.
  size_t KindOf(const hal::V1_2::Model& model);
  bool HasOthers(size_t kind) const;
  bool HasOperation(size_t kind, hal::V1_2::OperationType type) const;

  // Guards everything below.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<hal::V1_2::Model> kinds_;
  std::map<PreparedModel, Living> living_;
  // Who of other kinds lived when one of a kind was released last; who lived at the last release.
  std::map<size_t, std::set<PreparedModel>> witnesses_;
  std::set<PreparedModel> outlivers_;
  std::map<Call, Running> running_;
  uint64_t executions_ = 0;
  bool has_executed_floor_ = false;
  uint64_t next_ = 1;
};

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_HISTORY_H_
