// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The interfaces of android.hardware.neuralnetworks@1.1: an IDevice that knows the 1.1 model,
// relaxed arithmetic and execution preferences. All else is 1.0's.

#ifndef NNCERT_HAL_V1_1_INTERFACES_H_
#define NNCERT_HAL_V1_1_INTERFACES_H_

#include <memory>

#include "hal/v1_0/interfaces.h"
#include "hal/v1_1/types.h"

namespace nncert::hal::V1_1 {

using V1_0::GetSupportedOperationsResult;
using V1_0::IExecutionCallback;
using V1_0::IPreparedModel;
using V1_0::IPreparedModelCallback;

/// What getCapabilities_1_1 generates.
struct GetCapabilitiesResult {
  /// NONE, DEVICE_UNAVAILABLE or GENERAL_FAILURE.
  ErrorStatus status = ErrorStatus::NONE;
  /// Meaningful when status is NONE.
  Capabilities capabilities;
};

/// A driver of HAL 1.1.
class IDevice : public V1_0::IDevice {
 public:
  ~IDevice() override;

  /// The driver's performance, that of relaxed arithmetic included.
  virtual GetCapabilitiesResult getCapabilities_1_1() = 0;

  /// Like getSupportedOperations, of a 1.1 model.
  virtual GetSupportedOperationsResult getSupportedOperations_1_1(const Model& model) = 0;

  /// Like prepareModel, of a 1.1 model and with what the client prefers. A preference without an
  /// enumerator is an INVALID_ARGUMENT.
  virtual ErrorStatus prepareModel_1_1(
      const Model& model, ExecutionPreference preference,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) = 0;
};

}  // namespace nncert::hal::V1_1

#endif  // NNCERT_HAL_V1_1_INTERFACES_H_
