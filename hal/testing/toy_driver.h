// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A small real driver for the tests of this folder: it runs graphs of ADD without activation on
// 32-bit float tensors of equal dimensions.

#ifndef NNCERT_HAL_TESTING_TOY_DRIVER_H_
#define NNCERT_HAL_TESTING_TOY_DRIVER_H_

#include <memory>
#include <vector>

#include "hal/driver_base.h"

namespace nncert::hal::testing {

/// The driver. Operations other than ADD are not supported.
class ToyDriver : public SimpleDriver {
 public:
  ToyDriver() : SimpleDriver("toy 1.0", V1_2::DeviceType::CPU) {}

 protected:
  absl::StatusOr<std::vector<bool>> supportedOperations(const V1_2::Model& model) override;
  absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepare(
      const V1_2::Model& model, V1_2::ExecutionPreference preference) override;
};

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_TOY_DRIVER_H_
