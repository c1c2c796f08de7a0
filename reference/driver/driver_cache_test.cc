// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The reference driver's compilation cache: prepared models that are as good as new, and everything
// that a client can do to the files.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hal/compilation_cache.h"
#include "hal/memory.h"
#include "hal/testing/cache_file.h"
#include "hal/testing/callbacks.h"
#include "hal/to_string.h"
#include "reference/driver/cached_model.h"
#include "reference/driver/driver.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::Handle;
using hal::testing::CacheFile;
using hal::testing::PreparedModelCallback;
using hal::V1_0::ErrorStatus;
using hal::V1_2::CacheToken;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::IDevice;
using hal::V1_2::IPreparedModel;
using hal::V1_2::Model;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

// Operations of `type` in a chain, each with the sum or product so far and a constant of its own.
// Half of the constants are in a pool.
Model ChainOf(OperationType type, int length) {
  ModelBuilder builder;
  const OperandSpec tensor = {OperandType::TENSOR_FLOAT32, {3}};
  uint32_t last = builder.Input(tensor);
  const uint32_t none = builder.Int32(0);
  for (int i = 0; i < length; ++i) {
    const uint32_t constant = builder.Constant(tensor, {1.0 / (i + 3), 1.0, 0.7});
    const uint32_t next = i + 1 < length ? builder.Temporary(tensor) : builder.Output(tensor);
    builder.Operation(type, {last, constant, none}, {next});
    last = next;
  }
  Model model = builder.model();
  std::vector<uint8_t> pool;
  bool goes_into_pool = false;
  for (hal::V1_2::Operand& operand : model.operands) {
    if (operand.lifetime != hal::V1_2::OperandLifeTime::CONSTANT_COPY ||
        operand.type != OperandType::TENSOR_FLOAT32) {
      continue;
    }
    goes_into_pool = !goes_into_pool;
    if (!goes_into_pool) continue;
    const auto* const first = model.operandValues.data() + operand.location.offset;
    operand.lifetime = hal::V1_2::OperandLifeTime::CONSTANT_REFERENCE;
    operand.location.offset = static_cast<uint32_t>(pool.size());
    pool.insert(pool.end(), first, first + operand.location.length);
  }
  model.pools = {*hal::Memory::AllocateCopy(pool)};
  return model;
}

Model Additions() { return ChainOf(OperationType::ADD, 6); }
Model Multiplications() { return ChainOf(OperationType::MUL, 6); }

// What a model makes of an input, bit by bit.
std::vector<uint8_t> OutputOf(IPreparedModel& prepared) {
  constexpr float kInput[] = {0.1F, -2.5F, 1e10F};
  std::vector<uint8_t> input(sizeof(kInput));
  std::memcpy(input.data(), kInput, sizeof(kInput));
  const hal::Memory output = *hal::Memory::Allocate(sizeof(kInput));
  hal::V1_2::Request request;
  request.pools = {*hal::Memory::AllocateCopy(input), output};
  request.inputs = {{.hasNoValue = false, .location = {0, 0, sizeof(kInput)}, .dimensions = {}}};
  request.outputs = {{.hasNoValue = false, .location = {1, 0, sizeof(kInput)}, .dimensions = {}}};
  EXPECT_EQ(prepared.executeSynchronously(request, hal::V1_2::MeasureTiming::NO).status,
            ErrorStatus::NONE);
  const absl::StatusOr<hal::Mapping> mapping = output.Map(hal::MemoryAccess::READ_ONLY);
  return {mapping->bytes().begin(), mapping->bytes().end()};
}

// The two files of a cache.
struct Files {
  std::vector<Handle> ModelHandles() const { return {model.Open()}; }
  std::vector<Handle> DataHandles() const { return {data.Open()}; }

  CacheFile model;
  CacheFile data;
};

