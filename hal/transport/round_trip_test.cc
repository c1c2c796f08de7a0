// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Every method of every interface and version, through a socket.

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/conversion.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/transport/client.h"
#include "hal/transport/known_pools.h"
#include "hal/transport/testing/recording_device.h"
#include "hal/transport/testing/served.h"

namespace nncert::hal::transport {
namespace {

using ::nncert::hal::testing::ExecutionCallback;
using ::nncert::hal::testing::OneOfEverything;
using ::nncert::hal::testing::PreparedModelCallback;
using ::nncert::hal::testing::TwoAdditions;
using ::nncert::hal::testing::TwoAdditionsRequest;
using ::nncert::hal::transport::testing::Record;
using ::nncert::hal::transport::testing::RecordingBurst;
using ::nncert::hal::transport::testing::RecordingDevice1_0;
using ::nncert::hal::transport::testing::RecordingDevice1_1;
using ::nncert::hal::transport::testing::RecordingDevice1_2;
using ::nncert::hal::transport::testing::RecordingPreparedModel1_0;
using ::nncert::hal::transport::testing::RecordingPreparedModel1_2;
using ::nncert::hal::transport::testing::Served;
using ::testing::ElementsAre;
using V1_0::ErrorStatus;

using Device1_0 = RecordingDevice1_0<V1_0::IDevice>;
using Device1_1 = RecordingDevice1_1<V1_1::IDevice>;
using PreparedModel1_0 = RecordingPreparedModel1_0<V1_0::IPreparedModel>;

std::vector<uint8_t> BytesOf(const Memory& memory) {
  const absl::StatusOr<Mapping> mapping = memory.Map(MemoryAccess::READ_ONLY);
  if (!mapping.ok()) return {};
  return {mapping->bytes().begin(), mapping->bytes().end()};
}

// Whether two descriptors are of the same file.
bool IsSameFile(int a, int b) {
  struct stat a_file;
  struct stat b_file;
  return fstat(a, &a_file) == 0 && fstat(b, &b_file) == 0 && a_file.st_dev == b_file.st_dev &&
         a_file.st_ino == b_file.st_ino;
}

// Checks that pools have crossed as descriptors of the same files.
void ExpectSamePools(const std::vector<Memory>& actual, const std::vector<Memory>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].valid(), expected[i].valid());
    EXPECT_EQ(actual[i].name(), expected[i].name());
    EXPECT_EQ(actual[i].size(), expected[i].size());
    EXPECT_EQ(actual[i].offset(), expected[i].offset());
    EXPECT_EQ(actual[i].protection(), expected[i].protection());
    if (expected[i].valid()) {
      EXPECT_TRUE(IsSameFile(actual[i].fd(), expected[i].fd()));
      EXPECT_EQ(BytesOf(actual[i]), BytesOf(expected[i]));
    }
  }
}

template <typename Model>
void ExpectSameModel(Model actual, Model expected) {
  ExpectSamePools(actual.pools, expected.pools);
  actual.pools.clear();
  expected.pools.clear();
  EXPECT_TRUE(actual == expected);
}

void ExpectSameRequest(V1_0::Request actual, V1_0::Request expected) {
  ExpectSamePools(actual.pools, expected.pools);
  actual.pools.clear();
  expected.pools.clear();
  EXPECT_TRUE(actual == expected);
}

V1_2::CacheToken Token() {
  V1_2::CacheToken token;
  for (size_t i = 0; i < token.size(); ++i) token[i] = static_cast<uint8_t>(3 * i + 1);
  return token;
}

class RoundTripTest : public ::testing::Test {
 protected:
  std::shared_ptr<Record> record_ = std::make_shared<Record>();
};

// --- Devices ---

