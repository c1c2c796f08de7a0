// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/benchmarks/machine.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

#include "reference/execution/memory.h"

namespace nncert::benchmarks {
namespace {

TEST(MachineTest, MeasuresMemoryThatIsTouched) {
  const std::optional<size_t> memory = PeakMemoryOf([] {
    Buffer buffer;
    ASSERT_TRUE(buffer.Reserve(32 << 20));
    // Volatile, or the compiler leaves out what nobody reads.
    volatile std::byte* const bytes = buffer.data();
    for (size_t i = 0; i < buffer.size(); i += 1024) bytes[i] = std::byte{1};
  });
  if (!memory.has_value()) GTEST_SKIP() << "the system does not say how much memory is resident";
  EXPECT_GE(*memory, 30u << 20);
  EXPECT_LE(*memory, 40u << 20);
}

}  // namespace
}  // namespace nncert::benchmarks
