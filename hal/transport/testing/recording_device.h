// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Devices and prepared models that write down what they are asked and answer what they are told to.

#ifndef NNCERT_HAL_TRANSPORT_TESTING_RECORDING_DEVICE_H_
#define NNCERT_HAL_TRANSPORT_TESTING_RECORDING_DEVICE_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport::testing {

/// What a device has been asked, and what it is to answer. To be looked at when no call is under
/// way.
struct Record {
  std::mutex mutex;
  /// The names of the methods that were called.
  std::vector<std::string> calls;

  // The arguments of the last call that had them.
  V1_0::Model model_1_0;
  V1_1::Model model_1_1;
  V1_2::Model model_1_2;
  V1_1::ExecutionPreference preference = V1_1::ExecutionPreference::LOW_POWER;
  std::vector<Handle> model_cache;
  std::vector<Handle> data_cache;
  V1_2::CacheToken token = {};
  std::shared_ptr<V1_0::IPreparedModelCallback> preparation_callback;
  std::shared_ptr<V1_0::IExecutionCallback> execution_callback;
  std::shared_ptr<V1_2::IBurstCallback> burst_callback;
  V1_0::Request request;
  V1_2::MeasureTiming measure = V1_2::MeasureTiming::NO;
  MQDescriptorSync<V1_2::FmqRequestDatum> request_channel;
  MQDescriptorSync<V1_2::FmqResultDatum> result_channel;
  int32_t freed_slot = 0;

  // The answers.
  V1_0::ErrorStatus launch_status = V1_0::ErrorStatus::NONE;
  V1_0::DeviceStatus device_status = V1_0::DeviceStatus::BUSY;
  V1_0::GetCapabilitiesResult capabilities_1_0;
  V1_1::GetCapabilitiesResult capabilities_1_1;
  V1_2::GetCapabilitiesResult capabilities_1_2;
  V1_0::GetSupportedOperationsResult supported;
  V1_2::GetVersionStringResult version;
  V1_2::GetTypeResult type;
  V1_2::GetSupportedExtensionsResult extensions;
  V1_2::GetNumberOfCacheFilesNeededResult cache_files;
  V1_2::ExecuteSynchronouslyResult execution;
  V1_2::ConfigureExecutionBurstResult burst;

  void Add(std::string call) {
    const std::lock_guard<std::mutex> lock(mutex);
    calls.push_back(std::move(call));
  }
};

/// The methods of IPreparedModel 1.0. `live`, when there is one, counts the objects there are.
template <typename Interface>
class RecordingPreparedModel1_0 : public Interface {
 public:
  explicit RecordingPreparedModel1_0(std::shared_ptr<Record> record,
                                     std::shared_ptr<std::atomic<int>> live = nullptr)
      : record_(std::move(record)), live_(std::move(live)) {
    if (live_ != nullptr) ++*live_;
  }
  RecordingPreparedModel1_0(const RecordingPreparedModel1_0&) = delete;
  RecordingPreparedModel1_0& operator=(const RecordingPreparedModel1_0&) = delete;
  ~RecordingPreparedModel1_0() override {
    if (live_ != nullptr) --*live_;
  }

  V1_0::ErrorStatus execute(const V1_0::Request& request,
                            const std::shared_ptr<V1_0::IExecutionCallback>& callback) override {
    record_->Add("execute");
    record_->request = request;
    record_->execution_callback = callback;
    return record_->launch_status;
  }

 protected:
  const std::shared_ptr<Record> record_;

 private:
  const std::shared_ptr<std::atomic<int>> live_;
};

class RecordingPreparedModel1_2 : public RecordingPreparedModel1_0<V1_2::IPreparedModel> {
 public:
  using RecordingPreparedModel1_0::RecordingPreparedModel1_0;

  V1_0::ErrorStatus execute_1_2(
      const V1_2::Request& request, V1_2::MeasureTiming measure,
      const std::shared_ptr<V1_2::IExecutionCallback>& callback) override {
    record_->Add("execute_1_2");
    record_->request = request;
    record_->measure = measure;
    record_->execution_callback = callback;
    return record_->launch_status;
  }

  V1_2::ExecuteSynchronouslyResult executeSynchronously(const V1_2::Request& request,
                                                        V1_2::MeasureTiming measure) override {
    record_->Add("executeSynchronously");
    record_->request = request;
    record_->measure = measure;
    return record_->execution;
  }

  V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<V1_2::IBurstCallback>& callback,
      const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel) override {
    record_->Add("configureExecutionBurst");
    record_->burst_callback = callback;
    record_->request_channel = requestChannel;
    record_->result_channel = resultChannel;
    return std::move(record_->burst);
  }
};

