// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models as the contents of compilation caches.

#ifndef NNCERT_REFERENCE_DRIVER_CACHED_MODEL_H_
#define NNCERT_REFERENCE_DRIVER_CACHED_MODEL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "hal/compilation_cache.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// The files of a cache: the graph is in the one of the model, the values of constants are in the
/// one of the data.
inline constexpr uint32_t kModelCacheFiles = 1;
inline constexpr uint32_t kDataCacheFiles = 1;

/// The contents that stand for a model. Fails where hal::ToSchema does.
absl::StatusOr<hal::CompilationCache> ToCache(const hal::V1_2::Model& model);

/// The model that contents stand for, its pools in new memory. Whatever the contents are, this
/// gives a model, which need not be valid, or InvalidArgument.
absl::StatusOr<hal::V1_2::Model> FromCache(const hal::CompilationCache& cache);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_DRIVER_CACHED_MODEL_H_
