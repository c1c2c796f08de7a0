// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver that is measured: opened when it is needed, and opened anew when its process was lost.

#ifndef NNCERT_MLTS_MEASURING_MEASURED_DRIVER_H_
#define NNCERT_MLTS_MEASURING_MEASURED_DRIVER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "certifying/driver_names.h"
#include "harness/isolation/driver_session.h"
#include "harness/isolation/resource_growth.h"

namespace nncert {

/// A driver and its processes. Not to be used from two threads at the same time.
class MeasuredDriver {
 public:
  /// `name` is what results call it. `memory` is that of its process (DriverProcessOptions).
  /// `processor` is where it is to be if it is pinned; nothing for
  /// any.
  MeasuredDriver(NamedDriver driver, std::string name, Isolation isolation, absl::Duration deadline,
                 uint64_t memory, std::optional<int> processor = std::nullopt)
      : driver_(std::move(driver)),
        name_(std::move(name)),
        isolation_(isolation),
        deadline_(deadline),
        memory_(memory),
        processor_(processor) {}

  const std::string& name() const { return name_; }

  /// The processor that it is called from; nothing for any, and before Session.
  std::optional<int> processor() const { return processor_; }

  /// A session of the driver whose process is well, to be called from processor(). Fails as
  /// OpenDriver does.
  absl::StatusOr<DriverSession*> Session();

  /// A session whose process may use every processor: another one, if the driver is pinned. To be
  /// called by a thread that may do so as well.
  absl::StatusOr<DriverSession*> UnpinnedSession();

  /// What the process of Session has.
  ResourceUse Resources();

 private:
  absl::StatusOr<DriverSession*> Open(Isolation isolation, std::optional<OpenedDriver>& opened);

  const NamedDriver driver_;
  const std::string name_;
  const Isolation isolation_;
  const absl::Duration deadline_;
  const uint64_t memory_;
  std::optional<int> processor_;
  std::optional<OpenedDriver> opened_;
  std::optional<OpenedDriver> unpinned_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_MEASURED_DRIVER_H_