TEST_F(RoundTripTest, AProxyIsOfTheVersionOfItsDevice) {
  Served served_1_0(std::make_shared<Device1_0>(record_));
  EXPECT_EQ(served_1_0.connection().version(), HalVersion::V1_0);
  EXPECT_NE(served_1_0.device(), nullptr);
  EXPECT_EQ(served_1_0.device<V1_1::IDevice>(), nullptr);

  Served served_1_1(std::make_shared<Device1_1>(record_));
  EXPECT_EQ(served_1_1.connection().version(), HalVersion::V1_1);
  EXPECT_NE(served_1_1.device<V1_1::IDevice>(), nullptr);
  EXPECT_EQ(served_1_1.device<V1_2::IDevice>(), nullptr);

  Served served_1_2(std::make_shared<RecordingDevice1_2>(record_));
  EXPECT_EQ(served_1_2.connection().version(), HalVersion::V1_2);
  EXPECT_NE(served_1_2.device<V1_2::IDevice>(), nullptr);
  EXPECT_EQ(served_1_2.connection().peer_process(), getpid());
}

TEST_F(RoundTripTest, Capabilities) {
  record_->capabilities_1_0 = {.status = ErrorStatus::DEVICE_UNAVAILABLE,
                               .capabilities = {{0.5F, 1.5F}, {2.5F, 3.5F}}};
  record_->capabilities_1_1 = {.status = ErrorStatus::NONE,
                               .capabilities = {{0.5F, 1.5F}, {2.5F, 3.5F}, {4.5F, 5.5F}}};
  record_->capabilities_1_2 = {
      .status = ErrorStatus::NONE,
      .capabilities = {{6.5F, 7.5F},
                       {8.5F, 9.5F},
                       {{V1_2::OperandType::TENSOR_FLOAT16, {1.25F, 2.25F}},
                        {static_cast<V1_2::OperandType>(77777), {3.25F, 4.25F}}}}};
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto device = served.device<V1_2::IDevice>();

  EXPECT_EQ(device->getCapabilities().status, ErrorStatus::DEVICE_UNAVAILABLE);
  EXPECT_EQ(device->getCapabilities().capabilities, record_->capabilities_1_0.capabilities);
  EXPECT_EQ(device->getCapabilities_1_1().status, ErrorStatus::NONE);
  EXPECT_EQ(device->getCapabilities_1_1().capabilities, record_->capabilities_1_1.capabilities);
  EXPECT_EQ(device->getCapabilities_1_2().status, ErrorStatus::NONE);
  EXPECT_EQ(device->getCapabilities_1_2().capabilities, record_->capabilities_1_2.capabilities);
}

