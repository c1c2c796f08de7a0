// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/driver_base.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/burst.h"
#include "hal/capabilities.h"
#include "hal/conversion.h"
#include "hal/to_string.h"
#include "hal/tracing.h"
#include "hal/validate.h"
#include "hal/vlog.h"

namespace nncert::hal {
namespace {

using V1_0::ErrorStatus;
using V1_2::ExecuteSynchronouslyResult;
using V1_2::MeasureTiming;

int64_t NowInNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

ExecuteSynchronouslyResult Failure(ErrorStatus status) {
  return {.status = status, .outputShapes = {}, .timing = {}};
}

// What requests of a model are validated by.
std::shared_ptr<const V1_2::Model> OperandsAndArguments(const V1_2::Model& model) {
  const auto kept = std::make_shared<V1_2::Model>();
  kept->operands = model.operands;
  kept->inputIndexes = model.inputIndexes;
  kept->outputIndexes = model.outputIndexes;
  return kept;
}

V1_2::Capabilities CapabilitiesOfCpu() {
  constexpr V1_2::PerformanceInfo kAsCpu = {.execTime = 1, .powerUsage = 1};
  return {.relaxedFloat32toFloat16PerformanceScalar = kAsCpu,
          .relaxedFloat32toFloat16PerformanceTensor = kAsCpu,
          .operandPerformance = nonExtensionOperandPerformance(kAsCpu)};
}

// Ways to end an execution or a preparation, by the version of the callback.
struct NotifyExecution_1_0 {
  std::shared_ptr<V1_0::IExecutionCallback> callback;
  void operator()(const ExecuteSynchronouslyResult& result) const {
    callback->notify(result.status);
  }
};
struct NotifyExecution_1_2 {
  std::shared_ptr<V1_2::IExecutionCallback> callback;
  void operator()(const ExecuteSynchronouslyResult& result) const {
    callback->notify_1_2(result.status, result.outputShapes, result.timing);
  }
};
struct NotifyPreparation_1_0 {
  std::shared_ptr<V1_0::IPreparedModelCallback> callback;
  void operator()(ErrorStatus status, std::shared_ptr<V1_2::IPreparedModel> model) const {
    callback->notify(status, std::move(model));
  }
};
struct NotifyPreparation_1_2 {
  std::shared_ptr<V1_2::IPreparedModelCallback> callback;
  void operator()(ErrorStatus status, const std::shared_ptr<V1_2::IPreparedModel>& model) const {
    callback->notify_1_2(status, model);
  }
};

// Ends a preparation in the background.
template <typename Notify>
void EndPreparation(absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepared,
                    const Notify& notify) {
  if (prepared.ok()) {
    notify(ErrorStatus::NONE, *std::move(prepared));
  } else {
    NNVLOG(DRIVER) << "a preparation failed: " << prepared.status();
    notify(errorStatusOf(prepared.status()), nullptr);
  }
}

// What a method that was to launch a preparation returns; when it did not, that is the end.
template <typename Notify>
ErrorStatus EndLaunch(const absl::Status& launched, const Notify& notify) {
  if (launched.ok()) return ErrorStatus::NONE;
  NNVLOG(DRIVER) << "refused a preparation: " << launched;
  const ErrorStatus error = errorStatusOf(launched);
  notify(error, nullptr);
  return error;
}

}  // namespace

ErrorStatus errorStatusOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ErrorStatus::NONE;
    case absl::StatusCode::kInvalidArgument:
      return ErrorStatus::INVALID_ARGUMENT;
    case absl::StatusCode::kUnavailable:
      return ErrorStatus::DEVICE_UNAVAILABLE;
    default:
      return ErrorStatus::GENERAL_FAILURE;
  }
}

// --- SimplePreparedModel ---

SimplePreparedModel::SimplePreparedModel(const V1_2::Model& model)
    : SimplePreparedModel(OperandsAndArguments(model)) {}

SimplePreparedModel::SimplePreparedModel(std::shared_ptr<const V1_2::Model> model)
    : model_(std::move(model)) {}

absl::Status SimplePreparedModel::validate(const V1_2::Request& request, const V1_2::Model& model,
                                           HalVersion version) const {
  return validateRequest(request, model, version);
}

