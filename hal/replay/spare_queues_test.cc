// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/spare_queues.h"

#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hal/handle.h"

namespace nncert::hal::replay {
namespace {

constexpr BurstLengths kLengths = {.request_elements = 8, .result_elements = 4};

// The files of queues tell them from others, and who has a file does not hold a queue.
std::pair<FileDescriptor, FileDescriptor> FilesOf(const BurstQueues& queues) {
  return {queues.requests.descriptor().memory.descriptor(),
          queues.results.descriptor().memory.descriptor()};
}

TEST(SpareQueuesTest, queues_that_came_back_are_taken_again_and_are_empty) {
  SpareQueues spares;
  BurstQueues queues = spares.Take(kLengths).value();
  EXPECT_EQ(queues.requests.capacity(), 8);
  EXPECT_EQ(queues.results.capacity(), 4);
  ASSERT_TRUE(queues.requests.write(std::vector<V1_2::FmqRequestDatum>(3)).ok());
  ASSERT_TRUE(queues.results.write(std::vector<V1_2::FmqResultDatum>(2)).ok());
  const auto files = FilesOf(queues);
  spares.GiveBack(std::move(queues));
  queues = spares.Take(kLengths).value();
  EXPECT_EQ(FilesOf(queues), files);
  EXPECT_EQ(queues.requests.availableToRead().value(), 0);
  EXPECT_EQ(queues.results.availableToRead().value(), 0);
  EXPECT_NE(FilesOf(spares.Take(kLengths).value()), files);
}

TEST(SpareQueuesTest, others_are_made_for_other_lengths) {
  SpareQueues spares;
  BurstQueues queues = spares.Take(kLengths).value();
  const auto files = FilesOf(queues);
  spares.GiveBack(std::move(queues));
  for (const BurstLengths& lengths : {BurstLengths{8, 5}, BurstLengths{7, 4}}) {
    queues = spares.Take(lengths).value();
    EXPECT_NE(FilesOf(queues), files);
    EXPECT_EQ(queues.requests.capacity(), lengths.request_elements);
    EXPECT_EQ(queues.results.capacity(), lengths.result_elements);
  }
  EXPECT_EQ(FilesOf(spares.Take(kLengths).value()), files);
}

TEST(SpareQueuesTest, queues_that_a_driver_has_are_not_taken_until_it_lets_go) {
  SpareQueues spares;
  for (const bool has_results : {false, true}) {
    BurstQueues queues = spares.Take(kLengths).value();
    const auto files = FilesOf(queues);
    auto requests = std::optional(queues.requests.descriptor());
    auto results = std::optional(queues.results.descriptor());
    (has_results ? requests.reset() : results.reset());
    spares.GiveBack(std::move(queues));
    queues = spares.Take(kLengths).value();
    EXPECT_NE(FilesOf(queues), files) << has_results;
    requests.reset();
    results.reset();
    queues = spares.Take(kLengths).value();
    EXPECT_EQ(FilesOf(queues), files) << has_results;
  }
}

TEST(SpareQueuesTest, those_that_came_back_last_are_kept) {
  SpareQueues spares;
  std::vector<BurstQueues> taken;
  std::vector<std::pair<FileDescriptor, FileDescriptor>> files;
  for (size_t i = 0; i < SpareQueues::kMostSpares + 2; ++i) {
    taken.push_back(spares.Take(kLengths).value());
    files.push_back(FilesOf(taken.back()));
  }
  for (BurstQueues& queues : taken) spares.GiveBack(std::move(queues));
  taken.clear();
  for (size_t i = 0; i < SpareQueues::kMostSpares; ++i) {
    taken.push_back(spares.Take(kLengths).value());
    EXPECT_EQ(FilesOf(taken.back()), files[i + 2]);
  }
}

}  // namespace
}  // namespace nncert::hal::replay
