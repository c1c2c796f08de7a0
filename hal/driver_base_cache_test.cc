// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What SimpleDriver makes of a driver that caches compilations.

#include <fcntl.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/driver_base.h"
#include "hal/testing/cache_file.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/testing/toy_driver.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

using testing::CacheFile;
using testing::PreparedModelCallback;
using testing::ToyDriver;
using testing::TwoAdditions;
using testing::TwoAdditionsRequest;
using V1_2::ErrorStatus;
using V1_2::ExecutionPreference;

// What a cache file of the driver below holds.
const CompilationCache kSaved = {.model = {{2, 7, 1}}, .data = {{8}, {2, 8}}};

// It saves bytes that stand for TwoAdditions.
class CachingDriver : public ToyDriver {
 public:
  V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return {.status = ErrorStatus::NONE, .numModelCache = 1, .numDataCache = 2};
  }

  // What the next call of each gives.
  absl::StatusOr<CompilationCache> contents = kSaved;
  std::optional<absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>>> from_cache;
  std::vector<uint8_t> key;

  int contents_asked_for = 0;
  CompilationCache prepared_from;

 protected:
  absl::StatusOr<CompilationCache> cacheContents(const V1_2::Model& model,
                                                 ExecutionPreference preference,
                                                 const V1_2::IPreparedModel& prepared) override {
    EXPECT_EQ(model.operations.size(), 2U);
    EXPECT_EQ(preference, ExecutionPreference::LOW_POWER);
    EXPECT_NE(dynamic_cast<const SimplePreparedModel*>(&prepared), nullptr);
    ++contents_asked_for;
    return contents;
  }
  absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepareFromCache(
      const CompilationCache& cache) override {
    prepared_from = cache;
    if (from_cache.has_value()) return *from_cache;
    return prepare(TwoAdditions(), ExecutionPreference::LOW_POWER);
  }
  std::vector<uint8_t> cacheKey() const override { return key; }
};

class CachingTest : public ::testing::Test {
 protected:
  // Prepares TwoAdditions, which must succeed, and saves.
  void Save(V1_2::IDevice& device, const std::vector<Handle>& model,
            const std::vector<Handle>& data) {
    const auto callback = std::make_shared<PreparedModelCallback>();
    EXPECT_EQ(device.prepareModel_1_2(TwoAdditions(), ExecutionPreference::LOW_POWER, model, data,
                                      token_, callback),
              ErrorStatus::NONE);
    callback->calls.Wait();
    EXPECT_EQ(callback->status, ErrorStatus::NONE);
    ASSERT_NE(callback->prepared, nullptr);
    EXPECT_EQ(
        callback->prepared->executeSynchronously(TwoAdditionsRequest(), V1_2::MeasureTiming::NO)
            .status,
        ErrorStatus::NONE);
  }
  void Save() { Save(*driver_, ModelHandles(), DataHandles()); }

  // The end of a preparation from the cache, which must be said once, with a model or an error; and
  // no later than by the method, when that does not launch it.
  ErrorStatus Load(V1_2::IDevice& device, const std::vector<Handle>& model,
                   const std::vector<Handle>& data) {
    const auto callback = std::make_shared<PreparedModelCallback>();
    launched_ = device.prepareModelFromCache(model, data, token_, callback);
    if (launched_ != ErrorStatus::NONE) {
      EXPECT_EQ(callback->calls.count(), 1);
      EXPECT_EQ(callback->status, launched_);
    }
    callback->calls.Wait();
    EXPECT_EQ(callback->prepared != nullptr, callback->status == ErrorStatus::NONE);
    return callback->status;
  }
  ErrorStatus Load() { return Load(*driver_, ModelHandles(), DataHandles()); }

  std::vector<Handle> ModelHandles() const { return {model_.Open()}; }
  std::vector<Handle> DataHandles() const { return {data_.Open(), more_data_.Open()}; }

  bool IsSaved() const {
    return loadCompilationCache({"toy 1.0", driver_->key}, token_, ModelHandles(), DataHandles(), 1,
                                2)
        .ok();
  }

  const std::shared_ptr<CachingDriver> driver_ = std::make_shared<CachingDriver>();
  const CacheFile model_;
  const CacheFile data_;
  const CacheFile more_data_;
  V1_2::CacheToken token_ = {1, 2, 3};
  ErrorStatus launched_ = ErrorStatus::NONE;
};

TEST_F(CachingTest, a_driver_prepares_from_what_it_saved) {
  Save();
  EXPECT_EQ(driver_->contents_asked_for, 1);
  EXPECT_EQ(Load(), ErrorStatus::NONE);
  EXPECT_EQ(driver_->prepared_from, kSaved);
}

TEST_F(CachingTest, another_process_of_the_driver_may_prepare_from_it) {
  Save();
  EXPECT_EQ(Load(*std::make_shared<CachingDriver>(), ModelHandles(), DataHandles()),
            ErrorStatus::NONE);
}

TEST_F(CachingTest, nothing_is_saved_without_handles) {
  Save(*driver_, {}, {});
  EXPECT_EQ(driver_->contents_asked_for, 0);
}

