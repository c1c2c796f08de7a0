// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/work_queue.h"

#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

TEST(WorkQueueTest, work_is_done_in_order_in_another_thread_before_the_queue_is_gone) {
  std::vector<int> done;
  std::thread::id worker;
  {
    WorkQueue queue;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(queue
                      .Add([&, i] {
                        worker = std::this_thread::get_id();
                        done.push_back(i);
                      })
                      .ok());
    }
  }
  ASSERT_EQ(done.size(), 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[i], i);
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(WorkQueueTest, a_queue_without_work_ends_at_once) { const WorkQueue queue; }

TEST(WorkQueueTest, work_may_hold_the_last_reference_to_the_queue) {
  std::promise<void> released;
  std::promise<void> done;
  auto queue = std::make_shared<WorkQueue>();
  WorkQueue& reference = *queue;
  ASSERT_TRUE(reference
                  .Add([owner = std::move(queue), &released, &done]() mutable {
                    released.get_future().wait();
                    owner.reset();
                    done.set_value();
                  })
                  .ok());
  released.set_value();
  done.get_future().wait();
}

// The thread that a queue's work is done by.
std::thread::id ThreadOf(WorkQueue& queue) {
  std::promise<std::thread::id> thread;
  EXPECT_TRUE(queue.Add([&thread] { thread.set_value(std::this_thread::get_id()); }).ok());
  return thread.get_future().get();
}

TEST(WorkQueueTest, the_next_queue_gets_the_thread_of_one_that_is_gone) {
  // Not this thread, which may have a spare one already.
  std::thread([] {
    std::thread::id first;
    std::thread::id second;
    {
      WorkQueue a;
      WorkQueue b;
      first = ThreadOf(a);
      second = ThreadOf(b);
      EXPECT_NE(first, second);
      // The last one to be made is the first to go.
    }
    WorkQueue next;
    EXPECT_EQ(ThreadOf(next), second);
  }).join();
}

TEST(WorkQueueTest, a_thread_that_goes_to_another_queue_has_done_everything) {
  std::thread([] {
    int done = 0;
    for (int i = 0; i < 100; ++i) {
      WorkQueue queue;
      ASSERT_TRUE(queue.Add([&done] { ++done; }).ok());
      ASSERT_TRUE(queue.Add([&done] { ++done; }).ok());
    }
    EXPECT_EQ(done, 200);
  }).join();
}

TEST(WorkQueueTest, several_threads_may_add) {
  int done = 0;
  {
    WorkQueue queue;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 250; ++i) ASSERT_TRUE(queue.Add([&done] { ++done; }).ok());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(done, 1000);
}

}  // namespace
}  // namespace nncert::hal
