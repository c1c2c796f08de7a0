// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/device_methods.h"

#include "hal/conversion.h"

namespace nncert::hal::replay {

absl::string_view SupportedOperationsCall(HalVersion version) {
  switch (version) {
    case HalVersion::V1_0:
      return "getSupportedOperations";
    case HalVersion::V1_1:
      return "getSupportedOperations_1_1";
    case HalVersion::V1_2:
      return "getSupportedOperations_1_2";
  }
  return "getSupportedOperations";
}

absl::string_view PrepareCall(HalVersion version) {
  switch (version) {
    case HalVersion::V1_0:
      return "prepareModel";
    case HalVersion::V1_1:
      return "prepareModel_1_1";
    case HalVersion::V1_2:
      return "prepareModel_1_2";
  }
  return "prepareModel";
}

V1_0::GetSupportedOperationsResult CallGetSupportedOperations(V1_0::IDevice& device,
                                                              HalVersion version,
                                                              const V1_2::Model& model) {
  switch (version) {
    case HalVersion::V1_0:
      break;
    case HalVersion::V1_1:
      return dynamic_cast<V1_1::IDevice&>(device).getSupportedOperations_1_1(
          convertToV1_1(model, Loss::EXPECTED));
    case HalVersion::V1_2:
      return dynamic_cast<V1_2::IDevice&>(device).getSupportedOperations_1_2(model);
  }
  return device.getSupportedOperations(convertToV1_0(model, Loss::EXPECTED));
}

V1_0::ErrorStatus CallPrepareModel(V1_0::IDevice& device, HalVersion version,
                                   const V1_2::Model& model, V1_2::ExecutionPreference preference,
                                   const CacheFiles& cache,
                                   const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) {
  switch (version) {
    case HalVersion::V1_0:
      break;
    case HalVersion::V1_1:
      return dynamic_cast<V1_1::IDevice&>(device).prepareModel_1_1(
          convertToV1_1(model, Loss::EXPECTED), preference, callback);
    case HalVersion::V1_2:
      return dynamic_cast<V1_2::IDevice&>(device).prepareModel_1_2(
          model, preference, cache.model_cache, cache.data_cache, cache.token, callback);
  }
  return device.prepareModel(convertToV1_0(model, Loss::EXPECTED), callback);
}

}  // namespace nncert::hal::replay
