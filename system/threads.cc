// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/threads.h"

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"

namespace nncert {

void RunOnThreads(size_t count, absl::FunctionRef<void(size_t number)> work) {
  std::vector<std::thread> others;
  for (size_t number = 1; number < count; ++number) {
    try {
      others.emplace_back(work, number);
    } catch (const std::system_error&) {
      break;
    }
  }
  work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace nncert
