// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/write_at.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/memory.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::StatusIs;

TEST(WriteAtTest, WritesEveryByteWhereverTheFileStands) {
  const absl::StatusOr<Memory> memory = Memory::Allocate(6);
  ASSERT_TRUE(memory.ok()) << memory.status();
  ASSERT_EQ(lseek(memory->fd(), 5, SEEK_SET), 5);
  const std::vector<uint8_t> bytes = {1, 2, 3};
  EXPECT_TRUE(WriteAt(memory->fd(), 2, bytes, "cannot write").ok());
  std::array<uint8_t, 6> content;
  ASSERT_EQ(pread(memory->fd(), content.data(), content.size(), 0), 6);
  EXPECT_THAT(content, ElementsAre(0, 0, 1, 2, 3, 0));
  EXPECT_EQ(lseek(memory->fd(), 0, SEEK_CUR), 5);
}

TEST(WriteAtTest, SaysWhatTheSystemDoes) {
  const FileDescriptor read_only = FileDescriptor::Adopt(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::vector<uint8_t> bytes = {1};
  EXPECT_THAT(WriteAt(read_only.get(), 0, bytes, "cannot write the cache"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("cannot write the cache: Bad file descriptor")));
}

}  // namespace
}  // namespace nncert::hal