TEST_F(RoundTripTest, WhatADeviceSaysOfItself) {
  record_->device_status = V1_0::DeviceStatus::OFFLINE;
  record_->version = {.status = ErrorStatus::NONE, .version = std::string("a\0b \xff", 5)};
  record_->type = {.status = ErrorStatus::NONE, .type = V1_2::DeviceType::GPU};
  record_->extensions = {
      .status = ErrorStatus::NONE,
      .extensions = {{"com.example.one", {{1, true, 4}, {0xFFFF, false, 0xFFFFFFFF}}},
                     {"com.example.two", {}}}};
  record_->cache_files = {
      .status = ErrorStatus::NONE, .numModelCache = 0xFFFFFFFF, .numDataCache = 2};
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto device = served.device<V1_2::IDevice>();

  EXPECT_EQ(device->getStatus(), V1_0::DeviceStatus::OFFLINE);
  EXPECT_EQ(device->getVersionString().version, record_->version.version);
  EXPECT_EQ(device->getType().type, V1_2::DeviceType::GPU);
  EXPECT_EQ(device->getSupportedExtensions().extensions, record_->extensions.extensions);
  EXPECT_EQ(device->getNumberOfCacheFilesNeeded().numModelCache, 0xFFFFFFFF);
  EXPECT_EQ(device->getNumberOfCacheFilesNeeded().numDataCache, 2U);
  record_->version.status = ErrorStatus::GENERAL_FAILURE;
  EXPECT_EQ(device->getVersionString().status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(record_->calls, ElementsAre("getStatus", "getVersionString", "getType",
                                          "getSupportedExtensions", "getNumberOfCacheFilesNeeded",
                                          "getNumberOfCacheFilesNeeded", "getVersionString"));
}

TEST_F(RoundTripTest, SupportedOperationsOfModelsOfEveryVersion) {
  record_->supported = {.status = ErrorStatus::NONE, .supportedOperations = {true, false, true}};
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto device = served.device<V1_2::IDevice>();

  const V1_0::Model model_1_0 = convertToV1_0(TwoAdditions());
  EXPECT_THAT(device->getSupportedOperations(model_1_0).supportedOperations,
              ElementsAre(true, false, true));
  ExpectSameModel(record_->model_1_0, model_1_0);

  V1_1::Model model_1_1 = convertToV1_1(TwoAdditions());
  model_1_1.relaxComputationFloat32toFloat16 = true;
  EXPECT_THAT(device->getSupportedOperations_1_1(model_1_1).supportedOperations,
              ElementsAre(true, false, true));
  ExpectSameModel(record_->model_1_1, model_1_1);

  record_->supported.status = ErrorStatus::INVALID_ARGUMENT;
  const V1_2::Model everything = OneOfEverything();
  EXPECT_EQ(device->getSupportedOperations_1_2(everything).status, ErrorStatus::INVALID_ARGUMENT);
  ExpectSameModel(record_->model_1_2, everything);
}

TEST_F(RoundTripTest, AModelThatBreaksEveryRuleArrivesAsItIs) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  V1_2::Model model = OneOfEverything();
  model.operands[0].lifetime = static_cast<V1_2::OperandLifeTime>(-1);
  model.operands[1].lifetime = static_cast<V1_2::OperandLifeTime>(70000);
  model.operands[2].type = static_cast<V1_2::OperandType>(-5);
  model.operands[2].zeroPoint = -7;
  model.operations[0].type = static_cast<V1_2::OperationType>(0x7FFFFFFF);
  model.operations[0].inputs = {0xFFFFFFFF};
  model.inputIndexes.clear();
  model.pools.push_back(Memory());
  served.device<V1_2::IDevice>()->getSupportedOperations_1_2(model);
  EXPECT_TRUE(served.connection().status().ok()) << served.connection().status();
  ExpectSameModel(record_->model_1_2, model);
}

TEST_F(RoundTripTest, ALargeModelTakesManyReads) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  V1_2::Model model = TwoAdditions();
  model.operandValues.resize(5'000'000);
  for (size_t i = 0; i < model.operandValues.size(); ++i) {
    model.operandValues[i] = static_cast<uint8_t>(i * 7 + i / 251);
  }
  served.device<V1_2::IDevice>()->getSupportedOperations_1_2(model);
  EXPECT_TRUE(served.connection().status().ok()) << served.connection().status();
  ExpectSameModel(record_->model_1_2, model);
}

// --- Preparation ---

TEST_F(RoundTripTest, PrepareModel) {
  record_->launch_status = ErrorStatus::DEVICE_UNAVAILABLE;
  Served served(std::make_shared<Device1_0>(record_));
  const V1_0::Model model = convertToV1_0(TwoAdditions());
  EXPECT_EQ(served.device()->prepareModel(model, nullptr), ErrorStatus::DEVICE_UNAVAILABLE);
  EXPECT_EQ(record_->preparation_callback, nullptr);
  ExpectSameModel(record_->model_1_0, model);
}

TEST_F(RoundTripTest, PrepareModel1_1) {
  Served served(std::make_shared<Device1_1>(record_));
  const V1_1::Model model = convertToV1_1(TwoAdditions());
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(served.device<V1_1::IDevice>()->prepareModel_1_1(
                model, static_cast<V1_1::ExecutionPreference>(-3), callback),
            ErrorStatus::NONE);
  ExpectSameModel(record_->model_1_1, model);
  EXPECT_EQ(record_->preference, static_cast<V1_1::ExecutionPreference>(-3));
  EXPECT_NE(std::dynamic_pointer_cast<V1_2::IPreparedModelCallback>(record_->preparation_callback),
            nullptr);
}