/// Writes freed slots down; `live` as above.
class RecordingBurst : public V1_2::IBurstContext {
 public:
  RecordingBurst(std::shared_ptr<Record> record, std::shared_ptr<std::atomic<int>> live)
      : record_(std::move(record)), live_(std::move(live)) {
    ++*live_;
  }
  RecordingBurst(const RecordingBurst&) = delete;
  RecordingBurst& operator=(const RecordingBurst&) = delete;
  ~RecordingBurst() override { --*live_; }

  void freeMemory(int32_t slot) override {
    record_->Add("freeMemory");
    record_->freed_slot = slot;
  }

 private:
  const std::shared_ptr<Record> record_;
  const std::shared_ptr<std::atomic<int>> live_;
};

/// The methods of IDevice 1.0.
template <typename Interface>
class RecordingDevice1_0 : public Interface {
 public:
  explicit RecordingDevice1_0(std::shared_ptr<Record> record) : record_(std::move(record)) {}

  V1_0::GetCapabilitiesResult getCapabilities() override {
    record_->Add("getCapabilities");
    return record_->capabilities_1_0;
  }
  V1_0::GetSupportedOperationsResult getSupportedOperations(const V1_0::Model& model) override {
    record_->Add("getSupportedOperations");
    record_->model_1_0 = model;
    return record_->supported;
  }
  V1_0::ErrorStatus prepareModel(
      const V1_0::Model& model,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    record_->Add("prepareModel");
    record_->model_1_0 = model;
    record_->preparation_callback = callback;
    return record_->launch_status;
  }
  V1_0::DeviceStatus getStatus() override {
    record_->Add("getStatus");
    return record_->device_status;
  }

 protected:
  const std::shared_ptr<Record> record_;
};

/// The methods of IDevice 1.1.
template <typename Interface>
class RecordingDevice1_1 : public RecordingDevice1_0<Interface> {
 public:
  using RecordingDevice1_0<Interface>::RecordingDevice1_0;

  V1_1::GetCapabilitiesResult getCapabilities_1_1() override {
    this->record_->Add("getCapabilities_1_1");
    return this->record_->capabilities_1_1;
  }
  V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(const V1_1::Model& model) override {
    this->record_->Add("getSupportedOperations_1_1");
    this->record_->model_1_1 = model;
    return this->record_->supported;
  }
  V1_0::ErrorStatus prepareModel_1_1(
      const V1_1::Model& model, V1_1::ExecutionPreference preference,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    this->record_->Add("prepareModel_1_1");
    this->record_->model_1_1 = model;
    this->record_->preference = preference;
    this->record_->preparation_callback = callback;
    return this->record_->launch_status;
  }
};

/// The methods of IDevice 1.2.
class RecordingDevice1_2 : public RecordingDevice1_1<V1_2::IDevice> {
 public:
  using RecordingDevice1_1::RecordingDevice1_1;

  V1_2::GetVersionStringResult getVersionString() override {
    record_->Add("getVersionString");
    return record_->version;
  }
  V1_2::GetTypeResult getType() override {
    record_->Add("getType");
    return record_->type;
  }
  V1_2::GetCapabilitiesResult getCapabilities_1_2() override {
    record_->Add("getCapabilities_1_2");
    return record_->capabilities_1_2;
  }
  V1_2::GetSupportedExtensionsResult getSupportedExtensions() override {
    record_->Add("getSupportedExtensions");
    return record_->extensions;
  }
  V1_0::GetSupportedOperationsResult getSupportedOperations_1_2(const V1_2::Model& model) override {
    record_->Add("getSupportedOperations_1_2");
    record_->model_1_2 = model;
    return record_->supported;
  }
  V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    record_->Add("getNumberOfCacheFilesNeeded");
    return record_->cache_files;
  }
  V1_0::ErrorStatus prepareModel_1_2(
      const V1_2::Model& model, V1_2::ExecutionPreference preference,
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const V1_2::CacheToken& token,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override {
    record_->Add("prepareModel_1_2");
    record_->model_1_2 = model;
    record_->preference = preference;
    record_->model_cache = modelCache;
    record_->data_cache = dataCache;
    record_->token = token;
    record_->preparation_callback = callback;
    return record_->launch_status;
  }
  V1_0::ErrorStatus prepareModelFromCache(
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const V1_2::CacheToken& token,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override {
    record_->Add("prepareModelFromCache");
    record_->model_cache = modelCache;
    record_->data_cache = dataCache;
    record_->token = token;
    record_->preparation_callback = callback;
    return record_->launch_status;
  }
};

}  // namespace nncert::hal::transport::testing

#endif  // NNCERT_HAL_TRANSPORT_TESTING_RECORDING_DEVICE_H_
