// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Callbacks that keep what they are told, for the tests of this folder.

#ifndef NNCERT_HAL_TESTING_CALLBACKS_H_
#define NNCERT_HAL_TESTING_CALLBACKS_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "gtest/gtest.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::testing {

/// Counts its calls, and lets the test wait for the first.
class CallCount {
 public:
  void Add() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++count_;
    called_.notify_all();
  }
  void Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    EXPECT_TRUE(called_.wait_for(lock, std::chrono::seconds(30), [this] { return count_ > 0; }));
  }
  int count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable called_;
  int count_ = 0;
};

/// Keeps a prepared model, from either version's call.
class PreparedModelCallback : public V1_2::IPreparedModelCallback {
 public:
  void notify(V1_0::ErrorStatus s, const std::shared_ptr<V1_0::IPreparedModel>& p) override {
    status = s;
    prepared_1_0 = p;
    calls.Add();
  }
  void notify_1_2(V1_0::ErrorStatus s, const std::shared_ptr<V1_2::IPreparedModel>& p) override {
    status = s;
    prepared = p;
    calls.Add();
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
    status = s;
    calls.Add();
  }
  void notify_1_2(V1_0::ErrorStatus s, const std::vector<V1_2::OutputShape>& shapes,
                  const V1_2::Timing& t) override {
    status = s;
    outputShapes = shapes;
    timing = t;
    calls.Add();
  }

  CallCount calls;
  V1_0::ErrorStatus status = V1_0::ErrorStatus::GENERAL_FAILURE;
  std::vector<V1_2::OutputShape> outputShapes;
  V1_2::Timing timing;
};

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_CALLBACKS_H_
