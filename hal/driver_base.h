// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Base classes that make a driver of HAL 1.2 out of three functions: which operations of a model it
// runs, how it prepares a model, and how it executes one.
//
// They do the rest of the contract: models and requests are validated before the driver sees them,
// models of HAL 1.0 and 1.1 are converted, preparations and asynchronous executions run in the
// background, each callback is called exactly once, output shapes and timing are reported, and
// statuses become error statuses. Three more functions make it cache compilations. A driver that
// can do more (extensions, bursts of its own) overrides the HAL's methods.

#ifndef NNCERT_HAL_DRIVER_BASE_H_
#define NNCERT_HAL_DRIVER_BASE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/compilation_cache.h"
#include "hal/execution.h"
#include "hal/v1_2/interfaces.h"
#include "hal/version.h"
#include "hal/work_queue.h"

namespace nncert::hal {

/// The error status that tells a client of a status: InvalidArgument is INVALID_ARGUMENT,
/// Unavailable DEVICE_UNAVAILABLE, any other failure GENERAL_FAILURE.
V1_0::ErrorStatus errorStatusOf(const absl::Status& status);

/// A prepared model whose author writes run(). To be made with std::make_shared.
class SimplePreparedModel : public V1_2::IPreparedModel,
                            public std::enable_shared_from_this<SimplePreparedModel> {
 public:
  /// Prepares for requests of `model`. The constants are not kept: what the driver needs of them it
  /// keeps itself, best in the form that suits its device.
  explicit SimplePreparedModel(const V1_2::Model& model);

  /// The same of a model that the driver keeps anyway; not null.
  explicit SimplePreparedModel(std::shared_ptr<const V1_2::Model> model);

  V1_0::ErrorStatus execute(const V1_0::Request& request,
                            const std::shared_ptr<V1_0::IExecutionCallback>& callback) override;
  V1_0::ErrorStatus execute_1_2(const V1_2::Request& request, V1_2::MeasureTiming measure,
                                const std::shared_ptr<V1_2::IExecutionCallback>& callback) override;
  V1_2::ExecuteSynchronouslyResult executeSynchronously(const V1_2::Request& request,
                                                        V1_2::MeasureTiming measure) override;

  /// Opens a burst whose requests are executed as executeSynchronously does, by a thread of its
  /// own.
  V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<V1_2::IBurstCallback>& callback,
      const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel) override;

 protected:
  /// Executes: reads the inputs and sets every output. May be called by several threads at the same
  /// time. A failure ends the execution with errorStatusOf(status); success with NONE, or with
  /// OUTPUT_INSUFFICIENT_SIZE when an output's buffer is too small for it.
  virtual absl::Status run(Execution& execution) = 0;

  /// Checks a request before it is executed; a failure ends the execution with
  /// errorStatusOf(status) before it has begun. `model` has the operands and arguments of the model
  /// and nothing else, `version` is the one that it came as. By default that is validateRequest. A
  /// driver may ask for more, or for less: arguments must then lie in pools of the request, with
  /// room for what they say, all the same. May be called by several threads at the same time.
  virtual absl::Status validate(const V1_2::Request& request, const V1_2::Model& model,
                                HalVersion version) const;

 private:
  friend class SimpleDriver;

  V1_2::ExecuteSynchronouslyResult ExecuteNow(const V1_2::Request& request,
                                              V1_2::MeasureTiming measure,
                                              int64_t start_in_nanoseconds);
  template <typename Notify>
  V1_0::ErrorStatus Launch(const V1_2::Request& request, V1_2::MeasureTiming measure,
                           Notify notify);

  // Its operands and arguments; nothing else is needed to validate requests.
  const std::shared_ptr<const V1_2::Model> model_;
  HalVersion version_ = HalVersion::V1_2;
  WorkQueue queue_;
};

