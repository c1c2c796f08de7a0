// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/compilation_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/cache_file.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::CacheFile;
using ::testing::EndsWith;
using ::testing::StartsWith;
using testing::StatusIs;

// Bytes of a file before its content.
constexpr size_t kHeader = 152;

const CacheOwner kOwner = {.version = "toy 1.0", .key = {}};

V1_2::CacheToken Token(uint8_t first = 1) {
  V1_2::CacheToken token = {};
  token.front() = first;
  token.back() = 9;
  return token;
}

// The files of a cache: two model caches and a data cache.
struct Files {
  absl::Status Save(const CompilationCache& cache, const CacheOwner& owner = kOwner,
                    const V1_2::CacheToken& token = Token()) const {
    return saveCompilationCache(cache, owner, token, ModelHandles(), DataHandles());
  }
  absl::StatusOr<CompilationCache> Load(const CacheOwner& owner = kOwner,
                                        const V1_2::CacheToken& token = Token()) const {
    return loadCompilationCache(owner, token, ModelHandles(), DataHandles(), 2, 1);
  }
  std::vector<Handle> ModelHandles() const { return {model[0].Open(), model[1].Open()}; }
  std::vector<Handle> DataHandles() const { return {data.Open()}; }
  std::array<const CacheFile*, 3> All() const { return {&model[0], &model[1], &data}; }

  std::array<CacheFile, 2> model;
  CacheFile data;
};

const std::array<std::string, 3> kNames = {"model cache 0", "model cache 1", "data cache 0"};

CompilationCache SmallCache() { return {.model = {{1, 2, 3}, {}}, .data = {{4, 5, 6, 7, 8}}}; }

Files Saved(const CompilationCache& cache = SmallCache(), const CacheOwner& owner = kOwner,
            const V1_2::CacheToken& token = Token()) {
  Files files;
  const absl::Status saved = files.Save(cache, owner, token);
  EXPECT_TRUE(saved.ok()) << saved;
  return files;
}

template <typename Message>
auto IsRefused(const Message& message) {
  return StatusIs(absl::StatusCode::kDataLoss, message);
}

TEST(CompilationCacheTest, what_was_saved_is_loaded) {
  const Files files = Saved();
  const absl::StatusOr<CompilationCache> cache = files.Load();
  ASSERT_TRUE(cache.ok()) << cache.status();
  EXPECT_EQ(*cache, SmallCache());
}

TEST(CompilationCacheTest, a_file_is_a_header_and_the_content) {
  const Files files = Saved();
  EXPECT_EQ(files.model[0].Read().size(), kHeader + 3);
  EXPECT_EQ(files.model[1].Read().size(), kHeader);
  EXPECT_EQ(files.data.Read().back(), 8);
}

TEST(CompilationCacheTest, a_driver_may_have_one_kind_of_files_alone) {
  const CacheFile file;
  const CompilationCache cache = {.model = {}, .data = {{1}}};
  ASSERT_TRUE(saveCompilationCache(cache, kOwner, Token(), {}, {file.Open()}).ok());
  EXPECT_EQ(*loadCompilationCache(kOwner, Token(), {}, {file.Open()}, 0, 1), cache);
}

TEST(CompilationCacheTest, contents_of_megabytes_are_kept) {
  CompilationCache cache = SmallCache();
  cache.data[0].resize(size_t{5} << 20, 42);
  EXPECT_EQ(*Saved(cache).Load(), cache);
}

TEST(CompilationCacheTest, offsets_and_earlier_contents_do_not_matter) {
  const Files files;
  std::vector<Handle> model = files.ModelHandles();
  std::vector<Handle> data = files.DataHandles();
  const std::vector<uint8_t> junk(3 * kHeader, 0xff);
  for (const Handle& handle : {model[0], model[1], data[0]}) {
    const int file = handle.descriptors[0].get();
    ASSERT_EQ(write(file, junk.data(), junk.size()), static_cast<ssize_t>(junk.size()));
  }
  ASSERT_TRUE(saveCompilationCache(SmallCache(), kOwner, Token(), model, data).ok());
  // As they are now, and after a byte.
  EXPECT_EQ(*loadCompilationCache(kOwner, Token(), model, data, 2, 1), SmallCache());
  model = files.ModelHandles();
  data = files.DataHandles();
  for (const Handle& handle : {model[0], model[1], data[0]}) {
    ASSERT_EQ(lseek(handle.descriptors[0].get(), 1, SEEK_SET), 1);
  }
  EXPECT_EQ(*loadCompilationCache(kOwner, Token(), model, data, 2, 1), SmallCache());
}

