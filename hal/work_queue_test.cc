// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/work_queue.h"

#include <sched.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "hal/process_tree.h"

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

TEST(WorkQueueTest, the_next_queue_gets_the_thread_of_the_last_one_that_is_gone) {
  std::thread::id first;
  {
    WorkQueue a;
    WorkQueue b;
    first = ThreadOf(a);
    EXPECT_NE(ThreadOf(b), first);
    // The first one to be made is the last to go.
  }
  // Whichever threads they belong to.
  std::thread([&first] {
    WorkQueue next;
    EXPECT_EQ(ThreadOf(next), first);
  }).join();
}

TEST(WorkQueueTest, a_kept_thread_does_not_go_to_a_queue_of_other_processors) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor alone";
  const auto thread_of_next_queue = [&](bool is_on_one_processor) {
    std::thread::id thread;
    std::thread([&] {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(sched_getcpu(), &set);
      if (!is_on_one_processor) set = all;
      ASSERT_EQ(sched_setaffinity(0, sizeof(set), &set), 0);
      WorkQueue queue;
      thread = ThreadOf(queue);
    }).join();
    return thread;
  };
  const std::thread::id on_all = thread_of_next_queue(false);
  EXPECT_NE(thread_of_next_queue(true), on_all);
  EXPECT_EQ(thread_of_next_queue(false), on_all);
}

TEST(WorkQueueTest, few_threads_are_kept) {
  const auto threads = [] { return StatusOf(getpid()).threads; };
  const uint64_t before = threads();
  {
    std::vector<WorkQueue> queues(50);
    for (WorkQueue& queue : queues) ThreadOf(queue);
    EXPECT_GE(threads(), 50);
  }
  EXPECT_LE(threads(), before + 8);
}

TEST(WorkQueueTest, a_process_that_is_forked_off_can_exit) {
  {
    WorkQueue queue;
    ThreadOf(queue);
  }
  const pid_t child = fork();
  if (child == 0) std::exit(7);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
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