TEST_F(CachingTest, a_driver_without_caching_has_nothing_to_prepare_from) {
  const auto toy = std::make_shared<ToyDriver>();
  Save(*toy, ModelHandles(), DataHandles());
  EXPECT_TRUE(model_.Read().empty());
  EXPECT_EQ(Load(*toy, ModelHandles(), DataHandles()), ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(Load(*toy, {}, {}), ErrorStatus::GENERAL_FAILURE);
}

TEST_F(CachingTest, wrong_handles_are_not_saved_to_and_refused) {
  const Handle model = model_.Open();
  const Handle data = data_.Open();
  const Handle none = {.descriptors = {}, .integers = {}};
  const Handle two = {.descriptors = {data.descriptors[0], data.descriptors[0]}, .integers = {}};
  struct Row {
    std::vector<Handle> model;
    std::vector<Handle> data;
    ErrorStatus status = ErrorStatus::INVALID_ARGUMENT;
  };
  for (const Row& row :
       {Row{{model}, {data}}, Row{{model}, {data, data, data}}, Row{{}, {data, data}},
        Row{{model, model}, {data, data}}, Row{{model}, {data, none}}, Row{{model}, {two, data}},
        Row{{none}, {data, data}},
        Row{{model_.Open(O_RDONLY)}, {data, data}, ErrorStatus::GENERAL_FAILURE},
        Row{{model}, {data, data_.Open(O_WRONLY)}, ErrorStatus::GENERAL_FAILURE}}) {
    Save(*driver_, row.model, row.data);
    EXPECT_EQ(driver_->contents_asked_for, 0) << "in vain";
    EXPECT_EQ(Load(*driver_, row.model, row.data), row.status);
    EXPECT_EQ(launched_, row.status);
  }
}

TEST_F(CachingTest, what_cannot_be_saved_is_prepared) {
  driver_->contents = absl::ResourceExhaustedError("too large");
  Save();
  EXPECT_FALSE(IsSaved());
  // A driver that contradicts itself.
  driver_->contents = CompilationCache{.model = {{1}}, .data = {{2}}};
  Save();
  EXPECT_FALSE(IsSaved());
  EXPECT_EQ(Load(), ErrorStatus::GENERAL_FAILURE);
}

TEST_F(CachingTest, what_cannot_be_prepared_is_not_saved) {
  V1_2::Model model = TwoAdditions();
  model.operations[0].type = V1_2::OperationType::MUL;
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(driver_->prepareModel_1_2(model, ExecutionPreference::LOW_POWER, ModelHandles(),
                                      DataHandles(), token_, callback),
            ErrorStatus::NONE);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(driver_->contents_asked_for, 0);
}

TEST_F(CachingTest, files_that_do_not_hold_what_was_saved_are_refused_before_the_method_returns) {
  Save();
  token_[31] = 1;
  EXPECT_EQ(Load(), ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(launched_, ErrorStatus::GENERAL_FAILURE);
  token_[31] = 0;
  std::vector<uint8_t> bytes = more_data_.Read();
  bytes.push_back(0);
  more_data_.Write(bytes);
  EXPECT_EQ(Load(), ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(launched_, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(driver_->prepared_from, CompilationCache());
}

TEST_F(CachingTest, caches_are_sealed_with_the_key_of_the_driver) {
  driver_->key = {1, 2, 3};
  Save();
  EXPECT_EQ(Load(), ErrorStatus::NONE);
  driver_->key = {1, 2};
  EXPECT_EQ(Load(), ErrorStatus::GENERAL_FAILURE);
}

TEST_F(CachingTest, a_driver_that_cannot_prepare_from_the_contents_fails_in_the_callback) {
  Save();
  using Prepared = absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>>;
  const std::vector<std::pair<Prepared, ErrorStatus>> rows = {
      {absl::InternalError("broken"), ErrorStatus::GENERAL_FAILURE},
      // The arguments were right.
      {absl::InvalidArgumentError("no valid model"), ErrorStatus::GENERAL_FAILURE},
      {absl::UnavailableError("gone"), ErrorStatus::DEVICE_UNAVAILABLE},
      {Prepared(nullptr), ErrorStatus::GENERAL_FAILURE}};
  for (const auto& [result, status] : rows) {
    driver_->from_cache = result;
    EXPECT_EQ(Load(), status);
    EXPECT_EQ(launched_, ErrorStatus::NONE);
  }
}

// It says that it caches, and does not.
class ForgetfulDriver : public ToyDriver {
 public:
  V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return {.status = ErrorStatus::NONE, .numModelCache = 1, .numDataCache = 2};
  }
};

TEST_F(CachingTest, a_driver_that_does_not_say_what_to_save_saves_nothing) {
  const auto driver = std::make_shared<ForgetfulDriver>();
  Save(*driver, ModelHandles(), DataHandles());
  EXPECT_TRUE(model_.Read().empty());
  Save();
  EXPECT_EQ(Load(*driver, ModelHandles(), DataHandles()), ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(launched_, ErrorStatus::NONE);
}

}  // namespace
}  // namespace nncert::hal