TEST_F(RoundTripTest, PrepareModel1_2AndTheCache) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto device = served.device<V1_2::IDevice>();
  const FileDescriptor file_a = Memory::Allocate(1)->descriptor();
  const FileDescriptor file_b = Memory::Allocate(1)->descriptor();
  const std::vector<Handle> model_cache = {{{file_a}, {}}, {{file_b, FileDescriptor()}, {-7, 8}}};
  const std::vector<Handle> data_cache = {{{file_b}, {}}};
  const V1_2::Model model = OneOfEverything();

  const auto check_cache = [&] {
    ASSERT_EQ(record_->model_cache.size(), 2U);
    EXPECT_TRUE(IsSameFile(record_->model_cache[0].descriptors.at(0).get(), file_a.get()));
    EXPECT_TRUE(IsSameFile(record_->model_cache[1].descriptors.at(0).get(), file_b.get()));
    EXPECT_FALSE(record_->model_cache[1].descriptors.at(1).valid());
    EXPECT_THAT(record_->model_cache[1].integers, ElementsAre(-7, 8));
    ASSERT_EQ(record_->data_cache.size(), 1U);
    EXPECT_TRUE(IsSameFile(record_->data_cache[0].descriptors.at(0).get(), file_b.get()));
    EXPECT_EQ(record_->token, Token());
    record_->model_cache.clear();
    record_->data_cache.clear();
    record_->token = {};
  };

  EXPECT_EQ(device->prepareModel_1_2(model, V1_2::ExecutionPreference::SUSTAINED_SPEED, model_cache,
                                     data_cache, Token(), nullptr),
            ErrorStatus::NONE);
  ExpectSameModel(record_->model_1_2, model);
  EXPECT_EQ(record_->preference, V1_2::ExecutionPreference::SUSTAINED_SPEED);
  check_cache();

  record_->launch_status = ErrorStatus::GENERAL_FAILURE;
  EXPECT_EQ(device->prepareModelFromCache(model_cache, data_cache, Token(), nullptr),
            ErrorStatus::GENERAL_FAILURE);
  check_cache();
}

TEST_F(RoundTripTest, PreparationCallbacksOfEveryVersion) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto prepare = [&] {
    auto callback = std::make_shared<PreparedModelCallback>();
    served.device()->prepareModel(convertToV1_0(TwoAdditions()), callback);
    return callback;
  };
  const auto given_1_2 = [&] {
    return std::dynamic_pointer_cast<V1_2::IPreparedModelCallback>(record_->preparation_callback);
  };

  auto callback = prepare();
  record_->preparation_callback->notify(ErrorStatus::NONE,
                                        std::make_shared<PreparedModel1_0>(record_));
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::NONE);
  ASSERT_NE(callback->prepared_1_0, nullptr);
  EXPECT_EQ(std::dynamic_pointer_cast<V1_2::IPreparedModel>(callback->prepared_1_0), nullptr);
  EXPECT_EQ(callback->prepared, nullptr);

  callback = prepare();
  given_1_2()->notify_1_2(ErrorStatus::NONE, std::make_shared<RecordingPreparedModel1_2>(record_));
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::NONE);
  EXPECT_NE(callback->prepared, nullptr);

  // A later model through the earlier method, failure with a model, success without one: the
  // transport passes on what it is given.
  callback = prepare();
  record_->preparation_callback->notify(ErrorStatus::INVALID_ARGUMENT,
                                        std::make_shared<RecordingPreparedModel1_2>(record_));
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_NE(std::dynamic_pointer_cast<V1_2::IPreparedModel>(callback->prepared_1_0), nullptr);

  callback = prepare();
  given_1_2()->notify_1_2(ErrorStatus::NONE, nullptr);
  given_1_2()->notify_1_2(ErrorStatus::NONE, nullptr);
  callback->calls.Wait(2);
  EXPECT_EQ(callback->prepared, nullptr);
}

// --- Execution ---