TEST(CompilationCacheTest, a_cache_is_replaced_by_the_next_one) {
  const Files files = Saved();
  const CompilationCache next = {.model = {{}, {9}}, .data = {{}}};
  ASSERT_TRUE(files.Save(next, kOwner, Token(7)).ok());
  EXPECT_EQ(*files.Load(kOwner, Token(7)), next);
}

TEST(CompilationCacheTest, numbers_of_handles_must_fit) {
  const Files files = Saved();
  const std::vector<Handle> model = files.ModelHandles();
  const std::vector<Handle> data = files.DataHandles();
  const auto refused = [](const std::string& message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, message);
  };
  EXPECT_THAT(loadCompilationCache(kOwner, Token(), {model[0]}, data, 2, 1),
              refused("there are 1 handles of the model cache; expected 2"));
  EXPECT_THAT(loadCompilationCache(kOwner, Token(), model, {data[0], data[0]}, 2, 1),
              refused("there are 2 handles of the data cache; expected 1"));
  EXPECT_THAT(saveCompilationCache(SmallCache(), kOwner, Token(), model, {}),
              refused("there are 0 handles of the data cache; expected 1"));
}

TEST(CompilationCacheTest, a_handle_has_one_descriptor_of_a_regular_file) {
  const Files files = Saved();
  const Handle good = files.model[0].Open();
  const FileDescriptor descriptor = good.descriptors[0];
  std::array<int, 2> pipe_ends = {};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  const FileDescriptor pipe_end = FileDescriptor::Adopt(pipe_ends[0]);
  const FileDescriptor other_end = FileDescriptor::Adopt(pipe_ends[1]);
  const std::vector<std::pair<Handle, std::string>> bad = {
      {{.descriptors = {}, .integers = {}}, "the handle has 0 descriptors; expected 1"},
      {{.descriptors = {descriptor, descriptor}, .integers = {}},
       "the handle has 2 descriptors; expected 1"},
      {{.descriptors = {FileDescriptor()}, .integers = {}}, "the descriptor is not open"},
      {{.descriptors = {pipe_end}, .integers = {}}, "not a regular file"},
  };
  for (const auto& [handle, message] : bad) {
    const auto refused =
        StatusIs(absl::StatusCode::kInvalidArgument, absl::StrCat("model cache 1: ", message));
    EXPECT_THAT(
        saveCompilationCache(SmallCache(), kOwner, Token(), {good, handle}, files.DataHandles()),
        refused);
    EXPECT_THAT(loadCompilationCache(kOwner, Token(), {good, handle}, files.DataHandles(), 2, 1),
                refused);
  }
  EXPECT_EQ(*files.Load(), SmallCache()) << "a save that was refused changed something";
}

TEST(CompilationCacheTest, descriptors_must_be_open_for_reading_and_writing) {
  const Files files = Saved();
  for (const int flags : {O_RDONLY, O_WRONLY, O_PATH}) {
    const std::vector<Handle> data = {files.data.Open(flags)};
    const auto refused =
        StatusIs(absl::StatusCode::kPermissionDenied,
                 "data cache 0: the descriptor is not open for reading and writing");
    EXPECT_THAT(saveCompilationCache(SmallCache(), kOwner, Token(), files.ModelHandles(), data),
                refused);
    EXPECT_THAT(loadCompilationCache(kOwner, Token(), files.ModelHandles(), data, 2, 1), refused);
  }
  EXPECT_EQ(*files.Load(), SmallCache()) << "a save that was refused changed something";
}

TEST(CompilationCacheTest, a_file_that_cannot_be_written_is_an_error) {
  const Files files = Saved();
  // The last one to be written.
  const Handle handle = files.data.Open();
  ASSERT_EQ(fcntl(handle.descriptors[0].get(), F_ADD_SEALS, F_SEAL_GROW), 0);
  EXPECT_THAT(files.Save(SmallCache()), StatusIs(absl::StatusCode::kPermissionDenied,
                                                 StartsWith("data cache 0: cannot write")));
  EXPECT_THAT(files.Load(),
              IsRefused("data cache 0: truncated: it has 0 bytes; expected at least 152"));
}

