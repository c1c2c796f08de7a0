// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/testing/fake_device.h"

#include <cstring>
#include <thread>
#include <utility>

#include "hal/burst.h"
#include "hal/conversion.h"
#include "reference/execution/executor.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_2::MeasureTiming;

// Executes by the reference, in float; the buffers say whether they are large enough.
void ExecuteByReference(const PreparedGraph& graph, FakeExecution& execution) {
  hal::V1_2::ExecuteSynchronouslyResult& result = execution.result;
  std::vector<InputArgument> arguments;
  for (const hal::V1_0::RequestArgument& input : execution.request.inputs) {
    InputArgument argument;
    argument.has_no_value = input.hasNoValue;
    argument.dimensions.assign(input.dimensions.begin(), input.dimensions.end());
    if (!input.hasNoValue) {
      argument.SetElements(execution.Pool(input.location.poolIndex)
                               .subspan(input.location.offset, input.location.length));
    }
    arguments.push_back(std::move(argument));
  }
  const absl::StatusOr<std::vector<OutputValue>> outputs =
      graph.Execute(NumberSystem::kFloat, arguments);
  if (!outputs.ok()) {
    result.status = ErrorStatus::INVALID_ARGUMENT;
    return;
  }
  for (size_t i = 0; i < outputs->size(); ++i) {
    const OutputValue& output = (*outputs)[i];
    const bool is_sufficient = output.elements.size() <= execution.Output(i).size();
    result.outputShapes.push_back(
        {{output.info.dimensions.begin(), output.info.dimensions.end()}, is_sufficient});
    if (!is_sufficient) result.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
  }
  if (result.status != ErrorStatus::NONE) return;
  for (size_t i = 0; i < outputs->size(); ++i) {
    const OutputValue& output = (*outputs)[i];
    if (output.elements.empty()) continue;
    std::memcpy(execution.Output(i).data(), output.elements.data(), output.elements.size());
  }
}

class FakePreparedModel : public hal::V1_2::IPreparedModel,
                          public std::enable_shared_from_this<FakePreparedModel> {
 public:
  FakePreparedModel(hal::V1_2::Model model, std::shared_ptr<const PreparedGraph> graph,
                    std::shared_ptr<const Lies> lies)
      : model_(std::move(model)), graph_(std::move(graph)), lies_(std::move(lies)) {}
  ~FakePreparedModel() override {
    if (lies_->release != nullptr) lies_->release();
  }

  ErrorStatus execute(const Request& request,
                      const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback) override {
    const FakeExecution execution = Execute(request, MeasureTiming::NO);
    if (lies_->deliver != nullptr) return lies_->deliver(callback, execution);
    callback->notify(execution.result.status);
    return ErrorStatus::NONE;
  }

  ErrorStatus execute_1_2(const Request& request, MeasureTiming measure,
                          const std::shared_ptr<hal::V1_2::IExecutionCallback>& callback) override {
    const FakeExecution execution = Execute(request, measure);
    if (lies_->deliver != nullptr) return lies_->deliver(callback, execution);
    // An honest driver may call back from a thread of its own.
    std::thread([callback, result = execution.result] {
      callback->notify_1_2(result.status, result.outputShapes, result.timing);
    }).detach();
    return ErrorStatus::NONE;
  }

  hal::V1_2::ExecuteSynchronouslyResult executeSynchronously(const Request& request,
                                                             MeasureTiming measure) override {
    return Execute(request, measure).result;
  }

  hal::V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
      const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requestChannel,
      const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& resultChannel) override {
    if (lies_->burst != nullptr) return lies_->burst(requestChannel, resultChannel);
    return hal::BurstServer::Configure(shared_from_this(), callback, requestChannel, resultChannel);
  }

 private:
  FakeExecution Execute(const Request& request, MeasureTiming measure) const {
    FakeExecution execution{request, measure, {}};
    if (lies_->compute != nullptr) {
      for (const uint32_t output : model_.outputIndexes) {
        execution.result.outputShapes.push_back({model_.operands[output].dimensions, true});
      }
      lies_->compute(execution);
    } else {
      ExecuteByReference(*graph_, execution);
    }
    if (measure == MeasureTiming::YES && execution.result.status == ErrorStatus::NONE) {
      execution.result.timing = {3, 5};
    }
    if (lies_->execution != nullptr) lies_->execution(execution);
    return execution;
  }

  const hal::V1_2::Model model_;
  const std::shared_ptr<const PreparedGraph> graph_;
  const std::shared_ptr<const Lies> lies_;
};

// What the three versions share. `Interface` is the IDevice of one of them.
template <typename Interface>
class FakeDevice : public Interface {
 public:
  explicit FakeDevice(Lies lies) : lies_(std::make_shared<const Lies>(std::move(lies))) {}