class ExecutionRoundTripTest : public RoundTripTest {
 protected:
  ExecutionRoundTripTest() : served_(std::make_shared<RecordingDevice1_2>(record_)) { Prepare(); }

  // Makes another prepared model.
  void Prepare() {
    const auto callback = std::make_shared<PreparedModelCallback>();
    served_.device()->prepareModel(convertToV1_0(TwoAdditions()), callback);
    std::dynamic_pointer_cast<V1_2::IPreparedModelCallback>(record_->preparation_callback)
        ->notify_1_2(ErrorStatus::NONE, std::make_shared<RecordingPreparedModel1_2>(record_));
    callback->calls.Wait();
    prepared_ = callback->prepared;
    record_->calls.clear();
  }

  Served served_;
  std::shared_ptr<V1_2::IPreparedModel> prepared_;
};

TEST_F(ExecutionRoundTripTest, Execute) {
  const auto callback = std::make_shared<ExecutionCallback>();
  V1_0::Request request = TwoAdditionsRequest();
  request.inputs[0].hasNoValue = true;
  request.outputs[0].dimensions = {0, 0xFFFFFFFF};
  request.pools.push_back(Memory());
  EXPECT_EQ(prepared_->execute(request, callback), ErrorStatus::NONE);
  ExpectSameRequest(record_->request, request);
  record_->execution_callback->notify(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);

  record_->launch_status = ErrorStatus::INVALID_ARGUMENT;
  EXPECT_EQ(prepared_->execute(V1_0::Request(), nullptr), ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(record_->execution_callback, nullptr);
  EXPECT_THAT(record_->calls, ElementsAre("execute", "execute"));
}

TEST_F(ExecutionRoundTripTest, Execute1_2) {
  const auto callback = std::make_shared<ExecutionCallback>();
  EXPECT_EQ(prepared_->execute_1_2(TwoAdditionsRequest(), V1_2::MeasureTiming::YES, callback),
            ErrorStatus::NONE);
  EXPECT_EQ(record_->measure, V1_2::MeasureTiming::YES);
  const std::vector<V1_2::OutputShape> shapes = {{{1, 2, 3}, true}, {{}, false}, {{7}, true}};
  const V1_2::Timing timing = {.timeOnDevice = 0x123456789ABCDEF0, .timeInDriver = 5};
  std::dynamic_pointer_cast<V1_2::IExecutionCallback>(record_->execution_callback)
      ->notify_1_2(ErrorStatus::NONE, shapes, timing);
  callback->calls.Wait();
  EXPECT_EQ(callback->outputShapes, shapes);
  EXPECT_EQ(callback->timing, timing);
}

TEST_F(ExecutionRoundTripTest, ExecuteSynchronously) {
  record_->execution = {.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
                        .outputShapes = {{{4, 5}, false}},
                        .timing = {}};
  const V1_2::ExecuteSynchronouslyResult result =
      prepared_->executeSynchronously(TwoAdditionsRequest(), static_cast<V1_2::MeasureTiming>(9));
  EXPECT_EQ(result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  EXPECT_EQ(result.outputShapes, record_->execution.outputShapes);
  EXPECT_EQ(result.timing, V1_2::Timing());
  EXPECT_EQ(record_->measure, static_cast<V1_2::MeasureTiming>(9));
}

TEST_F(ExecutionRoundTripTest, PoolsAreMappedNotCopied) {
  V1_0::Request request;
  request.pools = {*Memory::Allocate(1 << 20)};
  prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO);
  // What either side writes is what the other side reads.
  const absl::StatusOr<Mapping> ours = request.pools[0].Map(MemoryAccess::READ_WRITE);
  const absl::StatusOr<Mapping> theirs = record_->request.pools[0].Map(MemoryAccess::READ_WRITE);
  ASSERT_TRUE(ours.ok() && theirs.ok());
  ASSERT_NE(ours->data(), theirs->data());
  theirs->data()[(1 << 20) - 1] = 42;
  EXPECT_EQ(ours->data()[(1 << 20) - 1], 42);
  ours->data()[0] = 17;
  EXPECT_EQ(theirs->data()[0], 17);
}

TEST_F(ExecutionRoundTripTest, APoolThatComesAgainIsTheSameAndNoOtherIs) {
  const auto received = [&](const std::vector<Memory>& pools) {
    V1_0::Request request;
    request.pools = pools;
    prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO);
    ExpectSamePools(record_->request.pools, pools);
    return record_->request.pools;
  };
  const Memory a = *Memory::Allocate(64);
  const Memory b = *Memory::Allocate(64);
  const std::vector<Memory> first = received({a, b});
  const std::vector<Memory> again = received({b, a});
  EXPECT_EQ(again[0], first[1]);
  EXPECT_EQ(again[1], first[0]);
  // Also when other requests come between.
  EXPECT_EQ(received({a})[0], first[0]);
  EXPECT_EQ(received({b})[0], first[1]);

  // Whatever is different makes another pool, though the file is the same.
  const FileDescriptor& file = a.descriptor();
  const int both = PROT_READ | PROT_WRITE;
  const std::vector<Memory> others = {*Memory::FromDescriptor(file, 64, PROT_READ, 0, a.name()),
                                      *Memory::FromDescriptor(file, 63, both, 0, a.name()),
                                      *Memory::FromDescriptor(file, 63, both, 1, a.name()),
                                      *Memory::FromDescriptor(file, 64, both, 0, kMmapFd)};
  const Memory original = received({a})[0];
  for (const Memory& other : received(others)) EXPECT_NE(other, original);
}

