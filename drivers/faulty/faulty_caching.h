// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Compilation caching that is wrong.

#ifndef NNCERT_DRIVERS_FAULTY_FAULTY_CACHING_H_
#define NNCERT_DRIVERS_FAULTY_FAULTY_CACHING_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "drivers/faulty/rules/caching_conduct.h"
#include "hal/compilation_cache.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::faulty {

/// The cache arguments of a call.
struct CacheArguments {
  std::vector<hal::Handle> model;
  std::vector<hal::Handle> data;
  hal::V1_2::CacheToken token = {};
};

/// The caching of a driver that does as `conduct` says, and all else as it should: the calls that
/// have to do with caches, in front of a driver of MakeRuleExecutor. What is wrong with a cache is
/// found by comparison with all that has been saved. May be used by several threads. To be made
/// with std::make_shared.
class FaultyCaching : public std::enable_shared_from_this<FaultyCaching> {
 public:
  /// A null conduct is one of a driver that does as it should.
  FaultyCaching(std::shared_ptr<hal::V1_2::IDevice> honest, const CachingConduct* conduct);

  /// IDevice::getNumberOfCacheFilesNeeded.
  hal::V1_2::GetNumberOfCacheFilesNeededResult CountFiles();

  /// IDevice::prepareModel_1_2.
  hal::V1_0::ErrorStatus Prepare(
      const hal::V1_2::Model& model, hal::V1_2::ExecutionPreference preference,
      const CacheArguments& cache,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback);

  /// IDevice::prepareModelFromCache.
  hal::V1_0::ErrorStatus PrepareFromCache(
      const CacheArguments& cache,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback);

 private:
  class SavingCallback;

  // A cache that has been saved, as its files are.
  struct Saved {
    hal::V1_2::CacheToken token = {};
    hal::CompilationCache files;
  };

  void Remember(Saved saved);
  CacheDefect Diagnose(const CacheArguments& cache) const;

  const std::shared_ptr<hal::V1_2::IDevice> honest_;
  const bool is_wrong_;
  const CachingConduct conduct_;
  mutable std::mutex mutex_;  // of all that follows
  std::vector<Saved> saves_;
  // How often the number of files was asked for since a model was prepared.
  int asked_ = 0;
};

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_FAULTY_CACHING_H_