class ReferenceDriverCacheTest : public ::testing::Test {
 protected:
  // What a preparation that must succeed gives, saved through these handles.
  std::shared_ptr<IPreparedModel> Save(const Model& model, const std::vector<Handle>& model_cache,
                                       const std::vector<Handle>& data_cache,
                                       const CacheToken& token = kToken) {
    const auto callback = std::make_shared<PreparedModelCallback>();
    EXPECT_EQ(driver_->prepareModel_1_2(model, ExecutionPreference::FAST_SINGLE_ANSWER, model_cache,
                                        data_cache, token, callback),
              ErrorStatus::NONE);
    callback->calls.Wait();
    EXPECT_EQ(callback->status, ErrorStatus::NONE);
    return callback->prepared;
  }
  std::shared_ptr<IPreparedModel> Save(const Model& model, const Files& files,
                                       const CacheToken& token = kToken) {
    return Save(model, files.ModelHandles(), files.DataHandles(), token);
  }

  // The model without a cache.
  std::shared_ptr<IPreparedModel> Prepared(const Model& model) {
    return Save(model, std::vector<Handle>(), std::vector<Handle>());
  }

  // What a preparation from the cache gives; null when it fails, which is then in status_.
  std::shared_ptr<IPreparedModel> Load(IDevice& driver, const std::vector<Handle>& model_cache,
                                       const std::vector<Handle>& data_cache,
                                       const CacheToken& token = kToken) {
    const auto callback = std::make_shared<PreparedModelCallback>();
    const ErrorStatus launched =
        driver.prepareModelFromCache(model_cache, data_cache, token, callback);
    callback->calls.Wait();
    status_ = callback->status;
    EXPECT_TRUE(launched == ErrorStatus::NONE || launched == status_);
    EXPECT_EQ(callback->prepared != nullptr, status_ == ErrorStatus::NONE);
    return callback->prepared;
  }
  std::shared_ptr<IPreparedModel> Load(const Files& files, const CacheToken& token = kToken) {
    return Load(*driver_, files.ModelHandles(), files.DataHandles(), token);
  }

  // The end of a preparation from the cache that must not give a model.
  ErrorStatus Refusal(const Files& files, const CacheToken& token = kToken) {
    EXPECT_EQ(Load(files, token), nullptr);
    return status_;
  }

  // Puts contents into the files as somebody would who knows how they are sealed.
  void Forge(const hal::CompilationCache& contents, const Files& files) {
    const absl::Status saved =
        saveCompilationCache(contents, {driver_->getVersionString().version, {}}, kToken,
                             files.ModelHandles(), files.DataHandles());
    ASSERT_TRUE(saved.ok()) << saved;
  }

  static constexpr CacheToken kToken = {1, 2, 3};
  static constexpr CacheToken kOtherToken = {1, 2, 4};

  const std::shared_ptr<IDevice> driver_ = MakeReferenceDriver();
  ErrorStatus status_ = ErrorStatus::NONE;
};

TEST_F(ReferenceDriverCacheTest, NeedsAFileForTheModelAndOneForTheData) {
  const auto files = driver_->getNumberOfCacheFilesNeeded();
  EXPECT_EQ(files.status, ErrorStatus::NONE);
  EXPECT_EQ(files.numModelCache, 1u);
  EXPECT_EQ(files.numDataCache, 1u);
}

TEST_F(ReferenceDriverCacheTest, GivesTheSameResultsBitByBit) {
  for (const Model& model : {Additions(), Multiplications()}) {
    const Files files;
    const auto prepared = Save(model, files);
    const auto from_cache = Load(files);
    ASSERT_NE(from_cache, nullptr);
    EXPECT_EQ(OutputOf(*from_cache), OutputOf(*prepared));
    // In another process, for all that it knows.
    const auto later = Load(*MakeReferenceDriver(), files.ModelHandles(), files.DataHandles());
    ASSERT_NE(later, nullptr);
    EXPECT_EQ(OutputOf(*later), OutputOf(*prepared));
  }
  EXPECT_NE(OutputOf(*Prepared(Additions())), OutputOf(*Prepared(Multiplications())))
      << "the models that these tests tell apart give the same";
}

