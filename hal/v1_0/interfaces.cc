// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/v1_0/interfaces.h"

namespace nncert::hal::V1_0 {

// Defined here so that each interface's virtual table has one home.
IExecutionCallback::~IExecutionCallback() = default;
IPreparedModel::~IPreparedModel() = default;
IPreparedModelCallback::~IPreparedModelCallback() = default;
IDevice::~IDevice() = default;

}  // namespace nncert::hal::V1_0
