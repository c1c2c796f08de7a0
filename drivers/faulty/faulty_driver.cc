// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_driver.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/conversion.h"
#include "hal/memory.h"
#include "hal/utils.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_0::RequestArgument;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;
using hal::V1_2::OperandType;
using hal::V1_2::OutputShape;

// What is wrong with a model's results.
struct Spoiler {
  Fault fault;
  std::vector<OperandType> types;  // of the outputs

  void Spoil(const Request& request, ErrorStatus status, std::vector<OutputShape>& shapes) const {
    // An execution that failed is left as it is; so is one that keeps its shapes to itself.
    if (status != ErrorStatus::NONE || shapes.size() != request.outputs.size()) return;
    for (size_t i = 0; i < shapes.size(); ++i) {
      const RequestArgument& argument = request.outputs[i];
      if (argument.hasNoValue) continue;
      const absl::StatusOr<hal::Mapping> pool =
          request.pools[argument.location.poolIndex].Map(hal::MemoryAccess::READ_WRITE);
      if (!pool.ok()) continue;
      const std::optional<uint64_t> size =
          hal::nonExtensionSizeOfData(types[i], shapes[i].dimensions);
      fault({types[i],
             pool->bytes().subspan(argument.location.offset,
                                   std::min<size_t>(size.value_or(0), argument.location.length)),
             shapes[i]});
    }
  }
};

// Spoils a result before the client hears of it.
class FaultyExecutionCallback : public hal::V1_2::IExecutionCallback {
 public:
  FaultyExecutionCallback(std::shared_ptr<const Spoiler> spoiler, Request request,
                          std::shared_ptr<hal::V1_0::IExecutionCallback> client)
      : spoiler_(std::move(spoiler)), request_(std::move(request)), client_(std::move(client)) {}

  void notify(ErrorStatus status) override { client_->notify(status); }

  void notify_1_2(ErrorStatus status, const std::vector<OutputShape>& outputShapes,
                  const hal::V1_2::Timing& timing) override {
    std::vector<OutputShape> shapes = outputShapes;
    spoiler_->Spoil(request_, status, shapes);
    if (const auto client = std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(client_)) {
      client->notify_1_2(status, shapes, timing);
    } else {
      client_->notify(status);
    }
  }

 private:
  const std::shared_ptr<const Spoiler> spoiler_;
  const Request request_;
  const std::shared_ptr<hal::V1_0::IExecutionCallback> client_;
};

class FaultyPreparedModel : public hal::V1_2::IPreparedModel {
 public:
  FaultyPreparedModel(std::shared_ptr<hal::V1_2::IPreparedModel> honest,
                      std::shared_ptr<const Spoiler> spoiler)
      : honest_(std::move(honest)), spoiler_(std::move(spoiler)) {}

  ErrorStatus execute(const Request& request,
                      const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback) override {
    return Launch(request, MeasureTiming::NO, callback);
  }

  ErrorStatus execute_1_2(const Request& request, MeasureTiming measure,
                          const std::shared_ptr<hal::V1_2::IExecutionCallback>& callback) override {
    return Launch(request, measure, callback);
  }

  hal::V1_2::ExecuteSynchronouslyResult executeSynchronously(const Request& request,
                                                             MeasureTiming measure) override {
    hal::V1_2::ExecuteSynchronouslyResult result = honest_->executeSynchronously(request, measure);
    spoiler_->Spoil(request, result.status, result.outputShapes);
    return result;
  }

  hal::V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
      const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requestChannel,
      const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& resultChannel) override {
    return honest_->configureExecutionBurst(callback, requestChannel, resultChannel);
  }

 private:
  // The honest driver is asked the way of 1.2 in any case, for it then tells the shapes.
  ErrorStatus Launch(const Request& request, MeasureTiming measure,
                     const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback) {
    if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
    return honest_->execute_1_2(
        request, measure, std::make_shared<FaultyExecutionCallback>(spoiler_, request, callback));
  }

  const std::shared_ptr<hal::V1_2::IPreparedModel> honest_;
  const std::shared_ptr<const Spoiler> spoiler_;
};

