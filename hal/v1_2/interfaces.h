// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The interfaces of android.hardware.neuralnetworks@1.2: IDevice, IPreparedModel, bursts and the
// callbacks. The conventions are those of hal/v1_0/interfaces.h.

#ifndef NNCERT_HAL_V1_2_INTERFACES_H_
#define NNCERT_HAL_V1_2_INTERFACES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hal/handle.h"
#include "hal/message_queue.h"
#include "hal/v1_1/interfaces.h"
#include "hal/v1_2/burst_types.h"
#include "hal/v1_2/types.h"

namespace nncert::hal::V1_2 {

using V1_0::GetSupportedOperationsResult;

/// Receives the end of an execution, with the shapes of its outputs and its duration.
class IExecutionCallback : public V1_0::IExecutionCallback {
 public:
  ~IExecutionCallback() override;

  /// Exactly one call of either notify_1_2 or notify ends an execution.
  ///
  /// `outputShapes` has an entry for each output of the request when the status is NONE or
  /// OUTPUT_INSUFFICIENT_SIZE, and none otherwise. (With NONE it may be empty if the model's output
  /// shapes are all known.) `timing` is all UINT64_MAX unless the execution was to be measured and
  /// succeeded; a driver may leave out either time even so.
  virtual void notify_1_2(ErrorStatus status, const std::vector<OutputShape>& outputShapes,
                          const Timing& timing) = 0;
};

/// What getMemories generates.
struct GetMemoriesResult {
  /// NONE, GENERAL_FAILURE, or INVALID_ARGUMENT for a slot that does not exist.
  ErrorStatus status = ErrorStatus::NONE;
  /// One pool for each slot asked for; empty unless status is NONE.
  std::vector<Memory> buffers;
};

/// The client's side of a burst: it knows the pools that requests name by slot.
class IBurstCallback {
 public:
  virtual ~IBurstCallback();

  /// The pools behind slots, which are identifiers unique within the burst.
  virtual GetMemoriesResult getMemories(const std::vector<int32_t>& slots) = 0;
};

/// The driver's side of a burst; its end is the end of the burst.
class IBurstContext {
 public:
  virtual ~IBurstContext();

  /// The client will not use a slot any more: the driver forgets the pool behind it. An unknown
  /// slot is no error.
  virtual void freeMemory(int32_t slot) = 0;
};

/// What executeSynchronously generates.
struct ExecuteSynchronouslyResult {
  /// NONE, DEVICE_UNAVAILABLE, GENERAL_FAILURE, OUTPUT_INSUFFICIENT_SIZE or INVALID_ARGUMENT.
  ErrorStatus status = ErrorStatus::NONE;
  /// As in IExecutionCallback::notify_1_2.
  std::vector<OutputShape> outputShapes;
  /// As in IExecutionCallback::notify_1_2.
  Timing timing;
};

/// What configureExecutionBurst generates.
struct ConfigureExecutionBurstResult {
  /// NONE, DEVICE_UNAVAILABLE, GENERAL_FAILURE or INVALID_ARGUMENT.
  ErrorStatus status = ErrorStatus::NONE;
  /// The burst, or null unless status is NONE.
  std::shared_ptr<IBurstContext> context;
};

/// A model that a 1.2 driver has made ready to run. Any mix of executions may be under way at the
/// same time.
class IPreparedModel : public V1_0::IPreparedModel {
 public:
  ~IPreparedModel() override;

  /// Like execute, with output shapes and, if asked for, a duration: from the call of execute_1_2
  /// until the callback is called.
  virtual ErrorStatus execute_1_2(const Request& request, MeasureTiming measure,
                                  const std::shared_ptr<IExecutionCallback>& callback) = 0;

  /// Executes before it returns. The duration, if asked for, is that of the call.
  virtual ExecuteSynchronouslyResult executeSynchronously(const Request& request,
                                                          MeasureTiming measure) = 0;

  /// Opens a burst: executions in quick succession whose requests come through one message queue
  /// and whose results leave through another.
  ///
  /// The client sends no second request before it has got the result of the first; the driver
  /// answers every request, even a malformed one. `callback` gives the driver the pools behind the
  /// slots that requests name.
  virtual ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<IBurstCallback>& callback,
      const MQDescriptorSync<FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<FmqResultDatum>& resultChannel) = 0;
};

/// Receives a prepared model of HAL 1.2.
class IPreparedModelCallback : public V1_0::IPreparedModelCallback {
 public:
  ~IPreparedModelCallback() override;

