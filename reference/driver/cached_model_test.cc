// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/driver/cached_model.h"

#include <cstring>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/models.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::CompilationCache;
using hal::testing::OneOfEverything;
using hal::testing::StatusIs;
using hal::V1_2::Model;
using ::testing::StartsWith;

std::vector<uint8_t> BytesIn(const hal::Memory& pool) {
  const absl::StatusOr<hal::Mapping> mapping = pool.Map(hal::MemoryAccess::READ_ONLY);
  EXPECT_TRUE(mapping.ok()) << mapping.status();
  return {mapping->bytes().begin(), mapping->bytes().end()};
}

TEST(CachedModelTest, a_model_comes_back_as_it_was) {
  const Model model = OneOfEverything();
  const absl::StatusOr<CompilationCache> cache = ToCache(model);
  ASSERT_TRUE(cache.ok()) << cache.status();
  absl::StatusOr<Model> again = FromCache(*cache);
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_EQ(again->pools.size(), model.pools.size());
  for (size_t i = 0; i < model.pools.size(); ++i) {
    EXPECT_EQ(again->pools[i].name(), model.pools[i].name());
    EXPECT_EQ(BytesIn(again->pools[i]), BytesIn(model.pools[i]));
  }
  // Pools are never the same ones.
  again->pools = model.pools;
  EXPECT_EQ(*again, model);
}

TEST(CachedModelTest, constants_are_in_the_data_alone) {
  Model model = OneOfEverything();
  const absl::StatusOr<CompilationCache> cache = ToCache(model);
  model.operandValues.assign(model.operandValues.size(), 0x5a);
  const absl::StatusOr<CompilationCache> other = ToCache(model);
  ASSERT_TRUE(cache.ok() && other.ok());
  EXPECT_EQ(cache->model, other->model);
  EXPECT_NE(cache->data, other->data);
}

TEST(CachedModelTest, contents_that_are_no_model_are_an_error) {
  const absl::StatusOr<CompilationCache> cache = ToCache(OneOfEverything());
  ASSERT_TRUE(cache.ok()) << cache.status();
  const auto refused = [](const char* message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, StartsWith(message));
  };
  EXPECT_THAT(FromCache({.model = cache->model, .data = {}}),
              refused("there are 1 contents of model caches and 0 of data caches"));
  EXPECT_THAT(FromCache({.model = {{}}, .data = cache->data}), refused("the model cache is empty"));
  EXPECT_THAT(FromCache({.model = cache->model, .data = {{1, 2}}}),
              refused("the data cache has 2 bytes, which is not a multiple of 8"));
  CompilationCache corrupt = *cache;
  // The pointer to the root.
  corrupt.model[0][8] ^= 0xff;
  EXPECT_THAT(FromCache(corrupt), refused("the Cap'n Proto message is corrupt"));
}

}  // namespace
}  // namespace nncert
