// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/processor.h"

#include <algorithm>
#include <utility>

namespace nncert {
namespace {

// Where an OnProcessor has the calling thread.
thread_local std::optional<int> place;

// The scheduling policy of the calling thread, when it is one without priorities.
bool HasPolicy(int policy) { return sched_getscheduler(0) == policy; }

bool SetPolicy(int policy) {
  sched_param parameters = {};
  return sched_setscheduler(0, policy, &parameters) == 0;
}

}  // namespace

int CurrentProcessor() { return std::max(sched_getcpu(), 0); }

std::vector<int> AllowedProcessors() {
  const int current = CurrentProcessor();
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return {current};
  std::vector<int> processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    const int processor = (current + i) % CPU_SETSIZE;
    if (CPU_ISSET(processor, &set)) processors.push_back(processor);
  }
  if (processors.empty()) processors.push_back(current);
  return processors;
}

std::optional<int> ProcessorAfter(std::optional<int> processor, size_t steps) {
  if (!processor.has_value()) return std::nullopt;
  const std::vector<int> processors = AllowedProcessors();
  const auto found = std::find(processors.begin(), processors.end(), *processor);
  return processors[(found - processors.begin() + steps) % processors.size()];
}

void RunOnAnyProcessor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // The system leaves out those that there are not.
  for (int i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &set);
  sched_setaffinity(0, sizeof(set), &set);
  place = std::nullopt;
}

OnProcessor::OnProcessor(std::optional<int> processor) {
  CPU_ZERO(&processors_before_);
  if (!processor.has_value() || processor == place || *processor < 0 || *processor >= CPU_SETSIZE ||
      sched_getaffinity(0, sizeof(processors_before_), &processors_before_) != 0) {
    return;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(*processor, &set);
  is_placed_ = sched_setaffinity(0, sizeof(set), &set) == 0;
  if (is_placed_) place_before_ = std::exchange(place, processor);
  is_batch_ = is_placed_ && HasPolicy(SCHED_OTHER) && SetPolicy(SCHED_BATCH);
}

OnProcessor::~OnProcessor() {
  if (is_batch_) SetPolicy(SCHED_OTHER);
  if (!is_placed_) return;
  sched_setaffinity(0, sizeof(processors_before_), &processors_before_);
  place = place_before_;
}

}  // namespace nncert
