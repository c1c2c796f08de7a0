// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/v1_1/interfaces.h"

namespace nncert::hal::V1_1 {

IDevice::~IDevice() = default;

}  // namespace nncert::hal::V1_1
