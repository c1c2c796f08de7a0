// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/handle.h"

#include <fcntl.h>
#include <unistd.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

bool IsOpen(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

TEST(FileDescriptorTest, a_descriptor_is_closed_with_its_last_copy) {
  const int raw = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(raw, 0);
  FileDescriptor first = FileDescriptor::Adopt(raw);
  {
    const FileDescriptor second = first;
    EXPECT_EQ(second.get(), raw);
    EXPECT_EQ(first, second);
    first = FileDescriptor();
    EXPECT_TRUE(IsOpen(raw));
  }
  EXPECT_FALSE(IsOpen(raw));
}

TEST(FileDescriptorTest, an_empty_one_has_no_descriptor) {
  EXPECT_FALSE(FileDescriptor().valid());
  EXPECT_EQ(FileDescriptor().get(), -1);
  EXPECT_FALSE(FileDescriptor::Adopt(-1).valid());
}

TEST(FileDescriptorTest, a_duplicate_is_a_descriptor_of_its_own) {
  const int raw = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(raw, 0);
  const auto duplicate = FileDescriptor::Duplicate(raw);
  ASSERT_TRUE(duplicate.ok()) << duplicate.status();
  EXPECT_NE(duplicate->get(), raw);
  EXPECT_NE(fcntl(duplicate->get(), F_GETFD) & FD_CLOEXEC, 0);
  close(raw);
  EXPECT_TRUE(IsOpen(duplicate->get()));
}

TEST(FileDescriptorTest, a_closed_descriptor_cannot_be_duplicated) {
  for (const int closed : {-1, 1 << 20}) {
    EXPECT_THAT(FileDescriptor::Duplicate(closed),
                testing::StatusIs(absl::StatusCode::kFailedPrecondition,
                                  ::testing::HasSubstr("cannot duplicate file descriptor " +
                                                       std::to_string(closed))));
  }
}

}  // namespace
}  // namespace nncert::hal