/// A driver whose author writes supportedOperations() and prepare(). To be made with
/// std::make_shared.
class SimpleDriver : public V1_2::IDevice, public std::enable_shared_from_this<SimpleDriver> {
 public:
  V1_0::GetCapabilitiesResult getCapabilities() override;
  V1_1::GetCapabilitiesResult getCapabilities_1_1() override;
  /// Performance equal to the CPU's for every type, unless the driver knows better.
  V1_2::GetCapabilitiesResult getCapabilities_1_2() override;
  V1_2::GetVersionStringResult getVersionString() override;
  V1_2::GetTypeResult getType() override;
  /// No extensions.
  V1_2::GetSupportedExtensionsResult getSupportedExtensions() override;
  V1_0::GetSupportedOperationsResult getSupportedOperations(const V1_0::Model& model) override;
  V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(const V1_1::Model& model) override;
  V1_0::GetSupportedOperationsResult getSupportedOperations_1_2(const V1_2::Model& model) override;
  V1_0::ErrorStatus prepareModel(
      const V1_0::Model& model,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override;
  V1_0::ErrorStatus prepareModel_1_1(
      const V1_1::Model& model, V1_1::ExecutionPreference preference,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override;
  /// Saves what has been prepared when the driver caches compilations and there are handles. Where
  /// it cannot, it says why in the log; the model is prepared all the same.
  V1_0::ErrorStatus prepareModel_1_2(
      const V1_2::Model& model, V1_2::ExecutionPreference preference,
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const V1_2::CacheToken& token,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override;
  /// No cache files: compilations are not cached. A driver that overrides this with other numbers
  /// overrides cacheContents() and prepareFromCache() as well.
  V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override;
  /// Checks the handles and the files before it returns, and prepares in the background. The status
  /// is GENERAL_FAILURE when compilations are not cached, when a descriptor is not open for reading
  /// and writing, or when the files are not what was saved under the token; INVALID_ARGUMENT for a
  /// wrong number of handles or descriptors, and for what is no regular file.
  V1_0::ErrorStatus prepareModelFromCache(
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const V1_2::CacheToken& token,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override;
  /// AVAILABLE.
  V1_0::DeviceStatus getStatus() override;

 protected:
  /// A driver with a version string (not empty) and a kind of device.
  explicit SimpleDriver(std::string version, V1_2::DeviceType type = V1_2::DeviceType::ACCELERATOR);

  /// Which operations of a valid model the driver runs, one for each. A failure is reported as
  /// errorStatusOf(status).
  virtual absl::StatusOr<std::vector<bool>> supportedOperations(const V1_2::Model& model) = 0;

  /// Prepares a valid model of which every operation is supported; called in the background. The
  /// result must not be null. A failure is reported as errorStatusOf(status).
  virtual absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepare(
      const V1_2::Model& model, V1_2::ExecutionPreference preference) = 0;

  /// The same of a model that nobody else wants any more, so that what is kept of it need not be
  /// copied. By default prepare().
  virtual absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepareToKeep(
      V1_2::Model&& model, V1_2::ExecutionPreference preference);

  /// Checks a model that came as one of `version`, before the driver sees it. By default that is
  /// validateModelStructure; a driver that knows the operations' rules checks those as well.
  virtual absl::Status validate(const V1_2::Model& model, HalVersion version);

  /// What is to be saved of `prepared`, which prepare() has just made of `model`: a content for
  /// each file that getNumberOfCacheFilesNeeded() asks for, any bytes. Called in the background. A
  /// failure keeps nothing but the cache from being saved. By default Unimplemented.
  virtual absl::StatusOr<CompilationCache> cacheContents(const V1_2::Model& model,
                                                         V1_2::ExecutionPreference preference,
                                                         const V1_2::IPreparedModel& prepared);

  /// Prepares from what cacheContents() once gave; called in the background. The result must not be
  /// null. Without a cacheKey() anybody may have made up the contents: a driver reads them as it
  /// reads a client's model, and validates the model that comes of them. A failure is reported as
  /// errorStatusOf(status), but never as INVALID_ARGUMENT: the arguments were right. By default
  /// Unimplemented.
  virtual absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepareFromCache(
      const CompilationCache& cache);

  /// The secret that caches are sealed with (see CacheOwner::key). By default there is none.
  virtual std::vector<uint8_t> cacheKey() const;

 private:
  // The cache arguments of a preparation.
  struct CacheFiles {
    std::vector<Handle> model;
    std::vector<Handle> data;
    V1_2::CacheToken token = {};
  };

  V1_0::GetSupportedOperationsResult CheckAndAsk(const V1_2::Model& model, HalVersion version);
  template <typename Prepare>
  absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> CheckAndPrepare(const V1_2::Model& model,
                                                                        HalVersion version,
                                                                        Prepare prepare_model);
  absl::Status SaveToCache(const V1_2::Model& model, V1_2::ExecutionPreference preference,
                           const V1_2::IPreparedModel& prepared, const CacheFiles& files);
  absl::StatusOr<CompilationCache> LoadFromCache(const CacheFiles& files);
  template <typename Notify>
  V1_0::ErrorStatus Launch(V1_2::Model model, HalVersion version,
                           V1_2::ExecutionPreference preference, CacheFiles files, Notify notify);

  const std::string version_;
  const V1_2::DeviceType type_;
  WorkQueue queue_;
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_DRIVER_BASE_H_
