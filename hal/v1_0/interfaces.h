// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The interfaces of android.hardware.neuralnetworks@1.0: IDevice, IPreparedModel and the callbacks
// through which they answer.
//
// Interfaces are held by std::shared_ptr. A method that generates one value returns it; one that
// generates several returns a structure that is named after it. No method throws.

#ifndef NNCERT_HAL_V1_0_INTERFACES_H_
#define NNCERT_HAL_V1_0_INTERFACES_H_

#include <memory>
#include <vector>

#include "hal/v1_0/types.h"

namespace nncert::hal::V1_0 {

/// Receives the end of an execution that IPreparedModel::execute launched.
class IExecutionCallback {
 public:
  virtual ~IExecutionCallback();

  /// To be called exactly once for an execution, with the status it ended with, or with the reason
  /// why it could not be launched.
  virtual void notify(ErrorStatus status) = 0;
};

/// A model that a driver has made ready to run. The driver frees what belongs to it when the last
/// reference goes.
class IPreparedModel {
 public:
  virtual ~IPreparedModel();

  /// Launches an execution in the background.
  ///
  /// The driver checks the arguments first. When they are wrong, or the execution cannot be
  /// launched, it calls `callback` with the reason and returns the same. Otherwise it returns NONE
  /// at once, and calls `callback` when the execution has ended. With valid arguments and a model
  /// whose dimensions are all known, an execution must succeed.
  ///
  /// Any number of executions of a prepared model may be under way at the same time.
  ///
  /// Returns NONE when launched, else DEVICE_UNAVAILABLE, GENERAL_FAILURE,
  /// OUTPUT_INSUFFICIENT_SIZE or INVALID_ARGUMENT.
  virtual ErrorStatus execute(const Request& request,
                              const std::shared_ptr<IExecutionCallback>& callback) = 0;
};

/// Receives the prepared model that IDevice::prepareModel makes.
class IPreparedModelCallback {
 public:
  virtual ~IPreparedModelCallback();

  /// To be called exactly once for a preparation: with NONE and the prepared model, or with the
  /// reason for the failure and null.
  virtual void notify(ErrorStatus status, const std::shared_ptr<IPreparedModel>& preparedModel) = 0;
};

/// What getCapabilities generates.
struct GetCapabilitiesResult {
  /// NONE, DEVICE_UNAVAILABLE or GENERAL_FAILURE.
  ErrorStatus status = ErrorStatus::NONE;
  /// Meaningful when status is NONE.
  Capabilities capabilities;
};

/// What getSupportedOperations of every version generates.
struct GetSupportedOperationsResult {
  /// NONE, DEVICE_UNAVAILABLE, GENERAL_FAILURE, or INVALID_ARGUMENT for an invalid model.
  ErrorStatus status = ErrorStatus::NONE;
  /// For each of Model::operations whether the driver runs it; meaningful when status is NONE.
  std::vector<bool> supportedOperations;
};

/// A driver.
class IDevice {
 public:
  virtual ~IDevice();

  /// The driver's performance.
  virtual GetCapabilitiesResult getCapabilities() = 0;

  /// Which operations of a model the driver can run. It must say no to an operation that it might
  /// not be able to run for whatever reason.
  virtual GetSupportedOperationsResult getSupportedOperations(const Model& model) = 0;

  /// Prepares a model in the background.
  ///
  /// The driver checks the arguments first. When they are wrong, or the work cannot be launched, it
  /// calls `callback` with the reason and null, and returns the same reason. Otherwise it returns
  /// NONE at once, and calls `callback` when the model is ready or its preparation has failed. All
  /// that may be open in the model is shapes, which each execution brings.
  ///
  /// May be called from several threads, even with the same model.
  ///
  /// Returns NONE when launched, else DEVICE_UNAVAILABLE, GENERAL_FAILURE or INVALID_ARGUMENT.
  virtual ErrorStatus prepareModel(const Model& model,
                                   const std::shared_ptr<IPreparedModelCallback>& callback) = 0;

  /// How the device is.
  virtual DeviceStatus getStatus() = 0;
};

}  // namespace nncert::hal::V1_0

#endif  // NNCERT_HAL_V1_0_INTERFACES_H_