  /// Exactly one call of either notify_1_2 or notify ends a preparation: with NONE and the prepared
  /// model, or with the reason for the failure and null.
  virtual void notify_1_2(ErrorStatus status,
                          const std::shared_ptr<IPreparedModel>& preparedModel) = 0;
};

/// What getVersionString generates.
struct GetVersionStringResult {
  /// NONE, DEVICE_UNAVAILABLE or GENERAL_FAILURE.
  ErrorStatus status = ErrorStatus::NONE;
  /// Not empty when status is NONE.
  std::string version;
};

/// What getType generates.
struct GetTypeResult {
  /// NONE, DEVICE_UNAVAILABLE or GENERAL_FAILURE.
  ErrorStatus status = ErrorStatus::NONE;
  /// Meaningful when status is NONE.
  DeviceType type = DeviceType::OTHER;
};

/// What getCapabilities_1_2 generates.
struct GetCapabilitiesResult {
  /// NONE, DEVICE_UNAVAILABLE or GENERAL_FAILURE.
  ErrorStatus status = ErrorStatus::NONE;
  /// Meaningful when status is NONE.
  Capabilities capabilities;
};

/// What getSupportedExtensions generates.
struct GetSupportedExtensionsResult {
  /// NONE, DEVICE_UNAVAILABLE or GENERAL_FAILURE.
  ErrorStatus status = ErrorStatus::NONE;
  /// Extensions whose operations and types are all fully supported.
  std::vector<Extension> extensions;
};

/// What getNumberOfCacheFilesNeeded generates.
struct GetNumberOfCacheFilesNeededResult {
  /// NONE, DEVICE_UNAVAILABLE or GENERAL_FAILURE.
  ErrorStatus status = ErrorStatus::NONE;
  /// Model cache files of one prepared model, at most Constant::MAX_NUMBER_OF_CACHE_FILES.
  uint32_t numModelCache = 0;
  /// Data cache files of one prepared model, at most Constant::MAX_NUMBER_OF_CACHE_FILES.
  uint32_t numDataCache = 0;
};

/// A driver of HAL 1.2.
class IDevice : public V1_1::IDevice {
 public:
  ~IDevice() override;

  /// A string that tells this release of the driver from every other one of the same device.
  virtual GetVersionStringResult getVersionString() = 0;

  /// What kind of hardware the device is.
  virtual GetTypeResult getType() = 0;

  /// The driver's performance by operand type.
  virtual GetCapabilitiesResult getCapabilities_1_2() = 0;

  /// The extensions that the driver supports.
  virtual GetSupportedExtensionsResult getSupportedExtensions() = 0;

  /// Like getSupportedOperations, of a 1.2 model.
  virtual GetSupportedOperationsResult getSupportedOperations_1_2(const Model& model) = 0;

  /// How many cache files the driver wants for a prepared model; 0 and 0 when it does not cache.
  ///
  /// The data cache holds constants: changing it may do no worse than make results wrong. The model
  /// cache holds what a change could make dangerous, such as machine code, so the driver must
  /// notice when it has been tampered with.
  virtual GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() = 0;

  /// Like prepareModel_1_1, of a 1.2 model, and if `modelCache` or `dataCache` is not empty the
  /// driver may save the result there under `token`.
  ///
  /// Each handle holds one descriptor that is open for reading and writing, at any offset, of a
  /// file of any size, which the driver truncates before it writes. The numbers of handles are 0,
  /// or those of getNumberOfCacheFilesNeeded. Wrong cache arguments, or a failure to save, must not
  /// keep the model from being prepared.
  virtual ErrorStatus prepareModel_1_2(const Model& model, ExecutionPreference preference,
                                       const std::vector<Handle>& modelCache,
                                       const std::vector<Handle>& dataCache,
                                       const CacheToken& token,
                                       const std::shared_ptr<IPreparedModelCallback>& callback) = 0;

  /// Prepares a model in the background from what prepareModel_1_2 saved under `token`, with the
  /// handles in the same order. When caching is not supported, the arguments are wrong, or the
  /// model cache has been tampered with, the driver calls `callback` with the reason and null, and
  /// returns the same reason.
  ///
  /// Returns NONE when launched, else DEVICE_UNAVAILABLE, GENERAL_FAILURE or INVALID_ARGUMENT.
  virtual ErrorStatus prepareModelFromCache(
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const CacheToken& token, const std::shared_ptr<IPreparedModelCallback>& callback) = 0;
};

}  // namespace nncert::hal::V1_2

#endif  // NNCERT_HAL_V1_2_INTERFACES_H_