TEST_F(ExecutionRoundTripTest, FewAndSmallPoolsAreKeptBeyondTheLastRequest) {
  const auto received = [&](const std::vector<Memory>& pools) {
    V1_0::Request request;
    request.pools = pools;
    prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO);
    return record_->request.pools;
  };
  const Memory small = *Memory::Allocate(64);
  const Memory large = *Memory::Allocate(size_t{1} << 20);
  const std::vector<Memory> both = received({small, large});
  EXPECT_EQ(received({large})[0], both[1]);
  EXPECT_EQ(received({small})[0], both[0]);
  EXPECT_NE(received({large})[0], both[1]);
  for (int i = 0; i < 15; ++i) received({*Memory::Allocate(64)});
  EXPECT_EQ(received({small})[0], both[0]);
  for (size_t i = 0; i < kMostKnownPools; ++i) received({*Memory::Allocate(64)});
  EXPECT_NE(received({small})[0], both[0]);
}

TEST_F(ExecutionRoundTripTest, APoolThatComesAgainToAnotherModelIsTheSame) {
  V1_0::Request request;
  request.pools = {*Memory::Allocate(64)};
  prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO);
  const Memory first = record_->request.pools[0];
  Prepare();
  prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO);
  EXPECT_EQ(record_->request.pools[0], first);
}

TEST_F(ExecutionRoundTripTest, PartsOfFilesThatAreOnlyToBeRead) {
  const absl::StatusOr<Memory> file = Memory::AllocateCopy({1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_TRUE(file.ok());
  V1_0::Request request;
  request.pools = {*Memory::FromDescriptor(file->descriptor(), 3, PROT_READ, 4)};
  prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO);
  ExpectSameRequest(record_->request, request);
  EXPECT_THAT(BytesOf(record_->request.pools[0]), ElementsAre(5, 6, 7));
}

TEST_F(ExecutionRoundTripTest, ACallWithMoreDescriptorsThanCanBeSentFailsAlone) {
  V1_0::Request request;
  const Memory pool = *Memory::Allocate(4);
  request.pools.assign(253, pool);
  EXPECT_EQ(prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO).status,
            ErrorStatus::NONE);
  EXPECT_EQ(record_->request.pools.size(), 253U);

  request.pools.push_back(pool);
  const auto callback = std::make_shared<ExecutionCallback>();
  EXPECT_EQ(prepared_->execute_1_2(request, V1_2::MeasureTiming::NO, callback),
            ErrorStatus::GENERAL_FAILURE);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_TRUE(served_.connection().status().ok());
  EXPECT_EQ(served_.device()->getStatus(), V1_0::DeviceStatus::BUSY);
}