TEST(CompilationCacheTest, a_file_that_cannot_be_truncated_is_an_error) {
  const Files files = Saved();
  const Handle handle = files.model[1].Open();
  ASSERT_EQ(fcntl(handle.descriptors[0].get(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
  EXPECT_THAT(files.Save(SmallCache()),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       StartsWith("model cache 1: cannot truncate the file")));
  EXPECT_THAT(files.Load(),
              IsRefused("model cache 0: truncated: it has 0 bytes; expected at least 152"));
}

TEST(CompilationCacheTest, files_that_were_never_saved_are_refused) {
  const Files files;
  EXPECT_THAT(files.Load(),
              IsRefused("model cache 0: truncated: it has 0 bytes; expected at least 152"));
  files.model[0].Write(std::vector<uint8_t>(1000, 'x'));
  EXPECT_THAT(files.Load(), IsRefused("model cache 0: not a compilation cache"));
}

TEST(CompilationCacheTest, another_driver_or_release_is_refused) {
  const Files files = Saved();
  EXPECT_THAT(files.Load({.version = "toy 1.1", .key = {}}),
              IsRefused("model cache 0: saved by another driver, or another release of this one"));
}

TEST(CompilationCacheTest, another_format_is_refused) {
  const Files files = Saved();
  std::vector<uint8_t> bytes = files.model[0].Read();
  bytes[8] = 77;
  files.model[0].Write(bytes);
  EXPECT_THAT(files.Load(), IsRefused("model cache 0: saved in format 77; expected 1"));
}

TEST(CompilationCacheTest, every_other_token_is_refused) {
  const Files files = Saved();
  for (size_t bit = 0; bit < 8 * Token().size(); ++bit) {
    V1_2::CacheToken token = Token();
    token[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    EXPECT_THAT(files.Load(kOwner, token), IsRefused("model cache 0: saved under another token"));
  }
}

TEST(CompilationCacheTest, another_key_is_refused) {
  const CacheOwner owner = {.version = kOwner.version, .key = {1, 2, 3}};
  const auto refused =
      IsRefused("the files were not saved together, or not by this driver: their seal is broken");
  EXPECT_EQ(*Saved(SmallCache(), owner).Load(owner), SmallCache());
  EXPECT_THAT(Saved(SmallCache(), owner).Load(), refused);
  EXPECT_THAT(Saved(SmallCache(), owner).Load({.version = kOwner.version, .key = {1, 2, 4}}),
              refused);
  // Which is what somebody can forge who does not know the key.
  EXPECT_THAT(Saved(SmallCache()).Load(owner), refused);
}

TEST(CompilationCacheTest, files_of_other_caches_are_refused) {
  const Files files = Saved();
  CompilationCache other = SmallCache();
  other.model[0] = {3, 2, 1};
  other.data[0] = {8, 7, 6, 5, 4};
  const Files others = Saved(other);
  for (size_t i = 0; i < files.All().size(); ++i) {
    const std::vector<uint8_t> bytes = files.All()[i]->Read();
    files.All()[i]->Write(others.All()[i]->Read());
    EXPECT_THAT(files.Load(), IsRefused("the files were not saved together, or not by this "
                                        "driver: their seal is broken"))
        << kNames[i];
    files.All()[i]->Write(Saved(other, kOwner, Token(2)).All()[i]->Read());
    EXPECT_THAT(files.Load(), IsRefused(kNames[i] + ": saved under another token"));
    files.All()[i]->Write(bytes);
  }
  EXPECT_EQ(*files.Load(), SmallCache());
}

TEST(CompilationCacheTest, files_in_another_order_are_refused) {
  const Files files = Saved();
  const std::vector<uint8_t> second = files.model[1].Read();
  files.model[1].Write(files.model[0].Read());
  EXPECT_THAT(files.Load(), IsRefused("model cache 1: saved as another file of the cache"));
  files.model[1].Write(second);
  files.data.Write(second);
  EXPECT_THAT(files.Load(), IsRefused("data cache 0: saved as another file of the cache"));
}

TEST(CompilationCacheTest, every_flipped_bit_is_refused) {
  const Files files = Saved();
  for (size_t i = 0; i < files.All().size(); ++i) {
    const CacheFile& file = *files.All()[i];
    std::vector<uint8_t> bytes = file.Read();
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
      file.Write(bytes);
      EXPECT_THAT(files.Load(),
                  IsRefused(AnyOf(StartsWith(kNames[i] + ": "), EndsWith("their seal is broken"))))
          << kNames[i] << ", bit " << bit;
      bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    }
    file.Write(bytes);
  }
  EXPECT_EQ(*files.Load(), SmallCache());
}

TEST(CompilationCacheTest, a_flipped_bit_of_a_content_is_damage) {
  const Files files = Saved();
  std::vector<uint8_t> bytes = files.data.Read();
  bytes.back() ^= 1;
  files.data.Write(bytes);
  EXPECT_THAT(files.Load(), IsRefused("data cache 0: damaged: its content is not what was saved"));
}

TEST(CompilationCacheTest, every_truncation_is_refused) {
  const Files files = Saved();
  for (size_t i = 0; i < files.All().size(); ++i) {
    const std::vector<uint8_t> bytes = files.All()[i]->Read();
    for (size_t size = 0; size < bytes.size(); ++size) {
      files.All()[i]->Write(absl::MakeSpan(bytes).subspan(0, size));
      const std::string message =
          size < kHeader
              ? absl::StrCat("truncated: it has ", size, " bytes; expected at least ", kHeader)
              : absl::StrCat("saved with a content of ", bytes.size() - kHeader, " bytes; it has ",
                             size - kHeader);
      EXPECT_THAT(files.Load(), IsRefused(absl::StrCat(kNames[i], ": ", message)));
    }
    files.All()[i]->Write(bytes);
  }
}

TEST(CompilationCacheTest, appended_bytes_are_refused) {
  const Files files = Saved();
  for (size_t i = 0; i < files.All().size(); ++i) {
    const std::vector<uint8_t> bytes = files.All()[i]->Read();
    for (const size_t more : {1, 8, 256}) {
      std::vector<uint8_t> longer = bytes;
      longer.resize(bytes.size() + more, 0x5a);
      files.All()[i]->Write(longer);
      EXPECT_THAT(
          files.Load(),
          IsRefused(AllOf(StartsWith(kNames[i] + ": saved with a content of "),
                          EndsWith(absl::StrCat(" bytes; it has ", longer.size() - kHeader)))));
    }
    files.All()[i]->Write(bytes);
  }
}

TEST(CompilationCacheTest, no_memory_is_taken_for_what_a_file_says) {
  const Files files = Saved();
  std::vector<uint8_t> bytes = files.data.Read();
  const uint64_t length = uint64_t{1} << 40;
  std::memcpy(bytes.data() + 16, &length, sizeof(length));
  files.data.Write(bytes);
  EXPECT_THAT(files.Load(), IsRefused("data cache 0: saved with a content of 1099511627776 bytes; "
                                      "it has 5"));
  // Even if the file is that large, in a file system that does not store zeros.
  const Handle handle = files.data.Open();
  ASSERT_EQ(ftruncate(handle.descriptors[0].get(), static_cast<off_t>(length + kHeader)), 0);
  EXPECT_THAT(files.Load(), IsRefused("data cache 0: too large: 1099511627776 bytes of content; "
                                      "expected 1073741821 at most"));
}

TEST(CompilationCacheTest, a_file_that_is_overwritten_meanwhile_is_what_was_saved_or_refused) {
  CompilationCache cache = SmallCache();
  cache.model[0].assign(100'000, 1);
  const Files files = Saved(cache);
  CompilationCache other = cache;
  other.model[0].assign(100'000, 2);
  const std::vector<uint8_t> ours = files.model[0].Read();
  const std::vector<uint8_t> theirs = Saved(other).model[0].Read();
  std::atomic<bool> is_over = false;
  std::thread attacker([&] {
    const Handle handle = files.model[0].Open();
    const int file = handle.descriptors[0].get();
    while (!is_over) {
      for (const std::vector<uint8_t>* bytes : {&theirs, &ours}) {
        EXPECT_EQ(pwrite(file, bytes->data(), bytes->size(), 0),
                  static_cast<ssize_t>(bytes->size()));
      }
    }
  });
  const auto refused = IsRefused(
      AnyOf("model cache 0: damaged: its content is not what was saved",
            "the files were not saved together, or not by this driver: their seal is broken"));
  for (int i = 0; i < 300; ++i) {
    const absl::StatusOr<CompilationCache> loaded = files.Load();
    if (loaded.ok()) {
      EXPECT_EQ(*loaded, cache);
    } else {
      EXPECT_THAT(loaded, refused);
    }
  }
  is_over = true;
  attacker.join();
}

}  // namespace
}  // namespace nncert::hal