TEST_F(ReferenceDriverCacheTest, OffsetsAndEarlierContentsDoNotMatter) {
  const Files files;
  std::vector<Handle> model = files.ModelHandles();
  std::vector<Handle> data = files.DataHandles();
  for (const Handle& handle : {model[0], data[0]}) {
    ASSERT_EQ(write(handle.descriptors[0].get(), "\0\0", 2), 2);
  }
  const auto prepared = Save(Additions(), model, data);
  model = files.ModelHandles();
  data = files.DataHandles();
  for (const Handle& handle : {model[0], data[0]}) {
    char byte = 0;
    ASSERT_EQ(read(handle.descriptors[0].get(), &byte, 1), 1);
  }
  const auto from_cache = Load(*driver_, model, data);
  ASSERT_NE(from_cache, nullptr);
  EXPECT_EQ(OutputOf(*from_cache), OutputOf(*prepared));
}

TEST_F(ReferenceDriverCacheTest, WrongHandlesDoNotKeepAModelFromBeingPrepared) {
  const Files files;
  const Handle model = files.model.Open();
  const Handle data = files.data.Open();
  const Handle none = {.descriptors = {}, .integers = {}};
  const Handle two = {.descriptors = {data.descriptors[0], data.descriptors[0]}, .integers = {}};
  const std::vector<uint8_t> expected = OutputOf(*Prepared(Additions()));
  struct Row {
    std::vector<Handle> model;
    std::vector<Handle> data;
    ErrorStatus from_cache = ErrorStatus::INVALID_ARGUMENT;
  };
  for (const Row& row : {Row{{model, model}, {data}}, Row{{model}, {data, data}}, Row{{model}, {}},
                         Row{{none}, {data}}, Row{{model}, {two}},
                         Row{{files.model.Open(O_RDONLY)}, {data}, ErrorStatus::GENERAL_FAILURE},
                         Row{{model}, {files.data.Open(O_WRONLY)}, ErrorStatus::GENERAL_FAILURE}}) {
    const auto prepared = Save(Additions(), row.model, row.data);
    ASSERT_NE(prepared, nullptr);
    EXPECT_EQ(OutputOf(*prepared), expected);
    EXPECT_EQ(Load(*driver_, row.model, row.data), nullptr);
    EXPECT_EQ(status_, row.from_cache);
  }
}

TEST_F(ReferenceDriverCacheTest, EveryChangedByteIsAGeneralFailure) {
  const Files files;
  Save(ChainOf(OperationType::ADD, 1), files);
  for (const CacheFile* file : {&files.model, &files.data}) {
    std::vector<uint8_t> bytes = file->Read();
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] ^= static_cast<uint8_t>(1U << i % 8);
      file->Write(bytes);
      EXPECT_EQ(Refusal(files), ErrorStatus::GENERAL_FAILURE) << "byte " << i;
      bytes[i] ^= static_cast<uint8_t>(1U << i % 8);
    }
    file->Write(bytes);
  }
  EXPECT_NE(Load(files), nullptr);
}

TEST_F(ReferenceDriverCacheTest, EveryOtherLengthIsAGeneralFailure) {
  const Files files;
  Save(ChainOf(OperationType::ADD, 1), files);
  for (const CacheFile* file : {&files.model, &files.data}) {
    const std::vector<uint8_t> bytes = file->Read();
    std::vector<uint8_t> changed = bytes;
    changed.resize(bytes.size() + 64, 0xa5);
    for (; !changed.empty(); changed.pop_back()) {
      if (changed.size() == bytes.size()) continue;
      file->Write(changed);
      EXPECT_EQ(Refusal(files), ErrorStatus::GENERAL_FAILURE) << changed.size() << " bytes";
    }
    file->Write(bytes);
  }
  EXPECT_NE(Load(files), nullptr);
}

TEST_F(ReferenceDriverCacheTest, AnotherTokenIsAGeneralFailure) {
  const Files files;
  Save(Additions(), files);
  EXPECT_EQ(Refusal(files, kOtherToken), ErrorStatus::GENERAL_FAILURE);
}

TEST_F(ReferenceDriverCacheTest, FilesOfAnotherCacheAreAGeneralFailure) {
  const Files additions;
  Save(Additions(), additions);
  const Files multiplications;
  Save(Multiplications(), multiplications, kOtherToken);
  const Files others;
  Save(ChainOf(OperationType::ADD, 5), others);
  for (const Files* foreign : {&multiplications, &others}) {
    Files mixed;
    mixed.model.Write(foreign->model.Read());
    mixed.data.Write(additions.data.Read());
    EXPECT_EQ(Refusal(mixed), ErrorStatus::GENERAL_FAILURE);
    mixed.model.Write(additions.model.Read());
    mixed.data.Write(foreign->data.Read());
    EXPECT_EQ(Refusal(mixed), ErrorStatus::GENERAL_FAILURE);
  }
}