ExecuteSynchronouslyResult SimplePreparedModel::ExecuteNow(const V1_2::Request& request,
                                                           MeasureTiming measure,
                                                           int64_t start_in_nanoseconds) {
  NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "SimplePreparedModel::run");
  absl::StatusOr<Execution> execution = Execution::Open(request, *model_);
  absl::Status status = execution.ok() ? run(*execution) : execution.status();
  std::vector<V1_2::OutputShape> shapes;
  if (status.ok()) {
    absl::StatusOr<std::vector<V1_2::OutputShape>> written = execution->outputShapes();
    status = written.status();
    if (written.ok()) shapes = *std::move(written);
  }
  if (!status.ok()) {
    NNVLOG(DRIVER) << "an execution failed: " << status;
    return Failure(errorStatusOf(status));
  }
  ExecuteSynchronouslyResult result;
  result.outputShapes = std::move(shapes);
  const bool is_sufficient =
      std::all_of(result.outputShapes.begin(), result.outputShapes.end(),
                  [](const V1_2::OutputShape& shape) { return shape.isSufficient; });
  if (!is_sufficient) {
    result.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
  } else if (measure == MeasureTiming::YES) {
    const int64_t in_driver = (NowInNanoseconds() - start_in_nanoseconds) / 1000;
    result.timing.timeInDriver = static_cast<uint64_t>(in_driver);
    result.timing.timeOnDevice = execution->timeOnDeviceInMicroseconds();
    // Two clocks may disagree; the device's time is part of the driver's by definition.
    if (result.timing.timeOnDevice != V1_2::Timing{}.timeOnDevice) {
      result.timing.timeInDriver = std::max(result.timing.timeInDriver, result.timing.timeOnDevice);
    }
  }
  return result;
}

template <typename Notify>
ErrorStatus SimplePreparedModel::Launch(const V1_2::Request& request, MeasureTiming measure,
                                        Notify notify) {
  const int64_t start = NowInNanoseconds();
  absl::Status status = validate(request, *model_, version_);
  if (status.ok()) {
    // The execution keeps the model alive, for its client may let go of it meanwhile.
    status = queue_.Add([self = shared_from_this(), request, measure, notify, start] {
      notify(self->ExecuteNow(request, measure, start));
    });
  }
  if (status.ok()) return ErrorStatus::NONE;
  NNVLOG(DRIVER) << "refused an execution: " << status;
  const ErrorStatus error = errorStatusOf(status);
  notify(Failure(error));
  return error;
}

ErrorStatus SimplePreparedModel::execute(
    const V1_0::Request& request, const std::shared_ptr<V1_0::IExecutionCallback>& callback) {
  if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
  return Launch(request, MeasureTiming::NO, NotifyExecution_1_0{callback});
}

ErrorStatus SimplePreparedModel::execute_1_2(
    const V1_2::Request& request, MeasureTiming measure,
    const std::shared_ptr<V1_2::IExecutionCallback>& callback) {
  if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
  return Launch(request, measure, NotifyExecution_1_2{callback});
}

ExecuteSynchronouslyResult SimplePreparedModel::executeSynchronously(const V1_2::Request& request,
                                                                     MeasureTiming measure) {
  const int64_t start = NowInNanoseconds();
  if (absl::Status status = validate(request, *model_, version_); !status.ok()) {
    NNVLOG(DRIVER) << "refused an execution: " << status;
    return Failure(errorStatusOf(status));
  }
  return ExecuteNow(request, measure, start);
}

V1_2::ConfigureExecutionBurstResult SimplePreparedModel::configureExecutionBurst(
    const std::shared_ptr<V1_2::IBurstCallback>& callback,
    const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
    const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel) {
  return BurstServer::Configure(shared_from_this(), callback, requestChannel, resultChannel);
}

// --- SimpleDriver ---

SimpleDriver::SimpleDriver(std::string version, V1_2::DeviceType type)
    : version_(std::move(version)), type_(type) {}

V1_0::GetCapabilitiesResult SimpleDriver::getCapabilities() {
  const V1_2::GetCapabilitiesResult result = getCapabilities_1_2();
  return {.status = result.status, .capabilities = convertToV1_0(result.capabilities)};
}

V1_1::GetCapabilitiesResult SimpleDriver::getCapabilities_1_1() {
  const V1_2::GetCapabilitiesResult result = getCapabilities_1_2();
  return {.status = result.status, .capabilities = convertToV1_1(result.capabilities)};
}

