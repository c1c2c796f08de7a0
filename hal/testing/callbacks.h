// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Callbacks that keep what they are told, for the tests of this folder.

#ifndef NNCERT_HAL_TESTING_CALLBACKS_H_
#define NNCERT_HAL_TESTING_CALLBACKS_H_

#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::testing {

/// Counts its calls, and lets the test wait for them. The test fails when one comes that is not
/// waited for, however late.
class CallCount {
 public:
  /// Counts a call, and calls `keep` to keep what it says: what was waited for, or too many, may
  /// come while the test looks at it.
  template <typename Keep>
  void Add(Keep keep) {
    const std::lock_guard<std::mutex> lock(mutex_);
    keep();
    EXPECT_LE(++count_, most_) << "calls of a callback";
    called_.notify_all();
  }

  /// Waits until there have been `count` calls in all; from then on, any further one is one too
  /// many.
  void Wait(int count = 1) {
    std::unique_lock<std::mutex> lock(mutex_);
    most_ = count;
    EXPECT_TRUE(Deadline(absl::Seconds(30)).Await(called_, lock, [&] { return count_ >= count; }))
        << "only " << count_ << " calls of a callback came, not " << count;
    EXPECT_EQ(count_, count) << "calls of a callback";
  }

  int count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable called_;
  int count_ = 0;
  // Nobody says before Wait how many are to come.
  int most_ = std::numeric_limits<int>::max();
};

/// Keeps a prepared model, from either version's call.
class PreparedModelCallback : public V1_2::IPreparedModelCallback {
 public:
  void notify(V1_0::ErrorStatus s, const std::shared_ptr<V1_0::IPreparedModel>& p) override {
    calls.Add([&] {
      status = s;
      prepared_1_0 = p;
    });
  }
  void notify_1_2(V1_0::ErrorStatus s, const std::shared_ptr<V1_2::IPreparedModel>& p) override {
    calls.Add([&] {
      status = s;
      prepared = p;
    });
  }

  CallCount calls;
  V1_0::ErrorStatus status = V1_0::ErrorStatus::GENERAL_FAILURE;
  std::shared_ptr<V1_0::IPreparedModel> prepared_1_0;
  std::shared_ptr<V1_2::IPreparedModel> prepared;
};

/// Keeps the end of an execution, from either version's call.
class ExecutionCallback : public V1_2::IExecutionCallback {
 public:
  void notify(V1_0::ErrorStatus s) override {
    calls.Add([&] { status = s; });
  }
  void notify_1_2(V1_0::ErrorStatus s, const std::vector<V1_2::OutputShape>& shapes,
                  const V1_2::Timing& t) override {
    calls.Add([&] {
      status = s;
      outputShapes = shapes;
      timing = t;
    });
  }

  CallCount calls;
  V1_0::ErrorStatus status = V1_0::ErrorStatus::GENERAL_FAILURE;
  std::vector<V1_2::OutputShape> outputShapes;
  V1_2::Timing timing;
};

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_CALLBACKS_H_
