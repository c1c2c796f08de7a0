// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;

// InvalidArgument, with `text` in the message.
auto IsInvalid(const std::string& text) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
}

// A file in memory that holds `size` bytes 0, 1, 2, ...
FileDescriptor FileOfBytes(size_t size) {
  FileDescriptor file = FileDescriptor::Adopt(memfd_create("memory_test", MFD_CLOEXEC));
  std::vector<uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  EXPECT_EQ(pwrite(file.get(), bytes.data(), size, 0), static_cast<ssize_t>(size));
  return file;
}

TEST(MemoryTest, allocated_pools_have_their_name_and_size_and_are_zero) {
  for (const std::string_view name : {kAshmem, kMmapFd, kHardwareBuffer, kHardwareBufferBlob}) {
    const absl::StatusOr<Memory> memory = Memory::Allocate(5000, name);
    ASSERT_TRUE(memory.ok()) << memory.status();
    EXPECT_EQ(memory->name(), name);
    EXPECT_EQ(memory->size(), 5000);
    EXPECT_GE(memory->fd(), 0);
    const absl::StatusOr<Mapping> mapping = memory->Map(MemoryAccess::READ_ONLY);
    ASSERT_TRUE(mapping.ok()) << mapping.status();
    ASSERT_EQ(mapping->size(), 5000);
    EXPECT_EQ(std::count(mapping->data(), mapping->data() + 5000, 0), 5000);
  }
}

TEST(MemoryTest, what_one_mapping_writes_every_other_one_sees_even_through_another_descriptor) {
  const absl::StatusOr<Memory> memory = Memory::Allocate(16);
  ASSERT_TRUE(memory.ok());
  const absl::StatusOr<FileDescriptor> duplicate = FileDescriptor::Duplicate(memory->fd());
  ASSERT_TRUE(duplicate.ok());
  const absl::StatusOr<Memory> other = Memory::FromDescriptor(*duplicate, 16, PROT_READ);
  ASSERT_TRUE(other.ok()) << other.status();

  const absl::StatusOr<Mapping> writer = memory->Map(MemoryAccess::READ_WRITE);
  const absl::StatusOr<Mapping> reader = other->Map(MemoryAccess::READ_ONLY);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(reader.ok());
  writer->data()[7] = 42;
  EXPECT_EQ(reader->data()[7], 42);
  EXPECT_FALSE(*memory == *other) << "equality is being the same pool";
}

TEST(MemoryTest, a_copy_has_the_content_it_was_made_from) {
  const std::vector<uint8_t> content = {1, 2, 3, 250};
  const absl::StatusOr<Memory> memory = Memory::AllocateCopy(content);
  ASSERT_TRUE(memory.ok());
  const absl::StatusOr<Mapping> mapping = memory->Map(MemoryAccess::READ_ONLY);
  ASSERT_TRUE(mapping.ok());
  EXPECT_EQ(std::vector<uint8_t>(mapping->bytes().begin(), mapping->bytes().end()), content);
}

TEST(MemoryTest, empty_pools_are_legal) {
  const absl::StatusOr<Memory> memory = Memory::Allocate(0);
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_TRUE(memory->valid());
  EXPECT_EQ(memory->size(), 0);
  const absl::StatusOr<Mapping> mapping = memory->Map(MemoryAccess::READ_WRITE);
  ASSERT_TRUE(mapping.ok()) << mapping.status();
  EXPECT_EQ(mapping->size(), 0);
  EXPECT_TRUE(Memory::AllocateCopy({}).ok());
}

TEST(MemoryTest, a_default_constructed_pool_has_nothing_and_cannot_be_mapped) {
  const Memory memory;
  EXPECT_FALSE(memory.valid());
  EXPECT_EQ(memory.fd(), -1);
  EXPECT_EQ(memory.name(), "");
  EXPECT_EQ(memory.Map(MemoryAccess::READ_ONLY).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MemoryTest, a_second_mapping_shares_the_first_one_of_the_same_access) {
  const absl::StatusOr<Memory> memory = Memory::Allocate(100);
  ASSERT_TRUE(memory.ok());
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): what this test is about
  const Memory copy = *memory;
  EXPECT_EQ(copy, *memory);
  const uint8_t* const first = memory->Map(MemoryAccess::READ_WRITE)->data();
  EXPECT_EQ(copy.Map(MemoryAccess::READ_WRITE)->data(), first);
  EXPECT_NE(copy.Map(MemoryAccess::READ_ONLY)->data(), first);
}

TEST(MemoryTest, a_mapping_outlives_the_pool) {
  Mapping mapping;
  {
    const absl::StatusOr<Memory> memory = Memory::AllocateCopy(std::vector<uint8_t>{7, 8});
    ASSERT_TRUE(memory.ok());
    mapping = *memory->Map(MemoryAccess::READ_ONLY);
  }
  EXPECT_EQ(mapping.data()[1], 8);
}

