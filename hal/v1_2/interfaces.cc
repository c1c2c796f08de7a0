// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/v1_2/interfaces.h"

namespace nncert::hal::V1_2 {

IExecutionCallback::~IExecutionCallback() = default;
IBurstCallback::~IBurstCallback() = default;
IBurstContext::~IBurstContext() = default;
IPreparedModel::~IPreparedModel() = default;
IPreparedModelCallback::~IPreparedModelCallback() = default;
IDevice::~IDevice() = default;

}  // namespace nncert::hal::V1_2
