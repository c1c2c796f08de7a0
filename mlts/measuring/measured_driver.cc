// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/measured_driver.h"

#include <unistd.h>

#include "harness/isolation/driver_process.h"
#include "system/processor.h"

namespace nncert {

absl::StatusOr<DriverSession*> MeasuredDriver::Open(Isolation isolation,
                                                    std::optional<OpenedDriver>& opened) {
  if (opened.has_value() && opened->session().calls().Health().ok()) return &opened->session();
  opened.reset();
  absl::StatusOr<OpenedDriver> again = OpenDriver(driver_, isolation, deadline_, memory_);
  if (!again.ok()) return again.status();
  opened.emplace(*std::move(again));
  return &opened->session();
}

absl::StatusOr<DriverSession*> MeasuredDriver::Session() {
  const OnProcessor scope(processor_);
  absl::StatusOr<DriverSession*> session = Open(isolation_, opened_);
  if (session.ok()) processor_ = opened_->processor();
  return session;
}

absl::StatusOr<DriverSession*> MeasuredDriver::UnpinnedSession() {
  switch (isolation_) {
    case Isolation::kPinned:
      return Open(Isolation::kUnpinned, unpinned_);
    case Isolation::kInProcess:
      return Open(Isolation::kInProcessUnpinned, unpinned_);
    case Isolation::kUnpinned:
    case Isolation::kInProcessUnpinned:
      break;
  }
  return Session();
}

ResourceUse MeasuredDriver::Resources() {
  if (opened_.has_value() && opened_->process() != nullptr) return opened_->process()->Resources();
  return ResourcesOf({getpid()});
}

}  // namespace nncert
