// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What nncert relies on in whatever allocates its memory.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace nncert {
namespace {

// More than any machine has, and less than a process may address.
constexpr size_t kTooMuch = size_t{1} << 46;

// What is only promised has the system kill the program as soon as it is used.
TEST(MallocTest, RefusesMoreMemoryThanThereIs) {
  EXPECT_THROW(::operator delete(::operator new(kTooMuch)), std::bad_alloc);
  void* const memory = std::malloc(kTooMuch);
  EXPECT_EQ(memory, nullptr);
  std::free(memory);
}

}  // namespace
}  // namespace nncert