  hal::V1_0::GetCapabilitiesResult getCapabilities() override {
    const hal::V1_0::PerformanceInfo info = {1, 1};
    return {CapabilitiesStatus(), {info, info}};
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations(
      const hal::V1_0::Model& model) override {
    return Supported(model.operations.size());
  }
  ErrorStatus prepareModel(
      const hal::V1_0::Model& model,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return Prepare(hal::convertToV1_2(model), callback);
  }
  hal::V1_0::DeviceStatus getStatus() override {
    return lies_->status != nullptr ? lies_->status() : hal::V1_0::DeviceStatus::AVAILABLE;
  }

 protected:
  ErrorStatus CapabilitiesStatus() const {
    ErrorStatus status = ErrorStatus::NONE;
    if (lies_->capabilities != nullptr) lies_->capabilities(status);
    return status;
  }

  hal::V1_0::GetSupportedOperationsResult Supported(size_t operations) const {
    hal::V1_0::GetSupportedOperationsResult result{ErrorStatus::NONE,
                                                   std::vector<bool>(operations, true)};
    if (lies_->supported != nullptr) lies_->supported(result);
    return result;
  }

  ErrorStatus Prepare(hal::V1_2::Model model,
                      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) const {
    if (lies_->model != nullptr) lies_->model(model);
    std::shared_ptr<const PreparedGraph> graph;
    if (lies_->compute == nullptr) {
      absl::StatusOr<std::shared_ptr<const PreparedGraph>> created = PreparedGraph::Create(model);
      if (!created.ok()) {
        Notify(callback, ErrorStatus::INVALID_ARGUMENT, nullptr);
        return ErrorStatus::INVALID_ARGUMENT;
      }
      graph = *std::move(created);
    }
    const auto prepared =
        std::make_shared<FakePreparedModel>(std::move(model), std::move(graph), lies_);
    if (lies_->prepare != nullptr) return lies_->prepare(callback, prepared);
    Notify(callback, ErrorStatus::NONE, prepared);
    return ErrorStatus::NONE;
  }

 protected:
  const std::shared_ptr<const Lies> lies_;

 private:
  static void Notify(const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback,
                     ErrorStatus status, const std::shared_ptr<FakePreparedModel>& prepared) {
    if (const auto callback_1_2 =
            std::dynamic_pointer_cast<hal::V1_2::IPreparedModelCallback>(callback);
        callback_1_2 != nullptr && std::is_base_of_v<hal::V1_2::IDevice, Interface>) {
      callback_1_2->notify_1_2(status, prepared);
    } else {
      callback->notify(status, prepared);
    }
  }
};

template <typename Interface>
class FakeDevice1_1 : public FakeDevice<Interface> {
 public:
  using FakeDevice<Interface>::FakeDevice;

  hal::V1_1::GetCapabilitiesResult getCapabilities_1_1() override {
    const hal::V1_0::PerformanceInfo info = {1, 1};
    return {this->CapabilitiesStatus(), {info, info, info}};
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(
      const hal::V1_1::Model& model) override {
    return this->Supported(model.operations.size());
  }
  ErrorStatus prepareModel_1_1(
      const hal::V1_1::Model& model, hal::V1_1::ExecutionPreference,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return this->Prepare(hal::convertToV1_2(model), callback);
  }
};

class FakeDevice1_2 : public FakeDevice1_1<hal::V1_2::IDevice> {
 public:
  using FakeDevice1_1::FakeDevice1_1;

  hal::V1_2::GetVersionStringResult getVersionString() override {
    return {ErrorStatus::NONE, lies_->version != nullptr ? lies_->version() : "fake 1"};
  }
  hal::V1_2::GetTypeResult getType() override {
    return {ErrorStatus::NONE, hal::V1_2::DeviceType::CPU};
  }
  hal::V1_2::GetCapabilitiesResult getCapabilities_1_2() override {
    return {CapabilitiesStatus(), {}};
  }
  hal::V1_2::GetSupportedExtensionsResult getSupportedExtensions() override {
    hal::V1_2::GetSupportedExtensionsResult result = {ErrorStatus::NONE, {}};
    if (lies_->extensions != nullptr) lies_->extensions(result);
    return result;
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_2(
      const hal::V1_2::Model& model) override {
    return Supported(model.operations.size());
  }
  hal::V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return {ErrorStatus::NONE, 0, 0};
  }
  ErrorStatus prepareModel_1_2(
      const hal::V1_2::Model& model, hal::V1_2::ExecutionPreference,
      const std::vector<hal::Handle>&, const std::vector<hal::Handle>&,
      const hal::V1_2::CacheToken&,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    return Prepare(model, callback);
  }
  ErrorStatus prepareModelFromCache(
      const std::vector<hal::Handle>&, const std::vector<hal::Handle>&,
      const hal::V1_2::CacheToken&,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    callback->notify_1_2(ErrorStatus::GENERAL_FAILURE, nullptr);
    return ErrorStatus::GENERAL_FAILURE;
  }
};

}  // namespace

absl::Span<uint8_t> FakeExecution::Pool(size_t index) const {
  return request.pools[index].Map(hal::MemoryAccess::READ_WRITE)->bytes();
}

absl::Span<uint8_t> FakeExecution::Output(size_t index) const {
  const hal::V1_0::DataLocation& location = request.outputs[index].location;
  return Pool(location.poolIndex).subspan(location.offset, location.length);
}

std::shared_ptr<hal::V1_2::IDevice> MakeFakeDevice(Lies lies) {
  return std::make_shared<FakeDevice1_2>(std::move(lies));
}

std::shared_ptr<hal::V1_1::IDevice> MakeFakeDevice1_1(Lies lies) {
  return std::make_shared<FakeDevice1_1<hal::V1_1::IDevice>>(std::move(lies));
}

std::shared_ptr<hal::V1_0::IDevice> MakeFakeDevice1_0(Lies lies) {
  return std::make_shared<FakeDevice<hal::V1_0::IDevice>>(std::move(lies));
}

}  // namespace nncert
