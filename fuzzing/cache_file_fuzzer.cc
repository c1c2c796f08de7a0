// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the reference driver with compilation caches: files of any content, and files that are
// whole and sealed, of any content, as somebody would make them who knows how.
//
// The data are a byte, which says whether what follows is to be sealed, the size of the model cache
// (4 bytes, little-endian), the model cache and the data cache.

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"
#include "hal/compilation_cache.h"
#include "hal/testing/cache_file.h"
#include "hal/testing/callbacks.h"
#include "reference/driver/cached_model.h"
#include "reference/driver/driver.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

using hal::testing::CacheFile;
using hal::testing::PreparedModelCallback;
using hal::V1_0::ErrorStatus;

struct Contents {
  bool is_to_be_sealed = false;
  std::vector<uint8_t> model;
  std::vector<uint8_t> data;
};

Contents Split(absl::Span<const uint8_t> bytes) {
  constexpr size_t kBefore = 5;
  if (bytes.size() < kBefore) return {};
  uint32_t size = 0;
  std::memcpy(&size, bytes.data() + 1, sizeof(size));
  Contents contents = {.is_to_be_sealed = bytes[0] % 2 != 0, .model = {}, .data = {}};
  bytes.remove_prefix(kBefore);
  const absl::Span<const uint8_t> model = bytes.subspan(0, size);
  contents.model.assign(model.begin(), model.end());
  contents.data.assign(model.end(), bytes.end());
  return contents;
}

void Run(const Contents& contents) {
  static const std::shared_ptr<hal::V1_2::IDevice>& driver =
      *new std::shared_ptr<hal::V1_2::IDevice>(MakeReferenceDriver());
  constexpr hal::V1_2::CacheToken kToken = {1, 2, 3};
  const hal::CacheOwner owner = {.version = driver->getVersionString().version, .key = {}};
  const CacheFile model;
  const CacheFile data;
  if (contents.is_to_be_sealed) {
    const absl::Status saved =
        hal::saveCompilationCache({.model = {contents.model}, .data = {contents.data}}, owner,
                                  kToken, {model.Open()}, {data.Open()});
    CHECK(saved.ok()) << saved;
  } else {
    model.Write(contents.model);
    data.Write(contents.data);
  }
  const absl::StatusOr<hal::CompilationCache> cache =
      hal::loadCompilationCache(owner, kToken, {model.Open()}, {data.Open()}, 1, 1);
  CHECK(!contents.is_to_be_sealed || cache.ok()) << cache.status();
  const absl::StatusOr<hal::V1_2::Model> of_cache =
      cache.ok() ? FromCache(*cache) : absl::StatusOr<hal::V1_2::Model>(cache.status());
  const bool is_valid = of_cache.ok() && ValidateModel(*of_cache).ok();
  const auto callback = std::make_shared<PreparedModelCallback>();
  driver->prepareModelFromCache({model.Open()}, {data.Open()}, kToken, callback);
  callback->calls.Wait();
  CHECK((callback->status == ErrorStatus::NONE) == (callback->prepared != nullptr));
  CHECK(callback->prepared == nullptr || is_valid) << "a cache without a valid model was prepared";
}

}  // namespace
}  // namespace nncert

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nncert::Run(nncert::Split(absl::MakeConstSpan(data, size)));
  return 0;
}
