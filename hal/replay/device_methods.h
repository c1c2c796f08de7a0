// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The methods of a device that are about a model, each of which has another name and takes another
// form of the model in every version of the HAL.

#ifndef NNCERT_HAL_REPLAY_DEVICE_METHODS_H_
#define NNCERT_HAL_REPLAY_DEVICE_METHODS_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "hal/handle.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal::replay {

/// The names of the methods of a version: "getSupportedOperations_1_2", "prepareModel_1_2".
absl::string_view SupportedOperationsCall(HalVersion version);
absl::string_view PrepareCall(HalVersion version);

/// The files that compilations are cached in; none where there is no caching.
struct CacheFiles {
  std::vector<Handle> model_cache;
  std::vector<Handle> data_cache;
  V1_2::CacheToken token = {};
};

/// Asks a device, which is of `version` or a later one, by the method of that version which
/// operations of a model it supports. The model may be invalid.
V1_0::GetSupportedOperationsResult CallGetSupportedOperations(V1_0::IDevice& device,
                                                              HalVersion version,
                                                              const V1_2::Model& model);

/// Likewise, launches the preparation of a model. Before 1.1 there is no preference, and before 1.2
/// no cache.
V1_0::ErrorStatus CallPrepareModel(V1_0::IDevice& device, HalVersion version,
                                   const V1_2::Model& model, V1_2::ExecutionPreference preference,
                                   const CacheFiles& cache,
                                   const std::shared_ptr<V1_2::IPreparedModelCallback>& callback);

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_DEVICE_METHODS_H_