TEST(MemoryTest, threads_may_map_at_the_same_time) {
  const absl::StatusOr<Memory> memory = Memory::Allocate(64);
  ASSERT_TRUE(memory.ok());
  std::vector<uint8_t*> seen(4, nullptr);
  std::vector<std::thread> threads;
  for (uint8_t*& data : seen) {
    threads.emplace_back([&] { data = memory->Map(MemoryAccess::READ_WRITE)->data(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const uint8_t* data : seen) EXPECT_EQ(data, seen[0]);
}

TEST(MemoryTest, copies_and_mappings_hold_a_pool) {
  const absl::StatusOr<Memory> memory = Memory::Allocate(10);
  ASSERT_TRUE(memory.ok());
  EXPECT_FALSE(memory->IsHeldElsewhere());
  {
    const std::vector<Memory> copies = {*memory};
    EXPECT_TRUE(memory->IsHeldElsewhere());
    EXPECT_TRUE(copies.front().IsHeldElsewhere());
  }
  for (const MemoryAccess access : {MemoryAccess::READ_ONLY, MemoryAccess::READ_WRITE}) {
    const absl::StatusOr<Mapping> mapping = memory->Map(access);
    ASSERT_TRUE(mapping.ok());
    EXPECT_TRUE(memory->IsHeldElsewhere());
  }
  EXPECT_FALSE(memory->IsHeldElsewhere());
  EXPECT_FALSE(Memory().IsHeldElsewhere());
}

TEST(MemoryTest, a_weak_reference_holds_no_pool) {
  absl::StatusOr<Memory> memory = Memory::Allocate(10);
  ASSERT_TRUE(memory.ok());
  const WeakMemory weak(*memory);
  EXPECT_FALSE(memory->IsHeldElsewhere());
  EXPECT_EQ(weak.lock(), *memory);
  *memory = Memory();
  EXPECT_FALSE(weak.lock().valid());
  EXPECT_FALSE(WeakMemory().lock().valid());
  EXPECT_FALSE(WeakMemory(Memory()).lock().valid());
}

TEST(MemoryTest, a_file_may_be_used_from_any_byte_offset) {
  const FileDescriptor file = FileOfBytes(10000);
  const absl::StatusOr<Memory> memory = Memory::FromDescriptor(file, 100, PROT_READ, 4099);
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_EQ(memory->name(), "mmap_fd");
  EXPECT_EQ(memory->offset(), 4099);
  const absl::StatusOr<Mapping> mapping = memory->Map(MemoryAccess::READ_ONLY);
  ASSERT_TRUE(mapping.ok()) << mapping.status();
  ASSERT_EQ(mapping->size(), 100);
  EXPECT_EQ(mapping->data()[0], 4099 % 256);
  EXPECT_EQ(mapping->data()[99], (4099 + 99) % 256);
}

TEST(MemoryTest, a_read_only_pool_cannot_be_mapped_for_writing) {
  const absl::StatusOr<Memory> memory = Memory::FromDescriptor(FileOfBytes(10), 10, PROT_READ);
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(memory->Map(MemoryAccess::READ_WRITE).status().code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(memory->Map(MemoryAccess::READ_ONLY).ok());
}

TEST(MemoryTest, a_descriptor_opened_read_only_cannot_be_mapped_for_writing) {
  const FileDescriptor file = FileOfBytes(10);
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  const FileDescriptor reader = FileDescriptor::Adopt(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const absl::StatusOr<Memory> memory = Memory::FromDescriptor(reader, 10, PROT_READ | PROT_WRITE);
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_EQ(memory->Map(MemoryAccess::READ_WRITE).status().code(),
            absl::StatusCode::kPermissionDenied);
}

TEST(MemoryTest, a_pool_that_exceeds_its_file_is_refused) {
  const FileDescriptor file = FileOfBytes(10);
  const size_t huge = std::numeric_limits<size_t>::max();
  for (const auto& [size, offset] : std::vector<std::pair<size_t, size_t>>{
           {11, 0}, {10, 1}, {1, 10}, {0, 11}, {huge, 5}, {5, huge}, {huge, huge}}) {
    EXPECT_THAT(Memory::FromDescriptor(file, size, PROT_READ, offset),
                IsInvalid("a memory pool of " + std::to_string(size) + " bytes at offset " +
                          std::to_string(offset) + " exceeds its file, which has 10 bytes"));
  }
  EXPECT_TRUE(Memory::FromDescriptor(file, 0, PROT_READ, 10).ok());
}

TEST(MemoryTest, a_file_that_was_truncated_meanwhile_is_not_mapped) {
  const FileDescriptor file = FileOfBytes(10);
  const absl::StatusOr<Memory> memory = Memory::FromDescriptor(file, 10, PROT_READ);
  ASSERT_TRUE(memory.ok());
  ASSERT_EQ(ftruncate(file.get(), 9), 0);
  EXPECT_THAT(memory->Map(MemoryAccess::READ_ONLY), IsInvalid("9 bytes"));
}

TEST(MemoryTest, allocated_pools_cannot_be_truncated) {
  const absl::StatusOr<Memory> memory = Memory::Allocate(10);
  ASSERT_TRUE(memory.ok());
  EXPECT_NE(ftruncate(memory->fd(), 5), 0);
}

TEST(MemoryTest, descriptors_that_are_no_files_and_odd_protections_are_refused) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor read_end = FileDescriptor::Adopt(ends[0]);
  const FileDescriptor write_end = FileDescriptor::Adopt(ends[1]);
  EXPECT_THAT(Memory::FromDescriptor(read_end, 1, PROT_READ),
              IsInvalid("of a memory pool is not of a regular file"));
  EXPECT_THAT(Memory::FromDescriptor(FileDescriptor(), 1, PROT_READ),
              IsInvalid("a memory pool needs an open file descriptor"));
  for (const int protection : {PROT_EXEC, PROT_WRITE}) {
    EXPECT_THAT(Memory::FromDescriptor(FileOfBytes(4), 4, protection),
                IsInvalid("protection " + std::to_string(protection) +
                          " of a memory pool is neither PROT_READ nor PROT_READ | PROT_WRITE"));
  }
}

TEST(MemoryTest, a_pool_larger_than_any_file_is_refused) {
  EXPECT_THAT(Memory::Allocate(std::numeric_limits<size_t>::max()),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "cannot allocate a memory pool of 18446744073709551615 bytes"));
}

}  // namespace
}  // namespace nncert::hal