// Wraps a prepared model before the client gets it.
class FaultyPreparedModelCallback : public hal::V1_2::IPreparedModelCallback {
 public:
  FaultyPreparedModelCallback(Spoiler spoiler,
                              std::shared_ptr<hal::V1_0::IPreparedModelCallback> client)
      : spoiler_(std::make_shared<const Spoiler>(std::move(spoiler))), client_(std::move(client)) {}

  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& preparedModel) override {
    client_->notify(status,
                    Wrap(std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(preparedModel)));
  }

  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<hal::V1_2::IPreparedModel>& preparedModel) override {
    if (const auto client = std::dynamic_pointer_cast<hal::V1_2::IPreparedModelCallback>(client_)) {
      client->notify_1_2(status, Wrap(preparedModel));
    } else {
      client_->notify(status, Wrap(preparedModel));
    }
  }

 private:
  std::shared_ptr<hal::V1_2::IPreparedModel> Wrap(
      std::shared_ptr<hal::V1_2::IPreparedModel> honest) const {
    if (honest == nullptr) return nullptr;
    return std::make_shared<FaultyPreparedModel>(std::move(honest), spoiler_);
  }

  const std::shared_ptr<const Spoiler> spoiler_;
  const std::shared_ptr<hal::V1_0::IPreparedModelCallback> client_;
};

class FaultyDevice : public hal::V1_2::IDevice {
 public:
  FaultyDevice(std::shared_ptr<hal::V1_2::IDevice> honest, std::string name, Fault fault)
      : honest_(std::move(honest)), name_(std::move(name)), fault_(fault) {}

  hal::V1_0::GetCapabilitiesResult getCapabilities() override { return honest_->getCapabilities(); }
  hal::V1_1::GetCapabilitiesResult getCapabilities_1_1() override {
    return honest_->getCapabilities_1_1();
  }
  hal::V1_2::GetCapabilitiesResult getCapabilities_1_2() override {
    return honest_->getCapabilities_1_2();
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations(
      const hal::V1_0::Model& model) override {
    return honest_->getSupportedOperations(model);
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(
      const hal::V1_1::Model& model) override {
    return honest_->getSupportedOperations_1_1(model);
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_2(const Model& model) override {
    return honest_->getSupportedOperations_1_2(model);
  }
  hal::V1_0::DeviceStatus getStatus() override { return honest_->getStatus(); }
  hal::V1_2::GetVersionStringResult getVersionString() override {
    return {ErrorStatus::NONE, name_};
  }
  hal::V1_2::GetTypeResult getType() override { return honest_->getType(); }
  hal::V1_2::GetSupportedExtensionsResult getSupportedExtensions() override {
    return honest_->getSupportedExtensions();
  }
  hal::V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return honest_->getNumberOfCacheFilesNeeded();
  }

  ErrorStatus prepareModel(
      const hal::V1_0::Model& model,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return honest_->prepareModel(model, Wrap(hal::convertToV1_2(model), callback));
  }
  ErrorStatus prepareModel_1_1(
      const hal::V1_1::Model& model, hal::V1_1::ExecutionPreference preference,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return honest_->prepareModel_1_1(model, preference, Wrap(hal::convertToV1_2(model), callback));
  }
  ErrorStatus prepareModel_1_2(
      const Model& model, hal::V1_2::ExecutionPreference preference,
      const std::vector<hal::Handle>& modelCache, const std::vector<hal::Handle>& dataCache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    return honest_->prepareModel_1_2(model, preference, modelCache, dataCache, token,
                                     Wrap(model, callback));
  }
  ErrorStatus prepareModelFromCache(
      const std::vector<hal::Handle>& modelCache, const std::vector<hal::Handle>& dataCache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    return honest_->prepareModelFromCache(modelCache, dataCache, token, callback);
  }

 private:
  // Null stays null, which the honest driver must refuse. The model need not be valid: indexes that
  // lead nowhere are left to the honest driver, which never prepares such a model.
  std::shared_ptr<FaultyPreparedModelCallback> Wrap(
      const Model& model, std::shared_ptr<hal::V1_0::IPreparedModelCallback> callback) const {
    if (callback == nullptr) return nullptr;
    Spoiler spoiler{fault_, {}};
    for (const uint32_t output : model.outputIndexes) {
      spoiler.types.push_back(output < model.operands.size() ? model.operands[output].type
                                                             : OperandType::OEM);
    }
    return std::make_shared<FaultyPreparedModelCallback>(std::move(spoiler), std::move(callback));
  }

  const std::shared_ptr<hal::V1_2::IDevice> honest_;
  const std::string name_;
  const Fault fault_;
};

}  // namespace

std::shared_ptr<hal::V1_2::IDevice> MakeFaultyDriver(std::shared_ptr<hal::V1_2::IDevice> honest,
                                                     std::string name, Fault fault) {
  return std::make_shared<FaultyDevice>(std::move(honest), std::move(name), fault);
}

}  // namespace nncert