V1_2::GetCapabilitiesResult SimpleDriver::getCapabilities_1_2() {
  return {.status = ErrorStatus::NONE, .capabilities = CapabilitiesOfCpu()};
}

V1_2::GetVersionStringResult SimpleDriver::getVersionString() {
  return {.status = ErrorStatus::NONE, .version = version_};
}

V1_2::GetTypeResult SimpleDriver::getType() { return {.status = ErrorStatus::NONE, .type = type_}; }

V1_2::GetSupportedExtensionsResult SimpleDriver::getSupportedExtensions() {
  return {.status = ErrorStatus::NONE, .extensions = {}};
}

absl::Status SimpleDriver::validate(const V1_2::Model& model, HalVersion version) {
  return validateModelStructure(model, version);
}

V1_0::GetSupportedOperationsResult SimpleDriver::CheckAndAsk(const V1_2::Model& model,
                                                             HalVersion version) {
  absl::StatusOr<std::vector<bool>> supported = std::vector<bool>();
  if (absl::Status status = validate(model, version); !status.ok()) {
    supported = status;
  } else {
    supported = supportedOperations(model);
  }
  if (!supported.ok()) {
    NNVLOG(DRIVER) << "refused a model: " << supported.status();
    return {.status = errorStatusOf(supported.status()), .supportedOperations = {}};
  }
  return {.status = ErrorStatus::NONE, .supportedOperations = *std::move(supported)};
}

V1_0::GetSupportedOperationsResult SimpleDriver::getSupportedOperations(const V1_0::Model& model) {
  return CheckAndAsk(convertToV1_2(model), HalVersion::V1_0);
}

V1_0::GetSupportedOperationsResult SimpleDriver::getSupportedOperations_1_1(
    const V1_1::Model& model) {
  return CheckAndAsk(convertToV1_2(model), HalVersion::V1_1);
}

V1_0::GetSupportedOperationsResult SimpleDriver::getSupportedOperations_1_2(
    const V1_2::Model& model) {
  return CheckAndAsk(model, HalVersion::V1_2);
}

absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> SimpleDriver::prepareToKeep(
    V1_2::Model&& model, V1_2::ExecutionPreference preference) {
  return prepare(model, preference);
}

template <typename Prepare>
absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> SimpleDriver::CheckAndPrepare(
    const V1_2::Model& model, HalVersion version, Prepare prepare_model) {
  NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "SimpleDriver::prepare");
  const absl::StatusOr<std::vector<bool>> supported = supportedOperations(model);
  if (!supported.ok()) return supported.status();
  const auto unsupported = std::find(supported->begin(), supported->end(), false);
  if (unsupported != supported->end()) {
    return absl::UnimplementedError(
        absl::StrCat("operation ", unsupported - supported->begin(), " is not supported"));
  }
  absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepared = prepare_model();
  if (!prepared.ok()) return prepared;
  if (*prepared == nullptr) return absl::InternalError("the driver prepared nothing");
  if (auto simple = std::dynamic_pointer_cast<SimplePreparedModel>(*prepared); simple != nullptr) {
    simple->version_ = version;
  }
  return prepared;
}

absl::StatusOr<CompilationCache> SimpleDriver::cacheContents(
    const V1_2::Model& /*model*/, V1_2::ExecutionPreference /*preference*/,
    const V1_2::IPreparedModel& /*prepared*/) {
  return absl::UnimplementedError("the driver does not say what to save of a compilation");
}

absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> SimpleDriver::prepareFromCache(
    const CompilationCache& /*cache*/) {
  return absl::UnimplementedError("the driver does not prepare from what it has saved");
}

std::vector<uint8_t> SimpleDriver::cacheKey() const { return {}; }

absl::Status SimpleDriver::SaveToCache(const V1_2::Model& model,
                                       V1_2::ExecutionPreference preference,
                                       const V1_2::IPreparedModel& prepared,
                                       const CacheFiles& files) {
  NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "SimpleDriver::saveToCache");
  const V1_2::GetNumberOfCacheFilesNeededResult needed = getNumberOfCacheFilesNeeded();
  // Checked before the work is done, and once more when it is.
  absl::Status status =
      validateCacheHandles(files.model, files.data, needed.numModelCache, needed.numDataCache);
  if (!status.ok()) return status;
  const absl::StatusOr<CompilationCache> contents = cacheContents(model, preference, prepared);
  if (!contents.ok()) return contents.status();
  return saveCompilationCache(*contents, {version_, cacheKey()}, files.token, files.model,
                              files.data);
}