TEST_F(ReferenceDriverCacheTest, AnInvalidModelThatIsSealedIsAGeneralFailure) {
  const Files files;
  const absl::StatusOr<hal::CompilationCache> good = ToCache(Additions());
  ASSERT_TRUE(good.ok()) << good.status();
  Forge(*good, files);
  EXPECT_NE(Load(files), nullptr) << "this is how it is done";

  Model model = Additions();
  model.operations[0].inputs[0] = 1000;
  Forge(*ToCache(model), files);
  EXPECT_EQ(Refusal(files), ErrorStatus::GENERAL_FAILURE);

  model = Additions();
  model.operations[0].type = OperationType::OEM_OPERATION;
  Forge(*ToCache(model), files);
  EXPECT_EQ(Refusal(files), ErrorStatus::GENERAL_FAILURE);

  // Constants of which there are not as many.
  model = Additions();
  model.operandValues.resize(4);
  Forge({.model = good->model, .data = ToCache(model)->data}, files);
  EXPECT_EQ(Refusal(files), ErrorStatus::GENERAL_FAILURE);

  model = Additions();
  model.pools.clear();
  Forge({.model = good->model, .data = ToCache(model)->data}, files);
  EXPECT_EQ(Refusal(files), ErrorStatus::GENERAL_FAILURE);

  Forge({.model = {{1, 2, 3}}, .data = good->data}, files);
  EXPECT_EQ(Refusal(files), ErrorStatus::GENERAL_FAILURE);
}

// A thread writes another model's file over the one of the model as often as it can.
class Overwriting {
 public:
  Overwriting(const CacheFile& file, std::vector<uint8_t> bytes)
      : handle_(file.Open()), bytes_(std::move(bytes)), thread_([this] { Loop(); }) {}
  Overwriting(const Overwriting&) = delete;
  Overwriting& operator=(const Overwriting&) = delete;
  ~Overwriting() {
    is_over_ = true;
    thread_.join();
  }

 private:
  void Loop() {
    do {
      EXPECT_EQ(pwrite(handle_.descriptors[0].get(), bytes_.data(), bytes_.size(), 0),
                static_cast<ssize_t>(bytes_.size()));
    } while (!is_over_);
  }

  const Handle handle_;
  const std::vector<uint8_t> bytes_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

TEST_F(ReferenceDriverCacheTest, AFileThatIsOverwrittenWhileItIsSavedDoesNotBecomeAnotherModel) {
  const Files multiplications;
  Save(Multiplications(), multiplications, kOtherToken);
  const std::vector<uint8_t> expected = OutputOf(*Prepared(Additions()));
  const Files files;
  for (int i = 0; i < 50; ++i) {
    {
      const Overwriting overwriting(files.model, multiplications.model.Read());
      EXPECT_EQ(OutputOf(*Save(Additions(), files)), expected);
    }
    if (const auto prepared = Load(files); prepared != nullptr) {
      EXPECT_EQ(OutputOf(*prepared), expected);
    } else {
      EXPECT_EQ(status_, ErrorStatus::GENERAL_FAILURE);
    }
  }
}

TEST_F(ReferenceDriverCacheTest, AFileThatIsOverwrittenWhileItIsReadDoesNotBecomeAnotherModel) {
  const Files multiplications;
  Save(Multiplications(), multiplications, kOtherToken);
  const Files files;
  for (int i = 0; i < 50; ++i) {
    const std::vector<uint8_t> expected = OutputOf(*Save(Additions(), files));
    const Overwriting overwriting(files.model, multiplications.model.Read());
    if (const auto prepared = Load(files); prepared != nullptr) {
      EXPECT_EQ(OutputOf(*prepared), expected);
    } else {
      EXPECT_EQ(status_, ErrorStatus::GENERAL_FAILURE);
    }
  }
}

}  // namespace
}  // namespace nncert