// --- Bursts ---

// Knows two pools.
class Pools : public V1_2::IBurstCallback {
 public:
  V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    asked = slots;
    if (slots.size() != pools.size()) {
      return {.status = ErrorStatus::INVALID_ARGUMENT, .buffers = {}};
    }
    return {.status = ErrorStatus::NONE, .buffers = pools};
  }

  std::vector<Memory> pools = {*Memory::AllocateCopy({1, 2, 3}), *Memory::Allocate(0)};
  std::vector<int32_t> asked;
};

TEST_F(ExecutionRoundTripTest, Bursts) {
  const auto live = std::make_shared<std::atomic<int>>(0);
  record_->burst = {.status = ErrorStatus::NONE,
                    .context = std::make_shared<RecordingBurst>(record_, live)};
  const auto requests = MessageQueue<V1_2::FmqRequestDatum>::Create(16);
  auto results = MessageQueue<V1_2::FmqResultDatum>::Create(8);
  ASSERT_TRUE(requests.ok() && results.ok());
  const auto callback = std::make_shared<Pools>();
  V1_2::ConfigureExecutionBurstResult burst =
      prepared_->configureExecutionBurst(callback, requests->descriptor(), results->descriptor());
  EXPECT_EQ(burst.status, ErrorStatus::NONE);
  ASSERT_NE(burst.context, nullptr);
  EXPECT_EQ(record_->request_channel.elementCount, 16U);
  EXPECT_EQ(record_->request_channel.elementSize, sizeof(V1_2::FmqRequestDatum));
  EXPECT_EQ(record_->result_channel.elementCount, 8U);

  // What the driver writes into its queue arrives in the client's.
  auto driver_results = MessageQueue<V1_2::FmqResultDatum>::Open(record_->result_channel);
  ASSERT_TRUE(driver_results.ok());
  const std::vector<V1_2::FmqResultDatum> sent = {
      V1_2::FmqResultDatum::makeOperandDimensionValue(99)};
  ASSERT_TRUE(driver_results->write(sent).ok());
  std::vector<V1_2::FmqResultDatum> received(1);
  ASSERT_TRUE(results->read(absl::MakeSpan(received)).ok());
  EXPECT_EQ(received, sent);

  const V1_2::GetMemoriesResult memories = record_->burst_callback->getMemories({5, -6});
  EXPECT_EQ(memories.status, ErrorStatus::NONE);
  EXPECT_THAT(callback->asked, ElementsAre(5, -6));
  ExpectSamePools(memories.buffers, callback->pools);
  // A pool that is known, by whichever way it came, is mapped once.
  EXPECT_EQ(record_->burst_callback->getMemories({7, 8}).buffers, memories.buffers);
  V1_0::Request request;
  request.pools = callback->pools;
  prepared_->executeSynchronously(request, V1_2::MeasureTiming::NO);
  EXPECT_EQ(record_->request.pools, memories.buffers);
  EXPECT_EQ(record_->burst_callback->getMemories({1}).status, ErrorStatus::INVALID_ARGUMENT);

  burst.context->freeMemory(-17);
  EXPECT_EQ(record_->freed_slot, -17);
}

TEST_F(ExecutionRoundTripTest, ABurstThatIsRefused) {
  record_->burst = {.status = ErrorStatus::GENERAL_FAILURE, .context = nullptr};
  const V1_2::ConfigureExecutionBurstResult burst =
      prepared_->configureExecutionBurst(nullptr, {}, {});
  EXPECT_EQ(burst.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(burst.context, nullptr);
  EXPECT_EQ(record_->burst_callback, nullptr);
  EXPECT_FALSE(record_->request_channel.memory.valid());
  EXPECT_EQ(record_->request_channel.elementCount, 0U);
}

}  // namespace
}  // namespace nncert::hal::transport