absl::StatusOr<CompilationCache> SimpleDriver::LoadFromCache(const CacheFiles& files) {
  NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "SimpleDriver::loadFromCache");
  const V1_2::GetNumberOfCacheFilesNeededResult needed = getNumberOfCacheFilesNeeded();
  if (needed.numModelCache == 0 && needed.numDataCache == 0) {
    return absl::UnimplementedError("compilations are not cached");
  }
  return loadCompilationCache({version_, cacheKey()}, files.token, files.model, files.data,
                              needed.numModelCache, needed.numDataCache);
}

template <typename Notify>
ErrorStatus SimpleDriver::Launch(V1_2::Model model, HalVersion version,
                                 V1_2::ExecutionPreference preference, CacheFiles files,
                                 Notify notify) {
  absl::Status status = validate(model, version);
  if (status.ok()) status = validateExecutionPreference(preference);
  if (status.ok()) {
    // The preparation keeps the driver alive, for its client may let go of it meanwhile.
    status = queue_.Add([self = shared_from_this(), model = std::move(model), version, preference,
                         files = std::move(files), notify]() mutable {
      const bool is_saved = !files.model.empty() || !files.data.empty();
      absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepared =
          self->CheckAndPrepare(model, version, [&] {
            return is_saved ? self->prepare(model, preference)
                            : self->prepareToKeep(std::move(model), preference);
          });
      if (prepared.ok() && is_saved) {
        const absl::Status saved = self->SaveToCache(model, preference, **prepared, files);
        if (!saved.ok()) NNVLOG(DRIVER) << "a compilation was not saved: " << saved;
      }
      EndPreparation(std::move(prepared), notify);
    });
  }
  return EndLaunch(status, notify);
}

ErrorStatus SimpleDriver::prepareModel(
    const V1_0::Model& model, const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) {
  if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
  return Launch(convertToV1_2(model), HalVersion::V1_0,
                V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, NotifyPreparation_1_0{callback});
}

ErrorStatus SimpleDriver::prepareModel_1_1(
    const V1_1::Model& model, V1_1::ExecutionPreference preference,
    const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) {
  if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
  return Launch(convertToV1_2(model), HalVersion::V1_1, preference, {},
                NotifyPreparation_1_0{callback});
}

ErrorStatus SimpleDriver::prepareModel_1_2(
    const V1_2::Model& model, V1_2::ExecutionPreference preference,
    const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
    const V1_2::CacheToken& token, const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) {
  if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
  return Launch(model, HalVersion::V1_2, preference, {modelCache, dataCache, token},
                NotifyPreparation_1_2{callback});
}

V1_2::GetNumberOfCacheFilesNeededResult SimpleDriver::getNumberOfCacheFilesNeeded() {
  return {.status = ErrorStatus::NONE, .numModelCache = 0, .numDataCache = 0};
}

ErrorStatus SimpleDriver::prepareModelFromCache(
    const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
    const V1_2::CacheToken& token, const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) {
  if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
  const NotifyPreparation_1_2 notify{callback};
  absl::StatusOr<CompilationCache> cache = LoadFromCache({modelCache, dataCache, token});
  absl::Status status = cache.status();
  if (status.ok()) {
    status = queue_.Add([self = shared_from_this(), cache = *std::move(cache), notify] {
      NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION,
                   "SimpleDriver::prepareFromCache");
      absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepared =
          self->prepareFromCache(cache);
      if (prepared.ok() && *prepared == nullptr) {
        prepared = absl::InternalError("the driver prepared nothing");
      }
      if (absl::IsInvalidArgument(prepared.status())) {
        prepared = absl::DataLossError(prepared.status().message());
      }
      EndPreparation(std::move(prepared), notify);
    });
  }
  return EndLaunch(status, notify);
}

V1_0::DeviceStatus SimpleDriver::getStatus() { return V1_0::DeviceStatus::AVAILABLE; }

}  // namespace nncert::hal
